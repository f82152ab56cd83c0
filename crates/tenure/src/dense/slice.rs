//! The values of a dense pool as a slice whose order can be changed without changing handles.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Deref, Index, IndexMut};
use core::slice::{self, SliceIndex};

use super::Column;
use crate::handle::Handle;
use crate::key::Key;

/// All values of a dense pool, mutably, with methods that change their order. See
/// [`DensePool::as_mut_slice`](crate::DensePool::as_mut_slice).
///
/// It dereferences to `&[T]`. The methods that change the order (`swap`, `reverse` and the sorts)
/// move the handles too, so that every handle resolves to the same value as before. Swapping two
/// values of a plain `&mut [T]` would swap what their handles resolve to.
pub struct SliceMut<'a, T, H: Key = Handle<T>> {
    table: &'a mut Column<T, H>,
}

impl<'a, T, H: Key> SliceMut<'a, T, H> {
    #[inline]
    pub(super) fn new(table: &'a mut Column<T, H>) -> Self {
        Self { table }
    }

    /// Returns the value of a row. `None` if there is no such row.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        self.table.row_mut(row)
    }

    /// Returns the first value.
    #[must_use]
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// Returns the last value.
    #[must_use]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len().checked_sub(1)?)
    }

    /// An iterator over all values, mutably.
    #[inline]
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.table.values_mut()
    }

    /// Swaps two values. Their handles stay valid.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.table.swap_rows(a, b);
    }

    /// Reverses the order of the values. Their handles stay valid.
    pub fn reverse(&mut self) {
        let len = self.len();
        (0..len / 2).for_each(|row| self.swap(row, len - 1 - row));
    }

    /// Sorts the values. Stable. Their handles stay valid.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([3, 1, 2]);
    /// let three = pool.handle_at(0).unwrap();
    /// pool.as_mut_slice().sort();
    /// assert_eq!((pool.as_slice(), pool[three]), (&[1, 2, 3][..], 3));
    /// ```
    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.sort_by(T::cmp);
    }

    /// Sorts the values with a comparison. Stable. Their handles stay valid.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.table.sort_by(|a, b| compare(a, b));
    }

    /// Sorts the values by a key, which is computed once per value. Stable. Their handles stay
    /// valid.
    pub fn sort_by_key<Q: Ord>(&mut self, mut key: impl FnMut(&T) -> Q) {
        self.table.sort_by_key(|value| key(value));
    }

    /// Like [`sort`](Self::sort), but does not keep the order of equal values.
    pub fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable_by(T::cmp);
    }

    /// Like [`sort_by`](Self::sort_by), but does not keep the order of equal values.
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.table.sort_unstable_by(|a, b| compare(a, b));
    }

    /// Like [`sort_by_key`](Self::sort_by_key), but does not keep the order of values with equal
    /// keys.
    pub fn sort_unstable_by_key<Q: Ord>(&mut self, mut key: impl FnMut(&T) -> Q) {
        self.table.sort_unstable_by_key(|value| key(value));
    }
}

impl<T, H: Key> Deref for SliceMut<'_, T, H> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.table.columns()
    }
}

impl<T, H: Key, I: SliceIndex<[T]>> Index<I> for SliceMut<'_, T, H> {
    type Output = I::Output;

    #[inline]
    #[track_caller]
    fn index(&self, rows: I) -> &I::Output {
        &(**self)[rows]
    }
}

/// For a single row only: a mutable part of the slice could be sorted without its handles.
impl<T, H: Key> IndexMut<usize> for SliceMut<'_, T, H> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, row: usize) -> &mut T {
        &mut self.table.columns_mut()[row]
    }
}

impl<'a, T, H: Key> IntoIterator for SliceMut<'a, T, H> {
    type Item = &'a mut T;
    type IntoIter = slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> slice::IterMut<'a, T> {
        self.table.values_mut()
    }
}

impl<T: fmt::Debug, H: Key> fmt::Debug for SliceMut<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
