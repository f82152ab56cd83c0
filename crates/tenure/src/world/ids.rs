//! Ids that are never used again, and a table that finds the slot of one.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU64;

/// The id of an entity: 64 bits, counted up from 1, and never used again, not even by another entity in the same slot.
///
/// For logs, tools and the network. To refer to an entity, keep its handle: that says so when the entity is dead, in one compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(NonZeroU64);

impl EntityId {
    /// The id of a number. `None` for 0.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The number: 1, 2, 3, ….
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Debug for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An id and the slot of its entity; no id, no entry.
type Entry = (Option<EntityId>, u32);

/// Slots by id: open addressing, one entry after the other, with a fixed hash. Whoever leaves lets those behind it move up.
///
/// M1: the length is 0 or a power of two, and at most 3 of 4 entries are used. M2: between the place an id hashes to and its entry all entries are used.
#[derive(Debug, Default)]
pub(super) struct IdMap {
    entries: Vec<Entry>,
    used: usize,
    /// There was no memory for a smaller table.
    too_large: bool,
}

/// Smaller tables are not made smaller still.
const SMALL: usize = 16;

impl IdMap {
    pub(super) const EMPTY: Self = Self { entries: Vec::new(), used: 0, too_large: false };

    pub(super) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// Where an id should be. Ids are counted up, so neighbours are spread.
    #[allow(clippy::cast_possible_truncation, reason = "fewer bits are left than a usize has")]
    fn home(&self, id: EntityId) -> usize {
        (id.get().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.entries.len() - 1)
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.entries.len() - 1)
    }

    /// Where an id is, or where it would have to be. There is a free entry.
    fn find(&self, id: EntityId) -> usize {
        let mut place = self.home(id);
        while self.entries[place].0.is_some_and(|other| other != id) {
            place = self.next(place);
        }
        place
    }

    pub(super) fn get(&self, id: EntityId) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let (found, slot) = self.entries[self.find(id)];
        found.map(|_| slot)
    }

    /// Room for so many more. `false` if there is no memory.
    pub(super) fn try_reserve(&mut self, additional: usize) -> bool {
        let needed = (self.used + additional) * 4;
        needed <= self.entries.len() * 3 || self.resize((needed / 3 + 1).next_power_of_two().max(SMALL))
    }

    /// `false`, and as before, if there is no memory.
    fn resize(&mut self, length: usize) -> bool {
        let mut entries = Vec::new();
        if entries.try_reserve_exact(length).is_err() {
            return false;
        }
        entries.resize(length, (None, 0));
        let older = core::mem::replace(self, Self { entries, used: 0, too_large: false });
        for (id, slot) in older.entries {
            if let Some(id) = id {
                self.insert(id, slot);
            }
        }
        true
    }

    /// Adds an id that is new, and for which there is room.
    pub(super) fn insert(&mut self, id: EntityId, slot: u32) {
        let place = self.find(id);
        self.entries[place] = (Some(id), slot);
        self.used += 1;
    }

    /// Takes an id out, and gives memory back when three of four entries are free.
    pub(super) fn remove(&mut self, id: EntityId) {
        if self.get(id).is_none() {
            return;
        }
        let mut gap = self.find(id);
        let mut place = self.next(gap);
        while let (Some(other), slot) = self.entries[place] {
            // Whoever is at or before the gap at home may not stay behind it (M2).
            let distance = |from: usize| place.wrapping_sub(from) & (self.entries.len() - 1);
            if distance(self.home(other)) >= distance(gap) {
                self.entries[gap] = (Some(other), slot);
                gap = place;
            }
            place = self.next(place);
        }
        self.entries[gap] = (None, 0);
        self.used -= 1;
        if self.used * 4 < self.entries.len() && self.entries.len() > SMALL {
            // Without memory it stays as large as it is, until the next one leaves.
            self.too_large = !self.resize((self.used * 2).next_power_of_two().max(SMALL));
        }
    }
}
