//! What the lab itself measures, in a few seconds.

pub(super) mod growth;
pub(super) mod memory;
pub(super) mod speed;

use tenure::{DensePool, Handle, Pool, StablePool};

use self::growth::Growth;
use self::memory::Memory;
use self::speed::Speed;
use crate::battle::{Battle, Scale};
use crate::heat::SlotState;
use crate::heat::probe;

/// Everything.
pub(super) struct Measured {
    /// Whether it was done in a hurry: the figures prove nothing then.
    pub(super) quick: bool,
    /// A battle on all fields, and its size.
    pub(super) battle: Battle,
    pub(super) scale: Scale,
    /// The slots of its pool.
    pub(super) slots: Vec<SlotState>,
    /// How long insertions take while containers grow.
    pub(super) growth: Vec<Growth>,
    /// What is left of a pool, and what it gives back.
    pub(super) memory: Memory,
    /// The containers side by side.
    pub(super) speed: Speed,
}

impl Measured {
    /// Measures now.
    pub(super) fn now(quick: bool) -> Self {
        let scale = Scale::new(300, if quick { 400 } else { 2_000 }, 7);
        let mut battle = Battle::new(scale);
        (0..scale.frames).for_each(|_| battle.frame());
        let pool = battle.by_handle.roster().pool();
        let slots = probe::states(&pool.stats(), |handle| pool.try_get(handle).err());
        Self {
            quick,
            battle,
            scale,
            slots,
            growth: growth::measure(quick),
            memory: memory::measure(quick),
            speed: speed::measure(quick),
        }
    }
}

/// What can be filled one by one.
trait Fill<T>: Default {
    /// As the report calls it.
    const NAME: &'static str;

    /// Puts a value in.
    fn put(&mut self, value: T);
}

impl<T> Fill<T> for Vec<T> {
    const NAME: &'static str = "Vec";

    fn put(&mut self, value: T) {
        self.push(value);
    }
}

/// What the pools have in common, as far as it is measured.
trait Subject<T>: Fill<T> {
    /// Puts a value in.
    fn add(&mut self, value: T) -> Handle<T>;

    /// The value that a handle leads to.
    fn find(&self, handle: Handle<T>) -> Option<&T>;

    /// Removes the value that a handle leads to.
    fn take_out(&mut self, handle: Handle<T>);

    /// Visits all values.
    fn each(&self, visit: impl FnMut(&T));

    /// Gives back what is not needed.
    fn shrink(&mut self);

    /// Bytes on the heap.
    fn bytes(&self) -> usize;
}

macro_rules! subjects {
    ($($Pool:ident),*) => {$(
        impl<T> Fill<T> for $Pool<T> {
            const NAME: &'static str = stringify!($Pool);

            fn put(&mut self, value: T) {
                self.insert(value);
            }
        }

        impl<T> Subject<T> for $Pool<T> {
            fn add(&mut self, value: T) -> Handle<T> {
                self.insert(value)
            }

            fn find(&self, handle: Handle<T>) -> Option<&T> {
                self.get(handle)
            }

            fn take_out(&mut self, handle: Handle<T>) {
                self.remove(handle);
            }

            fn each(&self, visit: impl FnMut(&T)) {
                self.values().for_each(visit);
            }

            fn shrink(&mut self) {
                self.shrink_to_fit();
            }

            fn bytes(&self) -> usize {
                self.stats().bytes
            }
        }
    )*};
}

subjects!(Pool, StablePool, DensePool);
