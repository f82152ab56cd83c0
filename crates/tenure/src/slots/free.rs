//! Which slots are free, and in which order they are used again.
//!
//! Nothing here allocates but [`Summary::cover`], which growing calls: freeing a slot always succeeds.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::Slots;
use super::buffer::Buffer;
use super::slot::Vacancy;
use crate::layout::Layout;

/// What an engine knows about its free slots, beside the bit set of vacant ones.
///
/// The slot freed last is the `next` one to be used: its memory is warm, and one removal and one insertion touch no
/// bit set. The others are bits of words (a *word* is 64 neighbouring slots). One word is *open*: its holes are used
/// from the lowest upwards. Then the lowest word with holes is opened. So a pool that was emptied at random is filled
/// again in the order of its addresses, and what lives gathers at the low end.
///
/// ```text
/// next: 130      open word 2: .11.1.      words with holes: 0, 5
/// order of use: 130, then 2·64+1, 2·64+2, 2·64+4, then those of word 0, then those of word 5
/// ```
///
/// - F1: a free slot is listed once: as `next`, as a bit of `open`, or as a bit of its word in the engine's `vacant`.
/// - F2: all free slots of `open_word` but the next one are in `open`. When it is 0, no slot but the next one is free;
///   when `next` is `NONE`, no slot is.
/// - F3: a word is in `holes` exactly when it has a free slot with a bit in `vacant`.
#[derive(Debug)]
pub(super) struct Free {
    pub(super) next: u32,
    pub(super) open_word: u32,
    pub(super) open: u64,
    pub(super) holes: Summary,
}

/// No slot has this index.
pub(super) const NONE: u32 = u32::MAX;

/// The word of a slot, and its bit there.
#[inline]
pub(super) const fn split(index: u32) -> (u32, u64) {
    (index / 64, 1 << (index % 64))
}

/// The bits of the slots of a word whose index is below `end`.
#[inline]
pub(super) fn below(end: u32, word: u32) -> u64 {
    match end.saturating_sub(word.saturating_mul(64)) {
        0 => 0,
        count => u64::MAX >> 64_u32.saturating_sub(count),
    }
}

impl Free {
    pub(super) const EMPTY: Self = Self { next: NONE, open_word: 0, open: 0, holes: Summary::EMPTY };

    /// The slots of a word that are free and have no bit in `vacant`.
    #[inline]
    pub(super) fn unmarked(&self, word: u32) -> u64 {
        let (next_word, next) = split(self.next);
        let open = if word == self.open_word { self.open } else { 0 };
        open | if word == next_word { next } else { 0 }
    }

    /// How many slots are free and have no bit in `vacant`.
    #[inline]
    pub(super) fn unmarked_count(&self) -> u32 {
        self.open.count_ones() + u32::from(self.next != NONE)
    }

    /// Becomes a copy of `other`, reusing memory. There is room for it.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.next = other.next;
        self.open_word = other.open_word;
        self.open = other.open;
        self.holes.copy_from(&other.holes);
    }
}

/// A set of words: a bit for each, and a bit for each 64 of these.
///
/// The lowest member is found by looking at one `u64` per 262,144 slots.
#[derive(Debug)]
pub(super) struct Summary {
    count: u32,
    words: Vec<u64>,
    /// Bit `i` is set exactly when `words[i]` is not 0.
    upper: Vec<u64>,
}

impl Summary {
    const EMPTY: Self = Self { count: 0, words: Vec::new(), upper: Vec::new() };

    #[inline]
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Makes room for the words below `count`.
    pub(super) fn cover(&mut self, count: usize) -> Result<(), TryReserveError> {
        let words = count.div_ceil(64);
        let upper = words.div_ceil(64);
        self.words.try_reserve_exact(words.saturating_sub(self.words.len()))?;
        self.upper.try_reserve_exact(upper.saturating_sub(self.upper.len()))?;
        self.words.resize(words.max(self.words.len()), 0);
        self.upper.resize(upper.max(self.upper.len()), 0);
        Ok(())
    }

