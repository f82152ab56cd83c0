//! All tests of the rig for one container, as a value: tests are loops over the containers.
//!
//! Statics, so that the adapters are compiled here, once; constants would be compiled in every test
//! binary.

use tenure::{Compact, Tagged, Wide};

use crate::dense::DenseSubject;
use crate::fixed::{BudgetSubject, FixedSubject};
use crate::name::Shape;
use crate::op::Op;
use crate::pool::{FourTenants, PoolSubject, ThreeSlots, TwoTenants};
use crate::resolve::Known;
use crate::saved::Format;
use crate::side::SideSubject;
use crate::stable::StableSubject;
use crate::subject::{Adapter, Subject, Supports, boxed};
use crate::table::TableSubject;
use crate::world::WorldSubject;
use crate::{decode, exhaustive, forge, frugal, hunger, injection, run};

/// A container and the tests that run on it. Every method returns the fault it finds.
#[derive(Clone, Copy, Debug)]
pub struct Rig {
    /// The name in messages.
    pub name: &'static str,
    /// The operations that the container has.
    pub supports: Supports,
    /// The layout of its handles.
    pub shape: Shape,
    /// The tag of its handles.
    pub tag: u32,
    /// The highest number of slots, if it is lower than the layout's.
    pub limit: usize,
    /// Makes an empty container.
    pub new: fn() -> Box<dyn Subject>,
}

#[allow(clippy::missing_errors_doc, reason = "see the functions that are named")]
impl Rig {
    /// The rig of one container.
    #[must_use]
    pub const fn of<A: Adapter>(name: &'static str) -> Self {
        let shape = Shape::of::<A::Layout>();
        Self { name, supports: A::SUPPORTS, shape, tag: A::TAG, limit: A::LIMIT, new: || boxed(A::new()) }
    }

    /// Returns `true` if the container has the operation.
    #[must_use]
    pub fn has(&self, op: Op) -> bool {
        match (op, Known::new(self.shape).resolve(op)) {
            (_, Some(action)) => self.supports.has(&action),
            (Op::Compare, None) => self.supports.equality,
            (_, None) => self.supports.copies,
        }
    }

    /// See [`run`](fn@crate::run).
    pub fn run(&self, ops: &[Op]) -> Result<(), String> {
        run::run(self, ops)
    }

    /// See [`run_with_twin`](crate::run_with_twin).
    pub fn run_with_twin(&self, ops: &[Op], capacity: usize) -> Result<(), String> {
        run::run_with_twin(self, ops, capacity)
    }

    /// See [`run_reloaded`](crate::run::run_reloaded).
    pub fn run_reloaded(&self, ops: &[Op], format: Format) -> Result<(), String> {
        run::run_reloaded(self, ops, format)
    }

    /// See [`exhaustive::every_history`].
    pub fn every_history(&self, alphabet: &[Op], depth: usize) -> Result<u64, String> {
        exhaustive::every_history(self, alphabet, depth)
    }

    /// See [`injection::every_panic`].
    pub fn every_panic(&self, setup: &[Op], op: Op) -> Result<u32, String> {
        injection::every_panic(self, setup, op)
    }

    /// See [`injection::every_panic_in_drop`].
    pub fn every_panic_in_drop(&self, setup: &[Op]) -> Result<u32, String> {
        injection::every_panic_in_drop(self, setup)
    }

    /// See [`hunger::every_refusal`].
    pub fn every_refusal(&self, setup: &[Op], op: Op) -> Result<u64, String> {
        hunger::every_refusal(self, setup, op)
    }

    /// See [`forge::every_forgery`].
    pub fn every_forgery(&self, setup: &[Op]) -> Result<usize, String> {
        forge::every_forgery(self, setup)
    }

    /// See [`frugal::never_asks`].
    pub fn never_asks(&self, ops: &[Op]) -> Result<(), String> {
        frugal::never_asks(self, ops)
    }

    /// Runs the history that the bytes encode, with a twin whose capacity is the first byte.
    pub fn replay(&self, bytes: &[u8]) -> Result<(), String> {
        let Some((&capacity, code)) = bytes.split_first() else { return Ok(()) };
        let ops = decode::ops(code);
        self.run_with_twin(&ops, capacity.into()).map_err(|error| format!("{}: {error}\n{ops:#?}", self.name))
    }
}

