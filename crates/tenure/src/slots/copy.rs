//! Copies of an engine: the same tenants in the same slots, and the same handles for later
//! insertions.
#![allow(unsafe_code, reason = "writes slots of the copy one by one")]

#[cfg(feature = "alloc")]
use core::marker::PhantomData;
use core::mem::needs_drop;

use super::bits::split;
#[cfg(feature = "alloc")]
use super::buffer::Growable;
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy};
use super::{SlotRef, Slots};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns an empty engine with room for all the slots of `self`.
    fn empty_like<Q, C: Buffer<Q>>(&self) -> Slots<Q, L, C> {
        let mut copy = Slots::<Q, L, C>::with_base_mark(self.base_mark);
        let is_fixed = self.buffer.is_fixed();
        copy.make_room_for(if is_fixed { self.occupancy.usable_capacity } else { self.slot_count() });
        if let Some(limit) = self.buffer.chosen_limit() {
            copy.buffer.set_limit(limit);
        }
        copy
    }

    /// Drops all values and removes all slots. Keeps the memory.
    pub(crate) fn reset(&mut self, base_mark: u32) {
        self.clear();
        self.occupancy.forget_slots(self.buffer.bits_mut());
        self.base_mark = base_mark;
    }

    #[track_caller]
    fn make_room_for(&mut self, slots: u32) {
        if slots <= self.occupancy.usable_capacity {
            return;
        }
        assert!(slots as usize <= self.limit(), "no room for a copy of the pool: its capacity is fixed");
        if let Err(error) = self.set_capacity(slots as usize) {
            no_memory(&error);
        }
    }

    /// Returns an engine with the same tenants and converted values. If `convert` panics, both the
    /// converted and the remaining values are dropped.
    pub(crate) fn map<Q, C: Buffer<Q>>(mut self, mut convert: impl FnMut(P) -> Q) -> Slots<Q, L, C> {
        let mut mapped: Slots<Q, L, C> = self.empty_like();
        let before = self.occupancy;
        let mut appending = Appending::to(&mut mapped);
        for index in 0..self.slot_count() {
            match self.state(index) {
                (mark, Some(vacancy)) => appending.vacant(mark, vacancy),
                (mark, None) => {
                    // SAFETY: the slot must hold a value, which must not be read out again: by S1
                    // it holds one. The slot becomes pending in the next lines, so `self` does not
                    // drop the value again.
                    let value = unsafe { self.read_out(index) };
                    self.write_vacant(index, mark - 1, Vacancy::Pending);
                    self.hold_live(index);
                    appending.live(mark, convert(value));
                }
            }
        }
        drop(appending);
        mapped.occupancy.finish_copy(mapped.buffer.bits_mut(), &before, self.buffer.bits());
        mapped.index_limit = self.index_limit;
        mapped
    }

    /// Copies the state that is not in the slots themselves. Before the call, every vacant slot has
    /// its bit.
    fn finish_copy(&mut self, original: &Self) {
        self.base_mark = original.base_mark;
        self.index_limit = original.index_limit;
        self.occupancy.finish_copy(self.buffer.bits_mut(), &original.occupancy, original.buffer.bits());
    }
}

impl<P: Clone, L: Layout, B: Buffer<P>> Clone for Slots<P, L, B> {
    fn clone(&self) -> Self {
        let mut copy = self.empty_like();
        self.clone_slots_to(&mut copy);
        copy.finish_copy(self);
        copy
    }

    /// Reuses the memory of the slots and, through `P::clone_from`, of the values. If a clone
    /// panics, `self` holds the values cloned so far and the rest of its old values.
    #[track_caller]
    fn clone_from(&mut self, original: &Self) {
        if (self.base_mark ^ original.base_mark) & L::TAG != 0 {
            // A panic half-way would leave slots with both tags, against E4.
            self.reset(original.base_mark);
        }
        self.make_room_for(original.slot_count());
        self.occupancy.unlist_all(self.buffer.bits_mut());
        self.occupancy.census.count_retired_as_pending();
        // If a clone panics, new slots must start above the tenants of both engines (E5).
        self.base_mark = self.base_mark.max(original.base_mark);
        let recount = Recount(self);
        recount.0.overwrite_slots(original);
        original.clone_slots_to(recount.0);
        recount.finish(original);
    }
}

