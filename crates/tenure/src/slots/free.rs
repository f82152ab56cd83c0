//! Which slots are free, and in which order they are used again. Nothing here allocates: freeing
//! always succeeds.
#![expect(unsafe_code, reason = "writes why a slot is vacant")]

use core::ptr::NonNull;

use super::Slots;
use super::bits::split;
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy};
use crate::layout::Layout;

/// What an engine knows about its free slots, beside the bit set of vacant ones.
///
/// The slot freed last is the `next` one to be used: its memory is warm, and one removal and one
/// insertion touch no bit set. The others are bits of words (a *word* is 64 neighbouring slots).
/// One word is *open*: its holes are used from the lowest upwards. Then the lowest word with holes
/// is opened. So a pool that was emptied at random is filled again in the order of its addresses,
/// and what lives gathers at the low end.
///
/// ```text
/// next: 130      open word 2: .11.1.      words with holes: 0, 5
/// order of use: 130, then 2·64+1, 2·64+2, 2·64+4, then those of word 0, then those of word 5
/// ```
///
/// - F1: a free slot is listed once: as `next`, as a bit of `open`, or as a bit of its word in the
///   engine's bits.
/// - F2: all free slots of `open_word` but the next one are in `open`. When it is 0, no slot but
///   the next one is free; when `next` is `NONE`, no slot is.
/// - F3: a word is in the set of words with holes exactly when it has a free slot with a bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// All bits of the index turned over, so that an engine that was never used is all zero.
    next: u32,
    pub(super) open_word: u32,
    pub(super) open: u64,
}

/// What does not fit the free slots.
#[cfg(any(feature = "serde", all(feature = "alloc", feature = "bytemuck")))]
pub(super) enum Misfit {
    Next,
    Word,
}

/// No slot has this index.
pub(super) const NONE: u32 = u32::MAX;

impl Free {
    pub(super) const EMPTY: Self = Self { next: !NONE, open_word: 0, open: 0 };

    /// The slot to be used next, or `NONE`.
    #[inline]
    pub(super) fn next(&self) -> u32 {
        !self.next
    }

    #[inline]
    fn set_next(&mut self, index: u32) {
        self.next = !index;
    }

    /// The next slot has been used: the lowest hole of the open word takes its place. Says whether
    /// that was the last one, so that another word is to be opened.
    #[inline]
    #[must_use]
    pub(super) fn use_next(&mut self) -> bool {
        let open = self.open;
        if open == 0 {
            self.set_next(NONE);
            return false;
        }
        self.set_next(self.open_word * 64 + open.trailing_zeros());
        self.open = open & (open - 1);
        self.open == 0
    }

    /// The slots of a word that are free and have no bit.
    #[inline]
    pub(super) fn unmarked(&self, word: u32) -> u64 {
        let (next_word, next) = split(self.next());
        let open = if word == self.open_word { self.open } else { 0 };
        open | if word == next_word { next } else { 0 }
    }
}

