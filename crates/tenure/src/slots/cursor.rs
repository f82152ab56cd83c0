//! A position between the live slots, from both ends, 64 slots at a time.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Slots;
use super::bits::{next_used, split};
use super::buffer::{Buffer, View};
use super::span::{Found, Run, Span};
use crate::layout::Layout;

/// After this many words without a live slot, an iterator looks farther ahead.
const LONG_GAP: u32 = 8;

/// Indices and addresses of the live slots, from both ends.
///
/// ```text
/// front_run | front | words … | back | back_run
/// ```
///
/// W1: `vacant` points to an engine's bits of vacant slots, and `view` is a view of its buffer. All
/// slots of the words below `end_word` exist, and `next_word` is at most that. Neither changes
/// while the cursor exists: the engine is borrowed for `'a`.
pub(super) struct Cursor<'a, P, V> {
    front_run: Run<P>,
    front: Span<P>,
    vacant: NonNull<u64>,
    /// At first the last word, if not all of its slots exist.
    back: Span<P>,
    back_run: Run<P>,
    next_word: u32,
    end_word: u32,
    view: V,
    /// The open word and its holes, and the word and bit of the next free slot: they are vacant,
    /// but have no bits in `vacant`.
    open: (u32, u64),
    next_free: (u32, u64),
    pub(super) left: usize,
    engine: PhantomData<&'a u64>,
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    /// The live slots of a word below `end_word`.
    #[inline]
    fn span(&self, word: u32) -> Span<P> {
        // SAFETY: W1, there are bits for the word.
        let vacant = unsafe { *self.vacant.as_ptr().add(word as usize) };
        let open = if word == self.open.0 { self.open.1 } else { 0 };
        let next = if word == self.next_free.0 { self.next_free.1 } else { 0 };
        // SAFETY: W1 and B3, the word's slots exist, and these are live (E1).
        unsafe { Span::new(self.view.word(word as usize), word * 64, !(vacant | open | next)) }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<Found<P>> {
        if self.front_run.is_empty() {
            self.front_run = self.next_run()?;
        }
        self.left -= 1;
        Some(self.front_run.take_first())
    }

    #[inline]
    fn next_run(&mut self) -> Option<Run<P>> {
        let mut gap = 0;
        while self.front.bits == 0 {
            if self.next_word == self.end_word {
                return self.run_from_back();
            }
            self.front = self.span(self.next_word);
            self.next_word += 1;
            gap += 1;
            if gap % LONG_GAP == 0 {
                self.skip_empty();
            }
        }
        Some(self.front.take_lowest_run())
    }

    /// Steps over words without a live slot.
    #[inline(always)]
    fn skip_empty(&mut self) {
        // SAFETY: W1.
        self.next_word = unsafe { next_used(self.vacant, self.next_word, self.end_word) };
    }

    /// What the other end has left.
    #[inline]
    fn run_from_back(&mut self) -> Option<Run<P>> {
        if self.back.bits != 0 {
            return Some(self.back.take_lowest_run());
        }
        let rest = core::mem::replace(&mut self.back_run, Run::EMPTY);
        if rest.is_empty() { None } else { Some(rest) }
    }

    #[inline]
    pub(super) fn next_back(&mut self) -> Option<Found<P>> {
        if self.back_run.is_empty() {
            self.back_run = self.next_back_run()?;
        }
        self.left -= 1;
        Some(self.back_run.take_last())
    }

    #[inline]
    fn next_back_run(&mut self) -> Option<Run<P>> {
        loop {
            if self.back.bits != 0 {
                return Some(self.back.take_highest_run());
            }
            if self.next_word == self.end_word {
                return self.run_from_front();
            }
            self.end_word -= 1;
            self.back = self.span(self.end_word);
        }
    }

    /// What the other end has left.
    #[inline]
    fn run_from_front(&mut self) -> Option<Run<P>> {
        if self.front.bits != 0 {
            return Some(self.front.take_highest_run());
        }
        let rest = core::mem::replace(&mut self.front_run, Run::EMPTY);
        if rest.is_empty() { None } else { Some(rest) }
    }

    #[inline]
    pub(super) fn fold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.front_run.fold(acc, &mut step);
        acc = self.front.clone().fold(acc, &mut step);
        while self.next_word < self.end_word {
            let span = self.span(self.next_word);
            self.next_word += 1;
            if span.bits == 0 {
                self.skip_empty();
            }
            acc = span.fold(acc, &mut step);
        }
        acc = self.back.clone().fold(acc, &mut step);
        self.back_run.fold(acc, &mut step)
    }

    #[inline]
    pub(super) fn rfold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.back_run.rfold(acc, &mut step);
        acc = self.back.clone().rfold(acc, &mut step);
        while self.next_word < self.end_word {
            self.end_word -= 1;
            acc = self.span(self.end_word).rfold(acc, &mut step);
        }
        acc = self.front.clone().rfold(acc, &mut step);
        self.front_run.rfold(acc, &mut step)
    }

    /// Two cursors for two threads; `None` when there is one word left or none. Only for a cursor
    /// that has not moved.
    #[cfg(feature = "rayon")]
    pub(super) fn split(&self) -> Option<(Self, Self)> {
        let half = (self.end_word - self.next_word) / 2;
        if half == 0 {
            return None;
        }
        let middle = self.next_word + half;
        let in_low = (self.next_word..middle).map(|word| self.span(word).bits.count_ones() as usize).sum();
        let low = Self { end_word: middle, back: Span::EMPTY, left: in_low, ..self.clone() };
        Some((low, Self { next_word: middle, left: self.left - in_low, ..self.clone() }))
    }
}

impl<P, V: Copy> Clone for Cursor<'_, P, V> {
    fn clone(&self) -> Self {
        Self { front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

/// What a cursor must know of an engine, besides where slots and bits are.
#[derive(Clone, Copy)]
pub(super) struct Outline {
    /// How many words have all their slots.
    whole: u32,
    /// The live slots of the word behind these.
    rest: u64,
    /// Where the bits of vacant slots begin.
    first: usize,
    open: (u32, u64),
    next_free: (u32, u64),
    left: usize,
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    #[inline]
    pub(super) fn new(outline: Outline, (view, bits): (V, &'a [u64])) -> Self {
        let Outline { whole, rest, first, open, next_free, left } = outline;
        // SAFETY: D1, the bits have a part before that of vacant slots.
        let vacant = unsafe { NonNull::from(bits).cast::<u64>().add(first) };
        // SAFETY: B3 and E1, a live slot shows that the word is there.
        let last_span = || unsafe { Span::new(view.word(whole as usize), whole * 64, rest) };
        let back = if rest == 0 { Span::EMPTY } else { last_span() };
        Self {
            front_run: Run::EMPTY,
            front: Span::EMPTY,
            vacant,
            next_word: 0,
            end_word: whole,
            view,
            open,
            next_free,
            back_run: Run::EMPTY,
            back,
            left,
            engine: PhantomData,
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    #[inline]
    pub(super) fn outline(&self) -> Outline {
        let (whole, free) = (self.slot_count() / 64, self.occupancy.free());
        Outline {
            whole,
            rest: self.live_bits(whole),
            first: self.occupancy.bits.first(),
            open: (free.open_word, free.open),
            next_free: split(free.next()),
            left: self.len(),
        }
    }
}
