//! Values whose index is far beyond the slots of a side map: found by search, not by index. They
//! are sorted, in chunks: in a single `Vec` an insertion would move half of all values, and a
//! `BTreeMap` aborts when there is no memory.

use alloc::collections::{VecDeque, vec_deque};
use alloc::vec::Vec;
use core::iter::Flatten;

use crate::handle::Handle;
use crate::key::Key;
use crate::slots::{Slot, SlotRef};

/// The maximum number of slots of a map without values.
const FIRST_SLOTS: usize = 4_096;

/// The memory of the additional slots that each value allows. With values of 8 bytes, 256 slots: a
/// map that has a value for every 200th handle of its owner has slots for all (row `SecondaryMap,
/// get with 1 in 200`). Also the memory of a chunk.
const BYTES_PER_VALUE: usize = 4_096;

/// The minimum number of additional slots that each value allows, however large.
const LEAST_PER_VALUE: usize = 16;

/// The minimum number of values that a chunk has room for, however large.
const LEAST_PER_CHUNK: usize = 64;

/// Returns the index below which a map with `len` values has slots. A forged handle makes the map
/// longer by a constant number of slots.
pub(super) fn reach<V>(len: usize) -> usize {
    let each = (BYTES_PER_VALUE / size_of::<Slot<V>>()).max(LEAST_PER_VALUE);
    len.saturating_mul(each).saturating_add(FIRST_SLOTS)
}

/// A value and the slot that it would have.
#[derive(Clone, Debug)]
pub(crate) struct FarValue<V> {
    pub(crate) slot: SlotRef,
    pub(crate) value: V,
}

/// A chunk, and a position in it.
type Place = (usize, usize);

/// Values, sorted by index.
///
/// - V2: no chunk is empty; the indices ascend strictly within each chunk, and from each chunk to
///   the next; `len` is the number of values.
#[derive(Clone, Debug)]
pub(crate) struct Far<V> {
    chunks: VecDeque<Vec<FarValue<V>>>,
    len: usize,
}

impl<V> Far<V> {
    pub(super) const EMPTY: Self = Self { chunks: VecDeque::new(), len: 0 };

    /// The maximum number of values in a chunk.
    const CHUNK: usize = {
        let fitting = BYTES_PER_VALUE / size_of::<FarValue<V>>();
        if fitting < LEAST_PER_CHUNK { LEAST_PER_CHUNK } else { fitting }
    };

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the heap memory in bytes. O(chunks).
    pub(super) fn bytes(&self) -> usize {
        let values: usize = self.chunks.iter().map(Vec::capacity).sum();
        self.chunks.capacity() * size_of::<Vec<FarValue<V>>>() + values * size_of::<FarValue<V>>()
    }

    /// Releases memory that is not in use, if there is memory for what is in use.
    pub(super) fn shrink_to_fit(&mut self) {
        for chunk in &mut self.chunks {
            let mut fitting = Vec::new();
            if chunk.len() < chunk.capacity() && fitting.try_reserve_exact(chunk.len()).is_ok() {
                fitting.append(chunk);
                *chunk = fitting;
            }
        }
    }

    /// Returns the place of an index, or the place where its value would be inserted.
    fn place_of(&self, index: u32) -> Result<Place, Place> {
        let starts_below = |chunk: &Vec<FarValue<V>>| chunk.first().is_some_and(|far| far.slot.index <= index);
        let chunk = self.chunks.partition_point(starts_below).saturating_sub(1);
        let values = self.chunks.get(chunk).map_or(&[][..], Vec::as_slice);
        match values.binary_search_by_key(&index, |far| far.slot.index) {
            Ok(position) => Ok((chunk, position)),
            Err(position) => Err((chunk, position)),
        }
    }

    fn at(&self, index: u32) -> Option<&FarValue<V>> {
        self.place_of(index).ok().map(|(chunk, position)| &self.chunks[chunk][position])
    }

    fn at_mut(&mut self, index: u32) -> Option<&mut FarValue<V>> {
        self.place_of(index).ok().map(|(chunk, position)| &mut self.chunks[chunk][position])
    }

    pub(super) fn mark_at(&self, index: u32) -> Option<u32> {
        self.at(index).map(|far| far.slot.mark)
    }

    pub(super) fn get(&self, slot: SlotRef) -> Option<&V> {
        self.at(slot.index).filter(|far| far.slot.mark == slot.mark).map(|far| &far.value)
    }

