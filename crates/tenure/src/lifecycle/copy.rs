//! Copies in the middle of a split or a frame.

use core::cell::Cell;

use super::{Inner, Lifecycle, Lists};
use crate::layout::Layout;
use crate::pool::Pool;

/// Counts as a copy that is being made, as long as it exists.
pub(crate) struct Copying<'a>(&'a Cell<u32>);

impl Drop for Copying<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// From now on, until the result is dropped, nothing may be inserted (N4).
    pub(crate) fn begin_copy(&self) -> Copying<'_> {
        self.copying.set(self.copying.get() + 1);
        Copying(&self.copying)
    }

    /// Whether values are being copied or saved.
    #[inline]
    pub(crate) fn is_copying(&self) -> bool {
        self.copying.get() != 0
    }

    /// Passes the pool to a closure that runs code of the values, which must not insert.
    pub(crate) fn look_and_copy<R>(&self, look: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        let _copying = self.begin_copy();
        self.look(look)
    }
}

impl<T: Clone, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// A copy with everything that is deferred.
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

    /// Makes this a copy. Reuses memory. If a clone panics, the lists are empty, and the pool has
    /// some of both.
    pub(crate) fn copy_from(&mut self, original: &Self) {
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
        lists.forget_all();
        original.look_and_copy(|pool| engine.pool.clone_from(pool));
        self.copy_deferred(original);
    }

    /// The pool has been copied, and what is uncommitted in the original is live here so far.
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

impl<K: ?Sized, L: Layout> Lists<K, L> {
    /// Empties the lists, as after a commit.
    fn forget_all(&mut self) {
        let spawned = self.take_spawned();
        self.spawned = spawned;
        self.spawned.clear();
        self.freed.clear();
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Removes everything, and begins with this frame.
    pub(crate) fn reset(&mut self, frame: super::Frame<K, L>) {
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
        *lists = Lists::new(Some(frame));
        engine.pool.clear();
    }
}
