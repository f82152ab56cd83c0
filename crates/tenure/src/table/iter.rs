//! Walks over the rows of a table: the handles and the rows, side by side.

use alloc::vec;
use core::fmt;
use core::iter::FusedIterator;
use core::slice;

use super::{Columns, RowMut, RowRef, Table, Views};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};

/// Handles and rows of a table, in the order of the rows. See [`Table::iter`].
#[must_use = "iterators are lazy"]
pub struct Iter<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    handles: slice::Iter<'a, Handle<K, L>>,
    rows: <C as Views<'a>>::Iter,
}

/// Handles and rows of a table, in the order of the rows, to change the fields. See [`Table::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct IterMut<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    handles: slice::Iter<'a, Handle<K, L>>,
    rows: <C as Views<'a>>::IterMut,
}

/// Handles and rows of a table that is used up, in the order of the rows. Made by `for … in table`.
#[must_use = "iterators are lazy"]
pub struct IntoIter<C: Columns, K: ?Sized, L: Layout = Wide> {
    handles: vec::IntoIter<Handle<K, L>>,
    rows: C::IntoIter,
}

impl<'a, C: Columns, K: ?Sized, L: Layout> Iter<'a, C, K, L> {
    #[inline]
    pub(super) fn new(handles: &'a [Handle<K, L>], columns: &'a C) -> Self {
        Self { handles: handles.iter(), rows: columns.iter() }
    }
}

impl<'a, C: Columns, K: ?Sized, L: Layout> IterMut<'a, C, K, L> {
    #[inline]
    pub(super) fn new(handles: &'a [Handle<K, L>], columns: &'a mut C) -> Self {
        Self { handles: handles.iter(), rows: columns.iter_mut() }
    }
}

macro_rules! side_by_side {
    ([$($params:tt)*] $Type:ty, $name:literal, $item:ty, $handle:expr) => {
        impl<$($params)*> Iterator for $Type {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                Some(($handle(self.handles.next()?), self.rows.next()?))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                Some(($handle(self.handles.nth(n)?), self.rows.nth(n)?))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.handles.size_hint()
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                // Zipped slices are one plain loop.
                self.handles.zip(self.rows).fold(acc, |acc, (handle, row)| step(acc, ($handle(handle), row)))
            }
        }

        impl<$($params)*> DoubleEndedIterator for $Type {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                Some(($handle(self.handles.next_back()?), self.rows.next_back()?))
            }
        }

        impl<$($params)*> ExactSizeIterator for $Type {}
        impl<$($params)*> FusedIterator for $Type {}

        impl<$($params)*> fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct($name).field("left", &self.handles.len()).finish_non_exhaustive()
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
        Self { handles: self.handles.clone(), rows: self.rows.clone() }
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> IntoIterator for Table<R, K, L, P, C> {
    type Item = (Handle<K, L>, R);
    type IntoIter = IntoIter<C, K, L>;

    fn into_iter(self) -> IntoIter<C, K, L> {
        IntoIter { handles: IntoIterator::into_iter(self.handles), rows: self.columns.into_iter() }
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
