//! Removing single rows.

use super::{Columns, Drain, ExtractIf, Follow, Following, Kept, PendingHandles, RowMut, Table, TruncateLater};
use crate::key::{HandleOf, Key};

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Removes a row and returns it; the last row moves into its place. O(1).
    ///
    /// Returns `None` if the handle does not resolve, so removing twice is harmless. A
    /// [pending](crate::Status::Pending) handle is released, and has no row to return.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a", "b", "c"]);
    /// let first = pool.handle_at(0).unwrap();
    /// assert_eq!(pool.remove(first), Some("a"));
    /// assert_eq!(pool.as_slice(), ["c", "b"]);
    /// assert_eq!(pool.remove(first), None);
    /// ```
    #[inline]
    #[doc(alias("swap_remove", "delete", "despawn"))]
    pub fn remove(&mut self, handle: H) -> Option<R> {
        self.following(()).remove(handle)
    }

    /// Like [`remove`](Self::remove), but the other rows keep their order: all after it move up by
    /// one. O(rows). To remove many at once, see [`remove_many`](Self::remove_many).
    #[doc(alias = "shift_remove")]
    pub fn remove_ordered(&mut self, handle: H) -> Option<R> {
        self.following(()).remove_ordered(handle)
    }

    /// Removes a row and returns it, but keeps its handle [pending](crate::Status::Pending) until
    /// [`fill`](Self::fill) inserts a row again. See [`Pool::take`](crate::Pool::take).
    #[doc(alias = "undo")]
    #[must_use = "its slot stays reserved; to release it, call `remove`"]
    pub fn take(&mut self, handle: H) -> Option<R> {
        self.following(()).take(handle)
    }

    /// Removes a row and drops it in place: a large row is not copied out. Returns `true` if there
    /// was one. A pending handle is released.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([[0u8; 4096], [1; 4096]]);
    /// let first = pool.handle_at(0).unwrap();
    /// assert!(pool.discard(first));
    /// assert!(!pool.discard(first)); // harmless
    /// ```
    #[inline]
    #[doc(alias("delete", "drop in place"))]
    pub fn discard(&mut self, handle: H) -> bool {
        self.following(()).discard(handle)
    }

    /// Returns an iterator over the [pending](crate::Status::Pending) handles: reserved or taken,
    /// and not filled. By index.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a"]);
    /// let later = pool.reserve_handle();
    /// assert!(pool.pending_handles().eq([later]));
    /// ```
    pub fn pending_handles(&self) -> PendingHandles<'_, H> {
        PendingHandles(self.row_of_slot.pending_handles())
    }

    /// Releases every [pending](crate::Status::Pending) handle. Returns their number.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a"]);
    /// let first = pool.handle_at(0).unwrap();
    /// let _undo = pool.take(first);
    /// assert_eq!(pool.release_pending(), 1); // the undo step is dropped
    /// assert!(pool.fill(first, "a").is_err());
    /// ```
    pub fn release_pending(&mut self) -> usize {
        self.row_of_slot.release_pending()
    }

    /// Removes all rows, and releases pending handles. Keeps the memory. See
    /// [`Pool::clear`](crate::Pool::clear).
    pub fn clear(&mut self) {
        self.following(()).clear();
    }

    /// Returns an iterator that removes all rows, with their handles, in the order of the rows.
    /// Dropping the iterator clears the table.
    pub fn drain(&mut self) -> Drain<'_, R, H, C> {
        Drain::new(self)
    }

    /// Returns an iterator that removes the rows for which the closure returns `true`, with their
    /// handles. Each is replaced by the last row, which is visited next.
    ///
    /// Lazy: rows that the iterator has not visited when it is dropped stay.
    ///
    /// ```
    /// let mut pool: tenure::DensePool<u32> = (0..6).collect();
    /// let odd: u32 = pool.extract_if(|_handle, value| *value % 2 == 1).map(|(_handle, value)| value).sum();
    /// assert_eq!((odd, pool.len()), (9, 3));
    /// ```
    #[doc(alias("remove while iterating", "drain_filter", "iterate and remove"))]
    pub fn extract_if<F>(&mut self, should_remove: F) -> ExtractIf<'_, F, (), R, H, C>
    where
        F: FnMut(H, RowMut<'_, C>) -> bool,
    {
        self.following(()).extract_if(should_remove)
    }
}

impl<'a, F: Follow, R, H: Key, C: Columns<Row = R>> Following<'a, F, R, H, C> {
    /// Like [`Table::remove`].
    #[inline]
    pub fn remove(&mut self, handle: H) -> Option<R> {
        self.remove_raw(handle.handle())
    }