/// Which of some slots of a word are free.
///
/// # Safety
/// `slots` is the first slot of the word. Those whose bits are in `asked` exist, and none is the
/// next one to be used.
unsafe fn free_among<P>(slots: NonNull<Slot<P>>, mut asked: u64) -> u64 {
    let mut free = 0;
    while asked != 0 {
        let place = asked.trailing_zeros();
        asked &= asked - 1;
        // SAFETY: B3, the caller's.
        let (_, vacancy) = unsafe { Slot::state(slots.add(place as usize).as_ptr(), false) };
        free |= u64::from(vacancy == Some(Vacancy::Free)) << place;
    }
    free
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Whether some vacant slots are not free.
    #[inline]
    fn holds_any(&self) -> bool {
        self.pending + self.retired != 0
    }

    /// Lists a slot that becomes free: it is the next one to be used.
    #[inline]
    pub(super) fn free(&mut self, index: u32) {
        let older = self.free.next();
        self.free.set_next(index);
        if older != NONE {
            self.free_later(older);
        }
    }

    /// Lists a slot that was the next one to be used, behind the one that is now. (Out of line, so
    /// that `remove` is small enough to be inlined: the caller then gets a large value in
    /// registers, not through memory.)
    #[inline(never)]
    fn free_later(&mut self, index: u32) {
        self.say_free(index);
        let (word, bit) = split(index);
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bit;
            return;
        }
        let (older, newer) = self.bits.set(self.buffer.bits_mut(), word, bit);
        // A word with a bit is listed already (F3), unless all its vacant slots are pending or
        // retired.
        if older == 0 || newer == u64::MAX || self.holds_any() {
            self.list_word(word, older, newer);
        }
    }

    /// Writes the vacancy of a free slot that was the next one to be used: from now on it must say
    /// itself that it is free (S2).
    #[inline]
    pub(super) fn say_free(&mut self, index: u32) {
        // SAFETY: B1 and E3, a free slot exists and is vacant.
        unsafe { Slot::write_vacancy(self.buffer.slot_mut(index as usize), Vacancy::Free) };
    }

    /// A word has a hole; these were its bits before, and these are its bits now.
    #[cold]
    #[inline(never)]
    fn list_word(&mut self, word: u32, older: u64, newer: u64) {
        self.bits.note_empty(self.buffer.bits_mut(), word, newer);
        let is_new = self.bits.add_hole(self.buffer.bits_mut(), word);
        if is_new && older != 0 {
            // Not all its vacant slots are free.
            self.apart = 0;
        }
    }

    /// Lists slots of one word that become free.
    pub(super) fn free_many(&mut self, word: u32, bits: u64) {
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bits;
        } else {
            let (older, newer) = self.bits.set(self.buffer.bits_mut(), word, bits);
            self.list_word(word, older, newer);
        }
        if self.free.next() == NONE {
            self.use_next();
        }
    }

    /// Lists a free slot that has its bit, and gives its word if that lists all such slots of it.
    /// [`use_listed`](Self::use_listed) must follow.
    #[cfg(feature = "alloc")]
    pub(super) fn list_marked(&mut self, index: u32) -> Option<u32> {
        let (word, bit) = split(index);
        if self.free.open != 0 && self.free.open_word == word {
            self.unhold(index);
            self.free.open |= bit;
            return None;
        }
        self.bits.add_hole(self.buffer.bits_mut(), word);
        Some(word)
    }

    /// Words were listed: one of them is open, and one of its slots is the next, if none was (F2).
    pub(super) fn use_listed(&mut self) {
        if self.free.open == 0 {
            self.open_next();
        }
        if self.free.next() == NONE {
            self.use_next();
        }
    }

    /// The next slot has been used: the lowest hole of the open word takes its place.
    #[inline]
    pub(super) fn use_next(&mut self) {
        if self.free.use_next() {
            self.open_next();
        }
    }

    /// Opens the lowest word that has holes, if there is one.
    #[cold]
    #[inline(never)]
    fn open_next(&mut self) {
        if !self.bits.has_holes() {
            return;
        }
        if let Some(word) = self.bits.pop_lowest_hole(self.buffer.bits_mut()) {
            self.open(word);
        }
    }

    /// Takes the next slot to be used, and all others of its word that are free, out of the list.
    /// Says which.
    #[cfg(feature = "alloc")]
    pub(super) fn unlist_word(&mut self) -> (u32, u64) {
        let (word, mut bits) = split(self.free.next());
        self.say_free(self.free.next());
        if self.free.open != 0 && self.free.open_word == word {
            bits |= core::mem::take(&mut self.free.open);
            self.open_next();
        } else if self.has_hole(word) {
            bits |= self.holes_in(word);
            self.bits.remove_hole(self.buffer.bits_mut(), word);
        }
        self.use_next();
        (word, bits)
    }

    /// Uses one particular free slot.
    pub(super) fn use_free(&mut self, index: u32) {
        let (word, bit) = split(index);
        if self.free.next() == index {
            self.use_next();
        } else if self.free.unmarked(word) & bit != 0 {
            self.free.open &= !bit;
            if self.free.open == 0 {
                self.open_next();
            }
        } else {
            self.unhold(index);
            if self.free_bits(word) == 0 {
                self.bits.remove_hole(self.buffer.bits_mut(), word);
            }
        }
    }

    /// Which slots of a word are free and have a bit. Unless slots are pending or retired, all with
    /// a bit are.
    fn free_bits(&self, word: u32) -> u64 {
        let vacant = self.vacant_bits(word);
        if !self.holds_any() {
            return vacant;
        }
        if vacant == 0 {
            return 0;
        }
        // SAFETY: B3 and E1, slots with a bit exist, and so does their word. None of them is the
        // next one to be used.
        unsafe { free_among(self.buffer.parts().0.word(word as usize), vacant) }
    }

    /// The same of a word that is listed, or was just now.
    fn holes_in(&self, word: u32) -> u64 {
        let all_free = self.pending == self.apart && self.retired == 0;
        let bits = if all_free { self.vacant_bits(word) } else { self.free_bits(word) };
        debug_assert_eq!(bits, self.free_bits(word), "E6: a bit of a word with holes is not that of a free slot");
        bits
    }

    /// Forgets what is listed. From then on every vacant slot has its bit, until
    /// [`list_anew`](Self::list_anew).
    pub(super) fn unlist(&mut self) {
        let next = self.free.next();
        if next != NONE {
            self.free.set_next(NONE);
            self.say_free(next);
            self.hold(next);
        }
        let open = core::mem::take(&mut self.free.open);
        if open != 0 {
            self.bits.add(self.buffer.bits_mut(), self.free.open_word, open);
        }
        self.bits.clear_holes(self.buffer.bits_mut());
    }

    /// Makes the free list anew from what the slots say: the lowest free slot is used first.
    pub(super) fn list_anew(&mut self) {
        self.unlist();
        self.list_words();
        self.use_listed();
    }

    /// Puts every word with a free slot into the set of words with holes, which is empty: each free
    /// slot has its bit.
    fn list_words(&mut self) {
        self.apart = 0;
        for word in 0..self.word_count() {
            if self.free_bits(word) != 0 {
                self.bits.add_hole(self.buffer.bits_mut(), word);
            }
        }
    }

    /// Lists free slots, which all have their bits: `next` is the next one, and those of a word
    /// come after it. Says which of the two cannot be.
    #[cfg(any(feature = "serde", all(feature = "alloc", feature = "bytemuck")))]
    pub(super) fn list_as(&mut self, next: u32, word: Option<u32>) -> Result<(), Misfit> {
        if next >= self.slot_count() || self.state(next).1 != Some(Vacancy::Free) {
            return Err(Misfit::Next);
        }
        self.list_words();
        self.use_free(next);
        self.free.set_next(next);
        match word {
            Some(word) if self.has_hole(word) => {
                self.bits.remove_hole(self.buffer.bits_mut(), word);
                self.open(word);
                Ok(())
            }
            None if !self.bits.has_holes() => Ok(()),
            _ => Err(Misfit::Word),
        }
    }

    /// Takes the free slots of a word, which was taken out of the set, as the open ones.
    fn open(&mut self, word: u32) {
        let bits = self.holes_in(word);
        self.bits.remove(self.buffer.bits_mut(), word, bits);
        self.free.open_word = word;
        self.free.open = bits;
    }

    /// Whether a word is in the set of words with holes.
    fn has_hole(&self, word: u32) -> bool {
        self.bits.has_hole(self.buffer.bits(), word)
    }

    /// Whether a slot is listed.
    pub(super) fn lists(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        let in_holes = self.has_hole(word) && self.free_bits(word) & bit != 0;
        self.free.unmarked(word) & bit != 0 || in_holes
    }

    /// Says what is wrong with the free list itself.
    pub(super) fn free_fault(&self) -> Option<&'static str> {
        let open = self.free.open;
        let marked = |word: u32| self.vacant_bits(word) | !self.existing_bits(word);
        let (next_word, next) = split(self.free.next());
        let next = if self.free.next() == NONE { 0 } else { next };
        let next_open = if next_word == self.free.open_word { next & open } else { 0 };
        if (next & marked(next_word)) | next_open != 0 || open != 0 && open & marked(self.free.open_word) != 0 {
            Some("F1: a free slot is listed twice, or does not exist")
        } else if open != 0 && self.free_bits(self.free.open_word) != 0 {
            Some("F2: a free slot of the open word is not open")
        } else if (open == 0 && self.bits.has_holes()) || (next == 0 && open != 0) {
            Some("F2: there are holes, and none is next or open")
        } else if (0..self.word_count()).any(|word| self.has_hole(word) != (self.free_bits(word) != 0)) {
            Some("F3: the words with holes are not those that are listed")
        } else {
            None
        }
    }
}
