//! Bits about words of 64 slots. The memory for them is the buffer's.

use core::ops::Range;

/// Which slots are vacant, which words have holes that can be used, and which words have no live slot.
///
/// ```text
/// data: | vacant: a bit per slot | holes: a bit per word | upper: a bit per u64 of holes | empty: a bit per word |
///         words                    words / 64              words / 4,096                   words / 64
/// ```
///
/// The lowest word with holes is found by looking at one `u64` per 262,144 slots; walks step over 4,096 slots
/// at a time where nothing lives.
///
/// - D1: `data` is at least as long as the four parts are for `words` words.
/// - D2: `holes` is the number of bits in its part.
/// - D3: a bit of `upper` is set exactly when its `u64` of `holes` is not 0.
/// - D4: a bit of `empty` is set exactly when all bits of that word of `vacant` are.
#[derive(Debug)]
pub(super) struct Bits {
    words: u32,
    holes: u32,
}

/// The word of a slot and its bit there; also the place of a word and its bit in a set of words.
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

/// How long the four parts are for so many words.
const fn lengths(words: usize) -> [usize; 4] {
    let holes = words.div_ceil(64);
    [words, holes, holes.div_ceil(64), holes]
}

/// How many `u64`s the bits for so many words take.
pub(super) const fn needed(words: usize) -> usize {
    let [vacant, holes, upper, empty] = lengths(words);
    vacant + holes + upper + empty
}

/// Where the four parts are.
fn ranges(words: usize) -> [Range<usize>; 4] {
    let mut start = 0;
    lengths(words).map(|length| {
        start += length;
        start - length..start
    })
}

fn parts(words: u32, data: &[u64]) -> [&[u64]; 4] {
    ranges(words as usize).map(|range| &data[range])
}

fn parts_mut(words: u32, data: &mut [u64]) -> [&mut [u64]; 4] {
    let [vacant, holes, upper, empty] = lengths(words as usize);
    let (first, data) = data.split_at_mut(vacant);
    let (second, data) = data.split_at_mut(holes);
    let (third, data) = data.split_at_mut(upper);
    [first, second, third, &mut data[..empty]]
}

