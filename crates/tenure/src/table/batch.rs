//! Taking many rows out in one pass.

use alloc::vec::Vec;

use super::kept::Gone;
use super::{Columns, Follow, Following, Kept, Order, Recycling, RowMut, RowRef, Table, TruncateLater};
use crate::handle::Handle;
use crate::layout::Layout;

/// How many handles are looked up at once.
const AT_ONCE: usize = 64;

impl<R, K: ?Sized, L: Layout, C: Columns<Row = R>> Table<R, K, L, Recycling, C> {
    /// Keeps the rows for which the closure says `true`, in their order, and drops the others. One
    /// pass over every column.
    ///
    /// If the closure panics, all rows stay. Takes about 2 bytes per row while it works.
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

    /// Removes many rows in one pass, and drops them. The others keep their order. Returns how many
    /// there were: handles that lead nowhere, or were named before, do not count. Pending ones are
    /// released.
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

    /// Removes the rows for which the closure gives `None`, and sorts the others by the key it
    /// gives, all in one pass. Rows with equal keys keep their order.
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
        let gone = self.table.judge(&mut keep);
        self.carry_out(gone);
    }

    /// As [`Table::remove_many`].
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = Handle<K, L>>) -> usize {
        let gone = self.table.named(handles.into_iter());
        let before = self.table.len();
        self.carry_out(gone);
        before - self.table.len()
    }

    fn carry_out(&mut self, gone: Gone) {
        if gone.is_empty() {
            return;
        }
        let kept = &gone.into_kept();
        self.table.remove_names(kept);
        self.table.pack_rows(kept);
        // What is dropped may panic, and so may the follower: neither keeps the other from being
        // done.
        let _rest = TruncateLater(&mut self.table.columns, kept.len());
        self.follower.packed(kept);
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
        // By key alone, and stable: there are often few keys, and then this is the fastest.
        kept.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut remove = self.table.names.removing();
        dead.iter().for_each(|&row| remove(self.table.handles[row as usize]));
        drop(remove);
        let order = Order::of_all(kept.iter().map(|&(_, row)| row).chain(dead.iter().copied()));
        self.table.arrange(&order);
        self.table.handles.truncate(kept.len());
        let _rest = TruncateLater(&mut self.table.columns, kept.len());
        self.follower.compacted(&order, kept.len());
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// The rows that do not stay. 64 are asked about at a time, so that their verdicts are in a
    /// register.
    #[inline]
    fn judge(&mut self, keep: &mut impl FnMut(Handle<K, L>, RowMut<'_, C>) -> bool) -> Gone {
        let mut gone = Gone::none_of(self.len());
        let mut left = self.columns.slices_mut();
        for (word, handles) in gone.words().zip(self.handles.chunks(64)) {
            let (rows, later) = C::split_at(left, handles.len());
            left = later;
            let mut of_word = [handles[0]; 64];
            of_word[..handles.len()].copy_from_slice(handles);
            // Columns that give more rows than they were asked for are not believed.
            *word = judge_word(&of_word, C::iter_slices(rows), keep) & (u64::MAX >> (64 - handles.len()));
        }
        gone
    }

    /// The rows of these handles. Pending ones are released.
    ///
    /// Many are looked up before the first is noted: while one waits for memory, the others do,
    /// too.
    fn named(&mut self, mut handles: impl Iterator<Item = Handle<K, L>>) -> Gone {
        let mut gone = Gone::none_of(self.len());
        let (mut some, mut rows) = (Vec::with_capacity(AT_ONCE), [None; AT_ONCE]);
        loop {
            some.clear();
            some.extend(handles.by_ref().take(AT_ONCE));
            if some.is_empty() {
                // By name, as the keys in `order_by_key`.
                drop(handles);
                return gone;
            }
            let names = &self.names;
            rows.iter_mut().zip(&some).for_each(|(row, &handle)| *row = names.get(handle).copied());
            for (&handle, &row) in some.iter().zip(&rows) {
                match row {
                    Some(row) => gone.add(row as usize),
                    // It may be pending.
                    None => _ = self.names.remove(handle),
                }
            }
        }
    }

    fn remove_names(&mut self, kept: &Kept) {
        let mut remove = self.names.removing();
        kept.for_each_dead(|row| remove(self.handles[row]));
    }

    /// Only these rows have names. The others come behind them, and the caller takes them out.
    pub(super) fn pack_rows(&mut self, kept: &Kept) {
        self.handles.pack(kept);
        self.renumber_from(kept.unmoved());
        self.columns.pack(kept);
    }
}

/// A bit for each of at most 64 rows that does not stay. Nothing branches on what the closure says:
/// a processor cannot guess it.
#[inline]
fn judge_word<H: Copy, T>(
    handles: &[H; 64],
    rows: impl Iterator<Item = T>,
    keep: &mut impl FnMut(H, T) -> bool,
) -> u64 {
    let mut place = 0;
    // The rows lead: they know how to walk all columns in one loop.
    rows.fold(0, |gone, row| {
        let here = place % 64;
        place += 1;
        gone | u64::from(!keep(handles[here], row)) << here
    })
}
