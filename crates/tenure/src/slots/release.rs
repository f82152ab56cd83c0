//! Removing many: clear, retain, one after the other, and drop. A panic in a destructor or a closure
//! finds a valid engine, and what was begun is finished.
#![allow(unsafe_code, reason = "moves values out of live slots")]

use core::mem::needs_drop;

use super::Slots;
use super::buffer::Buffer;
use super::slot::{Slot, Vacancy};
use crate::layout::Layout;

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// The first live slot at `from` or after it.
    #[inline]
    pub(crate) fn next_live(&self, from: u32) -> Option<u32> {
        let mut word = from / 64;
        let mut bits = self.live.get(word as usize)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.live.get(word as usize)?;
        }
        Some(word * 64 + bits.trailing_zeros())
    }

    /// The last live slot before `end`.
    #[inline]
    pub(crate) fn last_live(&self, end: u32) -> Option<u32> {
        let last = end.checked_sub(1)?.min(self.slot_count().checked_sub(1)?);
        let mut word = last / 64;
        let mut bits = self.live.get(word as usize)? & (u64::MAX >> (63 - last % 64));
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = *self.live.get(word as usize)?;
        }
        Some(word * 64 + 63 - bits.leading_zeros())
    }

    /// Removes a live slot's value for an owner that will not use the slots again: nothing is listed.
    pub(crate) fn remove_for_good(&mut self, index: u32) -> Option<(u32, P)> {
        self.live_mark(index)?;
        // SAFETY: the slot exists and is live.
        let (value, mark) = unsafe { self.lift(index) };
        self.vacate(index, mark);
        Some((mark, value))
    }

    /// Removes the live value at `index` if `condemn` says so.
    #[inline]
    pub(crate) fn remove_if(&mut self, index: u32, condemn: impl FnOnce(u32, &mut P) -> bool) -> Option<(u32, P)> {
        let slot = self.at_mut(index).filter(|slot| slot.is_live())?;
        let mark = slot.mark;
        // SAFETY: S1, the slot is live.
        if !condemn(mark, unsafe { slot.value_unchecked_mut() }) {
            return None;
        }
        // SAFETY: the slot exists and is live: `condemn` saw only the value.
        Some((mark, unsafe { self.evict(index) }))
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(u32, u32, &mut P) -> bool) {
        let mut from = 0;
        while let Some(index) = self.next_live(from) {
            from = index + 1;
            drop(self.remove_if(index, |mark, value| !keep(index, mark, value)));
        }
    }

    /// Removes every value, releases every pending slot, and lists all that is free, lowest first out.
    pub(crate) fn clear(&mut self) {
        let rest = FinishClear(self);
        rest.0.drop_values();
    }

    /// Drops values one by one; each slot is vacant before its value's destructor runs.
    fn drop_values(&mut self) {
        let mut from = 0;
        while let Some(index) = self.next_live(from) {
            from = index + 1;
            drop(self.remove_for_good(index));
        }
    }

    /// After everything was removed: no slot is pending, and the free list is made anew.
    fn free_all(&mut self) {
        if self.pending > 0 {
            self.release_all();
        }
        if self.retired > 0 {
            self.list_anew();
        } else {
            self.free.list_all(self.slot_count());
        }
    }

    fn release_all(&mut self) {
        for index in 0..self.slot_count() {
            if let (mark, Some(Vacancy::Pending)) = self.state(index) {
                self.vacate(index, mark | 1);
            }
        }
        self.pending = 0;
    }

    /// Makes the free list anew from what the slots say, lowest first out.
    pub(super) fn list_anew(&mut self) {
        self.free.clear();
        let count = self.slot_count();
        for index in (0..count).rev() {
            if self.state(index).1 == Some(Vacancy::Free) {
                self.free.list_last(index);
            }
        }
    }

    /// Counts everything anew from what the slots say, and makes the free list anew.
    pub(super) fn recount(&mut self) {
        let (mut len, mut pending, mut retired) = (0, 0, 0);
        for index in 0..self.slot_count() {
            match self.state(index).1 {
                None => len += 1,
                Some(Vacancy::Pending) => pending += 1,
                Some(Vacancy::Retired) => retired += 1,
                Some(Vacancy::Free) => {}
            }
        }
        (self.len, self.pending, self.retired) = (len, pending, retired);
        self.list_anew();
    }
}

/// Finishes a `clear`, also when a destructor panicked.
struct FinishClear<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

impl<P, L: Layout, B: Buffer<P>> Drop for FinishClear<'_, P, L, B> {
    fn drop(&mut self) {
        self.0.drop_values();
        self.0.free_all();
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Slots<P, L, B> {
    fn drop(&mut self) {
        /// Drops what is left, also when a destructor panicked.
        struct DropRest<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

        impl<P, L: Layout, B: Buffer<P>> Drop for DropRest<'_, P, L, B> {
            fn drop(&mut self) {
                self.0.drop_in_place();
            }
        }

        if needs_drop::<P>() {
            let rest = DropRest(self);
            rest.0.drop_in_place();
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Drops every value where it is. Only for an engine that nobody will look at again.
    fn drop_in_place(&mut self) {
        let mut from = 0;
        while let Some(index) = self.next_live(from) {
            from = index + 1;
            self.set_vacant(index);
            // SAFETY: B1, S1 and E1, the bit said that the slot exists and is live. It is cleared, so the value is
            // dropped once, whatever its destructor does.
            unsafe { Slot::value_ptr(self.buffer.slot_mut(index as usize)).drop_in_place() };
        }
    }
}
