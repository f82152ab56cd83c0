//! Live slots of one word, and runs of neighbouring ones: what all iterators are made of.
#![allow(unsafe_code, reason = "computes addresses of slots")]

use core::ptr::NonNull;

use super::slot::Slot;

/// An index and the slot there.
pub(super) type Found<P> = (u32, NonNull<Slot<P>>);

/// Neighbouring live slots: iterated like a slice.
pub(super) struct Run<P> {
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
    pub(super) const EMPTY: Self = Self { slot: NonNull::dangling(), end: NonNull::dangling(), index: 0 };

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.slot == self.end
    }

    /// The first slot of a run that is not empty.
    #[inline]
    pub(super) fn take_first(&mut self) -> Found<P> {
        let found = (self.index, self.slot);
        // SAFETY: W1, the run is not empty, so its end is at least one slot away.
        self.slot = unsafe { self.slot.add(1) };
        self.index += 1;
        found
    }

    /// The last slot of a run that is not empty.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a run is part of one word")]
    pub(super) fn take_last(&mut self) -> Found<P> {
        // SAFETY: W1 and B3, the run is not empty, so its end is at least one slot away; both ends
        // are in one word.
        unsafe {
            self.end = self.end.sub(1);
            (self.index + self.end.offset_from(self.slot) as u32, self.end)
        }
    }

    #[inline(always)]
    pub(super) fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while !self.is_empty() {
            acc = step(acc, self.take_first());
        }
        acc
    }

    #[inline(always)]
    pub(super) fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        while !self.is_empty() {
            acc = step(acc, self.take_last());
        }
        acc
    }
}

/// What is left of one word, and where its slots are.
pub(super) struct Span<P> {
    pub(super) bits: u64,
    /// The index of the word's first slot.
    first: u32,
    /// That slot.
    slots: NonNull<Slot<P>>,
}

impl<P> Span<P> {
    pub(super) const EMPTY: Self = Self { bits: 0, first: 0, slots: NonNull::dangling() };

    /// # Safety
    /// `slots` points to the first slot of the word (B3); slots whose bit is set exist and are live
    /// (E1).
    #[inline]
    pub(super) unsafe fn new(slots: NonNull<Slot<P>>, first: u32, bits: u64) -> Self {
        Self { bits, first, slots }
    }

    /// The lowest run of a span that is not empty: the whole word if it is full, and else one slot.
    #[inline]
    pub(super) fn take_lowest_run(&mut self) -> Run<P> {
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
    pub(super) fn take_highest_run(&mut self) -> Run<P> {
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

    /// `bit` is, or was, in `bits`.
    #[inline]
    fn at(&self, bit: u32) -> Found<P> {
        // SAFETY: B3 and E1, the slot is live, so it exists and lies `bit` slots behind the first
        // of its word.
        (self.first + bit, unsafe { self.slots.add(bit as usize) })
    }

    /// A full word is a plain loop over 64 slots.
    #[inline(always)]
    pub(super) fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        if self.bits == u64::MAX {
            for bit in 0..64 {
                acc = step(acc, self.at(bit));
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
    pub(super) fn take_lowest(&mut self) -> Found<P> {
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.at(bit)
    }

    #[inline(always)]
    pub(super) fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
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
