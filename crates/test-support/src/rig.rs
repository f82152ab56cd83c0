//! Everything that the rig does to one container, as a value: tests are loops over the containers.
//!
//! As statics the functions are compiled here, once; constants would be compiled in every test
//! binary.

use tenure::{Compact, Tagged, Wide};

use crate::dense::DenseSubject;
use crate::fixed::{BudgetSubject, FixedSubject};
use crate::op::Op;
use crate::pool::{FourTenants, PoolSubject, ThreeSlots, TwoTenants};
use crate::saved::Format;
use crate::stable::StableSubject;
use crate::subject::{Subject, Supports};
use crate::table::TableSubject;
use crate::{decode, exhaustive, forge, frugal, hunger, injection, run};

/// A container and all that can be done to it. Every function answers with what is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Rig {
    /// What messages call it.
    pub name: &'static str,
    /// What the container can do.
    pub supports: Supports,
    /// See [`run`](fn@crate::run).
    pub run: fn(&[Op]) -> Result<(), String>,
    /// See [`run_with_twin`](crate::run_with_twin).
    pub run_with_twin: fn(&[Op], usize) -> Result<(), String>,
    /// See [`run_reloaded`](crate::run::run_reloaded).
    pub run_reloaded: fn(&[Op], Format) -> Result<(), String>,
    /// See [`exhaustive::every_history`].
    pub every_history: fn(&[Op], usize) -> Result<u64, String>,
    /// See [`injection::every_panic`].
    pub every_panic: fn(&[Op], Op) -> Result<u32, String>,
    /// See [`injection::every_panic_in_drop`].
    pub every_panic_in_drop: fn(&[Op]) -> Result<u32, String>,
    /// See [`hunger::every_refusal`].
    pub every_refusal: fn(&[Op], Op) -> Result<u64, String>,
    /// See [`forge::every_forgery`].
    pub every_forgery: fn(&[Op]) -> Result<usize, String>,
    /// See [`frugal::never_asks`].
    pub never_asks: fn(&[Op]) -> Result<(), String>,
}

impl Rig {
    /// For one container.
    #[must_use]
    pub const fn of<S: Subject>(name: &'static str) -> Self {
        Self {
            name,
            supports: S::SUPPORTS,
            run: run::run::<S>,
            run_with_twin: run::run_with_twin::<S>,
            run_reloaded: run::run_reloaded::<S>,
            every_history: exhaustive::every_history::<S>,
            every_panic: injection::every_panic::<S>,
            every_panic_in_drop: injection::every_panic_in_drop::<S>,
            every_refusal: hunger::every_refusal::<S>,
            every_forgery: forge::every_forgery::<S>,
            never_asks: frugal::never_asks::<S>,
        }
    }
}

impl Rig {
    /// Runs the history that the bytes mean, with a twin whose capacity is the first byte.
    ///
    /// # Panics
    ///
    /// When something is wrong.
    pub fn fuzz(&self, bytes: &[u8]) {
        let Some((&capacity, code)) = bytes.split_first() else { return };
        let ops = decode::ops(code);
        if let Err(error) = (self.run_with_twin)(&ops, capacity.into()) {
            panic!("{}: {error}\n{ops:#?}", self.name);
        }
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
/// `FixedPool` that is full soon.
pub static FIXED_SMALL: Rig = Rig::of::<FixedSubject<5, Wide>>("FixedPool of 5, Wide");
/// `FixedPool` that is full soon, and used up soon.
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

/// All containers in all layouts. A new container adds its own.
pub static ALL: [&Rig; 28] = [
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
];
