//! Slots in the container itself, without an allocator.
#![expect(unsafe_code, reason = "reads bytes as bits, and hands out pointers to slots")]

use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ops::Deref;
use core::ptr::NonNull;

use super::{Buffer, Flat, Sealed, Slot, index_in};
use crate::slots::bits::needed;

/// Memory for `N` values in the pool itself. See [`FixedPool`](crate::FixedPool).
pub struct Inline<T, const N: usize> {
    bits: Words<u64, u8, N>,
    slots: [MaybeUninit<Slot<T>>; N],
}

/// Memory for the bits of `N` slots, all initialised: as many `u64`s as fit into 40 + `N` bytes.
/// (`[u64; N.div_ceil(64)]` is not a valid type.) There is no padding before or between the fields.
#[repr(C)]
struct Words<W, U, const N: usize> {
    head: [W; 5],
    tail: [U; N],
}

impl<W, U, const N: usize> Words<W, U, N> {
    /// The number of words.
    const LEN: usize = 5 + N / 8;
}

impl<T, const N: usize> Inline<T, N> {
    const ENOUGH: () = assert!(needed(N.div_ceil(64)) <= Words::<u64, u8, N>::LEN, "the bits of N slots do not fit");
}

// SAFETY: the trait requires B1 to B4. B1: the slots are an array. B2: they never move while the
// buffer is borrowed, and moving the buffer moves all of them. B3: they are contiguous. B4: no
// memory is ever released.
unsafe impl<T, const N: usize> Buffer<T> for Inline<T, N> {
    const EMPTY: Sealed<Self> = {
        () = Self::ENOUGH;
        Sealed::new(Self { bits: Words { head: [0; 5], tail: [0; N] }, slots: [const { MaybeUninit::uninit() }; N] })
    };

    type Of<Q> = Inline<Q, N>;
    type View = Flat<T>;
    type Refusal = ();
    type Ledger = InlineLedger<N>;

    #[inline]
    fn capacity(&self) -> usize {
        N
    }

    #[inline]
    fn limit(&self) -> usize {
        N
    }

    fn is_fixed(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, index: usize) -> *const Slot<T> {
        self.slots.as_ptr().cast::<Slot<T>>().wrapping_add(index)
    }

    #[inline]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<T> {
        self.slots.as_mut_ptr().cast::<Slot<T>>().wrapping_add(index)
    }

    #[inline]
    fn bits(&self) -> &[u64] {
        // SAFETY: the words must be in bounds, aligned and initialised: `Words` is `LEN`
        // initialised words long, and any bytes are a valid `u64`.
        unsafe { core::slice::from_raw_parts((&raw const self.bits).cast(), Words::<u64, u8, N>::LEN) }
    }

    #[inline]
    fn bits_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `bits`.
        unsafe { core::slice::from_raw_parts_mut((&raw mut self.bits).cast(), Words::<u64, u8, N>::LEN) }
    }

    #[inline]
    fn slot_and_bits_mut(&mut self, index: usize) -> (*mut Slot<T>, &mut [u64]) {
        let slot = self.slots.as_mut_ptr().cast::<Slot<T>>().wrapping_add(index);
        // SAFETY: as in `bits`. The fields are borrowed one by one, so that the pointer to the slot
        // stays valid.
        (slot, unsafe { core::slice::from_raw_parts_mut((&raw mut self.bits).cast(), Words::<u64, u8, N>::LEN) })
    }

    #[inline]
    fn parts(&self) -> (Self::View, &[u64]) {
        (Flat(NonNull::from(&self.slots).cast()), self.bits())
    }

    #[inline]
    fn parts_mut(&mut self) -> (Self::View, &[u64]) {
        let slots = NonNull::from(&mut self.slots).cast();
        // SAFETY: as in `bits`. The fields are borrowed one by one, so that the pointer to the
        // slots stays valid.
        let bits = unsafe { core::slice::from_raw_parts((&raw const self.bits).cast(), Words::<u64, u8, N>::LEN) };
        (Flat(slots), bits)
    }

    fn amortized_capacity(&self, slots: usize) -> usize {
        slots.max(N)
    }

    fn try_grow(&mut self, slots: usize, _bits: usize) -> Result<(), ()> {
        if slots <= N { Ok(()) } else { Err(()) }
    }

    fn too_much() {}

    fn least_capacity(&self, _slots: usize) -> usize {
        N
    }

    fn shrink_to(&mut self, _slots: usize, _bits: usize) {}

    fn bytes(&self) -> usize {
        0
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        index_in::<T>(self.slot(0).addr(), N, address)
    }

    fn ledger(&self, _slots: usize) -> InlineLedger<N> {
        InlineLedger(Words { head: [const { Cell::new(0) }; 5], tail: [const { Cell::new(0) }; N] })
    }
}

/// One bit for each of `N` slots.
#[expect(unnameable_types, reason = "an associated type of a sealed trait")]
pub struct InlineLedger<const N: usize>(Words<Cell<u64>, Cell<u8>, N>);

impl<const N: usize> Deref for InlineLedger<N> {
    type Target = [Cell<u64>];

    fn deref(&self) -> &[Cell<u64>] {
        // SAFETY: the words must be in bounds, aligned and initialised: `Words` is `LEN`
        // initialised words long, all of them in cells, and any bytes are a valid `u64`.
        unsafe { core::slice::from_raw_parts((&raw const self.0).cast(), Words::<u64, u8, N>::LEN) }
    }
}
