//! Engines without a free list: those of side maps, which issue no handles and insert every value
//! at a given index. Such an engine writes one bit where a pool maintains its free list.
#![allow(unsafe_code, reason = "moves values in and out of slots")]

use crate::layout::Layout;
use crate::slots::bits::{below, split};
use crate::slots::buffer::Buffer;
use crate::slots::occupancy::{NONE, Occupancy};
use crate::slots::{FullKind, SlotRef, Slots, is_last, unlikely};
#[cfg(feature = "serde")]
use crate::slots::{Preamble, Vacancy};

/// Only for side maps: with a free list, rows `SecondaryMap, insert in descending order` and
/// `SecondaryMap, insert at random` of `cargo versus --slotmap` take three times as long, and
/// `SecondaryMap, remove` takes twice as long.
///
/// - U1: in a side map's engine F2 and F3 need not hold: the vacant bit of a free slot is enough.
///   If there is no next free slot, no hole is open, and the set of words with holes is empty.
///
/// Methods that many containers share (`clear`, `retain`, `drain`, loading) list the slots that
/// they free. The next insertion empties the list.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Writes a value into a slot for a tenant that the caller has checked, whatever tenant the
    /// slot has or had. Returns the value that was replaced.
    #[inline]
    pub(crate) fn put(&mut self, slot: SlotRef, value: P) -> Result<Option<P>, (P, FullKind)> {
        if slot.index == self.slot_count() && self.slot_count() < self.occupancy.usable_capacity {
            self.append(slot, value);
            return Ok(None);
        }
        self.put_elsewhere(slot, value)
    }

    /// The slow path of `put`: the slot is not the next one to append, or there is no room yet.
    fn put_elsewhere(&mut self, slot: SlotRef, value: P) -> Result<Option<P>, (P, FullKind)> {
        if let Err(kind) = self.make_unlisted(slot.index) {
            return Err((value, kind));
        }
        let Some(current) = self.live_mark(slot.index) else {
            self.occupy_unlisted(slot, value);
            return Ok(None);
        };
        let older = self.get_mut(slot.index, current).map(|older| core::mem::replace(older, value));
        self.rename(slot);
        Ok(older)
    }

    /// Appends free slots until slot `index` exists.
    pub(crate) fn make_unlisted(&mut self, index: u32) -> Result<(), FullKind> {
        let count = self.slot_count();
        if index < count {
            return Ok(());
        }
        self.make_room_below(index)?;
        self.append_free(index + 1);
        for word in count / 64..self.occupancy.word_count() {
            let new = below(index + 1, word) & !below(count, word);
            self.occupancy.bits.add_vacant(self.buffer.bits_mut(), word, new);
        }
        Ok(())
    }

    /// Moves a value into an existing slot that is vacant, and not pending.
    #[inline]
    pub(crate) fn occupy_unlisted(&mut self, slot: SlotRef, value: P) {
        if self.occupancy.next_free() != NONE || self.occupancy.census.holds_any() {
            self.occupancy.unlist_for(self.buffer.bits_mut(), slot.index);
        }
        let (word, bit) = split(slot.index);
        self.occupancy.census.free_to_live();
        self.occupancy.bits.remove_vacant(self.buffer.bits_mut(), word, bit);
        self.write_live(slot, value);
    }

    /// Removes a live value. Changes nothing if the tenant has none.
    #[inline(always)]
    pub(crate) fn remove_unlisted(&mut self, slot: SlotRef) -> Option<P> {
        if !self.contains(slot.index, slot.mark) {
            unlikely();
            return None;
        }
        // SAFETY: the slot must hold a value, which must not be read out again: its mark is that of
        // a handle, so it is odd (H1), and S1 holds. The next lines write the slot as vacant.
        let value = unsafe { self.read_out(slot.index) };
        if is_last::<L>(slot.mark) {
            self.retire(slot);
        } else {
            // SAFETY: the slot must have memory: it exists, so B1 holds. S1 and S2 must hold
            // afterwards: the value has been moved out, the mark after an odd one is even, and a
            // free slot needs no vacancy.
            unsafe { (*self.buffer.slot_mut(slot.index as usize)).mark = slot.mark + 1 };
            let (word, bit) = split(slot.index);
            self.occupancy.census.live_to_free(1);
            self.occupancy.bits.add_vacant(self.buffer.bits_mut(), word, bit);
        }
        Some(value)
    }

    /// Removes the live value at `index` if `should_remove` returns `true`.
    #[inline]
    pub(crate) fn remove_unlisted_if(
        &mut self,
        index: u32,
        should_remove: impl FnOnce(u32, &mut P) -> bool,
    ) -> Option<(u32, P)> {
        let mark = self.live_mark(index)?;
        if !should_remove(mark, self.get_mut(index, mark)?) {
            return None;
        }
        self.remove_unlisted(SlotRef { index, mark }).map(|value| (mark, value))
    }

    /// Assigns the value of a live slot to another tenant.
    fn rename(&mut self, slot: SlotRef) {
        debug_assert!(self.live_mark(slot.index).is_some() && slot.mark & 1 == 1);
        // SAFETY: the pointer must be valid for a write: the slot is live, so it exists, and B1
        // holds. The slot must still satisfy S1: it stays live, because marks of tenants are odd
        // (H1).
        unsafe { (*self.buffer.slot_mut(slot.index as usize)).mark = slot.mark };
    }

    /// Returns what is saved besides the slots: the free list is the one that loading builds,
    /// lowest slot first.
    #[cfg(feature = "serde")]
    pub(crate) fn preamble_unlisted(&self) -> Preamble {
        let mut free = (0..self.slot_count()).filter(|&index| self.state(index).1 == Some(Vacancy::Free));
        Preamble { next: free.next(), word: free.next().map(|index| index / 64), ..self.preamble() }
    }
}

impl Occupancy {
    /// Prepares a vacant slot that will be live: no slot is listed afterwards, and this one is
    /// free, not retired.
    #[cold]
    #[inline(never)]
    fn unlist_for(&mut self, data: &mut [u64], index: u32) {
        if self.next_free() != NONE {
            self.unlist_all(data);
        }
        if self.is_held(data, index) {
            let (word, bit) = split(index);
            self.census.retired_to_free(1);
            self.bits.remove_held(data, word, bit);
        }
    }

    /// Returns the invariant that is broken in an engine without a free list, if any.
    pub(in crate::slots) fn fault_unlisted(&self, data: &[u64]) -> Option<&'static str> {
        let free = self.free();
        let words = || 0..self.word_count();
        let held: u32 = words().map(|word| self.bits.held(data, word).count_ones()).sum();
        if words().any(|word| free.unmarked(word) & self.bits.vacant(data, word) != 0) {
            Some("F1: a free slot is listed twice")
        } else if free.open == 0 && self.bits.has_holes() || free.next() == NONE && free.open != 0 {
            Some("U1: there are listed slots, and none is next or open")
        } else if words().any(|word| self.bits.held(data, word) & !self.bits.vacant(data, word) != 0) {
            Some("E1: a held slot does not count as vacant")
        } else if held != self.census.pending() + self.census.retired() || self.census.pending() != 0 {
            Some("E3: the held bits are not as many as retired slots")
        } else {
            None
        }
    }
}