    fn set(&mut self, word: u32) {
        let (place, bit) = split(word);
        let bits = &mut self.words[place as usize];
        self.count += u32::from(*bits & bit == 0);
        *bits |= bit;
        let (place, bit) = split(place);
        self.upper[place as usize] |= bit;
    }

    fn clear(&mut self, word: u32) {
        let (place, bit) = split(word);
        let bits = &mut self.words[place as usize];
        self.count -= u32::from(*bits & bit != 0);
        *bits &= !bit;
        if *bits == 0 {
            let (place, bit) = split(place);
            self.upper[place as usize] &= !bit;
        }
    }

    fn contains(&self, word: u32) -> bool {
        let (place, bit) = split(word);
        self.words.get(place as usize).is_some_and(|bits| bits & bit != 0)
    }

    fn clear_all(&mut self) {
        self.count = 0;
        self.words.fill(0);
        self.upper.fill(0);
    }

    /// The lowest member, taken out.
    fn pop_lowest(&mut self) -> Option<u32> {
        let (upper, bits) = (0..).zip(&self.upper).find(|(_, bits)| **bits != 0)?;
        let place: u32 = upper * 64 + bits.trailing_zeros();
        let word = place * 64 + self.words[place as usize].trailing_zeros();
        self.clear(word);
        Some(word)
    }

    /// There is room for what `other` holds.
    fn copy_from(&mut self, other: &Self) {
        self.clear_all();
        self.count = other.count;
        let (words, upper) = (self.words.len().min(other.words.len()), self.upper.len().min(other.upper.len()));
        self.words[..words].copy_from_slice(&other.words[..words]);
        self.upper[..upper].copy_from_slice(&other.upper[..upper]);
    }

    pub(super) fn shrink_to(&mut self, count: usize) {
        let words = count.div_ceil(64);
        self.words.truncate(words);
        self.words.shrink_to_fit();
        self.upper.truncate(words.div_ceil(64));
        self.upper.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        (self.words.capacity() + self.upper.capacity()) * size_of::<u64>()
    }

