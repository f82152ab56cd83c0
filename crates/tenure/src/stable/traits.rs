//! What a stable pool can do as a value.

use core::fmt;

use super::{Iter, StablePool};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::lifecycle::Inner;
use crate::pool::{IntoIter, IterMut};
use crate::slots::{ChunkTable, Chunks};
use crate::status::indexed_by_handle;

indexed_by_handle! { impl [T, K: ?Sized, L: Layout] StablePool<T, K, L> => T }

impl<T, K: ?Sized, L: Layout> Default for StablePool<T, K, L> {
    /// An empty pool of any layout; a tagged one has the tag 0.
    fn default() -> Self {
        Self::with_layout()
    }
}

impl<T, K: ?Sized, L: Layout> StablePool<T, K, L> {
    /// Looks at the pool by something that runs code of the values, which must not insert.
    pub(crate) fn copied<R>(&self, look: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        self.lifecycle.flush();
        self.lifecycle.look_and_copy(look)
    }
}

impl<T: Clone, K: ?Sized, L: Layout> Clone for StablePool<T, K, L> {
    /// As [`Pool`](crate::Pool)'s. A value's `clone` must not insert into the pool: that panics.
    fn clone(&self) -> Self {
        self.copied(|pool| Self::from_pool(pool.clone()))
    }

    /// As [`Pool`](crate::Pool)'s: reuses memory, also that of the values.
    fn clone_from(&mut self, original: &Self) {
        let copy = self.pool();
        original.copied(|pool| copy.clone_from(pool));
    }
}

impl<T: PartialEq, K: ?Sized, L: Layout> PartialEq for StablePool<T, K, L> {
    /// Whether the same handles are live and lead to equal values. Pending handles do not count.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Eq, K: ?Sized, L: Layout> Eq for StablePool<T, K, L> {}

impl<T: fmt::Debug, K: ?Sized, L: Layout> fmt::Debug for StablePool<T, K, L> {
    /// A map from handles to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T, K: ?Sized, L: Layout> Extend<T> for StablePool<T, K, L> {
    /// # Panics
    ///
    /// When the pool is full.
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        self.pool().extend(values);
    }
}

impl<T, const N: usize> From<[T; N]> for StablePool<T> {
    /// The values get the indices 0, 1, 2, ….
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}

impl<T, K: ?Sized, L: Layout> FromIterator<T> for StablePool<T, K, L> {
    /// The values get the indices 0, 1, 2, …; the pool has the tag 0.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from_pool(values.into_iter().collect())
    }
}

impl<T, K: ?Sized, L: Layout> IntoIterator for StablePool<T, K, L> {
    type Item = (Handle<K, L>, T);
    type IntoIter = IntoIter<T, K, L, Chunks<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.lifecycle.into_inner().into_iter()
    }
}

impl<'a, T, K: ?Sized, L: Layout> IntoIterator for &'a StablePool<T, K, L> {
    type Item = (Handle<K, L>, &'a T);
    type IntoIter = Iter<'a, T, K, L>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, K: ?Sized, L: Layout> IntoIterator for &'a mut StablePool<T, K, L> {
    type Item = (Handle<K, L>, &'a mut T);
    type IntoIter = IterMut<'a, T, K, L, ChunkTable<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
