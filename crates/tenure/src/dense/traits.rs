//! What a dense pool can do as a value: as any pool.

use core::ops::{Index, IndexMut};

use super::{Column, DensePool};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::wraps_pool;
use crate::status::panic_not_live;

wraps_pool! { impl [T, K: ?Sized, L: Layout] DensePool<T, K, L>, around table: Column<T, K, L> }

impl<T, K: ?Sized, L: Layout> From<Column<T, K, L>> for DensePool<T, K, L> {
    fn from(table: Column<T, K, L>) -> Self {
        Self { table }
    }
}

impl<T, const N: usize> From<[T; N]> for DensePool<T> {
    /// The values get the indices 0, 1, 2, ….
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}

impl<T: Clone, K: ?Sized, L: Layout> Clone for DensePool<T, K, L> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone() }
    }

    /// Reuses memory: cheap enough for a checkpoint every frame. If a clone panics, the pool is empty.
    fn clone_from(&mut self, original: &Self) {
        self.table.clone_from(&original.table);
    }
}

impl<'a, T: Copy + 'a, K: ?Sized, L: Layout> Extend<&'a T> for DensePool<T, K, L> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.table.extend(values.into_iter().copied());
    }
}

impl<T, K: ?Sized, L: Layout> Index<Handle<K, L>> for DensePool<T, K, L> {
    type Output = T;

    /// # Panics
    ///
    /// When the handle leads nowhere, at the caller's line, with the handle and the reason.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<K, L>) -> &T {
        match self.get(handle) {
            Some(value) => value,
            None => panic_not_live(handle, self.names().why_not_live(handle)),
        }
    }
}

impl<T, K: ?Sized, L: Layout> IndexMut<Handle<K, L>> for DensePool<T, K, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<K, L>) -> &mut T {
        match self.try_get_mut(handle) {
            Ok(value) => value,
            Err(error) => panic_not_live(handle, error),
        }
    }
}

impl<T, K: ?Sized, L: Layout> AsRef<[T]> for DensePool<T, K, L> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}
