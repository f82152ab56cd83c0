//! Capacity and slots.

macro_rules! room {
    ($pool:expr, $room:expr) => {{
        use $crate::action::Room;
        use $crate::answer::Answer;

        match $room {
            Room::Reserve(count) => {
                $pool.reserve(*count);
                Answer::Done(true)
            }
            Room::ReserveExact(count) => {
                $pool.reserve_exact(*count);
                Answer::Done(true)
            }
            Room::TryReserve(count) => Answer::Done($pool.try_reserve(*count).is_ok()),
            Room::Shrink => {
                if $pool.len() % 2 == 1 {
                    $pool.shrink_to(0);
                } else {
                    $pool.shrink_to_fit();
                }
                Answer::Done(true)
            }
            other => $crate::surface::fixed_room!($pool, other),
        }
    }};
}
pub(crate) use room;

/// Operations of containers that do not grow.
macro_rules! fixed_room {
    ($pool:expr, $room:expr) => {{
        use $crate::action::Room;
        use $crate::answer::Answer;

        match $room {
            Room::Recycle => Answer::Count($pool.recycle_retired()),
            Room::ReleasePending => {
                let listed = $pool.pending_handles().count();
                match $pool.release_pending() {
                    released if released == listed => Answer::Count(released),
                    released => Answer::Wrong(format!("{listed} were listed, and {released} released")),
                }
            }
            Room::ReserveSlots(count) => {
                $pool.allow_indices_below(*count);
                Answer::Done(true)
            }
            _ => Answer::Unsupported,
        }
    }};
}
pub(crate) use fixed_room;
