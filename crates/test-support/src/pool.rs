//! `tenure::Pool`, in every layout.

use tenure::{Compact, DensePool, FixedPool, Handle, Layout, Pool, Row, StablePool, Table, Tagged, Wide, World};

use crate::action::Action;
use crate::answer::Answer;
use crate::subject::Adapter;
use crate::tracked::Tracked;
use crate::{path, surface};

/// A pool under test.
#[derive(Debug)]
pub struct PoolSubject<L: Tags>(pub Pool<Tracked, Handle<Tracked, L>>);

/// 4 tenants per slot.
pub type FourTenants = Compact<29>;
/// 2 tenants per slot.
pub type TwoTenants = Compact<30>;
/// 3 slots, so that pools fill up early.
pub type ThreeSlots = Compact<2>;

/// Makes empty containers of a layout: with a tag if it has tags.
pub trait Tags: Layout {
    /// The tag of all pools in the tests, except for those that are meant to be foreign.
    const TAG: u32 = 0;

    /// An empty pool.
    #[must_use]
    fn pool<T>() -> Pool<T, Handle<T, Self>> {
        Pool::EMPTY
    }

    /// An empty pool of unit values, which only issues handles.
    #[must_use]
    fn owner<K: ?Sized>() -> Pool<(), Handle<K, Self>> {
        Pool::EMPTY
    }

    /// An empty stable pool.
    #[must_use]
    fn stable<T>() -> StablePool<T, Handle<T, Self>> {
        StablePool::EMPTY
    }

    /// An empty pool without an allocator.
    #[must_use]
    fn fixed<T, const N: usize>() -> FixedPool<T, N, Handle<T, Self>> {
        FixedPool::EMPTY
    }

    /// An empty world.
    #[must_use]
    fn world<T>() -> World<T, Handle<T, Self>> {
        World::EMPTY
    }

    /// An empty dense pool.
    #[must_use]
    fn dense<T>() -> DensePool<T, Handle<T, Self>> {
        DensePool::EMPTY
    }

    /// An empty table.
    #[must_use]
    fn table<R: Row, K: ?Sized>() -> Table<R, Handle<K, Self>> {
        Table::EMPTY
    }
}

impl Tags for Wide {}

impl<const INDEX: u32> Tags for Compact<INDEX> {}

impl<const BITS: u32, L: Layout> Tags for Tagged<BITS, L> {
    const TAG: u32 = 2;

    fn pool<T>() -> Pool<T, Handle<T, Self>> {
        Pool::with_tag(Self::TAG)
    }

    fn owner<K: ?Sized>() -> Pool<(), Handle<K, Self>> {
        Pool::with_tag(Self::TAG)
    }

    fn stable<T>() -> StablePool<T, Handle<T, Self>> {
        StablePool::with_tag(Self::TAG)
    }

    fn fixed<T, const N: usize>() -> FixedPool<T, N, Handle<T, Self>> {
        FixedPool::with_tag(Self::TAG)
    }

    fn world<T>() -> World<T, Handle<T, Self>> {
        World::with_tag(Self::TAG)
    }

    fn dense<T>() -> DensePool<T, Handle<T, Self>> {
        DensePool::with_tag(Self::TAG)
    }

    fn table<R: Row, K: ?Sized>() -> Table<R, Handle<K, Self>> {
        Table::with_tag(Self::TAG)
    }
}

impl<L: Tags> Adapter for PoolSubject<L> {
    type Layout = L;
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self(L::pool())
    }

    fn apply(&mut self, action: &Action) -> Answer {
        apply(&mut self.0, action)
    }

    surface::see!();
}

/// Like [`Adapter::apply`].
pub(crate) fn apply<L: Tags>(pool: &mut Pool<Tracked, Handle<Tracked, L>>, action: &Action) -> Answer {
    match action {
        Action::Put(put) => surface::put!(pool, put, Tracked),
        Action::Out(out) => surface::out!(pool, out, path::consume),
        Action::Look(look) => surface::look!(*pool, look),
        Action::Iterate(which, path) => surface::iterate!(*pool, *which, *path, surface::taken),
        Action::Room(room) => surface::slot_room!(pool, room),
        Action::Make(make) => surface::make!(*pool, make, L::pool(), Pool::<Tracked, Handle<Tracked, L>>::from_iter),
        Action::Rows(_) => Answer::Unsupported,
    }
}
