//! Zero is initialised: lookups that always return a value.

use crate::handle::Handle;
use crate::key::Key;
#[doc(no_inline)]
pub use crate::pool::{
    Drain, ExtractIf, Handles, InsertMany, IntoIter, IntoValues, Iter, IterMut, Loans, PendingHandles, Remainder,
    Values, ValuesMut,
};
use crate::pool::{Pool, as_on_wrapped, wraps_pool};

/// A pool whose lookups always return a value, for code without branches.
///
/// [`resolve`](Self::resolve) returns the value, or the nil value, which is `T::default()`.
/// [`resolve_mut`](Self::resolve_mut) returns the value, or a scratch value that is reset first.
/// Nil and scratch are two values, so a write through a dead handle is never visible elsewhere
/// (except for a `Cell` in the nil value).
///
/// All other methods are those of [`Pool`], through `Deref`. Indices begin at 0, too: nil and
/// scratch are stored next to the pool, not in it.
///
/// ```
/// use tenure::ZiiPool;
///
/// #[derive(Default)]
/// struct Enemy { health: i32 }
///
/// let mut enemies = ZiiPool::new();
/// let orc = enemies.insert(Enemy { health: 10 });
/// enemies.resolve_mut(orc).health -= 3;
/// assert_eq!(enemies.resolve(orc).health, 7);
///
/// enemies.remove(orc);
/// enemies.resolve_mut(orc).health -= 3; // has no effect
/// assert_eq!(enemies.resolve(orc).health, 0);
/// ```
pub struct ZiiPool<T: Default, H: Key = Handle<T>> {
    pool: Pool<T, H>,
    nil: T,
    scratch: T,
}

impl<T: Default> ZiiPool<T> {
    /// Returns an empty pool.
    #[must_use]
    pub fn new() -> Self {
        Self::from(Pool::new())
    }

    /// Returns an empty pool with room for `capacity` values.
    ///
    /// # Panics
    ///
    /// If there is not enough memory, as with `Vec`.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::from(Pool::with_capacity(capacity))
    }
}

impl<T: Default, H: Key> ZiiPool<T, H> {
    /// Like [`with_capacity`](ZiiPool::with_capacity), with any key.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self::from(Pool::with_capacity_and_key(capacity))
    }

    /// Returns the value of the handle, or the nil value.
    #[inline]
    #[must_use]
    pub fn resolve(&self, handle: H) -> &T {
        self.pool.get(handle).unwrap_or(&self.nil)
    }

    /// Returns the value of the handle, or a scratch value, reset to `T::default()`.
    #[inline]
    #[must_use]
    pub fn resolve_mut(&mut self, handle: H) -> &mut T {
        match self.pool.get_mut(handle) {
            Some(value) => value,
            None => {
                self.scratch = T::default();
                &mut self.scratch
            }
        }
    }

    /// Returns the pool without nil and scratch.
    #[must_use]
    pub fn into_inner(self) -> Pool<T, H> {
        self.pool
    }
}

impl<T: Default, H: Key> From<Pool<T, H>> for ZiiPool<T, H> {
    fn from(pool: Pool<T, H>) -> Self {
        Self { pool, nil: T::default(), scratch: T::default() }
    }
}

impl<T: Default + Clone, H: Key> Clone for ZiiPool<T, H> {
    fn clone(&self) -> Self {
        Self::from(self.pool.clone())
    }

    fn clone_from(&mut self, original: &Self) {
        self.pool.clone_from(&original.pool);
    }
}

impl<T: Default, H: Key> ZiiPool<T, H> {
    as_on_wrapped! { pool:
        #[must_use]
        fn get_mut(handle: H) -> Option<&mut T>;
    }
}

wraps_pool! { impl [T: Default, H: Key] ZiiPool<T, H>, around pool: Pool<T, H> }
