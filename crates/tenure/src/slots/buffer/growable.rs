//! Slots side by side on the heap, and their bits behind them. They move when there are more of
//! them.
#![expect(unsafe_code, reason = "lays slots and bits out in one block of memory")]

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::cell::Cell;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;

use super::{Buffer, Flat, Slot, index_in};

/// Values side by side on the heap, as in a `Vec`. See [`Pool`](crate::Pool).
///
/// One block of memory, so that the allocator can more often make it longer where it is.
///
/// ```text
/// block: | slot 0 | slot 1 | … capacity | padding | bits |
/// ```
///
/// - G1: the block is long enough for `capacity` slots and, from `bits_at` on, `bits` words of
///   bits, which are initialised.
/// - G2: `capacity <= limit`.
pub struct Growable<P> {
    /// Counts as initialised up to its end, which uninitialised units can.
    block: Vec<MaybeUninit<Unit<P>>>,
    capacity: usize,
    limit: usize,
    /// Where the bits begin, in `u64`s.
    bits_at: usize,
    bits: usize,
}

/// A piece of the block, as large as its alignment, which suits slots and bits.
#[repr(C)]
union Unit<P> {
    bits: u64,
    slots: ManuallyDrop<[Slot<P>; 0]>,
}

impl<P> Growable<P> {
    /// How many `u64`s there are in a unit.
    const BITS_PER_UNIT: usize = size_of::<Unit<P>>() / size_of::<u64>();

    /// How many units so many slots take; `None` if that cannot be.
    fn units(slots: usize) -> Option<usize> {
        Some(slots.checked_mul(size_of::<Slot<P>>())?.div_ceil(size_of::<Unit<P>>()))
    }

    #[inline]
    fn bits_ptr(&self) -> *const u64 {
        self.block.as_ptr().cast::<u64>().wrapping_add(self.bits_at)
    }

    #[inline]
    fn bits_mut_ptr(&mut self) -> *mut u64 {
        self.block.as_mut_ptr().cast::<u64>().wrapping_add(self.bits_at)
    }

    /// Moves the bits behind the room for `capacity` slots.
    ///
    /// # Safety
    /// The block is long enough for the bits to be where they are and where they will be, and
    /// `units` is what `capacity` slots take.
    unsafe fn move_bits(&mut self, capacity: usize, units: usize) {
        let old = self.bits_ptr();
        self.bits_at = units * Self::BITS_PER_UNIT;
        self.capacity = capacity;
        // SAFETY: G1, the caller's. The two may overlap.
        unsafe { core::ptr::copy(old, self.bits_mut_ptr(), self.bits) };
    }
}

impl<P: Copy> Growable<P> {
    /// The same bits and the first `slots` slots, without room for more slots unless there is a
    /// limit.
    pub(in super::super) fn copy(&self, slots: usize) -> Result<Self, TryReserveError> {
        let mut copy = Self { limit: self.limit, ..Self::EMPTY };
        copy.try_grow(self.least_capacity(slots), self.bits)?;
        // SAFETY: B1, both have memory for this many slots, and the copy's is its own. Slots of
        // `Copy` values are copied as they are, initialised or not.
        unsafe { core::ptr::copy_nonoverlapping(self.slot(0), copy.slot_mut(0), slots) };
        copy.bits_mut().copy_from_slice(self.bits());
        Ok(copy)
    }
}

// SAFETY: B1: G1. B2: `Vec` keeps the whole block, since all of it counts; new bits are written
// as 0. B3: all slots lie side by side.
unsafe impl<P> Buffer<P> for Growable<P> {
    const EMPTY: Self = Self { block: Vec::new(), capacity: 0, limit: usize::MAX, bits_at: 0, bits: 0 };

    type Of<Q> = Growable<Q>;
    type View = Flat<P>;
    type Refusal = TryReserveError;
    type Ledger = Vec<Cell<u64>>;

    #[inline]
    fn capacity(&self) -> usize {
        self.capacity
    }

    #[inline]
    fn limit(&self) -> usize {
        self.limit
    }

    fn is_fixed(&self) -> bool {
        self.chosen_limit().is_some()
    }

