//! Walks over the live slots, 64 at a time.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

use super::Slots;
use super::bits::split;
use super::buffer::{Buffer, View};
use super::slot::Slot;
use crate::layout::Layout;

/// An index and the slot there.
type Found<P> = (u32, NonNull<Slot<P>>);

/// After so many words without a live slot, a walk looks farther ahead.
const LONG_GAP: u32 = 2;

/// The first word at `from` or after it that is not in the set `empty`, or one behind the last of the set. (Out of line, and
/// without the walk: a walk whose address is taken cannot stay in registers.)
#[cold]
#[inline(never)]
fn next_used(empty: &[u64], from: u32) -> u32 {
    let (first, bit) = split(from);
    let mut skipped = bit - 1;
    for (place, bits) in (first..).zip(empty.get(first as usize..).unwrap_or_default()) {
        let used = !(bits | skipped);
        if used != 0 {
            return place * 64 + used.trailing_zeros();
        }
        skipped = 0;
    }
    u32::MAX
}

/// Neighbouring live slots: walked like a slice.
struct Run<P> {
    slot: NonNull<Slot<P>>,
    end: NonNull<Slot<P>>,
    /// Of `slot`.
    index: u32,
}

impl<P> Clone for Run<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Run<P> {}

impl<P> Run<P> {
    const EMPTY: Self = Self { slot: NonNull::dangling(), end: NonNull::dangling(), index: 0 };

    #[inline]
    fn is_empty(&self) -> bool {
        self.slot == self.end
    }

    /// The first slot of a run that is not empty.
    #[inline]
    fn take_first(&mut self) -> Found<P> {
        let found = (self.index, self.slot);
        // SAFETY: W1, the run is not empty, so its end is at least one slot away.
        self.slot = unsafe { self.slot.add(1) };
        self.index += 1;
        found
    }

    /// The last slot of a run that is not empty.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a run is part of one word")]
    fn take_last(&mut self) -> Found<P> {
        // SAFETY: W1 and B3, the run is not empty, so its end is at least one slot away; both ends are in one word.
        unsafe {
            self.end = self.end.sub(1);
            (self.index + self.end.offset_from(self.slot) as u32, self.end)
        }
    }

    #[inline(always)]
    fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while !self.is_empty() {
            acc = step(acc, self.take_first());
        }
        acc
    }

    #[inline(always)]
    fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while !self.is_empty() {
            acc = step(acc, self.take_last());
        }
        acc
    }
}

/// What is left of one word, and where its slots are.
struct Span<P> {
    bits: u64,
    /// The index of the word's first slot.
    first: u32,
    /// That slot.
    slots: NonNull<Slot<P>>,
}

impl<P> Span<P> {
    const EMPTY: Self = Self { bits: 0, first: 0, slots: NonNull::dangling() };

    /// # Safety
    /// `slots` points to the first slot of the word (B3); slots whose bit is set exist and are live (E1).
    #[inline]
    unsafe fn new(slots: NonNull<Slot<P>>, first: u32, bits: u64) -> Self {
        Self { bits, first, slots }
    }

    /// The lowest run of a span that is not empty: the whole word if it is full, and else one slot.
    #[inline]
    fn take_lowest_run(&mut self) -> Run<P> {
        if self.bits == u64::MAX {
            self.bits = 0;
            return self.run(0, 64);
        }
        let start = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.run(start, 1)
    }

    /// The highest run of a span that is not empty.
    #[inline]
    fn take_highest_run(&mut self) -> Run<P> {
        let above = self.bits.leading_zeros();
        let length = (self.bits << above).leading_ones();
        let start = 64 - above - length;
        self.bits &= (1 << start) - 1;
        self.run(start, length)
    }

    /// `length` slots from `start` on are, or were, in `bits`.
    #[inline]
    fn run(&self, start: u32, length: u32) -> Run<P> {
        let (_, slot) = self.at(start);
        // SAFETY: B3 and E1, the slots of the run are live, so they exist and lie side by side.
        Run { slot, end: unsafe { slot.add(length as usize) }, index: self.first + start }
    }

    /// `place` is, or was, in `bits`.
    #[inline]
    fn at(&self, place: u32) -> Found<P> {
        // SAFETY: B3 and E1, the slot is live, so it exists and lies `place` slots behind the first of its word.
        (self.first + place, unsafe { self.slots.add(place as usize) })
    }

    /// A full word is a plain loop over 64 slots.
    #[inline(always)]
    fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        if self.bits == u64::MAX {
            for place in 0..64 {
                acc = step(acc, self.at(place));
            }
            return acc;
        }
        while self.bits != 0 {
            let place = self.bits.trailing_zeros();
            self.bits &= self.bits - 1;
            acc = step(acc, self.at(place));
        }
        acc
    }

    #[inline(always)]
    fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while self.bits != 0 {
            acc = self.take_highest_run().rfold(acc, &mut step);
        }
        acc
    }
}

impl<P> Clone for Span<P> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<P, V: Copy> Clone for Cursor<'_, P, V> {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

