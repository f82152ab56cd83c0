//! The live slots of one word, and runs of neighbouring live slots. All iterators are built from
//! them.
#![allow(unsafe_code, reason = "computes addresses of slots")]

use core::ptr::NonNull;

use super::slot::{Slot, non_null};

/// An index and a pointer to its slot.
pub(super) type Found<P> = (u32, NonNull<Slot<P>>);

/// Neighbouring live slots, iterated like a slice.
///
/// The pointers are never null. They are not `NonNull`s, because their methods are calls in an
/// unoptimised build (`iterate for` of `cargo versus --debug`).
pub(super) struct Run<P> {
    slot: *const Slot<P>,
    end: *const Slot<P>,
    /// The index of `slot`.
    index: u32,
}

impl<P> Clone for Run<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Run<P> {}

impl<P> Run<P> {
    pub(super) const EMPTY: Self =
        Self { slot: NonNull::dangling().as_ptr(), end: NonNull::dangling().as_ptr(), index: 0 };

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.slot == self.end
    }

    /// Returns the number of slots.
    pub(super) fn len(&self) -> usize {
        // The pointers are whole slots apart, within one word, and a slot is never of size 0: it
        // has a mark.
        (self.end.addr() - self.slot.addr()) / size_of::<Slot<P>>()
    }

    /// Removes the first slot of a run that is not empty.
    #[inline(always)]
    pub(super) fn take_first(&mut self) -> Found<P> {
        let first = (self.index, found(self.slot));
        self.slot = self.slot.wrapping_add(1);
        self.index = self.index.wrapping_add(1);
        first
    }

    /// Removes the lowest bit of a word that starts where the run starts, and returns its slot.
    #[inline(always)]
    pub(super) fn take_bit(&self, bits: &mut u64) -> Found<P> {
        let bit = bits.trailing_zeros();
        *bits &= bits.wrapping_sub(1);
        (self.index.wrapping_add(bit), found(self.slot.wrapping_add(bit as usize)))
    }

    /// Removes the last slot of a run that is not empty.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a run is part of one word")]
    pub(super) fn take_last(&mut self) -> Found<P> {
        self.end = self.end.wrapping_sub(1);
        // SAFETY: both pointers must be in one allocation, whole slots apart: by W1 and B3 both are
        // within one word.
        let distance = unsafe { self.end.offset_from(self.slot) };
        (self.index + distance as u32, found(self.end))
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

/// Converts a pointer of a run.
#[inline(always)]
fn found<P>(slot: *const Slot<P>) -> NonNull<Slot<P>> {
    // SAFETY: the pointer must not be null: the pointers of a run are made from `NonNull`s, and
    // stay within the slots of one word.
    unsafe { non_null(slot.cast_mut()) }
}

/// The remaining live slots of one word, and the address of its slots.
pub(super) struct Span<P> {
    pub(super) bits: u64,
    /// The index of the word's first slot.
    first: u32,
    /// The address of the word's first slot.
    slots: NonNull<Slot<P>>,
}

impl<P> Span<P> {
    pub(super) const EMPTY: Self = Self { bits: 0, first: 0, slots: NonNull::dangling() };

    /// # Safety
    /// `slots` points to the first slot of the word (B3); every slot whose bit is set exists and is
    /// live (E1).
    #[inline(always)]
    pub(super) unsafe fn new(slots: NonNull<Slot<P>>, first: u32, bits: u64) -> Self {
        Self { bits, first, slots }
    }

    /// Removes the lowest run of a span that is not empty: the whole word if it is full, otherwise
    /// one slot.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) fn take_lowest_run(&mut self) -> Run<P> {
        let (start, length) = if self.bits == u64::MAX { (0, 64) } else { (self.bits.trailing_zeros(), 1) };
        self.bits = if length == 64 { 0 } else { self.bits & (self.bits - 1) };
        let slot = self.slots.as_ptr().wrapping_add(start as usize);
        Run { slot, end: slot.wrapping_add(length), index: self.first | start }
    }

    /// Returns the run of a word: all slots if the word is full, and otherwise an empty run that
    /// starts at the first slot of the word.
    #[inline(always)]
    pub(super) fn run(&self) -> Run<P> {
        let slot = self.slots.as_ptr().cast_const();
        let length = if self.bits == u64::MAX { 64 } else { 0 };
        Run { slot, end: slot.wrapping_add(length), index: self.first }
    }

    /// Returns the slot of a bit that is, or was, in `bits`.
    #[inline(always)]
    fn at(&self, bit: u32) -> Found<P> {
        // SAFETY: the offset must be in bounds: by E1 the slot is live, so it exists, and by B3 it
        // lies `bit` slots behind the first slot of its word.
        (self.first + bit, unsafe { self.slots.add(bit as usize) })
    }

    /// Folds the remaining slots. A full word is a plain loop over 64 slots. The compiler unrolls
    /// it; where slots are large, each of its many loads would then skip pages, and the processor
    /// would not see that memory is read in order (row `iterate fold`, 64B, 1M).
    #[inline(always)]
    pub(super) fn fold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        if self.bits == u64::MAX && Slot::<P>::IS_LARGE {
            return self.run().fold(acc, step);
        }
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

    /// Like `fold`, highest slot first.
    #[inline(always)]
    pub(super) fn rfold<A>(mut self, mut acc: A, mut step: impl FnMut(A, Found<P>) -> A) -> A {
        if self.bits == u64::MAX {
            for bit in (0..64).rev() {
                acc = step(acc, self.at(bit));
            }
            return acc;
        }
        while self.bits != 0 {
            acc = step(acc, self.take_highest());
        }
        acc
    }

    /// Removes the lowest slot of a span that is not empty.
    #[inline]
    pub(super) fn take_lowest(&mut self) -> Found<P> {
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.at(bit)
    }

    /// Removes the highest slot of a span that is not empty.
    #[inline]
    pub(super) fn take_highest(&mut self) -> Found<P> {
        let bit = 63 - self.bits.leading_zeros();
        self.bits &= !(1 << bit);
        self.at(bit)
    }
}

impl<P> Clone for Span<P> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}
