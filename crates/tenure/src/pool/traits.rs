//! Trait implementations of a pool: comparison, cloning, formatting, indexing.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::Pool;
use crate::key::Key;
use crate::slots::Buffer;
use crate::status::panic_not_live;

impl<T, H: Key, B: Buffer<T>> Index<H> for Pool<T, H, B> {
    type Output = T;

    /// # Panics
    ///
    /// When the handle does not resolve. The message names the handle and the reason.
    ///
    /// ```should_panic
    /// let mut pool = tenure::Pool::new();
    /// let goblin = pool.insert("goblin");
    /// pool.remove(goblin);
    /// pool.insert("chicken");
    /// pool[goblin]; // stale handle str(0v1): slot 0 is at v2
    /// ```
    #[inline(always)]
    #[track_caller]
    fn index(&self, handle: H) -> &T {
        match self.get(handle) {
            Some(value) => value,
            None => panic_not_live(handle, self.why_not_live(handle)),
        }
    }
}

impl<T, H: Key, B: Buffer<T>> IndexMut<H> for Pool<T, H, B> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: H) -> &mut T {
        match self.try_get_mut(handle) {
            Ok(value) => value,
            Err(error) => panic_not_live(handle, error),
        }
    }
}

impl<T, H: Key, B: Buffer<T>> Default for Pool<T, H, B> {
    /// Creates an empty pool of any layout; a tagged one has the tag 0.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Clone, H: Key, B: Buffer<T>> Clone for Pool<T, H, B> {
    /// Returns a pool in which the same handles resolve to clones of the values. Pending handles,
    /// used generations and the order of future handles are the same, too. From then on the pools
    /// are independent: a handle that one of them issues later may resolve to another value in the
    /// other pool, and that is not detected.
    fn clone(&self) -> Self {
        Self::from_slots(self.slots.clone())
    }

    /// Like `clone`, but reuses memory, also that of the values through their `clone_from`:
    /// O(slots), for a checkpoint every frame. The pool continues with the history of the original,
    /// so it may issue again handles that it has issued before. If a clone panics, the pool is
    /// valid and holds a mixture of both. A [fixed capacity](Pool::with_fixed_capacity) stays as it
    /// is.
    ///
    /// # Panics
    ///
    /// When there is no memory, or a fixed capacity is too small.
    #[track_caller]
    #[doc(alias("rollback", "checkpoint", "snapshot"))]
    fn clone_from(&mut self, original: &Self) {
        self.slots.clone_from(&original.slots);
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy, H: Key> Pool<T, H> {
    /// Like `clone`, but faster, for `Copy` values.
    pub(crate) fn copy(&self) -> Self {
        Self::from_slots(self.slots.copy())
    }
}

impl<T: PartialEq, H: Key, B: Buffer<T>> PartialEq for Pool<T, H, B> {
    /// Returns `true` if the same handles are live and resolve to equal values. Pending handles do
    /// not count.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<T: Eq, H: Key, B: Buffer<T>> Eq for Pool<T, H, B> {}

impl<T: fmt::Debug, H: Key, B: Buffer<T>> fmt::Debug for Pool<T, H, B> {
    /// Formats the pool as a map from handles to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
