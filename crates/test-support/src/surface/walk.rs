//! Walking over all values.

macro_rules! walk {
    ($pool:expr, $walk:expr, $path:expr) => {{
        use $crate::Tracked;
        use $crate::action::Walk;
        use $crate::answer::Answer;
        use $crate::path::consume;

        // `map` passes `fold`, `rfold` and lengths on, so the container's own are tested.
        let items = match $walk {
            Walk::Iter => {
                consume($pool.iter().map(|(name, value)| (Some(name), Some(value.id()))), $path).map(|x| x.0)
            }
            Walk::Ref => {
                consume((&$pool).into_iter().map(|(name, value)| (Some(name), Some(value.id()))), $path).map(|x| x.0)
            }
            Walk::IterMut => {
                consume($pool.iter_mut().map(|(name, value)| (Some(name), Some(value.change()))), $path).map(|x| x.0)
            }
            Walk::RefMut => {
                let items = (&mut $pool).into_iter();
                consume(items.map(|(name, value)| (Some(name), Some(value.change()))), $path).map(|x| x.0)
            }
            Walk::Values => consume($pool.values().map(|value| (None, Some(value.id()))), $path).map(|x| x.0),
            Walk::ValuesMut => {
                consume($pool.values_mut().map(|value| (None, Some(value.change()))), $path).map(|x| x.0)
            }
            Walk::Handles => consume($pool.handles().map(|name| (Some(name), None)), $path).map(|x| x.0),
            Walk::IntoIter => {
                let items = $pool.clone().into_iter();
                consume(items.map(|(name, value)| (Some(name), Some(Tracked::id(&value)))), $path).map(|x| x.0)
            }
            Walk::IntoValues => {
                let values = $pool.clone().into_values();
                consume(values.map(|value| (None, Some(Tracked::id(&value)))), $path).map(|x| x.0)
            }
        };
        items.map_or_else(Answer::Wrong, Answer::Items)
    }};
}
pub(crate) use walk;
