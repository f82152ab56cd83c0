//! The traits of a dense pool.

use super::{Column, DensePool};
use crate::key::Key;
use crate::pool::wraps_pool;
use crate::status::indexed_by_handle;

wraps_pool! { impl [T, H: Key] DensePool<T, H>, around table: Column<T, H>, unwrapped by |this| this.table }

impl<T, H: Key> From<Column<T, H>> for DensePool<T, H> {
    fn from(table: Column<T, H>) -> Self {
        Self { table }
    }
}

impl<T, const N: usize> From<[T; N]> for DensePool<T> {
    /// Creates a pool of the values, with the indices and rows 0, 1, 2, ….
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}

impl<T: Clone, H: Key> Clone for DensePool<T, H> {
    fn clone(&self) -> Self {
        Self { table: self.table.clone() }
    }

    /// Copies into the memory of this pool: cheap enough for a checkpoint every frame. If a clone
    /// panics, or there is no memory for the slots, the pool is empty.
    ///
    /// # Panics
    ///
    /// When there is no memory for the slots.
    #[track_caller]
    fn clone_from(&mut self, original: &Self) {
        self.table.clone_from(&original.table);
    }
}

impl<'a, T: Copy + 'a, H: Key> Extend<&'a T> for DensePool<T, H> {
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.table.extend(values.into_iter().copied());
    }
}

indexed_by_handle! { impl [T, H: Key] DensePool<T, H> => T }

impl<T, H: Key> AsRef<[T]> for DensePool<T, H> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}
