//! `tenure::Pool`, in every layout.

use tenure::{Compact, Layout, Pool, Tagged, Wide};

use crate::action::Action;
use crate::answer::{Answer, Census, Sight};
use crate::subject::{Listing, Name, Subject};
use crate::surface;
use crate::tracked::Tracked;

/// A pool under test.
#[derive(Debug)]
pub struct PoolSubject<L: Tags>(pub Pool<Tracked, Tracked, L>);

/// 4 tenants for each slot, then it retires.
pub type FourTenants = Compact<29>;
/// 2 tenants for each slot, then it retires.
pub type TwoTenants = Compact<30>;
/// 3 slots, so that pools are full soon.
pub type ThreeSlots = Compact<2>;

/// How to make an empty pool of a layout: with a tag if it has tags.
pub trait Tags: Layout {
    /// Of all pools in the tests, except for those that shall be foreign.
    const TAG: u32 = 0;

    /// An empty pool.
    #[must_use]
    fn pool<T>() -> Pool<T, T, Self> {
        Pool::with_layout()
    }
}

impl Tags for Wide {}

impl<const INDEX: u32> Tags for Compact<INDEX> {}

impl<const BITS: u32, L: Layout> Tags for Tagged<BITS, L> {
    const TAG: u32 = 2;

    fn pool<T>() -> Pool<T, T, Self> {
        Pool::with_tag(Self::TAG)
    }
}

impl<L: Tags> Subject for PoolSubject<L> {
    type Layout = L;
    const TAG: u32 = L::TAG;

    fn new() -> Self {
        Self(L::pool())
    }

    fn apply(&mut self, action: &Action<L>) -> Answer<L> {
        match action {
            Action::Put(put) => surface::put!(self.0, put),
            Action::Out(out) => surface::out!(self.0, out),
            Action::Look(look) => surface::look!(self.0, look),
            Action::Walk(walk, path) => surface::walk!(self.0, *walk, *path),
            Action::Room(room) => surface::room!(self.0, room),
            Action::Make(make) => surface::make!(self.0, make, Pool<Tracked, Tracked, L>, L::pool()),
        }
    }

    fn see(&self, name: Name<L>) -> Sight {
        Sight {
            get: self.0.get(name).map(Tracked::id),
            contains: self.0.contains(name),
            status: self.0.status(name),
            why_not: self.0.try_get(name).err().map(Into::into),
        }
    }

    fn listing(&self) -> Listing<L> {
        self.0.iter().map(|(name, value)| (name, value.id())).collect()
    }

    fn census(&self) -> Census {
        let stats = self.0.stats();
        Census { capacity: self.0.capacity(), ..Census::new(self.0.len(), self.0.is_empty(), &stats) }
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate().map_err(|fault| fault.to_string())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(Self(self.0.clone()))
    }

    fn overwrite(&mut self, original: &Self) -> bool {
        self.0.clone_from(&original.0);
        true
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        Some(self.0 == other.0)
    }
}
