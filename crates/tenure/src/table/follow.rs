//! Followers: data that changes places when rows do.

use alloc::vec::Vec;
use core::fmt;

use super::{Columns, Kept, Order, Row, Table, order};
use crate::handle::Handle;
use crate::key::Key;

/// Data by row that follows the moves of a table's rows.
///
/// A `Vec` with one value per row is a follower, and so is a pair of followers. [`Table::on_move`]
/// makes a follower of a closure that is called for every move.
///
/// ```
/// use tenure::DensePool;
///
/// let mut goblins = DensePool::from(["Grik", "Snag", "Bolg"]);
/// let snag = goblins.handles().nth(1).unwrap();
/// let mut gold = vec![10, 20, 30]; // by row
///
/// goblins.following(&mut gold).remove(snag);
/// assert_eq!(goblins.as_slice(), ["Grik", "Bolg"]);
/// assert_eq!(gold, [10, 30]);
///
/// goblins.following(&mut gold).sort_by_key(|name| *name);
/// assert_eq!(goblins.as_slice(), ["Bolg", "Grik"]);
/// assert_eq!(gold, [30, 10]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot follow the rows of a table",
    label = "does not implement `Follow`",
    note = "a `&mut Vec` with one value per row is a follower, and so is a pair of followers; for a closure, call `on_move`"
)]
pub trait Follow {
    /// Row `row` was removed, and the last row, `last`, has moved into its place. The two may be
    /// the same.
    fn swap_removed(&mut self, row: usize, last: usize);

    /// Some rows were removed. The others keep their order.
    fn packed(&mut self, kept: &Kept);

    /// Row `i` is the former row `order.rows()[i]`.
    fn reordered(&mut self, order: &Order);

    /// Two rows were swapped.
    fn swapped(&mut self, a: usize, b: usize);

    /// The rows from `len` on were removed.
    fn truncated(&mut self, len: usize);

    /// Like [`reordered`](Self::reordered), and then the rows from `len` on were removed.
    fn compacted(&mut self, order: &Order, len: usize) {
        self.reordered(order);
        self.truncated(len);
    }
}

/// The no-op follower.
impl Follow for () {
    #[inline]
    fn swap_removed(&mut self, _row: usize, _last: usize) {}
    #[inline]
    fn packed(&mut self, _kept: &Kept) {}
    #[inline]
    fn reordered(&mut self, _order: &Order) {}
    #[inline]
    fn swapped(&mut self, _a: usize, _b: usize) {}
    #[inline]
    fn truncated(&mut self, _len: usize) {}
}

/// One value per row.
///
/// # Panics
///
/// If there are fewer values than rows; also if there are more, in operations that notice it.
impl<T> Follow for Vec<T> {
    #[track_caller]
    fn swap_removed(&mut self, row: usize, last: usize) {
        assert_eq!(self.len(), last + 1, "there are not as many values as rows");
        self.swap_remove(row);
    }

    #[track_caller]
    fn packed(&mut self, kept: &Kept) {
        order::pack(self, kept);
        self.truncate(kept.len());
    }

    fn reordered(&mut self, order: &Order) {
        order.gather(self);
    }

    fn swapped(&mut self, a: usize, b: usize) {
        self.as_mut_slice().swap(a, b);
    }

    fn truncated(&mut self, len: usize) {
        self.truncate(len);
    }
}

impl<F: Follow + ?Sized> Follow for &mut F {
    #[inline]
    fn swap_removed(&mut self, row: usize, last: usize) {
        (**self).swap_removed(row, last);
    }

    fn packed(&mut self, kept: &Kept) {
        (**self).packed(kept);
    }

    fn reordered(&mut self, order: &Order) {
        (**self).reordered(order);
    }

    fn swapped(&mut self, a: usize, b: usize) {
        (**self).swapped(a, b);
    }

    fn truncated(&mut self, len: usize) {
        (**self).truncated(len);
    }

    fn compacted(&mut self, order: &Order, len: usize) {
        (**self).compacted(order, len);
    }
}

/// Calls both followers, even if the first panics: a `Vec` panics if a destructor of its values
/// does. If both panic, the process aborts, as with two panicking destructors.
impl<A: Follow, B: Follow> Follow for (A, B) {
    fn swap_removed(&mut self, row: usize, last: usize) {
        let _second = Later(|| self.1.swap_removed(row, last));
        self.0.swap_removed(row, last);
    }