    /// Whether the upper bits say what they should.
    fn is_sound(&self) -> bool {
        let in_upper =
            |place: u32| self.upper.get((place / 64) as usize).is_some_and(|bits| bits >> (place % 64) & 1 == 1);
        let set = self.upper.iter().map(|bits| bits.count_ones() as usize).sum::<usize>();
        let used = self.words.iter().filter(|bits| **bits != 0).count();
        let count = self.words.iter().map(|bits| bits.count_ones()).sum::<u32>();
        set == used
            && count == self.count
            && (0..).zip(&self.words).all(|(place, bits)| (*bits != 0) == in_upper(place))
    }
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
        let older = core::mem::replace(&mut self.free.next, index);
        if older != NONE {
            self.free_later(older);
        }
    }

    /// Lists a slot that becomes free, behind the next one.
    #[inline]
    fn free_later(&mut self, index: u32) {
        let (word, bit) = split(index);
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bit;
            return;
        }
        let vacant = self.vacant_word(word);
        let older = *vacant;
        *vacant = older | bit;
        self.vacant_count += 1;
        // A word with a bit is listed already (F3), unless all its vacant slots are pending or retired.
        if older == 0 || self.holds_any() {
            self.free.holes.set(word);
        }
    }

    /// Lists slots of one word that become free.
    pub(super) fn free_many(&mut self, word: u32, bits: u64) {
        if self.free.open_word == word || self.free.open == 0 {
            self.free.open_word = word;
            self.free.open |= bits;
        } else {
            *self.vacant_word(word) |= bits;
            self.vacant_count += bits.count_ones();
            self.free.holes.set(word);
        }
        if self.free.next == NONE {
            self.use_next();
        }
    }

    /// The next slot has been used: the lowest hole of the open word takes its place.
    #[inline]
    pub(super) fn use_next(&mut self) {
        if self.free.open == 0 {
            self.free.next = NONE;
            return;
        }
        self.free.next = self.free.open_word * 64 + self.free.open.trailing_zeros();
        self.free.open &= self.free.open - 1;
        if self.free.open == 0 && !self.free.holes.is_empty() {
            self.open_next();
        }
    }

    /// Opens the lowest word that has holes, if there is one.
    #[cold]
    #[inline(never)]
    fn open_next(&mut self) {
        if let Some(word) = self.free.holes.pop_lowest() {
            let bits = self.free_bits(word);
            *self.vacant_word(word) &= !bits;
            self.vacant_count -= bits.count_ones();
            self.free.open_word = word;
            self.free.open = bits;
        }
    }

    /// Uses one particular free slot.
    pub(super) fn use_free(&mut self, index: u32) {
        let (word, bit) = split(index);
        if self.free.next == index {
            self.use_next();
        } else if self.free.unmarked(word) & bit != 0 {
            self.free.open &= !bit;
            if self.free.open == 0 {
                self.open_next();
            }
        } else {
            self.unhold(index);
            if self.free_bits(word) == 0 {
                self.free.holes.clear(word);
            }
        }
    }

    /// Which slots of a word are free and have a bit. Unless slots are pending or retired, all with a bit are.
    fn free_bits(&self, word: u32) -> u64 {
        let vacant = self.vacant.get(word as usize).copied().unwrap_or(0);
        if !self.holds_any() {
            return vacant;
        }
        let is_free = |bit: &u32| self.state(word * 64 + bit).1 == Some(Vacancy::Free);
        (0..64).filter(|bit| vacant >> bit & 1 == 1).filter(is_free).fold(0, |bits, bit| bits | 1 << bit)
    }

    /// Forgets what is listed. From then on `vacant` has a bit for every vacant slot, until
    /// [`list_anew`](Self::list_anew).
    pub(super) fn unlist(&mut self) {
        let next = core::mem::replace(&mut self.free.next, NONE);
        if next != NONE {
            self.hold(next);
        }
        let open = core::mem::take(&mut self.free.open);
        if open != 0 {
            *self.vacant_word(self.free.open_word) |= open;
            self.vacant_count += open.count_ones();
        }
        self.free.holes.clear_all();
    }

    /// Makes the free list anew from what the slots say: the lowest free slot is used first.
    pub(super) fn list_anew(&mut self) {
        self.unlist();
        for word in 0..self.word_count() {
            if self.free_bits(word) != 0 {
                self.free.holes.set(word);
            }
        }
        self.open_next();
        self.use_next();
    }

    /// Whether a slot is listed.
    pub(super) fn lists(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        let in_holes = self.free.holes.contains(word) && self.free_bits(word) & bit != 0;
        self.free.unmarked(word) & bit != 0 || in_holes
    }

    /// Says what is wrong with the free list itself.
    pub(super) fn free_fault(&self) -> Option<&'static str> {
        let open = self.free.open;
        let marked = |word: u32| self.vacant.get(word as usize).copied().unwrap_or(0) | !self.existing_bits(word);
        let (next_word, next) = split(self.free.next);
        let next = if self.free.next == NONE { 0 } else { next };
        let next_open = if next_word == self.free.open_word { next & open } else { 0 };
        if (next & marked(next_word)) | next_open != 0 || open != 0 && open & marked(self.free.open_word) != 0 {
            Some("F1: a free slot is listed twice, or does not exist")
        } else if open != 0 && self.free_bits(self.free.open_word) != 0 {
            Some("F2: a free slot of the open word is not open")
        } else if (open == 0 && !self.free.holes.is_empty()) || (next == 0 && open != 0) {
            Some("F2: there are holes, and none is next or open")
        } else if (0..self.word_count()).any(|word| self.free.holes.contains(word) != (self.free_bits(word) != 0)) {
            Some("F3: the words with holes are not those that are listed")
        } else if !self.free.holes.is_sound() {
            Some("F3: the summary of the words with holes is wrong")
        } else {
            None
        }
    }
}
