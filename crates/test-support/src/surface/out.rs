//! Removing values.

macro_rules! out {
    // A drain is consumed by `$consume`: not every container's is double-ended.
    ($pool:expr, $out:expr, $consume:path) => {{
        use $crate::action::Out;

        match $out {
            Out::Drain(path, ending) => $crate::surface::drain!($pool, *path, *ending, $consume).0,
            Out::Remove(name) if name.index() % 2 == 1 => $crate::surface::discard!($pool, name),
            other => $crate::surface::take_out!($pool, other),
        }
    }};
}
pub(crate) use out;

/// `discard`, with the answer of `remove`.
macro_rules! discard {
    ($pool:expr, $name:expr) => {{
        use $crate::surface::id_of;

        let id = $pool.get($name.handle()).map(|value| id_of(&value));
        $crate::surface::discard_known!($pool, $name, id)
    }};
}
pub(crate) use discard;

/// The same with the id that the value has. (A follower cannot look it up.)
macro_rules! discard_known {
    ($pool:expr, $name:expr, $id:expr) => {{
        use $crate::answer::Answer;

        match $pool.discard($name.handle()) {
            dropped if dropped == $id.is_some() => Answer::Value($id),
            dropped => Answer::Wrong(format!("discard said {dropped}, and the value was {:?}", $id)),
        }
    }};
}
pub(crate) use discard_known;

/// Removes rows of a table, with or without a follower.
macro_rules! out_of_rows {
    ($table:expr, $out:expr) => {{
        use $crate::action::Out;
        use $crate::surface::{id_of, listened};

        let id = match $out {
            Out::Remove(name) => $table.get(name.handle()).map(|row| id_of(&row)),
            _ => None,
        };
        listened!(&mut $table, leave_rows, ($out, id))
    }};
}
pub(crate) use out_of_rows;

/// Removes rows of a table, or of a table with a follower. The second part of `$out` is the id of
/// the row of `Remove`.
macro_rules! leave_rows {
    ($rows:expr, $out:expr) => {{
        use $crate::action::Out;
        use $crate::surface::{consume_forward, discard_known, drain, take_out};

        match $out {
            (Out::Drain(path, ending), _) => drain!($rows, *path, *ending, consume_forward).0,
            // At some indices, but not at the same ones for all generations of a slot.
            (Out::Remove(name), id) if (name.index() ^ name.generation()) % 4 == 1 => discard_known!($rows, name, id),
            (out, _) => take_out!($rows, out),
        }
    }};
}
pub(crate) use leave_rows;

/// Drains a container along a path. Evaluates to the answer, and whether a part was forgotten.
macro_rules! drain {
    ($pool:expr, $path:expr, $ending:expr, $consume:path) => {{
        use $crate::action::Ending;
        use $crate::answer::Answer;
        use $crate::surface::{forget, list};

        // Not mapped: the drain itself must be dropped or forgotten, and its own `fold` is under
        // test.
        match $consume($pool.drain(), $path) {
            Ok((items, rest)) => {
                let listed = list(&items);
                let is_forgotten = $ending == Ending::Forget && rest.is_some();
                match $ending {
                    Ending::Forget => forget(rest),
                    Ending::Drop => drop(rest),
                }
                drop(items);
                (Answer::Items(listed), is_forgotten)
            }
            Err(wrong) => (Answer::Wrong(wrong), false),
        }
    }};
}
pub(crate) use drain;

/// Operations that are also available with a follower.
macro_rules! take_out {
    ($pool:expr, $out:expr) => {{
        use $crate::action::Out;
        use $crate::answer::Answer;
        use $crate::fuse;
        use $crate::surface::{collect, id_of, list};

        match $out {
            Out::Remove(name) => Answer::Value($pool.remove(name.handle()).as_ref().map(id_of)),
            Out::Take(name) => Answer::Value($pool.take(name.handle()).as_ref().map(id_of)),
            Out::Extract(rule, limit) => {
                let removed = $pool.extract_if(|_, value| {
                    fuse::burn();
                    rule.says(id_of(&value))
                });
                let items = collect(removed.take(*limit));
                let listed = list(&items);
                drop(items);
                Answer::Items(listed)
            }
            Out::Retain(rule) => {
                $pool.retain(|_, value| {
                    fuse::burn();
                    rule.says(id_of(&value))
                });
                Answer::Done(true)
            }
            Out::Clear => {
                $pool.clear();
                Answer::Done(true)
            }
            Out::Drain(..) => Answer::Unsupported,
        }
    }};
}
pub(crate) use take_out;
