//! A secondary map: a Tenure side map that asks no owner.

use alloc::collections::TryReserveError;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use tenure::{Handle, SideMap, side_map};

use crate::iterators::{cloned, into_iterator, iterator};
use crate::key::{Key, KeyData, handle, key};

/// More data about what another map has keys for.
///
/// Of two keys of one slot the newer one wins. A key whose index is far beyond those in use costs
/// O(1) memory, so a forged key cannot make the map ask for gigabytes.
///
/// ```
/// use tenure_slotmap::{SecondaryMap, SlotMap};
///
/// let mut goblins = SlotMap::new();
/// let grik = goblins.insert("Grik");
/// let mut gold = SecondaryMap::new();
/// gold.insert(grik, 5);
/// assert_eq!(gold[grik], 5);
/// ```
///
/// # Cost
///
/// O(1) for keys whose index is below the [`capacity`](Self::capacity), or below 4,096 and, for
/// each value, as many slots as fit in 4,096 bytes (256 for values of 8 bytes). O(log n) beyond
/// that.
pub struct SecondaryMap<K: Key, V> {
    pub(crate) values: SideMap<Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

impl<K: Key, V> SecondaryMap<K, V> {
    /// Returns an empty map. Allocates nothing, and is `const`.
    pub const fn new() -> Self {
        Self { values: SideMap::new(), key: PhantomData }
    }

    /// Returns an empty map with room for the first `capacity` slots.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { values: SideMap::with_capacity(capacity), key: PhantomData }
    }

    /// Returns the number of values.
    #[inline]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns how many slots the map has memory for.
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// Makes room for `new_capacity` slots in all.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the map cannot have that many slots.
    #[track_caller]
    pub fn set_capacity(&mut self, new_capacity: usize) {
        if let Err(error) = self.try_set_capacity(new_capacity) {
            panic!("the map cannot grow: {error}");
        }
    }

    /// Like [`set_capacity`](Self::set_capacity), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the map cannot have that many slots.
    pub fn try_set_capacity(&mut self, new_capacity: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve_slots(new_capacity)
    }

    /// Returns `true` if the key has a value.
    #[inline]
    pub fn contains_key(&self, key: K) -> bool {
        self.values.contains(handle(key))
    }

    /// Sets the value of a key, and returns the one that it had. The null key, and a key that is
    /// older than the one of its slot that has a value, are refused: the value is dropped.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.values.insert_unowned(handle(key), value) {
            Ok(had) => had,
            Err(refused) if refused.reason() == tenure::Rejection::Full => panic!("there is no memory"),
            Err(_) => None,
        }
    }

    /// Removes the value of a key and returns it.
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<V> {
        self.values.remove(handle(key))
    }

    /// Keeps the values for which the closure returns `true`, and drops the others. By index.
    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        self.values.retain(|handle, value| f(key(handle), value));
    }

    /// Removes all values. Keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Removes all values and returns them with their keys, in index order. Dropping the iterator
    /// removes the rest.
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        Drain { inner: self.values.drain(), key: PhantomData }
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(handle(key))
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
        self.values.get_mut(handle(key))
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
    #[inline]
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        self.values.get_disjoint_mut(keys.map(handle)).ok()
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
        self.get_disjoint_mut(keys).unwrap_or_else(|| panic!("invalid SecondaryMap keys used"))
    }

    /// Returns an iterator over keys and values, in index order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { inner: self.values.iter(), key: PhantomData }
    }

    /// Returns an iterator over keys and values, in index order, to change the values.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut { inner: self.values.iter_mut(), key: PhantomData }
    }

    /// Returns an iterator over keys, in index order.
    #[inline]
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys { inner: self.values.handles(), key: PhantomData }
    }

    /// Returns an iterator over values, in index order.
    #[inline]
    pub fn values(&self) -> Values<'_, K, V> {
        Values { inner: self.values.values(), key: PhantomData }
    }

    /// Returns an iterator over values, in index order, to change them.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        ValuesMut { inner: self.values.values_mut(), key: PhantomData }
    }

    /// Returns the place of a key, to look at and fill in one step. `None` if the key is null, or
    /// older than the one of its slot that has a value. Allocates nothing by itself.
    ///
    /// ```
    /// # use tenure_slotmap::{SecondaryMap, SlotMap};
    /// let mut map = SlotMap::new();
    /// let key = map.insert("page");
    /// let mut visits = SecondaryMap::new();
    /// *visits.entry(key).unwrap().or_insert(0) += 1;
    /// assert_eq!(visits[key], 1);
    /// ```
    #[inline]
    pub fn entry(&mut self, key: K) -> Option<Entry<'_, K, V>> {
        match self.values.entry_unowned(handle(key)).ok()? {
            side_map::Entry::Occupied(inner) => {
                Some(Entry::Occupied(OccupiedEntry { inner, data: key.data(), key: PhantomData }))
            }
            side_map::Entry::Vacant(inner) => {
                Some(Entry::Vacant(VacantEntry { inner, data: key.data(), key: PhantomData }))
            }
        }
    }
}

