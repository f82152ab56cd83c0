//! Bits about words of 64 slots. The memory for them is the buffer's.
#![expect(unsafe_code, reason = "looks ahead for walks, which hold a pointer")]

use core::ops::Range;
use core::ptr::NonNull;

/// Which slots are vacant, which words have holes that can be used, and which words have no live
/// slot.
///
/// ```text
/// data: | empty: a bit per word | vacant: a bit per slot | holes: a bit per word | upper: a bit per u64 of holes |
///         words / 64, backwards,  words                    words / 64              words / 4,096
///         and room for more
/// ```
///
/// The lowest word with holes is found by looking at one `u64` per 262,144 slots. Walks step over
/// 4,096 slots at a time where nothing lives: `empty` goes backwards from where `vacant` begins, so
/// that one pointer finds both.
///
/// - D1: `data` is at least as long as the four parts are for `words` words; the second begins at
///   `first`.
/// - D2: `holes` is the number of bits in its part.
/// - D3: a bit of `upper` is set exactly when its `u64` of `holes` is not 0.
/// - D4: a bit of `empty` is set exactly when all bits of that word of `vacant` are.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: u32,
    holes: u32,
    first: u32,
}

/// The word of a slot and its bit there; also the place of a word and its bit in a set of words.
#[inline]
pub(crate) const fn split(index: u32) -> (u32, u64) {
    (index / 64, 1 << (index % 64))
}

/// The bits of the slots of a word whose index is below `end`.
#[inline]
pub(crate) fn below(end: u32, word: u32) -> u64 {
    match end.saturating_sub(word.saturating_mul(64)) {
        0 => 0,
        count => u64::MAX >> 64_u32.saturating_sub(count),
    }
}

/// How long the four parts are for so many words.
#[inline]
const fn lengths(words: usize) -> [usize; 4] {
    let set = words.div_ceil(64);
    // The long part begins elsewhere only when twice as many words are reached: it is not moved at
    // every growth.
    let empty = if set == 0 { 0 } else { set.next_power_of_two() };
    [empty, words, set, set.div_ceil(64)]
}

/// How many `u64`s the bits for so many words take.
pub(super) const fn needed(words: usize) -> usize {
    let [empty, vacant, holes, upper] = lengths(words);
    empty + vacant + holes + upper
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
    let [empty, vacant, holes, upper] = lengths(words as usize);
    let (first, data) = data.split_at_mut(empty);
    let (second, data) = data.split_at_mut(vacant);
    let (third, data) = data.split_at_mut(holes);
    [first, second, third, &mut data[..upper]]
}

/// Moves a range, if it goes elsewhere.
fn move_to(data: &mut [u64], range: Range<usize>, start: usize) {
    if range.start != start {
        data.copy_within(range, start);
    }
}

/// Copies what both have, and clears the rest.
fn copy(to: &mut [u64], from: &[u64]) {
    let shared = to.len().min(from.len());
    to[..shared].copy_from_slice(&from[..shared]);
    to[shared..].fill(0);
}

/// The first word at `from` or after it that has a live slot, or `end`. (Out of line, and without
/// the walk: a walk whose address is taken cannot stay in registers.)
///
/// # Safety
/// `vacant` points to the first word of the vacant slots, in the data of bits for `end` words at
/// least, and `from < end`.
#[cold]
#[inline(never)]
pub(super) unsafe fn next_used(vacant: NonNull<u64>, from: u32, end: u32) -> u32 {
    let (first, bit) = split(from);
    let mut passed = bit - 1;
    for place in first..end.div_ceil(64) {
        // SAFETY: D1, the set of words without a live slot lies backwards before the vacant slots.
        let empty = unsafe { *vacant.as_ptr().sub(1 + place as usize) };
        let used = !(empty | passed);
        if used != 0 {
            return end.min(place * 64 + used.trailing_zeros());
        }
        passed = 0;
    }
    end
}

