//! Sorting rows: all columns and the handles in lockstep.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{Columns, Follow, Following, Order, OrderError, RowRef, Table};
use crate::key::Key;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Sorts the rows. Handles follow their rows. Stable: equal rows keep their order.
    ///
    /// Sorts a list of row numbers, and then reorders every column, one after the other, through
    /// memory for a second such column. [By a key](Self::sort_by_key) is faster, because each key
    /// is computed once. If the closure panics, no row has moved.
    #[doc(alias = "sort_as")]
    pub fn sort_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        self.following(()).sort_by(compare);
    }

    /// Sorts the rows by a key, which is computed once per row. Handles follow their rows. Stable:
    /// rows with equal keys keep their order.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([3, 1, 2]);
    /// let three = pool.handle_at(0).unwrap();
    /// pool.sort_by_key(|&number| number);
    /// assert_eq!((pool.as_slice(), pool[three]), (&[1, 2, 3][..], 3));
    /// ```
    pub fn sort_by_key<Q: Ord>(&mut self, key: impl FnMut(RowRef<'_, C>) -> Q) {
        self.following(()).sort_by_key(key);
    }

    /// Like [`sort_by`](Self::sort_by), without keeping the order of equal rows.
    pub fn sort_unstable_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        self.following(()).sort_unstable_by(compare);
    }

    /// Like [`sort_by_key`](Self::sort_by_key), without keeping the order of rows with equal keys.
    pub fn sort_unstable_by_key<Q: Ord>(&mut self, key: impl FnMut(RowRef<'_, C>) -> Q) {
        self.following(()).sort_unstable_by_key(key);
    }

    /// Like [`sort_by`](Self::sort_by), without memory for a second column: rows are swapped into
    /// their places, which is several times slower. (The list of row numbers takes 4 bytes per
    /// row.)
    pub fn sort_in_place_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        self.following(()).sort_in_place_by(compare);
    }

    /// Reorders the rows by a given order: row `i` becomes the former row `rows[i]`.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from(["a", "b", "c"]);
    /// pool.apply_order(&[2, 0, 1]).unwrap();
    /// assert_eq!(pool.as_slice(), ["c", "a", "b"]);
    /// assert!(pool.apply_order(&[0, 0, 1]).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If it is not an order of these rows: too long, too short, or with a number twice. No row has
    /// moved.
    pub fn apply_order(&mut self, rows: &[u32]) -> Result<(), OrderError> {
        self.following(()).apply_order(rows)
    }

    /// Swaps two rows. Handles follow them.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[track_caller]
    pub fn swap_rows(&mut self, a: usize, b: usize) {
        self.following(()).swap_rows(a, b);
    }

    fn order_by_key<Q: Ord>(&self, key: impl FnMut(RowRef<'_, C>) -> Q, sort: impl FnOnce(&mut [(Q, u32)])) -> Order {
        // Not `0..`: columns that yield too many rows must not make a number occur twice (O1).
        let mut keys: Vec<(Q, u32)> = self.columns.iter().map(key).zip(0..self.next_row()).collect();
        sort(&mut keys);
        let order = Order::of_all(keys.iter().map(|&(_, row)| row));
        // Explicitly: if a key panicked when it is dropped at the end of the function, the order
        // would leak.
        drop(keys);
        order
    }

    fn order_by(
        &self,
        mut compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering,
        sort: impl FnOnce(&mut [u32], &mut dyn FnMut(u32, u32) -> Ordering),
    ) -> Order {
        let mut rows: Vec<u32> = (0..self.next_row()).collect();
        sort(&mut rows, &mut |a, b| match (self.columns.row(a as usize), self.columns.row(b as usize)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        Order::of_all(rows)
    }

    pub(super) fn arrange(&mut self, order: &Order) {
        self.columns.gather(order);
        order.gather(&mut self.handles);
        self.renumber_from(0);
    }

    fn arrange_in_place(&mut self, order: &Order) {
        order.for_each_swap(|a, b| {
            self.columns.swap(a, b);
            self.handles.swap(a, b);
        });
        self.renumber_from(0);
    }
}

impl<F: Follow, R, H: Key, C: Columns<Row = R>> Following<'_, F, R, H, C> {
    /// Like [`Table::sort_by`].
    pub fn sort_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        let order = self.table.order_by(compare, |rows, compare| rows.sort_by(|&a, &b| compare(a, b)));
        self.arrange(&order);
    }

    /// Like [`Table::sort_by_key`].
    pub fn sort_by_key<Q: Ord>(&mut self, key: impl FnMut(RowRef<'_, C>) -> Q) {
        // Rows with equal keys are compared by their numbers, so their order stays.
        let order = self.table.order_by_key(key, <[_]>::sort_unstable);
        self.arrange(&order);
    }

    /// Like [`Table::sort_unstable_by`].
    pub fn sort_unstable_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        let order = self.table.order_by(compare, |rows, compare| rows.sort_unstable_by(|&a, &b| compare(a, b)));
        self.arrange(&order);
    }

    /// Like [`Table::sort_unstable_by_key`].
    pub fn sort_unstable_by_key<Q: Ord>(&mut self, key: impl FnMut(RowRef<'_, C>) -> Q) {
        let order = self.table.order_by_key(key, |keys| keys.sort_unstable_by(|a, b| a.0.cmp(&b.0)));
        self.arrange(&order);
    }

    /// Like [`Table::sort_in_place_by`].
    pub fn sort_in_place_by(&mut self, compare: impl FnMut(RowRef<'_, C>, RowRef<'_, C>) -> Ordering) {
        let order = self
            .table
            .order_by(compare, |rows, compare| rows.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b))));
        self.table.arrange_in_place(&order);
        self.follower.reordered(&order);
    }

    /// Like [`Table::apply_order`].
    ///
    /// # Errors
    ///
    /// If it is not an order of these rows.
    pub fn apply_order(&mut self, rows: &[u32]) -> Result<(), OrderError> {
        let order = Order::for_rows(rows.to_vec(), self.table.len())?;
        self.arrange(&order);
        Ok(())
    }

    fn arrange(&mut self, order: &Order) {
        self.table.arrange(order);
        self.follower.reordered(order);
    }

    /// Like [`Table::swap_rows`].
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[track_caller]
    pub fn swap_rows(&mut self, a: usize, b: usize) {
        // `slice::swap` panics at the caller's line if there is no such row.
        self.table.handles.as_mut_slice().swap(a, b);
        self.table.columns.swap(a, b);
        self.table.renumber(a);
        self.table.renumber(b);
        self.follower.swapped(a, b);
    }
}
