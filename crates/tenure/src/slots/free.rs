//! Which slots are free, and in which order they are used again.

use alloc::vec::Vec;

/// The free slots of an engine: the newest one first, then holes word by word.
///
/// A *word* is 64 neighbouring slots. The last slot freed is used again first, because its memory is
/// warm: that makes one removal and one insertion cheap. All others are bits in their word. One word is
/// *open*: it is filled from its lowest hole upwards before the next word, from the top of a stack, is
/// opened. So a pool that was emptied at random is filled again nearly in order, and the stack needs one
/// entry for 64 slots.
///
/// ```text
/// newest: 130      open word 2: .11.1.      stack: [ 0, 5 ]  <- top
/// words:  0: ..1..1      5: 1.....          (others 0)
/// next:   130, then 2·64+1, 2·64+2, 2·64+4, then 5·64+0, then 0·64+2, 0·64+5
/// ```
///
/// - F1: a slot is listed at most once: as `newest`, as a bit of `open`, or as a bit of its word.
/// - F2: a word is on the stack exactly when it has a bit in `words`, once, at `place`. The open word has none.
/// - F3: the stack has room for every word, so that pushing never allocates.
/// - F4: when `open` is 0, the stack is empty.
/// - F5: `unlisted` slots are free and not listed, because there was no memory to list them.
#[derive(Debug)]
pub(crate) struct FreeList {
    newest: u32,
    open_word: u32,
    open: u64,
    words: Vec<Holes>,
    stack: Vec<u32>,
    unlisted: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Holes {
    bits: u64,
    place: u32,
}

/// No slot has this index.
const NONE: u32 = u32::MAX;

const fn split(index: u32) -> (u32, u64) {
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

impl FreeList {
    pub(super) const EMPTY: Self =
        Self { newest: NONE, open_word: 0, open: 0, words: Vec::new(), stack: Vec::new(), unlisted: 0 };

    /// The slot that is used next.
    #[inline]
    pub(super) fn peek(&self) -> Option<u32> {
        if self.newest != NONE {
            return Some(self.newest);
        }
        if self.open != 0 {
            return Some(self.open_word * 64 + self.open.trailing_zeros());
        }
        None
    }

    /// Takes the slot that [`peek`](Self::peek) named.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.newest != NONE {
            self.newest = NONE;
            return;
        }
        self.open &= self.open.wrapping_sub(1);
        if self.open == 0 {
            self.open_next();
        }
    }

    /// Opens the word on top of the stack, if there is one.
    #[cold]
    fn open_next(&mut self) {
        let Some(word) = self.stack.pop() else { return };
        self.open_word = word;
        self.open = core::mem::take(&mut self.words[word as usize].bits);
    }

    /// Lists a slot. It is the next one to be used.
    #[inline]
    pub(super) fn push(&mut self, index: u32) {
        let older = core::mem::replace(&mut self.newest, index);
        if older != NONE {
            let (word, bit) = split(older);
            self.list(word, bit);
        }
    }

    /// Lists slots of one word, behind those that are listed already.
    #[inline]
    pub(super) fn list(&mut self, word: u32, bits: u64) {
        if self.open_word == word || self.open == 0 {
            self.open_word = word;
            self.open |= bits;
            return;
        }
        match self.words.get_mut(word as usize) {
            Some(holes) if holes.bits != 0 => holes.bits |= bits,
            _ => self.stack_up(word, bits),
        }
    }

    /// Lists slots of a word that has no hole so far and is not open. It goes on top of the stack.
    fn stack_up(&mut self, word: u32, bits: u64) {
        if self.words.len() <= word as usize && !self.cover(word as usize + 1) {
            self.unlisted += bits.count_ones();
            return;
        }
        self.words[word as usize] = Holes { bits, place: self.height() };
        self.stack.push(word);
    }

    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn height(&self) -> u32 {
        self.stack.len() as u32
    }

    /// Makes `words` at least `count` long. `false` when there is no memory for that.
    #[cold]
    fn cover(&mut self, count: usize) -> bool {
        let missing = count.saturating_sub(self.words.len());
        if self.words.try_reserve(missing).is_err() {
            return false;
        }
        // As much as `words` may hold, so that both grow in the same, amortised steps.
        if self.stack.try_reserve_exact(self.words.capacity() - self.stack.len()).is_err() {
            return false;
        }
        self.words.resize(self.words.len().max(count), Holes::default());
        true
    }

