//! Entity ids, which are never reused, and a table that finds the slot of an id.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU64;

use crate::steps::step;

/// The id of an entity: 64 bits, counted up from 1. An id is not reused, not even for another
/// entity in the same slot. (After a rollback, by `clone_from` or an older save, the ids that were
/// assigned since then are assigned again.)
///
/// For logs, tools and the network. To refer to an entity, store its handle: resolving a handle
/// takes one compare, and fails if the entity was removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(NonZeroU64);

impl EntityId {
    /// Returns the id with this number. `None` for 0.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// Returns the number: 1, 2, 3, ….
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

/// The slot of an entity, and 32 bits of its id, which determine the entry's home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IdEntry {
    slot: u32,
    low: u32,
}

impl IdEntry {
    /// A free entry. No slot has this index: the number of slots fits into 32 bits.
    const FREE: Self = Self { slot: u32::MAX, low: 0 };

    /// Mixes the upper half of the id in: ids in a loaded document could all have the same lower
    /// half.
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

/// A map from ids to slots.
///
/// Usually a hash table: open addressing with linear probing, a fixed hash, and deletion that
/// shifts entries back. An entry has 8 bytes, and consecutive ids have neighbouring homes: many
/// entities are spawned or swept at a time, and every cache line that the table touches is one that
/// the entities themselves lose.
///
/// A document can contain ids that all have the same home. So every entry is less than [`LIMIT`]
/// buckets from its home: where that is impossible, the table becomes a list that is sorted by id,
/// until it is empty. New ids are higher than all others, so they are appended; removed ones are
/// marked, and deleted many at a time.
///
/// - M1: the length of a hash table is 0 or a power of two, and at most 3/4 of its entries are
///   used. The capacity of a sorted list is at most 3 times the number of ids, or [`SMALL`].
/// - M2: for every id in a hash table: all entries between its home and its entry are used, and
///   there are fewer than [`LIMIT`] of them. In a sorted list, ids are strictly ascending.
#[derive(Debug, Default)]
pub(super) struct IdMap {
    table: IdTable,
    /// The number of ids.
    used: usize,
    /// The table is larger than M1 allows: there was no memory for a smaller one, or a copy kept
    /// its capacity.
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

/// Tables of this size or less are not shrunk.
const SMALL: usize = 16;
/// The number of consecutive ids that have neighbouring homes.
const TOGETHER: u32 = 4;
/// Every entry is less than this many buckets from its home. In full tables of millions of random
/// ids, the longest distance is about 200.
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
                // The list keeps its capacity until the next id is removed.
                self.too_large |= list.capacity() > room_for(self.used);
            }
            (table, IdTable::Hashed(others)) => *table = IdTable::Hashed(others.clone()),
            (table, IdTable::Sorted(others)) => *table = IdTable::Sorted(others.clone()),
        }
    }
}

/// The largest capacity that a sorted list of `ids` ids may have (M1).
fn room_for(ids: usize) -> usize {
    (3 * ids).max(SMALL)
}

/// The home of an entry in a table with `length` entries. The ids of a group have neighbouring
/// homes; groups are distributed by the upper bits of a product, which depend on all bits of the
/// factors.
fn home(IdEntry { low, .. }: IdEntry, length: usize) -> usize {
    let groups = length as u64 / u64::from(TOGETHER);
    let product = (low / TOGETHER).wrapping_mul(0x9E37_79B9);
    let group = (u64::from(product) * groups) >> 32;
    group as usize * TOGETHER as usize + (low % TOGETHER) as usize
}

fn next(bucket: usize, length: usize) -> usize {
    (bucket + 1) & (length - 1)
}

/// Returns the first bucket at an entry's home or after it that is free or accepted. `None` if
/// there is none within `LIMIT` buckets.
fn find(entries: &[IdEntry], entry: IdEntry, accept: impl Fn(IdEntry) -> bool) -> Option<usize> {
    let mut bucket = home(entry, entries.len());
    for _ in 0..LIMIT.min(entries.len()) {
        step();
        if entries[bucket].is_free() || accept(entries[bucket]) {
            return Some(bucket);
        }
        bucket = next(bucket, entries.len());
    }
    None
}

/// Builds a hash table with `length` buckets and these entries. `Err(true)` if one of them would be
/// too far from its home, `Err(false)` if there is no memory.
fn hashed(length: usize, known: impl Iterator<Item = IdEntry>) -> Result<Vec<IdEntry>, bool> {
    let mut entries = Vec::new();
    entries.try_reserve_exact(length).map_err(|_| false)?;
    entries.resize(length, IdEntry::FREE);
    for entry in known {
        let bucket = find(&entries, entry, |_| false).ok_or(true)?;
        entries[bucket] = entry;
    }
    Ok(entries)
}

/// An iterator over the entries for ids by slot.
fn entries_of(ids: &[Option<EntityId>]) -> impl Iterator<Item = IdEntry> + '_ {
    (0..).zip(ids).filter_map(|(slot, id)| Some(IdEntry::new((*id)?, slot)))
}

impl IdMap {
    pub(super) const EMPTY: Self = Self { table: IdTable::Hashed(Vec::new()), used: 0, too_large: false };

    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Returns the heap memory, in bytes.
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

    /// Builds a map of ids by slot, of which `count` are `Some`. `None` if there is no memory.
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

