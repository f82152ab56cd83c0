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
/// A *word* is 64 neighbouring slots. The slot freed last is the `newest` and is used again first, because its
/// memory is warm: one removal and one insertion touch no bit set at all. All other free slots are bits in their
/// word. One word is *open*: it is filled from its lowest hole upwards, and then the lowest word with holes is
/// opened. So a pool that was emptied at random is filled again in the order of its addresses, and what lives
/// gathers at the low end.
///
/// ```text
/// newest: 130      open word 2: .11.1.      words with holes: 0, 5
/// next:   130, then 2·64+1, 2·64+2, 2·64+4, then those of word 0, then those of word 5
/// ```
///
/// - F1: a slot is listed at most once: as `newest`, or as a bit of its word in the engine's `vacant`. `newest` has no
///   bit there.
/// - F2: `open` are the free slots of `open_word`. When it is 0, no word is open and no free slot has a bit.
/// - F3: a word is in `holes` exactly when it has a free slot with a bit, and is not open.
#[derive(Debug)]
pub(super) struct Free {
    pub(super) newest: u32,
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
    pub(super) const EMPTY: Self = Self { newest: NONE, open_word: 0, open: 0, holes: Summary::EMPTY };

    /// Says that these free slots of a word have bits now.
    #[inline]
    fn list(&mut self, word: u32, bits: u64) {
        if self.open_word == word || self.open == 0 {
            self.open_word = word;
            self.open |= bits;
        } else {
            self.holes.set(word);
        }
    }

    /// Forgets all free slots.
    fn clear(&mut self) {
        self.newest = NONE;
        self.open = 0;
        self.holes.clear_all();
    }

    /// Becomes a copy of `other`, reusing memory. There is room for it.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.newest = other.newest;
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
    words: Vec<u64>,
    /// Bit `i` is set exactly when `words[i]` is not 0.
    upper: Vec<u64>,
}

impl Summary {
    const EMPTY: Self = Self { words: Vec::new(), upper: Vec::new() };

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

    #[inline]
    fn set(&mut self, word: u32) {
        let (place, bit) = split(word);
        if let Some(bits) = self.words.get_mut(place as usize) {
            let first = *bits == 0;
            *bits |= bit;
            if first {
                let (place, bit) = split(place);
                self.upper[place as usize] |= bit;
            }
        }
    }

    fn clear(&mut self, word: u32) {
        let (place, bit) = split(word);
        if let Some(bits) = self.words.get_mut(place as usize) {
            *bits &= !bit;
            if *bits == 0 {
                let (place, bit) = split(place);
                self.upper[place as usize] &= !bit;
            }
        }
    }

    fn contains(&self, word: u32) -> bool {
        let (place, bit) = split(word);
        self.words.get(place as usize).is_some_and(|bits| bits & bit != 0)
    }

