//! Walking over all values.

macro_rules! walk {
    // Walks through `&self` are consumed by `$shared`: not every container's can be walked from
    // both ends.
    ($pool:expr, $walk:expr, $path:expr, $shared:path) => {{
        use $crate::action::Walk;
        use $crate::answer::Answer;
        use $crate::surface::{changed_value, named, shown, shown_changed, shown_value, taken};

        // `map` passes `fold`, `rfold` and lengths on, so the container's own are tested.
        let items = match $walk {
            Walk::Iter => $shared($pool.iter().map(shown), $path),
            Walk::Ref => $shared((&$pool).into_iter().map(shown), $path),
            Walk::IterMut => taken($pool.iter_mut().map(shown_changed), $path),
            Walk::RefMut => taken((&mut $pool).into_iter().map(shown_changed), $path),
            Walk::Values => $shared($pool.values().map(shown_value), $path),
            Walk::ValuesMut => taken($pool.values_mut().map(changed_value), $path),
            Walk::Handles => $shared($pool.handles().into_iter().map(named), $path),
            Walk::IntoIter => taken($pool.clone().into_iter().map(shown), $path),
            Walk::IntoValues => taken($pool.clone().into_values().map(shown_value), $path),
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }};
}
pub(crate) use walk;
