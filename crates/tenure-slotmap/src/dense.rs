//! A dense slot map: keys and values in two vectors, and a Tenure pool of row numbers.

use alloc::collections::TryReserveError;
use alloc::vec::{self, Vec};
use core::fmt;
use core::iter::Zip;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};
use core::slice;

use tenure::{Handle, Pool};

use crate::basic::{no_value, not_detached};
use crate::iterators::{cloned, debug_left, into_iterator, iterator};
use crate::key::{DefaultKey, Key, KeyData, handle, key};

/// A map that issues a key for every value, and keeps the values in one slice.
///
/// Iterating is as fast as over a `Vec`; looking up goes through one more index than in a
/// [`SlotMap`](crate::SlotMap). Removing moves the last value into the gap.
///
/// ```
/// let mut map = tenure_slotmap::DenseSlotMap::new();
/// let keys = [map.insert(1), map.insert(2), map.insert(3)];
/// map.remove(keys[0]);
/// assert_eq!(map.values_as_slice(), [3, 2]);
/// assert_eq!(map[keys[2]], 3);
/// ```
pub struct DenseSlotMap<K: Key, V> {
    /// The row of every key. For every row there is one slot that has its number, and the key of
    /// that slot is the key of the row: see `validate` in the tests.
    pub(crate) rows: Pool<u32, Handle<KeyData>>,
    pub(crate) keys: Vec<K>,
    pub(crate) values: Vec<V>,
}

impl<V> DenseSlotMap<DefaultKey, V> {
    /// Returns an empty map. Allocates nothing, and is `const`.
    pub const fn new() -> Self {
        Self::with_key()
    }

    /// Returns an empty map with room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> DenseSlotMap<DefaultKey, V> {
        Self::with_capacity_and_key(capacity)
    }
}

impl<K: Key, V> DenseSlotMap<K, V> {
    /// Returns an empty map with any key type. Allocates nothing, and is `const`.
    pub const fn with_key() -> Self {
        Self { rows: Pool::EMPTY, keys: Vec::new(), values: Vec::new() }
    }

