//! Ids that are never used again, and a table that finds the slot of one.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU64;

use crate::steps::step;

/// The id of an entity: 64 bits, counted up from 1, and never used again, not even by another
/// entity in the same slot.
///
/// For logs, tools and the network. To refer to an entity, keep its handle: that says so when the
/// entity is dead, in one compare.
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
struct IdEntry {
    slot: u32,
    low: u32,
}

impl IdEntry {
    /// No slot has this index: pools count their slots in 32 bits.
    const FREE: Self = Self { slot: u32::MAX, low: 0 };

    /// (The upper half has a say: ids that were loaded could all have the same lower one.)
    #[expect(clippy::cast_possible_truncation, reason = "a half is meant")]
    fn new(id: EntityId, slot: u32) -> Self {
        let upper = (id.get() >> 32) as u32;
        Self { slot, low: id.get() as u32 ^ upper.wrapping_mul(0x85EB_CA6B) }
    }

    fn is_free(self) -> bool {
        self.slot == u32::MAX
    }
}

/// An id and its slot, in a sorted list.
#[derive(Clone, Copy, Debug)]
struct Known {
    id: EntityId,
    /// `u32::MAX` once the id is removed.
    slot: u32,
}

impl Known {
    fn is_removed(&self) -> bool {
        self.slot == u32::MAX
    }
}

/// Slots by id.
///
/// Usually a hash table: open addressing with linear probing, a fixed hash, and deletion that
/// shifts entries back. An entry has 8 bytes, and ids that follow each other are neighbours: births
/// and deaths come in numbers, and every line of memory they touch is one that the entities
/// themselves have lost from the cache.
///
/// A document can choose ids that all have one home. So no entry is further than [`LIMIT`] places
/// from its home: where that cannot be kept, the table becomes a list that is sorted by id, until
/// it is empty. New ids are higher than all others, so they are appended; removed ones are marked,
/// and dropped together.
///
/// - M1: the length of a hash table is 0 or a power of two, and at most 3 of 4 entries are used. A
///   sorted list has at most 3 times as much room as ids, or room for [`SMALL`] ids.
/// - M2: in a hash table, between the home of an id and its entry all entries are used, and there
///   are fewer than [`LIMIT`]. In a sorted list, ids go up.
#[derive(Debug, Default)]
pub(super) struct IdMap {
    table: IdTable,
    /// How many ids there are.
    used: usize,
    /// There was no memory for a smaller table, or a copy has kept the room that it had.
    too_large: bool,
}

#[derive(Debug)]
enum IdTable {
    Hashed(Vec<IdEntry>),
    Sorted(Vec<Known>),
}

impl Default for IdTable {
    fn default() -> Self {
        Self::Hashed(Vec::new())
    }
}

/// Smaller tables are not made smaller still.
const SMALL: usize = 16;
/// So many ids stay together.
const TOGETHER: u32 = 4;
/// How far an entry may be from its home. In full tables of millions of random ids, the furthest
/// are some 200 away.
const LIMIT: usize = 512;

impl Clone for IdMap {
    fn clone(&self) -> Self {
        let mut copy = Self::EMPTY;
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, original: &Self) {
        (self.used, self.too_large) = (original.used, original.too_large);
        match (&mut self.table, &original.table) {
            (IdTable::Hashed(entries), IdTable::Hashed(others)) => entries.clone_from(others),
            (IdTable::Sorted(list), IdTable::Sorted(others)) => {
                list.clone_from(others);
                // The list keeps its room until the next id leaves.
                self.too_large |= list.capacity() > room_for(self.used);
            }
            (table, IdTable::Hashed(others)) => *table = IdTable::Hashed(others.clone()),
            (table, IdTable::Sorted(others)) => *table = IdTable::Sorted(others.clone()),
        }
    }
}

/// The most room that a sorted list of so many ids may have (M1).
fn room_for(ids: usize) -> usize {
    (3 * ids).max(SMALL)
}

