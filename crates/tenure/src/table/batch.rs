//! Taking many rows out in one pass.

use alloc::vec::Vec;

use super::kept::Verdicts;
use super::{Columns, Follow, Following, Kept, Order, Recycling, RowMut, RowRef, Table, TruncateLater};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::add_to;

impl<R, K: ?Sized, L: Layout, C: Columns<Row = R>> Table<R, K, L, Recycling, C> {
    /// Keeps the rows for which the closure says `true`, in their order, and drops the others. One pass over every column.
    ///
    /// If the closure panics, all rows stay. Takes 4 bytes per row while it works.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([0, 1, 2, 3, 4, 5]);
    /// pool.retain(|_handle, value| *value % 2 == 0);
    /// assert_eq!(pool.as_slice(), [0, 2, 4]);
    /// ```
    #[doc(alias("remove while iterating", "filter", "compact", "iterate and remove"))]
    pub fn retain(&mut self, keep: impl FnMut(Handle<K, L>, RowMut<'_, C>) -> bool) {
        self.following(()).retain(keep);
    }

    /// Removes many rows in one pass, and drops them. The others keep their order. Returns how many there were: handles that lead nowhere, or were named
    /// before, do not count. Pending ones are released.
    ///
    /// Several times faster than [`remove`](Self::remove) in a loop.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a", "b", "c", "d"]);
    /// let dead: Vec<_> = pool.handles().step_by(2).collect();
    /// assert_eq!(pool.remove_many(dead.iter().copied()), 2);
    /// assert_eq!(pool.remove_many(dead), 0); // harmless
    /// assert_eq!(pool.as_slice(), ["b", "d"]);
    /// ```
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = Handle<K, L>>) -> usize {
        self.following(()).remove_many(handles)
    }

    /// Removes the rows for which the closure gives `None`, and sorts the others by the key it gives, all in one pass. Rows with equal keys keep their order.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([3, 1, 4, 1, 5]);
    /// pool.compact_by_key(|_handle, &value| (value < 5).then_some(value));
    /// assert_eq!(pool.as_slice(), [1, 1, 3, 4]);
    /// ```
    #[doc(alias = "compact")]
    pub fn compact_by_key<Q: Ord>(&mut self, key: impl FnMut(Handle<K, L>, RowRef<'_, C>) -> Option<Q>) {
        self.following(()).compact_by_key(key);
    }
}

impl<F: Follow, R, K: ?Sized, L: Layout, C: Columns<Row = R>> Following<'_, F, R, K, L, Recycling, C> {
    /// As [`Table::retain`].
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<K, L>, RowMut<'_, C>) -> bool) {
        let mut verdicts = Verdicts::about(self.table.len());
        // The rows lead: they know how to walk all columns in one loop.
        let (mut handles, rows) = (self.table.handles.iter(), self.table.columns.iter_mut());
        rows.for_each(|row| verdicts.add(handles.next().is_none_or(|&handle| keep(handle, row))));
        self.carry_out(&verdicts.into_kept());
    }

    /// As [`Table::remove_many`].
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = Handle<K, L>>) -> usize {
        let before = self.table.len();
        let mut dead = alloc::vec![0_u64; before.div_ceil(64)];
        for handle in handles {
            match self.table.names.get(handle) {
                Some(&row) => _ = add_to(&mut dead, row),
                // It may be pending.
                None => _ = self.table.names.remove(handle),
            }
        }
        let mut verdicts = Verdicts::about(before);
        (0..before).for_each(|row| verdicts.add(dead[row / 64] >> (row % 64) & 1 == 0));
        self.carry_out(&verdicts.into_kept());
        before - self.table.len()
    }

    fn carry_out(&mut self, kept: &Kept) {
        if kept.dead().is_empty() {
            return;
        }
        let Table { names, handles, .. } = &mut *self.table;
        names.remove_each(kept.dead().iter().map(|&row| handles[row as usize]));
        self.table.pack_rows(kept);
        // What is dropped may panic, and so may the follower: neither keeps the other from being done.
        let _rest = TruncateLater(&mut self.table.columns, kept.rows().len());
        self.follower.packed(kept.rows());
    }

    /// As [`Table::compact_by_key`].
    pub fn compact_by_key<Q: Ord>(&mut self, mut key: impl FnMut(Handle<K, L>, RowRef<'_, C>) -> Option<Q>) {
        let mut kept = Vec::with_capacity(self.table.len());
        let mut dead = Vec::new();
        for (row, (&handle, values)) in (0..).zip(self.table.handles.iter().zip(self.table.columns.iter())) {
            match key(handle, values) {
                Some(key) => kept.push((key, row)),
                None => dead.push(row),
            }
        }
        kept.sort_unstable();
        for &row in &dead {
            self.table.names.remove(self.table.handles[row as usize]);
        }
        let order = Order::of_all(kept.iter().map(|&(_, row)| row).chain(dead.iter().copied()));
        self.table.arrange(&order);
        self.table.handles.truncate(kept.len());
        let _rest = TruncateLater(&mut self.table.columns, kept.len());
        self.follower.compacted(&order, kept.len());
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// Only these rows have names. The others come behind them, and the caller takes them out.
    pub(super) fn pack_rows(&mut self, kept: &Kept) {
        self.handles.pack(kept);
        self.renumber_from(kept.unmoved());
        self.columns.pack(kept);
    }
}
