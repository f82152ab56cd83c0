//! Bits about slots, in words of 64 slots. The buffer owns their memory.
#![allow(unsafe_code, reason = "looks ahead for iterators, which hold a pointer")]

use core::ops::Range;
use core::ptr::NonNull;

/// The location of the parts of the bit data: which slots are vacant, which of those are held,
/// which words have holes that can be used, and which words have no live slot.
///
/// ```text
/// data: | empty: a bit per word | vacant: a bit per slot | held: a bit per slot | holes: a bit per word | upper: a bit per u64 of holes |
///         words / 64, backwards,  words                    words                  words / 64              words / 4,096
///         and room for more
/// ```
///
/// The lowest word with holes is found by reading one `u64` per 262,144 slots. Iterators skip 4,096
/// slots at a time where no slot is live: `empty` runs backwards from the start of `vacant`, so
/// that one pointer locates both.
///
/// - D1: `data` is at least as long as the five parts are for `words` words; `vacant` starts at
///   `first`.
/// - D2: `holes` is the number of bits that are set in its part.
/// - D3: for every `u64` of `holes`: its bit of `upper` is set exactly when it is not 0.
/// - D4: for every word: its bit of `empty` is set exactly when all bits of that word of `vacant`
///   are set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    words: u32,
    holes: u32,
    first: u32,
}

/// Returns the word of a slot and its bit there; also the `u64` of a word and its bit in a set of
/// words.
#[inline(always)]
pub(crate) const fn split(index: u32) -> (u32, u64) {
    (index / 64, 1 << (index % 64))
}

/// Returns the bits of the slots of a word whose index is below `end`.
#[inline]
pub(crate) fn below(end: u32, word: u32) -> u64 {
    match end.saturating_sub(word.saturating_mul(64)) {
        0 => 0,
        count => u64::MAX >> 64_u32.saturating_sub(count),
    }
}

/// Returns the lengths of the five parts for `words` words.
#[inline]
const fn lengths(words: usize) -> [usize; 5] {
    let set = words.div_ceil(64);
    // The start of `vacant` changes only when the number of words doubles, so that it is not moved
    // at every growth.
    let empty = if set == 0 { 0 } else { set.next_power_of_two() };
    [empty, words, words, set, set.div_ceil(64)]
}

/// Returns the number of `u64`s that the bits for `words` words take.
pub(super) const fn needed(words: usize) -> usize {
    let [empty, vacant, held, holes, upper] = lengths(words);
    empty + vacant + held + holes + upper
}

/// Returns the ranges of the five parts.
fn ranges(words: usize) -> [Range<usize>; 5] {
    let mut start = 0;
    lengths(words).map(|length| {
        start += length;
        start - length..start
    })
}

/// Moves a range to `start`, unless it is there already.
fn move_to(data: &mut [u64], range: Range<usize>, start: usize) {
    if range.start != start {
        data.copy_within(range, start);
    }
}

