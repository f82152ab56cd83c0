//! A pool without an allocator.

use crate::handle::Handle;
use crate::key::Key;
use crate::pool::{self, Pool, as_on_wrapped, wraps_pool};
use crate::slots::Inline;

/// A pool of at most `N` values, stored in the struct itself: without an allocator, and with a
/// `const` constructor, so that it can be a `static`.
///
/// When the pool is full, [`try_insert`](Pool::try_insert) returns the value in the error. Slots
/// are reused. A slot that has used up its generations is retired, after 2³¹ tenants (successive
/// values of one slot) with the layout [`Wide`](crate::Wide).
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
/// assert_eq!(sessions.try_insert(3).unwrap_err().into_inner(), 3); // full
///
/// sessions.remove(first);
/// assert!(sessions.try_insert(3).is_ok());
/// assert!(sessions.get(first).is_none());
/// ```
///
/// It dereferences to [`Pool`] and has its other methods, except those that grow or shrink.
///
/// It takes 4 bytes per slot in addition to the value (rounded up to the alignment of the values),
/// one byte per slot for bits, and less than 100 bytes for the pool. As a `static` it is in `.bss`
/// and takes no space in the program's file. Moving the pool moves the values: put a large one into
/// a `static` or a `Box`.
pub struct FixedPool<T, const N: usize, H: Key = Handle<T>> {
    pool: Pool<T, H, Inline<T, N>>,
}

impl<T, const N: usize> FixedPool<T, N> {
    /// Creates an empty pool. For other keys: [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates a pool of `count` values, each made from its own handle. The indices are 0, 1, 2, ….
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

impl<T, const N: usize, H: Key> FixedPool<T, N, H> {
    /// Creates an empty pool whose handles carry a tag, so that they do not resolve in other pools.
    /// See [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self { pool: Pool::with_tag(tag) }
    }
}

impl<T, const N: usize, H: Key> FixedPool<T, N, H> {
    /// An empty pool, with any key. A constant, so that it can initialize a `static`.
    pub const EMPTY: Self = Self { pool: Pool::EMPTY };

    /// Returns the number of values. Pending and retired slots do not count.
    ///
    /// ```
    /// let mut pool: tenure::FixedPool<u32, 8> = tenure::FixedPool::new();
    /// pool.insert(7);
    /// assert_eq!(pool.len(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pool.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    as_on_wrapped! { pool:
        #[must_use]
        fn get_mut(handle: H) -> Option<&mut T>;
    }

    /// Converts the pool into an iterator over its values, in index order.
    pub fn into_values(self) -> IntoValues<T, N, H> {
        self.pool.into_values()
    }

    /// Replaces every value, also by one of another type. Handles stay the same. See
    /// [`Pool::map_values`].
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> FixedPool<U, N, H> {
        FixedPool { pool: self.pool.map_values(convert) }
    }
}

impl<T, const N: usize, H: Key> From<Pool<T, H, Inline<T, N>>> for FixedPool<T, N, H> {
    fn from(pool: Pool<T, H, Inline<T, N>>) -> Self {
        Self { pool }
    }
}

impl<T: Clone, const N: usize, H: Key> Clone for FixedPool<T, N, H> {
    fn clone(&self) -> Self {
        Self { pool: self.pool.clone() }
    }

    fn clone_from(&mut self, original: &Self) {
        self.pool.clone_from(&original.pool);
    }
}

wraps_pool! {
    impl [T, const N: usize, H: Key] FixedPool<T, N, H>, around pool: Pool<T, H, Inline<T, N>>, unwrapped by |this| this.pool
}

/// The iterators and guards of a pool that is stored inline.
macro_rules! as_inline {
    ($($name:ident<$($a:lifetime,)? T $(, $F:ident)?>, $method:literal;)*) => {$(
        #[doc = concat!("[`pool::", stringify!($name), "`](pool::", stringify!($name), ") of a fixed pool: see ", $method, ".")]
        pub type $name<$($a,)? T $(, $F)?, const N: usize, H = Handle<T>> = pool::$name<$($a,)? T $(, $F)?, H, Inline<T, N>>;
    )*};
}

as_inline! {
    Drain<'a, T>, "[`Pool::drain`]";
    ExtractIf<'a, T, F>, "[`Pool::extract_if`]";
    IntoIter<T>, "`for … in pool`";
    IntoValues<T>, "[`FixedPool::into_values`]";
    Loans<'a, T>, "[`Pool::borrow_many`]";
    PendingHandles<'a, T>, "[`Pool::pending_handles`]";
}

#[doc(no_inline)]
pub use crate::pool::{Handles, InsertMany, Iter, IterMut, Remainder, Values, ValuesMut};
#[cfg(feature = "rayon")]
#[doc(no_inline)]
pub use crate::pool::{ParIter, ParIterMut};