    pub(super) fn get_mut(&mut self, slot: SlotRef) -> Option<&mut V> {
        self.at_mut(slot.index).filter(|far| far.slot.mark == slot.mark).map(|far| &mut far.value)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn remove(&mut self, slot: SlotRef) -> Option<V> {
        self.get(slot)?;
        self.remove_at(slot.index)
    }

    /// Inserts a value. Returns the value that was at the index, of whichever tenant. The error
    /// returns the given value: there is no memory for it.
    pub(super) fn put(&mut self, slot: SlotRef, value: V) -> Result<Option<V>, V> {
        let new = FarValue { slot, value };
        match self.place_of(slot.index) {
            Ok((chunk, position)) => {
                let older = core::mem::replace(&mut self.chunks[chunk][position], new);
                Ok(Some(older.value))
            }
            Err(place) => {
                let Some((chunk, position)) = self.make_room(place) else { return Err(new.value) };
                self.chunks[chunk].insert(position, new);
                self.len += 1;
                Ok(None)
            }
        }
    }

    /// Makes room for one more value at a place. Returns the place, which is in a new chunk if its
    /// own was full: the caller inserts the value there. `None` if there is no memory; nothing has
    /// changed then.
    fn make_room(&mut self, (chunk, position): Place) -> Option<Place> {
        let full = match self.chunks.get_mut(chunk) {
            Some(values) if values.len() < Self::CHUNK => {
                return values.try_reserve(1).is_ok().then_some((chunk, position));
            }
            full => full,
        };
        // Nothing moves behind the last value: in ascending order, all chunks become full.
        let moving = full.filter(|full| position < full.len()).map_or(0, |full| full.len() / 2);
        let mut next = Vec::new();
        if next.try_reserve(moving + 1).is_err() || self.chunks.try_reserve(1).is_err() {
            return None;
        }
        let staying = self.chunks.get_mut(chunk).map_or(0, |full| {
            let staying = full.len() - moving;
            next.extend(full.drain(staying..));
            staying
        });
        let number = self.chunks.len().min(chunk + 1);
        self.chunks.insert(number, next);
        Some(if position < staying { (chunk, position) } else { (number, position - staying) })
    }

    /// Removes the value at a place, which exists.
    fn take(&mut self, (chunk, position): Place) -> FarValue<V> {
        let far = self.chunks[chunk].remove(position);
        if self.chunks[chunk].is_empty() {
            self.chunks.remove(chunk);
        }
        self.len -= 1;
        far
    }

    /// Removes the value at an index, of whichever tenant.
    pub(super) fn remove_at(&mut self, index: u32) -> Option<V> {
        let place = self.place_of(index).ok()?;
        Some(self.take(place).value)
    }

    pub(super) fn first_index(&self) -> Option<u32> {
        self.chunks.front()?.first().map(|far| far.slot.index)
    }

    pub(super) fn pop_first(&mut self) -> Option<FarValue<V>> {
        (self.len > 0).then(|| self.take((0, 0)))
    }

    pub(super) fn pop_last(&mut self) -> Option<FarValue<V>> {
        let chunk = self.chunks.len().checked_sub(1)?;
        Some(self.take((chunk, self.chunks[chunk].len() - 1)))
    }

    /// Returns an iterator over the values from an index on, mutably.
    pub(super) fn starting_at(&mut self, index: u32) -> impl Iterator<Item = &mut FarValue<V>> {
        let (Ok((chunk, position)) | Err((chunk, position))) = self.place_of(index);
        self.chunks.range_mut(chunk..).flatten().skip(position)
    }

    /// Keeps the values for which the closure returns `true`, in index order. One by one, so that
    /// V2 holds also if the closure or a destructor panics.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(SlotRef, &mut V) -> bool) {
        let mut next = Some(0);
        while let Some(from) = next {
            let Some(far) = self.starting_at(from).next() else { return };
            let slot = far.slot;
            next = slot.index.checked_add(1);
            if !keep(slot, &mut far.value) {
                drop(self.remove(slot));
            }
        }
    }

    pub(super) fn clear(&mut self) {
        drop(core::mem::replace(self, Self::EMPTY));
    }

    /// Returns an iterator over plain handles and values.
    #[cfg(feature = "serde")]
    pub(crate) fn handles<H: Key>(&self) -> impl Iterator<Item = (Handle<H::Kind, H::Layout>, &V)> {
        self.iter().map(|far| (raw::<H>(far.slot), &far.value))
    }

    /// Appends a value. Returns `false`, and adds nothing, if its index is not above all others, or
    /// there is no memory.
    #[cfg(feature = "serde")]
    pub(super) fn push(&mut self, slot: SlotRef, value: V) -> bool {
        let last = self.chunks.back().and_then(|chunk| chunk.last());
        last.is_none_or(|last| last.slot.index < slot.index) && self.put(slot, value).is_ok()
    }

    pub(crate) fn iter(&self) -> Iter<'_, V> {
        Counted { items: self.chunks.iter().flatten(), left: self.len }
    }

    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, V> {
        Counted { items: self.chunks.iter_mut().flatten(), left: self.len }
    }

    pub(super) fn into_iter(self) -> IntoIter<V> {
        Counted { items: self.chunks.into_iter().flatten(), left: self.len }
    }

    /// Returns `true` if V2 holds.
    pub(super) fn is_sorted(&self) -> bool {
        let indices = || self.chunks.iter().flatten().map(|far| far.slot.index);
        self.chunks.iter().all(|chunk| !chunk.is_empty())
            && indices().zip(indices().skip(1)).all(|(one, next)| one < next)
            && indices().count() == self.len
    }
}

