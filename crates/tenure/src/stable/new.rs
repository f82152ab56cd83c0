//! Making a stable pool.

use super::StablePool;
use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::{Inner, Lifecycle};
use crate::pool::Pool;

impl<T> StablePool<T> {
    /// An empty pool. Allocates nothing, and is `const`. For other keys:
    /// [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// An empty pool with room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is no such room, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve_exact(capacity);
        pool
    }

    /// A pool of `count` values that know their own handles; the indices are 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When there is no such room.
    #[must_use]
    #[track_caller]
    pub fn from_fn(count: usize, mut make: impl FnMut(Handle<T>) -> T) -> Self {
        let pool = Self::with_capacity(count);
        for _ in 0..count {
            pool.insert_with(&mut make);
        }
        pool
    }
}

impl<T, H: Key> StablePool<T, H> {
    /// An empty pool, with any key. Allocates nothing; a `const`, so that it can stand in a
    /// `static`.
    #[expect(clippy::declare_interior_mutable_const, reason = "every use is an empty pool of its own")]
    pub const EMPTY: Self = Self::from_pool(Pool::EMPTY);

    /// Like [`with_capacity`](StablePool::with_capacity), with any key.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        let mut pool = Self::EMPTY;
        pool.reserve_exact(capacity);
        pool
    }

    /// An empty pool whose handles carry a tag, so that other pools refuse them. See
    /// [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self::from_pool(Pool::with_tag(tag))
    }

    pub(crate) const fn from_pool(pool: Inner<T, H::Kind, H::Layout>) -> Self {
        Self { lifecycle: Lifecycle::new(pool) }
    }
}
