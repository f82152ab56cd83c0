//! Walking over all values.

macro_rules! walk {
    // Walks through `&self` are consumed by `$shared`: not every container's can be walked from
    // both ends.
    ($pool:expr, $walk:expr, $path:expr, $shared:path) => {{
        use $crate::action::Walk;
        use $crate::answer::Answer;
        use $crate::surface::{change, id_of, named, taken};

        // `map` passes `fold`, `rfold` and lengths on, so the container's own are tested.
        let items = match $walk {
            Walk::Iter => $shared($pool.iter().map(|(name, value)| (Some(name.into()), Some(id_of(&value)))), $path),
            Walk::Ref => {
                $shared((&$pool).into_iter().map(|(name, value)| (Some(name.into()), Some(id_of(&value)))), $path)
            }
            Walk::IterMut => {
                taken($pool.iter_mut().map(|(name, value)| (Some(name.into()), Some(change(value)))), $path)
            }
            Walk::RefMut => {
                let items = (&mut $pool).into_iter();
                taken(items.map(|(name, value)| (Some(name.into()), Some(change(value)))), $path)
            }
            Walk::Values => $shared($pool.values().map(|value| (None, Some(id_of(&value)))), $path),
            Walk::ValuesMut => taken($pool.values_mut().map(|value| (None, Some(change(value)))), $path),
            Walk::Handles => $shared($pool.handles().into_iter().map(named), $path),
            Walk::IntoIter => {
                let items = $pool.clone().into_iter();
                taken(items.map(|(name, value)| (Some(name.into()), Some(id_of(&value)))), $path)
            }
            Walk::IntoValues => {
                let values = $pool.clone().into_values();
                taken(values.map(|value| (None, Some(id_of(&value)))), $path)
            }
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }};
}
pub(crate) use walk;