/// The home of an entry in a table of so many: all ids of a group, and groups by the upper bits of
/// a product, which are the better ones.
fn home(IdEntry { low, .. }: IdEntry, length: usize) -> usize {
    let groups = length as u64 / u64::from(TOGETHER);
    let product = (low / TOGETHER).wrapping_mul(0x9E37_79B9);
    let group = (u64::from(product) * groups) >> 32;
    group as usize * TOGETHER as usize + (low % TOGETHER) as usize
}

fn next(place: usize, length: usize) -> usize {
    (place + 1) & (length - 1)
}

/// The first place from an entry's home on that is free or accepted, if it is near enough.
fn find(entries: &[IdEntry], entry: IdEntry, accept: impl Fn(IdEntry) -> bool) -> Option<usize> {
    let mut place = home(entry, entries.len());
    for _ in 0..LIMIT.min(entries.len()) {
        step();
        if entries[place].is_free() || accept(entries[place]) {
            return Some(place);
        }
        place = next(place, entries.len());
    }
    None
}

/// A hash table of so many places with these entries. `Err(true)` if one of them would be too far
/// from its home.
fn hashed(length: usize, known: impl Iterator<Item = IdEntry>) -> Result<Vec<IdEntry>, bool> {
    let mut entries = Vec::new();
    entries.try_reserve_exact(length).map_err(|_| false)?;
    entries.resize(length, IdEntry::FREE);
    for entry in known {
        let place = find(&entries, entry, |_| false).ok_or(true)?;
        entries[place] = entry;
    }
    Ok(entries)
}

/// The entries of ids by slot.
fn entries_of(ids: &[Option<EntityId>]) -> impl Iterator<Item = IdEntry> + '_ {
    (0..).zip(ids).filter_map(|(slot, id)| Some(IdEntry::new((*id)?, slot)))
}

