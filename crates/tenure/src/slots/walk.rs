//! Walks over the live slots, 64 at a time.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use super::Slots;
use super::buffer::{Buffer, View};
use super::free::split;
use super::slot::Slot;
use crate::layout::Layout;

/// An index and the slot there.
type Found<P> = (u32, NonNull<Slot<P>>);

/// What is left of one word, and where its slots are.
///
/// A word without holes is a *run*, walked by counting, as fast as a slice; any other word is a set of *bits*.
/// One of the two is empty.
struct Span<P> {
    /// The first slot of the word.
    slots: NonNull<Slot<P>>,
    /// Its index.
    first: u32,
    run: Range<u32>,
    bits: u64,
}

impl<P> Span<P> {
    const EMPTY: Self = Self { slots: NonNull::dangling(), first: 0, run: 0..0, bits: 0 };

    /// # Safety
    /// `slots` points to the first slot of the word; slots whose bit is set exist.
    #[inline]
    unsafe fn new(slots: NonNull<Slot<P>>, first: u32, bits: u64) -> Self {
        if bits == u64::MAX {
            return Self { slots, first, run: 0..64, bits: 0 };
        }
        Self { slots, first, run: 0..0, bits }
    }

    #[inline]
    fn pop_lowest(&mut self) -> Option<Found<P>> {
        if self.run.start != self.run.end {
            let place = self.run.start;
            self.run.start += 1;
            return Some(self.at(place));
        }
        if self.bits == 0 {
            return None;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.at(bit))
    }

    #[inline]
    fn pop_highest(&mut self) -> Option<Found<P>> {
        if self.run.start != self.run.end {
            self.run.end -= 1;
            return Some(self.at(self.run.end));
        }
        if self.bits == 0 {
            return None;
        }
        let bit = 63 - self.bits.leading_zeros();
        self.bits ^= 1 << bit;
        Some(self.at(bit))
    }

    /// `place` is, or was, in `run` or `bits`.
    #[inline]
    fn at(&self, place: u32) -> Found<P> {
        // SAFETY: B3 and E1, the slot is live, so it exists and lies `place` slots behind the first of its word.
        (self.first + place, unsafe { self.slots.add(place as usize) })
    }

    #[inline(always)]
    fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        for place in self.run.clone() {
            acc = step(acc, self.at(place));
        }
        while self.bits != 0 {
            let bit = self.bits.trailing_zeros();
            self.bits &= self.bits - 1;
            acc = step(acc, self.at(bit));
        }
        acc
    }

    #[inline(always)]
    fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while let Some(found) = self.pop_highest() {
            acc = step(acc, found);
        }
        acc
    }
}

impl<P> Clone for Span<P> {
    fn clone(&self) -> Self {
        Self { run: self.run.clone(), ..*self }
    }
}

/// Indices and addresses of the live slots, from both ends.
///
/// W1: `words` are words of an engine's bit set of vacant slots, beginning with number `next_word`, all of whose
/// slots exist, and `view` is a view of its buffer. Neither changes while the walk is there: the engine is borrowed
/// for `'a`.
struct Cursor<'a, P, V> {
    words: core::slice::Iter<'a, u64>,
    next_word: u32,
    view: V,
    /// The word of the newest free slot, and its bit: that slot is vacant, but has no bit in its word.
    newest: (u32, u64),
    front: Span<P>,
    /// At first the last word, if not all of its slots exist.
    back: Span<P>,
    left: usize,
}

impl<P, V: Copy> Clone for Cursor<'_, P, V> {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    /// The live slots of a word, all of whose slots exist.
    #[inline]
    fn span(&self, word: u32, vacant: u64) -> Span<P> {
        let newest = if word == self.newest.0 { self.newest.1 } else { 0 };
        // SAFETY: W1 and B3, the word's slots exist, and these are live (E1).
        unsafe { Span::new(self.view.word(word as usize), word * 64, !(vacant | newest)) }
    }

    #[inline]
    fn next(&mut self) -> Option<Found<P>> {
        loop {
            if let Some(found) = self.front.pop_lowest() {
                self.left -= 1;
                return Some(found);
            }
            let Some(&vacant) = self.words.next() else {
                let found = self.back.pop_lowest()?;
                self.left -= 1;
                return Some(found);
            };
            self.front = self.span(self.next_word, vacant);
            self.next_word += 1;
            if vacant == u64::MAX {
                self.skip_vacant();
            }
        }
    }

    /// Steps over words without a live slot, four at a time.
    fn skip_vacant(&mut self) {
        let mut words = self.words.as_slice();
        while let [a, b, c, d, rest @ ..] = words {
            if a & b & c & d != u64::MAX {
                break;
            }
            words = rest;
            self.next_word += 4;
        }
        self.words = words.iter();
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn next_back(&mut self) -> Option<Found<P>> {
        loop {
            if let Some(found) = self.back.pop_highest() {
                self.left -= 1;
                return Some(found);
            }
            let Some(&vacant) = self.words.next_back() else {
                let found = self.front.pop_highest()?;
                self.left -= 1;
                return Some(found);
            };
            self.back = self.span(self.next_word + self.words.len() as u32, vacant);
        }
    }

    #[inline]
    fn fold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.front.clone().fold(acc, &mut step);
        while let Some(&vacant) = self.words.next() {
            acc = self.span(self.next_word, vacant).fold(acc, &mut step);
            self.next_word += 1;
            if vacant == u64::MAX {
                self.skip_vacant();
            }
        }
        self.back.fold(acc, &mut step)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn rfold<A>(self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.back.clone().rfold(acc, &mut step);
        let mut word = self.next_word + self.words.len() as u32;
        for &vacant in self.words.clone().rev() {
            word -= 1;
            acc = self.span(word, vacant).rfold(acc, &mut step);
        }
        self.front.rfold(acc, &mut step)
    }

    /// Two walks for two threads; `None` when there is one word left or none. Only for a walk not begun.
    #[cfg(feature = "rayon")]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn split(&self) -> Option<(Self, Self)> {
        let words = self.words.as_slice();
        let half = words.len() / 2;
        if half == 0 {
            return None;
        }
        let (low, high) = words.split_at(half);
        let in_low = low.iter().map(|vacant| vacant.count_zeros() as usize).sum();
        let left = Self { words: low.iter(), back: Span::EMPTY, left: in_low, ..self.clone() };
        let next_word = self.next_word + half as u32;
        Some((left, Self { words: high.iter(), next_word, left: self.left - in_low, ..self.clone() }))
    }
}

