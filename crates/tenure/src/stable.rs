//! A pool whose values never move, so that others can be added while some are borrowed.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

mod access;
mod copying;
mod exclusive;
#[cfg(feature = "serde")]
mod reopen;
mod shared;
mod split;
mod traits;
mod walk;

use core::cell::Cell;

pub(crate) use self::copying::Copying;
pub(crate) use self::split::Frame;
#[doc(alias("CommandBuffer", "command buffer"))]
pub use self::split::Spawner;
pub use self::split::{Alone, Live, Others};
pub use self::walk::{Handles, Iter, LiveIter, LiveIterMut, LiveValues, LiveValuesMut, Values};

#[cfg(feature = "serde")]
pub(crate) use self::reopen::Kept;
pub(crate) use self::shared::{Inner, Shared};
use crate::error::{Full, Rejected};
use crate::handle::Handle;
use crate::layout::{Layout, Tagged, Wide};
use crate::pool::{Pool, issue, panic_full};
use crate::slots::Fault;
use crate::stats::Stats;
use crate::status::{HandleError, Status};

/// A pool whose values never move: insert through `&self` while you hold references to others.
///
/// ```
/// use tenure::StablePool;
///
/// let pool = StablePool::new();
/// let goblin = pool.insert(String::from("goblin"));
/// let name = &pool[goblin];
/// for i in 0..1_000 {
///     pool.insert(format!("{name}'s friend {i}")); // `name` is still good: nothing moves
/// }
/// assert_eq!(name, "goblin");
/// ```
///
/// There are two phases, and the compiler keeps them apart:
///
/// - **shared** (`&self`): [`insert`](Self::insert), [`insert_with`](Self::insert_with),
///   [`reserve_handle`](Self::reserve_handle), [`fill`](Self::fill), [`get`](Self::get),
///   [`iter`](Self::iter). References stay good while more is added.
/// - **exclusive** (`&mut self`): [`get_mut`](Self::get_mut), [`remove`](Self::remove),
///   [`retain`](Self::retain) and everything else.
///
/// And to change some values while others are born: [`split`](Self::split).
///
/// # Cost
///
/// Values lie in chunks, each a quarter as large as all before it (64 slots at least), and a table
/// has a pointer for every 64 slots. Looking up reads that pointer first: 1.2 to 1.5 times the time
/// of a [`Pool`] (figures: [`memory_kinds`](crate::memory_kinds)). Growing copies no value, so no
/// single insertion takes long. It is `Send` and not `Sync`.
#[doc(alias("arena", "stable addresses", "bucket", "colony", "hive"))]
pub struct StablePool<T, K: ?Sized = T, L: Layout = Wide> {
    shared: Shared<T, K, L>,
    /// How many copies are being made: as long as a value's `clone` runs, nothing may be inserted.
    copying: Cell<u32>,
}

impl<T> StablePool<T> {
    /// An empty pool. Allocates nothing, and is `const`. For another `K` or another layout:
    /// [`with_layout`](Self::with_layout).
    #[must_use]
    pub const fn new() -> Self {
        Self::with_layout()
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

impl<T, K: ?Sized, const BITS: u32, L: Layout> StablePool<T, K, Tagged<BITS, L>> {
    /// An empty pool whose handles carry a tag, so that other pools refuse them. See
    /// [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into `BITS` bits.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self::from_pool(Pool::with_tag(tag))
    }
}

/// The shared phase.
impl<T, K: ?Sized, L: Layout> StablePool<T, K, L> {
    pub(crate) const fn from_pool(pool: Inner<T, K, L>) -> Self {
        Self { shared: Shared::new(pool), copying: Cell::new(0) }
    }

    /// An empty pool of any layout. Allocates nothing, and is `const`.
    #[must_use]
    pub const fn with_layout() -> Self {
        Self::from_pool(Pool::with_layout())
    }