    /// Returns an empty map with any key type and room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self {
            rows: Pool::with_capacity_and_key(capacity),
            keys: Vec::with_capacity(capacity),
            values: Vec::with_capacity(capacity),
        }
    }

    /// Returns the number of values. Detached ones do not count.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns how many values there can be before the map must allocate.
    pub fn capacity(&self) -> usize {
        self.rows.capacity().min(self.keys.capacity()).min(self.values.capacity())
    }

    /// Makes room for at least `additional` more values.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the map cannot have that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        self.rows.reserve(additional);
        self.keys.reserve(additional);
        self.values.reserve(additional);
    }

    /// Like [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the map cannot have that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.rows.try_reserve(additional)?;
        self.keys.try_reserve(additional)?;
        self.values.try_reserve(additional)
    }

    #[inline]
    fn row(&self, key: K) -> Option<usize> {
        self.rows.get(handle(key)).map(|row| *row as usize)
    }

    /// Returns `true` if the key has a value.
    #[inline]
    pub fn contains_key(&self, key: K) -> bool {
        self.rows.contains(handle(key))
    }

    /// Inserts a value and returns its key. O(1), amortised.
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, value: V) -> K {
        self.insert_with_key(|_| value)
    }

    /// Inserts a value that may hold its own key. If the closure panics, nothing has happened.
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert_with_key<F: FnOnce(K) -> V>(&mut self, f: F) -> K {
        match self.try_insert_with_key(|key| Ok::<V, core::convert::Infallible>(f(key))) {
            Ok(key) => key,
            Err(never) => match never {},
        }
    }

    /// Like [`insert_with_key`](Self::insert_with_key), for a closure that may fail. On `Err`
    /// nothing has happened.
    ///
    /// # Errors
    ///
    /// The closure's.
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn try_insert_with_key<F: FnOnce(K) -> Result<V, E>, E>(&mut self, f: F) -> Result<K, E> {
        // All that can fail comes before anything has changed.
        self.keys.reserve(1);
        self.values.reserve(1);
        let (keys, values) = (&mut self.keys, &mut self.values);
        let handle = self.rows.insert_with_result(|handle| {
            let key = key(handle);
            values.push(f(key)?);
            keys.push(key);
            Ok(row_number(keys.len() - 1))
        })?;
        Ok(key(handle))
    }

    /// Removes a row; its slot has no row number any more.
    fn take_row(&mut self, row: usize) -> V {
        self.keys.swap_remove(row);
        let value = self.values.swap_remove(row);
        if let Some(moved) = self.keys.get(row) {
            self.rows[handle(*moved)] = row_number(row);
        }
        value
    }

    /// Removes a value and returns it. O(1).
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<V> {
        let handle = handle(key);
        if !self.rows.contains(handle) {
            return None;
        }
        self.rows.remove(handle).map(|row| self.take_row(row as usize))
    }

    /// Takes a value out and keeps its slot: [`reattach`](Self::reattach) gives the key a value
    /// again. Until then the key has none. O(1).
    pub fn detach(&mut self, key: K) -> Option<V> {
        self.rows.take(handle(key)).map(|row| self.take_row(row as usize))
    }

    /// Gives a [detached](Self::detach) key a value. O(1), amortised.
    ///
    /// # Panics
    ///
    /// When the key is not detached, or there is no memory.
    #[track_caller]
    pub fn reattach(&mut self, detached_key: K, value: V) {
        self.keys.reserve(1);
        self.values.reserve(1);
        if self.rows.fill(handle(detached_key), row_number(self.values.len())).is_err() {
            not_detached(detached_key);
        }
        self.keys.push(key(handle(detached_key)));
        self.values.push(value);
    }

    /// Keeps the values for which the closure returns `true`, and drops the others.
    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        let mut row = 0;
        while let (Some(&key), Some(value)) = (self.keys.get(row), self.values.get_mut(row)) {
            if f(key, value) {
                row += 1;
            } else {
                self.rows.remove(handle(key));
                drop(self.take_row(row));
            }
        }
    }

    /// Removes all values. Keeps the memory, and detached keys. If a destructor panics, the rest is
    /// removed all the same.
    pub fn clear(&mut self) {
        self.release_rows();
        self.values.clear();
    }

    /// Removes all keys; the values have none from then on.
    fn release_rows(&mut self) {
        if self.rows.pending_handles().next().is_none() {
            self.rows.clear();
        } else {
            self.rows.retain(|_, _| false);
        }
        self.keys.clear();
    }

    /// Removes all values and returns them with their keys, the last one first. Dropping the
    /// iterator removes the rest; forgetting it leaves the rest in the map.
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        Drain { map: self }
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(self.row(key)?)
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
        let row = self.row(key)?;
        self.values.get_mut(row)
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
    /// if two are the same. Compares all pairs, and sorts the rows.
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        let mut rows = [(0, 0); N];
        for (position, (found, key)) in rows.iter_mut().zip(keys).enumerate() {
            *found = (self.row(key)?, position);
        }
        rows.sort_unstable();
        // Each value is split off from those behind it.
        let mut values = [const { None }; N];
        let (mut rest, mut first) = (self.values.as_mut_slice(), 0);
        for (row, position) in rows {
            let (value, behind) = rest.split_at_mut_checked(row.checked_sub(first)?)?.1.split_first_mut()?;
            values[position] = Some(value);
            (rest, first) = (behind, row + 1);
        }
        Some(values.map(|value| value.unwrap_or_else(|| unreachable!("every position has a row"))))
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
        self.get_disjoint_mut(keys).unwrap_or_else(|| panic!("invalid DenseSlotMap keys used"))
    }

    /// Returns an iterator over keys and values, in the order of the slices.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { inner: self.keys.iter().zip(&self.values), key: PhantomData }
    }

    /// Returns an iterator over keys and values, in the order of the slices, to change the values.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut { inner: self.keys.iter().zip(&mut self.values) }
    }

    /// Returns an iterator over keys, in the order of the slices.
    #[inline]
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys { inner: self.keys.iter(), key: PhantomData }
    }

    /// Returns an iterator over values, in the order of the slices.
    #[inline]
    pub fn values(&self) -> Values<'_, K, V> {
        Values { inner: self.values.iter(), key: PhantomData }
    }

    /// Returns an iterator over values, in the order of the slices, to change them.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        ValuesMut { inner: self.values.iter_mut(), key: PhantomData }
    }

    /// Returns all keys, in the order of the values.
    #[inline]
    pub fn keys_as_slice(&self) -> &[K] {
        &self.keys
    }

    /// Returns all values.
    #[inline]
    pub fn values_as_slice(&self) -> &[V] {
        &self.values
    }

    /// Returns all values, mutably.
    #[inline]
    pub fn values_as_mut_slice(&mut self) -> &mut [V] {
        &mut self.values
    }

    /// Returns all keys and all values, in one order.
    #[inline]
    pub fn as_slices(&self) -> (&[K], &[V]) {
        (&self.keys, &self.values)
    }

    /// Returns all keys and all values, in one order; the values mutably.
    #[inline]
    pub fn as_mut_slices(&mut self) -> (&[K], &mut [V]) {
        (&self.keys, &mut self.values)
    }
}

