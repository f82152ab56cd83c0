//! Zero is initialised: lookups that always return a value.

use crate::handle::Handle;
use crate::key::Key;
#[doc(no_inline)]
pub use crate::pool::{
    Drain, ExtractIf, Handles, InsertMany, IntoIter, IntoValues, Iter, IterMut, Loans, PendingHandles, Remainder,
    Values, ValuesMut,
};
#[cfg(feature = "rayon")]
#[doc(no_inline)]
pub use crate::pool::{ParIter, ParIterMut};
use crate::pool::{Pool, as_on_wrapped, wraps_pool};

/// A pool whose lookups always return a value, for code without branches.
///
/// [`resolve`](Self::resolve) returns the value, or the nil value, which is `T::default()`.
/// [`resolve_mut`](Self::resolve_mut) returns the value, or a scratch value that is reset first.
/// Nil and scratch are two values, so a write through a dead handle is never visible elsewhere
/// (except for a `Cell` in the nil value).
///
/// The methods of [`Pool`] that borrow it are available through `Deref`. Its constructors are
/// called on the pool: `ZiiPool::from(Pool::from_fn(…))`. Indices begin at 0, too: nil and scratch
/// are stored next to the pool, not in it.
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

    /// Creates an empty pool whose handles carry a tag, so that they do not resolve in other pools.
    /// See [`Pool::with_tag`].
    ///
    /// ```
    /// use tenure::{Handle, Tagged, ZiiPool};
    ///
    /// let mut orcs: ZiiPool<u32, Handle<u32, Tagged<4>>> = ZiiPool::with_tag(1);
    /// let mut elves: ZiiPool<u32, Handle<u32, Tagged<4>>> = ZiiPool::with_tag(2);
    /// let orc = orcs.insert(10);
    /// elves.insert(20);
    /// assert_eq!((*orcs.resolve(orc), *elves.resolve(orc)), (10, 0));
    /// ```
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub fn with_tag(tag: u32) -> Self {
        Self::from(Pool::with_tag(tag))
    }

    /// Returns the value of the handle, or the nil value.
    ///
    /// ```
    /// let mut names: tenure::ZiiPool<String> = tenure::ZiiPool::new();
    /// let orc = names.insert("orc".into());
    /// assert_eq!(names.resolve(orc), "orc");
    /// names.remove(orc);
    /// assert_eq!(names.resolve(orc), "");
    /// ```
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
        let Self { pool, nil, scratch } = self;
        // Dropped here, and not at the end: if a destructor panics there, the return value leaks.
        drop((nil, scratch));
        pool
    }

    /// Returns an owning iterator over the values, in index order, without nil and scratch.
    ///
    /// ```
    /// let pool: tenure::ZiiPool<u32> = [1, 2].into_iter().collect();
    /// assert!(pool.into_values().eq([1, 2]));
    /// ```
    pub fn into_values(self) -> IntoValues<T, H> {
        self.into_inner().into_values()
    }

    /// Replaces every value, also by one of another type. Handles stay the same; nil and scratch
    /// are `U::default()`. See [`Pool::map_values`].
    ///
    /// ```
    /// let mut points = tenure::ZiiPool::new();
    /// let orc = points.insert(7);
    /// let words = points.map_values(|points: u32| points.to_string());
    /// assert_eq!(words.resolve(orc), "7");
    /// assert_eq!(words.resolve(tenure::Handle::NIL), "");
    /// ```
    #[must_use]
    pub fn map_values<U: Default>(self, convert: impl FnMut(T) -> U) -> ZiiPool<U, H> {
        ZiiPool::from(self.into_inner().map_values(convert))
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

wraps_pool! { impl [T: Default, H: Key] ZiiPool<T, H>, around pool: Pool<T, H>, unwrapped by Self::into_inner }
