//! Looking values up, and changing them.

macro_rules! look {
    ($pool:expr, $look:expr) => {{
        use $crate::Tracked;
        use $crate::action::Look;
        use $crate::answer::Answer;
        use $crate::surface::{collect, id_of};

        match $look {
            Look::Probe(name) => {
                let plain = $pool.get_mut(*name).as_deref().map(id_of);
                let tried = $pool.try_get_mut(*name).map(|value| id_of(value)).map_err(Into::into);
                Answer::Probed(plain, tried)
            }
            Look::Index(name) => Answer::Value(Some($pool[*name].id())),
            Look::Change(name) => Answer::Value(Some($pool[*name].change())),
            Look::Disjoint(names) => match $pool.get_disjoint_mut(*names) {
                Ok([first, middle, last]) => {
                    std::mem::swap(first, last);
                    Answer::Disjoint(Ok(collect([first.id(), middle.id(), last.id()])))
                }
                Err(error) => Answer::Disjoint(Err(error.into())),
            },
            Look::Loans(names) => {
                let loans = $pool.borrow_many();
                // All of them are held before the first is changed.
                let lent = names.map(|name| loans.get_mut(name));
                Answer::Loans(collect(lent.map(|loan| loan.map(Tracked::change).map_err(|error| error.into()))))
            }
            Look::HandleAt(index) => Answer::Name($pool.handle_at(*index)),
            Look::HandleOf(name) => match $pool.get(*name) {
                Some(value) => Answer::Name($pool.handle_of(value)),
                None => Answer::Name($pool.handle_of(&Tracked::new(0))),
            },
            Look::Print => Answer::Text(format!("{:?}", $pool)),
        }
    }};
}
pub(crate) use look;
