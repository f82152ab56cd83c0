//! Insertion without an owner to check handles against.

use super::far::reach;
use super::{Entry, SideMap};
use crate::error::{Rejected, Rejection};
use crate::handle::Handle;
use crate::key::Key;
use crate::layout::Marks;
use crate::slots::FullKind;
use crate::status::HandleError;

impl<H: Key, V> SideMap<H, V> {
    /// Inserts the value of a handle without checking the handle against an owner. Returns the
    /// handle's previous value.
    ///
    /// For code that has no access to the container that issued the handles. Of two handles of one
    /// slot the newer one wins: its value replaces that of the older one, which is dropped.
    ///
    /// The map has slots up to the highest index in use, but no more than it has
    /// [memory](Self::capacity) for, or 4,096 plus as many for each of its values as fit in 4,096
    /// bytes, at least 16. The value of a handle beyond that limit is kept in a sorted list, and
    /// moves into a slot as soon as there are enough values. So a forged handle costs O(1) memory.
    /// In a map that [reserves](Self::reserve_slots) memory for all slots of its owner, only forged
    /// handles are beyond the limit.
    ///
    /// Amortised O(1) below the limit. Beyond it a search in O(log n), and moving at most 4,096
    /// bytes of values, or 64 values.
    ///
    /// ```
    /// use tenure::{Handle, Rejection, SideMap};
    ///
    /// let older: Handle<str> = Handle::from_parts(3, 1).unwrap();
    /// let newer = Handle::from_parts(3, 2).unwrap();
    /// let mut gold = SideMap::new();
    /// assert_eq!(gold.insert_unowned(older, 5).unwrap(), None);
    /// assert_eq!(gold.insert_unowned(newer, 7).unwrap(), None); // the 5 is dropped
    /// assert_eq!(gold.get(older), None);
    ///
    /// let refused = gold.insert_unowned(older, 9).unwrap_err();
    /// assert_eq!((refused.reason(), refused.into_inner()), (Rejection::Stale, 9));
    ///
    /// let forged = Handle::from_parts(4_000_000_000, 1).unwrap();
    /// gold.insert_unowned(forged, 1).unwrap();
    /// assert_eq!((gold[forged], gold.bytes() < 10_000), (1, true));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`] returns the value when the handle is nil, when the map has a value of a newer
    /// handle of the slot, when it has values of a pool with another tag, or when there is no
    /// memory. Nothing has changed in this case.
    #[doc(alias = "SecondaryMap")]
    #[inline]
    pub fn insert_unowned(&mut self, handle: H, value: V) -> Result<Option<V>, Rejected<V>> {
        let handle = handle.handle();
        // A handle that has a value here needs no other check (row `SecondaryMap, overwrite`).
        if let Some(current) = self.values.slots.get_mut(handle.index(), handle.mark()) {
            return Ok(Some(core::mem::replace(current, value)));
        }
        if handle.is_nil() {
            return Err(Rejected::new(value, Rejection::Nil));
        }
        if !self.takes_tag_of(handle) {
            return Err(Rejected::new(value, Rejection::Foreign));
        }
        if self.is_next(handle) {
            // The slot is new, so there is nothing to compare with (row `SecondaryMap, insert`).
            return match self.values.put(handle, value) {
                Ok(_) => Ok(None),
                Err((value, _)) => Err(Rejected::new(value, Rejection::Full)),
            };
        }
        if self.is_vacant(handle) {
            self.occupy(handle, value);
            return Ok(None);
        }
        self.insert_elsewhere(handle, value)
    }

    /// Returns `true` if the slot of a handle exists and has no value. No value beyond the slots
    /// has this index (V1).
    #[inline]
    fn is_vacant(&self, handle: Handle<H::Kind, H::Layout>) -> bool {
        !self.is_beyond(handle.index()) && self.values.slots.live_mark(handle.index()).is_none()
    }

    /// Inserts a value into an existing slot that has none.
    #[inline]
    fn occupy(&mut self, handle: Handle<H::Kind, H::Layout>, value: V) {
        self.values.slots.occupy_unlisted(handle.slot(), value);
        if !self.far.is_empty() {
            self.pull_in();
        }
    }

