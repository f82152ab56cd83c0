//! A double-ended cursor over the live slots, 64 slots at a time.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Slots;
use super::bits::{next_used, split};
use super::buffer::{Buffer, View};
use super::occupancy::Occupancy;
use super::span::{Found, Run, Span};
use crate::layout::Layout;

/// The number of words without a live slot after which an iterator searches the set of such words.
const LONG_GAP: u32 = 8;

/// The live slots of an engine as bits, word by word, from both ends. Not generic.
///
/// W1: `vacant` points to an engine's bits of vacant slots. For every word below `end`: all of its
/// slots exist. `next <= end`. The engine does not change while this exists, because it is
/// borrowed.
#[derive(Clone, Copy)]
struct Words {
    /// The remaining slots of the word that was taken from the front.
    front: Word,
    next: u32,
    end: u32,
    vacant: NonNull<u64>,
    /// The open word and its holes, and the word and bit of the next free slot. These slots are
    /// vacant, but have no bits in `vacant`.
    open: (u32, u64),
    next_free: (u32, u64),
    /// The remaining slots of the word that was taken from the back; at first the last word, if not
    /// all of its slots exist.
    back: Word,
}

/// Live slots of one word, as bits.
#[derive(Clone, Copy)]
struct Word {
    word: u32,
    bits: u64,
}

impl Words {
    /// Returns the live slots of a word below `end`.
    #[inline]
    fn live(&self, word: u32) -> u64 {
        // SAFETY: the word must be in bounds: by W1 it exists, so by E2 there are bits for it.
        let vacant = unsafe { *self.vacant.as_ptr().add(word as usize) };
        let open = if word == self.open.0 { self.open.1 } else { 0 };
        let next = if word == self.next_free.0 { self.next_free.1 } else { 0 };
        !(vacant | open | next)
    }

    /// Replaces `front`, which is used up, by the next word that has live slots. Returns `false` if
    /// there is none.
    #[inline]
    fn take_front(&mut self) -> bool {
        let mut gap = 0;
        while self.next != self.end {
            self.front = Word { word: self.next, bits: self.live(self.next) };
            self.next += 1;
            if self.front.bits != 0 {
                return true;
            }
            gap += 1;
            if gap % LONG_GAP == 0 {
                self.skip_empty();
            }
        }
        // Continue with the remaining slots of the other end.
        self.front = self.back;
        self.back.bits = 0;
        self.front.bits != 0
    }

    /// Skips words without a live slot.
    #[inline(always)]
    fn skip_empty(&mut self) {
        if self.next != self.end {
            // SAFETY: there must be bits for `end` words, and `next` must be below `end`: by W1
            // `vacant` points to the bits of at least `end` words and `next <= end`, and they
            // differ here.
            self.next = unsafe { next_used(self.vacant, self.next, self.end) };
        }
    }

    /// Replaces `back`, which is used up, by the last word that has live slots. Returns `false` if
    /// there is none.
    fn take_back(&mut self) -> bool {
        while self.next != self.end {
            self.end -= 1;
            self.back = Word { word: self.end, bits: self.live(self.end) };
            if self.back.bits != 0 {
                return true;
            }
        }
        self.back = self.front;
        self.front.bits = 0;
        self.back.bits != 0
    }
}

