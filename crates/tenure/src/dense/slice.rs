//! The values of a dense pool as a slice in which values can change places without changing their
//! names.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Deref, Index, IndexMut};
use core::slice::{self, SliceIndex};

use super::Column;
use crate::handle::Handle;
use crate::key::Key;

/// All values of a dense pool, to change them and their order. See
/// [`DensePool::as_mut_slice`](crate::DensePool::as_mut_slice).
///
/// It is a slice to look at. What changes the order (`swap`, `reverse`, the sorts) takes the
/// handles along, so that every handle leads to its own value afterwards. A plain `&mut [T]` would
/// give the values of two handles to each other.
pub struct SliceMut<'a, T, H: Key = Handle<T>> {
    table: &'a mut Column<T, H>,
}

impl<'a, T, H: Key> SliceMut<'a, T, H> {
    #[inline]
    pub(super) fn new(table: &'a mut Column<T, H>) -> Self {
        Self { table }
    }

    /// A value, or `None` if there is no such row.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        self.table.row_mut(row)
    }

    /// The first value.
    #[must_use]
    pub fn first_mut(&mut self) -> Option<&mut T> {
        self.get_mut(0)
    }

    /// The last value.
    #[must_use]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len().checked_sub(1)?)
    }

    /// All values.
    #[inline]
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.table.values_mut()
    }

    /// Two values change places, and take their handles along.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.table.swap_rows(a, b);
    }

    /// The last value becomes the first, and so on. Handles follow.
    pub fn reverse(&mut self) {
        let len = self.len();
        (0..len / 2).for_each(|row| self.swap(row, len - 1 - row));
    }

    /// Sorts the values. Handles follow. Stable.
    pub fn sort(&mut self)
    where
        T: Ord,
    {
        self.sort_by(T::cmp);
    }

    /// Sorts the values. Handles follow. Stable.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.table.sort_by(|a, b| compare(a, b));
    }

    /// Sorts the values by a key, which is asked for once per value. Handles follow. Stable.
    pub fn sort_by_key<Q: Ord>(&mut self, mut key: impl FnMut(&T) -> Q) {
        self.table.sort_by_key(|value| key(value));
    }

    /// As [`sort`](Self::sort), without keeping the order of equal values.
    pub fn sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable_by(T::cmp);
    }

    /// As [`sort_by`](Self::sort_by), without keeping the order of equal values.
    pub fn sort_unstable_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        self.table.sort_unstable_by(|a, b| compare(a, b));
    }

    /// As [`sort_by_key`](Self::sort_by_key), without keeping the order of values with equal keys.
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

/// For a single row only: a part of the slice could be sorted, and handles would not follow.
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
