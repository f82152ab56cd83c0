//! Removing many values, word by word. After a panic in a closure or a destructor the engine is
//! valid.
#![allow(unsafe_code, reason = "moves values out of live slots")]

use core::mem::needs_drop;
use core::ptr::NonNull;

use super::bits::split;
use super::buffer::{Buffer, View};
use super::occupancy::Occupancy;
use super::slot::{Head, Slot, Vacancy};
use super::{SlotRef, Slots, after, unlikely};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Removes and drops the values for which `should_remove` returns `true`, word by word.
    #[inline]
    pub(crate) fn remove_where(&mut self, mut should_remove: impl FnMut(SlotRef, &mut P) -> bool) {
        for word in 0..self.occupancy.word_count() {
            let live = self.occupancy.live_bits_of(self.buffer.bits(), word);
            if live != 0 {
                self.batch(word).run(live, &mut should_remove);
            }
        }
    }

    /// Removes the live value at `index` if `should_remove` returns `true`.
    #[inline]
    pub(crate) fn remove_if(
        &mut self,
        index: u32,
        should_remove: impl FnOnce(u32, &mut P) -> bool,
    ) -> Option<(u32, P)> {
        let mark = self.live_mark(index)?;
        // SAFETY: the slot must exist and hold a value: its mark is odd, so B1 and S1 hold.
        if !should_remove(mark, unsafe { self.get_unchecked_mut(index) }) {
            return None;
        }
        self.remove(SlotRef { index, mark }).map(|value| (mark, value))
    }

    /// Returns a batch for removing many values, starting in a word.
    pub(crate) fn batch(&mut self, word: u32) -> Batch<'_, P, L, B> {
        Batch { slots: self, word, noted: 0, gone: 0, retired: 0 }
    }
}

/// Makes live slots of a word vacant without dropping their values. Returns those that are retired.
///
/// # Safety
/// `slots` is the first slot of the word, and the slots whose bits are in `live` hold a value,
/// which nothing borrows.
#[inline]
pub(super) unsafe fn vacate_word<P, L: Layout>(slots: NonNull<Slot<P>>, live: u64) -> u64 {
    // SAFETY: the slots must be contiguous: B3. The caller guarantees the rest.
    unsafe { Slot::head(slots.as_ptr()).vacate_word(size_of::<Slot<P>>(), live, L::COUNT) }
}

/// Makes a slot vacant without dropping its value. Returns `true` if the slot is retired now.
///
/// # Safety
/// `slot` points to a slot that holds a value.
#[inline]
unsafe fn vacate_slot<P, L: Layout>(slot: *mut Slot<P>) -> bool {
    // SAFETY: the pointer must be valid: the caller guarantees that the slot holds a value. S1 and
    // S2 must hold afterwards: by S1 the mark was odd, so the next one is even, and a free slot
    // needs no vacancy.
    unsafe {
        let (next, vacancy) = after::<L>((*slot).mark);
        (*slot).mark = next;
        if vacancy == Vacancy::Retired {
            unlikely();
            Slot::write_vacant(slot, next, vacancy);
        }
        vacancy == Vacancy::Retired
    }
}

/// The removals in one word. They are counted and listed when this is dropped, even after a panic.
/// Until then only the caller's closure and the values' destructors run, and they can access values
/// only.
pub(crate) struct Batch<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    word: u32,
    /// The slots of the word that are live and to be removed.
    noted: u64,
    /// The slots of the word that were live and are vacant, and neither counted nor listed.
    gone: u64,
    /// The slots in `gone` that are retired.
    retired: u64,
}

