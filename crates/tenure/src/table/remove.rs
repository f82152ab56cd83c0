//! Taking single rows out.

use super::kept::Gone;
use super::{Columns, Drain, ExtractIf, Follow, Following, Recycling, RowMut, Table, TruncateLater};
use crate::handle::Handle;
use crate::layout::Layout;

impl<R, K: ?Sized, L: Layout, C: Columns<Row = R>> Table<R, K, L, Recycling, C> {
    /// Takes a row out; the last row comes into its place. O(1).
    ///
    /// Removing twice is harmless: the second time gives `None`. A
    /// [pending](crate::Status::Pending) handle is released, and gives `None` because it has no
    /// row.
    #[inline]
    #[doc(alias("swap_remove", "delete", "despawn"))]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<R> {
        self.following(()).remove(handle)
    }

    /// As [`remove`](Self::remove), and the other rows keep their order: all behind it move up by
    /// one. For many at once, see [`remove_many`](Self::remove_many).
    #[doc(alias = "shift_remove")]
    pub fn remove_ordered(&mut self, handle: Handle<K, L>) -> Option<R> {
        self.following(()).remove_ordered(handle)
    }

    /// Takes a row out and keeps its handle [pending](crate::Status::Pending) until
    /// [`fill`](Self::fill) gives it a row again. See [`Pool::take`](crate::Pool::take).
    #[doc(alias = "undo")]
    #[must_use = "its slot is kept for it; to let it go, call `remove`"]
    pub fn take(&mut self, handle: Handle<K, L>) -> Option<R> {
        self.following(()).take(handle)
    }

    /// Removes everything, and releases what is pending. Keeps the memory. See
    /// [`Pool::clear`](crate::Pool::clear).
    pub fn clear(&mut self) {
        self.following(()).clear();
    }

    /// Takes everything out, with handles, in the order of the rows. Dropping the iterator clears
    /// the table.
    pub fn drain(&mut self) -> Drain<'_, R, K, L, C> {
        Drain::new(self)
    }

    /// Takes out the rows for which the closure says `true`, one by one, with their handles. Each
    /// is replaced by the last row, which is asked about next.
    ///
    /// Lazy: what the iterator has not reached when it is dropped stays.
    #[must_use = "it removes nothing unless it is iterated over"]
    #[doc(alias("remove while iterating", "drain_filter", "iterate and remove"))]
    pub fn extract_if<F>(&mut self, condemn: F) -> ExtractIf<'_, F, (), R, K, L, C>
    where
        F: FnMut(Handle<K, L>, RowMut<'_, C>) -> bool,
    {
        self.following(()).extract_if(condemn)
    }
}

impl<'a, F: Follow, R, K: ?Sized, L: Layout, C: Columns<Row = R>> Following<'a, F, R, K, L, Recycling, C> {
    /// As [`Table::remove`].
    #[inline]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<R> {
        let row = self.table.names.remove(handle)?;
        self.leave(row as usize)
    }

    /// As [`Table::take`].
    #[must_use = "its slot is kept for it; to let it go, call `remove`"]
    pub fn take(&mut self, handle: Handle<K, L>) -> Option<R> {
        let row = self.table.names.take(handle)?;
        self.leave(row as usize)
    }

    #[inline]
    fn leave(&mut self, row: usize) -> Option<R> {
        let removed = self.table.close_gap(row);
        self.follower.swap_removed(row, self.table.len());
        removed.map(C::complete)
    }

    /// As [`Table::remove_ordered`].
    pub fn remove_ordered(&mut self, handle: Handle<K, L>) -> Option<R> {
        let Some(row) = self.table.row_of(handle) else {
            // It may be pending.
            self.table.names.remove(handle);
            return None;
        };
        let mut gone = Gone::none_of(self.table.len());
        gone.add(row);
        let kept = gone.into_kept();
        self.table.names.remove(handle);
        self.table.handles.remove(row);
        for up in row..kept.len() {
            self.table.columns.swap(up, up + 1);
            self.table.renumber(up);
        }
        let removed = self.table.columns.pop_parts();
        self.follower.packed(&kept);
        removed.map(C::complete)
    }

    /// As [`Table::clear`].
    pub fn clear(&mut self) {
        let _rows = self.table.clear_names();
        self.follower.truncated(0);
    }

    /// As [`Table::extract_if`].
    #[must_use = "it removes nothing unless it is iterated over"]
    pub fn extract_if<G>(self, condemn: G) -> ExtractIf<'a, G, F, R, K, L, C>
    where
        G: FnMut(Handle<K, L>, RowMut<'_, C>) -> bool,
    {
        ExtractIf::new(self, condemn)
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// The handle of a row leads to it from now on.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "T1: there are no more rows than names")]
    pub(super) fn renumber(&mut self, row: usize) {
        if let Some(name) = self.names.get_mut(self.handles[row]) {
            *name = row as u32;
        }
    }

    /// Takes a row out whose name is gone. The last row comes into its place, and its name follows.
    /// No code of the values runs: the caller completes the row when everything else is done.
    #[inline]
    pub(super) fn close_gap(&mut self, row: usize) -> Option<C::Parts> {
        self.handles.swap_remove(row);
        if row < self.handles.len() {
            self.renumber(row);
        }
        self.columns.swap_remove_parts(row)
    }

    /// As [`renumber`](Self::renumber), for all rows from this one on.
    pub(super) fn renumber_from(&mut self, first: usize) {
        for (row, &handle) in self.handles.iter().enumerate().skip(first) {
            if let Some(name) = self.names.get_mut(handle) {
                *name = row as u32;
            }
        }
    }

    /// No row has a name any more. The rows are gone when what this returns is dropped: a row may
    /// panic then, and everything else is done.
    pub(super) fn clear_names(&mut self) -> TruncateLater<'_, C> {
        self.names.clear();
        self.handles.clear();
        TruncateLater(&mut self.columns, 0)
    }
}
