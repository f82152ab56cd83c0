//! A sparse secondary map: a hash map by index, in which the newer key wins.

use alloc::collections::TryReserveError;
use core::fmt;
use core::hash::BuildHasher;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
use std::collections::hash_map::{self, HashMap, RandomState};

use crate::iterators::{cloned, into_iterator, iterator};
use crate::key::{Key, KeyData};

/// A value, and the version of its key. The rest of the key is in the hash map.
#[derive(Clone, Debug)]
struct Slot<V> {
    version: u32,
    value: V,
}

// No more memory than in slotmap.
const _: () = assert!(size_of::<(u32, Slot<u32>)>() == 12);

impl<V> Slot<V> {
    #[inline]
    fn new(key: KeyData, value: V) -> Self {
        Self { version: key.version(), value }
    }

    /// Returns the key of a slot with this index.
    #[inline]
    fn key(&self, index: u32) -> KeyData {
        KeyData::from_parts(index, self.version)
    }

    /// Returns `true` if this is the slot of a key with its index.
    #[inline]
    fn is_of(&self, key: KeyData) -> bool {
        self.version == key.version()
    }
}

/// More data about few of the things that another map has keys for.
///
/// Like a [`SecondaryMap`](crate::SecondaryMap), with memory for what it has and no more.
///
/// ```
/// use tenure_slotmap::{SlotMap, SparseSecondaryMap};
///
/// let mut goblins = SlotMap::new();
/// let grik = goblins.insert("Grik");
/// let mut curses = SparseSecondaryMap::new();
/// curses.insert(grik, "itches");
/// assert_eq!(curses[grik], "itches");
/// ```
#[derive(Clone)]
pub struct SparseSecondaryMap<K: Key, V, S: BuildHasher = RandomState> {
    slots: HashMap<u32, Slot<V>, S>,
    key: PhantomData<fn(K) -> K>,
}

impl<K: Key, V> SparseSecondaryMap<K, V, RandomState> {
    /// Returns an empty map.
    pub fn new() -> Self {
        Self::with_hasher(RandomState::default())
    }

    /// Returns an empty map with room for `capacity` values.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_hasher(capacity, RandomState::default())
    }
}

impl<K: Key, V, S: BuildHasher> SparseSecondaryMap<K, V, S> {
    /// Returns an empty map with this hasher.
    pub fn with_hasher(hash_builder: S) -> Self {
        Self { slots: HashMap::with_hasher(hash_builder), key: PhantomData }
    }

    /// Returns an empty map with this hasher and room for `capacity` values.
    pub fn with_capacity_and_hasher(capacity: usize, hash_builder: S) -> Self {
        Self { slots: HashMap::with_capacity_and_hasher(capacity, hash_builder), key: PhantomData }
    }

    /// Returns the number of values.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns how many values there can be before the map must allocate.
    pub fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Makes room for at least `additional` more values.
    ///
    /// # Panics
    ///
    /// When there is no such room.
    pub fn reserve(&mut self, additional: usize) {
        self.slots.reserve(additional);
    }

