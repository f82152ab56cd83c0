//! A hop slot map. In slotmap it iterates faster over holes than a slot map; here a slot map does
//! so itself, and this is one.
#![expect(deprecated, reason = "it is in the API")]

use alloc::collections::TryReserveError;
use core::fmt;
use core::ops::{Index, IndexMut};

pub use crate::basic::{Drain, IntoIter, Iter, IterMut, Keys, Values, ValuesMut};

use crate::basic::{SlotMap, no_value, unresolved};
use crate::iterators::into_iterator;
use crate::key::{DefaultKey, Key, handle};

/// A [`SlotMap`] by another name.
///
/// ```
/// # #![allow(deprecated)]
/// let mut map = tenure_slotmap::HopSlotMap::new();
/// let key = map.insert("value");
/// assert_eq!(map[key], "value");
/// ```
#[deprecated(since = "0.1.0", note = "a `SlotMap` iterates as fast over holes")]
pub struct HopSlotMap<K: Key, V>(pub(crate) SlotMap<K, V>);

impl<V> HopSlotMap<DefaultKey, V> {
    /// See [`SlotMap::new`].
    pub const fn new() -> Self {
        Self::with_key()
    }

    /// See [`SlotMap::with_capacity`].
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_key(capacity)
    }
}

/// What it has of a slot map, under the same name.
macro_rules! as_slot_map {
    ($($(#[$attribute:meta])* fn $name:ident(&$($self:ident)+ $(, $argument:ident: $Argument:ty)*) $(-> $Result:ty)?;)*) => {
        $(
            #[doc = concat!("See [`SlotMap::", stringify!($name), "`].")]
            $(#[$attribute])*
            #[inline]
            #[track_caller]
            pub fn $name(&$($self)+ $(, $argument: $Argument)*) $(-> $Result)? {
                as_slot_map!(@self $($self)+).0.$name($($argument),*)
            }
        )*
    };
    (@self mut $self:ident) => { $self };
    (@self $self:ident) => { $self };
}

impl<K: Key, V> HopSlotMap<K, V> {
    /// See [`SlotMap::with_key`].
    pub const fn with_key() -> Self {
        Self(SlotMap::with_key())
    }

    /// See [`SlotMap::with_capacity_and_key`].
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        Self(SlotMap::with_capacity_and_key(capacity))
    }

    as_slot_map! {
        fn len(&self) -> usize;
        fn is_empty(&self) -> bool;
        fn capacity(&self) -> usize;
        fn reserve(&mut self, additional: usize);
        #[expect(clippy::missing_errors_doc, reason = "said there")]
        fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
        fn contains_key(&self, key: K) -> bool;
        fn insert(&mut self, value: V) -> K;
        fn remove(&mut self, key: K) -> Option<V>;
        fn clear(&mut self);
        fn drain(&mut self) -> Drain<'_, K, V>;
        fn get(&self, key: K) -> Option<&V>;
        fn get_mut(&mut self, key: K) -> Option<&mut V>;
        fn iter(&self) -> Iter<'_, K, V>;
        fn iter_mut(&mut self) -> IterMut<'_, K, V>;
        fn keys(&self) -> Keys<'_, K, V>;
        fn values(&self) -> Values<'_, K, V>;
        fn values_mut(&mut self) -> ValuesMut<'_, K, V>;
    }

    /// See [`SlotMap::insert_with_key`].
    ///
    /// # Panics
    ///
    /// When the map is full, or there is no memory.
    #[inline]
    #[track_caller]
    pub fn insert_with_key<F: FnOnce(K) -> V>(&mut self, f: F) -> K {
        self.0.insert_with_key(f)
    }

    /// See [`SlotMap::try_insert_with_key`].
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
        self.0.try_insert_with_key(f)
    }

    /// See [`SlotMap::retain`].
    pub fn retain<F: FnMut(K, &mut V) -> bool>(&mut self, f: F) {
        self.0.retain(f);
    }

    /// See [`SlotMap::get_unchecked`].
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

    /// See [`SlotMap::get_unchecked_mut`].
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

    /// See [`SlotMap::get_disjoint_mut`].
    pub fn get_disjoint_mut<const N: usize>(&mut self, keys: [K; N]) -> Option<[&mut V; N]> {
        self.0.get_disjoint_mut(keys)
    }

    /// See [`SlotMap::get_disjoint_unchecked_mut`].
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
        self.0.get_disjoint_mut(keys).unwrap_or_else(|| panic!("invalid HopSlotMap keys used"))
    }
}

impl<K: Key, V: Clone> Clone for HopSlotMap<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<K: Key, V> Default for HopSlotMap<K, V> {
    fn default() -> Self {
        Self::with_key()
    }
}

impl<K: Key, V: fmt::Debug> fmt::Debug for HopSlotMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Key, V> Index<K> for HopSlotMap<K, V> {
    type Output = V;

    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.get(key) {
            Some(value) => value,
            None => unresolved("HopSlotMap", key, &self.0.slots),
        }
    }
}

impl<K: Key, V> IndexMut<K> for HopSlotMap<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        if !self.contains_key(key) {
            unresolved("HopSlotMap", key, &self.0.slots);
        }
        match self.0.slots.get_mut(handle(key)) {
            Some(value) => value,
            None => no_value("HopSlotMap", key, None),
        }
    }
}

into_iterator! { [K: Key, V] HopSlotMap<K, V> }

impl<K: Key, V> IntoIterator for HopSlotMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.0.into_iter()
    }
}
