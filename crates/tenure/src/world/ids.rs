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

/// The slot of an entity, and the lower half of its id: enough to know where the entry belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    slot: u32,
    low: u32,
}

impl Entry {
    /// No slot has this index: pools count their slots in 32 bits.
    const FREE: Self = Self { slot: u32::MAX, low: 0 };

    /// (The upper half has a say: ids that were loaded could all have the same lower one.)
    #[allow(clippy::cast_possible_truncation, reason = "a half is meant")]
    fn new(id: EntityId, slot: u32) -> Self {
        let upper = (id.get() >> 32) as u32;
        Self { slot, low: id.get() as u32 ^ upper.wrapping_mul(0x85EB_CA6B) }
    }

    fn is_free(self) -> bool {
        self.slot == u32::MAX
    }
}

/// Slots by id: open addressing, one entry after the other, with a fixed hash. Whoever leaves lets those behind it move up.
///
/// M1: the length is 0 or a power of two, and at most 3 of 4 entries are used. M2: between the place an id hashes to and its entry all entries are used.
///
/// An entry has 8 bytes, and ids that follow each other are neighbours: births and deaths come in numbers, and every line of memory they touch is one that the
/// entities themselves have lost from the cache.
#[derive(Debug, Default)]
pub(super) struct IdMap {
    entries: Vec<Entry>,
    used: usize,
    /// There was no memory for a smaller table.
    too_large: bool,
}

/// Smaller tables are not made smaller still.
const SMALL: usize = 16;
/// So many ids stay together.
const TOGETHER: u32 = 4;

impl Clone for IdMap {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), ..*self }
    }

    fn clone_from(&mut self, original: &Self) {
        self.entries.clone_from(&original.entries);
        (self.used, self.too_large) = (original.used, original.too_large);
    }
}

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

    /// Where an entry should be.
    fn home(&self, Entry { low, .. }: Entry) -> usize {
        let spread = (low / TOGETHER).wrapping_mul(0x9E37_79B9);
        // The upper bits of a product are the better ones.
        ((spread.rotate_left(16) & !(TOGETHER - 1)) | (low % TOGETHER)) as usize & (self.entries.len() - 1)
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.entries.len() - 1)
    }

    /// The first place from an entry's home on that is free or accepted. There is a free one.
    fn find(&self, entry: Entry, accept: impl Fn(Entry) -> bool) -> usize {
        let mut place = self.home(entry);
        while !self.entries[place].is_free() && !accept(self.entries[place]) {
            place = self.next(place);
        }
        place
    }

    /// The slot of an id, of which the closure says whether a slot has it.
    pub(super) fn get(&self, id: EntityId, has_id: impl Fn(u32) -> bool) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let wanted = Entry::new(id, 0);
        let found = self.entries[self.find(wanted, |it| it.low == wanted.low && has_id(it.slot))];
        Some(found.slot).filter(|_| !found.is_free())
    }

    /// Room for so many more. `false` if there is no memory.
    pub(super) fn try_reserve(&mut self, additional: usize) -> bool {
        let needed = (self.used + additional) * 4;
        needed <= self.entries.len() * 3 || self.resize((needed / 3 + 1).next_power_of_two().max(SMALL))
    }

    /// `false`, and as before, if there is no memory.
    #[cold]
    fn resize(&mut self, length: usize) -> bool {
        let mut entries = Vec::new();
        if entries.try_reserve_exact(length).is_err() {
            return false;
        }
        entries.resize(length, Entry::FREE);
        let older = core::mem::replace(self, Self { entries, used: 0, too_large: false });
        older.entries.into_iter().filter(|entry| !entry.is_free()).for_each(|entry| self.add(entry));
        true
    }

    /// Adds an id that is new, and for which there is room.
    pub(super) fn insert(&mut self, id: EntityId, slot: u32) {
        self.add(Entry::new(id, slot));
    }

    fn add(&mut self, entry: Entry) {
        let place = self.find(entry, |_| false);
        self.entries[place] = entry;
        self.used += 1;
    }

    /// Takes the id of a slot out, and gives memory back when three of four entries are free.
    pub(super) fn remove(&mut self, id: EntityId, slot: u32) {
        let leaving = Entry::new(id, slot);
        let mut gap = self.find(leaving, |it| it == leaving);
        if self.entries[gap].is_free() {
            return;
        }
        let mut place = self.next(gap);
        while !self.entries[place].is_free() {
            // Whoever is at or before the gap at home may not stay behind it (M2).
            let distance = |from: usize| place.wrapping_sub(from) & (self.entries.len() - 1);
            if distance(self.home(self.entries[place])) >= distance(gap) {
                self.entries[gap] = self.entries[place];
                gap = place;
            }
            place = self.next(place);
        }
        self.entries[gap] = Entry::FREE;
        self.used -= 1;
        if self.used * 4 < self.entries.len() && self.entries.len() > SMALL {
            // Without memory it stays as large as it is, until the next one leaves.
            self.too_large = !self.resize((self.used * 2).next_power_of_two().max(SMALL));
        }
    }
}
