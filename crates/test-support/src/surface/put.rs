//! Putting values in.

macro_rules! put {
    ($pool:expr, $put:expr) => {{
        use $crate::action::{Many, Put};
        use $crate::answer::Answer;
        use $crate::surface::{collect, values};
        use $crate::{Tracked, fuse};

        match $put {
            Put::Insert(id) => Answer::Issued($pool.insert(Tracked::new(*id))),
            Put::InsertWith(id) => {
                let mut seen = None;
                let name = $pool.insert_with(|name| {
                    fuse::burn();
                    seen = Some(name);
                    Tracked::new(*id)
                });
                if seen == Some(name) {
                    Answer::Issued(name)
                } else {
                    Answer::Wrong(format!("the closure saw {seen:?}, and {name} was returned"))
                }
            }
            Put::TryInsert(id) => match $pool.try_insert(Tracked::new(*id)) {
                Ok(name) => Answer::Issued(name),
                Err(full) => Answer::Full(full.into_inner().id()),
            },
            Put::Many(ids, Many::Collect) => {
                Answer::Many { names: collect($pool.insert_many(values(ids))), back: Vec::new() }
            }
            Put::Many(ids, Many::DropAfter(count)) => {
                let mut many = $pool.insert_many(values(ids));
                let names = collect(many.by_ref().take(*count));
                drop(many);
                Answer::Many { names, back: Vec::new() }
            }
            Put::Many(ids, Many::FinishAfter(count)) => {
                let mut many = $pool.insert_many(values(ids));
                let names = collect(many.by_ref().take(*count));
                let back = many.finish().err().map(|full| collect(full.into_inner().map(|value| value.id())));
                Answer::Many { names, back: back.unwrap_or_default() }
            }
            Put::Extend(ids) => {
                $pool.extend(values(ids));
                Answer::Many { names: Vec::new(), back: Vec::new() }
            }
            Put::ReserveHandle => Answer::Issued($pool.reserve_handle()),
            Put::Fill(name, id) => match $pool.fill(*name, Tracked::new(*id)) {
                Ok(()) => Answer::Placed(None),
                Err(rejected) => Answer::Rejected(rejected.reason(), rejected.into_inner().id()),
            },
            Put::InsertAt(name, id) => match $pool.insert_at(*name, Tracked::new(*id)) {
                Ok(replaced) => Answer::Placed(replaced.as_ref().map(Tracked::id)),
                Err(rejected) => Answer::Rejected(rejected.reason(), rejected.into_inner().id()),
            },
        }
    }};
}
pub(crate) use put;
