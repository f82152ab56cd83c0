//! Copying a lifecycle with its deferred changes.

use core::cell::Cell;

use super::{Inner, Lifecycle, Lists};
use crate::layout::Layout;
use crate::pool::Pool;

/// Counts as a copy in progress until it is dropped.
pub(crate) struct Copying<'a>(&'a Cell<u32>);

impl Drop for Copying<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Begins a copy. Until the result is dropped, nothing may be inserted (N4).
    pub(crate) fn begin_copy(&self) -> Copying<'_> {
        self.copying.set(self.copying.get() + 1);
        Copying(&self.copying)
    }

    /// Returns `true` while values are being copied or saved.
    #[inline]
    pub(crate) fn is_copying(&self) -> bool {
        self.copying.get() != 0
    }

    /// Passes the pool to a closure that runs the values' code. That code must not insert.
    pub(crate) fn look_and_copy<R>(&self, look: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        let _copying = self.begin_copy();
        self.look(look)
    }
}

impl<T: Clone, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Returns a copy, including all deferred changes.
    pub(crate) fn copy(&self) -> Self {
        let mut copy = if self.lists.look(|lists| lists.frame.is_some()) {
            Self::with_frame(Pool::EMPTY)
        } else {
            Self::new(Pool::EMPTY)
        };
        *copy.unflushed_mut() = self.look_and_copy(Clone::clone);
        copy.copy_deferred(self);
        copy
    }

    /// Makes this a copy of `original`. Reuses memory. If a value's `clone` panics, the pool has
    /// values of both, and the caller must [`reset`](Self::reset) it.
    pub(crate) fn copy_from(&mut self, original: &Self) {
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
        original.look_and_copy(|pool| engine.pool.clone_from(pool));
        self.copy_deferred(original);
    }

    /// Copies the deferred changes of `original`, whose pool has been copied. In the copy, its
    /// uncommitted values are live so far.
    fn copy_deferred(&mut self, original: &Self) {
        let (engine, lists) = self.both_mut();
        original.lists.look(|original| lists.copy_from(original));
        let (word, left) = original.engine.look(|original| original.block.rest());
        engine.block = engine.pool.block(word, left);
        for &handle in &lists.spawned {
            if engine.pool.contains(handle) {
                engine.pool.uncommit(handle);
            }
        }
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Removes all values, and begins again with this frame.
    pub(crate) fn reset(&mut self, frame: super::Frame<K, L>) {
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
        *lists = Lists::new(Some(frame));
        engine.pool.clear();
    }
}
