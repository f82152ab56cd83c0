//! What a stable pool does through `&self`, and its split.
#![expect(unsafe_code, reason = "declares get_unchecked")]

use super::{Handles, Iter, Live, PendingHandles, Spawner, StablePool, Values};
use crate::error::{Full, Rejected};
use crate::key::{HandleOf, Key, KeyExt};
use crate::lifecycle::Inner;
use crate::pool::{Pool, panic_full};
use crate::slots::{Chunks, Fault, FullKind, SlotRef, Slots};
use crate::stats::Stats;
use crate::status::{HandleError, Status};

/// The shared phase.
impl<T, H: Key> StablePool<T, H> {
    /// Inserts a value and returns its handle. References to other values stay valid. O(1).
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
    /// When the pool is full, or there is no memory, or the pool is being copied or saved (from
    /// within a value's `clone` or `serialize`).
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "alloc", "spawn"))]
    pub fn insert(&self, value: T) -> H {
        match self.take_slot() {
            Ok(slot) => self.write_taken(slot, value),
            Err(kind) => panic_full(kind),
        }
    }

    /// Like [`insert`](Self::insert), but returns the value in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    ///
    /// # Panics
    ///
    /// When the pool is being copied or saved (from within a value's `clone` or `serialize`).
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

    /// Inserts a value that may hold its own handle. The closure may use the pool and insert into
    /// it.
    ///
    /// While the closure runs, the handle is [pending](Status::Pending). If the closure panics, the
    /// handle is released and never resolves.
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
    /// When the pool is full, or there is no memory, or the pool is being copied or saved.
    #[track_caller]
    #[doc(alias("insert_with_key", "insert_cyclic"))]
    pub fn insert_with(&self, make: impl FnOnce(H) -> T) -> H {
        let reserved = self.must_reserve_one();
        let key = H::from_handle(reserved.handle);
        reserved.fill(make(key));
        key
    }

    /// Like [`insert_with`](Self::insert_with), but returns the closure in the error instead of
    /// panicking when there is no room.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure is not called in this case.
    ///
    /// # Panics
    ///
    /// When the pool is being copied or saved (from within a value's `clone` or `serialize`).
    #[track_caller]
    pub fn try_insert_with<F: FnOnce(H) -> T>(&self, make: F) -> Result<H, Full<F>> {
        match self.try_reserve_one() {
            Ok(reserved) => {
                let key = H::from_handle(reserved.handle);
                reserved.fill(make(key));
                Ok(key)
            }
            Err(full) => Err(full.map(|()| make)),
        }
    }

    /// Like [`insert_with`](Self::insert_with), for a closure that returns a `Result`. If it
    /// returns `Err`, nothing is inserted, and the next insertion issues the same handle.
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// assert!(pool.insert_with_result(|_| "x".parse::<i32>()).is_err());
    /// let seven = pool.insert_with_result(|_| "7".parse::<i32>()).unwrap();
    /// assert_eq!((pool[seven], seven.index()), (7, 0));
    /// ```
    ///
    /// # Errors
    ///
    /// The closure's error.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or the pool is being copied or saved.
    #[track_caller]
    pub fn insert_with_result<E>(&self, make: impl FnOnce(H) -> Result<T, E>) -> Result<H, E> {
        let reserved = self.must_reserve_one();
        let key = H::from_handle(reserved.handle);
        match make(key) {
            Ok(value) => {
                reserved.fill(value);
                Ok(key)
            }
            Err(error) => {
                reserved.take_back();
                Err(error)
            }
        }
    }

    #[track_caller]
    fn must_reserve_one(&self) -> Reserved<'_, T, H> {
        match self.try_reserve_one() {
            Ok(reserved) => reserved,
            Err(full) => panic!("{full}"),
        }
    }

    #[track_caller]
    fn try_reserve_one(&self) -> Result<Reserved<'_, T, H>, Full<()>> {
        self.change(Pool::try_reserve_handle).map(|handle| Reserved { pool: self, handle })
    }

    /// Reserves a handle that gets its value later. See [`Pool::reserve_handle`].
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// let goblin = pool.reserve_handle(); // others can refer to it already
    /// assert_eq!(pool.get(goblin), None);
    /// pool.fill(goblin, "Grik").unwrap();
    /// assert_eq!(pool[goblin], "Grik");
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, or the pool is being copied or saved.
    #[track_caller]
    #[doc(alias = "name a thing before it exists")]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    pub fn reserve_handle(&self) -> H {
        match self.try_reserve_handle() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`reserve_handle`](Self::reserve_handle), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    ///
    /// # Panics
    ///
    /// When the pool is being copied or saved (from within a value's `clone` or `serialize`).
    #[track_caller]
    pub fn try_reserve_handle(&self) -> Result<H, Full<()>> {
        self.change(Pool::try_reserve_handle).map(H::from_handle)
    }

    /// Gives a reserved handle its value. See [`Pool::fill`].
    ///
    /// # Errors
    ///
    /// [`Rejected`], which has the value, when the handle is not pending.
    ///
    /// # Panics
    ///
    /// When the pool is being copied or saved (from within a value's `clone` or `serialize`).
    #[track_caller]
    pub fn fill(&self, handle: H, value: T) -> Result<(), Rejected<T>> {
        let handle = handle.handle();
        self.change(|pool| pool.fill(handle, value))
    }

    /// Returns the value of a handle. It does not move while others are added.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        self.lifecycle.get(handle.handle())
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

    /// Like [`get`](Self::get), but returns an error that says why the handle does not resolve.
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

    /// Like [`try_get`](Self::try_get), with a plain handle.
    #[cfg(feature = "relink")]
    pub(crate) fn try_get_raw(&self, handle: HandleOf<H>) -> Result<&T, HandleError> {
        self.lifecycle.get(handle).ok_or_else(|| self.look(|pool| pool.why_not_live(handle)))
    }

    #[cold]
    fn why_not_live(&self, handle: H) -> HandleError {
        let handle = handle.handle();
        self.look(|pool| pool.why_not_live(handle))
    }

    /// Returns `true` if the handle resolves.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive"))]
    pub fn contains(&self, handle: H) -> bool {
        self.get(handle).is_some()
    }

    /// Returns the status of a handle. See [`Pool::status`].
    #[must_use]
    #[doc(alias = "find out why a handle failed")]
    pub fn status(&self, handle: H) -> Status {
        let handle = handle.handle();
        self.look(|pool| pool.status(handle))
    }

    /// Returns the number of values. Pending and retired slots do not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.look(Pool::len)
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of slots that the pool can have without allocating.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.look(Pool::capacity)
    }

    /// Returns the tag of this pool's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.look(Pool::tag)
    }

    /// Returns the handle of the value at an index, if there is one.
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.look(|pool| pool.handle_at(index)).map(H::from_handle)
    }

    /// Returns the handle of a value, from its address. `None` when the value is not in this pool.
    /// O(chunks), which is O(log capacity) unless many small capacities were reserved with
    /// `reserve_exact`.
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

    /// An iterator over handles and values, in index order.
    ///
    /// Values may be inserted during the iteration. Whether it visits them is not specified; each
    /// value is visited at most once.
    ///
    /// ```
    /// let pool = tenure::StablePool::from([1, 2]);
    /// let sum: u32 = pool.iter().map(|(handle, number)| number * handle.index()).sum();
    /// assert_eq!(sum, 2);
    /// ```
    pub fn iter(&self) -> Iter<'_, T, H> {
        self.lifecycle.flush();
        Iter::growing(&self.lifecycle)
    }

    /// Like [`iter`](Self::iter), with plain handles.
    #[cfg(feature = "relink")]
    pub(crate) fn iter_raw(&self) -> Iter<'_, T, HandleOf<H>> {
        self.lifecycle.flush();
        Iter::new(&self.lifecycle)
    }

    /// An iterator over values, in index order. Like [`iter`](Self::iter), it allows insertions.
    pub fn values(&self) -> Values<'_, T, H> {
        self.lifecycle.flush();
        Values::growing(&self.lifecycle)
    }

    /// An iterator over the handles of all values, in index order. Like [`iter`](Self::iter), it
    /// allows insertions.
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, T, H> {
        self.lifecycle.flush();
        Handles::growing(&self.lifecycle)
    }

    /// Returns the handle of the first value, in index order, for which the closure returns `true`.
    ///
    /// ```
    /// let pool = tenure::StablePool::from([3, 8, 5]);
    /// let large = pool.find(|&number| number > 4).unwrap();
    /// assert_eq!(pool[large], 8);
    /// ```
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&T) -> bool) -> Option<H> {
        self.iter().find(|(_, value)| accept(value)).map(|(handle, _)| handle)
    }

    /// Returns the handle that the next [`insert`](Self::insert) will issue. `None` when the pool
    /// is full.
    ///
    /// ```
    /// let pool = tenure::StablePool::new();
    /// let next = pool.next_handle();
    /// assert_eq!(Some(pool.insert("first")), next);
    /// ```
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.look(Pool::next_handle).map(H::from_handle)
    }

    /// An iterator over the [pending](Status::Pending) handles, in index order: those that were
    /// reserved or taken and not filled.
    ///
    /// ```
    /// let mut pool = tenure::StablePool::from(["orc"]);
    /// let goblin = pool.reserve_handle();
    /// assert!(pool.pending_handles().eq([goblin]));
    /// assert_eq!(pool.release_pending(), 1);
    /// ```
    pub fn pending_handles(&self) -> PendingHandles<'_, T, H> {
        self.lifecycle.flush();
        PendingHandles::new(&self.lifecycle)
    }

    /// Returns counts, memory, and the highest generation. O(slots).
    #[must_use]
    pub fn stats(&self) -> Stats {
        let stats = self.look(Pool::stats);
        Stats { bytes: stats.bytes + self.lifecycle.bytes_of_lists(), ..stats }
    }

    /// Checks the internal invariants and returns the first one that does not hold. See
    /// [`Pool::validate`].
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.look(Pool::validate)
    }

    /// Splits the pool into two halves: one to look up, mutate and remove the values that exist
    /// now, one to spawn and despawn meanwhile.
    ///
    /// Both can be used in one loop, without a list of changes to apply later:
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
    ///     effect.age += 1; // the pool has grown, and `effect` has not moved
    /// }
    /// drop((live, spawner));
    /// assert_eq!(effects.len(), 2);
    /// ```
    ///
    /// Until both halves are dropped, spawned values do not resolve, and iterators do not visit
    /// them. The handle of a removed value is stale at once; its slot is free when both halves are
    /// dropped. [Forgetting](core::mem::forget) a half is harmless: the next use of the pool
    /// commits the spawned values, and the next exclusive use removes those that were marked for
    /// despawn.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    pub fn split(&mut self) -> (Live<'_, T, H>, Spawner<'_, T, H>) {
        self.lifecycle.split()
    }

    /// Returns the address of the engine, for joins. Flushes first.
    pub(crate) fn engine(&self) -> *const Slots<T, H::Layout, Chunks<T>> {
        self.lifecycle.flush();
        self.lifecycle.slots()
    }

    /// Passes the flushed pool to a closure that runs no caller's code.
    fn look<R>(&self, ask: impl FnOnce(&Inner<T, H::Kind, H::Layout>) -> R) -> R {
        self.lifecycle.flush();
        self.lifecycle.look(ask)
    }

    /// Passes the flushed pool, mutably, to a closure that runs no caller's code and does not
    /// panic.
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
///
/// It holds the handle and not the key: a key may return another handle each time.
struct Reserved<'a, T, H: Key> {
    pool: &'a StablePool<T, H>,
    handle: HandleOf<H>,
}

impl<T, H: Key> Reserved<'_, T, H> {
    #[track_caller]
    fn fill(self, value: T) {
        let handle = self.handle;
        match self.pool.change(|pool| pool.fill(handle, value)) {
            Ok(()) => core::mem::forget(self),
            // The closure has filled the handle itself.
            Err(rejected) => panic!("{rejected}"),
        }
    }
}

impl<T, H: Key> Reserved<'_, T, H> {
    /// Cancels the reservation, so that the handle is issued again, unless the closure has filled
    /// or released it.
    fn take_back(self) {
        let handle = self.handle;
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
        self.pool.lifecycle.release(self.handle);
    }
}
