//! Contiguous slots on the heap, followed by their bits. They move when the buffer grows.
#![expect(unsafe_code, reason = "lays slots and bits out in one block of memory")]

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use super::{Buffer, Flat, Sealed, Slot, index_in};
use crate::slots::FullKind;
use crate::slots::bits::needed;
use crate::slots::occupancy::Occupancy;

/// Contiguous values on the heap, as in a `Vec`. See [`Pool`](crate::Pool).
///
/// All code that does not depend on the type of the values is in `Block`, which is compiled once.
pub struct Growable<P> {
    block: Block,
    slots: PhantomData<Slot<P>>,
}

// SAFETY: the memory must not be shared with another owner: only this buffer owns the block, which
// contains slots of `P` and bits.
unsafe impl<P: Send> Send for Growable<P> {}
// SAFETY: as above. A shared buffer returns pointers for reading.
unsafe impl<P: Sync> Sync for Growable<P> {}

/// One block of memory, so that the allocator can more often extend it in place.
///
/// ```text
/// memory: | skipped | slot 0 | slot 1 | … capacity | padding | bits |
/// ```
///
/// - G1: `first` is aligned for a slot. If `memory` is not empty, `first` and `bits` point into it,
///   and from there on it has room for `capacity` slots and for `bit_words` initialised words.
/// - G2: `capacity <= limit`.
struct Block {
    /// The address of slot 0.
    first: NonNull<u64>,
    /// The address of the bits.
    bits: NonNull<u64>,
    bit_words: usize,
    capacity: usize,
    limit: usize,
    /// Owns the memory. It is accessed through `first` and `bits` only.
    memory: Vec<Word>,
}

/// Memory for a word, aligned to 8 bytes on every target (a `u64` is not on 32-bit x86).
#[repr(C, align(8))]
struct Word(MaybeUninit<u64>);

const _: () = assert!(size_of::<Word>() == 8);

/// The size of a slot, and an alignment that suits slots and bits.
#[derive(Clone, Copy)]
struct Shape {
    size: usize,
    align: usize,
}

impl Shape {
    const fn of<P>() -> Self {
        let align = if align_of::<Slot<P>>() > 8 { align_of::<Slot<P>>() } else { 8 };
        Self { size: size_of::<Slot<P>>(), align }
    }

    /// Returns the number of words that `slots` slots take, or `usize::MAX` if their bytes
    /// overflow.
    fn words(self, slots: usize) -> usize {
        slots.checked_mul(self.size).map_or(usize::MAX, |bytes| bytes.div_ceil(8))
    }

    /// Returns the greatest number of words to skip so that slot 0 is aligned.
    fn most_skipped(self) -> usize {
        self.align.saturating_sub(8) / 8
    }

    /// Returns the number of words to skip from an address that is aligned for a [`Word`].
    fn skipped(self, address: usize) -> usize {
        (address.wrapping_neg() & (self.align - 1)) / 8
    }
}

impl Block {
    /// Returns twice the capacity; at first a few slots, or one if they are large.
    fn amortized_capacity(&self, shape: Shape, slots: usize) -> usize {
        let first = match shape.size {
            0..=64 => 8,
            65..=1024 => 4,
            _ => 1,
        };
        slots.max(self.capacity.saturating_mul(2)).max(first)
    }

