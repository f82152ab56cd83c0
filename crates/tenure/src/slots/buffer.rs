//! Where slots and their bits live. Containers choose a buffer; the engine is the same for all.
#![allow(unsafe_code, reason = "hands out pointers to slots")]

mod growable;

use alloc::collections::TryReserveError;
use core::ptr::NonNull;

pub(crate) use self::growable::Growable;
use super::slot::Slot;

/// Memory for slots, in words of 64 (the slots of one word lie side by side), and for bits about them.
///
/// # Safety
///
/// - B1: `len() <= capacity()`, and every index below `capacity()` has memory of its own for one slot, which
///   `slot`, `slot_mut` and the views point to.
/// - B2: growing keeps the first `len()` slots and the bits as they are (their addresses may change). New bits are 0.
/// - B3: until the buffer changes, its view's `word(w)` points to slot `64 * w`, and the slots of that word
///   lie behind it.
pub(crate) unsafe trait Buffer<P>: Sized {
    /// Nothing in it, nothing allocated.
    const EMPTY: Self;

    /// What walks need to find slots while the buffer is borrowed.
    type View: View<P>;

    /// How many slots are initialised.
    fn len(&self) -> usize;

    /// How many slots there is memory for.
    fn capacity(&self) -> usize;

    /// # Safety
    /// The first `len` slots are initialised, and there is room for them.
    unsafe fn set_len(&mut self, len: usize);

    /// To read slot `index`.
    fn slot(&self, index: usize) -> *const Slot<P>;

    /// To read and write slot `index`.
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P>;

    fn bits(&self) -> &[u64];

    fn bits_mut(&mut self) -> &mut [u64];

    /// Where the slots are, for reading, and the bits.
    fn parts(&self) -> (Self::View, &[u64]);

    /// Where the slots are, for reading and writing, and the bits.
    fn parts_mut(&mut self) -> (Self::View, &[u64]);

    /// Makes room for `slots` slots, no more than asked, and for `bits` words of bits. If there is no memory for both, neither
    /// keeps any.
    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), TryReserveError>;

    /// Gives back what is not needed for `slots` slots, of which there are at least `len()`, and `bits` words of bits.
    fn shrink_to(&mut self, slots: usize, bits: usize);

    /// Heap memory, in bytes.
    fn bytes(&self) -> usize;

    /// Which slot has its value at this address; `None` when the address is outside.
    fn index_of(&self, address: usize) -> Option<usize>;
}

/// A copy of where a buffer's slots are.
///
/// A type of its own, and no associated type of a walk, so that walks stay covariant.
pub(crate) trait View<P>: Copy {
    /// The first slot of a word.
    ///
    /// # Safety
    /// That slot exists, and the buffer has not changed since the view was taken.
    unsafe fn word(self, word: usize) -> NonNull<Slot<P>>;
}

/// All slots lie side by side, beginning here.
impl<P> View<P> for NonNull<Slot<P>> {
    #[inline]
    unsafe fn word(self, word: usize) -> Self {
        // SAFETY: B1, the caller says that slot `64 * word` exists.
        unsafe { self.add(word * 64) }
    }
}
