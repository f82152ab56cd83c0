//! `tenure::StablePool`, in every layout. Its values never move.

use tenure::{Handle, Layout, StablePool};

use crate::action::Action;
use crate::answer::Answer;
use crate::name::Name;
use crate::pool::Tags;
use crate::subject::{Adapter, Supports};
use crate::tracked::Tracked;
use crate::{path, surface};

/// A stable pool under test.
#[derive(Debug)]
pub struct StableSubject<L: Tags>(pub StablePool<Tracked, Handle<Tracked, L>>);

impl<L: Tags> Adapter for StableSubject<L> {
    type Layout = L;
    const SUPPORTS: Supports = Supports::ALL;
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self(L::stable())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => surface::put!(self.0, put, Tracked),
            Action::Out(out) => surface::out!(self.0, out, path::consume),
            Action::Look(look) => surface::look!(self.0, look),
            Action::Iterate(which, path) => surface::iterate!(self.0, *which, *path, surface::roamed),
            Action::Room(room) => surface::slot_room!(self.0, room),
            Action::Make(make) => {
                surface::make!(self.0, make, L::stable(), StablePool::<Tracked, Handle<Tracked, L>>::from_iter)
            }
            Action::Rows(_) => Answer::Unsupported,
        }
    }

    fn address(&self, name: Name) -> Option<usize> {
        self.0.get(name.handle()).map(|value| (&raw const *value).addr())
    }

    surface::see!();
}

/// The numbers below `count`, and their handles.
#[must_use]
pub fn numbers(count: u32) -> (StablePool<u32>, Vec<Handle<u32>>) {
    let pool: StablePool<u32> = (0..count).collect();
    let handles = pool.handles().collect();
    (pool, handles)
}

/// Inserts values one by one, through `&self`.
pub fn insert_all<T, L: Layout>(pool: &StablePool<T, Handle<T, L>>, values: impl IntoIterator<Item = T>) {
    for value in values {
        pool.insert(value);
    }
}

/// The number of slots in all states.
#[must_use]
pub fn slot_count<T>(pool: &StablePool<T>) -> usize {
    let stats = pool.stats();
    stats.live + stats.free + stats.pending + stats.retired
}
