//! Walks over the rows of a table: the handles and the rows, side by side.

use alloc::vec;
use core::fmt;
use core::iter::{FusedIterator, Zip};
use core::slice;

use super::{Columns, RowMut, RowRef, Table, Views};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};

/// Handles and rows of a table, in the order of the rows. See [`Table::iter`].
#[must_use = "iterators are lazy"]
pub struct Iter<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    both: Zip<slice::Iter<'a, Handle<K, L>>, <C as Views<'a>>::Iter>,
}

/// Handles and rows of a table, in the order of the rows, to change the fields. See
/// [`Table::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct IterMut<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    both: Zip<slice::Iter<'a, Handle<K, L>>, <C as Views<'a>>::IterMut>,
}

/// Handles and rows of a table that is used up, in the order of the rows. Made by `for … in table`.
#[must_use = "iterators are lazy"]
pub struct IntoIter<C: Columns, K: ?Sized, L: Layout = Wide> {
    both: Zip<vec::IntoIter<Handle<K, L>>, C::IntoIter>,
}

impl<'a, C: Columns, K: ?Sized, L: Layout> Iter<'a, C, K, L> {
    #[inline]
    pub(super) fn new(handles: &'a [Handle<K, L>], columns: &'a C) -> Self {
        Self { both: handles.iter().zip(columns.iter()) }
    }
}

impl<'a, C: Columns, K: ?Sized, L: Layout> IterMut<'a, C, K, L> {
    #[inline]
    pub(super) fn new(handles: &'a [Handle<K, L>], columns: &'a mut C) -> Self {
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

side_by_side!(['a, C: Columns, K: ?Sized, L: Layout] Iter<'a, C, K, L>, "Iter", (Handle<K, L>, RowRef<'a, C>), |handle: &Handle<K, L>| *handle);
side_by_side!(['a, C: Columns, K: ?Sized, L: Layout] IterMut<'a, C, K, L>, "IterMut", (Handle<K, L>, RowMut<'a, C>), |handle: &Handle<K, L>| *handle);
side_by_side!([C: Columns, K: ?Sized, L: Layout] IntoIter<C, K, L>, "IntoIter", (Handle<K, L>, C::Row), |handle: Handle<K, L>| handle);

impl<'a, C: Columns, K: ?Sized, L: Layout> Clone for Iter<'a, C, K, L>
where
    <C as Views<'a>>::Iter: Clone,
{
    fn clone(&self) -> Self {
        Self { both: self.both.clone() }
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> IntoIterator for Table<R, K, L, P, C> {
    type Item = (Handle<K, L>, R);
    type IntoIter = IntoIter<C, K, L>;

    fn into_iter(self) -> IntoIter<C, K, L> {
        IntoIter { both: IntoIterator::into_iter(self.handles).zip(self.columns.into_iter()) }
    }
}

impl<'a, R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> IntoIterator for &'a Table<R, K, L, P, C> {
    type Item = (Handle<K, L>, RowRef<'a, C>);
    type IntoIter = Iter<'a, C, K, L>;

    fn into_iter(self) -> Iter<'a, C, K, L> {
        self.iter()
    }
}

impl<'a, R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> IntoIterator for &'a mut Table<R, K, L, P, C> {
    type Item = (Handle<K, L>, RowMut<'a, C>);
    type IntoIter = IterMut<'a, C, K, L>;

    fn into_iter(self) -> IterMut<'a, C, K, L> {
        self.iter_mut()
    }
}