/// Indices and addresses of the live slots, from both ends.
///
/// ```text
/// front_run | front | words … | back | back_run
/// ```
///
/// W1: `words` are words of an engine's bit set of vacant slots, beginning with number `next_word`, all of whose
/// slots exist, and `view` is a view of its buffer. Neither changes while the walk is there: the engine is borrowed
/// for `'a`.
struct Cursor<'a, P, V> {
    front_run: Run<P>,
    front: Span<P>,
    words: core::slice::Iter<'a, u64>,
    /// The set of words without a live slot.
    empty: &'a [u64],
    /// At first the last word, if not all of its slots exist.
    back: Span<P>,
    back_run: Run<P>,
    next_word: u32,
    view: V,
    /// The open word and its holes, and the word and bit of the next free slot: they are vacant, but have no bits in
    /// `words`.
    open: (u32, u64),
    next_free: (u32, u64),
    left: usize,
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    /// The live slots of a word, all of whose slots exist.
    #[inline]
    fn span(&self, word: u32, vacant: u64) -> Span<P> {
        let open = if word == self.open.0 { self.open.1 } else { 0 };
        let next = if word == self.next_free.0 { self.next_free.1 } else { 0 };
        // SAFETY: W1 and B3, the word's slots exist, and these are live (E1).
        unsafe { Span::new(self.view.word(word as usize), word * 64, !(vacant | open | next)) }
    }

    #[inline]
    fn next(&mut self) -> Option<Found<P>> {
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
            let Some(&vacant) = self.words.next() else { return self.run_from_back() };
            self.front = self.span(self.next_word, vacant);
            self.next_word += 1;
            gap += 1;
            if gap % LONG_GAP == 0 {
                self.skip_vacant();
            }
        }
        Some(self.front.take_lowest_run())
    }

    /// Steps over words without a live slot.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn skip_vacant(&mut self) {
        let words = self.words.as_slice();
        let gap = (next_used(self.empty, self.next_word) - self.next_word) as usize;
        self.words = words.get(gap..).unwrap_or_default().iter();
        self.next_word += (words.len() - self.words.len()) as u32;
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
    fn next_back(&mut self) -> Option<Found<P>> {
        if self.back_run.is_empty() {
            self.back_run = self.next_back_run()?;
        }
        self.left -= 1;
        Some(self.back_run.take_last())
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn next_back_run(&mut self) -> Option<Run<P>> {
        loop {
            if self.back.bits != 0 {
                return Some(self.back.take_highest_run());
            }
            let Some(&vacant) = self.words.next_back() else { return self.run_from_front() };
            self.back = self.span(self.next_word + self.words.len() as u32, vacant);
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
    fn fold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.front_run.fold(acc, &mut step);
        acc = self.front.clone().fold(acc, &mut step);
        let mut gap = 0;
        while let Some(&vacant) = self.words.next() {
            acc = self.span(self.next_word, vacant).fold(acc, &mut step);
            self.next_word += 1;
            gap = if vacant == u64::MAX { gap + 1 } else { 0 };
            if gap == LONG_GAP {
                self.skip_vacant();
                gap = 0;
            }
        }
        acc = self.back.clone().fold(acc, &mut step);
        self.back_run.fold(acc, &mut step)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
    fn rfold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.back_run.rfold(acc, &mut step);
        acc = self.back.clone().rfold(acc, &mut step);
        while let Some(&vacant) = self.words.next_back() {
            let word = self.next_word + self.words.len() as u32;
            acc = self.span(word, vacant).rfold(acc, &mut step);
        }
        acc = self.front.clone().rfold(acc, &mut step);
        self.front_run.rfold(acc, &mut step)
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
        let count = |(word, &vacant): (u32, &u64)| self.span(word, vacant).bits.count_ones() as usize;
        let in_low = (self.next_word..).zip(low).map(count).sum();
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

// SAFETY: W1, a `Walk` is a `&[P]` with holes: it gives out `&P`.
unsafe impl<P: Sync, V> Send for Walk<'_, P, V> {}
// SAFETY: W1, as above.
unsafe impl<P: Sync, V> Sync for Walk<'_, P, V> {}
// SAFETY: W1, a `WalkMut` is a `&mut [P]` with holes: it gives out `&mut P`.
unsafe impl<P: Send, V> Send for WalkMut<'_, P, V> {}
// SAFETY: W1, a shared `WalkMut` gives out nothing.
unsafe impl<P: Sync, V> Sync for WalkMut<'_, P, V> {}

/// What a walk must know of an engine, beside where slots and bits are.
struct Outline {
    /// How many words have all their slots.
    whole: u32,
    /// The live slots of the word behind these.
    rest: u64,
    /// Where in the bits the set of words without a live slot is.
    empty: Range<usize>,
    open: (u32, u64),
    next_free: (u32, u64),
    left: usize,
}

impl<'a, P, V: View<P>> Cursor<'a, P, V> {
    #[inline]
    fn new(outline: Outline, (view, bits): (V, &'a [u64])) -> Self {
        let Outline { whole, rest, empty, open, next_free, left } = outline;
        // SAFETY: B3 and E1, a live slot shows that the word is there.
        let last_span = || unsafe { Span::new(view.word(whole as usize), whole * 64, rest) };
        let back = if rest == 0 { Span::EMPTY } else { last_span() };
        Self {
            front_run: Run::EMPTY,
            front: Span::EMPTY,
            words: bits.get(..whole as usize).unwrap_or_default().iter(),
            empty: bits.get(empty).unwrap_or_default(),
            next_word: 0,
            view,
            open,
            next_free,
            back_run: Run::EMPTY,
            back,
            left,
        }
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    #[inline]
    fn outline(&self) -> Outline {
        let whole = self.slot_count() / 64;
        Outline {
            whole,
            rest: self.live_bits(whole),
            empty: self.bits.empty_range(),
            open: (self.free.open_word, self.free.open),
            next_free: split(self.free.next()),
            left: self.len(),
        }
    }

    #[inline]
    pub(crate) fn walk(&self) -> Walk<'_, P, B::View> {
        Walk { cursor: Cursor::new(self.outline(), self.buffer.parts()), borrow: PhantomData }
    }

    #[inline]
    pub(crate) fn walk_mut(&mut self) -> WalkMut<'_, P, B::View> {
        let outline = self.outline();
        WalkMut { cursor: Cursor::new(outline, self.buffer.parts_mut()), borrow: PhantomData }
    }
}