macro_rules! walk {
    ($(#[$doc:meta])* $name:ident, $value:ty, |$slot:ident| $borrow:expr) => {
        $(#[$doc])*
        pub(crate) struct $name<'a, P, V> {
            cursor: Cursor<'a, P, V>,
            borrow: PhantomData<$value>,
        }

        impl<'a, P, V: View<P>> $name<'a, P, V> {
            #[inline]
            fn item((index, $slot): Found<P>) -> (u32, u32, $value) {
                // SAFETY: W1, the slot is live and borrowed for `'a`. Only its mark is read.
                let mark = unsafe { (*$slot.as_ptr()).mark };
                (index, mark, $borrow)
            }

            #[cfg(feature = "rayon")]
            pub(crate) fn split(self) -> (Self, Option<Self>) {
                match self.cursor.split() {
                    Some((low, high)) => {
                        (Self { cursor: low, borrow: PhantomData }, Some(Self { cursor: high, borrow: PhantomData }))
                    }
                    None => (self, None),
                }
            }
        }

        impl<'a, P, V: View<P>> Iterator for $name<'a, P, V> {
            type Item = (u32, u32, $value);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.cursor.next().map(Self::item)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.cursor.left, Some(self.cursor.left))
            }

            #[inline]
            fn fold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut step: F) -> A {
                self.cursor.fold(acc, |acc, slot| step(acc, Self::item(slot)))
            }
        }

        impl<P, V: View<P>> DoubleEndedIterator for $name<'_, P, V> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.cursor.next_back().map(Self::item)
            }

            #[inline]
            fn rfold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut step: F) -> A {
                self.cursor.rfold(acc, |acc, slot| step(acc, Self::item(slot)))
            }
        }

        impl<P, V: View<P>> ExactSizeIterator for $name<'_, P, V> {}
        impl<P, V: View<P>> FusedIterator for $name<'_, P, V> {}
    };
}

walk! {
    /// Index, mark and value of every live slot, by index.
    Walk, &'a P, |slot| {
        // SAFETY: W1 and S1, the slot is live, and the engine is borrowed for `'a`.
        unsafe { &*Slot::value_ptr(slot.as_ptr()) }
    }
}

walk! {
    /// Index, mark and value of every live slot, by index, to change the values.
    WalkMut, &'a mut P, |slot| {
        // SAFETY: W1 and S1, the slot is live, and the engine is borrowed alone for `'a`. A cursor gives
        // every slot once, and makes no reference to the others.
        unsafe { &mut *Slot::value_ptr(slot.as_ptr()) }
    }
}

impl<P, V: View<P>> Clone for Walk<'_, P, V> {
    fn clone(&self) -> Self {
        Self { cursor: self.cursor.clone(), borrow: PhantomData }
    }
}

// SAFETY: a `Walk` is a `&[P]` with holes: it gives out `&P`.
unsafe impl<P: Sync, V> Send for Walk<'_, P, V> {}
// SAFETY: as above.
unsafe impl<P: Sync, V> Sync for Walk<'_, P, V> {}
// SAFETY: a `WalkMut` is a `&mut [P]` with holes: it gives out `&mut P`.
unsafe impl<P: Send, V> Send for WalkMut<'_, P, V> {}
// SAFETY: a shared `WalkMut` gives out nothing.
unsafe impl<P: Sync, V> Sync for WalkMut<'_, P, V> {}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    #[inline]
    fn cursor(&self, view: B::View) -> Cursor<'_, P, B::View> {
        let whole = self.slot_count() / 64;
        let rest = self.live_bits(whole);
        Cursor {
            words: self.vacant.get(..whole as usize).unwrap_or_default().iter(),
            next_word: 0,
            view,
            newest: split(self.free.newest),
            front: Span::EMPTY,
            back: if rest == 0 { Span::EMPTY } else { Self::last_span(view, whole, rest) },
            left: self.len(),
        }
    }

    /// The live slots, of which there are some, of the last word.
    #[inline]
    fn last_span(view: B::View, word: u32, live: u64) -> Span<P> {
        // SAFETY: B3 and E1, a live slot shows that the word is there.
        unsafe { Span::new(view.word(word as usize), word * 64, live) }
    }

    #[inline]
    pub(crate) fn walk(&self) -> Walk<'_, P, B::View> {
        Walk { cursor: self.cursor(self.buffer.view()), borrow: PhantomData }
    }

    #[inline]
    pub(crate) fn walk_mut(&mut self) -> WalkMut<'_, P, B::View> {
        let view = self.buffer.view_mut();
        WalkMut { cursor: self.cursor(view), borrow: PhantomData }
    }
}