    /// Like [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no such room.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional)
    }

    /// Returns `true` if the key has a value.
    #[inline]
    pub fn contains_key(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// Sets the value of a key, and returns the one that it had. The null key, and a key that is
    /// older than the one of its slot that has a value, are refused: the value is dropped.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let key = key.data();
        if key == KeyData::NULL {
            return None;
        }
        match self.slots.entry(key.idx()) {
            hash_map::Entry::Occupied(entry) if entry.get().version > key.version() => None,
            hash_map::Entry::Occupied(mut entry) => {
                let old = entry.insert(Slot::new(key, value));
                old.is_of(key).then_some(old.value)
            }
            hash_map::Entry::Vacant(entry) => {
                entry.insert(Slot::new(key, value));
                None
            }
        }
    }

    /// Removes the value of a key and returns it.
    pub fn remove(&mut self, key: K) -> Option<V> {
        // One search, not two: the key is seldom another one than that of the slot.
        let key = key.data();
        let removed = self.slots.remove(&key.idx())?;
        if removed.is_of(key) {
            return Some(removed.value);
        }
        self.slots.insert(key.idx(), removed);
        None
    }

    /// Keeps the values for which the closure returns `true`, and drops the others.
    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        self.slots.retain(|&index, slot| f(slot.key(index).into(), &mut slot.value));
    }

    /// Removes all values. Keeps the memory.
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// Removes all values and returns them with their keys.
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        Drain { inner: self.slots.drain(), key: PhantomData }
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        let key = key.data();
        self.slots.get(&key.idx()).filter(|slot| slot.is_of(key)).map(|slot| &slot.value)
    }

    /// Like [`get`](Self::get). The check is made all the same.
    ///
    /// # Safety
    ///
    /// None. (In slotmap: the key has a value.)
    ///
    /// # Panics
    ///
    /// When the key has no value.
    #[expect(unsafe_code, reason = "declared as in slotmap")]
    #[track_caller]
    pub unsafe fn get_unchecked(&self, key: K) -> &V {
        &self[key]
    }

    /// Returns the value of a key, mutably.
    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let key = key.data();
        self.slots.get_mut(&key.idx()).filter(|slot| slot.is_of(key)).map(|slot| &mut slot.value)
    }

    /// Like [`get_mut`](Self::get_mut). The check is made all the same.
    ///
    /// # Safety
    ///
    /// None. (In slotmap: the key has a value.)
    ///
    /// # Panics
    ///
    /// When the key has no value.
    #[expect(unsafe_code, reason = "declared as in slotmap")]
    #[track_caller]
    pub unsafe fn get_unchecked_mut(&mut self, key: K) -> &mut V {
        &mut self[key]
    }

    /// Returns the values of several keys at once, mutably. `None` if one of them has no value, or
    /// if two are the same.
    ///
    /// Visits all values: safe code cannot search a hash map for several `&mut` with the Rust
    /// version of this crate.
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        let keys = keys.map(|key| key.data());
        let mut values = [const { None }; N];
        for (nth, key) in keys.iter().enumerate() {
            let is_there = self.slots.get(&key.idx()).is_some_and(|slot| slot.is_of(*key));
            if !is_there || keys[..nth].contains(key) {
                return None;
            }
        }
        let mut left = N;
        for (&index, slot) in &mut self.slots {
            if left == 0 {
                break;
            }
            let found = slot.key(index);
            if let Some(nth) = keys.iter().position(|key| *key == found) {
                values[nth] = Some(&mut slot.value);
                left -= 1;
            }
        }
        Some(values.map(|value| value.unwrap_or_else(|| unreachable!("every key has a value"))))
    }

    /// Like [`get_disjoint_mut`](Self::get_disjoint_mut). The check is made all the same.
    ///
    /// # Safety
    ///
    /// None. (In slotmap: all keys have values, and no two are the same.)
    ///
    /// # Panics
    ///
    /// When a key has no value, or two are the same.
    #[expect(unsafe_code, reason = "declared as in slotmap")]
    #[track_caller]
    pub unsafe fn get_disjoint_unchecked_mut<const N: usize>(&mut self, keys: [K; N]) -> [&mut V; N] {
        self.get_disjoint_mut(keys).unwrap_or_else(|| panic!("invalid SparseSecondaryMap keys used"))
    }

    /// Returns an iterator over keys and values, in no particular order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { inner: self.slots.iter(), key: PhantomData }
    }

    /// Returns an iterator over keys and values, in no particular order, to change the values.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut { inner: self.slots.iter_mut(), key: PhantomData }
    }

    /// Returns an iterator over keys, in no particular order.
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys { inner: self.slots.iter(), key: PhantomData }
    }

    /// Returns an iterator over values, in no particular order.
    pub fn values(&self) -> Values<'_, K, V> {
        Values { inner: self.slots.values(), key: PhantomData }
    }

    /// Returns an iterator over values, in no particular order, to change them.
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        ValuesMut { inner: self.slots.values_mut(), key: PhantomData }
    }

    /// Returns the place of a key, to look at and fill in one step. `None` if the key is null, or
    /// older than the one of its slot that has a value. The value of an older key stays until
    /// another one is set.
    pub fn entry(&mut self, key: K) -> Option<Entry<'_, K, V>> {
        let data = key.data();
        if data == KeyData::NULL {
            return None;
        }
        match self.slots.entry(data.idx()) {
            hash_map::Entry::Occupied(inner) if inner.get().version > data.version() => None,
            hash_map::Entry::Occupied(inner) if inner.get().is_of(data) => {
                Some(Entry::Occupied(OccupiedEntry { inner, data, key: PhantomData }))
            }
            inner => Some(Entry::Vacant(VacantEntry { inner, data, key: PhantomData })),
        }
    }
}

impl<K: Key, V, S: BuildHasher + Default> Default for SparseSecondaryMap<K, V, S> {
    fn default() -> Self {
        Self::with_hasher(S::default())
    }
}

impl<K: Key, V: fmt::Debug, S: BuildHasher> fmt::Debug for SparseSecondaryMap<K, V, S> {
    /// A map from keys to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Key, V, S: BuildHasher> Index<K> for SparseSecondaryMap<K, V, S> {
    type Output = V;

    /// # Panics
    ///
    /// When the key has no value, at the caller's line, with the key.
    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => panic!("invalid SparseSecondaryMap key used: {key:?} has no value"),
        }
    }
}

impl<K: Key, V, S: BuildHasher> IndexMut<K> for SparseSecondaryMap<K, V, S> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        match self.get_mut(key) {
            Some(value) => value,
            None => panic!("invalid SparseSecondaryMap key used: {key:?} has no value"),
        }
    }
}

impl<K: Key, V: PartialEq, S: BuildHasher> PartialEq for SparseSecondaryMap<K, V, S> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Key, V: Eq, S: BuildHasher> Eq for SparseSecondaryMap<K, V, S> {}

impl<K: Key, V, S: BuildHasher + Default> FromIterator<(K, V)> for SparseSecondaryMap<K, V, S> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let mut map = Self::default();
        map.extend(iter);
        map
    }
}

