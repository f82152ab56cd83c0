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
            Room::TryReserve(count) if count % 2 == 1 => Answer::Done($pool.try_reserve_exact(*count).is_ok()),
            Room::TryReserve(count) => Answer::Done($pool.try_reserve(*count).is_ok()),
            Room::Shrink => {
                $pool.shrink_to_fit();
                Answer::Done(true)
            }
            Room::ShrinkTo(capacity) => $crate::surface::shrink_to!($pool, *capacity),
            other => $crate::surface::fixed_room!($pool, other),
        }
    }};
}
pub(crate) use room;

/// Capacity and slots of containers whose values are not in rows.
macro_rules! slot_room {
    ($pool:expr, $room:expr) => {{
        use $crate::action::Room;
        use $crate::answer::Answer;

        match $room {
            Room::WarmUp => {
                $pool.warm_up();
                Answer::Done(true)
            }
            other => $crate::surface::room!($pool, other),
        }
    }};
}
pub(crate) use slot_room;

/// `shrink_to`, which keeps the room that it is told to keep, and adds none.
macro_rules! shrink_to {
    ($pool:expr, $least:expr) => {{
        use $crate::answer::Answer;

        let before = $pool.capacity();
        $pool.shrink_to($least);
        match $pool.capacity() {
            after if after >= before.min($least) && after <= before => Answer::Done(true),
            after => Answer::Wrong(format!("a capacity of {before} was shrunk to {after}")),
        }
    }};
}
pub(crate) use shrink_to;

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