    /// Puts a value in and returns its handle. References to other values stay good.
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// let first = pool.insert(1);
    /// let one = &pool[first];
    /// pool.insert(*one + 1);
    /// assert_eq!(*one, 1);
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or a copy of the pool is being made (from
    /// within a value's `clone`).
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "alloc", "spawn"))]
    pub fn insert(&self, value: T) -> Handle<K, L> {
        match self.change(|pool| pool.slots.insert(value)) {
            Ok(place) => issue(place),
            Err((_, kind)) => panic_full(kind),
        }
    }

    /// As [`insert`](Self::insert), with an error that gives the value back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    ///
    /// # Panics
    ///
    /// When a copy of the pool is being made.
    #[inline]
    #[track_caller]
    pub fn try_insert(&self, value: T) -> Result<Handle<K, L>, Full<T>> {
        self.change(|pool| pool.try_insert(value))
    }

    /// Puts in a value that may hold its own handle. The closure may use the pool, and insert into
    /// it.
    ///
    /// While the closure runs, the handle is [pending](Status::Pending). If it panics, the handle
    /// is dead.
    ///
    /// ```
    /// use tenure::{Handle, StablePool};
    ///
    /// struct Node { me: Handle<Node>, child: Option<Handle<Node>> }
    ///
    /// let pool = StablePool::new();
    /// let parent = pool.insert_with(|me| {
    ///     let child = pool.insert_with(|me| Node { me, child: None });
    ///     Node { me, child: Some(child) }
    /// });
    /// assert_eq!(pool[parent].me, parent);
    /// assert_eq!(pool.len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or a copy of the pool is being made.
    #[track_caller]
    #[doc(alias("insert_with_key", "insert_cyclic"))]
    pub fn insert_with(&self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        let reserved = Reserved { pool: self, handle: self.reserve_handle() };
        let value = make(reserved.handle);
        reserved.fill(value)
    }

    /// As [`insert_with`](Self::insert_with), with an error that gives the closure back instead of
    /// a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure has not been called then.
    ///
    /// # Panics
    ///
    /// When a copy of the pool is being made.
    #[track_caller]
    pub fn try_insert_with<F: FnOnce(Handle<K, L>) -> T>(&self, make: F) -> Result<Handle<K, L>, Full<F>> {
        match self.try_reserve_handle() {
            Ok(handle) => {
                let reserved = Reserved { pool: self, handle };
                let value = make(handle);
                Ok(reserved.fill(value))
            }
            Err(full) => Err(full.map(|()| make)),
        }
    }

    /// A handle without a value yet. See [`Pool::reserve_handle`].
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or a copy of the pool is being made.
    #[track_caller]
    #[doc(alias = "name a thing before it exists")]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    pub fn reserve_handle(&self) -> Handle<K, L> {
        match self.try_reserve_handle() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        }
    }

    /// As [`reserve_handle`](Self::reserve_handle), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    ///
    /// # Panics
    ///
    /// When a copy of the pool is being made.
    #[track_caller]
    pub fn try_reserve_handle(&self) -> Result<Handle<K, L>, Full<()>> {
        self.change(Pool::try_reserve_handle)
    }

    /// Gives a reserved handle its value. See [`Pool::fill`].
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the value back when the handle is not pending.
    ///
    /// # Panics
    ///
    /// When a copy of the pool is being made.
    #[track_caller]
    pub fn fill(&self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        self.change(|pool| pool.fill(handle, value))
    }

    /// The value that a handle leads to. It stays where it is while others are added.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        // SAFETY: N2, values are changed and removed with `&mut self` only, and nobody has a
        // newborn alone any more.
        self.shared.find(handle).map(|value| unsafe { value.as_ref() })
    }

    /// As [`get`](Self::get), with an error that says why there is no value.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    #[inline]
    pub fn try_get(&self, handle: Handle<K, L>) -> Result<&T, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    #[cold]
    fn why_not_live(&self, handle: Handle<K, L>) -> HandleError {
        self.look(|pool| pool.why_not_live(handle))
    }

    /// Whether the handle leads to a value.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive"))]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.get(handle).is_some()
    }

    /// What became of a handle. See [`Pool::status`].
    #[must_use]
    #[doc(alias = "find out why a handle failed")]
    pub fn status(&self, handle: Handle<K, L>) -> Status {
        self.look(|pool| pool.status(handle))
    }

    /// How many values there are. Pending and retired slots do not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.look(Pool::len)
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many slots there can be before the pool must grow.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.look(Pool::capacity)
    }

    /// The tag of this pool's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.look(Pool::tag)
    }

    /// The handle of the value at an index, if there is one.
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.handle_at(index))
    }

    /// The handle of a value, from its address. `None` when it does not lie in this pool. Looks
    /// through the chunks, of which there are few.
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// let handle = pool.insert("goblin");
    /// let goblin = &pool[handle];
    /// assert_eq!(pool.handle_of(goblin), Some(handle));
    /// ```
    #[must_use]
    pub fn handle_of(&self, value: &T) -> Option<Handle<K, L>> {
        self.look(|pool| pool.handle_of(value))
    }

    /// Handles and values, by index.
    ///
    /// You may insert while walking. What is inserted on the way may be met or not; each value is
    /// met once.
    pub fn iter(&self) -> Iter<'_, T, K, L> {
        self.shared.settle();
        Iter::new(&self.shared)
    }

    /// Values, by index. As [`iter`](Self::iter).
    pub fn values(&self) -> Values<'_, T, K, L> {
        self.shared.settle();
        Values::new(&self.shared)
    }

    /// Handles of all values, by index. As [`iter`](Self::iter).
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, K, L> {
        self.shared.settle();
        Handles::new(&self.shared)
    }

    /// Counts, memory, and how used up the slots are. Walks all slots.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let stats = self.look(Pool::stats);
        Stats { bytes: stats.bytes + self.shared.bytes_of_lists(), ..stats }
    }

    /// Checks every internal invariant and says which one is broken. See [`Pool::validate`].
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.look(Pool::validate)
    }

    /// Asks the pool something that runs no code of the caller's.
    fn look<R>(&self, ask: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        self.shared.settle();
        self.shared.look(ask)
    }

    /// Changes the pool by something that neither runs code of the caller's nor panics.
    #[inline]
    #[track_caller]
    fn change<R>(&self, change: impl FnOnce(&mut Inner<T, K, L>) -> R) -> R {
        assert!(
            self.copying.get() == 0,
            "the pool is being copied or saved: a value's `clone` or `serialize` cannot insert into it"
        );
        self.shared.settle();
        self.shared.with(change)
    }
}

/// A pending handle whose value is being made. Dropped without one, it is released.
struct Reserved<'a, T, K: ?Sized, L: Layout> {
    pool: &'a StablePool<T, K, L>,
    handle: Handle<K, L>,
}

impl<T, K: ?Sized, L: Layout> Reserved<'_, T, K, L> {
    #[track_caller]
    fn fill(self, value: T) -> Handle<K, L> {
        let handle = self.handle;
        match self.pool.fill(handle, value) {
            Ok(()) => core::mem::forget(self),
            // The closure has filled it itself.
            Err(rejected) => panic!("{rejected}"),
        }
        handle
    }
}

impl<T, K: ?Sized, L: Layout> Drop for Reserved<'_, T, K, L> {
    fn drop(&mut self) {
        self.pool.shared.with(|pool| pool.slots.release(self.handle.index(), self.handle.mark()));
    }
}
