//! Inserting values.

macro_rules! put {
    ($pool:expr, $put:expr, $Value:ty) => {{
        use $crate::action::{Many, Put};
        use $crate::answer::Answer;
        use $crate::name::Name;
        use $crate::surface::{collect, id_of, value, values};

        match $put {
            Put::Insert(id) => {
                let next = $pool.next_handle();
                match $pool.insert(value(*id)) {
                    name if next == Some(name) => Answer::Issued(name.into()),
                    name => Answer::Wrong(format!("next_handle said {next:?}, and {name} was issued")),
                }
            }
            Put::InsertWith(id) => $crate::surface::with_handle!($pool, id, $Value, insert_with, insert_with_result),
            Put::TryInsert(id) if id % 2 == 1 => {
                $crate::surface::try_with_handle!($pool, id, $Value, try_insert_with)
            }
            Put::TryInsert(id) => match $pool.try_insert(value(*id)) {
                Ok(name) => Answer::Issued(name.into()),
                Err(full) => Answer::Full(id_of(&full.into_inner())),
            },
            Put::Many(ids, Many::Collect) => {
                Answer::Many { names: collect($pool.insert_many(values(ids)).map(Name::from)), back: Vec::new() }
            }
            Put::Many(ids, Many::DropAfter(count)) => {
                let mut many = $pool.insert_many(values(ids));
                let names = collect(many.by_ref().take(*count).map(Name::from));
                drop(many);
                Answer::Many { names, back: Vec::new() }
            }
            Put::Many(ids, Many::FinishAfter(count)) => {
                let mut many = $pool.insert_many(values(ids));
                let names = collect(many.by_ref().take(*count).map(Name::from));
                let back = many.finish().err().map(|full| collect(full.into_inner().map(|value| id_of(&value))));
                Answer::Many { names, back: back.unwrap_or_default() }
            }
            Put::Extend(ids) => {
                $pool.extend(values::<$Value>(ids));
                Answer::Many { names: Vec::new(), back: Vec::new() }
            }
            Put::ReserveHandle => Answer::Issued($pool.reserve_handle().into()),
            Put::Fill(name, id) => match $pool.fill(name.handle(), value(*id)) {
                Ok(()) => Answer::Placed(None),
                Err(rejected) => Answer::Rejected(rejected.reason(), id_of(&rejected.into_inner())),
            },
            Put::InsertAt(name, id) => match $pool.insert_at(name.handle(), value(*id)) {
                Ok(replaced) => Answer::Placed(replaced.as_ref().map(id_of)),
                Err(rejected) => Answer::Rejected(rejected.reason(), id_of(&rejected.into_inner())),
            },
        }
    }};
}
pub(crate) use put;

/// Inserts a value whose closure gets the handle; at odd ids after a closure that fails. The
/// methods have other names in worlds.
macro_rules! with_handle {
    ($pool:expr, $id:expr, $Value:ty, $insert_with:ident, $insert_with_result:ident) => {{
        use $crate::answer::Answer;
        use $crate::fuse;
        use $crate::surface::value;

        if $id % 2 == 1 {
            let mut seen = $pool.$insert_with_result(|name| Err::<$Value, _>(name)).err();
            let name = $pool.$insert_with_result(|name| {
                fuse::burn();
                seen = seen.filter(|&refused| refused == name);
                Ok::<_, ()>(value(*$id))
            });
            match name {
                Ok(name) if seen == Some(name) => Answer::Issued(name.into()),
                name => Answer::Wrong(format!("the closures saw {seen:?}, and {name:?} was returned")),
            }
        } else {
            let mut seen = None;
            let name = $pool.$insert_with(|name| {
                fuse::burn();
                seen = Some(name);
                value::<$Value>(*$id)
            });
            if seen == Some(name) {
                Answer::Issued(name.into())
            } else {
                Answer::Wrong(format!("the closure saw {seen:?}, and {name} was returned"))
            }
        }
    }};
}
pub(crate) use with_handle;

/// The same, but where there is no room, the error returns the closure, which was not called.
macro_rules! try_with_handle {
    ($pool:expr, $id:expr, $Value:ty, $try_insert_with:ident) => {{
        use tenure::Handle;
        use $crate::answer::Answer;
        use $crate::fuse;
        use $crate::surface::{id_of, value};

        let seen = std::cell::Cell::new(Handle::NIL);
        let tried = $pool.$try_insert_with(|name| {
            fuse::burn();
            seen.set(name);
            value::<$Value>(*$id)
        });
        match tried {
            Ok(name) if seen.get() == name => Answer::Issued(name.into()),
            Ok(name) => Answer::Wrong(format!("the closure saw {}, and {name} was returned", seen.get())),
            Err(full) => Answer::Full(id_of(&full.into_inner()(Handle::NIL))),
        }
    }};
}
pub(crate) use try_with_handle;
