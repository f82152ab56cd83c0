//! The lab's own measurements, which take a few seconds.

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

/// All measurements.
pub(super) struct Measured {
    /// Whether it was a quick run, whose figures are not reliable.
    pub(super) quick: bool,
    /// A battle on all fields, and its size.
    pub(super) battle: Battle,
    pub(super) scale: Scale,
    /// The slots of its pool.
    pub(super) slots: Vec<SlotState>,
    /// The time of insertions while containers grow.
    pub(super) growth: Vec<Growth>,
    /// The memory of pools after most values were removed.
    pub(super) memory: Memory,
    /// The containers compared.
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

/// A container that can be filled one by one.
trait Fill<T>: Default {
    /// The name in the report.
    const NAME: &'static str;

    /// Inserts a value.
    fn put(&mut self, value: T);
}

impl<T> Fill<T> for Vec<T> {
    const NAME: &'static str = "Vec";

    fn put(&mut self, value: T) {
        self.push(value);
    }
}

/// The common methods of pools that are measured.
trait Subject<T>: Fill<T> {
    /// Inserts a value.
    fn add(&mut self, value: T) -> Handle<T>;

    /// The value of a handle.
    fn find(&self, handle: Handle<T>) -> Option<&T>;

    /// Removes the value of a handle.
    fn take_out(&mut self, handle: Handle<T>);

    /// Visits all values.
    fn each(&self, visit: impl FnMut(&T));

    /// Releases unused memory.
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
