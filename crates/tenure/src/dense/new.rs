//! Making a dense pool.

use super::DensePool;
use crate::handle::Handle;
use crate::key::Key;
use crate::table::Table;

impl<T> DensePool<T> {
    /// Creates an empty pool. Does not allocate.
    ///
    /// For other keys: [`DensePool::default`] or [`DensePool::EMPTY`].
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates an empty pool with room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is not enough memory, or the layout has too few slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve_exact(capacity);
        pool
    }

    /// Creates a pool of `count` values, each made from its own handle. Indices and rows are 0, 1,
    /// 2, ….
    ///
    /// # Panics
    ///
    /// When there is not enough memory, or the layout has too few slots.
    #[must_use]
    #[track_caller]
    pub fn from_fn(count: usize, mut make: impl FnMut(Handle<T>) -> T) -> Self {
        let mut pool = Self::with_capacity(count);
        (0..count).for_each(|_| _ = pool.insert_with(&mut make));
        pool
    }
}

impl<T, H: Key> DensePool<T, H> {
    /// An empty pool, with any key. A constant, so that it can initialize a `static`.
    pub const EMPTY: Self = Self { table: Table::EMPTY };

    /// Like [`with_capacity`](DensePool::with_capacity), with any key.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self { table: Table::with_capacity_and_key(capacity) }
    }

    /// Creates an empty pool whose handles carry a tag, so that they do not resolve in other pools.
    /// See [`Pool::with_tag`](crate::Pool::with_tag).
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self { table: Table::with_tag(tag) }
    }
}