/// `Pool` with the default layout.
pub static WIDE: Rig = Rig::of::<PoolSubject<Wide>>("Pool, Wide");
/// `Pool` with handles of 4 bytes.
pub static COMPACT: Rig = Rig::of::<PoolSubject<Compact<20>>>("Pool, Compact<20>");
/// `Pool` whose slots retire after four tenants.
pub static FOUR_TENANTS: Rig = Rig::of::<PoolSubject<FourTenants>>("Pool, Compact<29>");
/// `Pool` whose slots retire after two tenants.
pub static TWO_TENANTS: Rig = Rig::of::<PoolSubject<TwoTenants>>("Pool, Compact<30>");
/// `Pool` that is full with three values.
pub static THREE_SLOTS: Rig = Rig::of::<PoolSubject<ThreeSlots>>("Pool, Compact<2>");
/// `Pool` with tags.
pub static TAGGED: Rig = Rig::of::<PoolSubject<Tagged<4, Wide>>>("Pool, Tagged<4, Wide>");
/// `Pool` with tags in handles of 4 bytes.
pub static TAGGED_COMPACT: Rig = Rig::of::<PoolSubject<Tagged<2, Compact<20>>>>("Pool, Tagged<2, Compact<20>>");

/// `StablePool` with the default layout.
pub static STABLE: Rig = Rig::of::<StableSubject<Wide>>("StablePool, Wide");
/// `StablePool` with handles of 4 bytes.
pub static STABLE_COMPACT: Rig = Rig::of::<StableSubject<Compact<20>>>("StablePool, Compact<20>");
/// `StablePool` whose slots retire after four tenants.
pub static STABLE_FOUR_TENANTS: Rig = Rig::of::<StableSubject<FourTenants>>("StablePool, Compact<29>");
/// `StablePool` whose slots retire after two tenants.
pub static STABLE_TWO_TENANTS: Rig = Rig::of::<StableSubject<TwoTenants>>("StablePool, Compact<30>");
/// `StablePool` that is full with three values.
pub static STABLE_THREE_SLOTS: Rig = Rig::of::<StableSubject<ThreeSlots>>("StablePool, Compact<2>");
/// `StablePool` with tags.
pub static STABLE_TAGGED: Rig = Rig::of::<StableSubject<Tagged<4, Wide>>>("StablePool, Tagged<4, Wide>");

/// `FixedPool` with room for several words of slots.
pub static FIXED: Rig = Rig::of::<FixedSubject<200, Wide>>("FixedPool of 200, Wide");
/// `FixedPool` whose slots retire after two tenants.
pub static FIXED_TWO_TENANTS: Rig = Rig::of::<FixedSubject<200, TwoTenants>>("FixedPool of 200, Compact<30>");
/// `FixedPool` with tags.
pub static FIXED_TAGGED: Rig = Rig::of::<FixedSubject<200, Tagged<4, Wide>>>("FixedPool of 200, Tagged<4, Wide>");
/// `FixedPool` that fills up early.
pub static FIXED_SMALL: Rig = Rig::of::<FixedSubject<5, Wide>>("FixedPool of 5, Wide");
/// `FixedPool` that fills up early, and whose slots retire early.
pub static FIXED_SMALL_TWO_TENANTS: Rig = Rig::of::<FixedSubject<5, TwoTenants>>("FixedPool of 5, Compact<30>");
/// `Pool` with a fixed capacity.
pub static BUDGET: Rig = Rig::of::<BudgetSubject<70>>("Pool of 70 at most, Wide");

/// `DensePool` with the default layout.
pub static DENSE: Rig = Rig::of::<DenseSubject<Wide>>("DensePool, Wide");
/// `DensePool` with handles of 4 bytes.
pub static DENSE_COMPACT: Rig = Rig::of::<DenseSubject<Compact<20>>>("DensePool, Compact<20>");
/// `DensePool` whose slots retire after four tenants.
pub static DENSE_FOUR_TENANTS: Rig = Rig::of::<DenseSubject<FourTenants>>("DensePool, Compact<29>");
/// `DensePool` whose slots retire after two tenants.
pub static DENSE_TWO_TENANTS: Rig = Rig::of::<DenseSubject<TwoTenants>>("DensePool, Compact<30>");
/// `DensePool` that is full with three values.
pub static DENSE_THREE_SLOTS: Rig = Rig::of::<DenseSubject<ThreeSlots>>("DensePool, Compact<2>");
/// `DensePool` with tags.
pub static DENSE_TAGGED: Rig = Rig::of::<DenseSubject<Tagged<4, Wide>>>("DensePool, Tagged<4, Wide>");