#[cold]
#[track_caller]
fn no_memory(error: &impl core::fmt::Debug) -> ! {
    panic!("no memory for a copy of the pool: {error:?}")
}

#[cfg(feature = "alloc")]
impl<P: Copy, L: Layout> Slots<P, L, Growable<P>> {
    /// Like `clone`, for values that can be copied as plain memory.
    pub(crate) fn copy(&self) -> Self {
        let slots = self.slot_count() as usize;
        let buffer = self.buffer.copy(slots).unwrap_or_else(|error| no_memory(&error));
        let Self { occupancy, base_mark, index_limit, .. } = *self;
        let mut copy = Self { buffer, occupancy, base_mark, index_limit, layout: PhantomData };
        copy.use_capacity();
        copy
    }
}

impl<P: Clone, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Clones the slots that `copy` does not have yet. `copy` has room for them.
    fn clone_slots_to(&self, copy: &mut Self) {
        let mut appending = Appending::to(copy);
        while appending.count < self.slot_count() {
            let word = appending.count / 64;
            if appending.count % 64 == 0 && self.live_bits(word) == u64::MAX {
                // SAFETY: the 64 slots must exist and be live: E1. `copy` must have room for them:
                // the caller guarantees it.
                unsafe { self.clone_word_to(&mut appending, word) };
            } else {
                self.clone_any_to(&mut appending, self.occupancy.slots_of(word).end);
            }
        }
    }

    /// # Safety
    /// The 64 slots of the word exist and are live, and there is room for them in the copy. They
    /// are the next slots to be appended.
    #[inline]
    unsafe fn clone_word_to(&self, appending: &mut Appending<'_, P, L, B>, word: u32) {
        let (originals, _) = self.buffer.parts();
        let (copies, _) = appending.slots.buffer.parts_mut();
        // SAFETY: the pointers must be valid, and the originals must hold values: B3, E2 and S1,
        // with what the caller guarantees. The slots of the copy are new, so no value is
        // overwritten.
        unsafe {
            let (originals, copies) = (originals.word(word as usize), copies.word(word as usize));
            for bit in 0..64 {
                let slot = originals.add(bit).as_ptr();
                let value = (*Slot::value_ptr(slot)).clone();
                Slot::write_live(copies.add(bit).as_ptr(), (*slot).mark, value);
                // After a panic, slots that are not counted are not dropped. Values without
                // destructors are counted at the end.
                if needs_drop::<P>() {
                    appending.count += 1;
                }
            }
        }
        appending.count = word * 64 + 64;
    }

    /// Clones the slots up to `end`. They exist, and there is room for them in the copy.
    fn clone_any_to(&self, appending: &mut Appending<'_, P, L, B>, end: u32) {
        for index in appending.count..end {
            match self.state(index) {
                (mark, Some(vacancy)) => appending.vacant(mark, vacancy),
                // SAFETY: the slot must hold a value: by S1 a slot without a vacancy does.
                (mark, None) => appending.live(mark, unsafe { self.get_unchecked(index) }.clone()),
            }
        }
    }

    /// Makes the existing slots equal to those of `original`, and removes those that `original`
    /// does not have.
    fn overwrite_slots(&mut self, original: &Self) {
        for index in 0..self.slot_count() {
            let (mark, vacancy) = original.state(index);
            match (self.live_mark(index).is_some(), vacancy) {
                (true, None) => self.overwrite_value(index, mark, original),
                (true, Some(vacancy)) => self.overwrite_by_vacancy(index, mark, vacancy),
                (false, Some(vacancy)) => self.overwrite_vacancy(index, mark, vacancy),
                (false, None) => self.clone_value(index, mark, original),
            }
        }
        while self.slot_count() > original.slot_count() {
            let last = self.slot_count() - 1;
            self.overwrite_vacancy(last, self.base_mark, Vacancy::Free);
            let (word, bit) = split(last);
            self.occupancy.bits.remove_vacant(self.buffer.bits_mut(), word, bit);
            self.occupancy.cut_last();
        }
    }

    /// Overwrites a live slot by a live slot.
    #[inline]
    fn overwrite_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: both slots must exist and hold a value: their marks are odd (S1, B1).
        unsafe {
            self.get_unchecked_mut(index).clone_from(original.get_unchecked(index));
            (*self.buffer.slot_mut(index as usize)).mark = mark;
        }
    }

    /// Overwrites a live slot by a vacant one.
    fn overwrite_by_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        // SAFETY: the slot must hold a value, which must not be read out again: by S1 it holds one.
        // The next lines write the slot as vacant, before the value is dropped.
        let value = unsafe { self.read_out(index) };
        self.hold_live(index);
        self.overwrite_vacancy(index, mark, vacancy);
        drop(value);
    }

    /// Overwrites a vacant slot by a vacant one. Its vacant bit stays set.
    fn overwrite_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        let was_held = self.occupancy.is_held(self.buffer.bits(), index);
        self.write_vacant(index, mark, vacancy);
        self.occupancy.overwrite_hold(self.buffer.bits_mut(), index, was_held, vacancy != Vacancy::Free);
    }

    /// Overwrites a vacant slot by a live one.
    fn clone_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: the slot of the original must hold a value: it has no vacancy, so S1 holds.
        let value = unsafe { original.get_unchecked(index) }.clone();
        self.overwrite_vacancy(index, mark - 1, Vacancy::Free);
        let (word, bit) = split(index);
        self.occupancy.bits.remove_vacant(self.buffer.bits_mut(), word, bit);
        self.occupancy.census.free_to_live();
        self.write_live(SlotRef { index, mark }, value);
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Counts the slots again and rebuilds the free list, after a copy that was not finished. Every
    /// vacant slot has its bit. Slots that a split of the original had reserved or freed become
    /// free here.
    fn recount(&mut self) {
        let mut census = super::census::Census::EMPTY;
        census.add_free(self.slot_count());
        for index in 0..self.slot_count() {
            match self.state(index).1 {
                None => census.free_to_live(),
                Some(Vacancy::Free) => {}
                Some(Vacancy::Pending) => census.free_to_pending(1),
                Some(Vacancy::Retired) => {
                    census.free_to_pending(1);
                    census.pending_to_retired();
                }
                #[cfg(feature = "alloc")]
                Some(Vacancy::Reserved | Vacancy::Freed) => {
                    let (word, bit) = split(index);
                    self.occupancy.bits.remove_held(self.buffer.bits_mut(), word, bit);
                }
            }
        }
        self.occupancy.census = census;
        self.rebuild_free_list();
    }
}

