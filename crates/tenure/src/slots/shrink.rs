//! Giving memory back, and retired slots.
#![expect(unsafe_code, reason = "cuts off slots at the end")]

use super::Slots;
use super::bits::needed;
use super::buffer::Buffer;
use super::slot::{Slot, Vacancy};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Cuts off the free slots at the end and gives back what is not needed.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.cut_tail();
        self.give_back();
    }

    /// Gives back the room that no slot needs.
    pub(super) fn give_back(&mut self) {
        let room = self.buffer.least(self.buffer.len());
        let words = room.div_ceil(64);
        self.bits.shrink(self.buffer.bits_mut(), words);
        self.buffer.shrink_to(room, needed(words));
        self.use_capacity();
    }

    /// The highest mark that slots may begin with together: one hot slot must not cost the others
    /// more than half of their tenants.
    fn highest_common(&self) -> u32 {
        (self.floor & L::TAG) | (L::COUNT / 2)
    }

    /// What is cut off leaves its count in `floor`, so that no handle to it can come alive again.
    fn cut_tail(&mut self) {
        while let Some(last) = self.slot_count().checked_sub(1) {
            let (mark, vacancy) = self.state(last);
            if vacancy != Some(Vacancy::Free) || mark > self.highest_common() {
                return;
            }
            self.use_free(last);
            self.floor = self.floor.max(mark);
            self.cut_last();
        }
    }

    /// Forgets the last slot, which is vacant, not listed, and has no bit.
    pub(super) fn cut_last(&mut self) {
        let last = self.slot_count() - 1;
        debug_assert!(self.live_mark(last).is_none());
        // SAFETY: B1, the slots below `last` are initialised; the cut one is vacant and needs no
        // dropping.
        unsafe { self.buffer.set_len(last as usize) };
        self.vacant -= 1;
    }

    /// Lets every retired slot begin anew with its first tenant.
    pub(crate) fn recycle_retired(&mut self) -> usize {
        if self.retired == 0 {
            return 0;
        }
        let tag = self.floor & L::TAG;
        let mut recycled = 0;
        for index in 0..self.slot_count() {
            if self.state(index).1 == Some(Vacancy::Retired) {
                // SAFETY: B1, the slot exists; it is vacant. A tag is even.
                unsafe { Slot::write_vacant(self.buffer.slot_mut(index as usize), tag, Vacancy::Free) };
                self.unhold(index);
                self.free(index);
                recycled += 1;
            }
        }
        // Only now: while some are left, listing must not take every vacant slot for a free one.
        self.retired -= recycled;
        recycled as usize
    }
}