pub(crate) type Iter<'a, V> = Counted<Flatten<vec_deque::Iter<'a, Vec<FarValue<V>>>>>;
pub(crate) type IterMut<'a, V> = Counted<Flatten<vec_deque::IterMut<'a, Vec<FarValue<V>>>>>;
pub(crate) type IntoIter<V> = Counted<Flatten<vec_deque::IntoIter<Vec<FarValue<V>>>>>;

/// An iterator that knows how many items are left.
#[derive(Clone)]
pub(crate) struct Counted<I> {
    items: I,
    left: usize,
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        self.left -= 1;
        Some(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn fold<A, F: FnMut(A, I::Item) -> A>(self, acc: A, step: F) -> A {
        self.items.fold(acc, step)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Counted<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        let item = self.items.next_back()?;
        self.left -= 1;
        Some(item)
    }

    #[inline]
    fn rfold<A, F: FnMut(A, I::Item) -> A>(self, acc: A, step: F) -> A {
        self.items.rfold(acc, step)
    }
}

impl<I: Iterator> ExactSizeIterator for Counted<I> {}

/// Returns the plain handle of a slot.
pub(super) fn raw<H: Key>(slot: SlotRef) -> Handle<H::Kind, H::Layout> {
    Handle::from_slot(slot)
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;

    fn slot(index: u32) -> SlotRef {
        SlotRef { index, mark: 1 }
    }

    #[track_caller]
    fn agrees(far: &mut Far<u32>, model: &BTreeMap<u32, u32>) {
        assert!(far.is_sorted());
        assert_eq!((far.len(), far.iter().len()), (model.len(), model.len()));
        assert!(far.iter().map(|far| (far.slot.index, far.value)).eq(model.iter().map(|(&at, &value)| (at, value))));
        assert!(far.iter().rev().map(|far| far.value).eq(model.values().rev().copied()));
        assert!(far.iter_mut().map(|far| far.value).eq(model.values().copied()));
        assert!(far.clone().into_iter().rev().map(|far| far.value).eq(model.values().rev().copied()));
    }

    /// Enough values for many chunks, in every order.
    #[test]
    fn chunks_are_like_a_tree() {
        let count: u32 = if cfg!(miri) { 800 } else { 5_000 };
        let orders: [fn(u32, u32) -> u32; 3] =
            [|number, _| number, |number, count| count - number, |number, count| number * 7_919 % count];
        for order in orders {
            let (mut far, mut model) = (Far::EMPTY, BTreeMap::new());
            for number in 0..count {
                let index = order(number, count) * 3;
                assert_eq!(far.put(slot(index), number), Ok(model.insert(index, number)));
            }
            agrees(&mut far, &model);
            for index in 0..count * 3 + 2 {
                assert_eq!(far.get(slot(index)), model.get(&index));
                assert_eq!(far.get_mut(slot(index)).copied(), model.get(&index).copied());
                assert_eq!(far.get(SlotRef { index, mark: 3 }), None);
                let next = far.starting_at(index).next().map(|far| far.slot.index);
                assert_eq!(next, model.range(index..).next().map(|(&index, _)| index));
            }
            far.retain(|slot, value| (slot.index + *value) % 5 != 0);
            model.retain(|index, value| (*index + *value) % 5 != 0);
            agrees(&mut far, &model);
            for number in 0..count {
                let index = number * 7_919 % count * 3;
                if number % 4 == 0 {
                    assert_eq!(far.put(slot(index + 1), number), Ok(model.insert(index + 1, number)));
                } else {
                    assert_eq!(far.remove(slot(index)), model.remove(&index));
                }
            }
            agrees(&mut far, &model);
            far.shrink_to_fit();
            agrees(&mut far, &model);
            for turn in 0..model.len() {
                let (popped, expected) = match turn % 3 {
                    0 => (far.pop_last(), model.pop_last()),
                    _ => (far.pop_first(), model.pop_first()),
                };
                assert_eq!(popped.map(|far| (far.slot.index, far.value)), expected);
            }
            agrees(&mut far, &model);
            assert!(far.pop_first().is_none() && far.pop_last().is_none() && far.first_index().is_none());
        }
    }

    /// A chunk with few values does not keep a chunk's memory.
    #[test]
    fn full_chunks_and_released_memory() {
        let mut far = Far::EMPTY;
        let count = u32::try_from(Far::<u32>::CHUNK).unwrap() * 4;
        (0..count).for_each(|index| assert_eq!(far.put(slot(index), index), Ok(None)));
        assert_eq!(far.chunks.len(), 4, "in ascending order all chunks are full");
        far.retain(|slot, _| slot.index % 128 == 0);
        far.shrink_to_fit();
        assert!(far.bytes() < 1_000, "{} bytes for {} values", far.bytes(), far.len());
        far.clear();
        assert_eq!((far.len(), far.bytes()), (0, 0));
    }
}
