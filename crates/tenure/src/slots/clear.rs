//! Clearing and dropping the engine. Both complete even if a destructor panics.
#![allow(unsafe_code, reason = "drops values where they are")]

use core::mem::needs_drop;
use core::ptr::NonNull;

use super::Slots;
use super::batch::vacate_word;
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy};
use crate::layout::Layout;

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Removes every value, releases every pending slot, and lists all free slots; the lowest is
    /// used first.
    pub(crate) fn clear(&mut self) {
        let finish = FinishClear(self);
        if needs_drop::<P>() {
            finish.0.remove_where(|_, _| true);
        }
    }

    /// Makes every live slot vacant without listing it. Only for values that do not need to be
    /// dropped.
    fn vacate_all(&mut self) {
        for word in 0..self.occupancy.word_count() {
            let live = self.live_bits(word);
            if live != 0 {
                // SAFETY: the word must exist: it has a live slot, so B3 holds. The slots in `live`
                // must be live: E1.
                let retired = unsafe { vacate_word::<P, L>(self.buffer.parts_mut().0.word(word as usize), live) };
                self.occupancy.vacate_unlisted(self.buffer.bits_mut(), word, live, retired);
            }
        }
    }

    /// Returns the first pending slot at or after `from`.
    pub(crate) fn next_pending(&self, from: u32) -> Option<super::SlotRef> {
        if self.pending_count() == 0 {
            return None;
        }
        (from..self.slot_count()).find_map(|index| match self.state(index) {
            (mark, Some(Vacancy::Pending)) => Some(super::SlotRef { index, mark: mark | 1 }),
            _ => None,
        })
    }

    /// Releases every pending slot. Returns their number.
    pub(crate) fn release_pending(&mut self) -> usize {
        let before = self.pending_count();
        if before != 0 {
            for index in 0..self.slot_count() {
                if let (mark, Some(Vacancy::Pending)) = self.state(index) {
                    self.release(super::SlotRef { index, mark: mark | 1 });
                }
            }
        }
        (before - self.pending_count()) as usize
    }
}

/// Finishes `clear`, even if a destructor panicked.
struct FinishClear<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

impl<P, L: Layout, B: Buffer<P>> Drop for FinishClear<'_, P, L, B> {
    fn drop(&mut self) {
        if !needs_drop::<P>() {
            self.0.vacate_all();
        } else if self.0.len() > 0 {
            self.0.remove_where(|_, _| true);
        }
        self.0.release_pending();
        self.0.rebuild_free_list();
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Slots<P, L, B> {
    fn drop(&mut self) {
        if needs_drop::<P>() {
            // `drop_all` runs twice: here and in the destructor of `values`, which drops the
            // remaining values if a destructor panicked, and does nothing otherwise.
            let mut values = Values { word: 0, live: self.live_bits(0), slots: self };
            values.drop_all();
        }
    }
}

/// The values of an engine that is not used again. They are dropped in place.
struct Values<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    word: u32,
    /// The slots of the word whose values have not been dropped.
    live: u64,
}

impl<P, L: Layout, B: Buffer<P>> Values<'_, P, L, B> {
    fn drop_all(&mut self) {
        while self.word < self.slots.occupancy.word_count() {
            self.drop_word();
            self.word += 1;
            self.live = self.slots.live_bits(self.word);
        }
    }

    fn drop_word(&mut self) {
        if self.live == 0 {
            return;
        }
        // SAFETY: the word must exist: by E1 it has a live slot, so B3 holds.
        let slots = unsafe { self.slots.buffer.parts_mut().0.word(self.word as usize) };
        if self.live == u64::MAX {
            self.live = 0;
            // SAFETY: the 64 slots must exist and hold values, by E1, B3 and S1. Their bits are
            // cleared, so each value is dropped once. Dropping a slice continues after a panic.
            unsafe { NonNull::slice_from_raw_parts(slots.cast::<Tenant<P>>(), 64).drop_in_place() };
        }
        while self.live != 0 {
            let bit = self.live.trailing_zeros();
            self.live &= self.live - 1;
            // SAFETY: the slot must exist and hold a value: its bit was set, so E1, B3 and S1 hold.
            // The bit is cleared by now, so the value is dropped once, whatever its destructor
            // does.
            unsafe { Slot::value_ptr(slots.add(bit as usize).as_ptr()).drop_in_place() };
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Values<'_, P, L, B> {
    fn drop(&mut self) {
        self.drop_all();
    }
}

/// A slot that is known to be live. Dropping it drops the value.
#[repr(transparent)]
struct Tenant<P>(Slot<P>);

impl<P> Drop for Tenant<P> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the slot must hold a value: a `Tenant` is made from a live slot only, so S1
        // holds.
        unsafe { Slot::value_ptr(&raw mut self.0).drop_in_place() };
    }
}
