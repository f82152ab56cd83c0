//! Inserting values.

use super::{InsertMany, Pool};
use crate::error::{Full, Rejected, Rejection};
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::{Buffer, Claim, FullKind, SlotRef};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Inserts a value and returns its handle.
    ///
    /// O(1); amortised when the pool grows.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, as `Vec` does.
    /// [`try_insert`](Self::try_insert) returns the value instead.
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
    /// The closure runs before anything changes: if it panics, nothing has happened.
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

    /// Like [`insert_with`](Self::insert_with), for a closure that may fail. On `Err` nothing has
    /// happened, and the next insertion issues the same handle.
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
    /// The closure's.
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

    /// Like [`insert_with`](Self::insert_with), with an error that gives the closure back instead
    /// of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure has not been called then.
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<H, Full<F>>
    where
        F: FnOnce(H) -> T,
    {
        match self.slots.make_next_slot() {
            Ok(slot) => Ok(self.occupy_with(slot, make)),
            Err(kind) => Err(Full::new(make, kind)),
        }
    }

    /// Puts in all values of an iterator, and yields their handles.
    ///
    /// The pool grows once, as far as the iterator can tell its length. Dropping what this returns
    /// inserts the rest (so an iterator without end never ends). When the pool is full it stops,
    /// and [`InsertMany::finish`] returns the remainder; without `finish`, what does not fit is
    /// dropped.
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

    /// Reserves the handle of a value that [`fill`](Self::fill) puts in later.
    ///
    /// Until then the handle is [pending](crate::Status::Pending): it does not resolve, iterators
    /// do not see it and `len` does not count it. [`remove`](Self::remove) and
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

    /// Like [`reserve_handle`](Self::reserve_handle), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<H, Full<()>> {
        let slot = self.slots.make_next_slot().map_err(|kind| Full::new((), kind))?;
        self.slots.reserve_slot(slot);
        Ok(H::from_slot(slot))
    }

    /// Gives a [pending](Self::reserve_handle) handle its value, or a [taken](Self::take) value
    /// back.
    ///
    /// # Errors
    ///
    /// [`Rejected`] returns the value when the handle is not pending.
    #[doc(alias = "reattach")]
    pub fn fill(&mut self, handle: H, value: T) -> Result<(), Rejected<T>> {
        let handle = handle.handle();
        if !self.slots.is_pending(handle.slot()) {
            return Err(Rejected::new(value, Rejection::of_fill(self.diagnose(handle))));
        }
        self.slots.fill(handle.slot(), value);
        Ok(())
    }

    /// Puts a value in under this very handle: for undo, and for handles that come from a file or a
    /// server.
    ///
    /// - The last tenant of a vacant slot comes back under its own name, also if the slot was
    ///   retired after it; a pending one is filled.
    /// - A handle that was never issued is claimed. The slot counts on from there, and the slots in
    ///   between are used lowest first.
    /// - A live handle gets the new value; the old one is returned.
    ///
    /// All copies of the handle resolve to the new value from then on, also those of a value that
    /// was removed: use it to bring the *same* thing back. An undo that must not fail uses
    /// [`take`](Self::take), because a slot that was removed is soon reused.
    ///
    /// O(1), plus the slots in between.
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
    /// [`Rejected`] returns the value when the handle is nil or another pool's, when a newer
    /// tenant has had the slot or an older one still has it, and when the index is 4,096 or more
    /// above the slots there are and [`allow_indices_below`](Self::allow_indices_below) has not
    /// allowed it.
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

    /// Puts a value in for a handle that the caller vouches for. See [`Slots::put`].
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn put(&mut self, handle: Handle<H::Kind, H::Layout>, value: T) -> Result<Option<T>, (T, FullKind)> {
        self.slots.put(handle.slot(), value)
    }

    /// The handle that the next insertion issues. Grows if need be.
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

    /// Lets [`insert_at`](Self::insert_at) use every index below `count`, however few slots there
    /// are.
    ///
    /// Without this, an index 4,096 or more above the slots there are is refused, so that one
    /// forged handle claims 4,096 slots at the most. Allocates nothing.
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
