//! A slot map: a Tenure pool with slotmap's keys and methods.

use alloc::collections::TryReserveError;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use tenure::{Handle, HandleError, Pool, pool};

use crate::iterators::{cloned, debug_left, into_iterator, iterator};
use crate::key::{DefaultKey, Key, KeyData, handle, key};

pub(crate) type Slots<V> = Pool<V, Handle<KeyData>>;

/// A map that issues a key for every value.
///
/// A key finds its own value until that is removed, and nothing afterwards, however often the slot
/// is used again: a slot whose versions are used up is retired.
///
/// ```
/// use tenure_slotmap::SlotMap;
///
/// let mut map = SlotMap::new();
/// let goblin = map.insert("goblin");
/// map.remove(goblin);
/// let chicken = map.insert("chicken"); // takes the same slot
/// assert_eq!(map.get(chicken), Some(&"chicken"));
/// assert_eq!(map.get(goblin), None);
/// ```
///
/// # Cost
///
/// Inserting, removing and looking up are O(1), amortised where the map grows. Iterators go by
/// index, and cost O(values) plus one bit per slot.
pub struct SlotMap<K: Key, V> {
    pub(crate) slots: Slots<V>,
    pub(crate) key: PhantomData<fn(K) -> K>,
}

impl<V> SlotMap<DefaultKey, V> {
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
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_key(capacity)
    }
}

impl<K: Key, V> SlotMap<K, V> {
    /// Returns an empty map with any key type. Allocates nothing, and is `const`.
    ///
    /// ```
    /// tenure_slotmap::new_key_type! { struct PlayerKey; }
    /// let map: tenure_slotmap::SlotMap<PlayerKey, &str> = tenure_slotmap::SlotMap::with_key();
    /// assert!(map.is_empty());
    /// ```
    pub const fn with_key() -> Self {
        Self { slots: Pool::EMPTY, key: PhantomData }
    }