    /// Inserts the value of a handle whose slot does not exist, or has a value. Out of line, so
    /// that the usual cases are small.
    #[inline(never)]
    fn insert_elsewhere(&mut self, handle: Handle<H::Kind, H::Layout>, value: V) -> Result<Option<V>, Rejected<V>> {
        let current = self.mark_at(handle.index());
        if current.is_some_and(|current| current > handle.mark()) {
            return Err(Rejected::new(value, Rejection::Stale));
        }
        let had = current == Some(handle.mark());
        match self.put_unowned(handle, value) {
            Ok(older) => Ok(older.filter(|_| had)),
            Err((value, _)) => Err(Rejected::new(value, Rejection::Full)),
        }
    }

    /// Returns `true` if the slot of a handle is the next one to be appended, there is memory for
    /// it, and no value beyond the slots can be affected.
    #[inline]
    fn is_next(&self, handle: Handle<H::Kind, H::Layout>) -> bool {
        let index = handle.index() as usize;
        index == self.values.slot_count() && index < self.values.capacity() && self.far.is_empty()
    }

    /// Returns the entry of a handle without checking the handle against an owner. Does not
    /// allocate. For the cost of filling the entry, see [`insert_unowned`](Self::insert_unowned).
    ///
    /// ```
    /// let mut visits = tenure::SideMap::new();
    /// let page: tenure::Handle<str> = tenure::Handle::from_parts(3, 1).unwrap();
    /// *visits.entry_unowned(page).unwrap().or_insert(0) += 1;
    /// assert_eq!(visits[page], 1);
    /// ```
    ///
    /// # Errors
    ///
    /// When the handle is nil, when the map has a value of a newer handle of the slot, or when it
    /// has values of a pool with another tag.
    #[inline]
    pub fn entry_unowned(&mut self, handle: H) -> Result<Entry<'_, H, V>, HandleError> {
        let raw = handle.handle();
        if self.values.slots.contains(raw.index(), raw.mark()) {
            return Ok(Entry::occupied(self, raw, handle));
        }
        if raw.is_nil() {
            return Err(HandleError::Nil);
        }
        if !self.takes_tag_of(raw) {
            return Err(HandleError::Foreign { tag: raw.tag(), expected: self.values.tag() });
        }
        match self.mark_at(raw.index()) {
            Some(current) if current > raw.mark() => Err(HandleError::Removed {
                index: raw.index(),
                generation: raw.generation(),
                current: H::Layout::tenant(current),
                vacant: false,
            }),
            Some(current) if current == raw.mark() => Ok(Entry::occupied(self, raw, handle)),
            _ => Ok(Entry::vacant(self, raw, handle, false)),
        }
    }

    /// Returns the mark of the value at an index. All marks have one tag, so the newer mark is the
    /// larger one.
    #[inline]
    fn mark_at(&self, index: u32) -> Option<u32> {
        if self.is_beyond(index) { self.far.mark_at(index) } else { self.values.slots.live_mark(index) }
    }

    /// Returns the index below which an index gets a slot, in a map with `len` values: memory that
    /// is there already counts.
    fn limit(&self, len: usize) -> usize {
        reach::<V>(len).max(self.values.capacity())
    }

    /// Like [`put`](Self::put), but does not create a slot if the index is beyond the limit.
    #[inline]
    pub(super) fn put_unowned(
        &mut self,
        handle: Handle<H::Kind, H::Layout>,
        value: V,
    ) -> Result<Option<V>, (V, FullKind)> {
        if self.is_next(handle) {
            return self.values.put(handle, value);
        }
        if self.is_vacant(handle) {
            self.occupy(handle, value);
            return Ok(None);
        }
        self.put_unowned_elsewhere(handle, value)
    }

    #[inline]
    fn put_unowned_elsewhere(
        &mut self,
        handle: Handle<H::Kind, H::Layout>,
        value: V,
    ) -> Result<Option<V>, (V, FullKind)> {
        let slot = handle.slot();
        let older = if self.is_beyond(slot.index) {
            let has_slot = (slot.index as usize) < self.limit(self.len() + 1);
            if has_slot {
                self.put(handle, value)?
            } else {
                self.far.put(slot, value).map_err(|value| (value, FullKind::Memory))?
            }
        } else {
            self.values.put(handle, value)?
        };
        if !self.far.is_empty() {
            self.pull_in();
        }
        Ok(older)
    }

    /// Moves values into slots: with more values, the limit is higher.
    #[cold]
    pub(super) fn pull_in(&mut self) {
        while let Some(index) = self.far.first_index() {
            // Without memory for slots, the values stay where they are.
            let has_slot =
                (index as usize) < self.limit(self.len()) && self.values.slots.make_unlisted(index).is_ok();
            if !has_slot {
                return;
            }
            self.move_first_far();
        }
    }
}