impl<K: Key, V: Clone> Clone for SecondaryMap<K, V> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), key: PhantomData }
    }

    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
    }
}

impl<K: Key, V> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Key, V: fmt::Debug> fmt::Debug for SecondaryMap<K, V> {
    /// A map from keys to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Key, V> Index<K> for SecondaryMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// When the key has no value, at the caller's line, with the key.
    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => panic!("invalid SecondaryMap key used: {key:?} has no value"),
        }
    }
}

impl<K: Key, V> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        match self.get_mut(key) {
            Some(value) => value,
            None => panic!("invalid SecondaryMap key used: {key:?} has no value"),
        }
    }
}

impl<K: Key, V: PartialEq> PartialEq for SecondaryMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<K: Key, V: Eq> Eq for SecondaryMap<K, V> {}

impl<K: Key, V> FromIterator<(K, V)> for SecondaryMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let mut map = Self::new();
        map.extend(iter);
        map
    }
}

impl<K: Key, V> Extend<(K, V)> for SecondaryMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Key, V: Copy> Extend<(K, &'a V)> for SecondaryMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, &'a V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(key, *value);
        }
    }
}

/// The place of a key that has a value. See [`SecondaryMap::entry`].
#[derive(Debug)]
pub struct OccupiedEntry<'a, K: Key, V> {
    inner: side_map::OccupiedEntry<'a, Handle<KeyData>, V>,
    data: KeyData,
    key: PhantomData<fn(K) -> K>,
}

/// The place of a key that has no value. See [`SecondaryMap::entry`].
#[derive(Debug)]
pub struct VacantEntry<'a, K: Key, V> {
    inner: side_map::VacantEntry<'a, Handle<KeyData>, V>,
    data: KeyData,
    key: PhantomData<fn(K) -> K>,
}

/// The place of a key. See [`SecondaryMap::entry`].
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
    #[inline]
    pub fn remove_entry(self) -> (K, V) {
        (self.data.into(), self.inner.remove())
    }

    /// Returns the value.
    #[inline]
    pub fn get(&self) -> &V {
        self.inner.get()
    }

    /// Returns the value, mutably.
    #[inline]
    pub fn get_mut(&mut self) -> &mut V {
        self.inner.get_mut()
    }

    /// Returns the value, for as long as the map is borrowed.
    #[inline]
    pub fn into_mut(self) -> &'a mut V {
        self.inner.into_mut()
    }

    /// Sets the value, and returns the old one.
    #[inline]
    pub fn insert(&mut self, value: V) -> V {
        self.inner.insert(value)
    }
}

impl<'a, K: Key, V> VacantEntry<'a, K, V> {
    /// Sets the value.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    #[inline]
    pub fn insert(self, value: V) -> &'a mut V {
        self.inner.insert(value)
    }
}