    #[inline]
    pub(super) fn remove_raw(&mut self, handle: HandleOf<H>) -> Option<R> {
        let row = self.table.row_of_slot.remove(handle)?;
        self.leave(row as usize)
    }

    /// Like [`Table::discard`].
    #[inline]
    pub fn discard(&mut self, handle: H) -> bool {
        let Some(row) = self.table.row_of_slot.remove(handle.handle()) else {
            return false;
        };
        let row = row as usize;
        self.table.close_handle_gap(row);
        let last = self.table.handles.len();
        if row < last {
            self.table.columns.swap(row, last);
        }
        // Drops the row when the follower has been called, also if that panics.
        let _row = TruncateLater(&mut self.table.columns, last);
        self.follower.swap_removed(row, last);
        true
    }

    /// Like [`Table::drain`]. All rows count as removed at once: the follower is truncated before
    /// the first one is yielded.
    pub fn drain(self) -> Drain<'a, R, H, C> {
        let Self { table, mut follower } = self;
        let drain = Drain::new(table);
        follower.truncated(0);
        drain
    }

    /// Like [`Table::take`].
    #[must_use = "its slot stays reserved; to release it, call `remove`"]
    pub fn take(&mut self, handle: H) -> Option<R> {
        let row = self.table.row_of_slot.take(handle.handle())?;
        self.leave(row as usize)
    }

    #[inline]
    fn leave(&mut self, row: usize) -> Option<R> {
        let removed = self.table.close_gap(row);
        self.follower.swap_removed(row, self.table.len());
        removed.map(C::complete)
    }

    /// Like [`Table::remove_ordered`].
    pub fn remove_ordered(&mut self, handle: H) -> Option<R> {
        let handle = handle.handle();
        let Some(row) = self.table.row_of_slot.get(handle).map(|&row| row as usize) else {
            // It may be pending.
            self.table.row_of_slot.remove(handle);
            return None;
        };
        let mut gone = alloc::vec![0; self.table.len().div_ceil(64)];
        crate::slots::add_to(&mut gone, row as u32);
        let kept = Kept::all_but(&gone, self.table.len());
        self.table.row_of_slot.remove(handle);
        self.table.handles.remove(row);
        for up in row..kept.len() {
            self.table.columns.swap(up, up + 1);
            self.table.renumber(up);
        }
        let removed = self.table.columns.pop_parts();
        self.follower.packed(&kept);
        removed.map(C::complete)
    }

    /// Like [`Table::clear`].
    pub fn clear(&mut self) {
        let _rows = self.table.clear_slots();
        self.follower.truncated(0);
    }

    /// Like [`Table::extract_if`].
    pub fn extract_if<G>(self, should_remove: G) -> ExtractIf<'a, G, F, R, H, C>
    where
        G: FnMut(H, RowMut<'_, C>) -> bool,
    {
        ExtractIf::new(self, should_remove)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Stores the number of a row in the slot of its handle.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "T1: there are as many rows as live slots")]
    pub(super) fn renumber(&mut self, row: usize) {
        if let Some(found) = self.row_of_slot.get_mut(self.handles[row]) {
            *found = row as u32;
        }
    }

    /// Removes a row whose slot was freed already. The last row moves into its place, and its slot
    /// is updated. No code of the values runs: the caller completes the row when everything else is
    /// done.
    #[inline]
    pub(super) fn close_gap(&mut self, row: usize) -> Option<C::Parts> {
        self.close_handle_gap(row);
        self.columns.swap_remove_parts(row)
    }

    /// The part of [`close_gap`](Self::close_gap) that concerns handles.
    #[inline]
    fn close_handle_gap(&mut self, row: usize) {
        self.handles.swap_remove(row);
        if row < self.handles.len() {
            self.renumber(row);
        }
    }

    /// Like [`renumber`](Self::renumber), for all rows from this one on.
    pub(super) fn renumber_from(&mut self, first: usize) {
        for (row, &handle) in self.handles.iter().enumerate().skip(first) {
            if let Some(found) = self.row_of_slot.get_mut(handle.handle()) {
                *found = row as u32;
            }
        }
    }

    /// Frees all slots. The rows are dropped with the returned guard: a destructor may panic then,
    /// and everything else is done.
    pub(super) fn clear_slots(&mut self) -> TruncateLater<'_, C> {
        self.row_of_slot.clear();
        self.handles.clear();
        TruncateLater(&mut self.columns, 0)
    }
}
