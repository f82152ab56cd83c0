//! Pools that never grow: `tenure::FixedPool`, and `Pool::with_fixed_capacity`.

use tenure::{FixedPool, Handle, Pool, Wide};

use crate::action::{Action, Make};
use crate::answer::Answer;
use crate::pool::{self, Tags};
use crate::subject::{Adapter, Supports};
use crate::tracked::Tracked;
use crate::{path, surface};

/// A pool without an allocator under test.
#[derive(Debug)]
pub struct FixedSubject<const N: usize, L: Tags>(pub FixedPool<Tracked, N, Handle<Tracked, L>>);

impl<const N: usize, L: Tags> Adapter for FixedSubject<N, L> {
    type Layout = L;
    const SUPPORTS: Supports = Supports { growth: false, heap: false, ..Supports::ALL };
    const TAG: u32 = L::TAG;
    const LIMIT: usize = N;

    fn new() -> Self {
        Self(L::fixed())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            Action::Put(put) => surface::put!(self.0, put, Tracked),
            Action::Out(out) => surface::out!(self.0, out, path::consume),
            Action::Look(look) => surface::look!(self.0, look),
            Action::Iterate(which, path) => surface::iterate!(self.0, *which, *path, surface::taken),
            Action::Room(room) => surface::fixed_room!(self.0, room),
            Action::Make(make) => {
                surface::make!(self.0, make, L::fixed(), FixedPool::<Tracked, N, Handle<Tracked, L>>::from_iter)
            }
            Action::Rows(_) => Answer::Unsupported,
        }
    }

    surface::see!();
}

/// A pool that allocates once under test.
#[derive(Debug)]
pub struct BudgetSubject<const N: usize>(pub Pool<Tracked>);

impl<const N: usize> Adapter for BudgetSubject<N> {
    type Layout = Wide;
    const LIMIT: usize = N;

    fn new() -> Self {
        Self(Pool::with_fixed_capacity(N))
    }

    fn apply(&mut self, action: &Action) -> Answer {
        match action {
            // `collect` would make a pool that grows.
            Action::Make(Make::Collect(ids)) => collect_into(Self::new().0, ids),
            _ => pool::apply(&mut self.0, action),
        }
    }

    surface::see!();
}

fn collect_into(mut pool: Pool<Tracked>, ids: &[u32]) -> Answer {
    pool.extend(surface::values(ids));
    let listed = surface::collect(pool.iter().map(surface::shown));
    drop(pool);
    Answer::Items(listed)
}
