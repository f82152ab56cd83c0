//! An iterator over live slots that does not borrow the engine.
#![allow(unsafe_code, reason = "reads the engine through a pointer")]

use core::ops::Range;
use core::ptr::NonNull;

use super::bits::split;
use super::buffer::{Buffer, View};
use super::slot::Slot;
use super::span::{Found, Run, Span};
use super::{SlotRef, Slots};
use crate::layout::Layout;

/// An iterator that does not borrow the engine: it reads one word at a time, and the engine may
/// change in between. Values that are inserted meanwhile may or may not be visited; every value
/// that was live at the start is visited.
///
/// - R1: for every value that was live when the iterator read its word: it is not removed while
///   the iterator exists, because the caller borrows the owner of the engine. The pointer that the
///   caller passes in is that of the engine.
pub(crate) struct RawIter<P> {
    run: Run<P>,
    span: Span<P>,
    next_word: u32,
    end_word: u32,
}

impl<P> RawIter<P> {
    /// Returns an iterator over the slots of existing words.
    pub(crate) fn over(words: Range<u32>) -> Self {
        Self { run: Run::EMPTY, span: Span::EMPTY, next_word: words.start, end_word: words.end }
    }

    /// Returns the number of slots that are left of the word that was read last.
    pub(crate) fn at_least(&self) -> usize {
        self.run.len() + self.span.bits.count_ones() as usize
    }

    /// Returns the number of values that are left if all slots of the words that are not read yet
    /// are live.
    pub(crate) fn at_most(&self) -> usize {
        let words = (self.end_word - self.next_word) as usize;
        words.saturating_mul(64).saturating_add(self.at_least())
    }

    /// Returns the index, mark and address of the next value.
    #[inline]
    pub(crate) fn next<L: Layout, B: Buffer<P>>(
        &mut self,
        slots: impl Fn() -> *const Slots<P, L, B>,
    ) -> Option<(SlotRef, NonNull<P>)> {
        if self.run.is_empty() {
            // Rare where words are full: values that only this path needs must not take registers
            // from the loop around it.
            super::unlikely();
            while self.span.bits == 0 {
                if self.next_word == self.end_word {
                    return None;
                }
                // SAFETY: the pointer must be valid for a shared borrow: by R1 it points to the
                // engine, and by N4 (in jobs: Y1) nothing borrows that mutably during this call.
                self.span = unsafe { (*slots()).span_at(self.next_word) };
                self.next_word += 1;
            }
            self.run = self.span.take_lowest_run();
        }
        Some(Self::item(self.run.take_first()))
    }

    /// Calls a closure for every item of an iterator that has not been advanced. Unlike `fold`, it
    /// calls the closure in one place, so that even a large closure is inlined into the loop, and
    /// more of its iterations wait for memory at the same time (row `frame` of `cargo versus
    /// --worlds`).
    #[inline]
    pub(crate) fn for_each<L: Layout, B: Buffer<P>>(
        self,
        slots: impl Fn() -> *const Slots<P, L, B>,
        mut step: impl FnMut((SlotRef, NonNull<P>)),
    ) {
        for word in self.next_word..self.end_word {
            // SAFETY: by R1 and N4, as in `next`.
            let mut span = unsafe { (*slots()).span_at(word) };
            while span.bits != 0 {
                step(Self::item(span.take_lowest()));
            }
        }
    }

    /// Folds the remaining items.
    #[inline]
    pub(crate) fn fold<A, L: Layout, B: Buffer<P>>(
        self,
        slots: impl Fn() -> *const Slots<P, L, B>,
        acc: A,
        mut step: impl FnMut(A, (SlotRef, NonNull<P>)) -> A,
    ) -> A {
        let mut acc = self.run.fold(acc, |acc, found| step(acc, Self::item(found)));
        acc = self.span.fold(acc, |acc, found| step(acc, Self::item(found)));
        for word in self.next_word..self.end_word {
            // SAFETY: by R1 and N4, as in `next`.
            let span = unsafe { (*slots()).span_at(word) };
            acc = span.fold(acc, |acc, found| step(acc, Self::item(found)));
        }
        acc
    }

    #[inline]
    fn item((index, slot): Found<P>) -> (SlotRef, NonNull<P>) {
        // SAFETY: the pointer must be valid: the slot was live, and by R1 its value is not removed.
        // Only the mark is read, and only the address of the value is taken.
        unsafe {
            let tenant = SlotRef { index, mark: Slot::iterated_mark(slot.as_ptr()) };
            (tenant, NonNull::new_unchecked(Slot::value_ptr(slot.as_ptr())))
        }
    }
}

impl<P> Clone for RawIter<P> {
    fn clone(&self) -> Self {
        Self { span: self.span.clone(), ..*self }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns the live slots of a word that exists. Few words have free slots without a bit, and
    /// only the last word can have slots that do not exist: these words are handled out of line.
    #[inline]
    fn span_at(&self, word: u32) -> Span<P> {
        let free = self.occupancy.free();
        let is_plain = word < self.slot_count() / 64 && free.open_word != word && split(free.next()).0 != word;
        let live = if is_plain { !self.plain_bits(word) } else { self.special_bits(word) };
        if live == 0 {
            return Span::EMPTY;
        }
        // SAFETY: the word must exist: by E1 it has a live slot, so B3 holds.
        unsafe { Span::new(self.buffer.parts().0.word(word as usize), word * 64, live) }
    }

    /// Returns the vacant bits of a word that exists.
    #[inline]
    fn plain_bits(&self, word: u32) -> u64 {
        debug_assert!(word < self.occupancy.word_count());
        // SAFETY: the index must be in bounds: by D1 and E2 there are bits for every word that
        // exists.
        unsafe { *self.buffer.bits().get_unchecked(self.occupancy.bits.first() + word as usize) }
    }

    #[cold]
    #[inline(never)]
    fn special_bits(&self, word: u32) -> u64 {
        self.live_bits(word)
    }
}