/// Adds a number to a set of them, and says whether it is new there.
#[inline]
pub(crate) fn add_to(set: &mut [u64], number: u32) -> bool {
    let (place, bit) = split(number);
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
    pub(super) const EMPTY: Self = Self { words: 0, holes: 0, first: 0 };

    /// How many words there are bits for.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words as usize
    }

    /// Moves the parts to where they are for more words. What is new in `data` is 0.
    pub(super) fn grow(&mut self, data: &mut [u64], words: usize) {
        let (old, new) = (ranges(self.words()), ranges(words));
        // The last part first: nothing is overwritten that has not been moved.
        for part in (1..4).rev() {
            let end = new[part].start + old[part].len();
            move_to(data, old[part].clone(), new[part].start);
            data[end..new[part].end].fill(0);
        }
        let start = new[0].end - old[0].len();
        move_to(data, old[0].clone(), start);
        data[..start].fill(0);
        self.set_words(words);
    }

    /// Moves the parts to where they are for fewer words. What is cut off is 0.
    pub(super) fn shrink(&mut self, data: &mut [u64], words: usize) {
        let (old, new) = (ranges(self.words()), ranges(words));
        move_to(data, old[0].end - new[0].len()..old[0].end, 0);
        for part in 1..4 {
            move_to(data, old[part].start..old[part].start + new[part].len(), new[part].start);
        }
        self.set_words(words);
    }

    #[expect(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn set_words(&mut self, words: usize) {
        self.words = words as u32;
        self.first = lengths(words)[0] as u32;
    }

    /// Where the bits of a word of slots are.
    #[inline]
    fn place(&self, word: u32) -> usize {
        self.first as usize + word as usize
    }

    /// Where the bits of vacant slots begin.
    #[inline]
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    /// Takes over the set of words with holes, for which there is room.
    pub(super) fn copy_holes(&mut self, data: &mut [u64], original: &Self, original_data: &[u64]) {
        let [_, _, holes, upper] = parts_mut(self.words, data);
        let [_, _, original_holes, original_upper] = parts(original.words, original_data);
        copy(holes, original_holes);
        copy(upper, original_upper);
        self.holes = original.holes;
    }

    // ---- vacant slots ----

    /// The bits of vacant slots in a word.
    #[inline]
    pub(super) fn vacant(&self, data: &[u64], word: u32) -> u64 {
        if word < self.words { data.get(self.place(word)).copied().unwrap_or(0) } else { 0 }
    }

    /// Sets bits that are not set, and gives the word before and after. The caller sees to D4.
    #[inline]
    pub(super) fn set(&self, data: &mut [u64], word: u32, bits: u64) -> (u64, u64) {
        debug_assert!(word < self.words, "D1: there are no bits for this word");
        let vacant = &mut data[self.place(word)];
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
        let vacant = &mut data[self.place(word)];
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
            let (place, bit) = split(word);
            data[self.first() - 1 - place as usize] |= bit;
        }
    }

    #[cold]
    #[inline(never)]
    fn remove_empty(&self, data: &mut [u64], word: u32) {
        let (place, bit) = split(word);
        data[self.first() - 1 - place as usize] &= !bit;
    }

    // ---- words with holes ----

    /// The words with holes, and what begins with the upper bits. (As [`parts_mut`], without
    /// working out where the others are: a split lists a word for every few deaths.)
    #[inline]
    fn holes_mut<'a>(&self, data: &'a mut [u64]) -> (&'a mut [u64], &'a mut [u64]) {
        data[self.place(self.words)..].split_at_mut(self.words().div_ceil(64))
    }

    #[inline]
    pub(super) fn has_holes(&self) -> bool {
        self.holes != 0
    }

    pub(super) fn has_hole(&self, data: &[u64], word: u32) -> bool {
        let (place, bit) = split(word);
        let [_, _, holes, _] = parts(self.words, data);
        holes.get(place as usize).is_some_and(|bits| bits & bit != 0)
    }

    #[inline]
    pub(super) fn add_hole(&mut self, data: &mut [u64], word: u32) -> bool {
        let (holes, upper) = self.holes_mut(data);
        let is_new = add_to(holes, word);
        self.holes += u32::from(is_new);
        add_to(upper, word / 64);
        is_new
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
        let [_, _, holes, upper] = parts_mut(self.words, data);
        holes.fill(0);
        upper.fill(0);
        self.holes = 0;
    }

    /// All bits have become 0.
    pub(super) fn forget_holes(&mut self) {
        self.holes = 0;
    }

    /// Takes the lowest word with holes out of the set.
    pub(super) fn pop_lowest_hole(&mut self, data: &mut [u64]) -> Option<u32> {
        let [_, _, holes, upper] = parts(self.words, data);
        let (place, bits) = (0..).zip(upper).find(|(_, bits)| **bits != 0)?;
        let place: u32 = place * 64 + bits.trailing_zeros();
        let word = place * 64 + holes[place as usize].trailing_zeros();
        self.remove_hole(data, word);
        Some(word)
    }

    /// Says what is wrong with the bits themselves.
    pub(super) fn fault(&self, data: &[u64]) -> Option<&'static str> {
        if data.len() < needed(self.words()) || self.first() != lengths(self.words())[0] {
            return Some("D1: there is less memory than the parts need, or they are elsewhere");
        }
        let [empty, vacant, holes, upper] = parts(self.words, data);
        let is_in = |set: &[u64], word: usize| set[word / 64] >> (word % 64) & 1 == 1;
        let is_empty = |word: usize| empty[empty.len() - 1 - word / 64] >> (word % 64) & 1 == 1;
        if holes.iter().map(|bits| bits.count_ones()).sum::<u32>() != self.holes {
            Some("D2: the words with holes are not as many as counted")
        } else if (0..holes.len()).any(|place| is_in(upper, place) != (holes[place] != 0)) {
            Some("D3: the upper bits are not those of the words with holes")
        } else if (0..vacant.len()).any(|word| is_empty(word) != (vacant[word] == u64::MAX)) {
            Some("D4: the words without a live slot are not those in their set")
        } else {
            None
        }
    }
}
