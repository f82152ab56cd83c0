//! Trait implementations of a table: comparison, cloning, formatting.

use core::fmt;
use core::marker::PhantomData;

use super::{Columns, Table};
use crate::key::Key;

impl<R, H: Key, C: Columns<Row = R>> Default for Table<R, H, C> {
    /// Returns an empty table of any layout; a tagged one has the tag 0.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<R, H: Key, C: Columns<Row = R> + Clone> Clone for Table<R, H, C> {
    /// Returns a copy in which the same handles resolve to clones of the rows, in the same order.
    /// It issues the same handles from then on. See [`Pool`'s](crate::Pool#method.clone).
    fn clone(&self) -> Self {
        let columns = self.columns.clone();
        let handles = self.handles.clone();
        Self { row_of_slot: self.row_of_slot.copy(), handles, columns, about: PhantomData }
    }

    /// Like `clone`, but reuses memory: cheap enough for a checkpoint every frame. If a clone
    /// panics, or there is not enough memory for the slots, the table is empty.
    ///
    /// # Panics
    ///
    /// If there is not enough memory for the slots.
    #[track_caller]
    fn clone_from(&mut self, original: &Self) {
        drop(self.clear_slots());
        let unfinished = Unfinished(self);
        let copy = &mut *unfinished.0;
        copy.columns.clone_from(&original.columns);
        copy.handles.clone_from(&original.handles);
        copy.row_of_slot.clone_from(&original.row_of_slot);
        core::mem::forget(unfinished);
    }
}

/// A partly overwritten table. It is cleared when this is dropped.
struct Unfinished<'a, R, H: Key, C: Columns<Row = R>>(&'a mut Table<R, H, C>);

impl<R, H: Key, C: Columns<Row = R>> Drop for Unfinished<'_, R, H, C> {
    fn drop(&mut self) {
        drop(self.0.clear_slots());
    }
}

impl<R, H: Key, C: Columns<Row = R> + PartialEq> PartialEq for Table<R, H, C> {
    /// Returns `true` if the same handles are live, in the same order, and resolve to equal rows.
    /// Pending handles do not count.
    fn eq(&self, other: &Self) -> bool {
        self.handles == other.handles && self.columns == other.columns
    }
}

impl<R, H: Key, C: Columns<Row = R> + Eq> Eq for Table<R, H, C> {}

impl<R, H: Key, C: Columns<Row = R> + fmt::Debug> fmt::Debug for Table<R, H, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("handles", &self.handles).field("columns", &self.columns).finish()
    }
}
