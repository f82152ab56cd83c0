//! What a stable pool does through `&self`, and its split.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

use super::{Handles, Iter, Live, PendingHandles, Spawner, StablePool, Values};
use crate::error::{Full, Rejected};
use crate::key::{HandleOf, Key};
use crate::lifecycle::Inner;
use crate::pool::Pool;
use crate::slots::{Chunks, Fault, Slots};
use crate::stats::Stats;
use crate::status::{HandleError, Status};

/// The shared phase.
impl<T, H: Key> StablePool<T, H> {
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
        match self.try_insert(value) {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
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
        self.change(|pool| pool.try_insert(value)).map(H::from_handle)
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
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        // SAFETY: by X1 values are mutated and removed with `&mut self` only, and no split is open.
        self.lifecycle.find(handle.handle()).map(|value| unsafe { value.as_ref() })
    }

    /// Returns the value of a handle without checking that it resolves.
    ///
    /// # Safety
    ///
    /// The handle resolves: [`contains`](Self::contains) returns `true`.
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// let handle = pool.insert(7);
    /// // SAFETY: the value was inserted just now.
    /// assert_eq!(unsafe { *pool.get_unchecked(handle) }, 7);
    /// ```
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: H) -> &T {
        // SAFETY: the caller's: `get` returns a value.
        unsafe { self.get(handle).unwrap_unchecked() }
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
    pub fn pending_handles(&self) -> PendingHandles<'_, T, H> {
        self.lifecycle.flush();
        PendingHandles::new(&self.lifecycle)
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
