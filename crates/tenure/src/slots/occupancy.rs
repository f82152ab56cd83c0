//! The state of all slots (live, held or free), and the order in which free slots are reused.
//! Nothing here depends on the type of the values, and nothing allocates: removing always succeeds.
//!
//! Every method that needs bits takes the buffer's bit data.

use core::ops::Range;

use super::bits::{Bits, below, split};
use super::census::Census;

/// The state of all slots.
///
/// - E1: for every slot: its *vacant* bit is set exactly when the slot exists, has no committed
///   value, and is neither the next free slot nor an open hole. (The bits are of vacant and not of
///   live slots, so that appending a slot writes no bit.) Its *held* bit is set exactly when the
///   slot is pending or retired.
/// - E2: `usable_capacity` is at most the buffer's capacity and at most the layout's `MAX_SLOTS`;
///   at most that many slots exist, and there are bits for all of them.
#[derive(Clone, Copy, Debug)]
#[expect(unnameable_types, reason = "in hidden methods of the sealed trait `Buffer` only")]
pub struct Occupancy {
    pub(super) census: Census,
    pub(super) bits: Bits,
    free: Free,
    /// The number of slots that can exist before the buffer must grow.
    pub(super) usable_capacity: u32,
}

/// The free list, which determines the order in which free slots are used.
///
/// The slot that was freed last is the `next` one to be used: its memory is in the cache, and one
/// removal followed by one insertion writes no bit. The other free slots are bits of words (a
/// *word* is 64 neighbouring slots). One word is *open*: its holes are used from the lowest
/// upwards. Then the lowest word with holes is opened. So a pool that was emptied at random is
/// filled in the order of its addresses, and live values gather at the low end.
///
/// ```text
/// next: 130      open word 2: .11.1.      words with holes: 0, 5
/// order of use: 130, then 2·64+1, 2·64+2, 2·64+4, then those of word 0, then those of word 5
/// ```
///
/// - F1: for every free slot: it is listed exactly once, as `next`, as a bit of `open`, or as a
///   vacant bit that is not held.
/// - F2: for every free slot of `open_word` except the next one: it is in `open`. When `open` is 0,
///   no slot except the next one is free; when `next` is `NONE`, no slot is free.
/// - F3: for every word: it is in the set of words with holes exactly when it has a vacant bit that
///   is not held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// The index with all bits inverted, so that an engine that was never used is all zero bytes.
    next: u32,
    pub(super) open_word: u32,
    pub(super) open: u64,
}

/// The part of a saved free list that is inconsistent with the slots.
#[cfg(any(feature = "alloc", feature = "serde"))]
pub(super) enum FreeListError {
    Next,
    Word,
}

/// An index that no slot has.
pub(super) const NONE: u32 = u32::MAX;

impl Free {
    const EMPTY: Self = Self { next: !NONE, open_word: 0, open: 0 };

    /// Returns the slot to be used next, or `NONE`.
    #[inline(always)]
    pub(super) fn next(&self) -> u32 {
        !self.next
    }

    #[inline(always)]
    fn set_next(&mut self, index: u32) {
        self.next = !index;
    }

    /// Removes the next slot from the list: the lowest hole of the open word takes its place.
    /// Returns `true` if that was the last one, so that another word must be opened.
    #[inline(always)]
    #[must_use]
    fn use_next(&mut self) -> bool {
        let open = self.open;
        if open == 0 {
            self.set_next(NONE);
            return false;
        }
        self.set_next((self.open_word << 6) | open.trailing_zeros());
        self.open = open & (open - 1);
        self.open == 0
    }

    /// Returns the free slots of a word that have no vacant bit.
    #[inline]
    pub(super) fn unmarked(&self, word: u32) -> u64 {
        let (next_word, next) = split(self.next());
        let open = if word == self.open_word { self.open } else { 0 };
        open | if word == next_word { next } else { 0 }
    }
}

/// Reading the state.
impl Occupancy {
    pub(super) const EMPTY: Self =
        Self { census: Census::EMPTY, bits: Bits::EMPTY, free: Free::EMPTY, usable_capacity: 0 };