    fn clear_all(&mut self) {
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
        set == used && (0..).zip(&self.words).all(|(place, bits)| (*bits != 0) == in_upper(place))
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Whether some vacant slots are not free.
    #[inline]
    fn holds_any(&self) -> bool {
        self.pending + self.retired != 0
    }

    /// Lists a slot that has no bit in `vacant`. It is the next one to be used.
    #[inline]
    pub(super) fn free(&mut self, index: u32) {
        let older = core::mem::replace(&mut self.free.newest, index);
        if older != NONE {
            self.free_later(older);
        }
    }

    /// Lists a slot that has no bit in `vacant`, behind the newest one.
    #[inline]
    fn free_later(&mut self, index: u32) {
        let (word, bit) = split(index);
        let vacant = self.vacant_word(word);
        let older = *vacant;
        *vacant = older | bit;
        self.vacant_count += 1;
        // A word with a hole is listed already (F3), unless its vacant slots are all pending or retired.
        if older == 0 || self.holds_any() {
            self.free.list(word, bit);
        } else if word == self.free.open_word {
            self.free.open |= bit;
        }
    }

    /// As [`free`](Self::free), for a slot that has a bit in `vacant`.
    pub(super) fn free_held(&mut self, index: u32) {
        self.set_live(index);
        self.free(index);
    }

    /// Lists slots of a word that have bits in `vacant`.
    #[inline]
    pub(super) fn list(&mut self, word: u32, bits: u64) {
        self.free.list(word, bits);
    }

    /// The newest free slot becomes an ordinary one: from then on `vacant` has a bit for every vacant slot.
    pub(super) fn settle_newest(&mut self) {
        let newest = core::mem::replace(&mut self.free.newest, NONE);
        if newest != NONE {
            self.free_later(newest);
        }
    }

    /// Uses the lowest hole of the open word.
    #[inline]
    pub(super) fn use_hole(&mut self, index: u32) {
        self.set_live(index);
        self.free.open &= self.free.open.wrapping_sub(1);
        if self.free.open == 0 {
            self.open_next();
        }
    }

    /// Opens the lowest word that has holes, if there is one.
    #[cold]
    #[inline(never)]
    fn open_next(&mut self) {
        if let Some(word) = self.free.holes.pop_lowest() {
            self.free.open_word = word;
            self.free.open = self.free_bits(word);
        }
    }

    /// Uses one particular free slot. Afterwards it has no bit in `vacant`.
    pub(super) fn use_free(&mut self, index: u32) {
        if self.free.newest == index {
            self.free.newest = NONE;
            return;
        }
        let (word, bit) = split(index);
        self.set_live(index);
        if self.free.open != 0 && self.free.open_word == word {
            self.free.open &= !bit;
            if self.free.open == 0 {
                self.open_next();
            }
        } else if self.free_bits(word) & !bit == 0 {
            self.free.holes.clear(word);
        }
    }

    /// Which slots of a word are free and have a bit. Unless slots are pending or retired, all vacant ones are.
    fn free_bits(&self, word: u32) -> u64 {
        let vacant = self.vacant.get(word as usize).copied().unwrap_or(0);
        if !self.holds_any() {
            return vacant;
        }
        let is_free = |bit: &u32| self.state(word * 64 + bit).1 == Some(Vacancy::Free);
        (0..64).filter(|bit| vacant >> bit & 1 == 1).filter(is_free).fold(0, |bits, bit| bits | 1 << bit)
    }

    /// Makes the free list anew from what the slots say. `vacant` has a bit for every vacant slot. The lowest free slot
    /// is used first.
    pub(super) fn list_anew(&mut self) {
        self.free.clear();
        for word in 0..self.word_count() {
            let bits = self.free_bits(word);
            if bits != 0 {
                self.free.list(word, bits);
            }
        }
    }

    /// Whether a slot is listed.
    pub(super) fn lists(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        let open = self.free.open != 0 && self.free.open_word == word;
        let in_word = if open { self.free.open & bit != 0 } else { self.free.holes.contains(word) };
        let has_bit = self.vacant.get(word as usize).is_some_and(|vacant| vacant & bit != 0);
        self.free.newest == index || (in_word && has_bit && self.state(index).1 == Some(Vacancy::Free))
    }

    /// Says what is wrong with the free list itself.
    pub(super) fn free_fault(&self) -> Option<&'static str> {
        let (word, bit) = split(self.free.newest);
        let newest_again = self.vacant.get(word as usize).is_some_and(|vacant| vacant & bit != 0);
        let open = (self.free.open != 0).then_some(self.free.open_word);
        let listed = |word: u32| Some(word) != open && self.free_bits(word) != 0;
        if self.free.newest != NONE && newest_again {
            Some("F1: the newest free slot has a bit")
        } else if open.is_some_and(|word| self.free.open != self.free_bits(word)) {
            Some("F2: the open bits are not the free slots of the open word")
        } else if (0..self.word_count()).any(|word| self.free.holes.contains(word) != listed(word)) {
            Some("F3: the words with holes are not those that are listed")
        } else if open.is_none() && self.free.holes.upper.iter().any(|bits| *bits != 0) {
            Some("F2: no word is open, though there are holes")
        } else if !self.free.holes.is_sound() {
            Some("F3: the summary of the words with holes is wrong")
        } else {
            None
        }
    }
}
