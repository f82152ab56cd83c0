//! Giving memory back, and retired slots.
#![allow(unsafe_code, reason = "cuts off slots at the end")]

use super::Slots;
use super::bits::needed;
use super::buffer::Buffer;
use super::free::NONE;
use super::slot::{Slot, Vacancy};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Cuts off the free slots at the end and gives back what is not needed.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.cut_tail();
        if B::IN_CHUNKS {
            self.level_words();
            self.forget_chunks();
        }
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

    /// Whether no slot of a word has a tenant, with or without a value.
    fn is_deserted(&self, word: u32) -> bool {
        let existing = self.existing_bits(word);
        let pending = |bit: &u32| self.state(word * 64 + bit).1 == Some(Vacancy::Pending);
        self.live_bits(word) == 0 && !(0..64).filter(|bit| existing >> bit & 1 == 1).any(|bit| pending(&bit))
    }

    /// The highest mark that slots may begin with together: one hot slot must not cost the others more than half of their tenants.
    fn highest_common(&self) -> u32 {
        (self.floor & L::TAG) | (L::COUNT / 2)
    }

    /// Lets all slots of a word that has no tenant go on from the highest mark among them, unless one is too far ahead. So one mark is
    /// enough for a word that is not there. Which words are in memory does not matter: the same calls give the same handles.
    fn level_words(&mut self) {
        for word in 0..self.word_count() {
            if !self.is_deserted(word) || !self.buffer.is_there(word as usize * 64) {
                continue;
            }
            let slots = self.slots_of(word);
            let highest = slots.clone().map(|index| self.state(index).0).max().unwrap_or(0);
            if highest <= self.highest_common() {
                for index in slots {
                    // SAFETY: B1, the slot exists and is there. The mark of a slot without a tenant is even.
                    unsafe { (*self.buffer.slot_mut(index as usize)).mark = highest };
                }
            }
        }
    }

    /// Gives the memory of chunks back that have no tenant.
    fn forget_chunks(&mut self) {
        if self.free.next() != NONE {
            self.say_free(self.free.next());
        }
        let mut word = 0;
        while word < self.word_count() {
            let chunk = self.buffer.chunk_of(word).unwrap_or(word..word + 1);
            let end = chunk.end.min(self.word_count());
            if self.buffer.is_there(word as usize * 64) && (chunk.start..end).all(|word| self.is_deserted(word)) {
                // SAFETY: E3, the slots of the chunk that exist are free or retired, and each says so itself (S2).
                unsafe { self.buffer.forget_chunk(chunk.start, self.highest_common()) };
            }
            word = chunk.end;
        }
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
        // SAFETY: B1, the slots below `last` are initialised; the cut one is vacant and needs no dropping.
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
            // Without memory for it, a slot that is not there stays retired.
            if self.state(index).1 == Some(Vacancy::Retired) && self.bring_back(index).is_ok() {
                // SAFETY: B1, the slot exists and is there; it is vacant. A tag is even.
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
