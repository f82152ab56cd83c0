//! Traits of the standard library for stable pools.

use core::fmt;

use super::{IntoIter, Iter, IterMut, StablePool};
use crate::key::Key;
use crate::lifecycle::Inner;
use crate::status::indexed_by_handle;

indexed_by_handle! { impl [T, H: Key] StablePool<T, H> => T }

impl<T, H: Key> Default for StablePool<T, H> {
    /// An empty pool of any layout; a tagged one has the tag 0.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T, H: Key> StablePool<T, H> {
    /// Passes the flushed pool to a closure that runs the values' code. That code must not insert.
    pub(crate) fn copied<R>(&self, look: impl FnOnce(&Inner<T, H::Kind, H::Layout>) -> R) -> R {
        self.lifecycle.flush();
        self.lifecycle.look_and_copy(look)
    }
}

impl<T: Clone, H: Key> Clone for StablePool<T, H> {
    /// Clones the pool as [`Pool`](crate::Pool) does. A value's `clone` must not insert into the
    /// pool: that panics.
    fn clone(&self) -> Self {
        self.copied(|pool| Self::from_pool(pool.clone()))
    }

    /// Reuses the memory of the pool and of its values.
    fn clone_from(&mut self, original: &Self) {
        let copy = self.lifecycle.pool_mut();
        original.copied(|pool| copy.clone_from(pool));
    }
}

impl<T: PartialEq, H: Key> PartialEq for StablePool<T, H> {
    /// Returns `true` if the same handles are live and resolve to equal values. Pending handles are
    /// not compared.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<T: Eq, H: Key> Eq for StablePool<T, H> {}

impl<T: fmt::Debug, H: Key> fmt::Debug for StablePool<T, H> {
    /// Prints a map from handles to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T, H: Key> Extend<T> for StablePool<T, H> {
    /// Inserts every value.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        self.pool().extend(values);
    }
}

impl<T, const N: usize> From<[T; N]> for StablePool<T> {
    /// The values get the indices 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}

impl<T, H: Key> FromIterator<T> for StablePool<T, H> {
    /// The values get the indices 0, 1, 2, …; the pool has the tag 0.
    ///
    /// # Panics
    ///
    /// When the layout has fewer slots, or there is no memory.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from_pool(values.into_iter().collect())
    }
}

impl<T, H: Key> IntoIterator for StablePool<T, H> {
    type Item = (H, T);
    type IntoIter = IntoIter<T, H>;

    fn into_iter(self) -> Self::IntoIter {
        self.lifecycle.into_inner().with_key().into_iter()
    }
}

impl<'a, T, H: Key> IntoIterator for &'a StablePool<T, H> {
    type Item = (H, &'a T);
    type IntoIter = Iter<'a, T, H>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, H: Key> IntoIterator for &'a mut StablePool<T, H> {
    type Item = (H, &'a mut T);
    type IntoIter = IterMut<'a, T, H>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
