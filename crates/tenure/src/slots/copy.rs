//! Copies of an engine: the same tenants in the same slots, and the same future.
#![expect(unsafe_code, reason = "writes slots of the copy one by one")]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::needs_drop;

use super::Slots;
#[cfg(feature = "alloc")]
use super::buffer::Growable;
use super::buffer::{Buffer, View};
use super::free::{Free, NONE};
use super::slot::{Slot, Vacancy};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// An empty engine with room for all the slots of `self`.
    fn empty_like<Q, C: Buffer<Q>>(&self) -> Slots<Q, L, C> {
        let mut copy = Slots::<Q, L, C>::with_floor(self.floor);
        copy.make_room_for(if self.buffer.is_fixed() { self.room } else { self.slot_count() });
        if let Some(limit) = self.buffer.chosen_limit() {
            copy.buffer.set_limit(limit);
        }
        copy
    }

    /// Drops everything and forgets all slots.
    fn start_anew(&mut self, floor: u32) {
        self.clear();
        // SAFETY: B1, no slot is needed any more, and none holds a value.
        unsafe { self.buffer.set_len(0) };
        self.buffer.bits_mut().fill(0);
        self.bits.forget_holes();
        self.free = Free::EMPTY;
        (self.vacant, self.retired, self.floor) = (0, 0, floor);
    }

    fn make_room_for(&mut self, slots: u32) {
        if slots <= self.room {
            return;
        }
        assert!(slots as usize <= self.limit(), "no room for a copy of the pool: its capacity is fixed");
        if let Err(error) = self.set_room(slots as usize) {
            no_memory(&error);
        }
    }

    /// Takes over what is in no slot and no bit.
    fn take_over<Q, C: Buffer<Q>>(&mut self, original: &Slots<Q, L, C>) {
        (self.pending, self.apart) = (original.pending, 0);
        self.retired = original.retired;
        self.floor = original.floor;
        self.reach = original.reach;
        self.free = original.free;
    }

    /// Takes over what is not in the slots themselves. Until now every vacant slot has its bit.
    fn finish_copy<Q, C: Buffer<Q>>(&mut self, original: &Slots<Q, L, C>) {
        self.take_over(original);
        self.bits.copy_holes(self.buffer.bits_mut(), &original.bits, original.buffer.bits());
        let Free { open, open_word, .. } = self.free;
        if self.free.next() != NONE {
            self.unhold(self.free.next());
        }
        if open != 0 {
            self.bits.remove(self.buffer.bits_mut(), open_word, open);
        }
    }

    /// The same tenants with other values. If `convert` panics, what was converted and what was not
    /// are dropped.
    pub(crate) fn map<Q, C: Buffer<Q>>(mut self, mut convert: impl FnMut(P) -> Q) -> Slots<Q, L, C> {
        let mut mapped = self.empty_like();
        let mut appending = Appending::to(&mut mapped);
        for index in 0..self.slot_count() {
            let (mark, vacancy) = self.state(index);
            // SAFETY: B1, E2, S1 and S2: `mapped` has room for all slots, and mark and vacancy come
            // from one slot. A live slot gets its bit before its value is given away, and `self` is
            // dropped unseen.
            unsafe {
                match vacancy {
                    Some(vacancy) => appending.vacant(mark, vacancy),
                    None => {
                        let (value, _) = self.lift(index);
                        self.hold(index);
                        self.vacant += 1;
                        appending.live(mark, convert(value));
                    }
                }
            }
        }
        drop(appending);
        mapped.finish_copy(&self);
        mapped
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
    /// panics, what was copied so far is there, and so is the rest of the old content.
    fn clone_from(&mut self, original: &Self) {
        if (self.floor ^ original.floor) & L::TAG != 0 {
            // Half-way, slots with both tags would stand side by side (E4).
            self.start_anew(original.floor);
        }
        self.make_room_for(original.slot_count());
        self.unlist();
        // If a clone panics, new slots must be above what either of the two has had (E5).
        self.floor = self.floor.max(original.floor);
        let recount = Recount(self);
        recount.0.overwrite_slots(original);
        original.clone_slots_to(recount.0);
        recount.finish(original);
    }
}

