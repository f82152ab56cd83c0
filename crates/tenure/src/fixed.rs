//! A pool without an allocator.

use crate::handle::Handle;
use crate::layout::{Layout, Tagged, Wide};
use crate::pool::{IntoValues, Pool, as_on_wrapped, wraps_pool};
use crate::slots::Inline;

/// A pool of at most `N` values, in itself: no allocator, `const`, fit for a `static`.
///
/// A full pool answers [`try_insert`](Pool::try_insert) with the value. Slots are reused for ever,
/// until one has had all the tenants that its layout can tell apart (2³¹ with [`Wide`]).
///
/// ```
/// use std::sync::Mutex;
/// use tenure::FixedPool;
///
/// static SESSIONS: Mutex<FixedPool<u32, 2>> = Mutex::new(FixedPool::new());
///
/// let mut sessions = SESSIONS.lock().unwrap();
/// let first = sessions.insert(1);
/// sessions.insert(2);
/// assert_eq!(sessions.try_insert(3).unwrap_err().into_inner(), 3); // full: the value comes back
///
/// sessions.remove(first);
/// assert!(sessions.try_insert(3).is_ok());
/// assert!(sessions.get(first).is_none());
/// ```
///
/// Everything else is there as on [`Pool`], through `Deref`, but for what grows and shrinks.
///
/// It takes 4 bytes per slot more than the values (rounded up to their alignment), one byte for
/// bits, and less than 100 bytes beside. As a `static` it lies in `.bss` and costs no space in the
/// program's file. Moving the pool moves the values: a large one belongs into a `static` or a
/// `Box`.
pub struct FixedPool<T, const N: usize, K: ?Sized = T, L: Layout = Wide> {
    pool: Pool<T, K, L, Inline<T, N>>,
}

impl<T, const N: usize> FixedPool<T, N> {
    /// An empty pool. `const`. For another `K` or another layout:
    /// [`with_layout`](Self::with_layout).
    #[must_use]
    pub const fn new() -> Self {
        Self::with_layout()
    }

    /// A pool of `count` values that know their own handles; the indices are 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When `count` is more than `N`.
    #[must_use]
    #[track_caller]
    pub fn from_fn(count: usize, make: impl FnMut(Handle<T>) -> T) -> Self {
        let mut pool = Self::new();
        pool.insert_each(count, make);
        pool
    }
}

impl<T, const N: usize, K: ?Sized, const BITS: u32, L: Layout> FixedPool<T, N, K, Tagged<BITS, L>> {
    /// An empty pool whose handles carry a tag, so that other pools refuse them. See
    /// [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into `BITS` bits.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self { pool: Pool::with_tag(tag) }
    }
}

impl<T, const N: usize, K: ?Sized, L: Layout> FixedPool<T, N, K, L> {
    /// An empty pool of any layout. `const`.
    #[must_use]
    pub const fn with_layout() -> Self {
        Self { pool: Pool::with_layout() }
    }

    as_on_wrapped! { pool:
        #[must_use]
        fn get_mut(handle: Handle<K, L>) -> Option<&mut T>;
    }

    /// The values alone, by index.
    pub fn into_values(self) -> IntoValues<T, K, L, Inline<T, N>> {
        self.pool.into_values()
    }

    /// The same handles, leading to other values. See [`Pool::map_values`].
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> FixedPool<U, N, K, L> {
        FixedPool { pool: self.pool.map_values(convert) }
    }
}

impl<T, const N: usize, K: ?Sized, L: Layout> From<Pool<T, K, L, Inline<T, N>>> for FixedPool<T, N, K, L> {
    fn from(pool: Pool<T, K, L, Inline<T, N>>) -> Self {
        Self { pool }
    }
}

impl<T: Clone, const N: usize, K: ?Sized, L: Layout> Clone for FixedPool<T, N, K, L> {
    fn clone(&self) -> Self {
        Self { pool: self.pool.clone() }
    }

    fn clone_from(&mut self, original: &Self) {
        self.pool.clone_from(&original.pool);
    }
}

wraps_pool! {
    impl [T, const N: usize, K: ?Sized, L: Layout] FixedPool<T, N, K, L>, around pool: Pool<T, K, L, Inline<T, N>>
}