    /// Returns an empty map with any key type and room for `capacity` values.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self { slots: Pool::with_capacity_and_key(capacity), key: PhantomData }
    }

    /// Returns the number of values. Detached ones do not count.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there are no values.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns how many slots there can be before the map must allocate.
    pub fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Makes room for at least `additional` more values.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the map cannot have that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        self.slots.reserve(additional);
    }

    /// Like [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// ```
    /// let mut map = tenure_slotmap::SlotMap::<_, u64>::new();
    /// assert!(map.try_reserve(100).is_ok());
    /// assert!(map.try_reserve(usize::MAX).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no memory, or the map cannot have that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional)
    }

    /// Returns `true` if the key has a value.
    #[inline]
    pub fn contains_key(&self, key: K) -> bool {
        self.slots.contains(handle(key))
    }

    /// Inserts a value and returns its key. O(1), amortised.
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, value: V) -> K {
        key(self.slots.insert(value))
    }

    /// Inserts a value that may hold its own key. If the closure panics, nothing has happened.
    ///
    /// ```
    /// let mut map = tenure_slotmap::SlotMap::new();
    /// let key = map.insert_with_key(|key| (key, "value"));
    /// assert_eq!(map[key], (key, "value"));
    /// ```
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert_with_key<F: FnOnce(K) -> V>(&mut self, f: F) -> K {
        key(self.slots.insert_with(|handle| f(key(handle))))
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
        self.slots.insert_with_result(|handle| f(key(handle))).map(key)
    }

    /// Removes a value and returns it. O(1).
    #[inline]
    pub fn remove(&mut self, key: K) -> Option<V> {
        let handle = handle(key);
        // A detached key stays detached.
        if self.slots.contains(handle) { self.slots.remove(handle) } else { None }
    }

    /// Takes a value out and keeps its slot: [`reattach`](Self::reattach) gives the key a value
    /// again. Until then the key has none. O(1).
    ///
    /// A value can be changed with the rest of the map at hand, under a key that stays the same:
    ///
    /// ```
    /// let mut scores = tenure_slotmap::SlotMap::new();
    /// let (home, guests) = (scores.insert(vec![1]), scores.insert(vec![2, 3]));
    /// let mut taken = scores.detach(home).unwrap();
    /// assert!(!scores.contains_key(home));
    /// taken.extend(&scores[guests]);
    /// scores.reattach(home, taken);
    /// assert_eq!(scores[home].len(), 3);
    /// ```
    #[inline]
    pub fn detach(&mut self, key: K) -> Option<V> {
        self.slots.take(handle(key))
    }

    /// Gives a [detached](Self::detach) key a value. O(1).
    ///
    /// # Panics
    ///
    /// When the key is not detached.
    #[track_caller]
    #[inline]
    pub fn reattach(&mut self, detached_key: K, value: V) {
        if self.slots.fill(handle(detached_key), value).is_err() {
            not_detached(detached_key);
        }
    }

    /// Keeps the values for which the closure returns `true`, and drops the others. By index.
    #[inline]
    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, mut f: F) {
        self.slots.retain(|handle, value| f(key(handle), value));
    }

    /// Removes all values. Keeps the memory, and detached keys. If a destructor panics, the rest is
    /// removed all the same.
    pub fn clear(&mut self) {
        drop(self.drain());
    }

    /// Removes all values and returns them with their keys, in index order. Dropping the iterator
    /// removes the rest; forgetting it leaves the rest in the map. Detached keys are kept.
    /// O(slots).
    #[inline]
    pub fn drain(&mut self) -> Drain<'_, K, V> {
        Drain { slots: &mut self.slots, next: 0, key: PhantomData }
    }

    /// Returns the value of a key. A bounds check and one compare.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        self.slots.get(handle(key))
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
        self.slots.get_mut(handle(key))
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
        self.slots.get_disjoint_mut(keys.map(handle)).ok()
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
        match self.slots.get_disjoint_mut(keys.map(handle)) {
            Ok(values) => values,
            Err(error) => panic!("invalid SlotMap keys used: {error}"),
        }
    }

    /// Returns an iterator over keys and values, in index order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { inner: self.slots.iter(), key: PhantomData }
    }

    /// Returns an iterator over keys and values, in index order, to change the values.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut { inner: self.slots.iter_mut(), key: PhantomData }
    }

    /// Returns an iterator over keys, in index order.
    #[inline]
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys { inner: self.slots.handles(), key: PhantomData }
    }

    /// Returns an iterator over values, in index order.
    #[inline]
    pub fn values(&self) -> Values<'_, K, V> {
        Values { inner: self.slots.values(), key: PhantomData }
    }

    /// Returns an iterator over values, in index order, to change them.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, K, V> {
        ValuesMut { inner: self.slots.values_mut(), key: PhantomData }
    }
}

impl<K: Key, V: Clone> Clone for SlotMap<K, V> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), key: PhantomData }
    }

    /// Reuses memory. If a clone panics, the map is valid and holds a mixture of both.
    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
    }
}

impl<K: Key, V> Default for SlotMap<K, V> {
    fn default() -> Self {
        Self::with_key()
    }
}

impl<K: Key, V: fmt::Debug> fmt::Debug for SlotMap<K, V> {
    /// A map from keys to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Key, V> Index<K> for SlotMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// When the key has no value, at the caller's line, with the key and the reason.
    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.slots.get(handle(key)) {
            Some(value) => value,
            None => unresolved("SlotMap", key, &self.slots),
        }
    }
}

impl<K: Key, V> IndexMut<K> for SlotMap<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        if !self.contains_key(key) {
            unresolved("SlotMap", key, &self.slots);
        }
        match self.slots.get_mut(handle(key)) {
            Some(value) => value,
            None => no_value("SlotMap", key, None),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn not_detached<K: Key>(key: K) -> ! {
    panic!("key is not detached: {key:?} cannot be reattached")
}

/// Panics because of a key without a value, and finds out why. Out of line: an index is a bounds
/// check and one compare.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn unresolved<K: Key, V>(map: &str, key: K, slots: &Slots<V>) -> ! {
    no_value(map, key, slots.try_get(handle(key)).err())
}

/// Panics because of a key without a value. `map` is the name of the map's type.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_value<K: Key>(map: &str, key: K, error: Option<HandleError>) -> ! {
    use tenure::Status;
    let reason = match error.map(|error| error.status()) {
        Some(Status::Nil) => "it is null",
        Some(Status::Removed) => "its value was removed",
        Some(Status::Pending) => "it is detached",
        Some(Status::Retired) => "its value was removed, and its slot is retired",
        _ => "it was never issued",
    };
    panic!("invalid {map} key used: {key:?}: {reason}")
}