    fn packed(&mut self, kept: &Kept) {
        let _second = Later(|| self.1.packed(kept));
        self.0.packed(kept);
    }

    fn reordered(&mut self, order: &Order) {
        let _second = Later(|| self.1.reordered(order));
        self.0.reordered(order);
    }

    fn swapped(&mut self, a: usize, b: usize) {
        let _second = Later(|| self.1.swapped(a, b));
        self.0.swapped(a, b);
    }

    fn truncated(&mut self, len: usize) {
        let _second = Later(|| self.1.truncated(len));
        self.0.truncated(len);
    }

    fn compacted(&mut self, order: &Order, len: usize) {
        let _second = Later(|| self.1.compacted(order, len));
        self.0.compacted(order, len);
    }
}

/// Calls a closure when it is dropped.
struct Later<F: FnMut()>(F);

impl<F: FnMut()> Drop for Later<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// A follower that calls a closure for every row that moves. See [`Table::on_move`].
pub struct OnMove<F>(F);

impl<F: FnMut(usize, usize)> OnMove<F> {
    /// Returns the follower. For use in a pair: `table.following((&mut side, OnMove::new(|from, to|
    /// …)))`.
    #[must_use]
    pub fn new(moved: F) -> Self {
        Self(moved)
    }

    /// Row `i` has moved from row `rows[i]`.
    fn came_from(&mut self, rows: impl Iterator<Item = usize>) {
        rows.enumerate().filter(|&(to, from)| to != from).for_each(|(to, from)| (self.0)(from, to));
    }
}

impl<F: FnMut(usize, usize)> Follow for OnMove<F> {
    #[inline]
    fn swap_removed(&mut self, row: usize, last: usize) {
        if row != last {
            (self.0)(last, row);
        }
    }

    fn packed(&mut self, kept: &Kept) {
        self.came_from(kept.rows());
    }

    fn reordered(&mut self, order: &Order) {
        self.came_from(order.rows().iter().map(|&row| row as usize));
    }

    fn swapped(&mut self, a: usize, b: usize) {
        if a != b {
            (self.0)(a, b);
            (self.0)(b, a);
        }
    }

    fn truncated(&mut self, _len: usize) {}

    /// Removed rows have no new position, and are not reported.
    fn compacted(&mut self, order: &Order, len: usize) {
        self.came_from(order.rows()[..len].iter().map(|&row| row as usize));
    }
}

impl<F> fmt::Debug for OnMove<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnMove").finish_non_exhaustive()
    }
}

/// A table with a follower. See [`Table::following`] and [`Table::on_move`].
///
/// It has the methods of the table that move rows.
#[must_use = "it does nothing by itself: call one of its methods"]
pub struct Following<'a, F, R, H: Key = Handle<R>, C: Columns<Row = R> = <R as Row>::Columns> {
    pub(super) table: &'a mut Table<R, H, C>,
    pub(super) follower: F,
}

impl<F, R, H: Key, C: Columns<Row = R>> fmt::Debug for Following<'_, F, R, H, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Following").finish_non_exhaustive()
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the table with a follower: data that moves with the rows. See [`Follow`].
    ///
    /// Costs nothing if no row moves, and one call per operation otherwise. If the follower panics,
    /// the table is valid and the operation is done. The follower is called before values are
    /// dropped and skipped fields are created: if that panics, it is in step with the rows.
    #[inline]
    pub fn following<F: Follow>(&mut self, follower: F) -> Following<'_, F, R, H, C> {
        Following { table: self, follower }
    }

    /// Returns the table with a closure that is called for every row that moves: `from` is its
    /// number before the operation, and `to` its number after it.
    ///
    /// ```
    /// use tenure::DensePool;
    ///
    /// let mut pool = DensePool::from(["a", "b", "c"]);
    /// let first = pool.handles().next().unwrap();
    /// let mut moves = Vec::new();
    /// pool.on_move(|from, to| moves.push((from, to))).remove(first);
    /// assert_eq!(moves, [(2, 0)]); // "c" fills the gap
    /// ```
    #[inline]
    pub fn on_move<F: FnMut(usize, usize)>(&mut self, moved: F) -> Following<'_, OnMove<F>, R, H, C> {
        self.following(OnMove::new(moved))
    }
}
