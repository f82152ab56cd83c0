//! Walks over the live slots, 64 at a time.
#![expect(unsafe_code, reason = "reads slots through the buffer's view")]

use core::iter::FusedIterator;
use core::marker::PhantomData;
#[cfg(feature = "alloc")]
use core::ops::Range;
use core::ptr::NonNull;

use super::Slots;
use super::bits::{next_used, split};
use super::buffer::{Buffer, View};
use super::slot::Slot;
use crate::layout::Layout;

/// An index and the slot there.
type Found<P> = (u32, NonNull<Slot<P>>);

/// After so many words without a live slot, a walk looks farther ahead.
const LONG_GAP: u32 = 8;

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
    #[expect(clippy::cast_possible_truncation, reason = "a run is part of one word")]
    fn take_last(&mut self) -> Found<P> {
        // SAFETY: W1 and B3, the run is not empty, so its end is at least one slot away; both ends
        // are in one word.
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
    /// `slots` points to the first slot of the word (B3); slots whose bit is set exist and are live
    /// (E1).
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
        // SAFETY: B3 and E1, the slot is live, so it exists and lies `place` slots behind the first
        // of its word.
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
            acc = step(acc, self.take_lowest());
        }
        acc
    }

    /// The lowest slot of a span that is not empty.
    #[inline]
    fn take_lowest(&mut self) -> Found<P> {
        let place = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.at(place)
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
        Self { front: self.front.clone(), back: self.back.clone(), ..*self }
    }
}

/// Indices and addresses of the live slots, from both ends.
///
/// ```text
/// front_run | front | words … | back | back_run
/// ```
///
/// W1: `vacant` points to an engine's bits of vacant slots, and `view` is a view of its buffer. All
/// slots of the words below `end_word` exist, and `next_word` is at most that. Neither changes
/// while the walk is there: the engine is borrowed for `'a`.
struct Cursor<'a, P, V> {
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
    left: usize,
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
    fn next_back(&mut self) -> Option<Found<P>> {
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
    fn fold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
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
    fn rfold<A>(mut self, acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        let mut acc = self.back_run.rfold(acc, &mut step);
        acc = self.back.clone().rfold(acc, &mut step);
        while self.next_word < self.end_word {
            self.end_word -= 1;
            acc = self.span(self.end_word).rfold(acc, &mut step);
        }
        acc = self.front.clone().rfold(acc, &mut step);
        self.front_run.rfold(acc, &mut step)
    }

    /// Two walks for two threads; `None` when there is one word left or none. Only for a walk not
    /// begun.
    #[cfg(feature = "rayon")]
    fn split(&self) -> Option<(Self, Self)> {
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
        // SAFETY: W1 and S1, the slot is live, and the engine is borrowed alone for `'a`. A cursor
        // gives every slot once, and makes no reference to the others.
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
#[derive(Clone, Copy)]
struct Outline {
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
    fn new(outline: Outline, (view, bits): (V, &'a [u64])) -> Self {
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
    fn outline(&self) -> Outline {
        let whole = self.slot_count() / 64;
        Outline {
            whole,
            rest: self.live_bits(whole),
            first: self.bits.first(),
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

/// A walk that does not borrow the engine: it asks for one word after the other, and the engine may
/// change in between. What is inserted on the way may be met or not; nothing that was there is
/// missed.
///
/// R1: nothing that the walk has been given is removed while it is there: its caller borrows the
/// engine's owner.
#[cfg(feature = "alloc")]
pub(crate) struct Roam<P> {
    run: Run<P>,
    span: Span<P>,
    next_word: u32,
    end_word: u32,
}

#[cfg(feature = "alloc")]
impl<P> Roam<P> {
    /// Over words that exist.
    pub(crate) fn over(words: Range<u32>) -> Self {
        Self { run: Run::EMPTY, span: Span::EMPTY, next_word: words.start, end_word: words.end }
    }

    /// Index, mark and address of the next value.
    #[inline]
    pub(crate) fn next<L: Layout, B: Buffer<P>>(
        &mut self,
        slots: impl Fn() -> *const Slots<P, L, B>,
    ) -> Option<(u32, u32, NonNull<P>)> {
        if self.run.is_empty() {
            // Rare where words are full: what only this path needs shall not take registers from
            // the loop around.
            super::unlikely();
            while self.span.bits == 0 {
                if self.next_word == self.end_word {
                    return None;
                }
                // SAFETY: R1, the caller's pointer leads to the engine, which is not borrowed while
                // this looks at it.
                self.span = unsafe { (*slots()).span_at(self.next_word) };
                self.next_word += 1;
            }
            self.run = self.span.take_lowest_run();
        }
        Some(Self::item(self.run.take_first()))
    }

    /// Does something with all of a walk that has not begun. Other than `fold`, it has one place
    /// that calls the closure: so also a large one becomes part of the loop, and more of its rounds
    /// wait for memory at the same time.
    #[inline]
    pub(crate) fn for_each<L: Layout, B: Buffer<P>>(
        self,
        slots: impl Fn() -> *const Slots<P, L, B>,
        mut step: impl FnMut((u32, u32, NonNull<P>)),
    ) {
        for word in self.next_word..self.end_word {
            // SAFETY: R1, as in `next`.
            let mut span = unsafe { (*slots()).span_at(word) };
            while span.bits != 0 {
                step(Self::item(span.take_lowest()));
            }
        }
    }

    /// The same for all that are left.
    #[inline]
    pub(crate) fn fold<A, L: Layout, B: Buffer<P>>(
        self,
        slots: impl Fn() -> *const Slots<P, L, B>,
        acc: A,
        mut step: impl FnMut(A, (u32, u32, NonNull<P>)) -> A,
    ) -> A {
        let mut acc = self.run.fold(acc, |acc, found| step(acc, Self::item(found)));
        acc = self.span.fold(acc, |acc, found| step(acc, Self::item(found)));
        for word in self.next_word..self.end_word {
            // SAFETY: R1, as in `next`.
            let span = unsafe { (*slots()).span_at(word) };
            acc = span.fold(acc, |acc, found| step(acc, Self::item(found)));
        }
        acc
    }

    #[inline]
    fn item((index, slot): Found<P>) -> (u32, u32, NonNull<P>) {
        // SAFETY: R1, the slot was live and is not removed. Its mark is read and the address of its
        // value taken, no more.
        unsafe { (index, (*slot.as_ptr()).mark, NonNull::new_unchecked(Slot::value_ptr(slot.as_ptr()))) }
    }
}

#[cfg(feature = "alloc")]
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// The live slots of a word that exists. Few words have free slots without a bit, and only the
    /// last may have slots that do not exist: these are looked at out of line.
    #[inline]
    fn span_at(&self, word: u32) -> Span<P> {
        let is_plain =
            word < self.slot_count() / 64 && self.free.open_word != word && split(self.free.next()).0 != word;
        let live = if is_plain { !self.plain_bits(word) } else { self.special_bits(word) };
        if live == 0 {
            return Span::EMPTY;
        }
        // SAFETY: B3 and E1, a live slot shows that the word is there.
        unsafe { Span::new(self.buffer.parts().0.word(word as usize), word * 64, live) }
    }

    /// The bits of a word that exists.
    #[inline]
    fn plain_bits(&self, word: u32) -> u64 {
        debug_assert!(word < self.word_count());
        // SAFETY: D1 and E2, there are bits for every word that exists.
        unsafe { *self.buffer.bits().get_unchecked(self.bits.first() + word as usize) }
    }

    #[cold]
    #[inline(never)]
    fn special_bits(&self, word: u32) -> u64 {
        self.live_bits(word)
    }
}
