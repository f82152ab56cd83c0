//! Looking values up, and mutating them.

macro_rules! look {
    ($pool:expr, $look:expr) => {{
        use $crate::Tracked;
        use $crate::action::Look;
        use $crate::answer::Answer;
        use $crate::surface::collect;

        match $look {
            Look::Probe(name) if !$crate::surface::agrees(&mut $pool, name.handle()) => {
                Answer::Wrong(format!("get_unchecked returns another value of {name} than get"))
            }
            Look::Index(name) => Answer::Value(Some($pool[name.handle()].id())),
            Look::Change(name) => Answer::Value(Some($pool[name.handle()].change())),
            Look::Loans(names) => {
                let loans = $pool.borrow_many();
                // All of them are borrowed before the first one is mutated.
                let lent = names.map(|name| loans.get_mut(name.handle()));
                Answer::Loans(collect(lent.map(|loan| loan.map(Tracked::change).map_err(|error| error.into()))))
            }
            Look::HandleOf(name) => match $pool.get(name.handle()) {
                Some(value) => {
                    let (of, found) = ($pool.handle_of(value), $pool.find(|other| other.id() == value.id()));
                    if of == found {
                        Answer::Name(of.map(Into::into))
                    } else {
                        Answer::Wrong(format!("handle_of says {of:?}, and find {found:?}"))
                    }
                }
                None => Answer::Name($pool.handle_of(&Tracked::new(0)).map(Into::into)),
            },
            Look::Print => Answer::Text(format!("{:?}", $pool)),
            other => $crate::surface::look_up!($pool, other),
        }
    }};
}
pub(crate) use look;

/// Operations for containers whose values are not stored as a whole, too.
macro_rules! look_up {
    ($pool:expr, $look:expr) => {{
        use $crate::action::Look;
        use $crate::answer::Answer;
        use $crate::surface::{collect, exchange, handles, id_of};

        match $look {
            Look::Probe(name) => {
                let plain = $pool.get_mut(name.handle()).map(|value| id_of(&value));
                let tried = $pool.try_get_mut(name.handle()).map(|value| id_of(&value)).map_err(Into::into);
                Answer::Probed(plain, tried)
            }
            Look::Disjoint(names) => match $pool.get_disjoint_mut(handles(names)) {
                Ok([mut first, middle, mut last]) => {
                    exchange(&mut first, &mut last);
                    Answer::Disjoint(Ok(collect([id_of(&first), id_of(&middle), id_of(&last)])))
                }
                Err(error) => Answer::Disjoint(Err(error.into())),
            },
            Look::HandleAt(index) => Answer::Name($pool.handle_at(*index).map(Into::into)),
            _ => Answer::Unsupported,
        }
    }};
}
pub(crate) use look_up;