/// `Table` with the default layout.
pub static TABLE: Rig = Rig::of::<TableSubject<Wide>>("Table, Wide");
/// `Table` whose slots retire after two tenants.
pub static TABLE_TWO_TENANTS: Rig = Rig::of::<TableSubject<TwoTenants>>("Table, Compact<30>");
/// `Table` that is full with three rows.
pub static TABLE_THREE_SLOTS: Rig = Rig::of::<TableSubject<ThreeSlots>>("Table, Compact<2>");
/// `Table` with tags in handles of 4 bytes.
pub static TABLE_TAGGED: Rig = Rig::of::<TableSubject<Tagged<2, Compact<20>>>>("Table, Tagged<2, Compact<20>>");

/// `World` with the default layout.
pub static WORLD: Rig = Rig::of::<WorldSubject<Wide>>("World, Wide");
/// `World` whose slots retire after four tenants.
pub static WORLD_FOUR_TENANTS: Rig = Rig::of::<WorldSubject<FourTenants>>("World, Compact<29>");
/// `World` whose slots retire after two tenants.
pub static WORLD_TWO_TENANTS: Rig = Rig::of::<WorldSubject<TwoTenants>>("World, Compact<30>");
/// `World` that is full with three entities.
pub static WORLD_THREE_SLOTS: Rig = Rig::of::<WorldSubject<ThreeSlots>>("World, Compact<2>");
/// `World` with tags.
pub static WORLD_TAGGED: Rig = Rig::of::<WorldSubject<Tagged<4, Wide>>>("World, Tagged<4, Wide>");

/// `SideMap` with the default layout.
pub static SIDE: Rig = Rig::of::<SideSubject<Wide>>("SideMap, Wide");
/// `SideMap` of a pool whose slots retire after two tenants.
pub static SIDE_TWO_TENANTS: Rig = Rig::of::<SideSubject<TwoTenants>>("SideMap, Compact<30>");
/// `SideMap` of a pool that is full with three values.
pub static SIDE_THREE_SLOTS: Rig = Rig::of::<SideSubject<ThreeSlots>>("SideMap, Compact<2>");
/// `SideMap` of a pool with tags.
pub static SIDE_TAGGED: Rig = Rig::of::<SideSubject<Tagged<4, Wide>>>("SideMap, Tagged<4, Wide>");

/// All containers in all layouts. A new container adds its own.
pub static ALL: [&Rig; 38] = [
    &WIDE,
    &COMPACT,
    &FOUR_TENANTS,
    &TWO_TENANTS,
    &THREE_SLOTS,
    &TAGGED,
    &TAGGED_COMPACT,
    &STABLE,
    &STABLE_COMPACT,
    &STABLE_FOUR_TENANTS,
    &STABLE_TWO_TENANTS,
    &STABLE_THREE_SLOTS,
    &STABLE_TAGGED,
    &FIXED,
    &FIXED_TWO_TENANTS,
    &FIXED_TAGGED,
    &FIXED_SMALL,
    &FIXED_SMALL_TWO_TENANTS,
    &BUDGET,
    &DENSE,
    &DENSE_COMPACT,
    &DENSE_FOUR_TENANTS,
    &DENSE_TWO_TENANTS,
    &DENSE_THREE_SLOTS,
    &DENSE_TAGGED,
    &TABLE,
    &TABLE_TWO_TENANTS,
    &TABLE_THREE_SLOTS,
    &TABLE_TAGGED,
    &WORLD,
    &WORLD_FOUR_TENANTS,
    &WORLD_TWO_TENANTS,
    &WORLD_THREE_SLOTS,
    &WORLD_TAGGED,
    &SIDE,
    &SIDE_TWO_TENANTS,
    &SIDE_THREE_SLOTS,
    &SIDE_TAGGED,
];