    /// Makes room for `slots` slots and `bit_words` words of bits. Neither is less than before.
    fn try_grow(&mut self, shape: Shape, slots: usize, bit_words: usize) -> Result<(), TryReserveError> {
        // `Vec` returns an error for sizes that overflow.
        let (used, slot_words) = (shape.words(self.capacity), shape.words(slots));
        let length = slot_words.saturating_add(bit_words).saturating_add(shape.most_skipped());
        let old_skipped = if self.memory.is_empty() { 0 } else { shape.skipped(self.memory.as_ptr().addr()) };
        self.memory.try_reserve_exact(length.saturating_sub(self.memory.len()))?;
        let memory = self.memory.as_mut_ptr().cast::<u64>();
        let skipped = shape.skipped(memory.addr());
        // SAFETY: the length must be within the capacity: `length` words were reserved, and words
        // may be uninitialised. Both copies must stay in bounds: by G1 the slots were at
        // `old_skipped` and the bits `used` words behind them, and both have room at their
        // destination. No word may be overwritten before it is moved: if the slots move towards the
        // end, the bits are moved first; if the slots move towards the beginning, the slots are
        // moved first. New bits are written before `bit_words` counts them.
        unsafe {
            self.memory.set_len(length);
            let (old_first, first) = (memory.add(old_skipped), memory.add(skipped));
            let (old_bits, bits) = (old_first.add(used), first.add(slot_words));
            if skipped < old_skipped {
                core::ptr::copy(old_first, first, used);
            }
            core::ptr::copy(old_bits, bits, self.bit_words);
            if skipped > old_skipped {
                core::ptr::copy(old_first, first, used);
            }
            bits.add(self.bit_words).write_bytes(0, bit_words - self.bit_words);
            (self.first, self.bits) = (NonNull::new_unchecked(first), NonNull::new_unchecked(bits));
        }
        (self.capacity, self.bit_words) = (slots, bit_words);
        Ok(())
    }

    /// See [`Buffer::grow`].
    fn grow(&mut self, shape: Shape, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), FullKind> {
        if slots > self.limit.min(most as usize) {
            return Err(if slots > most as usize { FullKind::Slots } else { FullKind::Fixed });
        }
        let slots = self.amortized_capacity(shape, slots);
        self.set_capacity(shape, occupancy, slots, most).map_err(|_| FullKind::Memory)
    }

    /// See [`Buffer::set_capacity`].
    fn set_capacity(
        &mut self,
        shape: Shape,
        occupancy: &mut Occupancy,
        slots: usize,
        most: u32,
    ) -> Result<(), TryReserveError> {
        let slots = slots.min(self.limit).min(most as usize).max(self.capacity);
        let words = slots.div_ceil(64).max(occupancy.bits.words());
        self.try_grow(shape, slots, needed(words))?;
        occupancy.use_capacity(self.bits_mut(), words, slots, most);
        Ok(())
    }

    #[inline]
    fn bits_mut(&mut self) -> &mut [u64] {
        // SAFETY: the words must be initialised and borrowed exclusively: by G1 they are
        // initialised, and no slot overlaps them; they are borrowed as the block is.
        unsafe { core::slice::from_raw_parts_mut(self.bits.as_ptr(), self.bit_words) }
    }

    /// Releases the memory that `slots` slots and `bit_words` words of bits do not need. Neither is
    /// more than before.
    fn shrink_to(&mut self, shape: Shape, slots: usize, bit_words: usize) {
        let slot_words = shape.words(slots);
        let length = if slots == 0 && bit_words == 0 { 0 } else { slot_words + bit_words + shape.most_skipped() };
        let old_skipped = shape.skipped(self.memory.as_ptr().addr());
        // SAFETY: the copy must stay in bounds: by G1, and because fewer slots than before take
        // less room. The bits are moved towards the slots.
        unsafe { core::ptr::copy(self.bits.as_ptr(), self.first.as_ptr().add(slot_words), bit_words) };
        self.memory.truncate(length);
        self.memory.shrink_to_fit();
        let memory = self.memory.as_mut_ptr().cast::<u64>();
        let skipped = if length == 0 { 0 } else { shape.skipped(memory.addr()) };
        let first =
            if length == 0 { core::ptr::without_provenance_mut(shape.align) } else { memory.wrapping_add(skipped) };
        // SAFETY: the copy must stay in bounds: by G1 the slots and the bits behind them are in the
        // memory, with which they may have moved, and have room at their destination. Neither
        // pointer is null.
        unsafe {
            if length != 0 && skipped != old_skipped {
                core::ptr::copy(memory.add(old_skipped), first, slot_words + bit_words);
            }
            self.first = NonNull::new_unchecked(first);
            self.bits = NonNull::new_unchecked(first.wrapping_add(slot_words));
        }
        (self.capacity, self.bit_words) = (slots, bit_words);
    }
}