    /// Returns the number of slots that exist, live or not.
    #[inline]
    pub(super) const fn slot_count(&self) -> u32 {
        self.census.slots()
    }

    /// Uses the memory of a buffer that has grown to `slots` slots, in a layout that has `most`.
    /// There is room for the bits of `words` words.
    pub(super) fn use_capacity(&mut self, data: &mut [u64], words: usize, slots: usize, most: u32) {
        self.bits.grow(data, words);
        self.usable_capacity = u32::try_from(slots).unwrap_or(u32::MAX).min(most);
    }

    /// Returns the number of words that the slots take up.
    #[inline]
    pub(super) fn word_count(&self) -> u32 {
        self.slot_count().div_ceil(64)
    }

    /// Returns the indices of the slots of a word that exist.
    pub(super) fn slots_of(&self, word: u32) -> Range<u32> {
        word * 64..self.slot_count().min((word * 64).saturating_add(64))
    }

    /// Returns the free list.
    #[inline]
    pub(super) fn free(&self) -> Free {
        self.free
    }

    /// Returns the slots of a word that exist, as bits.
    #[inline]
    pub(super) fn existing_bits(&self, word: u32) -> u64 {
        below(self.slot_count(), word)
    }

    /// Returns the live slots of a word.
    #[inline]
    pub(super) fn live_bits(&self, data: &[u64], word: u32) -> u64 {
        !(self.bits.vacant(data, word) | self.free.unmarked(word)) & self.existing_bits(word)
    }

    /// Like [`live_bits`](Self::live_bits), out of line: for loops over words that call the
    /// caller's code, which are compiled for every type of values.
    #[inline(never)]
    pub(super) fn live_bits_of(&self, data: &[u64], word: u32) -> u64 {
        self.live_bits(data, word)
    }

    /// Returns the held slots of a word.
    #[inline]
    pub(super) fn held_bits(&self, data: &[u64], word: u32) -> u64 {
        if self.census.holds_any() { self.bits.held(data, word) } else { 0 }
    }

    /// Returns the slots of a word that are free and have a vacant bit.
    fn free_bits(&self, data: &[u64], word: u32) -> u64 {
        self.bits.vacant(data, word) & !self.held_bits(data, word)
    }

    /// Returns `true` if a slot is pending or retired.
    #[inline]
    pub(super) fn is_held(&self, data: &[u64], index: u32) -> bool {
        let (word, bit) = split(index);
        self.held_bits(data, word) & bit != 0
    }

    /// Returns the first live slot at or after `from`.
    pub(super) fn next_live(&self, data: &[u64], from: u32) -> Option<u32> {
        let mut word = from / 64;
        let mut bits = self.live_bits(data, word) & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            if word >= self.word_count() {
                return None;
            }
            bits = self.live_bits(data, word);
        }
        Some(word * 64 + bits.trailing_zeros())
    }

    /// Returns the last live slot before `end`.
    pub(super) fn last_live(&self, data: &[u64], end: u32) -> Option<u32> {
        let mut word = self.word_count().min(end.div_ceil(64));
        while word > 0 {
            word -= 1;
            let bits = self.live_bits(data, word) & below(end, word);
            if bits != 0 {
                return Some(word * 64 + 63 - bits.leading_zeros());
            }
        }
        None
    }

    /// Returns `true` if a slot is in the free list.
    pub(super) fn is_listed(&self, data: &[u64], index: u32) -> bool {
        let (word, bit) = split(index);
        let in_holes = self.bits.has_hole(data, word) && self.free_bits(data, word) & bit != 0;
        self.free.unmarked(word) & bit != 0 || in_holes
    }
}

/// Transitions of single slots.
impl Occupancy {
    /// Returns the free slot to be used next, or `NONE`.
    #[inline(always)]
    pub(super) fn next_free(&self) -> u32 {
        !self.free.next
    }

