//! Putting values in.

use super::{InsertMany, Pool};
use crate::error::{Full, FullKind, Rejected, Rejection};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::{Buffer, Claim, Place};

impl<T, K: ?Sized, L: Layout, B: Buffer<T>> Pool<T, K, L, B> {
    /// Puts a value in and returns its handle.
    ///
    /// O(1); amortised when the pool grows.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory, as `Vec` does.
    /// [`try_insert`](Self::try_insert) gives the value back instead.
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "alloc", "spawn", "create", "emplace"))]
    pub fn insert(&mut self, value: T) -> Handle<K, L> {
        match self.slots.insert(value) {
            Ok(place) => issue(place),
            Err((_, kind)) => panic_full(kind),
        }
    }

    /// Puts in a value that may hold its own handle.
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
    pub fn insert_with(&mut self, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        let place = self.place();
        self.occupy_with(place, make)
    }

    #[inline]
    fn occupy_with(&mut self, place: Place, make: impl FnOnce(Handle<K, L>) -> T) -> Handle<K, L> {
        let handle = issue(place);
        let value = make(handle);
        self.slots.occupy(place, value);
        handle
    }

    /// Inserts values that may hold their own handles.
    #[track_caller]
    pub(crate) fn insert_each(&mut self, count: usize, mut make: impl FnMut(Handle<K, L>) -> T) {
        for _ in 0..count {
            self.insert_with(&mut make);
        }
    }

    /// As [`insert`](Self::insert), with an error that gives the value back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    #[inline]
    pub fn try_insert(&mut self, value: T) -> Result<Handle<K, L>, Full<T>> {
        self.slots.insert(value).map(issue).map_err(|(value, kind)| Full::new(value, kind))
    }

    /// As [`insert_with`](Self::insert_with), with an error that gives the closure back instead of
    /// a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure has not been called then.
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<Handle<K, L>, Full<F>>
    where
        F: FnOnce(Handle<K, L>) -> T,
    {
        match self.slots.place() {
            Ok(place) => Ok(self.occupy_with(place, make)),
            Err(kind) => Err(Full::new(make, kind)),
        }
    }

    /// Puts in all values of an iterator, and yields their handles.
    ///
    /// The pool grows once, as far as the iterator can tell its length. Dropping what this returns
    /// inserts the rest (so an iterator without end never ends). When the pool is full it stops,
    /// and [`InsertMany::finish`] gives the remainder back; without `finish`, what does not fit is
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

    /// Names a value now that [`fill`](Self::fill) puts in later.
    ///
    /// Until then the handle is [pending](crate::Status::Pending): it leads nowhere, walks do not
    /// see it and `len` does not count it. [`remove`](Self::remove) and [`clear`](Self::clear)
    /// release it.
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
    pub fn reserve_handle(&mut self) -> Handle<K, L> {
        let place = self.place();
        self.slots.reserve_place(place);
        issue(place)
    }

    /// As [`reserve_handle`](Self::reserve_handle), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<Handle<K, L>, Full<()>> {
        let place = self.slots.place().map_err(|kind| Full::new((), kind))?;
        self.slots.reserve_place(place);
        Ok(issue(place))
    }

    /// Gives a [pending](Self::reserve_handle) handle its value, or a [taken](Self::take) value
    /// back.
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the value back when the handle is not pending.
    #[doc(alias = "reattach")]
    pub fn fill(&mut self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        if !self.slots.is_pending(handle.index(), handle.mark()) {
            return Err(Rejected::new(value, Rejection::of_fill(self.diagnose(handle))));
        }
        self.slots.fill(handle.index(), handle.mark(), value);
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
    /// All copies of the handle lead to the new value from then on, also those of a value that was
    /// removed: use it to bring the *same* thing back. An undo that must not fail uses
    /// [`take`](Self::take), because a slot that was removed is soon given to somebody else.
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
    /// [`Rejected`] gives the value back when the handle is nil or another pool's, when a newer
    /// tenant has had the slot or an older one still has it, and when the index is 4,096 or more
    /// above the slots there are and [`reserve_slots`](Self::reserve_slots) has not allowed it.
    #[doc(alias("undo", "restore", "spawn_at", "save and load", "load"))]
    pub fn insert_at(&mut self, handle: Handle<K, L>, value: T) -> Result<Option<T>, Rejected<T>> {
        let (index, mark) = (handle.index(), handle.mark());
        if let Err(reason) = self.grant(handle) {
            return Err(Rejected::new(value, reason));
        }
        if let Some(current) = self.slots.get_mut(index, mark) {
            return Ok(Some(core::mem::replace(current, value)));
        }
        if self.slots.is_pending(index, mark) {
            self.slots.fill(index, mark, value);
        } else {
            self.slots.occupy_claimed(index, mark, value);
        }
        Ok(None)
    }

    /// Whether a value may stand under this handle. If so, its slot exists afterwards.
    fn grant(&mut self, handle: Handle<K, L>) -> Result<(), Rejection> {
        match self.claim(handle)? {
            Claim::Granted => self.slots.make_claimable(handle.index()).map_err(|_| Rejection::Full),
            _ => Ok(()),
        }
    }

    /// Whether anything but memory keeps a value from standing under this handle.
    pub(crate) fn claim(&self, handle: Handle<K, L>) -> Result<Claim, Rejection> {
        if handle.is_nil() {
            return Err(Rejection::Nil);
        }
        if self.is_foreign(handle) {
            return Err(Rejection::Foreign);
        }
        match self.slots.claim(handle.index(), handle.mark()) {
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
    pub fn reserve_slots(&mut self, count: usize) {
        self.slots.reserve_slots(u32::try_from(count).unwrap_or(u32::MAX));
    }

    #[inline]
    #[track_caller]
    fn place(&mut self) -> Place {
        match self.slots.place() {
            Ok(place) => place,
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

#[inline]
pub(crate) fn issue<K: ?Sized, L: Layout>(place: Place) -> Handle<K, L> {
    Handle::issued(place.index, place.mark)
}