impl<P: Copy> Growable<P> {
    /// Returns a buffer with the same bits and the first `slots` slots, without room for more slots
    /// unless there is a limit.
    pub(in super::super) fn copy(&self, slots: usize) -> Result<Self, TryReserveError> {
        let mut copy = Self::EMPTY.open();
        copy.block.limit = self.block.limit;
        copy.try_grow(self.least_capacity(slots), self.block.bit_words)?;
        // SAFETY: both ranges must be valid and must not overlap: by B1 both buffers have memory
        // for this many slots, and each owns its own. Slots of `Copy` values are copied as they
        // are, initialised or not.
        unsafe { core::ptr::copy_nonoverlapping(self.slot(0), copy.slot_mut(0), slots) };
        copy.bits_mut().copy_from_slice(self.bits());
        Ok(copy)
    }
}

// SAFETY: the trait requires B1 to B4. B1: G1. B2: `Vec` preserves the whole block, since all of it
// is within its length; `try_grow` moves slots and bits to where `first` and `bits` point, and
// writes new bits as 0. B3: all slots are contiguous. B4: only `shrink_to` releases memory.
unsafe impl<P> Buffer<P> for Growable<P> {
    const EMPTY: Sealed<Self> = Sealed::new(Self {
        block: Block {
            // Aligned for slots and for bits.
            first: if align_of::<Slot<P>>() > 8 {
                NonNull::<Slot<P>>::dangling().cast()
            } else {
                NonNull::dangling()
            },
            bits: NonNull::dangling(),
            bit_words: 0,
            capacity: 0,
            limit: usize::MAX,
            memory: Vec::new(),
        },
        slots: PhantomData,
    });

    type Of<Q> = Growable<Q>;
    type View = Flat<P>;
    type Refusal = TryReserveError;
    type Ledger = Vec<Cell<u64>>;

    #[inline]
    fn capacity(&self) -> usize {
        self.block.capacity
    }

    #[inline]
    fn limit(&self) -> usize {
        self.block.limit
    }

    fn is_fixed(&self) -> bool {
        self.chosen_limit().is_some()
    }

    fn chosen_limit(&self) -> Option<usize> {
        Some(self.block.limit).filter(|&limit| limit != usize::MAX)
    }

    fn set_limit(&mut self, slots: usize) {
        self.block.limit = slots;
    }

    #[inline(always)]
    fn slot(&self, index: usize) -> *const Slot<P> {
        self.block.first.as_ptr().cast::<Slot<P>>().wrapping_add(index)
    }

    #[inline(always)]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P> {
        self.block.first.as_ptr().cast::<Slot<P>>().wrapping_add(index)
    }

    #[inline]
    fn bits(&self) -> &[u64] {
        // SAFETY: the words must be initialised: G1. They are borrowed as the buffer is.
        unsafe { core::slice::from_raw_parts(self.block.bits.as_ptr(), self.block.bit_words) }
    }

    #[inline]
    fn bits_mut(&mut self) -> &mut [u64] {
        self.block.bits_mut()
    }

    #[inline]
    fn slot_and_bits_mut(&mut self, index: usize) -> (*mut Slot<P>, &mut [u64]) {
        (self.slot_mut(index), self.block.bits_mut())
    }

    #[inline]
    fn parts(&self) -> (Self::View, &[u64]) {
        (Flat(self.block.first.cast()), self.bits())
    }

    #[inline]
    fn parts_mut(&mut self) -> (Self::View, &[u64]) {
        (Flat(self.block.first.cast()), self.bits())
    }

    fn amortized_capacity(&self, slots: usize) -> usize {
        self.block.amortized_capacity(Shape::of::<P>(), slots)
    }

    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), TryReserveError> {
        self.block.try_grow(Shape::of::<P>(), slots, bits)
    }

    fn grow(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), FullKind> {
        self.block.grow(Shape::of::<P>(), occupancy, slots, most)
    }

    fn set_capacity(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), TryReserveError> {
        self.block.set_capacity(Shape::of::<P>(), occupancy, slots, most)
    }

    fn too_much() -> TryReserveError {
        too_much()
    }

    fn least_capacity(&self, slots: usize) -> usize {
        if self.block.limit == usize::MAX { slots } else { self.block.capacity }
    }

    fn shrink_to(&mut self, slots: usize, bits: usize) {
        self.block.shrink_to(Shape::of::<P>(), slots, bits);
    }

    fn bytes(&self) -> usize {
        self.block.memory.capacity() * size_of::<Word>()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        index_in::<P>(self.block.first.addr().get(), self.block.capacity, address)
    }

    fn ledger(&self, slots: usize) -> Vec<Cell<u64>> {
        ledger(slots)
    }
}