/// Copies the part that both have, and clears the rest.
fn copy(to: &mut [u64], from: &[u64]) {
    let shared = to.len().min(from.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// Returns the first word at or after `from` that has a live slot, or `end`. (Out of line, and
/// without the iterator: an iterator whose address is taken cannot stay in registers.)
///
/// # Safety
/// `vacant` points to the first word of the vacant slots, in the data of bits for at least `end`
/// words, and `from < end`.
#[cold]
#[inline(never)]
pub(super) unsafe fn next_used(vacant: NonNull<u64>, from: u32, end: u32) -> u32 {
    let (first, bit) = split(from);
    let mut passed = bit - 1;
    for at in first..end.div_ceil(64) {
        // SAFETY: the offset must be in bounds: by D1 the set of words without a live slot lies
        // before the vacant slots, backwards, and the caller guarantees that it covers `end` words.
        let empty = unsafe { *vacant.as_ptr().sub(1 + at as usize) };
        let used = !(empty | passed);
        if used != 0 {
            return end.min(at * 64 + used.trailing_zeros());
        }
        passed = 0;
    }
    end
}

/// Adds a number to a set of numbers. Returns `true` if it was not there before.
#[inline]
pub(crate) fn add_to(set: &mut [u64], number: u32) -> bool {
    let (at, bit) = split(number);
    let older = set[at as usize];
    set[at as usize] = older | bit;
    older & bit == 0
}

/// Removes a word from a set of words. Returns whether it was in the set, and whether its `u64` is
/// 0 now.
fn remove_word(set: &mut [u64], word: u32) -> (bool, bool) {
    let (at, bit) = split(word);
    let older = set[at as usize];
    set[at as usize] = older & !bit;
    (older & bit != 0, older & !bit == 0)
}

impl Bits {
    pub(super) const EMPTY: Self = Self { words: 0, holes: 0, first: 0 };

    /// Returns the number of words that there are bits for.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words as usize
    }

    /// Moves the parts to their location for more words. New bits are 0.
    pub(super) fn grow(&mut self, data: &mut [u64], words: usize) {
        let (old, new) = (ranges(self.words()), ranges(words));
        // The last part is moved first, so that no part is overwritten before it is moved.
        for part in (1..5).rev() {
            let end = new[part].start + old[part].len();
            move_to(data, old[part].clone(), new[part].start);
            data[end..new[part].end].fill(0);
        }
        let start = new[0].end - old[0].len();
        move_to(data, old[0].clone(), start);
        data[..start].fill(0);
        self.set_words(words);
    }

    /// Moves the parts to their location for fewer words. The bits that are removed are 0.
    pub(super) fn shrink(&mut self, data: &mut [u64], words: usize) {
        let (old, new) = (ranges(self.words()), ranges(words));
        move_to(data, old[0].end - new[0].len()..old[0].end, 0);
        for part in 1..5 {
            move_to(data, old[part].start..old[part].start + new[part].len(), new[part].start);
        }
        self.set_words(words);
    }

    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn set_words(&mut self, words: usize) {
        self.words = words as u32;
        self.first = lengths(words)[0] as u32;
    }

    /// Returns the position of the bits of vacant slots of a word.
    #[inline(always)]
    fn vacant_at(&self, word: u32) -> usize {
        self.first as usize + word as usize
    }

    /// Returns the position of the bits of held slots of a word.
    #[inline(always)]
    fn held_at(&self, word: u32) -> usize {
        self.vacant_at(word) + self.words()
    }

    /// Returns the position of the first bits of vacant slots.
    #[inline(always)]
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    /// Copies the set of words with holes of `original`. There is room for it.
    pub(super) fn copy_holes(&mut self, data: &mut [u64], original: &Self, original_data: &[u64]) {
        let [.., holes, upper] = ranges(original.words());
        let (own_holes, own_upper) = self.holes_mut(data);
        copy(own_holes, &original_data[holes]);
        copy(own_upper, &original_data[upper]);
        self.holes = original.holes;
    }

    // ---- vacant slots ----

    /// Returns the bits of vacant slots in a word.
    #[inline]
    pub(super) fn vacant(&self, data: &[u64], word: u32) -> u64 {
        if word < self.words { data.get(self.vacant_at(word)).copied().unwrap_or(0) } else { 0 }
    }

    /// Sets bits of vacant slots. Returns the word before and after. The caller restores D4.
    #[inline(always)]
    pub(super) fn set_vacant(&self, data: &mut [u64], word: u32, bits: u64) -> (u64, u64) {
        debug_assert!(word < self.words, "D1: there are no bits for this word");
        let vacant = &mut data[self.vacant_at(word)];
        let older = *vacant;
        *vacant |= bits;
        (older, *vacant)
    }

    /// Sets bits of vacant slots.
    #[inline]
    pub(super) fn add_vacant(&self, data: &mut [u64], word: u32, bits: u64) {
        let (_, newer) = self.set_vacant(data, word, bits);
        self.note_empty(data, word, newer);
    }

    /// Clears bits of vacant slots.
    #[inline]
    pub(super) fn remove_vacant(&self, data: &mut [u64], word: u32, bits: u64) {
        let vacant = &mut data[self.vacant_at(word)];
        let older = *vacant;
        *vacant = older & !bits;
        if older == u64::MAX {
            self.remove_empty(data, word);
        }
    }

    // ---- held slots ----

    /// Returns the bits of held slots in a word.
    #[inline(always)]
    pub(super) fn held(&self, data: &[u64], word: u32) -> u64 {
        if word < self.words { data.get(self.held_at(word)).copied().unwrap_or(0) } else { 0 }
    }

    /// Sets bits of held slots.
    #[inline]
    pub(super) fn add_held(&self, data: &mut [u64], word: u32, bits: u64) {
        data[self.held_at(word)] |= bits;
    }

    /// Clears bits of held slots.
    #[inline]
    pub(super) fn remove_held(&self, data: &mut [u64], word: u32, bits: u64) {
        data[self.held_at(word)] &= !bits;
    }

    // ---- words without a live slot ----

    /// Restores D4 after bits of vacant slots were set. `vacant` is the new value of the word.
    #[inline]
    pub(super) fn note_empty(&self, data: &mut [u64], word: u32, vacant: u64) {
        if vacant == u64::MAX {
            let (at, bit) = split(word);
            data[self.first() - 1 - at as usize] |= bit;
        }
    }

    #[cold]
    #[inline(never)]
    fn remove_empty(&self, data: &mut [u64], word: u32) {
        let (at, bit) = split(word);
        data[self.first() - 1 - at as usize] &= !bit;
    }

    // ---- words with holes ----

    /// Returns the words with holes, and their upper bits.
    #[inline]
    fn holes_mut<'a>(&self, data: &'a mut [u64]) -> (&'a mut [u64], &'a mut [u64]) {
        let set = self.words().div_ceil(64);
        let (holes, rest) = data[self.held_at(self.words)..].split_at_mut(set);
        (holes, &mut rest[..set.div_ceil(64)])
    }

    #[inline(always)]
    pub(super) fn has_holes(&self) -> bool {
        self.holes != 0
    }

    pub(super) fn has_hole(&self, data: &[u64], word: u32) -> bool {
        let (at, bit) = split(word);
        word < self.words && data[self.held_at(self.words) + at as usize] & bit != 0
    }

    #[inline]
    pub(super) fn add_hole(&mut self, data: &mut [u64], word: u32) {
        let (holes, upper) = self.holes_mut(data);
        self.holes += u32::from(add_to(holes, word));
        add_to(upper, word / 64);
    }

    pub(super) fn remove_hole(&mut self, data: &mut [u64], word: u32) {
        let (holes, upper) = self.holes_mut(data);
        let (was_there, is_zero) = remove_word(holes, word);
        self.holes -= u32::from(was_there);
        if is_zero {
            remove_word(upper, word / 64);
        }
    }

    pub(super) fn clear_holes(&mut self, data: &mut [u64]) {
        let (holes, upper) = self.holes_mut(data);
        holes.fill(0);
        upper.fill(0);
        self.holes = 0;
    }

    /// Clears all bits.
    pub(super) fn clear(&mut self, data: &mut [u64]) {
        data.fill(0);
        self.holes = 0;
    }

    /// Removes the lowest word with holes from the set, and returns it.
    pub(super) fn pop_lowest_hole(&mut self, data: &mut [u64]) -> Option<u32> {
        let (holes, upper) = self.holes_mut(data);
        let (at, bits) = (0..).zip(&*upper).find(|(_, bits)| **bits != 0)?;
        let at: u32 = at * 64 + bits.trailing_zeros();
        let word = at * 64 + holes[at as usize].trailing_zeros();
        self.remove_hole(data, word);
        Some(word)
    }

    /// Returns the invariant of the bits that is broken, if any.
    pub(super) fn fault(&self, data: &[u64]) -> Option<&'static str> {
        if data.len() < needed(self.words()) || self.first() != lengths(self.words())[0] {
            return Some("D1: there is less memory than the parts need, or they are elsewhere");
        }
        let [empty, vacant, _, holes, upper] = ranges(self.words()).map(|range| &data[range]);
        let is_in = |set: &[u64], word: usize| set[word / 64] >> (word % 64) & 1 == 1;
        let is_empty = |word: usize| empty[empty.len() - 1 - word / 64] >> (word % 64) & 1 == 1;
        if holes.iter().map(|bits| bits.count_ones()).sum::<u32>() != self.holes {
            Some("D2: the count of words with holes is wrong")
        } else if (0..holes.len()).any(|at| is_in(upper, at) != (holes[at] != 0)) {
            Some("D3: the upper bits are not those of the words with holes")
        } else if (0..vacant.len()).any(|word| is_empty(word) != (vacant[word] == u64::MAX)) {
            Some("D4: the set of words without a live slot is wrong")
        } else {
            None
        }
    }
}