    /// Makes the next free slot live: the lowest hole of the open word takes its place. Returns
    /// `true` if [`open_next`](Self::open_next) must follow.
    #[inline(always)]
    #[must_use]
    pub(super) fn take_next(&mut self) -> bool {
        self.census.free_to_live();
        self.free.use_next()
    }

    /// Like [`take_next`](Self::take_next), but does nothing and returns `false` if another word
    /// would have to be opened.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) fn take_next_if_open(&mut self) -> bool {
        let mut free = self.free;
        if free.use_next() {
            return false;
        }
        self.free = free;
        self.census.free_to_live();
        true
    }

    /// Removes the next free slot from the free list.
    #[inline]
    pub(super) fn unlist_next(&mut self, data: &mut [u64]) {
        if self.free.use_next() {
            self.open_next(data);
        }
    }

    /// Makes a live slot free: it is the next one to be used. Returns the slot that was the next
    /// one before; if it is not `NONE`, [`list_older`](Self::list_older) must follow.
    #[inline(always)]
    #[must_use]
    pub(super) fn free_live(&mut self, index: u32) -> u32 {
        self.census.live_to_free(1);
        let older = self.free.next();
        self.free.set_next(index);
        older
    }

    /// Makes a live slot retired.
    #[cold]
    #[inline(never)]
    pub(super) fn retire_live(&mut self, data: &mut [u64], index: u32) {
        self.census.live_to_retired(1);
        self.hold(data, index);
    }

    /// Sets the bits of a slot that is held.
    #[inline]
    pub(super) fn hold(&mut self, data: &mut [u64], index: u32) {
        let (word, bit) = split(index);
        self.bits.add_vacant(data, word, bit);
        self.bits.add_held(data, word, bit);
    }

    /// Clears the bits of a slot that was held.
    #[inline]
    pub(super) fn unhold(&mut self, data: &mut [u64], index: u32) {
        let (word, bit) = split(index);
        self.bits.remove_vacant(data, word, bit);
        self.bits.remove_held(data, word, bit);
    }

    /// Makes a pending slot free.
    pub(super) fn free_pending(&mut self, data: &mut [u64], index: u32) {
        self.census.pending_to_free(1);
        self.unhold(data, index);
        self.list(data, index);
    }

    /// Adds a slot to the free list: it is the next one to be used.
    pub(super) fn list(&mut self, data: &mut [u64], index: u32) {
        let older = self.free.next();
        self.free.set_next(index);
        if older != NONE {
            self.list_older(data, older);
        }
    }

    /// Lists the slot that was the next one to be used before the current one.
    ///
    /// Out of line, so that `remove` is small (`cargo versus --build`). The work that is needed for
    /// only one or two slots of a word is out of line again, so that this needs no stack frame
    /// (`quarters` and `remove in order` of `.ci/instructions`).
    #[inline(never)]
    pub(super) fn list_older(&mut self, data: &mut [u64], index: u32) {
        let (word, bit) = split(index);
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bit;
            return;
        }
        let (older, newer) = self.bits.set_vacant(data, word, bit);
        // If the word has another hole, and none of its slots is held, the word is in the set
        // already.
        if older == 0 || newer == u64::MAX || self.census.holds_any() {
            self.note_vacant(data, word, older, newer);
        }
    }

    /// Restores D4 and F3 after vacant bits of free slots were set. `older` and `newer` are the
    /// word before and after.
    #[cold]
    #[inline(never)]
    fn note_vacant(&mut self, data: &mut [u64], word: u32, older: u64, newer: u64) {
        self.bits.note_empty(data, word, newer);
        if older & !self.held_bits(data, word) == 0 {
            self.bits.add_hole(data, word);
        }
    }

    /// Lists free slots of one word, none of which is the next one.
    fn list_bits(&mut self, data: &mut [u64], word: u32, bits: u64) {
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bits;
            return;
        }
        let (older, newer) = self.bits.set_vacant(data, word, bits);
        self.note_vacant(data, word, older, newer);
    }

    /// Removes a given free slot from the free list.
    pub(super) fn unlist_one(&mut self, data: &mut [u64], index: u32) {
        let (word, bit) = split(index);
        if self.free.next() == index {
            self.unlist_next(data);
        } else if self.free.unmarked(word) & bit != 0 {
            self.free.open &= !bit;
            if self.free.open == 0 {
                self.open_next(data);
            }
        } else {
            self.bits.remove_vacant(data, word, bit);
            if self.free_bits(data, word) == 0 {
                self.bits.remove_hole(data, word);
            }
        }
    }
}

