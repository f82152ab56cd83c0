//! Looking up live slots by word and index, for joins.
#![expect(unsafe_code, reason = "reads slots through the buffer's view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Slots;
use super::bits::below;
use super::buffer::{Buffer, View};
use super::occupancy::Free;
use super::slot::Slot;
use crate::layout::Layout;

/// A lookup of the live slots of an engine and their addresses.
///
/// K1: `view`, `bits`, `free` and `slots` are those of one engine. It is borrowed for `'a` and does
/// not change meanwhile.
pub(crate) struct Lookup<'a, P, V> {
    view: V,
    /// The bits of vacant slots.
    bits: &'a [u64],
    free: Free,
    slots: u32,
    borrow: PhantomData<&'a P>,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns a lookup for reading values.
    pub(crate) fn lookup(&self) -> Lookup<'_, P, B::View> {
        let (first, free, slots) = (self.occupancy.bits.first(), self.occupancy.free(), self.slot_count());
        let (view, bits) = self.buffer.parts();
        Lookup { view, bits: bits.get(first..).unwrap_or_default(), free, slots, borrow: PhantomData }
    }

    /// Returns a lookup for mutating values.
    pub(crate) fn lookup_mut(&mut self) -> Lookup<'_, P, B::View> {
        let (first, free, slots) = (self.occupancy.bits.first(), self.occupancy.free(), self.slot_count());
        let (view, bits) = self.buffer.parts_mut();
        Lookup { view, bits: bits.get(first..).unwrap_or_default(), free, slots, borrow: PhantomData }
    }
}

/// Methods for joins that do not borrow the engine: each call reads its current state.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns the number of words that the slots take up.
    pub(crate) fn word_count(&self) -> u32 {
        self.occupancy.word_count()
    }

    /// Returns the bits of the live slots of a word.
    #[inline]
    pub(crate) fn live_in(&self, word: u32) -> u64 {
        self.live_bits(word)
    }

    /// Returns the mark of a slot and the address of its value.
    ///
    /// # Safety
    /// The slot is live.
    #[inline]
    pub(crate) unsafe fn at(&self, index: u32) -> (u32, NonNull<P>) {
        let slot = self.buffer.slot(index as usize).cast_mut();
        // SAFETY: the pointer must be valid: a live slot exists, so B1 holds. Only the mark is
        // read, and only an address is taken.
        unsafe { ((*slot).mark, NonNull::new_unchecked(Slot::value_ptr(slot))) }
    }
}

impl<P, V: View<P>> Lookup<'_, P, V> {
    /// Returns the number of words that the slots take up.
    pub(crate) fn words(&self) -> u32 {
        self.slots.div_ceil(64)
    }

    /// Returns the bits of the live slots of a word.
    #[inline]
    pub(crate) fn live(&self, word: u32) -> u64 {
        let vacant = self.bits.get(word as usize).copied().unwrap_or(0);
        !(vacant | self.free.unmarked(word)) & below(self.slots, word)
    }

    /// Returns the mark of a slot and the address of its value.
    ///
    /// # Safety
    /// The slot is live: its bit is in [`live`](Self::live).
    #[inline]
    pub(crate) unsafe fn at(&self, index: u32) -> (u32, NonNull<P>) {
        // SAFETY: the word and the slot must exist: by K1 and E1 a live slot does, and by B3 it
        // lies at this offset from the first slot of its word.
        unsafe {
            let slot = self.view.word(index as usize / 64).add(index as usize % 64).as_ptr();
            ((*slot).mark, NonNull::new_unchecked(Slot::value_ptr(slot)))
        }
    }
}