/// Copies what both have, and clears the rest.
fn copy(to: &mut [u64], from: &[u64]) {
    let shared = to.len().min(from.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// Adds a word to a set of words, and says whether it is new there.
fn add_word(set: &mut [u64], word: u32) -> bool {
    let (place, bit) = split(word);
    let older = set[place as usize];
    set[place as usize] = older | bit;
    older & bit == 0
}

/// Takes a word out of a set of words. Says whether it was there, and whether its `u64` is 0 now.
fn remove_word(set: &mut [u64], word: u32) -> (bool, bool) {
    let (place, bit) = split(word);
    let older = set[place as usize];
    set[place as usize] = older & !bit;
    (older & bit != 0, older & !bit == 0)
}

impl Bits {
    pub(super) const EMPTY: Self = Self { words: 0, holes: 0 };

    /// How many words there are bits for.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words as usize
    }

    /// Moves the parts to where they are for more words. What is new in `data` is 0.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    pub(super) fn grow(&mut self, data: &mut [u64], words: usize) {
        let (old, new) = (ranges(self.words()), ranges(words));
        // The last part first: nothing is overwritten that has not been moved.
        for (old, new) in old.into_iter().zip(new).rev() {
            let length = old.len();
            data.copy_within(old, new.start);
            data[new.start + length..new.end].fill(0);
        }
        self.words = words as u32;
    }

    /// Moves the parts to where they are for fewer words. What is cut off is 0.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    pub(super) fn shrink(&mut self, data: &mut [u64], words: usize) {
        for (old, new) in ranges(self.words()).into_iter().zip(ranges(words)) {
            data.copy_within(old.start..old.start + new.len(), new.start);
        }
        self.words = words as u32;
    }

    /// Takes over the set of words with holes, for which there is room.
    pub(super) fn copy_holes(&mut self, data: &mut [u64], original: &Self, original_data: &[u64]) {
        let [_, holes, upper, _] = parts_mut(self.words, data);
        let [_, original_holes, original_upper, _] = parts(original.words, original_data);
        copy(holes, original_holes);
        copy(upper, original_upper);
        self.holes = original.holes;
    }

    // ---- vacant slots ----

    /// The bits of vacant slots in a word.
    #[inline]
    pub(super) fn vacant(&self, data: &[u64], word: u32) -> u64 {
        if word < self.words { data.get(word as usize).copied().unwrap_or(0) } else { 0 }
    }

    /// Sets bits that are not set, and gives the word before and after. The caller sees to D4.
    #[inline]
    pub(super) fn set(&self, data: &mut [u64], word: u32, bits: u64) -> (u64, u64) {
        debug_assert!(word < self.words, "D1: there are no bits for this word");
        let vacant = &mut data[word as usize];
        let older = *vacant;
        *vacant |= bits;
        (older, *vacant)
    }

    /// Sets bits that are not set.
    #[inline]
    pub(super) fn add(&self, data: &mut [u64], word: u32, bits: u64) {
        let (_, newer) = self.set(data, word, bits);
        self.note_empty(data, word, newer);
    }

    /// Clears bits that are set.
    #[inline]
    pub(super) fn remove(&self, data: &mut [u64], word: u32, bits: u64) {
        let vacant = &mut data[word as usize];
        let older = *vacant;
        *vacant = older & !bits;
        if older == u64::MAX {
            self.remove_empty(data, word);
        }
    }

    // ---- words without a live slot ----

    /// After bits of a word were set: these are its bits now.
    #[inline]
    pub(super) fn note_empty(&self, data: &mut [u64], word: u32, vacant: u64) {
        if vacant == u64::MAX {
            let [_, _, _, empty] = parts_mut(self.words, data);
            add_word(empty, word);
        }
    }

    #[cold]
    #[inline(never)]
    fn remove_empty(&self, data: &mut [u64], word: u32) {
        let [_, _, _, empty] = parts_mut(self.words, data);
        remove_word(empty, word);
    }

    /// Where the set of words without a live slot is.
    #[inline]
    pub(super) fn empty_range(&self) -> Range<usize> {
        let [_, _, _, empty] = ranges(self.words());
        empty
    }

    // ---- words with holes ----

    #[inline]
    pub(super) fn has_holes(&self) -> bool {
        self.holes != 0
    }

    pub(super) fn has_hole(&self, data: &[u64], word: u32) -> bool {
        let (place, bit) = split(word);
        let [_, holes, _, _] = parts(self.words, data);
        holes.get(place as usize).is_some_and(|bits| bits & bit != 0)
    }

    pub(super) fn add_hole(&mut self, data: &mut [u64], word: u32) {
        let [_, holes, upper, _] = parts_mut(self.words, data);
        self.holes += u32::from(add_word(holes, word));
        add_word(upper, word / 64);
    }

    pub(super) fn remove_hole(&mut self, data: &mut [u64], word: u32) {
        let [_, holes, upper, _] = parts_mut(self.words, data);
        let (was_there, is_zero) = remove_word(holes, word);
        self.holes -= u32::from(was_there);
        if is_zero {
            remove_word(upper, word / 64);
        }
    }

    pub(super) fn clear_holes(&mut self, data: &mut [u64]) {
        let [_, holes, upper, _] = parts_mut(self.words, data);
        holes.fill(0);
        upper.fill(0);
        self.holes = 0;
    }

    /// Takes the lowest word with holes out of the set.
    pub(super) fn pop_lowest_hole(&mut self, data: &mut [u64]) -> Option<u32> {
        let [_, holes, upper, _] = parts(self.words, data);
        let (place, bits) = (0..).zip(upper).find(|(_, bits)| **bits != 0)?;
        let place: u32 = place * 64 + bits.trailing_zeros();
        let word = place * 64 + holes[place as usize].trailing_zeros();
        self.remove_hole(data, word);
        Some(word)
    }

    /// Says what is wrong with the bits themselves.
    pub(super) fn fault(&self, data: &[u64]) -> Option<&'static str> {
        if data.len() < needed(self.words()) {
            return Some("D1: there is less memory than the parts need");
        }
        let [vacant, holes, upper, empty] = parts(self.words, data);
        let is_in = |set: &[u64], word: usize| set[word / 64] >> (word % 64) & 1 == 1;
        if holes.iter().map(|bits| bits.count_ones()).sum::<u32>() != self.holes {
            Some("D2: the words with holes are not as many as counted")
        } else if (0..holes.len()).any(|place| is_in(upper, place) != (holes[place] != 0)) {
            Some("D3: the upper bits are not those of the words with holes")
        } else if (0..vacant.len()).any(|word| is_in(empty, word) != (vacant[word] == u64::MAX)) {
            Some("D4: the words without a live slot are not those in their set")
        } else {
            None
        }
    }
}