/// Transitions of many slots.
impl Occupancy {
    /// Lists slots of one word that become free.
    pub(super) fn list_many(&mut self, data: &mut [u64], word: u32, bits: u64) {
        self.list_bits(data, word, bits);
        if self.free.next() == NONE {
            self.unlist_next(data);
        }
    }

    /// Makes live slots of one word free, or retired if they are in `retired`. (Out of line: it is
    /// called once per word, and the loops around it need the registers.)
    #[inline(never)]
    pub(super) fn free_live_many(&mut self, data: &mut [u64], word: u32, gone: u64, retired: u64) {
        if retired != 0 {
            self.census.live_to_retired(retired.count_ones());
            self.bits.add_vacant(data, word, retired);
            self.bits.add_held(data, word, retired);
        }
        let free = gone & !retired;
        self.census.live_to_free(free.count_ones());
        if free.is_power_of_two() {
            self.list(data, word * 64 + free.trailing_zeros());
        } else if free != 0 {
            self.list_many(data, word, free);
        }
    }

    /// Makes live slots of one word free, or retired if they are in `retired`. None is listed
    /// before [`rebuild_free_list`](Self::rebuild_free_list).
    pub(super) fn vacate_unlisted(&mut self, data: &mut [u64], word: u32, gone: u64, retired: u64) {
        self.census.live_to_retired(retired.count_ones());
        self.census.live_to_free((gone & !retired).count_ones());
        self.bits.add_vacant(data, word, gone);
        if retired != 0 {
            self.bits.add_held(data, word, retired);
        }
    }

    /// Appends a live slot.
    #[inline(always)]
    pub(super) fn append_live(&mut self) {
        self.census.add_live(1);
    }

    /// Removes the last slot, which is free, not listed, and has no bit.
    pub(super) fn cut_last(&mut self) {
        self.census.cut_free();
    }

    /// Makes a held slot free. Its vacant bit is set already: only its word is listed, unless it is
    /// `listed` already. Returns the word if that lists all such slots of it.
    /// [`use_listed`](Self::use_listed) must follow.
    #[cfg(feature = "alloc")]
    pub(super) fn free_held(&mut self, data: &mut [u64], index: u32, listed: Option<u32>) -> Option<u32> {
        let (word, bit) = split(index);
        self.census.pending_to_free(1);
        self.bits.remove_held(data, word, bit);
        if self.free.open != 0 && self.free.open_word == word {
            self.bits.remove_vacant(data, word, bit);
            self.free.open |= bit;
            return None;
        }
        if listed != Some(word) {
            self.bits.add_hole(data, word);
        }
        Some(word)
    }

    /// Makes free slots of one word held. They are not listed and have no bit.
    #[cfg(feature = "alloc")]
    pub(super) fn reserve_many(&mut self, data: &mut [u64], word: u32, bits: u64) {
        self.census.free_to_pending(bits.count_ones());
        self.bits.add_vacant(data, word, bits);
        self.bits.add_held(data, word, bits);
    }

    /// Makes held slots of one word free. They are not listed, and have no bit afterwards.
    #[cfg(feature = "alloc")]
    pub(super) fn unreserve_many(&mut self, data: &mut [u64], word: u32, bits: u64) {
        self.census.pending_to_free(bits.count_ones());
        self.bits.remove_vacant(data, word, bits);
        self.bits.remove_held(data, word, bits);
    }

    /// Makes held slots of one word live. They have values.
    #[cfg(feature = "alloc")]
    pub(super) fn commit(&mut self, data: &mut [u64], word: u32, bits: u64) {
        self.census.pending_to_live(bits.count_ones());
        self.bits.remove_vacant(data, word, bits);
        self.bits.remove_held(data, word, bits);
    }

