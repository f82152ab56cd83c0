//! Making room in pools on the heap.

use alloc::collections::TryReserveError;

use super::Pool;
use crate::key::Key;
use crate::slots::Buffer;

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