/// Returns one bit for each of `slots` slots, none set.
pub(super) fn ledger(slots: usize) -> Vec<Cell<u64>> {
    alloc::vec![Cell::new(0); slots.div_ceil(64)]
}

/// Returns the error that `Vec` returns for an impossible request.
#[cold]
pub(super) fn too_much() -> TryReserveError {
    match Vec::<u64>::new().try_reserve(usize::MAX) {
        Err(error) => error,
        Ok(()) => unreachable!("no machine has that much memory"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A type whose slot has 192 bytes and an alignment of 64.
    #[repr(align(64))]
    struct Aligned([u8; 65]);

    fn check(buffer: &mut Growable<Aligned>, slots: usize, bits: usize, filled: usize) {
        assert_eq!(buffer.slot(0).addr() % 64, 0);
        assert_eq!((buffer.capacity(), buffer.bits().len()), (slots, bits));
        for index in 0..filled {
            // SAFETY: the byte must be in bounds and initialised: B1, and `fill` has written it.
            let byte = unsafe { *buffer.slot(index).cast::<u8>() };
            assert_eq!(usize::from(byte), index);
        }
    }

    fn fill(buffer: &mut Growable<Aligned>, slots: usize) {
        for index in 0..slots {
            // SAFETY: the byte must be in bounds: by B1 there is memory for the slot.
            unsafe { *buffer.slot_mut(index).cast::<u8>() = u8::try_from(index).unwrap() };
        }
    }

    #[test]
    fn slots_and_bits_survive_growing_and_shrinking() {
        let mut buffer = Growable::<Aligned>::EMPTY.open();
        // Allocations in between make it likelier that the block moves.
        let mut between = Vec::new();
        let mut slots = 0;
        for step in 1..12 {
            buffer.try_grow(step * 5, step * 2).unwrap();
            assert!(buffer.bits()[slots / 5 * 2..].iter().all(|bits| *bits == 0));
            check(&mut buffer, step * 5, step * 2, slots);
            slots = step * 5;
            fill(&mut buffer, slots);
            buffer.bits_mut().fill(7);
            between.push(alloc::vec![0_u8; step * 24]);
        }
        buffer.shrink_to(7, 3);
        check(&mut buffer, 7, 3, 7);
        assert_eq!(buffer.bits(), [7; 3]);
        buffer.shrink_to(0, 0);
        check(&mut buffer, 0, 0, 0);
        assert_eq!(buffer.bytes(), 0);
        buffer.try_grow(2, 1).unwrap();
        check(&mut buffer, 2, 1, 0);
        let Aligned(bytes) = Aligned([0; 65]);
        assert_eq!(size_of::<Slot<Aligned>>() / bytes.len(), 2);
    }

    #[test]
    fn an_empty_buffer_shrinks() {
        let mut buffer = Growable::<u32>::EMPTY.open();
        buffer.shrink_to(0, 0);
        buffer.try_grow(3, 1).unwrap();
        buffer.shrink_to(0, 0);
        buffer.shrink_to(0, 0);
        assert_eq!((buffer.capacity(), buffer.bytes(), buffer.bits().len()), (0, 0, 0));
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let mut buffer = Growable::<u64>::EMPTY.open();
        assert!(buffer.try_grow(usize::MAX, 1).is_err());
        assert!(buffer.try_grow(usize::MAX / 64, 1).is_err());
        assert_eq!((buffer.capacity(), buffer.bytes()), (0, 0));
    }
}
