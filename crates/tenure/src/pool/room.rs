//! Capacity of pools on the heap.

use alloc::collections::TryReserveError;

use super::Pool;
use crate::key::Key;
use crate::slots::Buffer;

impl<T, H: Key, B: Buffer<T, Refusal = TryReserveError>> Pool<T, H, B> {
    /// Reserves memory for at least `additional` more values. Free slots count as room.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = tenure::Pool::new();
    /// pool.reserve(100); // the next 100 insertions do not allocate
    /// assert!(pool.capacity() >= 100);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but reserves no more than needed.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = tenure::Pool::new();
    /// assert!(pool.try_reserve(100).is_ok());
    /// assert!(pool.try_reserve(usize::MAX).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has fewer slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, false)
    }

    /// Like [`reserve_exact`](Self::reserve_exact), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has fewer slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, true)
    }

    /// Removes free slots at the end, and releases memory that is not in use.
    ///
    /// No value moves, so free slots between values stay. When a removed slot is added again, it
    /// does not start at its first generation: it continues above the highest generation of all
    /// removed slots, so every stale handle stays stale. For the sake of small layouts, a slot that
    /// has used up more than half of its generations is not removed.
    ///
    /// The pool keeps one generation for all removed slots together. For every index above the
    /// remaining slots, [`status`](Self::status) is `Removed` up to that generation, and
    /// [`insert_at`](Self::insert_at) rejects older handles, whether they were issued or not.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = (0..1_000).collect();
    /// pool.clear();
    /// pool.shrink_to_fit();
    /// assert_eq!(pool.capacity(), 0);
    /// ```
    #[doc(alias("compact", "trim"))]
    pub fn shrink_to_fit(&mut self) {
        self.slots.shrink_to(0);
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for at least `capacity` slots.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = (0..1_000).collect();
    /// pool.clear();
    /// pool.shrink_to(100);
    /// assert!((100..1_000).contains(&pool.capacity()));
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.slots.shrink_to(capacity);
    }

    /// Touches all memory that is reserved and not used yet, so that the operating system maps it
    /// now and not in the middle of a frame.
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