    /// Takes one particular slot off the list.
    pub(super) fn remove(&mut self, index: u32) {
        let (word, bit) = split(index);
        if self.newest == index {
            self.newest = NONE;
        } else if self.open_word == word && self.open & bit != 0 {
            self.open ^= bit;
            if self.open == 0 {
                self.open_next();
            }
        } else if self.bits(word) & bit != 0 {
            self.words[word as usize].bits ^= bit;
            if self.bits(word) == 0 {
                self.unstack(word);
            }
        } else {
            self.unlisted -= 1;
        }
    }

    fn bits(&self, word: u32) -> u64 {
        self.words.get(word as usize).map_or(0, |holes| holes.bits)
    }

    /// Takes a word off the stack. The top word takes its place.
    fn unstack(&mut self, word: u32) {
        let place = self.words[word as usize].place;
        self.stack.swap_remove(place as usize);
        if let Some(&moved) = self.stack.get(place as usize) {
            self.words[moved as usize].place = place;
        }
    }

    /// Lists words of slots, given from the highest to the lowest: the lowest slot is used first, and all of
    /// them before older holes in other words than the open one.
    pub(super) fn list_on_top(&mut self, words: impl Iterator<Item = (u32, u64)>) {
        for (word, bits) in words.filter(|&(_, bits)| bits != 0) {
            let older = self.bits(word);
            if self.open != 0 && self.open_word == word {
                self.open |= bits;
                continue;
            }
            if older != 0 {
                self.unstack(word);
            }
            self.stack_up(word, older | bits);
        }
        if self.open == 0 {
            self.open_next();
        }
    }

    /// Lists neighbouring slots that are new, [on top](Self::list_on_top).
    pub(super) fn list_range(&mut self, slots: core::ops::Range<u32>) {
        let words = (slots.start / 64..slots.end.div_ceil(64)).rev();
        self.list_on_top(words.map(|word| (word, below(slots.end, word) & !below(slots.start, word))));
    }

    /// Forgets everything, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.stack.clear();
        self.newest = NONE;
        self.open = 0;
        self.unlisted = 0;
    }

    /// Whether there are free slots that are not listed.
    pub(super) fn has_unlisted(&self) -> bool {
        self.unlisted > 0
    }

    /// Makes a slot that was not listed the next one to be used.
    pub(super) fn list_again(&mut self, index: u32) {
        self.unlisted -= 1;
        self.push(index);
    }

    /// Whether a slot is listed.
    pub(super) fn lists(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        let open = if self.open_word == word { self.open } else { 0 };
        self.newest == index || (open | self.bits(word)) & bit != 0
    }

    /// Becomes a copy of `other`, reusing memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.stack.clear();
        self.stack.reserve(self.words.capacity());
        self.stack.extend_from_slice(&other.stack);
        self.newest = other.newest;
        self.open_word = other.open_word;
        self.open = other.open;
        self.unlisted = other.unlisted;
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Holes>() + self.stack.capacity() * size_of::<u32>()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        let used = self.words.iter().rposition(|holes| holes.bits != 0).map_or(0, |last| last + 1);
        self.words.truncate(used);
        self.words.shrink_to_fit();
        self.stack.shrink_to(self.words.capacity());
    }

    /// Says what is wrong with the list itself. Whether it lists the right slots, the engine checks.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let holes = self.words.iter().filter(|holes| holes.bits != 0).count();
        if self.lists_twice() {
            Some("F1: a free slot is listed twice")
        } else if holes != self.stack.len() || !self.places_are_right() {
            Some("F2: the stack is not exactly the words with holes")
        } else if self.stack.capacity() < self.words.len() {
            Some("F3: the stack has less room than there are words")
        } else if self.open == 0 && !self.stack.is_empty() {
            Some("F4: no word is open, though there are words with holes")
        } else {
            None
        }
    }

    fn lists_twice(&self) -> bool {
        let (word, bit) = split(self.newest);
        let in_words = self.bits(word);
        let in_open = if self.open_word == word { self.open } else { 0 };
        let newest_again = self.newest != NONE && (in_words | in_open) & bit != 0;
        newest_again || (self.open != 0 && self.bits(self.open_word) != 0)
    }

    fn places_are_right(&self) -> bool {
        self.stack.iter().zip(0..).all(|(&word, place)| {
            self.words.get(word as usize).is_some_and(|holes| holes.bits != 0 && holes.place == place)
        })
    }

    /// How many slots are free, listed or not.
    pub(super) fn count(&self) -> u32 {
        let in_words: u32 = self.words.iter().map(|holes| holes.bits.count_ones()).sum();
        in_words + self.open.count_ones() + u32::from(self.newest != NONE) + self.unlisted
    }
}
