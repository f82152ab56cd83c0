//! Walks over the live slots, 64 at a time.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Slots;
use super::buffer::{Buffer, View};
use super::slot::Slot;
use crate::layout::Layout;

/// What is left of one word of the live bit set, and where its slots are.
struct Span<P> {
    bits: u64,
    first: u32,
    slots: NonNull<Slot<P>>,
}

impl<P> Span<P> {
    const EMPTY: Self = Self { bits: 0, first: 0, slots: NonNull::dangling() };

    #[inline]
    fn pop_lowest(&mut self) -> Option<(u32, NonNull<Slot<P>>)> {
        if self.bits == 0 {
            return None;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.at(bit))
    }

    #[inline]
    fn pop_highest(&mut self) -> Option<(u32, NonNull<Slot<P>>)> {
        if self.bits == 0 {
            return None;
        }
        let bit = 63 - self.bits.leading_zeros();
        self.bits ^= 1 << bit;
        Some(self.at(bit))
    }

    /// `bit` is, or was, set in `bits`.
    #[inline]
    fn at(&self, bit: u32) -> (u32, NonNull<Slot<P>>) {
        // SAFETY: B3 and E1, the slot is live, so it exists and lies `bit` slots behind the first of its word.
        (self.first + bit, unsafe { self.slots.add(bit as usize) })
    }

    /// A full word is a plain loop over 64 slots.
    #[inline]
    fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, (u32, NonNull<Slot<P>>)) -> A) -> A {
        if self.bits == u64::MAX {
            for bit in 0..64 {
                acc = step(acc, self.at(bit));
            }
            return acc;
        }
        while let Some(item) = self.pop_lowest() {
            acc = step(acc, item);
        }
        acc
    }

    #[inline]
    fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, (u32, NonNull<Slot<P>>)) -> A) -> A {
        if self.bits == u64::MAX {
            for bit in (0..64).rev() {
                acc = step(acc, self.at(bit));
            }
            return acc;
        }
        while let Some(item) = self.pop_highest() {
            acc = step(acc, item);
        }
        acc
    }
}

impl<P> Clone for Span<P> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

/// Indices and addresses of the live slots, from both ends.
///
/// W1: `words` are the words `next_word` and following of an engine's live bit set, and `view` is a view of
/// its buffer. Neither changes while the walk is there: the engine is borrowed for `'a`.
struct Cursor<'a, P, V> {
    words: core::slice::Iter<'a, u64>,
    next_word: u32,
    view: V,
    front: Span<P>,
    back: Span<P>,
    left: usize,
}

impl<P, V: Copy> Clone for Cursor<'_, P, V> {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    fn new(words: &'a [u64], first_word: u32, view: V, left: usize) -> Self {
        Self { words: words.iter(), next_word: first_word, view, front: Span::EMPTY, back: Span::EMPTY, left }
    }

    #[inline]
    fn span(view: V, word: u32, bits: u64) -> Span<P> {
        if bits == 0 {
            return Span::EMPTY;
        }
        // SAFETY: W1 and E1, a word with a live slot has its first slot too.
        Span { bits, first: word * 64, slots: unsafe { view.word(word as usize) } }
    }

    #[inline]
    fn next(&mut self) -> Option<(u32, NonNull<Slot<P>>)> {
        loop {
            if let Some(item) = self.front.pop_lowest() {
                self.left -= 1;
                return Some(item);
            }
            let Some(&bits) = self.words.next() else {
                let item = self.back.pop_lowest()?;
                self.left -= 1;
                return Some(item);
            };
            self.front = Self::span(self.view, self.next_word, bits);
            self.next_word += 1;
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn next_back(&mut self) -> Option<(u32, NonNull<Slot<P>>)> {
        loop {
            if let Some(item) = self.back.pop_highest() {
                self.left -= 1;
                return Some(item);
            }
            let Some(&bits) = self.words.next_back() else {
                let item = self.front.pop_highest()?;
                self.left -= 1;
                return Some(item);
            };
            self.back = Self::span(self.view, self.next_word + self.words.len() as u32, bits);
        }
    }

    #[inline]
    fn fold<A>(self, acc: A, mut step: impl FnMut(A, (u32, NonNull<Slot<P>>)) -> A) -> A {
        let mut acc = self.front.fold(acc, &mut step);
        for (&bits, word) in self.words.zip(self.next_word..) {
            acc = Self::span(self.view, word, bits).fold(acc, &mut step);
        }
        self.back.fold(acc, &mut step)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn rfold<A>(self, acc: A, mut step: impl FnMut(A, (u32, NonNull<Slot<P>>)) -> A) -> A {
        let mut acc = self.back.rfold(acc, &mut step);
        let mut word = self.next_word + self.words.len() as u32;
        for &bits in self.words.rev() {
            word -= 1;
            acc = Self::span(self.view, word, bits).rfold(acc, &mut step);
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
        let count = |words: &[u64]| words.iter().map(|bits| bits.count_ones() as usize).sum();
        Some((
            Self::new(low, self.next_word, self.view, count(low)),
            Self::new(high, self.next_word + half as u32, self.view, count(high)),
        ))
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
            fn item((index, $slot): (u32, NonNull<Slot<P>>)) -> (u32, u32, $value) {
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
    /// The words that have a slot; those behind them are zero.
    fn live_words(&self) -> &[u64] {
        self.live.get(..self.buffer.len().div_ceil(64)).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn walk(&self) -> Walk<'_, P, B::View> {
        let cursor = Cursor::new(self.live_words(), 0, self.buffer.view(), self.len());
        Walk { cursor, borrow: PhantomData }
    }

    #[inline]
    pub(crate) fn walk_mut(&mut self) -> WalkMut<'_, P, B::View> {
        let view = self.buffer.view_mut();
        let cursor = Cursor::new(self.live_words(), 0, view, self.len());
        WalkMut { cursor, borrow: PhantomData }
    }
}