/// What the entries of both secondary maps have, over `insert`, `get_mut` and `into_mut`.
macro_rules! entry_methods {
    () => {
        impl<'a, K: Key, V> Entry<'a, K, V> {
            /// Returns the value, or sets this one.
            ///
            /// # Panics
            ///
            /// When there is no memory.
            #[track_caller]
            #[inline]
            pub fn or_insert(self, default: V) -> &'a mut V {
                self.or_insert_with(|| default)
            }

            /// Returns the value, or sets the one that the closure makes.
            ///
            /// # Panics
            ///
            /// When there is no memory.
            #[track_caller]
            #[inline]
            pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &'a mut V {
                match self {
                    Self::Occupied(entry) => entry.into_mut(),
                    Self::Vacant(entry) => entry.insert(default()),
                }
            }

            /// Returns the value, or sets its default.
            ///
            /// # Panics
            ///
            /// When there is no memory.
            #[track_caller]
            #[inline]
            pub fn or_default(self) -> &'a mut V
            where
                V: Default,
            {
                self.or_insert_with(V::default)
            }

            /// Returns the key.
            pub fn key(&self) -> K {
                match self {
                    Self::Occupied(entry) => entry.key(),
                    Self::Vacant(entry) => entry.key(),
                }
            }

            /// Changes the value, if there is one.
            #[inline]
            pub fn and_modify<F: FnOnce(&mut V)>(mut self, f: F) -> Self {
                if let Self::Occupied(entry) = &mut self {
                    f(entry.get_mut());
                }
                self
            }
        }

        impl<K: Key, V> OccupiedEntry<'_, K, V> {
            /// Returns the key.
            pub fn key(&self) -> K {
                self.data.into()
            }

            /// Removes the value and returns it.
            #[inline]
            pub fn remove(self) -> V {
                self.remove_entry().1
            }
        }

        impl<K: Key, V> VacantEntry<'_, K, V> {
            /// Returns the key.
            pub fn key(&self) -> K {
                self.data.into()
            }
        }
    };
}

pub(crate) use entry_methods;

/// Removes all values of a map. See [`SecondaryMap::drain`].
pub struct Drain<'a, K: Key, V> {
    inner: side_map::Drain<'a, Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values of a map that is used up, in index order. Made by `for … in map`.
pub struct IntoIter<K: Key, V> {
    inner: side_map::IntoIter<Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values, in index order. See [`SecondaryMap::iter`].
pub struct Iter<'a, K: Key, V> {
    inner: side_map::Iter<'a, Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values, in index order, to change the values. See [`SecondaryMap::iter_mut`].
pub struct IterMut<'a, K: Key, V> {
    inner: side_map::IterMut<'a, Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys, in index order. See [`SecondaryMap::keys`].
pub struct Keys<'a, K: Key, V> {
    inner: side_map::Handles<'a, Handle<KeyData>, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Values, in index order. See [`SecondaryMap::values`].
pub struct Values<'a, K: Key, V> {
    inner: side_map::Values<'a, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Values, in index order, to change them. See [`SecondaryMap::values_mut`].
pub struct ValuesMut<'a, K: Key, V> {
    inner: side_map::ValuesMut<'a, V>,
    key: PhantomData<fn(K) -> K>,
}

iterator! { [K: Key, V] Drain<'_, K, V>, (K, V), |(handle, value)| (key(handle), value) }
iterator! { [K: Key, V] IntoIter<K, V>, (K, V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] Iter<'a, K, V>, (K, &'a V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] IterMut<'a, K, V>, (K, &'a mut V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] Keys<'a, K, V>, K, |handle| key(handle) }
iterator! { ['a, K: Key, V] Values<'a, K, V>, &'a V, |value| value }
iterator! { ['a, K: Key, V] ValuesMut<'a, K, V>, &'a mut V, |value| value }
cloned! { [K: Key, V] Iter<'_, K, V> }
cloned! { [K: Key, V] Keys<'_, K, V> }
cloned! { [K: Key, V] Values<'_, K, V> }
into_iterator! { [K: Key, V] SecondaryMap<K, V> }

impl<K: Key, V> IntoIterator for SecondaryMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter { inner: self.values.into_iter(), key: PhantomData }
    }
}
