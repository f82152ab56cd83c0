//! Pools on the heap: making them, and making room in them.

use alloc::collections::TryReserveError;

use super::Pool;
use crate::handle::Handle;
use crate::key::Key;
use crate::slots::Buffer;

impl<T> Pool<T> {
    /// An empty pool. Allocates nothing, and is `const`.
    ///
    /// With another key: [`Pool::EMPTY`](Self::EMPTY).
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use tenure::Pool;
    ///
    /// static NAMES: Mutex<Pool<String>> = Mutex::new(Pool::new());
    /// let ada = NAMES.lock().unwrap().insert("Ada".into());
    /// assert_eq!(NAMES.lock().unwrap()[ada], "Ada");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// An empty pool with room for `capacity` values. With another key:
    /// [`with_capacity_and_key`](Self::with_capacity_and_key).
    ///
    /// # Panics
    ///
    /// When there is no such room, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve_exact(capacity);
        pool
    }

    /// An empty pool with room for `capacity` values, which allocates now and never again: memory
    /// with a budget.
    ///
    /// When it is full, [`try_insert`](Self::try_insert) gives the value back and
    /// [`insert`](Self::insert) panics. Removed slots are used again.
    /// [`shrink_to_fit`](Self::shrink_to_fit) gives nothing back, and a clone has the same
    /// capacity.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::with_fixed_capacity(2);
    /// let first = pool.insert("a");
    /// pool.insert("b");
    /// assert_eq!(pool.try_insert("c").unwrap_err().into_inner(), "c");
    /// pool.remove(first);
    /// assert!(pool.try_insert("c").is_ok());
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no such room.
    #[must_use]
    #[track_caller]
    #[doc(alias("bounded", "budget", "max_capacity"))]
    pub fn with_fixed_capacity(capacity: usize) -> Self {
        let mut pool = Self::with_capacity(capacity);
        pool.slots.fix_capacity();
        pool
    }

    /// A pool of `count` values that know their own handles; the indices are 0, 1, 2, ….
    ///
    /// ```
    /// let pool = tenure::Pool::from_fn(3, |handle| format!("I am {handle}"));
    /// assert_eq!(pool.values().next().unwrap(), "I am String(0v1)");
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no such room.
    #[must_use]
    #[track_caller]
    #[doc(alias = "prefill")]
    pub fn from_fn(count: usize, make: impl FnMut(Handle<T>) -> T) -> Self {
        let mut pool = Self::with_capacity(count);
        pool.insert_each(count, make);
        pool
    }
}

impl<T, H: Key> Pool<T, H> {
    /// Like [`with_capacity`](Pool::with_capacity), with any key.
    ///
    /// ```
    /// use tenure::{Compact, Handle, Pool};
    ///
    /// let pool: Pool<u8, Handle<u8, Compact>> = Pool::with_capacity_and_key(100);
    /// assert!(pool.capacity() >= 100);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        let mut pool = Self::EMPTY;
        pool.reserve_exact(capacity);
        pool
    }
}

impl<T, H: Key, B: Buffer<T, Refusal = TryReserveError>> Pool<T, H, B> {
    /// Makes room for at least `additional` values more. Free slots count as room.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), without asking for more than needed.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// Like [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = tenure::Pool::new();
    /// assert!(pool.try_reserve(100).is_ok());
    /// assert!(pool.try_reserve(usize::MAX).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, false)
    }

    /// Like [`reserve_exact`](Self::reserve_exact), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, true)
    }

    /// Cuts off free slots at the end, and releases the memory that is not needed.
    ///
    /// No value moves, so holes between values stay. Slots that were cut off do not begin at their
    /// first generation when they come back: they continue above the highest generation among them,
    /// so every stale handle stays stale. For the sake of small layouts, a slot that has used up
    /// more than half of its generations is not cut off.
    ///
    /// What is cut off is forgotten one by one. Of every index above, [`status`](Self::status) then
    /// says `Removed` up to the common generation, and [`insert_at`](Self::insert_at) refuses what
    /// is older, whether it was issued or not.
    #[doc(alias("compact", "trim"))]
    pub fn shrink_to_fit(&mut self) {
        self.slots.shrink_to(0);
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), and keeps room for at least `capacity` slots.
    pub fn shrink_to(&mut self, capacity: usize) {
        self.slots.shrink_to(capacity);
    }

    /// Touches all memory that is reserved and not used yet, so that the operating system hands it
    /// out now and not in the middle of a frame.
    ///
    /// ```
    /// let mut pool: tenure::Pool<[u8; 64]> = tenure::Pool::with_capacity(1_000);
    /// pool.warm_up();
    /// ```
    #[doc(alias("prefault", "touch"))]
    pub fn warm_up(&mut self) {
        self.slots.warm_up();
    }
}

#[track_caller]
pub(crate) fn must_reserve(result: Result<(), TryReserveError>) {
    if let Err(error) = result {
        panic!("the pool cannot grow: {error}");
    }
}
