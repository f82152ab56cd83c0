//! The methods of a side map, in the order of the documentation.

use alloc::collections::TryReserveError;

use super::far::{self, Far, FarValue};
use super::{Drain, Entry, ExtractIf, Handles, IntoValues, Iter, IterMut, Owner, SideMap, Values, ValuesMut};
use crate::error::{GetDisjointMutError, Rejected, Rejection};
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::pool::{Pool, must_reserve};
use crate::slots::{Fault, FullKind, SlotRef};
use crate::status::HandleError;

impl<H: Key, V> SideMap<H, V> {
    /// Creates an empty map. Does not allocate, and is `const`.
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates an empty map with room for the first `capacity` slots of its owner.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let mut gold = tenure::SideMap::with_capacity(goblins.capacity());
    /// for handle in goblins.handles() {
    ///     gold.insert(&goblins, handle, 5).unwrap(); // does not allocate
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut map = Self::EMPTY;
        map.reserve_slots(capacity);
        map
    }

    /// An empty map, with any key type. Does not allocate; a constant, for use in a `static`.
    pub const EMPTY: Self = Self { values: Pool::EMPTY, far: Far::EMPTY };

    /// Creates a map from saved values. No slot of the pool is pending.
    #[cfg(feature = "serde")]
    pub(crate) const fn from_values(values: Pool<V, H>) -> Self {
        Self { values, far: Far::EMPTY }
    }

    /// Appends a saved value beyond the slots. Returns `false`, and adds nothing, if its index does
    /// not belong there.
    #[cfg(feature = "serde")]
    pub(crate) fn push_far(&mut self, handle: Handle<H::Kind, H::Layout>, value: V) -> bool {
        handle.index() as usize >= self.values.slot_count() && self.far.push(handle.slot(), value)
    }

    pub(crate) fn parts(&self) -> (&Pool<V, H>, &Far<V>) {
        (&self.values, &self.far)
    }

    pub(crate) fn parts_mut(&mut self) -> (&mut Pool<V, H>, &mut Far<V>) {
        (&mut self.values, &mut self.far)
    }

    /// Returns the number of values, including those whose handles are no longer live in the owner.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() + self.far.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.far.is_empty()
    }

    /// Returns the number of slots that the map has memory for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// Returns the heap memory in bytes, without memory that the values own.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values.stats().bytes + self.far.bytes()
    }

    /// Reserves memory for `additional` more slots of the owner, beyond those that the map has: one
    /// for every slot of the owner up to the highest one that has had a value here. Slots whose
    /// value was removed do not count as room.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, goblins.handle_at(1).unwrap(), 5).unwrap(); // slots 0 and 1
    /// gold.reserve(100);
    /// assert!(gold.capacity() >= 102);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has fewer slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve_slots(self.values.slot_count().saturating_add(additional))
    }

    /// Reserves memory for the first `count` slots of the owner. Does nothing if the map has a
    /// [`capacity`](Self::capacity) of `count` already.
    ///
    /// ```
    /// let goblins: tenure::Pool<&str> = ["Grik", "Snag"].into_iter().collect();
    /// let mut gold = tenure::SideMap::new();
    /// gold.reserve_slots(goblins.capacity());
    /// assert!(gold.capacity() >= 2);
    /// for grik in goblins.handles() {
    ///     gold.insert(&goblins, grik, 5).unwrap(); // does not allocate
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[track_caller]
    pub fn reserve_slots(&mut self, count: usize) {
        must_reserve(self.try_reserve_slots(count));
    }

    /// Like [`reserve_slots`](Self::reserve_slots), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has fewer slots.
    pub fn try_reserve_slots(&mut self, count: usize) -> Result<(), TryReserveError> {
        if count > self.capacity() {
            // A pool counts its free slots as room. Here a slot belongs to one slot of the owner.
            let slots = &self.values.slots;
            let free = slots.free_count() as usize;
            let additional = (count - slots.slot_count() as usize).saturating_add(free);
            self.values.try_reserve(additional)?;
        }
        if !self.far.is_empty() {
            self.pull_in();
        }
        Ok(())
    }

    /// Releases memory that is not in use.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
        self.far.shrink_to_fit();
    }

    /// Inserts the value of a live handle and returns the handle's previous value.
    ///
    /// ```
    /// use tenure::{Pool, Rejection, SideMap};
    ///
    /// let mut goblins = Pool::new();
    /// let grik = goblins.insert("Grik");
    /// let mut gold = SideMap::new();
    /// assert_eq!(gold.insert(&goblins, grik, 5).unwrap(), None);
    /// assert_eq!(gold.insert(&goblins, grik, 7).unwrap(), Some(5));
    ///
    /// goblins.remove(grik);
    /// let refused = gold.insert(&goblins, grik, 9).unwrap_err();
    /// assert_eq!((refused.reason(), refused.into_inner()), (Rejection::Stale, 9));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`] returns the value when the handle is not live in `owner`, when the map holds
    /// values of a pool with another tag, or when there is no memory.
    pub fn insert(&mut self, owner: &impl Owner<H>, handle: H, value: V) -> Result<Option<V>, Rejected<V>> {
        let handle = handle.handle();
        if let Err(error) = owner.check(handle) {
            return Err(Rejected::new(value, Rejection::of_dead(error)));
        }
        if !self.takes_tag_of(handle) {
            return Err(Rejected::new(value, Rejection::Foreign));
        }
        let had = self.contains_raw(handle);
        match self.put(handle, value) {
            Ok(older) => Ok(older.filter(|_| had)),
            Err((value, _)) => Err(Rejected::new(value, Rejection::Full)),
        }
    }

    /// Inserts a value into the slot of a handle, and creates the slot if it does not exist.
    /// Returns the value that was in the slot, of whichever tenant.
    #[inline]
    pub(super) fn put(&mut self, handle: Handle<H::Kind, H::Layout>, value: V) -> Result<Option<V>, (V, FullKind)> {
        if self.far.is_empty() || !self.is_beyond(handle.index()) {
            return self.values.put(handle, value);
        }
        self.put_and_pull_in(handle, value)
    }

    /// Like [`put`](Self::put). Maintains V1: values below the new number of slots move into them.
    #[cold]
    fn put_and_pull_in(&mut self, handle: Handle<H::Kind, H::Layout>, value: V) -> Result<Option<V>, (V, FullKind)> {
        let older = self.values.put(handle, value)?;
        let older = older.or(self.far.remove_at(handle.index()));
        while self.far.first_index().is_some_and(|index| !self.is_beyond(index)) {
            self.move_first_far();
        }
        Ok(older)
    }

    /// Moves the first value beyond the slots into its slot, which has just been made.
    pub(super) fn move_first_far(&mut self) {
        if let Some(FarValue { slot, value }) = self.far.pop_first() {
            debug_assert!(!self.is_beyond(slot.index) && self.values.slots.live_mark(slot.index).is_none());
            self.values.slots.occupy_unlisted(slot, value);
        }
    }

    /// Returns `true` if an index has no slot. Only then can its value be beyond the slots (V1).
    #[inline]
    pub(super) fn is_beyond(&self, index: u32) -> bool {
        index as usize >= self.values.slot_count()
    }

    #[inline]
    pub(super) fn contains_raw(&self, handle: Handle<H::Kind, H::Layout>) -> bool {
        self.get_raw(handle).is_some()
    }

    #[inline]
    pub(super) fn get_raw(&self, handle: Handle<H::Kind, H::Layout>) -> Option<&V> {
        let slot = handle.slot();
        match self.values.slots.get(slot.index, slot.mark) {
            None if !self.far.is_empty() && self.is_beyond(slot.index) => self.far.get(slot),
            found => found,
        }
    }

    #[inline]
    pub(super) fn get_mut_raw(&mut self, handle: Handle<H::Kind, H::Layout>) -> Option<&mut V> {
        let slot = handle.slot();
        if !self.far.is_empty() && self.is_beyond(slot.index) {
            return self.far.get_mut(slot);
        }
        self.values.slots.get_mut(slot.index, slot.mark)
    }

    #[inline]
    pub(super) fn remove_raw(&mut self, handle: Handle<H::Kind, H::Layout>) -> Option<V> {
        let slot = handle.slot();
        match self.values.slots.remove_unlisted(slot) {
            None if !self.far.is_empty() => self.far.remove(slot),
            removed => removed,
        }
    }

    /// Returns `true` if the map may hold a value of this handle: all values have one tag. An empty
    /// map adopts the tag of the handle.
    #[inline]
    pub(super) fn takes_tag_of(&mut self, handle: Handle<H::Kind, H::Layout>) -> bool {
        !self.values.is_foreign(handle) || self.adopt_tag_of(handle)
    }

    #[cold]
    fn adopt_tag_of(&mut self, handle: Handle<H::Kind, H::Layout>) -> bool {
        let is_free = self.is_empty();
        if is_free {
            // The memory stays: it may have been reserved for this owner.
            self.values.reset_to_tag_of(handle);
        }
        is_free
    }

    /// Returns the entry of a live handle, to read or fill it with a single lookup.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::new();
    /// let grik = goblins.insert("Grik");
    /// let mut kills = tenure::SideMap::new();
    /// *kills.entry(&goblins, grik).unwrap().or_insert(0) += 1;
    /// assert_eq!(kills[grik], 1);
    /// ```
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve, when it is not live in `owner`.
    pub fn entry(&mut self, owner: &impl Owner<H>, handle: H) -> Result<Entry<'_, H, V>, HandleError> {
        let raw = handle.handle();
        owner.check(raw)?;
        // An `Owner` written by hand may accept it, and no slot can be made for it.
        if raw.is_nil() {
            return Err(HandleError::Nil);
        }
        if !self.takes_tag_of(raw) {
            return Err(HandleError::Foreign { tag: raw.tag(), expected: self.values.tag() });
        }
        if self.contains_raw(raw) {
            Ok(Entry::occupied(self, raw, handle))
        } else {
            Ok(Entry::vacant(self, raw, handle, true))
        }
    }

    /// Returns the value of a handle. An index and one comparison; never panics, never allocates.
    /// O(log n) for a value that [`insert_unowned`](Self::insert_unowned) has inserted far beyond
    /// the others.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// assert_eq!(gold.get(grik), Some(&5));
    ///
    /// goblins.remove(grik);
    /// let snag = goblins.insert("Snag"); // reuses the slot
    /// assert_eq!(gold.get(snag), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&V> {
        self.get_raw(handle.handle())
    }

    /// Like [`get`](Self::get), mutably.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut V> {
        self.get_mut_raw(handle.handle())
    }

    /// Returns `true` if the handle has a value.
    #[inline]
    #[must_use]
    #[doc(alias = "contains_key")]
    pub fn contains(&self, handle: H) -> bool {
        self.get(handle).is_some()
    }

    /// Returns the value of a handle without checking that it has one.
    ///
    /// # Safety
    ///
    /// The handle has a value: [`contains`](Self::contains) returns `true`.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// // SAFETY: the value was inserted just now.
    /// assert_eq!(unsafe { *gold.get_unchecked(grik) }, 5);
    /// ```
    #[inline]
    #[must_use]
    #[expect(unsafe_code, reason = "declares get_unchecked")]
    pub unsafe fn get_unchecked(&self, handle: H) -> &V {
        let slot = handle.slot();
        match self.far.get(slot) {
            Some(value) => value,
            // SAFETY: `get_unchecked` needs a handle with a value. The caller guarantees that the
            // handle has one, and it is not among those beyond the slots.
            None => unsafe {
                self.values.with_key_ref::<Handle<H::Kind, H::Layout>>().get_unchecked(far::raw::<H>(slot))
            },
        }
    }

    /// Returns the values of several handles at once, mutably.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let [grik, snag] = [0, 1].map(|index| goblins.handle_at(index).unwrap());
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// gold.insert(&goblins, snag, 7).unwrap();
    ///
    /// let [from, to] = gold.get_disjoint_mut([grik, snag]).unwrap();
    /// *to += std::mem::take(from);
    /// assert_eq!((gold[grik], gold[snag]), (0, 12));
    /// ```
    ///
    /// # Errors
    ///
    /// Which handle has no value and why, or which two are the same.
    #[inline]
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut V; N], GetDisjointMutError> {
        let handles = handles.map(Key::handle);
        if self.far.is_empty() || !handles.iter().any(|handle| self.is_beyond(handle.index())) {
            return self.values.with_key_mut::<Handle<H::Kind, H::Layout>>().get_disjoint_mut(handles);
        }
        self.get_disjoint_far(handles)
    }

    /// Iterates over the values beyond the slots from the lowest to the highest handle among them:
    /// safe code cannot get several `&mut` from a list by searching it.
    #[cold]
    fn get_disjoint_far<const N: usize>(
        &mut self,
        handles: [Handle<H::Kind, H::Layout>; N],
    ) -> Result<[&mut V; N], GetDisjointMutError> {
        for (position, &handle) in handles.iter().enumerate() {
            if !self.contains_raw(handle) {
                let error = self.values.check_raw(handle).err().unwrap_or(HandleError::Nil);
                return Err(GetDisjointMutError::NotLive { position, error });
            }
            if let Some(first) = handles[..position].iter().position(|earlier| earlier == &handle) {
                return Err(GetDisjointMutError::Overlapping { first, second: position });
            }
        }
        let mut found = [const { None }; N];
        let indices = || handles.iter().map(|handle| handle.index()).filter(|&index| self.is_beyond(index));
        let (first, last) = (indices().min().unwrap_or(0), indices().max().unwrap_or(0));
        for far in self.far.starting_at(first).take_while(|far| far.slot.index <= last) {
            if let Some(position) = handles.iter().position(|handle| handle.index() == far.slot.index) {
                found[position] = Some(&mut far.value);
            }
        }
        let near = self.values.with_key_mut::<Handle<H::Kind, H::Layout>>().borrow_many();
        let mut position = 0;
        Ok(found.map(|far| {
            let handle = handles[position];
            position += 1;
            far.or_else(|| near.get_mut(handle).ok()).unwrap_or_else(|| unreachable!("each handle has a value"))
        }))
    }

    /// Returns the handle of the value at an index, if there is one.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let snag = goblins.handle_at(1).unwrap();
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, snag, 7).unwrap();
    /// assert_eq!((gold.handle_at(0), gold.handle_at(1)), (None, Some(snag)));
    /// ```
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        match self.values.handle_at(index) {
            None => self.far.mark_at(index).map(|mark| H::from_slot(SlotRef { index, mark })),
            found => found,
        }
    }

    /// Removes the value of a handle and returns it, whether the handle is live or not.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// assert_eq!((gold.remove(grik), gold.remove(grik)), (Some(5), None));
    /// ```
    #[inline]
    pub fn remove(&mut self, handle: H) -> Option<V> {
        self.remove_raw(handle.handle())
    }

    /// Drops the values of all handles that are not live in `owner`, and returns their number.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::new();
    /// let (grik, snag) = (goblins.insert("Grik"), goblins.insert("Snag"));
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// gold.insert(&goblins, snag, 7).unwrap();
    ///
    /// goblins.remove(grik);
    /// assert_eq!(gold.retain_live(&goblins), 1);
    /// assert_eq!(gold.len(), 1);
    /// ```
    pub fn retain_live(&mut self, owner: &impl Owner<H>) -> usize {
        let before = self.len();
        self.values.retain_raw(|handle, _| owner.check(handle).is_ok());
        self.far.retain(|slot, _| owner.check(far::raw::<H>(slot)).is_ok());
        before - self.len()
    }

    /// Keeps the values for which the closure returns `true` and drops the others, in index order.
    pub fn retain(&mut self, mut keep: impl FnMut(H, &mut V) -> bool) {
        self.values.retain(&mut keep);
        self.far.retain(|slot, value| keep(H::from_slot(slot), value));
    }

    /// Drops all values and keeps the memory.
    pub fn clear(&mut self) {
        // Dropping the iterator removes both parts, also if a destructor of the first part panics.
        drop(self.drain());
    }

    /// Removes the values for which the closure returns `true`, one by one, and yields them with
    /// their handles. Lazy: values that the iterator has not visited when it is dropped stay.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let mut gold = tenure::SideMap::new();
    /// for (coins, handle) in goblins.handles().enumerate() {
    ///     gold.insert(&goblins, handle, coins).unwrap();
    /// }
    /// let poor: Vec<_> = gold.extract_if(|_handle, coins| *coins == 0).collect();
    /// assert_eq!(poor, [(goblins.handle_at(0).unwrap(), 0)]);
    /// assert_eq!(gold.len(), 1);
    /// ```
    pub fn extract_if<F: FnMut(H, &mut V) -> bool>(&mut self, should_remove: F) -> ExtractIf<'_, H, V, F> {
        ExtractIf::new(self, should_remove)
    }

    /// Returns an owning iterator over the values, in index order.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let mut gold = tenure::SideMap::new();
    /// for handle in goblins.handles() {
    ///     gold.insert(&goblins, handle, 5).unwrap();
    /// }
    /// assert_eq!(gold.into_values().sum::<u32>(), 10);
    /// ```
    pub fn into_values(self) -> IntoValues<H, V> {
        IntoValues::new(self.values.into_values(), self.far.into_iter())
    }

    /// Removes all values and yields them with their handles, in index order.
    pub fn drain(&mut self) -> Drain<'_, H, V> {
        Drain::new(self.values.drain(), &mut self.far)
    }

    /// Returns an iterator over handles and values, in index order, including values whose handles
    /// are no longer live in the owner.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik", "Snag"]);
    /// let mut gold = tenure::SideMap::new();
    /// for handle in goblins.handles() {
    ///     gold.insert(&goblins, handle, 5).unwrap();
    /// }
    /// for (handle, coins) in &gold {
    ///     println!("{} has {coins}", goblins[handle]);
    /// }
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, H, V> {
        Iter::new(self.values.iter(), self.far.iter())
    }

    /// Returns a mutable iterator over handles and values, in index order.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, H, V> {
        IterMut::new(self.values.iter_mut(), self.far.iter_mut())
    }

    /// Returns an iterator over values, in index order.
    #[inline]
    pub fn values(&self) -> Values<'_, V> {
        Values::new(self.values.values(), self.far.iter())
    }

    /// Returns a mutable iterator over values, in index order.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, V> {
        ValuesMut::new(self.values.values_mut(), self.far.iter_mut())
    }

    /// Returns an iterator over the handles that have a value, in index order.
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, H, V> {
        Handles::new(self.values.handles(), self.far.iter())
    }

    /// Checks every internal invariant and reports the first one that does not hold. See
    /// [`Pool::validate`].
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.values.slots.validate_unlisted()?;
        let slots = self.values.slot_count();
        let is_far = |&FarValue { slot, .. }: &FarValue<V>| {
            slot.index as usize >= slots && slot.mark & 1 == 1 && !self.values.is_foreign(far::raw::<H>(slot))
        };
        if !self.far.iter().all(is_far) {
            return Err(Fault::of_container("V1: a value beyond the slots has one, or no tenant"));
        }
        if !self.far.is_sorted() {
            return Err(Fault::of_container("V2: the values beyond the slots are not sorted, or not counted"));
        }
        Ok(())
    }
}