/// Slots that are being appended. They are counted when this is dropped, even after a panic. There
/// is room for all of them.
struct Appending<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    /// The number of slots that exist or have been written.
    count: u32,
    /// The number of new slots that are vacant.
    vacant: u32,
    /// The number of new slots that are held.
    held: u32,
}

impl<'a, P, L: Layout, B: Buffer<P>> Appending<'a, P, L, B> {
    fn to(slots: &'a mut Slots<P, L, B>) -> Self {
        let count = slots.slot_count();
        Self { slots, count, vacant: 0, held: 0 }
    }

    #[inline]
    fn live(&mut self, mark: u32, value: P) {
        // SAFETY: the slot must have memory, and no value that the write would leak: by B1 and E2
        // there is room, and the slot is new.
        unsafe { Slot::write_live(self.slots.buffer.slot_mut(self.count as usize), mark, value) };
        self.count += 1;
    }

    fn vacant(&mut self, mark: u32, vacancy: Vacancy) {
        // SAFETY: as in `live`.
        unsafe { Slot::write_vacant(self.slots.buffer.slot_mut(self.count as usize), mark, vacancy) };
        let (word, bit) = split(self.count);
        self.slots.occupancy.bits.add_vacant(self.slots.buffer.bits_mut(), word, bit);
        if vacancy != Vacancy::Free {
            self.slots.occupancy.bits.add_held(self.slots.buffer.bits_mut(), word, bit);
            self.held += 1;
        }
        self.count += 1;
        self.vacant += 1;
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Appending<'_, P, L, B> {
    fn drop(&mut self) {
        let census = &mut self.slots.occupancy.census;
        census.add_live(self.count - census.slots() - self.vacant);
        census.add_free(self.vacant);
        // All held slots count as pending until the copy is finished.
        census.free_to_pending(self.held);
    }
}

/// Restores the counts and the free list when a clone or a destructor panics.
struct Recount<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

impl<P, L: Layout, B: Buffer<P>> Recount<'_, P, L, B> {
    fn finish(self, original: &Slots<P, L, B>) {
        self.0.finish_copy(original);
        core::mem::forget(self);
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Recount<'_, P, L, B> {
    fn drop(&mut self) {
        self.0.recount();
    }
}
