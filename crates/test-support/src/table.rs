//! `tenure::Table` with several columns. A row that is torn apart is noticed at every access.

use tenure::{Handle, Row, Table};

use crate::action::{Action, Look, Make};
use crate::answer::Answer;
use crate::pool::Tags;
use crate::subject::{Adapter, Supports};
use crate::tracked::Tracked;
use crate::value::{Changing, Shown, Value};
use crate::{ledger, surface};

/// A row: a value between two others that are derived from its id. If it panics, one column is
/// updated and the other is not.
#[derive(Debug, Row, serde::Deserialize)]
#[row(derive(serde::Serialize))]
pub struct Entry {
    before: u64,
    tracked: Tracked,
    after: u8,
}

const fn before(id: u32) -> u64 {
    (id as u64) << 17 | 1
}

const fn after(id: u32) -> u8 {
    (id % 251) as u8
}

impl EntryRef<'_> {
    fn checked(self) -> u32 {
        let id = self.tracked.id();
        if (*self.before, *self.after) != (before(id), after(id)) {
            ledger::report(format!("the row of value {id} is torn apart: {self:?}"));
        }
        id
    }
}

impl Value for Entry {
    fn new(id: u32) -> Self {
        Self { before: before(id), tracked: Tracked::new(id), after: after(id) }
    }
}

impl Shown for Entry {
    fn id(&self) -> u32 {
        let Self { before, tracked, after } = self;
        EntryRef { before, tracked, after }.checked()
    }
}

impl Shown for EntryRef<'_> {
    fn id(&self) -> u32 {
        self.checked()
    }
}

impl Shown for EntryMut<'_> {
    fn id(&self) -> u32 {
        self.as_ref().checked()
    }
}

impl Changing for EntryMut<'_> {
    fn change(self) -> u32 {
        let id = self.tracked.change();
        (*self.before, *self.after) = (before(id), after(id));
        id
    }

    fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(self.before, other.before);
        std::mem::swap(self.tracked, other.tracked);
        std::mem::swap(self.after, other.after);
    }
}

/// A table under test.
#[derive(Debug)]
pub struct TableSubject<L: Tags>(pub Table<Entry, Handle<Tracked, L>>);

impl<L: Tags> Adapter for TableSubject<L> {
    type Layout = L;
    const SUPPORTS: Supports = Supports { whole: false, ..Supports::ROWS };
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self(L::table())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => surface::put!(self.0, put, Entry),
            Action::Out(out) => surface::out_of_rows!(self.0, out),
            Action::Look(Look::Probe(name)) if !surface::rows_agree!(self.0, name) => {
                Answer::Wrong(format!("the row of {name} has another handle, or is not found"))
            }
            Action::Look(look) => surface::look_up!(self.0, look),
            Action::Iterate(which, path) => surface::iterate!(self.0, *which, *path, surface::taken),
            Action::Room(room) => surface::room!(self.0, room),
            Action::Make(Make::Collect(ids)) => surface::gather!(ids, Table::<Entry, Handle<Tracked, L>>::from_iter),
            Action::Make(Make::Map) => Answer::Unsupported,
            Action::Rows(rows) => surface::listened!(&mut self.0, rearrange, rows),
        }
    }

    surface::see!();
}