/// The indices and addresses of the live slots, from both ends.
///
/// ```text
/// run | words.front | words … | words.back
/// ```
///
/// W1 also states: `view` is a view of the same engine's buffer, which is borrowed for `'a`; every
/// slot in `run` is a live slot of the word of `words.front`; if `words.front` has bits, `run` is
/// empty, and starts at the first slot of that word.
pub(super) struct Cursor<'a, P, V> {
    run: Run<P>,
    pub(super) left: usize,
    words: Words,
    view: V,
    engine: PhantomData<&'a u64>,
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    /// Returns the live slots of a word, with their addresses.
    #[inline(always)]
    fn span(&self, Word { word, bits }: Word) -> Span<P> {
        if bits == 0 {
            return Span::EMPTY;
        }
        // SAFETY: the word must exist, and the slots in `bits` must be live: by W1 and E1 they are,
        // and by B3 the view points to the first slot of the word.
        unsafe { Span::new(self.view.word(word as usize), word << 6, bits) }
    }

    /// A full word is a run. The slots of other words are taken from its bits one by one: a run for
    /// each of them takes a third longer (row `iterate 50% live`).
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Found<P>> {
        if self.run.is_empty() {
            if self.words.front.bits == 0 && !self.take_word() {
                return None;
            }
            if self.words.front.bits != 0 {
                self.left = self.left.wrapping_sub(1);
                return Some(self.run.take_bit(&mut self.words.front.bits));
            }
        }
        self.left = self.left.wrapping_sub(1);
        Some(self.run.take_first())
    }

    /// Takes the next word with live slots, as a run if it is full. Returns `false` if there is
    /// none.
    #[inline]
    fn take_word(&mut self) -> bool {
        if !self.words.take_front() {
            return false;
        }
        self.run = self.span(self.words.front).run();
        if !self.run.is_empty() {
            self.words.front.bits = 0;
        }
        true
    }

    #[inline]
    pub(super) fn next_back(&mut self) -> Option<Found<P>> {
        if self.words.back.bits == 0 && !self.words.take_back() {
            if self.run.is_empty() {
                return None;
            }
            self.left -= 1;
            return Some(self.run.take_last());
        }
        self.left -= 1;
        let mut span = self.span(self.words.back);
        let found = span.take_highest();
        self.words.back.bits = span.bits;
        Some(found)
    }

    #[inline]
    pub(super) fn fold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.run.fold(acc, &mut step);
        acc = self.span(self.words.front).fold(acc, &mut step);
        while self.words.next < self.words.end {
            let word = Word { word: self.words.next, bits: self.words.live(self.words.next) };
            self.words.next += 1;
            if word.bits == 0 {
                self.words.skip_empty();
                continue;
            }
            acc = self.span(word).fold(acc, &mut step);
        }
        self.span(self.words.back).fold(acc, &mut step)
    }

    /// Like `fold`, from the back.
    #[inline]
    pub(super) fn rfold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.span(self.words.back).rfold(acc, &mut step);
        while self.words.next < self.words.end {
            self.words.end -= 1;
            let word = Word { word: self.words.end, bits: self.words.live(self.words.end) };
            acc = self.span(word).rfold(acc, &mut step);
        }
        acc = self.span(self.words.front).rfold(acc, &mut step);
        self.run.rfold(acc, step)
    }

    /// Returns two cursors for two threads, or `None` if at most one word is left. Only for a
    /// cursor that has not been advanced.
    #[cfg(feature = "rayon")]
    pub(super) fn split(&self) -> Option<(Self, Self)> {
        let words = self.words;
        let half = (words.end - words.next) / 2;
        if half == 0 {
            return None;
        }
        let middle = words.next + half;
        let in_low = (words.next..middle).map(|word| words.live(word).count_ones() as usize).sum();
        let low = Words { end: middle, back: Word { word: 0, bits: 0 }, ..words };
        let high = Words { next: middle, ..words };
        let left = self.left - in_low;
        Some((Self { words: low, left: in_low, ..self.clone() }, Self { words: high, left, ..self.clone() }))
    }
}

impl<P, V: Copy> Clone for Cursor<'_, P, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl Occupancy {
    /// Returns the live slots, for a cursor. Out of line: otherwise it would be compiled for every
    /// loop.
    ///
    /// # Safety
    /// `data` is the bit data of this occupancy.
    #[inline(never)]
    unsafe fn words(&self, data: &[u64]) -> Words {
        let (end, free) = (self.slot_count() / 64, self.free());
        // SAFETY: the offset must be in bounds: by D1 the part of vacant slots starts at `first`.
        let vacant = unsafe { NonNull::from(data).cast::<u64>().add(self.bits.first()) };
        Words {
            front: Word { word: 0, bits: 0 },
            next: 0,
            end,
            vacant,
            open: (free.open_word, free.open),
            next_free: split(free.next()),
            back: Word { word: end, bits: self.live_bits(data, end) },
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns a cursor for reading.
    #[inline]
    pub(super) fn cursor(&self) -> Cursor<'_, P, B::View> {
        let (view, data) = self.buffer.parts();
        // SAFETY: the data must be that of the occupancy: both are of the same engine.
        let words = unsafe { self.occupancy.words(data) };
        Cursor { run: Run::EMPTY, left: self.len(), words, view, engine: PhantomData }
    }

    /// Returns a cursor for reading and writing.
    #[inline]
    pub(super) fn cursor_mut(&mut self) -> Cursor<'_, P, B::View> {
        let left = self.len();
        let (view, data) = self.buffer.parts_mut();
        // SAFETY: the data must be that of the occupancy: both are of the same engine.
        let words = unsafe { self.occupancy.words(data) };
        Cursor { run: Run::EMPTY, left, words, view, engine: PhantomData }
    }
}