#[cold]
fn no_memory(error: &impl core::fmt::Debug) -> ! {
    panic!("no memory for a copy of the pool: {error:?}")
}

/// Makes a list equal to another. (Handles are `Copy` by hand, whatever they lead to: `Vec::clone`
/// would copy them one by one.)
#[cfg(feature = "alloc")]
pub(crate) fn copy_list<X: Copy>(to: &mut Vec<X>, from: &[X]) {
    to.clear();
    to.reserve(from.len());
    // SAFETY: there is room for all of them, and the memory is not that of `from`, which is
    // borrowed.
    unsafe {
        copy_in_parts(from.as_ptr(), to.as_mut_ptr(), from.len());
        to.set_len(from.len());
    }
}

/// Copies memory, a part at a time. For large pieces `memcpy` goes another way than for small ones,
/// which was up to thirty times as slow (measured on AMD, with glibc) where the two addresses
/// differ by 16 bytes, but for whole pages. Copies of tables take about a twentieth less time in
/// parts.
///
/// # Safety
/// As [`core::ptr::copy_nonoverlapping`].
#[cfg(feature = "alloc")]
pub(super) unsafe fn copy_in_parts<X>(from: *const X, to: *mut X, count: usize) {
    let most = (2_048 / size_of::<X>().max(1)).max(1);
    for start in (0..count).step_by(most) {
        // SAFETY: the caller's; this is a part of it.
        unsafe { core::ptr::copy_nonoverlapping(from.add(start), to.add(start), most.min(count - start)) };
    }
}

#[cfg(feature = "alloc")]
impl<P: Copy, L: Layout> Slots<P, L, Growable<P>> {
    /// As `clone`, for values whose memory is all there is to copy.
    pub(crate) fn copy(&self) -> Self {
        let buffer = self.buffer.copy().unwrap_or_else(|error| no_memory(&error));
        let mut copy = Self { buffer, bits: self.bits.clone(), vacant: self.vacant, ..Self::EMPTY };
        copy.use_capacity();
        copy.take_over(self);
        copy
    }
}

