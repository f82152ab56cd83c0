//! Insertion.

use super::{InsertMany, Pool};
use crate::error::{Full, Rejected, Rejection};
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::{Buffer, Claim, FullKind, SlotRef};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Inserts a value and returns its handle.
    ///
    /// Amortised O(1).
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let goblin = pool.insert("goblin");
    /// assert_eq!(pool[goblin], "goblin");
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory. [`try_insert`](Self::try_insert) returns the
    /// value instead.
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "alloc", "spawn", "create", "emplace"))]
    pub fn insert(&mut self, value: T) -> H {
        match self.slots.take_slot() {
            Ok(slot) => {
                self.slots.write_taken(slot, value);
                H::from_slot(slot)
            }
            Err(kind) => panic_full(kind),
        }
    }

    /// Inserts a value that may contain its own handle.
    ///
    /// The closure runs before anything changes: if it panics, the pool is unchanged.
    ///
    /// ```
    /// use tenure::{Handle, Pool};
    ///
    /// struct Node { me: Handle<Node> }
    ///
    /// let mut pool = Pool::new();
    /// let handle = pool.insert_with(|me| Node { me });
    /// assert_eq!(pool[handle].me, handle);
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[inline]
    #[track_caller]
    #[doc(alias("insert_with_key", "insert_cyclic", "vacant_entry"))]
    pub fn insert_with(&mut self, make: impl FnOnce(H) -> T) -> H {
        let slot = self.next_slot();
        self.occupy_with(slot, make)
    }

    #[inline]
    fn occupy_with(&mut self, slot: SlotRef, make: impl FnOnce(H) -> T) -> H {
        let handle = H::from_slot(slot);
        let value = make(handle);
        self.slots.occupy(slot, value);
        handle
    }

    /// Like [`insert_with`](Self::insert_with), for a closure that may fail. On `Err` the pool is
    /// unchanged, and the next insertion issues the same handle.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::new();
    /// assert!(pool.insert_with_result(|_| "x".parse::<i32>()).is_err());
    /// let seven = pool.insert_with_result(|_| "7".parse::<i32>()).unwrap();
    /// assert_eq!((pool[seven], seven.index()), (7, 0));
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[track_caller]
    #[doc(alias = "try_insert_with_key")]
    pub fn insert_with_result<E>(&mut self, make: impl FnOnce(H) -> Result<T, E>) -> Result<H, E> {
        let slot = self.next_slot();
        let key = H::from_slot(slot);
        let value = make(key)?;
        self.slots.occupy(slot, value);
        Ok(key)
    }

    /// Returns the handle that the next insertion will issue. `None` when the pool is full.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let next = pool.next_handle();
    /// assert_eq!(Some(pool.insert("first")), next);
    /// ```
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.slots.next_slot().map(H::from_slot)
    }

    /// Inserts values that may hold their own handles.
    #[track_caller]
    pub(crate) fn insert_each(&mut self, count: usize, mut make: impl FnMut(H) -> T) {
        for _ in 0..count {
            self.insert_with(&mut make);
        }
    }

    /// Like [`insert`](Self::insert), but returns the value in an error instead of panicking.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::with_fixed_capacity(1);
    /// assert!(pool.try_insert("goblin").is_ok());
    /// let full = pool.try_insert("chicken").unwrap_err();
    /// assert_eq!(full.into_inner(), "chicken");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<H, Full<T>> {
        match self.slots.take_slot() {
            Ok(slot) => {
                self.slots.write_taken(slot, value);
                Ok(H::from_slot(slot))
            }
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    /// Inserts a value if that needs no call: see [`Slots::take_ready_slot`].
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn insert_if_ready(&mut self, value: T) -> Option<H> {
        let slot = self.slots.take_ready_slot()?;
        self.slots.write_taken(slot, value);
        Some(H::from_slot(slot))
    }

    /// Like [`insert_with`](Self::insert_with), but returns the closure in the error instead of
    /// panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure has not been called.
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<H, Full<F>>
    where
        F: FnOnce(H) -> T,
    {
        match self.slots.make_next_slot() {
            Ok(slot) => Ok(self.occupy_with(slot, make)),
            Err(kind) => Err(Full::new(make, kind)),
        }
    }

    /// Inserts all values of an iterator, and yields their handles.
    ///
    /// Memory for the lower bound of the iterator's `size_hint` is reserved first. Dropping the
    /// returned iterator inserts the rest (so it does not return for an infinite iterator). When
    /// the pool is full, insertion stops, and [`InsertMany::finish`] returns the remainder; without
    /// `finish`, values that do not fit are dropped.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::new();
    /// let handles: Vec<_> = pool.insert_many(["a", "b", "c"]).collect();
    /// assert_eq!(pool[handles[1]], "b");
    ///
    /// pool.insert_many(["d", "e"]); // dropped at once: inserts both
    /// assert_eq!(pool.len(), 5);
    /// ```
    #[doc(alias("bulk", "batch"))]
    pub fn insert_many<I: IntoIterator<Item = T>>(&mut self, values: I) -> InsertMany<'_, Self, I::IntoIter> {
        InsertMany::new(self, values.into_iter())
    }

    /// Reserves the handle of a value that [`fill`](Self::fill) inserts later.
    ///
    /// Until then the handle is [pending](crate::Status::Pending): it does not resolve, iterators
    /// do not visit it and `len` does not count it. [`remove`](Self::remove) and
    /// [`clear`](Self::clear) release it.
    ///
    /// ```
    /// use tenure::{Pool, Status};
    ///
    /// let mut textures = Pool::new();
    /// let wood = textures.reserve_handle(); // loading begins
    /// assert_eq!(textures.status(wood), Status::Pending);
    /// assert_eq!(textures.get(wood), None);
    ///
    /// textures.fill(wood, "pixels").unwrap(); // loading is done
    /// assert_eq!(textures[wood], "pixels");
    /// ```
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[track_caller]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    #[doc(alias("name a thing before it exists", "vacant_entry", "vacant_key", "reserve_entity"))]
    pub fn reserve_handle(&mut self) -> H {
        let slot = self.next_slot();
        self.slots.reserve_slot(slot);
        H::from_slot(slot)
    }

    /// Like [`reserve_handle`](Self::reserve_handle), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<H, Full<()>> {
        let slot = self.slots.make_next_slot().map_err(|kind| Full::new((), kind))?;
        self.slots.reserve_slot(slot);
        Ok(H::from_slot(slot))
    }

    /// Inserts the value of a [pending](Self::reserve_handle) handle, or of a [taken](Self::take)
    /// one. O(1).
    ///
    /// # Errors
    ///
    /// [`Rejected`] returns the value when the handle is not pending.
    #[doc(alias = "reattach")]
    #[inline]
    pub fn fill(&mut self, handle: H, value: T) -> Result<(), Rejected<T>> {
        let handle = handle.handle();
        if !self.slots.is_pending(handle.slot()) {
            return Err(Rejected::new(value, self.why_not_filled(handle)));
        }
        self.slots.fill(handle.slot(), value);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn why_not_filled(&self, handle: Handle<H::Kind, H::Layout>) -> Rejection {
        Rejection::of_fill(self.diagnose(handle))
    }

    /// Inserts a value under a given handle: for undo, and for handles that come from a file or a
    /// server.
    ///
    /// - If the handle is that of the last tenant of a vacant slot, it resolves again, also if the
    ///   slot was retired after it. A pending handle is filled.
    /// - If the handle was never issued, it is issued now. Later handles of the slot have higher
    ///   generations, and new slots below it are used lowest first.
    /// - If the handle is live, its value is replaced, and the old value is returned.
    ///
    /// From then on all copies of the handle resolve to the new value, also copies that were stale:
    /// use it to restore the *same* logical value. An undo that must not fail uses
    /// [`take`](Self::take), because the slot of a removed value is soon reused.
    ///
    /// O(1), plus the number of slots that are added.
    ///
    /// ```
    /// use tenure::Pool;
    ///
    /// let mut pool = Pool::new();
    /// let goblin = pool.insert("goblin");
    /// let removed = pool.remove(goblin).unwrap();
    ///
    /// pool.insert_at(goblin, removed).unwrap(); // undo
    /// assert_eq!(pool[goblin], "goblin");
    /// assert_eq!(pool.insert_at(goblin, "hobgoblin").unwrap(), Some("goblin"));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`] returns the value when the handle is nil or another pool's, when a newer tenant
    /// has had the slot or an older one still has it, and when the index is 4,096 or more above the
    /// number of slots and not allowed by [`allow_indices_below`](Self::allow_indices_below).
    #[doc(alias("undo", "restore", "spawn_at", "save and load", "load"))]
    pub fn insert_at(&mut self, handle: H, value: T) -> Result<Option<T>, Rejected<T>> {
        let handle = handle.handle();
        if let Err(reason) = self.grant(handle) {
            return Err(Rejected::new(value, reason));
        }
        if let Some(current) = self.slots.get_mut(handle.index(), handle.slot().mark) {
            return Ok(Some(core::mem::replace(current, value)));
        }
        if self.slots.is_pending(handle.slot()) {
            self.slots.fill(handle.slot(), value);
        } else {
            self.slots.occupy_claimed(handle.slot(), value);
        }
        Ok(None)
    }

    /// Checks whether a value can be inserted under this handle. If so, its slot exists afterwards.
    pub(super) fn grant(&mut self, handle: Handle<H::Kind, H::Layout>) -> Result<(), Rejection> {
        match self.claim(handle)? {
            Claim::Granted => self.slots.make_claimable(handle.index()).map_err(|_| Rejection::Full),
            _ => Ok(()),
        }
    }

    /// Inserts a value under a handle that the caller has checked. See [`Slots::put`].
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn put(&mut self, handle: Handle<H::Kind, H::Layout>, value: T) -> Result<Option<T>, (T, FullKind)> {
        self.slots.put(handle.slot(), value)
    }

    /// Returns the handle that the next insertion issues. Grows the pool if necessary.
    #[cfg(feature = "alloc")]
    pub(crate) fn make_next_handle(&mut self) -> Result<H, FullKind> {
        self.slots.make_next_slot().map(H::from_slot)
    }

    /// Checks whether a value can be inserted under this handle, if there is memory.
    pub(crate) fn claim(&self, handle: Handle<H::Kind, H::Layout>) -> Result<Claim, Rejection> {
        if handle.is_nil() {
            return Err(Rejection::Nil);
        }
        if self.is_foreign(handle) {
            return Err(Rejection::Foreign);
        }
        match self.slots.claim(handle.slot()) {
            claim @ (Claim::Live | Claim::Pending | Claim::Granted) => Ok(claim),
            Claim::Older => Err(Rejection::Stale),
            Claim::Occupied => Err(Rejection::Occupied),
            Claim::Far => Err(Rejection::OutOfReach),
        }
    }

    /// Allows [`insert_at`](Self::insert_at) to use every index below `count`, whatever the number
    /// of slots.
    ///
    /// Without this, an index 4,096 or more above the number of slots is rejected, so that one
    /// forged handle adds at most 4,096 slots. Does not allocate.
    pub fn allow_indices_below(&mut self, count: usize) {
        self.slots.allow_indices_below(u32::try_from(count).unwrap_or(u32::MAX));
    }

    #[inline]
    #[track_caller]
    fn next_slot(&mut self) -> SlotRef {
        match self.slots.make_next_slot() {
            Ok(slot) => slot,
            Err(kind) => panic_full(kind),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn panic_full(kind: FullKind) -> ! {
    panic!("{kind}")
}
