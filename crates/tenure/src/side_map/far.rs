//! Values whose index is far beyond the slots of a side map: found by search, not by index.

use alloc::collections::BTreeMap;
use core::ops::{RangeFrom, RangeInclusive};
use core::panic::UnwindSafe;

use crate::handle::Handle;
use crate::key::Key;
use crate::slots::{Slot, SlotRef};

/// The maximum number of slots of a map without values.
const FIRST_SLOTS: usize = 4_096;

/// The memory of the additional slots that each value allows. With values of 8 bytes, 256 slots: a
/// map that has a value for every 200th handle of its owner has slots for all (row `SecondaryMap,
/// get with 1 in 200`).
const BYTES_PER_VALUE: usize = 4_096;

/// The minimum number of additional slots that each value allows, however large.
const LEAST_PER_VALUE: usize = 16;

/// Returns the index below which a map with `len` values has slots. A forged handle makes the map
/// longer by a constant number of slots.
pub(super) fn reach<V>(len: usize) -> usize {
    let each = (BYTES_PER_VALUE / size_of::<Slot<V>>()).max(LEAST_PER_VALUE);
    len.saturating_mul(each).saturating_add(FIRST_SLOTS)
}

/// A value and the mark of its tenant.
#[derive(Clone, Debug)]
pub(crate) struct FarValue<V> {
    pub(crate) mark: u32,
    pub(crate) value: V,
}

/// Values, ordered by index.
#[derive(Clone, Debug)]
pub(crate) struct Far<V>(BTreeMap<u32, FarValue<V>>);

// As a `Vec` of the values. A `BTreeMap` asks for `RefUnwindSafe`, which a `Cell` is not.
impl<V: UnwindSafe> UnwindSafe for Far<V> {}

impl<V> Far<V> {
    pub(super) const EMPTY: Self = Self(BTreeMap::new());

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a lower bound of the memory of the tree: its nodes are at least half full.
    pub(super) fn bytes(&self) -> usize {
        self.len() * 2 * size_of::<(u32, FarValue<V>)>()
    }

    pub(super) fn mark_at(&self, index: u32) -> Option<u32> {
        self.0.get(&index).map(|far| far.mark)
    }

    pub(super) fn get(&self, slot: SlotRef) -> Option<&V> {
        self.0.get(&slot.index).filter(|far| far.mark == slot.mark).map(|far| &far.value)
    }

    pub(super) fn get_mut(&mut self, slot: SlotRef) -> Option<&mut V> {
        self.0.get_mut(&slot.index).filter(|far| far.mark == slot.mark).map(|far| &mut far.value)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn remove(&mut self, slot: SlotRef) -> Option<V> {
        self.get(slot)?;
        self.0.remove(&slot.index).map(|far| far.value)
    }

    /// Inserts a value. Returns the value that was at the index, of whichever tenant.
    pub(super) fn put(&mut self, slot: SlotRef, value: V) -> Option<V> {
        self.0.insert(slot.index, FarValue { mark: slot.mark, value }).map(|far| far.value)
    }

    /// Removes the value at an index, of whichever tenant.
    pub(super) fn remove_at(&mut self, index: u32) -> Option<V> {
        self.0.remove(&index).map(|far| far.value)
    }

    pub(super) fn first_index(&self) -> Option<u32> {
        self.0.first_key_value().map(|(&index, _)| index)
    }

    pub(super) fn pop_first(&mut self) -> Option<(SlotRef, V)> {
        self.0.pop_first().map(|(index, far)| (SlotRef { index, mark: far.mark }, far.value))
    }

    pub(super) fn pop_last(&mut self) -> Option<(SlotRef, V)> {
        self.0.pop_last().map(|(index, far)| (SlotRef { index, mark: far.mark }, far.value))
    }

    /// Returns an iterator over the values in a range, mutably.
    pub(super) fn range_mut(&mut self, range: RangeInclusive<u32>) -> impl Iterator<Item = (u32, &mut V)> {
        self.0.range_mut(range).map(|(&index, far)| (index, &mut far.value))
    }

    /// Returns the first value in a range, mutably.
    pub(super) fn first_in(&mut self, range: RangeFrom<u32>) -> Option<(SlotRef, &mut V)> {
        let (&index, far) = self.0.range_mut(range).next()?;
        Some((SlotRef { index, mark: far.mark }, &mut far.value))
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(SlotRef, &mut V) -> bool) {
        self.0.retain(|&index, far| keep(SlotRef { index, mark: far.mark }, &mut far.value));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns an iterator over plain handles and values.
    #[cfg(feature = "serde")]
    pub(crate) fn handles<H: Key>(&self) -> impl Iterator<Item = (Handle<H::Kind, H::Layout>, &V)> {
        self.iter().map(|(&index, far)| (raw::<H>(SlotRef { index, mark: far.mark }), &far.value))
    }

    /// Appends a value. Returns `false`, and adds nothing, if its index is not above all others.
    #[cfg(feature = "serde")]
    pub(super) fn push(&mut self, slot: SlotRef, value: V) -> bool {
        let is_last = self.0.last_key_value().is_none_or(|(&last, _)| last < slot.index);
        is_last && self.put(slot, value).is_none()
    }

    pub(crate) fn iter(&self) -> Iter<'_, V> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, V> {
        self.0.iter_mut()
    }

    pub(super) fn into_iter(self) -> IntoIter<V> {
        self.0.into_iter()
    }
}

pub(crate) type Iter<'a, V> = alloc::collections::btree_map::Iter<'a, u32, FarValue<V>>;
pub(crate) type IterMut<'a, V> = alloc::collections::btree_map::IterMut<'a, u32, FarValue<V>>;
pub(crate) type IntoIter<V> = alloc::collections::btree_map::IntoIter<u32, FarValue<V>>;

/// Returns the plain handle of a slot.
pub(super) fn raw<H: Key>(slot: SlotRef) -> Handle<H::Kind, H::Layout> {
    Handle::from_slot(slot)
}