    /// Makes the map a sorted list of these entries. If there is no memory, returns `false` and
    /// changes nothing.
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

    /// Returns the position of an id in a sorted list, or where it would be inserted.
    fn search(&self, list: &[Known], id: EntityId) -> Result<usize, usize> {
        list.binary_search_by(|known| {
            step();
            known.id.cmp(&id)
        })
    }

    /// Returns the slot of an id. `ids` has the ids of all slots.
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

    /// Inserts an id that is higher than all others and is in `ids` already. If there is no memory,
    /// returns `false` and inserts nothing.
    pub(super) fn insert(&mut self, id: EntityId, slot: u32, ids: &[Option<EntityId>]) -> bool {
        let entry = IdEntry::new(id, slot);
        match &mut self.table {
            IdTable::Hashed(entries) => {
                let needed = (self.used + 1) * 4;
                if needed > entries.len() * 3 {
                    return self.rehash((needed / 3 + 1).next_power_of_two().max(SMALL), Some(entry), ids);
                }
                let Some(bucket) = find(entries, entry, |_| false) else {
                    let older = core::mem::take(entries);
                    let known = older.iter().copied().filter(|it| !it.is_free()).chain([entry]);
                    let done = self.sort(known, self.used + 1, ids);
                    if !done {
                        self.table = IdTable::Hashed(older);
                    }
                    return done;
                };
                entries[bucket] = entry;
                self.used += 1;
                true
            }
            IdTable::Sorted(list) => {
                if list.len() == list.capacity() {
                    // In the steady state there are removed ids to delete, and nothing is
                    // allocated.
                    if (list.len() - self.used) * 4 >= list.len() {
                        list.retain(|known| {
                            step();
                            !known.is_removed()
                        });
                    } else if list.try_reserve(1).is_err() {
                        return false;
                    }
                }
                let position = list.partition_point(|known| {
                    step();
                    known.id < id
                });
                list.insert(position, Known { id, slot });
                self.used += 1;
                true
            }
        }
    }

    /// Moves all entries and `more` into a hash table with `length` buckets, or into a sorted list
    /// if one would be too far from its home. If there is no memory, returns `false` and changes
    /// nothing.
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

    /// Removes the id of a slot. Shrinks the table when more than three quarters of its entries are
    /// free.
    pub(super) fn remove(&mut self, id: EntityId, slot: u32, ids: &[Option<EntityId>]) {
        match &mut self.table {
            IdTable::Hashed(entries) => {
                if entries.is_empty() || !take_out(entries, IdEntry::new(id, slot)) {
                    return;
                }
                self.used -= 1;
                if self.used * 4 < entries.len() && entries.len() > SMALL {
                    // Without memory the table keeps its size until the next id is removed.
                    self.too_large = !self.rehash((self.used * 2).next_power_of_two().max(SMALL), None, ids);
                }
            }
            IdTable::Sorted(_) => self.remove_sorted(id),
        }
    }

    #[cold]
    fn remove_sorted(&mut self, id: EntityId) {
        let IdTable::Sorted(list) = &self.table else { return };
        let Ok(position) = self.search(list, id) else { return };
        let IdTable::Sorted(list) = &mut self.table else { return };
        if list[position].is_removed() {
            return;
        }
        list[position].slot = u32::MAX;
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

/// Removes an entry from a hash table, and moves entries behind it closer to their homes. Returns
/// `false` if the entry is not in the table.
fn take_out(entries: &mut [IdEntry], leaving: IdEntry) -> bool {
    let length = entries.len();
    let Some(mut gap) = find(entries, leaving, |it| it == leaving) else { return false };
    if entries[gap].is_free() {
        return false;
    }
    let distance = |from: usize, to: usize| to.wrapping_sub(from) & (length - 1);
    let mut bucket = next(gap, length);
    // By M2, an entry that is `LIMIT` or more buckets behind the gap has its home behind the gap.
    while !entries[bucket].is_free() && distance(gap, bucket) < LIMIT {
        step();
        // An entry whose home is at or before the gap must not stay behind it (M2).
        if distance(home(entries[bucket], length), bucket) >= distance(gap, bucket) {
            entries[gap] = entries[bucket];
            gap = bucket;
        }
        bucket = next(bucket, length);
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

    /// Ids by slot, and the map of them, as in a world.
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
                let far = |(bucket, &entry): (usize, &IdEntry)| {
                    !entry.is_free() && bucket.wrapping_sub(home(entry, entries.len())) & (entries.len() - 1) >= LIMIT
                };
                assert!(!entries.iter().enumerate().any(far), "M2");
            }
        }
    }

    /// Ids with equal [`IdEntry::low`]: all have the same home, whatever the length of the table.
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

    /// Builds a map, looks ids up, replaces them, and removes them.
    fn live(numbers: impl Iterator<Item = u64>) {
        let mut model = Model::of(numbers);
        let count = model.ids.len();
        model.check();
        let mut highest = 1 << 62;
        // Remove one and insert one; at the end, only inserted ones are left.
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
        // A removed id is not found, and a slot can be reused.
        let gone = one_home().nth(1).map(id).unwrap();
        assert_eq!(model.map.get(gone, &model.ids), None);
        model.map.remove(gone, 0, &model.ids);
        (0..5_000).for_each(|more| model.insert((1 << 62) + more));
        model.check();
    }

    /// A table of ordinary ids into which hostile ones are inserted one by one.
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
