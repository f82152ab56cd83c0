//! Constructors and sizes of a pool.

use super::Pool;
#[cfg(feature = "alloc")]
use crate::handle::Handle;
use crate::handle::tag_to_mark;
use crate::key::Key;
use crate::layout::Layout;
use crate::slots::{Buffer, Slots};

#[cfg(feature = "alloc")]
impl<T> Pool<T> {
    /// Creates an empty pool. Does not allocate, and is `const`.
    ///
    /// For other keys: [`Pool::EMPTY`](Self::EMPTY).
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use tenure::Pool;
    ///
    /// static NAMES: Mutex<Pool<String>> = Mutex::new(Pool::new());
    /// let ada = NAMES.lock().unwrap().insert("Ada".into());
    /// assert_eq!(NAMES.lock().unwrap()[ada], "Ada");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates an empty pool with room for `capacity` values. For other keys:
    /// [`with_capacity_and_key`](Self::with_capacity_and_key).
    ///
    /// ```
    /// let pool: tenure::Pool<u64> = tenure::Pool::with_capacity(100);
    /// assert!(pool.capacity() >= 100 && pool.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve_exact(capacity);
        pool
    }

    /// Creates an empty pool with room for `capacity` values. It allocates now, and does not grow.
    ///
    /// When it is full, [`try_insert`](Self::try_insert) returns the value in the error and
    /// [`insert`](Self::insert) panics. Slots are reused. [`shrink_to_fit`](Self::shrink_to_fit)
    /// releases no memory, and a clone has the same capacity.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::with_fixed_capacity(2);
    /// let first = pool.insert("a");
    /// pool.insert("b");
    /// assert_eq!(pool.try_insert("c").unwrap_err().into_inner(), "c");
    /// pool.remove(first);
    /// assert!(pool.try_insert("c").is_ok());
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    #[doc(alias("bounded", "budget", "max_capacity"))]
    pub fn with_fixed_capacity(capacity: usize) -> Self {
        let mut pool = Self::with_capacity(capacity);
        pool.slots.fix_capacity();
        pool
    }

    /// Creates a pool of `count` values, each made from its own handle. The indices are 0, 1, 2, ….
    ///
    /// ```
    /// let pool = tenure::Pool::from_fn(3, |handle| format!("I am {handle}"));
    /// assert_eq!(pool.values().next().unwrap(), "I am String(0v1)");
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    #[doc(alias = "prefill")]
    pub fn from_fn(count: usize, make: impl FnMut(Handle<T>) -> T) -> Self {
        let mut pool = Self::with_capacity(count);
        pool.insert_each(count, make);
        pool
    }
}

#[cfg(feature = "alloc")]
impl<T, H: Key> Pool<T, H> {
    /// Like [`with_capacity`](Pool::with_capacity), for any key.
    ///
    /// ```
    /// use tenure::{Compact, Handle, Pool};
    ///
    /// let pool: Pool<u8, Handle<u8, Compact>> = Pool::with_capacity_and_key(100);
    /// assert!(pool.capacity() >= 100);
    /// ```
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
}

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// An empty pool, for any key. Does not allocate; a constant, so that it can initialize a
    /// `static`.
    ///
    /// ```
    /// use tenure::{Compact, Handle, Pool};
    ///
    /// const EMPTY: Pool<u8, Handle<u8, Compact>> = Pool::EMPTY;
    /// assert!(EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self::from_slots(Slots::EMPTY);

    /// Creates an empty pool whose handles carry a tag, so that they do not resolve in other pools.
    /// The layout of its handles is [`Tagged`](crate::Tagged).
    ///
    /// The caller chooses the tags. Two pools with the same tag do not detect each other's handles.
    ///
    /// ```
    /// use tenure::{Handle, Pool, Status, Tagged};
    ///
    /// type Key = Handle<str, Tagged<4>>;
    /// let mut orcs: Pool<&str, Key> = Pool::with_tag(1);
    /// let mut elves: Pool<&str, Key> = Pool::with_tag(2);
    /// let orc = orcs.insert("orc");
    /// elves.insert("elf");
    /// assert_eq!(elves.get(orc), None);
    /// assert_eq!(elves.status(orc), Status::Foreign);
    /// ```
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout. In a layout without tags, only 0
    /// fits.
    #[must_use]
    #[track_caller]
    #[doc(alias = "tell two pools handles apart")]
    pub const fn with_tag(tag: u32) -> Self {
        assert!(
            (tag as u64) < 1 << <H::Layout as Layout>::TAG_BITS,
            "the tag does not fit into the layout's tag bits"
        );
        Self::from_slots(Slots::with_base_mark(tag_to_mark::<H::Layout>(tag)))
    }

    /// Returns the number of values. Pending and retired slots do not count.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.slots.len() == 0
    }

    /// Returns the number of slots that the pool has memory for.
    ///
    /// Slots that are pending or retired take up capacity and hold no value.
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.slots.capacity() as usize
    }
}
