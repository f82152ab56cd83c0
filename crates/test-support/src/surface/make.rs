//! Making a container out of a container.

macro_rules! make {
    ($pool:expr, $make:expr, $new:expr, $collect:expr) => {{
        use $crate::Tracked;
        use $crate::action::Make;
        use $crate::answer::Answer;
        use $crate::fuse;

        match $make {
            Make::Map => {
                let pool = std::mem::replace(&mut $pool, $new);
                let pairs = pool.map_values(|value| {
                    fuse::burn();
                    (value, 0_u64)
                });
                $pool = pairs.map_values(|(mut value, _): (Tracked, u64)| {
                    fuse::burn();
                    value.change();
                    value
                });
                Answer::Done(true)
            }
            Make::Collect(ids) => $crate::surface::gather!(ids, $collect),
        }
    }};
}
pub(crate) use make;

macro_rules! gather {
    ($ids:expr, $collect:expr) => {{
        use $crate::answer::Answer;
        use $crate::surface::{collect, shown, values};

        let made = $collect(values($ids));
        let listed = collect(made.iter().map(shown));
        drop(made);
        Answer::Items(listed)
    }};
}
pub(crate) use gather;
