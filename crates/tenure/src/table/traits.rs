//! What a table can do as a value: compare, copy, print.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::{Columns, Table, TruncateLater};
use crate::layout::Layout;
use crate::slots::copy_list;

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Default for Table<R, K, L, P, C> {
    /// An empty table of any layout; a tagged one has the tag 0.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R> + Clone> Clone for Table<R, K, L, P, C> {
    /// The same handles lead to clones of the rows, which have the same order; so have future handles. See [`Pool`'s](crate::Pool#method.clone).
    fn clone(&self) -> Self {
        let columns = self.columns.clone();
        let mut handles = Vec::new();
        copy_list(&mut handles, &self.handles);
        Self { names: self.names.copy(), handles, columns, about: PhantomData }
    }

    /// Reuses memory: cheap enough for a checkpoint every frame. If a clone panics, the table is empty.
    fn clone_from(&mut self, original: &Self) {
        drop(self.clear_names());
        let mut unfinished = TruncateLater(&mut self.columns, 0);
        unfinished.0.clone_from(&original.columns);
        unfinished.1 = original.len();
        drop(unfinished);
        copy_list(&mut self.handles, &original.handles);
        self.names.clone_from(&original.names);
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R> + PartialEq> PartialEq for Table<R, K, L, P, C> {
    /// Whether the same handles are live, in the same order, and lead to equal rows. Pending handles do not count.
    fn eq(&self, other: &Self) -> bool {
        self.handles == other.handles && self.columns == other.columns
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R> + Eq> Eq for Table<R, K, L, P, C> {}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R> + fmt::Debug> fmt::Debug for Table<R, K, L, P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("handles", &self.handles).field("columns", &self.columns).finish()
    }
}