    /// Restores F2 after words were listed: opens one of them if no word is open, and makes one of
    /// its slots the next one if there is none.
    pub(super) fn use_listed(&mut self, data: &mut [u64]) {
        if self.free.open == 0 {
            self.open_next(data);
        }
        if self.free.next() == NONE {
            self.unlist_next(data);
        }
    }

    /// Opens the lowest word that has holes, if there is one.
    #[cold]
    #[inline(never)]
    pub(super) fn open_next(&mut self, data: &mut [u64]) {
        if !self.bits.has_holes() {
            return;
        }
        if let Some(word) = self.bits.pop_lowest_hole(data) {
            self.open(data, word);
        }
    }

    /// Opens a word that was removed from the set of words with holes.
    fn open(&mut self, data: &mut [u64], word: u32) {
        let bits = self.free_bits(data, word);
        self.bits.remove_vacant(data, word, bits);
        self.free.open_word = word;
        self.free.open = bits;
    }

    /// Removes the next slot and all other free slots of its word from the free list. Returns the
    /// word and their bits. None of them has a vacant bit afterwards.
    #[cfg(feature = "alloc")]
    pub(super) fn unlist_word(&mut self, data: &mut [u64]) -> (u32, u64) {
        let (word, mut bits) = split(self.free.next());
        if self.free.open != 0 && self.free.open_word == word {
            bits |= core::mem::take(&mut self.free.open);
            self.open_next(data);
        } else if self.bits.has_hole(data, word) {
            let holes = self.free_bits(data, word);
            self.bits.remove_vacant(data, word, holes);
            self.bits.remove_hole(data, word);
            bits |= holes;
        }
        self.unlist_next(data);
        (word, bits)
    }

    /// Returns the next slot and all other free slots of its word, which
    /// [`unlist_word`](Self::unlist_word) would remove.
    #[cfg(feature = "alloc")]
    pub(super) fn next_word(&self, data: &[u64]) -> (u32, u64) {
        let (word, _) = split(self.free.next());
        (word, self.free.unmarked(word) | self.free_bits(data, word))
    }

    /// Empties the free list. Afterwards every vacant slot has its bit, until
    /// [`rebuild_free_list`](Self::rebuild_free_list).
    pub(super) fn unlist_all(&mut self, data: &mut [u64]) {
        let next = self.free.next();
        if next != NONE {
            let (word, bit) = split(next);
            self.free.set_next(NONE);
            self.bits.add_vacant(data, word, bit);
        }
        let open = core::mem::take(&mut self.free.open);
        if open != 0 {
            self.bits.add_vacant(data, self.free.open_word, open);
        }
        self.bits.clear_holes(data);
    }

    /// Rebuilds the free list from the bits: the lowest free slot is used first.
    pub(super) fn rebuild_free_list(&mut self, data: &mut [u64]) {
        self.unlist_all(data);
        self.list_words(data);
        self.use_listed(data);
    }

    /// Adds every word with a free slot to the set of words with holes, which is empty. Every free
    /// slot has its bit.
    fn list_words(&mut self, data: &mut [u64]) {
        for word in 0..self.word_count() {
            if self.free_bits(data, word) != 0 {
                self.bits.add_hole(data, word);
            }
        }
    }

    /// Lists the free slots, all of which have their bits: `next` is used first, and then the free
    /// slots of `word`.
    #[cfg(any(feature = "alloc", feature = "serde"))]
    pub(super) fn list_as(&mut self, data: &mut [u64], next: u32, word: Option<u32>) -> Result<(), FreeListError> {
        let (next_word, bit) = split(next);
        if next >= self.slot_count() || self.free_bits(data, next_word) & bit == 0 {
            return Err(FreeListError::Next);
        }
        self.list_words(data);
        self.unlist_one(data, next);
        self.free.set_next(next);
        match word {
            Some(word) if self.bits.has_hole(data, word) => {
                self.bits.remove_hole(data, word);
                self.open(data, word);
                Ok(())
            }
            None if !self.bits.has_holes() => Ok(()),
            _ => Err(FreeListError::Word),
        }
    }
}