/// Removes all values of a map. See [`SlotMap::drain`].
pub struct Drain<'a, K: Key, V> {
    slots: &'a mut Slots<V>,
    /// The values of all slots below this one are removed.
    next: u32,
    key: PhantomData<fn(K) -> K>,
}

impl<K: Key, V> Iterator for Drain<'_, K, V> {
    type Item = (K, V);

    /// Looks at slot after slot, as slotmap does. A pool's own drain keeps both ends and looks for
    /// the next value in the bits, which takes twice as long (row `SlotMap::drain`), and it would
    /// release detached keys.
    #[inline]
    fn next(&mut self) -> Option<(K, V)> {
        while (self.next as usize) < self.slots.slot_count() {
            let found = self.slots.handle_at(self.next);
            self.next += 1;
            if let Some(handle) = found {
                return self.slots.remove(handle).map(|value| (key(handle), value));
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.slots.len(), Some(self.slots.len()))
    }
}

impl<K: Key, V> ExactSizeIterator for Drain<'_, K, V> {}
impl<K: Key, V> core::iter::FusedIterator for Drain<'_, K, V> {}
debug_left! { [K: Key, V] Drain<'_, K, V> }

impl<K: Key, V> Drop for Drain<'_, K, V> {
    /// Removes the rest, also if a destructor panics.
    fn drop(&mut self) {
        if self.slots.pending_handles().next().is_none() {
            self.slots.clear();
        } else {
            // `clear` would release detached keys.
            let rest = Rest(self.slots);
            rest.0.retain(|_, _| false);
        }
    }
}

/// Removes what is left after a destructor has panicked.
struct Rest<'a, V>(&'a mut Slots<V>);

impl<V> Drop for Rest<'_, V> {
    fn drop(&mut self) {
        self.0.retain(|_, _| false);
    }
}

/// Keys and values of a map that is used up, in index order. Made by `for … in map`.
#[derive(Clone)]
pub struct IntoIter<K: Key, V> {
    inner: pool::IntoIter<V, Handle<KeyData>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values, in index order. See [`SlotMap::iter`].
pub struct Iter<'a, K: Key, V> {
    inner: pool::Iter<'a, V, Handle<KeyData>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys and values, in index order, to change the values. See [`SlotMap::iter_mut`].
pub struct IterMut<'a, K: Key, V> {
    inner: pool::IterMut<'a, V, Handle<KeyData>>,
    key: PhantomData<fn(K) -> K>,
}

/// Keys, in index order. See [`SlotMap::keys`].
pub struct Keys<'a, K: Key, V> {
    inner: pool::Handles<'a, V, Handle<KeyData>>,
    key: PhantomData<fn(K) -> K>,
}

/// Values, in index order. See [`SlotMap::values`].
pub struct Values<'a, K: Key, V> {
    inner: pool::Values<'a, V>,
    key: PhantomData<fn(K) -> K>,
}

/// Values, in index order, to change them. See [`SlotMap::values_mut`].
pub struct ValuesMut<'a, K: Key, V> {
    inner: pool::ValuesMut<'a, V>,
    key: PhantomData<fn(K) -> K>,
}

iterator! { [K: Key, V] IntoIter<K, V>, (K, V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] Iter<'a, K, V>, (K, &'a V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] IterMut<'a, K, V>, (K, &'a mut V), |(handle, value)| (key(handle), value) }
iterator! { ['a, K: Key, V] Keys<'a, K, V>, K, |handle| key(handle) }
iterator! { ['a, K: Key, V] Values<'a, K, V>, &'a V, |value| value }
iterator! { ['a, K: Key, V] ValuesMut<'a, K, V>, &'a mut V, |value| value }
cloned! { [K: Key, V] Iter<'_, K, V> }
cloned! { [K: Key, V] Keys<'_, K, V> }
cloned! { [K: Key, V] Values<'_, K, V> }
into_iterator! { [K: Key, V] SlotMap<K, V> }

impl<K: Key, V> IntoIterator for SlotMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter { inner: self.slots.into_iter(), key: PhantomData }
    }
}
