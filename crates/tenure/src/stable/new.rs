//! Making a stable pool.

use super::StablePool;
use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::{Inner, Lifecycle};
use crate::pool::Pool;

impl<T> StablePool<T> {
    /// Creates an empty pool. Allocates nothing, and is `const`. For other keys, use
    /// [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates an empty pool with room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_key(capacity)
    }

    /// Creates a pool of `count` values, each made by a closure that gets its handle. The indices
    /// are 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
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
    /// An empty pool, with any key. Allocates nothing.
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

    /// Creates an empty pool whose handles carry a tag, so that they do not resolve in other pools.
    /// See [`Pool::with_tag`].
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