/// Copying and checking.
impl Occupancy {
    /// Copies the free list and the counts of an original whose slots were copied. Before the call,
    /// every vacant slot has its bit. Slots that are uncommitted in the original are live in the
    /// copy.
    pub(super) fn finish_copy(&mut self, data: &mut [u64], original: &Self, original_data: &[u64]) {
        let uncommitted = original.census.vacant() - self.census.vacant();
        self.census = original.census;
        self.census.pending_to_live(uncommitted);
        self.free = original.free;
        self.bits.copy_holes(data, &original.bits, original_data);
        if self.free.next() != NONE {
            let (word, bit) = split(self.free.next());
            self.bits.remove_vacant(data, word, bit);
        }
        if self.free.open != 0 {
            self.bits.remove_vacant(data, self.free.open_word, self.free.open);
        }
    }

    /// Returns the invariant of the free list that is broken, if any.
    pub(super) fn fault(&self, data: &[u64]) -> Option<&'static str> {
        let open = self.free.open;
        let marked = |word: u32| self.bits.vacant(data, word) | !self.existing_bits(word);
        let (next_word, next) = split(self.free.next());
        let next = if self.free.next() == NONE { 0 } else { next };
        let next_open = if next_word == self.free.open_word { next & open } else { 0 };
        let words = || 0..self.word_count();
        let held: u32 = words().map(|word| self.bits.held(data, word).count_ones()).sum();
        if (next & marked(next_word)) | next_open != 0 || open != 0 && open & marked(self.free.open_word) != 0 {
            Some("F1: a free slot is listed twice, or does not exist")
        } else if open != 0 && self.free_bits(data, self.free.open_word) != 0 {
            Some("F2: a free slot of the open word is not open")
        } else if (open == 0 && self.bits.has_holes()) || (next == 0 && open != 0) {
            Some("F2: there are holes, and none is next or open")
        } else if words().any(|word| self.bits.has_hole(data, word) != (self.free_bits(data, word) != 0)) {
            Some("F3: the set of words with holes is wrong")
        } else if words().any(|word| self.bits.held(data, word) & !self.bits.vacant(data, word) != 0) {
            Some("E1: a held slot does not count as vacant")
        } else if held != self.census.pending() + self.census.retired() {
            Some("E3: the held bits are not as many as pending and retired slots")
        } else {
            None
        }
    }
}

/// Copying over existing slots.
impl Occupancy {
    /// Removes all slots. They are vacant.
    pub(super) fn forget_slots(&mut self, data: &mut [u64]) {
        self.bits.clear(data);
        (self.census, self.free) = (Census::EMPTY, Free::EMPTY);
    }

    /// Updates the held bit of a vacant slot that was overwritten. Its vacant bit is set.
    pub(super) fn overwrite_hold(&mut self, data: &mut [u64], index: u32, was_held: bool, is_held: bool) {
        let (word, bit) = split(index);
        match (was_held, is_held) {
            (false, true) => {
                self.census.free_to_pending(1);
                self.bits.add_held(data, word, bit);
            }
            (true, false) => {
                self.census.pending_to_free(1);
                self.bits.remove_held(data, word, bit);
            }
            _ => {}
        }
    }
}

#[cfg(any(feature = "alloc", feature = "serde"))]
impl Occupancy {
    /// Sets the state of a free slot that was just appended. It is not listed before
    /// [`rebuild_free_list`](Self::rebuild_free_list) or [`list_as`](Self::list_as).
    pub(super) fn load_vacant(&mut self, data: &mut [u64], index: u32, vacancy: super::Vacancy) {
        let (word, bit) = split(index);
        self.bits.add_vacant(data, word, bit);
        if vacancy != super::Vacancy::Free {
            self.bits.add_held(data, word, bit);
            self.census.free_to_pending(1);
        }
        if vacancy == super::Vacancy::Retired {
            self.census.pending_to_retired();
        }
    }
}
