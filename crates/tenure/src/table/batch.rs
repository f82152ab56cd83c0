//! Removing many rows in one pass.

use alloc::vec::Vec;

use super::kept::Deciding;
use super::{Columns, Follow, Following, Kept, Order, RowMut, RowRef, Table, TruncateLater};
use crate::key::Key;
use crate::slots::add_to;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Keeps the rows for which the closure returns `true`, in their order, and drops the others.
    /// One pass over every column.
    ///
    /// If the closure panics, all rows stay. Allocates 4 bytes per row meanwhile.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([0, 1, 2, 3, 4, 5]);
    /// pool.retain(|_handle, value| *value % 2 == 0);
    /// assert_eq!(pool.as_slice(), [0, 2, 4]);
    /// ```
    #[doc(alias("remove while iterating", "filter", "compact", "iterate and remove"))]
    pub fn retain(&mut self, keep: impl FnMut(H, RowMut<'_, C>) -> bool) {
        self.following(()).retain(keep);
    }

    /// Removes many rows in one pass, and drops them. The others keep their order. Returns the
    /// number of removed rows: handles that do not resolve, and duplicates, do not count. Pending
    /// ones are released.
    ///
    /// Several times faster than [`remove`](Self::remove) in a loop.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a", "b", "c", "d"]);
    /// let dead: Vec<_> = pool.handles().step_by(2).collect();
    /// assert_eq!(pool.remove_many(dead.iter().copied()), 2);
    /// assert_eq!(pool.remove_many(dead), 0); // removing again is harmless
    /// assert_eq!(pool.as_slice(), ["b", "d"]);
    /// ```
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = H>) -> usize {
        self.following(()).remove_many(handles)
    }

    /// Removes the rows for which the closure returns `None`, and sorts the others by the returned
    /// key, in one pass. Rows with equal keys keep their order.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([3, 1, 4, 1, 5]);
    /// pool.compact_by_key(|_handle, &value| (value < 5).then_some(value));
    /// assert_eq!(pool.as_slice(), [1, 1, 3, 4]);
    /// ```
    #[doc(alias = "compact")]
    pub fn compact_by_key<Q: Ord>(&mut self, key: impl FnMut(H, RowRef<'_, C>) -> Option<Q>) {
        self.following(()).compact_by_key(key);
    }
}

impl<F: Follow, R, H: Key, C: Columns<Row = R>> Following<'_, F, R, H, C> {
    /// Like [`Table::retain`].
    pub fn retain(&mut self, mut keep: impl FnMut(H, RowMut<'_, C>) -> bool) {
        let kept = self.table.decide(&mut keep);
        self.carry_out(&kept);
    }

    /// Like [`Table::remove_many`].
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = H>) -> usize {
        let kept = self.table.all_but(handles.into_iter());
        self.carry_out(&kept);
        kept.before() - kept.len()
    }

    fn carry_out(&mut self, kept: &Kept) {
        if kept.is_all() {
            return;
        }
        self.table.remove_from_slots(kept);
        self.table.pack_rows(kept);
        // The destructors of removed rows may panic, and so may the follower: each runs even if the
        // other panics.
        let _rest = TruncateLater(&mut self.table.columns, kept.len());
        self.follower.packed(kept);
    }

    /// Like [`Table::compact_by_key`].
    pub fn compact_by_key<Q: Ord>(&mut self, mut key: impl FnMut(H, RowRef<'_, C>) -> Option<Q>) {
        let mut kept = Vec::with_capacity(self.table.len());
        let mut dead = Vec::new();
        for (row, (&handle, values)) in (0..).zip(self.table.handles.iter().zip(self.table.columns.iter())) {
            match key(H::from_handle(handle), values) {
                Some(key) => kept.push((key, row)),
                None => dead.push(row),
            }
        }
        // By key alone, and stable: there are often few distinct keys, and then this is the
        // fastest.
        kept.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut remove = self.table.row_of_slot.removing();
        dead.iter().for_each(|&row| remove(self.table.handles[row as usize]));
        drop(remove);
        let order = Order::of_all(kept.iter().map(|&(_, row)| row).chain(dead.iter().copied()));
        self.table.arrange(&order);
        self.table.handles.truncate(kept.len());
        let _rest = TruncateLater(&mut self.table.columns, kept.len());
        self.follower.compacted(&order, kept.len());
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the rows for which the closure returns `true`.
    #[inline]
    fn decide(&mut self, keep: &mut impl FnMut(H, RowMut<'_, C>) -> bool) -> Kept {
        let mut deciding = Deciding::new(self.len());
        let rows = self.columns.iter_mut().zip(&self.handles);
        rows.for_each(|(row, &handle)| deciding.next(keep(H::from_handle(handle), row)));
        deciding.finish()
    }

    /// Returns all rows except those of these handles. Releases pending handles.
    fn all_but(&mut self, handles: impl Iterator<Item = H>) -> Kept {
        let mut gone = alloc::vec![0; self.len().div_ceil(64)];
        for handle in handles.map(Key::handle) {
            match self.row_of_slot.get(handle) {
                Some(&row) => _ = add_to(&mut gone, row),
                // It may be pending.
                None => _ = self.row_of_slot.remove(handle),
            }
        }
        Kept::all_but(&gone, self.len())
    }

    fn remove_from_slots(&mut self, kept: &Kept) {
        let mut remove = self.row_of_slot.removing();
        kept.gone().for_each(|row| remove(self.handles[row]));
    }

    /// Moves the kept rows to the front and updates their slots. The others follow them, and the
    /// caller removes them.
    pub(super) fn pack_rows(&mut self, kept: &Kept) {
        self.handles.pack(kept);
        self.renumber_from(kept.unmoved());
        self.columns.pack(kept);
    }
}
