//! Making room in a table, and giving it back.

use alloc::collections::TryReserveError;

use super::{Columns, Table};
use crate::key::Key;
use crate::pool::must_reserve;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// How many rows there can be before the table must allocate.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.row_of_slot.capacity().min(self.handles.capacity()).min(self.columns.capacity())
    }

    /// Makes room for at least `additional` rows more.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// As [`reserve`](Self::reserve), without asking for more than needed.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// As [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.row_of_slot.try_reserve(additional)?;
        self.make_room(additional)
    }

    /// As [`reserve_exact`](Self::reserve_exact), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.row_of_slot.try_reserve_exact(additional)?;
        self.handles.try_reserve_exact(additional)?;
        self.columns.try_reserve_exact(additional)
    }

    /// Room in everything but the names, which see to it themselves.
    #[inline]
    pub(super) fn make_room(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let room = self.handles.capacity().min(self.columns.capacity()).saturating_sub(self.len());
        if additional <= room { Ok(()) } else { self.grow(additional) }
    }

    /// Out of line, so that what inserts is small where there is room.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.handles.try_reserve(additional)?;
        self.columns.try_reserve(additional)
    }

    /// Gives back the memory that is not needed. No row moves, and every dead handle stays dead.
    pub fn shrink_to_fit(&mut self) {
        self.row_of_slot.shrink_to_fit();
        self.handles.shrink_to_fit();
        self.columns.shrink_to_fit();
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), and keeps room for at least `capacity` rows.
    /// The columns keep their room unless it is not needed at all.
    pub fn shrink_to(&mut self, capacity: usize) {
        if capacity <= self.len() {
            return self.shrink_to_fit();
        }
        self.row_of_slot.shrink_to(capacity);
        self.handles.shrink_to(capacity);
    }

    /// Lets [`insert_at`](Self::insert_at) use every index below `count`, however few slots there
    /// are. See [`Pool::allow_indices_below`](crate::Pool::allow_indices_below).
    pub fn allow_indices_below(&mut self, count: usize) {
        self.row_of_slot.allow_indices_below(count);
    }

    pub(super) fn bytes(&self) -> usize {
        self.row_of_slot.stats().bytes + self.handles.capacity() * size_of::<H>() + self.columns.bytes()
    }
}
