//! A pool whose values never move, so that others can be added while some are borrowed.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

mod exclusive;
mod traits;

use crate::error::{Full, Rejected};
use crate::handle::Handle;
use crate::key::{HandleOf, Key, KeyExt};
pub use crate::lifecycle::{
    Handles, Iter, Live, LiveIter, LiveIterMut, LiveLoans, LiveValues, LiveValuesMut, Others, OthersIter, Spawner,
    Values,
};
use crate::lifecycle::{Inner, Lifecycle};
use crate::pool::{Pool, panic_full};
use crate::slots::{Chunks, Fault, FullKind, SlotRef, Slots};
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
pub struct StablePool<T, H: Key = Handle<T>> {
    lifecycle: Lifecycle<T, H::Kind, H::Layout>,
}

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
}

/// The shared phase.
impl<T, H: Key> StablePool<T, H> {
    pub(crate) const fn from_pool(pool: Inner<T, H::Kind, H::Layout>) -> Self {
        Self { lifecycle: Lifecycle::new(pool) }
    }

    /// An empty pool, with any key. Allocates nothing; a `const`, so that it can stand in a
    /// `static`.
    #[expect(clippy::declare_interior_mutable_const, reason = "every use is an empty pool of its own")]
    pub const EMPTY: Self = Self::from_pool(Pool::EMPTY);

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
    pub fn insert(&self, value: T) -> H {
        match self.take_slot() {
            Ok(slot) => self.write_taken(slot, value),
            Err(kind) => panic_full(kind),
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
    pub fn try_insert(&self, value: T) -> Result<H, Full<T>> {
        match self.take_slot() {
            Ok(slot) => Ok(self.write_taken(slot, value)),
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    /// Takes the slot of the next value. The value is not passed in: see [`Slots::take_slot`].
    #[inline]
    #[track_caller]
    fn take_slot(&self) -> Result<SlotRef, FullKind> {
        self.change(|pool| pool.slots.take_slot())
    }

    /// Writes the value of the slot that [`take_slot`](Self::take_slot) just returned.
    #[inline]
    fn write_taken(&self, slot: SlotRef, value: T) -> H {
        self.lifecycle.change(|pool| pool.slots.write_taken(slot, value));
        H::from_slot(slot)
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
    pub fn insert_with(&self, make: impl FnOnce(H) -> T) -> H {
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
    pub fn try_insert_with<F: FnOnce(H) -> T>(&self, make: F) -> Result<H, Full<F>> {
        match self.try_reserve_handle() {
            Ok(handle) => {
                let reserved = Reserved { pool: self, handle };
                let value = make(handle);
                Ok(reserved.fill(value))
            }
            Err(full) => Err(full.map(|()| make)),
        }
    }

    /// Like [`insert_with`](Self::insert_with), for a closure that may fail. On `Err` the handle is
    /// issued again.
    ///
    /// # Errors
    ///
    /// The closure's.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or a copy of the pool is being made.
    #[track_caller]
    pub fn insert_with_result<E>(&self, make: impl FnOnce(H) -> Result<T, E>) -> Result<H, E> {
        let reserved = Reserved { pool: self, handle: self.reserve_handle() };
        match make(reserved.handle) {
            Ok(value) => Ok(reserved.fill(value)),
            Err(error) => {
                reserved.take_back();
                Err(error)
            }
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
    pub fn reserve_handle(&self) -> H {
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
    pub fn try_reserve_handle(&self) -> Result<H, Full<()>> {
        self.change(Pool::try_reserve_handle).map(H::from_handle)
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
    pub fn fill(&self, handle: H, value: T) -> Result<(), Rejected<T>> {
        let handle = handle.handle();
        self.change(|pool| pool.fill(handle, value))
    }

    /// The value that a handle leads to. It stays where it is while others are added.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        match self.lifecycle.find(handle.handle()) {
            // SAFETY: by X1 values are mutated and removed with `&mut self` only, and no split is
            // open.
            Some(value) => Some(unsafe { &*value.as_ptr() }),
            None => None,
        }
    }

    /// As [`get`](Self::get), with an error that says why there is no value.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    #[inline]
    pub fn try_get(&self, handle: H) -> Result<&T, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    pub(crate) fn check_raw(&self, handle: HandleOf<H>) -> Result<(), HandleError> {
        if self.lifecycle.find(handle).is_some() {
            return Ok(());
        }
        Err(self.look(|pool| pool.why_not_live(handle)))
    }

    #[cold]
    fn why_not_live(&self, handle: H) -> HandleError {
        let handle = handle.handle();
        self.look(|pool| pool.why_not_live(handle))
    }

    /// Whether the handle leads to a value.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive"))]
    pub fn contains(&self, handle: H) -> bool {
        self.get(handle).is_some()
    }

    /// What became of a handle. See [`Pool::status`].
    #[must_use]
    #[doc(alias = "find out why a handle failed")]
    pub fn status(&self, handle: H) -> Status {
        let handle = handle.handle();
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
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.look(|pool| pool.handle_at(index)).map(H::from_handle)
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
    pub fn handle_of(&self, value: &T) -> Option<H> {
        self.look(|pool| pool.handle_of(value)).map(H::from_handle)
    }

    /// Handles and values, by index.
    ///
    /// You may insert while walking. What is inserted on the way may be met or not; each value is
    /// met once.
    pub fn iter(&self) -> Iter<'_, T, H> {
        self.lifecycle.flush();
        Iter::new(&self.lifecycle)
    }

    /// Values, by index. As [`iter`](Self::iter).
    pub fn values(&self) -> Values<'_, T, H> {
        self.lifecycle.flush();
        Values::new(&self.lifecycle)
    }

    /// Handles of all values, by index. As [`iter`](Self::iter).
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, H> {
        self.lifecycle.flush();
        Handles::new(&self.lifecycle)
    }

    /// Returns the handle of the first value, by index, for which the closure returns `true`.
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&T) -> bool) -> Option<H> {
        self.iter().find(|(_, value)| accept(value)).map(|(handle, _)| handle)
    }

    /// Returns the handle that the next [`insert`](Self::insert) will issue. `None` when the pool
    /// is full.
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.look(Pool::next_handle).map(H::from_handle)
    }

    /// An iterator over the handles that are [pending](Status::Pending): reserved or taken, and not
    /// filled. By index.
    pub fn pending_handles(&self) -> impl Iterator<Item = H> {
        let mut next = 0;
        core::iter::from_fn(move || {
            let slot = self.look(|pool| pool.next_pending(next))?;
            next = slot.index + 1;
            Some(H::from_slot(slot))
        })
    }

    /// Counts, memory, and how used up the slots are. Walks all slots.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let stats = self.look(Pool::stats);
        Stats { bytes: stats.bytes + self.lifecycle.bytes_of_lists(), ..stats }
    }

    /// Checks every internal invariant and says which one is broken. See [`Pool::validate`].
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.look(Pool::validate)
    }

    /// Two halves: one to look up and mutate what is live now, one to spawn other values meanwhile.
    ///
    /// Both can be used at the same time, in one loop, without a list of things to do later:
    ///
    /// ```
    /// use tenure::{Handle, StablePool};
    ///
    /// struct Effect { age: u32, spark: Option<Handle<Effect>> }
    ///
    /// let mut effects = StablePool::new();
    /// effects.insert(Effect { age: 0, spark: None });
    ///
    /// let (mut live, spawner) = effects.split();
    /// for effect in live.values_mut() {
    ///     effect.spark = Some(spawner.spawn(Effect { age: 0, spark: None }));
    ///     effect.age += 1; // the pool has grown, and `effect` is still where it was
    /// }
    /// drop((live, spawner));
    /// assert_eq!(effects.len(), 2);
    /// ```
    ///
    /// Spawned values are not visited by iterators and do not resolve before both halves are
    /// dropped. The slot of a removed value is free then; its handle is stale at once.
    /// [Forgetting](core::mem::forget) a half is harmless: the next use of the pool commits what
    /// was spawned, and the next exclusive use removes what was marked for despawn.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    pub fn split(&mut self) -> (Live<'_, T, H>, Spawner<'_, T, H>) {
        self.lifecycle.split()
    }

    /// The address of the engine, for joins. Nothing is deferred.
    pub(crate) fn engine(&self) -> *const Slots<T, H::Layout, Chunks<T>> {
        self.lifecycle.flush();
        self.lifecycle.slots()
    }

    /// Asks the pool something that runs no code of the caller's.
    fn look<R>(&self, ask: impl FnOnce(&Inner<T, H::Kind, H::Layout>) -> R) -> R {
        self.lifecycle.flush();
        self.lifecycle.look(ask)
    }

    /// Changes the pool by something that neither runs code of the caller's nor panics.
    #[inline]
    #[track_caller]
    fn change<R>(&self, change: impl FnOnce(&mut Inner<T, H::Kind, H::Layout>) -> R) -> R {
        assert!(
            !self.lifecycle.is_copying(),
            "the pool is being copied or saved: a value's `clone` or `serialize` cannot insert into it"
        );
        self.lifecycle.flush();
        self.lifecycle.change(change)
    }
}

/// A pending handle whose value is being made. Dropped without one, it is released.
struct Reserved<'a, T, H: Key> {
    pool: &'a StablePool<T, H>,
    handle: H,
}

impl<T, H: Key> Reserved<'_, T, H> {
    #[track_caller]
    fn fill(self, value: T) -> H {
        let handle = self.handle;
        match self.pool.fill(handle, value) {
            Ok(()) => core::mem::forget(self),
            // The closure has filled it itself.
            Err(rejected) => panic!("{rejected}"),
        }
        handle
    }
}

impl<T, H: Key> Reserved<'_, T, H> {
    /// The handle is issued again, unless the closure has filled or released it.
    fn take_back(self) {
        let handle = self.handle.handle();
        self.pool.lifecycle.change(|pool| {
            if pool.is_pending(handle) {
                pool.unreserve(handle);
            }
        });
        core::mem::forget(self);
    }
}

impl<T, H: Key> Drop for Reserved<'_, T, H> {
    fn drop(&mut self) {
        self.pool.lifecycle.release(self.handle.handle());
    }
}