impl<P, L: Layout, B: Buffer<P>> Batch<'_, P, L, B> {
    /// Returns the first slot of the word. The pointer is valid until the engine is used again.
    #[inline]
    fn first(&mut self) -> NonNull<Slot<P>> {
        // SAFETY: the word must exist: it has a live slot. By B3 the view points to its first slot.
        unsafe { self.slots.buffer.parts_mut().0.word(self.word as usize) }
    }

    /// Calls the closure for every live slot of the word.
    #[inline]
    fn run(mut self, mut live: u64, should_remove: &mut impl FnMut(SlotRef, &mut P) -> bool) {
        let first = self.first();
        while live != 0 {
            // SAFETY: the slot must be live: its bit is in `live`, so E1 holds, and no slot is
            // visited twice.
            unsafe { self.remove_if(first, live.trailing_zeros(), should_remove) };
            live &= live - 1;
        }
    }

    /// Removes the value of a live slot if the closure returns `true`. Values without destructors
    /// are only noted here, without a branch, and vacated together: the closure's results cannot be
    /// predicted, and a misprediction costs more than the rest (row `retain half`).
    ///
    /// # Safety
    /// `first` is the first slot of the word, and the slot at `bit` is live.
    #[inline(always)]
    unsafe fn remove_if(
        &mut self,
        first: NonNull<Slot<P>>,
        bit: u32,
        should_remove: &mut impl FnMut(SlotRef, &mut P) -> bool,
    ) {
        // SAFETY: the slot must exist and hold a value: the caller guarantees that it is live, so
        // B3 and S1 hold. The value must be read once: the slot is vacant afterwards, before the
        // destructor runs.
        unsafe {
            let slot = first.add(bit as usize).as_ptr();
            let tenant = SlotRef { index: self.word * 64 + bit, mark: (*slot).mark };
            let goes = should_remove(tenant, &mut *Slot::value_ptr(slot));
            if !needs_drop::<P>() {
                self.noted |= u64::from(goes) << bit;
            } else if goes {
                let value = Slot::value_ptr(slot).read();
                self.gone |= 1 << bit;
                self.retired |= u64::from(vacate_slot::<P, L>(slot)) << bit;
                drop(value);
            }
        }
    }

    /// Removes a live value. Consecutive removals in one word are listed together.
    #[inline]
    pub(crate) fn remove(&mut self, slot: SlotRef) {
        const { assert!(!needs_drop::<P>()) };
        let (word, bit) = split(slot.index);
        if word != self.word {
            self.list();
            self.word = word;
        }
        if self.slots.contains(slot.index, slot.mark) {
            // SAFETY: the slot must hold a value: it exists (B1), and its mark is odd (H1). The
            // value needs no dropping.
            let retired = unsafe { vacate_slot::<P, L>(self.slots.buffer.slot_mut(slot.index as usize)) };
            self.gone |= bit;
            self.retired |= if retired { bit } else { 0 };
        }
    }

    /// Counts and lists the slots in `gone`.
    #[inline]
    fn list(&mut self) {
        let (gone, retired) = (core::mem::take(&mut self.gone), core::mem::take(&mut self.retired));
        if gone != 0 {
            let Slots { occupancy, buffer, .. } = &mut *self.slots;
            occupancy.free_live_many(buffer.bits_mut(), self.word, gone, retired);
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Batch<'_, P, L, B> {
    #[inline]
    fn drop(&mut self) {
        if self.noted != 0 {
            let Slots { occupancy, buffer, .. } = &mut *self.slots;
            let (first, data) = buffer.slot_and_bits_mut(self.word as usize * 64);
            // SAFETY: the slots must be live and contiguous: by E1 they are live, because the
            // closure was called for each and none has been made vacant; by B3 they are contiguous.
            // Their values need no dropping. The slots and the bits do not overlap.
            unsafe {
                vacate_noted(
                    occupancy,
                    data,
                    Slot::head(first),
                    (size_of::<Slot<P>>(), L::COUNT),
                    self.word,
                    self.noted,
                );
            }
        }
        self.list();
    }
}

/// Makes live slots of a word vacant without dropping their values. Not generic: compiled once.
///
/// # Safety
/// The obligations are those of [`Head::vacate_word`]; the slots are those of the occupancy.
#[inline(never)]
unsafe fn vacate_noted(
    occupancy: &mut Occupancy,
    data: &mut [u64],
    head: Head,
    (stride, count): (usize, u32),
    word: u32,
    noted: u64,
) {
    // SAFETY: the obligations are those of the caller.
    let retired = unsafe { head.vacate_word(stride, noted, count) };
    occupancy.free_live_many(data, word, noted, retired);
}
