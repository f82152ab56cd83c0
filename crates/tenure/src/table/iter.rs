//! Iterators over a table: zipped iterators over the handles and the rows.

use alloc::vec;
use core::fmt;
use core::iter::{FusedIterator, Zip};
use core::slice;

use super::{Columns, RowMut, RowRef, Table, Views};
use crate::key::{HandleOf, Key};
use crate::pool;

/// An iterator over the handles and rows of a table, in the order of the rows. See [`Table::iter`].
#[must_use = "iterators are lazy"]
pub struct Iter<'a, C: Columns + 'a, H: Key> {
    both: Zip<slice::Iter<'a, HandleOf<H>>, <C as Views<'a>>::Iter>,
}

/// An iterator over the handles and rows of a table, mutably, in the order of the rows. See
/// [`Table::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct IterMut<'a, C: Columns + 'a, H: Key> {
    both: Zip<slice::Iter<'a, HandleOf<H>>, <C as Views<'a>>::IterMut>,
}

/// An owning iterator over the handles and rows of a table, in the order of the rows. Made by `for
/// … in table`.
#[must_use = "iterators are lazy"]
pub struct IntoIter<C: Columns, H: Key> {
    both: Zip<vec::IntoIter<HandleOf<H>>, C::IntoIter>,
}

impl<'a, C: Columns, H: Key> Iter<'a, C, H> {
    #[inline]
    pub(super) fn new(handles: &'a [HandleOf<H>], columns: &'a C) -> Self {
        Self { both: handles.iter().zip(columns.iter()) }
    }
}

impl<'a, C: Columns, H: Key> IterMut<'a, C, H> {
    #[inline]
    pub(super) fn new(handles: &'a [HandleOf<H>], columns: &'a mut C) -> Self {
        Self { both: handles.iter().zip(columns.iter_mut()) }
    }
}

macro_rules! side_by_side {
    ([$($params:tt)*] $Type:ty, $name:literal, $item:ty, $handle:expr) => {
        impl<$($params)*> Iterator for $Type {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.both.next().map(|(handle, row)| ($handle(handle), row))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.both.nth(n).map(|(handle, row)| ($handle(handle), row))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.both.size_hint()
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                self.both.fold(acc, |acc, (handle, row)| step(acc, ($handle(handle), row)))
            }
        }

        impl<$($params)*> DoubleEndedIterator for $Type {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.both.next_back().map(|(handle, row)| ($handle(handle), row))
            }
        }

        impl<$($params)*> ExactSizeIterator for $Type {}
        impl<$($params)*> FusedIterator for $Type {}

        impl<$($params)*> fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct($name).field("left", &self.both.len()).finish_non_exhaustive()
            }
        }
    };
}

side_by_side!(['a, C: Columns, H: Key] Iter<'a, C, H>, "Iter", (H, RowRef<'a, C>), |handle: &HandleOf<H>| H::from_handle(*handle));
side_by_side!(['a, C: Columns, H: Key] IterMut<'a, C, H>, "IterMut", (H, RowMut<'a, C>), |handle: &HandleOf<H>| H::from_handle(*handle));
side_by_side!([C: Columns, H: Key] IntoIter<C, H>, "IntoIter", (H, C::Row), |handle: HandleOf<H>| H::from_handle(handle));

impl<'a, C: Columns, H: Key> Clone for Iter<'a, C, H>
where
    <C as Views<'a>>::Iter: Clone,
{
    fn clone(&self) -> Self {
        Self { both: self.both.clone() }
    }
}

impl<R, H: Key, C: Columns<Row = R>> IntoIterator for Table<R, H, C> {
    type Item = (H, R);
    type IntoIter = IntoIter<C, H>;

    fn into_iter(self) -> IntoIter<C, H> {
        IntoIter { both: IntoIterator::into_iter(self.handles).zip(self.columns.into_iter()) }
    }
}

impl<'a, R, H: Key, C: Columns<Row = R>> IntoIterator for &'a Table<R, H, C> {
    type Item = (H, RowRef<'a, C>);
    type IntoIter = Iter<'a, C, H>;

    fn into_iter(self) -> Iter<'a, C, H> {
        self.iter()
    }
}

impl<'a, R, H: Key, C: Columns<Row = R>> IntoIterator for &'a mut Table<R, H, C> {
    type Item = (H, RowMut<'a, C>);
    type IntoIter = IterMut<'a, C, H>;

    fn into_iter(self) -> IterMut<'a, C, H> {
        self.iter_mut()
    }
}

/// An iterator over the handles of a table, in the order of the rows. See [`Table::handles`].
pub struct Handles<'a, H: Key>(slice::Iter<'a, HandleOf<H>>);

impl<'a, H: Key> Handles<'a, H> {
    #[inline]
    pub(crate) fn new(handles: &'a [HandleOf<H>]) -> Self {
        Self(handles.iter())
    }
}

impl<H: Key> Iterator for Handles<'_, H> {
    type Item = H;

    #[inline]
    fn next(&mut self) -> Option<H> {
        self.0.next().map(|&handle| H::from_handle(handle))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<H> {
        self.0.nth(n).map(|&handle| H::from_handle(handle))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<A, F: FnMut(A, H) -> A>(self, acc: A, mut step: F) -> A {
        self.0.fold(acc, |acc, &handle| step(acc, H::from_handle(handle)))
    }
}

impl<H: Key> DoubleEndedIterator for Handles<'_, H> {
    #[inline]
    fn next_back(&mut self) -> Option<H> {
        self.0.next_back().map(|&handle| H::from_handle(handle))
    }
}

impl<H: Key> ExactSizeIterator for Handles<'_, H> {}
impl<H: Key> FusedIterator for Handles<'_, H> {}

impl<H: Key> Clone for Handles<'_, H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Key> fmt::Debug for Handles<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// An iterator over the pending handles of a table, in index order. See [`Table::pending_handles`].
#[must_use = "iterators are lazy"]
pub struct PendingHandles<'a, H: Key>(pub(super) pool::PendingHandles<'a, u32, HandleOf<H>>);

impl<H: Key> Iterator for PendingHandles<'_, H> {
    type Item = H;

    fn next(&mut self) -> Option<H> {
        self.0.next().map(H::from_handle)
    }
}

impl<H: Key> FusedIterator for PendingHandles<'_, H> {}

impl<H: Key> fmt::Debug for PendingHandles<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingHandles").finish_non_exhaustive()
    }
}
