//! Which slots are free, and in which order they are used again.

use alloc::vec::Vec;

/// The free slots of an engine: the newest one first, then holes word by word.
///
/// A *word* is 64 neighbouring slots. The last slot freed is used again first, because its memory is
/// warm: that makes one removal and one insertion cheap. All others are bits in their word, and words
/// that have such holes are on a stack; a word is filled from its lowest hole upwards before the next
/// word is begun. So a pool that was emptied at random is filled again nearly in order, and the stack
/// needs one entry for 64 slots.
///
/// ```text
/// newest: 130        stack: [ 0, 5, 2 ]  <- top
/// words:   0: ..1..1    5: 1.....    2: .11.1.    (others 0)
/// next:   130, then 2·64+1, 2·64+2, 2·64+4, then 5·64+0, then 0·64+2, 0·64+5
/// ```
///
/// - F1: a slot is listed at most once: as `newest`, or as a bit of its word.
/// - F2: a word is on the stack exactly when it has a bit, once, at `place`.
/// - F3: the stack has room for every word, so that pushing never allocates.
/// - F4: `unlisted` slots are free and not listed, because there was no memory to list them.
#[derive(Debug)]
pub(crate) struct FreeList {
    newest: u32,
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

const fn split(index: u32) -> (usize, u64) {
    ((index / 64) as usize, 1 << (index % 64))
}

impl FreeList {
    pub(super) const EMPTY: Self = Self { newest: NONE, words: Vec::new(), stack: Vec::new(), unlisted: 0 };

    /// The slot that is used next.
    #[inline]
    pub(super) fn peek(&self) -> Option<u32> {
        if self.newest != NONE {
            return Some(self.newest);
        }
        let word = *self.stack.last()?;
        let holes = self.words.get(word as usize)?;
        Some(word * 64 + holes.bits.trailing_zeros())
    }

    /// Takes the slot that [`peek`](Self::peek) named.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.newest != NONE {
            self.newest = NONE;
            return;
        }
        let top = self.stack.last().and_then(|&word| self.words.get_mut(word as usize));
        let Some(holes) = top else { return };
        holes.bits &= holes.bits.wrapping_sub(1);
        if holes.bits == 0 {
            self.stack.pop();
        }
    }

    /// Lists a slot. It is the next one to be used.
    #[inline]
    pub(super) fn push(&mut self, index: u32) {
        let older = core::mem::replace(&mut self.newest, index);
        if older != NONE {
            self.list_last(older);
        }
    }

    /// Lists a slot in its word, to be used after the newest one and after what is lower in its word.
    #[inline]
    pub(super) fn list_last(&mut self, index: u32) {
        let (word, bit) = split(index);
        match self.words.get_mut(word) {
            Some(holes) if holes.bits != 0 => holes.bits |= bit,
            _ => self.list_first(index),
        }
    }

    /// Lists a slot in a word that has no other hole.
    fn list_first(&mut self, index: u32) {
        let (word, bit) = split(index);
        if self.words.len() <= word && !self.cover(word + 1) {
            self.unlisted += 1;
            return;
        }
        self.words[word] = Holes { bits: bit, place: self.height() };
        self.stack.push(index / 64);
    }

    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn height(&self) -> u32 {
        self.stack.len() as u32
    }

    /// Makes `words` at least `count` long. `false` when there is no memory for that.
    #[cold]
    pub(super) fn cover(&mut self, count: usize) -> bool {
        let missing = count.saturating_sub(self.words.len());
        if self.words.try_reserve(missing).is_err() {
            return false;
        }
        // As much as `words` may hold, so that both grow in the same, amortised steps.
        let on_stack = self.stack.len();
        if self.stack.try_reserve_exact(self.words.capacity() - on_stack).is_err() {
            return false;
        }
        self.words.resize(self.words.len().max(count), Holes::default());
        true
    }

    /// Takes one particular slot off the list.
    pub(super) fn remove(&mut self, index: u32) {
        let (word, bit) = split(index);
        match self.words.get_mut(word) {
            _ if self.newest == index => self.newest = NONE,
            Some(holes) if holes.bits & bit != 0 => {
                holes.bits &= !bit;
                if holes.bits == 0 {
                    self.unstack(word);
                }
            }
            _ => self.unlisted -= 1,
        }
    }

    /// Takes a word off the stack. The top word takes its place.
    fn unstack(&mut self, word: usize) {
        let place = self.words[word].place;
        self.stack.swap_remove(place as usize);
        if let Some(&moved) = self.stack.get(place as usize) {
            self.words[moved as usize].place = place;
        }
    }

    /// Lists neighbouring slots, the lowest to be used first, and all of them before older holes in
    /// other words.
    pub(super) fn list_range(&mut self, range: core::ops::Range<u32>) {
        for index in range.clone().rev() {
            self.list_last(index);
        }
        // The lowest word may have had holes before, and then its place is deep in the stack.
        let word = (range.start / 64) as usize;
        if !range.is_empty() && self.words.get(word).is_some_and(|holes| holes.bits != 0) {
            self.unstack(word);
            self.words[word].place = self.height();
            self.stack.push(range.start / 64);
        }
    }

    /// Forgets everything, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.stack.clear();
        self.newest = NONE;
        self.unlisted = 0;
    }

    /// Lists the slots below `count` and no others, the lowest first out.
    pub(super) fn list_all(&mut self, count: u32) {
        self.clear();
        let words = count.div_ceil(64);
        if !self.cover(words as usize) {
            self.unlisted = count;
            return;
        }
        for word in (0..words).rev() {
            let in_word = (count - word * 64).min(64);
            self.words[word as usize] = Holes { bits: u64::MAX >> (64 - in_word), place: self.height() };
            self.stack.push(word);
        }
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
        self.newest == index || self.words.get(word).is_some_and(|holes| holes.bits & bit != 0)
    }

    /// Becomes a copy of `other`, reusing memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.stack.clear();
        self.stack.reserve(self.words.capacity());
        self.stack.extend_from_slice(&other.stack);
        self.newest = other.newest;
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
        let newest = if self.newest == NONE { None } else { self.words.get(split(self.newest).0) };
        if newest.is_some_and(|holes| holes.bits & split(self.newest).1 != 0) {
            Some("F1: the newest free slot is listed in its word too")
        } else if holes != self.stack.len() || !self.places_are_right() {
            Some("F2: the stack is not exactly the words with holes")
        } else if self.stack.capacity() < self.words.len() {
            Some("F3: the stack has less room than there are words")
        } else {
            None
        }
    }

    fn places_are_right(&self) -> bool {
        self.stack.iter().zip(0..).all(|(&word, place)| {
            self.words.get(word as usize).is_some_and(|holes| holes.bits != 0 && holes.place == place)
        })
    }

    /// How many slots are free, listed or not.
    pub(super) fn count(&self) -> u32 {
        let in_words: u32 = self.words.iter().map(|holes| holes.bits.count_ones()).sum();
        in_words + u32::from(self.newest != NONE) + self.unlisted
    }
}
