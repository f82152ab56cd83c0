//! Reserving room in a table, and releasing it.

use alloc::collections::TryReserveError;

use super::{Columns, Table};
use crate::key::{HandleOf, Key};
use crate::pool::must_reserve;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the number of rows that fit without allocating.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.row_of_slot.capacity().min(self.handles.capacity()).min(self.columns.capacity())
    }

    /// Reserves room for at least `additional` more rows.
    ///
    /// # Panics
    ///
    /// If there is not enough memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), without reserving more than needed.
    ///
    /// # Panics
    ///
    /// If there is not enough memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or the layout has fewer slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.row_of_slot.try_reserve(additional)?;
        self.make_room(additional)
    }

    /// Like [`reserve_exact`](Self::reserve_exact), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or the layout has fewer slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.row_of_slot.try_reserve_exact(additional)?;
        self.handles.try_reserve_exact(additional)?;
        self.columns.try_reserve_exact(additional)
    }

    /// Reserves room in handles and columns. The slots reserve by themselves.
    #[inline]
    pub(super) fn make_room(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let room = self.handles.capacity().min(self.columns.capacity()).saturating_sub(self.len());
        if additional <= room { Ok(()) } else { self.grow(additional) }
    }

    /// Not inlined, so that the code of insertions is small.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.handles.try_reserve(additional)?;
        self.columns.try_reserve(additional)
    }

    /// Releases unused memory. No row moves, and no stale handle resolves again.
    pub fn shrink_to_fit(&mut self) {
        self.row_of_slot.shrink_to_fit();
        self.handles.shrink_to_fit();
        self.columns.shrink_to_fit();
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), but keeps room for at least `capacity` rows.
    ///
    /// ```
    /// let mut pool: tenure::DensePool<u64> = (0..1_000).collect();
    /// pool.clear();
    /// pool.shrink_to(100);
    /// assert!((100..1_000).contains(&pool.capacity()));
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.row_of_slot.shrink_to(capacity);
        self.handles.shrink_to(capacity);
        self.columns.shrink_to(capacity);
    }

    /// Allows [`insert_at`](Self::insert_at) to use every index below `count`, whatever the number
    /// of slots. See [`Pool::allow_indices_below`](crate::Pool::allow_indices_below).
    pub fn allow_indices_below(&mut self, count: usize) {
        self.row_of_slot.allow_indices_below(count);
    }

    pub(super) fn bytes(&self) -> usize {
        self.row_of_slot.stats().bytes + self.handles.capacity() * size_of::<HandleOf<H>>() + self.columns.bytes()
    }
}
