//! Iterating over all values.

macro_rules! iterate {
    // Iterators through `&self` are consumed by `$shared`: not every container's are double-ended.
    ($pool:expr, $which:expr, $path:expr, $shared:path) => {{
        use $crate::action::Iterate;
        use $crate::answer::Answer;
        use $crate::surface::{changed_value, named, shown, shown_changed, shown_value, taken};

        // `map` forwards `fold`, `rfold` and lengths, so the container's own implementations are
        // tested.
        let items = match $which {
            Iterate::Iter => $shared($pool.iter().map(shown), $path),
            Iterate::Ref => $shared((&$pool).into_iter().map(shown), $path),
            Iterate::IterMut => taken($pool.iter_mut().map(shown_changed), $path),
            Iterate::RefMut => taken((&mut $pool).into_iter().map(shown_changed), $path),
            Iterate::Values => $shared($pool.values().map(shown_value), $path),
            Iterate::ValuesMut => taken($pool.values_mut().map(changed_value), $path),
            Iterate::Handles => $shared($pool.handles().into_iter().map(named), $path),
            Iterate::IntoIter => taken($pool.clone().into_iter().map(shown), $path),
            Iterate::IntoValues => taken($pool.clone().into_values().map(shown_value), $path),
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }};
}
pub(crate) use iterate;