impl IdMap {
    pub(super) const EMPTY: Self = Self { table: IdTable::Hashed(Vec::new()), used: 0, too_large: false };

    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Heap memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match &self.table {
            IdTable::Hashed(entries) => entries.capacity() * size_of::<IdEntry>(),
            IdTable::Sorted(list) => list.capacity() * size_of::<Known>(),
        }
    }

    pub(super) fn capacity(&self) -> usize {
        match &self.table {
            IdTable::Hashed(entries) => entries.len(),
            IdTable::Sorted(list) => list.capacity(),
        }
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// A map of these ids by slot, of which there are so many. `None` if there is no memory.
    pub(super) fn of(ids: &[Option<EntityId>], count: usize) -> Option<Self> {
        let mut map = Self::EMPTY;
        let length = (count * 4 / 3 + 1).next_power_of_two().max(SMALL);
        match hashed(length, entries_of(ids)) {
            Ok(entries) => (map.table, map.used) = (IdTable::Hashed(entries), count),
            Err(true) if map.sort(entries_of(ids), count, ids) => {}
            Err(_) => return None,
        }
        Some(map)
    }

    /// Becomes a sorted list of these. `false`, and as before, if there is no memory.
    #[cold]
    fn sort(&mut self, known: impl Iterator<Item = IdEntry>, count: usize, ids: &[Option<EntityId>]) -> bool {
        let mut list = Vec::new();
        if list.try_reserve_exact((2 * count).max(SMALL)).is_err() {
            return false;
        }
        list.extend(known.filter_map(|IdEntry { slot, .. }| Some(Known { id: ids[slot as usize]?, slot })));
        list.sort_unstable_by(|a, b| {
            step();
            a.id.cmp(&b.id)
        });
        self.used = list.len();
        self.too_large = false;
        self.table = IdTable::Sorted(list);
        true
    }

    /// The place of an id in a sorted list, or where it belongs.
    fn search(&self, list: &[Known], id: EntityId) -> Result<usize, usize> {
        list.binary_search_by(|known| {
            step();
            known.id.cmp(&id)
        })
    }

    /// The slot of an id. `ids` are those of all slots.
    pub(super) fn get(&self, id: EntityId, ids: &[Option<EntityId>]) -> Option<u32> {
        match &self.table {
            IdTable::Hashed(entries) if entries.is_empty() => None,
            IdTable::Hashed(entries) => {
                let wanted = IdEntry::new(id, 0);
                let is_it = |it: IdEntry| it.low == wanted.low && ids[it.slot as usize] == Some(id);
                let found = entries[find(entries, wanted, is_it)?];
                Some(found.slot).filter(|_| !found.is_free())
            }
            IdTable::Sorted(list) => {
                let known = &list[self.search(list, id).ok()?];
                Some(known.slot).filter(|_| !known.is_removed())
            }
        }
    }

    /// Adds an id that is higher than all others, and is among those of all slots. `false`, and
    /// nothing is added, if there is no memory.
    pub(super) fn insert(&mut self, id: EntityId, slot: u32, ids: &[Option<EntityId>]) -> bool {
        let entry = IdEntry::new(id, slot);
        match &mut self.table {
            IdTable::Hashed(entries) => {
                let needed = (self.used + 1) * 4;
                if needed > entries.len() * 3 {
                    return self.rehash((needed / 3 + 1).next_power_of_two().max(SMALL), Some(entry), ids);
                }
                let Some(place) = find(entries, entry, |_| false) else {
                    let older = core::mem::take(entries);
                    let known = older.iter().copied().filter(|it| !it.is_free()).chain([entry]);
                    let done = self.sort(known, self.used + 1, ids);
                    if !done {
                        self.table = IdTable::Hashed(older);
                    }
                    return done;
                };
                entries[place] = entry;
                self.used += 1;
                true
            }
            IdTable::Sorted(list) => {
                if list.len() == list.capacity() {
                    // In the steady state there are removed ones to drop, and nothing is allocated.
                    if (list.len() - self.used) * 4 >= list.len() {
                        list.retain(|known| {
                            step();
                            !known.is_removed()
                        });
                    } else if list.try_reserve(1).is_err() {
                        return false;
                    }
                }
                let place = list.partition_point(|known| {
                    step();
                    known.id < id
                });
                list.insert(place, Known { id, slot });
                self.used += 1;
                true
            }
        }
    }

    /// The same entries, and one more, in a hash table of so many places; or a sorted list, if they
    /// are too far from their homes. `false`, and as before, if there is no memory.
    #[cold]
    fn rehash(&mut self, length: usize, more: Option<IdEntry>, ids: &[Option<EntityId>]) -> bool {
        let IdTable::Hashed(entries) = &mut self.table else { return true };
        let older = core::mem::take(entries);
        let known = || older.iter().copied().filter(|it| !it.is_free()).chain(more);
        let count = self.used + usize::from(more.is_some());
        let done = match hashed(length, known()) {
            Ok(entries) => {
                (self.table, self.used, self.too_large) = (IdTable::Hashed(entries), count, false);
                true
            }
            Err(is_far) => is_far && self.sort(known(), count, ids),
        };
        if !done {
            self.table = IdTable::Hashed(older);
        }
        done
    }

    /// Removes the id of a slot, and gives memory back when three of four entries are free.
    pub(super) fn remove(&mut self, id: EntityId, slot: u32, ids: &[Option<EntityId>]) {
        match &mut self.table {
            IdTable::Hashed(entries) => {
                if entries.is_empty() || !take_out(entries, IdEntry::new(id, slot)) {
                    return;
                }
                self.used -= 1;
                if self.used * 4 < entries.len() && entries.len() > SMALL {
                    // Without memory it stays as large as it is, until the next one leaves.
                    self.too_large = !self.rehash((self.used * 2).next_power_of_two().max(SMALL), None, ids);
                }
            }
            IdTable::Sorted(_) => self.remove_sorted(id),
        }
    }

    #[cold]
    fn remove_sorted(&mut self, id: EntityId) {
        let IdTable::Sorted(list) = &self.table else { return };
        let Ok(place) = self.search(list, id) else { return };
        let IdTable::Sorted(list) = &mut self.table else { return };
        if list[place].is_removed() {
            return;
        }
        list[place].slot = u32::MAX;
        self.used -= 1;
        if self.used == 0 {
            *self = Self::EMPTY;
        } else if list.capacity() > room_for(self.used) {
            let mut smaller = Vec::new();
            self.too_large = smaller.try_reserve_exact((2 * self.used).max(SMALL)).is_err();
            if !self.too_large {
                smaller.extend(list.iter().filter(|known| {
                    step();
                    !known.is_removed()
                }));
                *list = smaller;
            }
        }
    }
}