impl<P: Clone, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Clones the slots that `copy`, which has room for them, does not have yet.
    fn clone_slots_to(&self, copy: &mut Self) {
        let mut appending = Appending::to(copy);
        while appending.count < self.slot_count() {
            let word = appending.count / 64;
            let full = appending.count % 64 == 0 && self.live_bits(word) == u64::MAX;
            let end = self.slots_of(word).end;
            // SAFETY: B1, E1 and E2, the slots up to `end` exist, and `copy` has room for them.
            // Where the word is full, they are live.
            unsafe {
                if full {
                    self.clone_word_to(&mut appending, word);
                } else {
                    self.clone_any_to(&mut appending, end);
                }
            }
        }
    }

    /// # Safety
    /// The 64 slots of the word exist and are live, and there is room for them. They are the next
    /// ones.
    #[inline]
    unsafe fn clone_word_to(&self, appending: &mut Appending<'_, P, L, B>, word: u32) {
        let (originals, _) = self.buffer.parts();
        let (copies, _) = appending.slots.buffer.parts_mut();
        // SAFETY: B3, E2 and S1, the caller's; the slots of the copy are new.
        unsafe {
            let (originals, copies) = (originals.word(word as usize), copies.word(word as usize));
            for place in 0..64 {
                let slot = originals.add(place).as_ptr();
                let value = (*Slot::value_ptr(slot)).clone();
                Slot::write_live(copies.add(place).as_ptr(), (*slot).mark, value);
                // After a panic, what is not counted is not dropped. Values without destructors are
                // counted at the end.
                if needs_drop::<P>() {
                    appending.count += 1;
                }
            }
        }
        appending.count = word * 64 + 64;
    }

    /// # Safety
    /// The slots up to `end` exist, and there is room for them.
    unsafe fn clone_any_to(&self, appending: &mut Appending<'_, P, L, B>, end: u32) {
        for index in appending.count..end {
            // SAFETY: the caller's; S1, a slot without a vacancy is live.
            unsafe {
                match self.state(index) {
                    (mark, Some(vacancy)) => appending.vacant(mark, vacancy),
                    (mark, None) => appending.live(mark, self.get_unchecked(index).clone()),
                }
            }
        }
    }

    /// Makes the slots that exist equal to those of `original`; drops the ones it does not have.
    fn overwrite_slots(&mut self, original: &Self) {
        for index in 0..self.slot_count() {
            let (mark, vacancy) = original.state(index);
            match (self.live_mark(index).is_some(), vacancy) {
                (true, None) => self.overwrite_value(index, mark, original),
                (true, Some(vacancy)) => self.overwrite_by_vacancy(index, mark, vacancy),
                (false, Some(vacancy)) => self.write_vacancy(index, mark, vacancy),
                (false, None) => self.clone_value(index, mark, original),
            }
        }
        while self.slot_count() > original.slot_count() {
            self.unhold(self.slot_count() - 1);
            self.cut_last();
        }
    }

    /// Both slots are live.
    #[inline]
    fn overwrite_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: B1 and S1, both slots are live, so they exist.
        unsafe {
            self.get_unchecked_mut(index).clone_from(original.get_unchecked(index));
            (*self.buffer.slot_mut(index as usize)).mark = mark;
        }
    }

    /// The slot is live and must become vacant.
    fn overwrite_by_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        // SAFETY: B1 and S1, the slot exists and is live; the next lines write it as vacant, before
        // its value is dropped.
        let (value, _) = unsafe { self.lift(index) };
        self.hold(index);
        self.vacant += 1;
        self.write_vacancy(index, mark, vacancy);
        drop(value);
    }

    fn write_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        // SAFETY: B1, the slot exists and its value is gone; a mark beside a vacancy is even (S2).
        unsafe { Slot::write_vacant(self.buffer.slot_mut(index as usize), mark, vacancy) };
    }

    /// The slot is vacant and must become live.
    fn clone_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: B1 and S1, the original's slot is live.
        let value = unsafe { original.get_unchecked(index) }.clone();
        self.unhold(index);
        self.move_in(index, mark, value);
    }
}

/// Slots that are being written behind the last one. They count when this is dropped, also after a
/// panic.
struct Appending<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    count: u32,
}

impl<'a, P, L: Layout, B: Buffer<P>> Appending<'a, P, L, B> {
    fn to(slots: &'a mut Slots<P, L, B>) -> Self {
        let count = slots.slot_count();
        Self { slots, count }
    }

    /// # Safety
    /// There is room, and `mark` is odd.
    #[inline]
    unsafe fn live(&mut self, mark: u32, value: P) {
        // SAFETY: B1 and E2, the caller says that there is room; the slot is new.
        unsafe { Slot::write_live(self.slots.buffer.slot_mut(self.count as usize), mark, value) };
        self.count += 1;
    }

    /// # Safety
    /// There is room, and `mark` is even.
    unsafe fn vacant(&mut self, mark: u32, vacancy: Vacancy) {
        // SAFETY: as in `live`.
        unsafe { Slot::write_vacant(self.slots.buffer.slot_mut(self.count as usize), mark, vacancy) };
        self.slots.hold(self.count);
        self.slots.vacant += 1;
        self.count += 1;
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Appending<'_, P, L, B> {
    fn drop(&mut self) {
        // SAFETY: B1, all slots below `count` have been written.
        unsafe { self.slots.buffer.set_len(self.count as usize) };
    }
}

/// Makes counters and free list fit the slots again when a clone or a destructor panicked.
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
