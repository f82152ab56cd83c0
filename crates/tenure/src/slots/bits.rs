//! Bits about words of 64 slots, in one allocation.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Which slots are vacant, and which words have holes that can be used.
///
/// ```text
/// data: | vacant: a bit per slot | holes: a bit per word | upper: a bit per u64 of holes |
///         words                    words / 64              words / 4,096
/// ```
///
/// The lowest word with holes is found by looking at one `u64` per 262,144 slots.
///
/// - D1: `data` is as long as the three parts are for `words` words.
/// - D2: `count` is the number of bits in `vacant`, and `holes` that of the bits in its part.
/// - D3: a bit of `upper` is set exactly when its `u64` of `holes` is not 0.
#[derive(Debug)]
pub(super) struct Bits {
    data: Vec<u64>,
    words: u32,
    count: u32,
    holes: u32,
}

/// The word of a slot and its bit there; also the place of a word and its bit in the set of words with holes.
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

/// How long the three parts are for so many words.
const fn lengths(words: usize) -> [usize; 3] {
    let holes = words.div_ceil(64);
    [words, holes, holes.div_ceil(64)]
}

/// Copies what both have, and clears the rest.
fn copy(to: &mut [u64], from: &[u64]) {
    let shared = to.len().min(from.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

impl Bits {
    pub(super) const EMPTY: Self = Self { data: Vec::new(), words: 0, count: 0, holes: 0 };

    /// How many words there are bits for.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words as usize
    }

    /// Heap memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.data.capacity() * size_of::<u64>()
    }

    /// The three parts.
    fn parts(&self) -> [&[u64]; 3] {
        let [vacant, holes, _] = lengths(self.words());
        let (vacant, rest) = self.data.split_at(vacant);
        let (holes, upper) = rest.split_at(holes);
        [vacant, holes, upper]
    }

    fn parts_mut(&mut self) -> [&mut [u64]; 3] {
        let [vacant, holes, _] = lengths(self.words());
        let (vacant, rest) = self.data.split_at_mut(vacant);
        let (holes, upper) = rest.split_at_mut(holes);
        [vacant, holes, upper]
    }

    /// Bits for at least so many words.
    pub(super) fn cover(&mut self, words: usize) -> Result<(), TryReserveError> {
        if words > self.words() { self.resize(words) } else { Ok(()) }
    }

    /// Bits for exactly so many words. Those that are cut off are 0.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn resize(&mut self, words: usize) -> Result<(), TryReserveError> {
        let mut resized = Self { words: words as u32, count: self.count, ..Self::EMPTY };
        let length = lengths(words).iter().sum();
        resized.data.try_reserve_exact(length)?;
        resized.data.resize(length, 0);
        copy(resized.parts_mut()[0], self.parts()[0]);
        resized.copy_holes(self);
        *self = resized;
        Ok(())
    }

    /// As few bits as so many words need, if there is memory for the smaller copy.
    pub(super) fn shrink_to(&mut self, words: usize) {
        if words < self.words() {
            // Without memory it stays as it is, which is good too.
            let _ = self.resize(words);
        }
    }

    /// Takes over the set of words with holes, for which there is room.
    pub(super) fn copy_holes(&mut self, original: &Self) {
        let [_, holes, upper] = self.parts_mut();
        let [_, original_holes, original_upper] = original.parts();
        copy(holes, original_holes);
        copy(upper, original_upper);
        self.holes = original.holes;
    }

    // ---- vacant slots ----

    /// How many bits are set.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The first `count` words of the bits of vacant slots.
    #[inline]
    pub(super) fn vacant_words(&self, count: u32) -> &[u64] {
        self.data.get(..count as usize).unwrap_or_default()
    }

    #[inline]
    pub(super) fn vacant(&self, word: u32) -> u64 {
        if word < self.words { self.data.get(word as usize).copied().unwrap_or(0) } else { 0 }
    }

    /// Sets one bit that is not set, and gives the word as it was before.
    #[inline]
    pub(super) fn add_one(&mut self, word: u32, bit: u64) -> u64 {
        self.count += 1;
        let vacant = self.vacant_mut(word);
        core::mem::replace(vacant, *vacant | bit)
    }

    /// Clears one bit that is set.
    #[inline]
    pub(super) fn remove_one(&mut self, word: u32, bit: u64) {
        *self.vacant_mut(word) &= !bit;
        self.count -= 1;
    }

    /// Sets bits that are not set.
    pub(super) fn add(&mut self, word: u32, bits: u64) {
        *self.vacant_mut(word) |= bits;
        self.count += bits.count_ones();
    }

    /// Clears bits that are set.
    pub(super) fn remove(&mut self, word: u32, bits: u64) {
        *self.vacant_mut(word) &= !bits;
        self.count -= bits.count_ones();
    }

    #[inline]
    fn vacant_mut(&mut self, word: u32) -> &mut u64 {
        debug_assert!(word < self.words, "D1: there are no bits for this word");
        &mut self.data[word as usize]
    }

    // ---- words with holes ----

    #[inline]
    pub(super) fn has_holes(&self) -> bool {
        self.holes != 0
    }

    pub(super) fn has_hole(&self, word: u32) -> bool {
        let (place, bit) = split(word);
        let [_, holes, _] = self.parts();
        holes.get(place as usize).is_some_and(|bits| bits & bit != 0)
    }

    pub(super) fn add_hole(&mut self, word: u32) {
        let (place, bit) = split(word);
        let [_, holes, upper] = self.parts_mut();
        let older = holes[place as usize];
        holes[place as usize] = older | bit;
        let (upper_place, upper_bit) = split(place);
        upper[upper_place as usize] |= upper_bit;
        self.holes += u32::from(older & bit == 0);
    }

    pub(super) fn remove_hole(&mut self, word: u32) {
        let (place, bit) = split(word);
        let [_, holes, upper] = self.parts_mut();
        let older = holes[place as usize];
        holes[place as usize] = older & !bit;
        if older & !bit == 0 {
            let (upper_place, upper_bit) = split(place);
            upper[upper_place as usize] &= !upper_bit;
        }
        self.holes -= u32::from(older & bit != 0);
    }

    pub(super) fn clear_holes(&mut self) {
        let [_, holes, upper] = self.parts_mut();
        holes.fill(0);
        upper.fill(0);
        self.holes = 0;
    }

    /// Takes the lowest word with holes out of the set.
    pub(super) fn pop_lowest_hole(&mut self) -> Option<u32> {
        let [_, holes, upper] = self.parts();
        let (place, bits) = (0..).zip(upper).find(|(_, bits)| **bits != 0)?;
        let place: u32 = place * 64 + bits.trailing_zeros();
        let word = place * 64 + holes[place as usize].trailing_zeros();
        self.remove_hole(word);
        Some(word)
    }

    /// Says what is wrong with the bits themselves.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let [vacant, holes, upper] = self.parts();
        let count = |words: &[u64]| words.iter().map(|bits| bits.count_ones()).sum::<u32>();
        let in_upper =
            |place: u32| upper.get((place / 64) as usize).is_some_and(|bits| bits >> (place % 64) & 1 == 1);
        let places = u32::try_from(64 * upper.len()).unwrap_or(u32::MAX);
        let used = |place: u32| holes.get(place as usize).is_some_and(|bits| *bits != 0);
        if [vacant.len(), holes.len(), upper.len()] != lengths(self.words()) {
            Some("D1: the parts have other lengths than they should")
        } else if count(vacant) != self.count || count(holes) != self.holes {
            Some("D2: the bits are not as many as counted")
        } else if (0..places).any(|place| in_upper(place) != used(place)) {
            Some("D3: the upper bits are not those of the words with holes")
        } else {
            None
        }
    }
}