    fn chosen_limit(&self) -> Option<usize> {
        Some(self.limit).filter(|&limit| limit != usize::MAX)
    }

    fn set_limit(&mut self, slots: usize) {
        self.limit = slots;
    }

    #[inline]
    fn slot(&self, index: usize) -> *const Slot<P> {
        self.block.as_ptr().cast::<Slot<P>>().wrapping_add(index)
    }

    #[inline]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P> {
        self.block.as_mut_ptr().cast::<Slot<P>>().wrapping_add(index)
    }

    #[inline]
    fn bits(&self) -> &[u64] {
        // SAFETY: G1, the bits are initialised and borrowed as the buffer is.
        unsafe { core::slice::from_raw_parts(self.bits_ptr(), self.bits) }
    }

    #[inline]
    fn bits_mut(&mut self) -> &mut [u64] {
        // SAFETY: G1, the bits are initialised and borrowed as the buffer is; slots lie elsewhere.
        unsafe { core::slice::from_raw_parts_mut(self.bits_mut_ptr(), self.bits) }
    }

    #[inline]
    fn parts(&self) -> (Self::View, &[u64]) {
        (Flat(non_null(self.slot(0).cast_mut())), self.bits())
    }

    #[inline]
    fn parts_mut(&mut self) -> (Self::View, &[u64]) {
        (Flat(non_null(self.slot_mut(0))), self.bits())
    }

    /// Twice as much; at the beginning a few slots, or one if they are large.
    fn amortized_capacity(&self, slots: usize) -> usize {
        let first = match size_of::<Slot<P>>() {
            0..=64 => 8,
            65..=1024 => 4,
            _ => 1,
        };
        slots.max(self.capacity.saturating_mul(2)).max(first)
    }

    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), TryReserveError> {
        // What is too much for the machine is too much for `Vec`, which says so.
        let units = Self::units(slots).unwrap_or(usize::MAX);
        let needed = units.saturating_add(bits.div_ceil(Self::BITS_PER_UNIT));
        self.block.try_reserve_exact(needed.saturating_sub(self.block.len()))?;
        let new_bits = bits - self.bits;
        // SAFETY: G1, the block has the room, and uninitialised units may count. The bits are moved
        // to their place and those that are new are written before they count.
        unsafe {
            self.block.set_len(needed);
            self.move_bits(slots, units);
            self.bits_mut_ptr().add(self.bits).write_bytes(0, new_bits);
        }
        self.bits = bits;
        Ok(())
    }

    fn too_much() -> TryReserveError {
        too_much()
    }

    fn least_capacity(&self, slots: usize) -> usize {
        if self.limit == usize::MAX { slots } else { self.capacity }
    }

    fn shrink_to(&mut self, slots: usize, bits: usize) {
        let units = Self::units(slots).unwrap_or(usize::MAX);
        self.bits = bits;
        // SAFETY: G1, fewer slots and bits than before fit into the block.
        unsafe { self.move_bits(slots, units) };
        self.block.truncate(units + bits.div_ceil(Self::BITS_PER_UNIT));
        self.block.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        self.block.capacity() * size_of::<Unit<P>>()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        index_in::<P>(self.block.as_ptr().addr(), self.capacity, address)
    }

    fn ledger(&self, slots: usize) -> Vec<Cell<u64>> {
        ledger(slots)
    }
}

/// A `Vec`'s pointer is never null, and the compiler knows: this costs nothing.
#[inline]
fn non_null<X>(pointer: *mut X) -> NonNull<X> {
    NonNull::new(pointer).unwrap_or(NonNull::dangling())
}

/// A bit for each of so many slots.
pub(super) fn ledger(slots: usize) -> Vec<Cell<u64>> {
    alloc::vec![Cell::new(0); slots.div_ceil(64)]
}

/// The error that `Vec` gives for an impossible request.
#[cold]
pub(super) fn too_much() -> TryReserveError {
    match Vec::<u64>::new().try_reserve(usize::MAX) {
        Err(error) => error,
        Ok(()) => unreachable!("no machine has that much memory"),
    }
}