/// A pool has fewer slots than a `u32` has values, so every row has a number.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn row_number(row: usize) -> u32 {
    row as u32
}

impl<K: Key, V: Clone> Clone for DenseSlotMap<K, V> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), keys: self.keys.clone(), values: self.values.clone() }
    }

    /// Reuses memory. If a clone panics, the map is empty.
    fn clone_from(&mut self, source: &Self) {
        self.release_rows();
        let mut values = core::mem::take(&mut self.values);
        values.clone_from(&source.values);
        self.values = values;
        self.keys.clone_from(&source.keys);
        self.rows.clone_from(&source.rows);
    }
}

impl<K: Key, V> Default for DenseSlotMap<K, V> {
    fn default() -> Self {
        Self::with_key()
    }
}

impl<K: Key, V: fmt::Debug> fmt::Debug for DenseSlotMap<K, V> {
    /// A map from keys to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Key, V> Index<K> for DenseSlotMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// When the key has no value, at the caller's line, with the key and the reason.
    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => no_value("DenseSlotMap", key, self.rows.try_get(handle(key)).err()),
        }
    }
}

impl<K: Key, V> IndexMut<K> for DenseSlotMap<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        match self.row(key) {
            Some(row) => &mut self.values[row],
            None => no_value("DenseSlotMap", key, self.rows.try_get(handle(key)).err()),
        }
    }
}

/// Removes all values of a map. See [`DenseSlotMap::drain`].
pub struct Drain<'a, K: Key, V> {
    map: &'a mut DenseSlotMap<K, V>,
}

impl<K: Key, V> Iterator for Drain<'_, K, V> {
    type Item = (K, V);

    #[inline]
    fn next(&mut self) -> Option<(K, V)> {
        let key = self.map.keys.pop()?;
        self.map.rows.remove(handle(key));
        self.map.values.pop().map(|value| (key, value))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.map.len(), Some(self.map.len()))
    }
}

impl<K: Key, V> ExactSizeIterator for Drain<'_, K, V> {}
impl<K: Key, V> core::iter::FusedIterator for Drain<'_, K, V> {}
debug_left! { [K: Key, V] Drain<'_, K, V> }

impl<K: Key, V> Drop for Drain<'_, K, V> {
    fn drop(&mut self) {
        self.map.clear();
    }
}

/// Keys and values of a map that is used up. Made by `for … in map`.
#[derive(Clone)]
pub struct IntoIter<K, V> {
    inner: Zip<vec::IntoIter<K>, vec::IntoIter<V>>,
}

/// Keys and values. See [`DenseSlotMap::iter`].
pub struct Iter<'a, K: Key, V> {
    inner: Zip<slice::Iter<'a, K>, slice::Iter<'a, V>>,
    key: PhantomData<&'a K>,
}

/// Keys and values, to change the values. See [`DenseSlotMap::iter_mut`].
pub struct IterMut<'a, K: Key, V> {
    inner: Zip<slice::Iter<'a, K>, slice::IterMut<'a, V>>,
}

/// Keys. See [`DenseSlotMap::keys`].
pub struct Keys<'a, K: Key, V> {
    inner: slice::Iter<'a, K>,
    key: PhantomData<&'a V>,
}

/// Values. See [`DenseSlotMap::values`].
pub struct Values<'a, K: Key, V> {
    inner: slice::Iter<'a, V>,
    key: PhantomData<&'a K>,
}

/// Values, to change them. See [`DenseSlotMap::values_mut`].
pub struct ValuesMut<'a, K: Key, V> {
    inner: slice::IterMut<'a, V>,
    key: PhantomData<&'a K>,
}

iterator! { [K, V] IntoIter<K, V>, (K, V), |item| item }
iterator! { ['a, K: Key, V] Iter<'a, K, V>, (K, &'a V), |(key, value)| (*key, value) }
iterator! { ['a, K: Key, V] IterMut<'a, K, V>, (K, &'a mut V), |(key, value)| (*key, value) }
iterator! { ['a, K: Key, V] Keys<'a, K, V>, K, |key| *key }
iterator! { ['a, K: Key, V] Values<'a, K, V>, &'a V, |value| value }
iterator! { ['a, K: Key, V] ValuesMut<'a, K, V>, &'a mut V, |value| value }
cloned! { [K: Key, V] Iter<'_, K, V> }
cloned! { [K: Key, V] Keys<'_, K, V> }
cloned! { [K: Key, V] Values<'_, K, V> }
into_iterator! { [K: Key, V] DenseSlotMap<K, V> }

impl<K: Key, V> IntoIterator for DenseSlotMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter { inner: self.keys.into_iter().zip(self.values) }
    }
}