impl<K: Key, V, S: BuildHasher> Extend<(K, V)> for SparseSecondaryMap<K, V, S> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Key, V: Copy, S: BuildHasher> Extend<(K, &'a V)> for SparseSecondaryMap<K, V, S> {
    fn extend<I: IntoIterator<Item = (K, &'a V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(key, *value);
        }
    }
}

/// The place of a key that has a value. See [`SparseSecondaryMap::entry`].
#[derive(Debug)]
pub struct OccupiedEntry<'a, K: Key, V> {
    inner: hash_map::OccupiedEntry<'a, u32, Slot<V>>,
    data: KeyData,
    key: PhantomData<fn(K) -> K>,
}

/// The place of a key that has no value. See [`SparseSecondaryMap::entry`].
#[derive(Debug)]
pub struct VacantEntry<'a, K: Key, V> {
    /// Occupied by the value of an older key, or vacant.
    inner: hash_map::Entry<'a, u32, Slot<V>>,
    data: KeyData,
    key: PhantomData<fn(K) -> K>,
}

/// The place of a key. See [`SparseSecondaryMap::entry`].
#[derive(Debug)]
pub enum Entry<'a, K: Key, V> {
    /// The key has a value.
    Occupied(OccupiedEntry<'a, K, V>),
    /// The key has none.
    Vacant(VacantEntry<'a, K, V>),
}

crate::secondary::entry_methods! {}

impl<'a, K: Key, V> OccupiedEntry<'a, K, V> {
    /// Removes the value and returns it with its key.
    pub fn remove_entry(self) -> (K, V) {
        (self.data.into(), self.inner.remove().value)
    }

    /// Returns the value.
    pub fn get(&self) -> &V {
        &self.inner.get().value
    }

    /// Returns the value, mutably.
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.inner.get_mut().value
    }

    /// Returns the value, for as long as the map is borrowed.
    pub fn into_mut(self) -> &'a mut V {
        &mut self.inner.into_mut().value
    }

    /// Sets the value, and returns the old one.
    pub fn insert(&mut self, value: V) -> V {
        core::mem::replace(self.get_mut(), value)
    }
}

impl<'a, K: Key, V> VacantEntry<'a, K, V> {
    /// Sets the value.
    pub fn insert(self, value: V) -> &'a mut V {
        &mut self.inner.insert_entry(Slot::new(self.data, value)).into_mut().value
    }
}

/// Removes all values of a map. See [`SparseSecondaryMap::drain`].
pub struct Drain<'a, K: Key, V> {
    inner: hash_map::Drain<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values of a map that is used up. Made by `for … in map`.
pub struct IntoIter<K: Key, V> {
    inner: hash_map::IntoIter<u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values. See [`SparseSecondaryMap::iter`].
pub struct Iter<'a, K: Key, V> {
    inner: hash_map::Iter<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values, to change the values. See [`SparseSecondaryMap::iter_mut`].
pub struct IterMut<'a, K: Key, V> {
    inner: hash_map::IterMut<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys. See [`SparseSecondaryMap::keys`].
pub struct Keys<'a, K: Key, V> {
    inner: hash_map::Iter<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Values. See [`SparseSecondaryMap::values`].
pub struct Values<'a, K: Key, V> {
    inner: hash_map::Values<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

/// Values, to change them. See [`SparseSecondaryMap::values_mut`].
pub struct ValuesMut<'a, K: Key, V> {
    inner: hash_map::ValuesMut<'a, u32, Slot<V>>,
    key: PhantomData<fn(K) -> K>,
}

iterator! { [K: Key, V] Drain<'_, K, V>, (K, V), |(index, slot)| (slot.key(index).into(), slot.value) }
iterator! { [K: Key, V] IntoIter<K, V>, (K, V), |(index, slot)| (slot.key(index).into(), slot.value) }
iterator! { ['a, K: Key, V] Iter<'a, K, V>, (K, &'a V), |(&index, slot)| (slot.key(index).into(), &slot.value) }
iterator! {
    ['a, K: Key, V] IterMut<'a, K, V>, (K, &'a mut V), |(&index, slot)| (slot.key(index).into(), &mut slot.value)
}
iterator! { ['a, K: Key, V] Keys<'a, K, V>, K, |(&index, slot)| slot.key(index).into() }
iterator! { ['a, K: Key, V] Values<'a, K, V>, &'a V, |slot| &slot.value }
iterator! { ['a, K: Key, V] ValuesMut<'a, K, V>, &'a mut V, |slot| &mut slot.value }
cloned! { [K: Key, V] Iter<'_, K, V> }
cloned! { [K: Key, V] Keys<'_, K, V> }
cloned! { [K: Key, V] Values<'_, K, V> }
into_iterator! { [K: Key, V, S: BuildHasher] SparseSecondaryMap<K, V, S> }

impl<K: Key, V, S: BuildHasher> IntoIterator for SparseSecondaryMap<K, V, S> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter { inner: self.slots.into_iter(), key: PhantomData }
    }
}