/// Takes an entry out of a hash table, and lets those behind it move up. `false` if it is not
/// there.
fn take_out(entries: &mut [IdEntry], leaving: IdEntry) -> bool {
    let length = entries.len();
    let Some(mut gap) = find(entries, leaving, |it| it == leaving) else { return false };
    if entries[gap].is_free() {
        return false;
    }
    let distance = |from: usize, to: usize| to.wrapping_sub(from) & (length - 1);
    let mut place = next(gap, length);
    // By M2, no entry that is `LIMIT` places behind the gap can be at home at or before it.
    while !entries[place].is_free() && distance(gap, place) < LIMIT {
        step();
        // An entry whose home is at or before the gap may not stay behind it (M2).
        if distance(home(entries[place], length), place) >= distance(gap, place) {
            entries[gap] = entries[place];
            gap = place;
        }
        place = next(place, length);
    }
    entries[gap] = IdEntry::FREE;
    true
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::steps::count;

    fn id(number: u64) -> EntityId {
        EntityId::new(number).unwrap()
    }

    /// Ids by slot, and the map of them, as a world keeps both.
    struct Model {
        ids: Vec<Option<EntityId>>,
        map: IdMap,
    }

    impl Model {
        fn of(numbers: impl Iterator<Item = u64>) -> Self {
            let ids: Vec<_> = numbers.map(EntityId::new).collect();
            let map = IdMap::of(&ids, ids.len()).unwrap();
            Self { ids, map }
        }

        fn is_sorted(&self) -> bool {
            matches!(self.map.table, IdTable::Sorted(_))
        }

        fn remove(&mut self, slot: usize) {
            self.map.remove(self.ids[slot].unwrap(), u32::try_from(slot).unwrap(), &self.ids);
            self.ids[slot] = None;
        }

        fn insert(&mut self, number: u64) {
            self.ids.push(Some(id(number)));
            assert!(self.map.insert(id(number), u32::try_from(self.ids.len() - 1).unwrap(), &self.ids));
        }

        fn check(&self) {
            let alive = self.ids.iter().flatten().count();
            assert_eq!(self.map.len(), alive);
            assert!(self.map.capacity() <= (4 * alive).max(SMALL), "{} for {alive}", self.map.capacity());
            for (slot, id) in (0..).zip(&self.ids) {
                if let Some(id) = *id {
                    assert_eq!(self.map.get(id, &self.ids), Some(slot), "{id}");
                }
            }
            if let IdTable::Hashed(entries) = &self.map.table {
                let far = |(place, &entry): (usize, &IdEntry)| {
                    !entry.is_free() && place.wrapping_sub(home(entry, entries.len())) & (entries.len() - 1) >= LIMIT
                };
                assert!(!entries.iter().enumerate().any(far), "M2");
            }
        }
    }

    /// Ids with one lower half as [`Entry`] knows it: all have one home, whatever the length of the
    /// table.
    fn one_home() -> impl Iterator<Item = u64> {
        (0..1_u64 << 30).map(|upper: u64| {
            let mixed = u64::from((upper as u32).wrapping_mul(0x85EB_CA6B));
            upper << 32 | (mixed ^ 12_345)
        })
    }

    /// Ids whose homes follow each other in a table of this length: one long run of used entries.
    fn one_run(length: usize) -> impl Iterator<Item = u64> {
        let homes: alloc::collections::BTreeMap<usize, u64> =
            (1..8 * length as u64).map(|number| (home(IdEntry::new(id(number), 0), length), number)).collect();
        homes.into_values()
    }

    /// Everything that happens to a map: it is built, asked, changed and emptied.
    fn live(numbers: impl Iterator<Item = u64>) {
        let mut model = Model::of(numbers);
        let count = model.ids.len();
        model.check();
        let mut highest = 1 << 62;
        // One goes and one comes; the last that are left are the ones that came.
        for slot in 0..count {
            model.remove(slot);
            highest += 1;
            model.insert(highest);
        }
        model.check();
        (count..2 * count).for_each(|slot| model.remove(slot));
        assert_eq!((model.map.len(), model.is_sorted()), (0, false));
        (0..100).for_each(|more| model.insert(highest + 1 + more));
        model.check();
    }

    #[test]
    fn steps_are_bounded_whatever_the_ids() {
        for (name, hostile) in [
            ("one home", (|count| one_home().take(count).collect()) as fn(usize) -> Vec<u64>),
            ("one run", |count| one_run((count * 4 / 3 + 1).next_power_of_two()).take(count).collect()),
            ("every 64th", |count| (1..=count as u64).map(|number| number * 64).collect()),
            ("one after the other", |count| (1..=count as u64).collect()),
        ] {
            let [few, many] = [3_000, 12_000].map(|size| {
                let numbers = hostile(size).into_iter();
                count(|| live(numbers)).1
            });
            assert!(many <= 6 * few, "{name}: {few} steps for n, {many} for 4n");
            assert!(many <= 12_000 * 2 * LIMIT, "{name}: {many} steps");
        }
    }

    #[test]
    fn usual_ids_are_hashed_and_near_their_homes() {
        let mut survivor = 0;
        let survivors: Vec<u64> = (0..90_000_u64)
            .map(|number| {
                survivor += 1 + (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57);
                survivor
            })
            .collect();
        let strides = [1_u64, 3, 7, 64, 100, 1_000, 4_096, 65_536, 1 << 20, 1 << 32];
        for stride in strides {
            let (model, steps) = count(|| Model::of((1..=90_000).map(|number| number * stride)));
            assert!(!model.is_sorted() && steps < 90_000 * 16, "every {stride}th: {steps} steps");
        }
        let (model, steps) = count(|| Model::of(survivors.into_iter()));
        assert!(!model.is_sorted() && steps < 90_000 * 16, "{steps} steps");
    }

    #[test]
    fn hostile_ids_are_found_removed_and_copied() {
        let mut model = Model::of(one_home().skip(1).take(2_000));
        assert!(model.is_sorted());
        model.check();
        (0..2_000).step_by(3).for_each(|slot| model.remove(slot));
        model.check();
        // A copy over a map of each kind, and back.
        let copy = Model { ids: model.ids.clone(), map: model.map.clone() };
        copy.check();
        let mut hashed = Model::of(1..50);
        hashed.map.clone_from(&model.map);
        hashed.ids.clone_from(&model.ids);
        hashed.check();
        let usual = Model::of(1..50);
        let mut other = copy;
        other.map.clone_from(&usual.map);
        other.ids.clone_from(&usual.ids);
        other.check();
        // An id that was removed is not found, and a slot can be used again.
        let gone = one_home().nth(1).map(id).unwrap();
        assert_eq!(model.map.get(gone, &model.ids), None);
        model.map.remove(gone, 0, &model.ids);
        (0..5_000).for_each(|more| model.insert((1 << 62) + more));
        model.check();
    }

    /// A usual table that meets hostile ids one by one, as an open game does whose ids were chosen.
    #[test]
    fn a_hashed_table_becomes_sorted_on_the_way() {
        let mut model = Model::of(1..=100);
        let ascending = one_home().skip(1).take(3_000);
        ascending.for_each(|number| model.insert(number));
        assert!(model.is_sorted());
        model.check();
        (0..3_100).rev().for_each(|slot| model.remove(slot));
        assert!(!model.is_sorted() && model.map.capacity() == 0);
    }
}
