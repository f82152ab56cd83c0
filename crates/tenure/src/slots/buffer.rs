//! Where slots live. Containers choose a buffer; the engine is the same for all.
#![allow(unsafe_code, reason = "hands out pointers to slots")]

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::ptr::NonNull;

use super::slot::Slot;

/// Memory for slots, in words of 64: the slots of one word lie side by side.
///
/// # Safety
///
/// - B1: `len() <= capacity()`, and every index below `capacity()` has memory of its own for one slot, which
///   `slot`, `slot_mut` and the view point to.
/// - B2: growing keeps the first `len()` slots as they are (their address may change).
/// - B3: until the buffer changes, its view's `word(w)` points to slot `64 * w`, and the slots of that word
///   lie behind it.
pub(crate) unsafe trait Buffer<P>: Sized {
    /// Nothing in it, nothing allocated.
    const EMPTY: Self;

    /// What walks need to find slots while the buffer is borrowed.
    type View: View<P>;

    /// How many slots are initialised.
    fn len(&self) -> usize;

    fn capacity(&self) -> usize;

    /// # Safety
    /// The first `len` slots are initialised, and there is room for them.
    unsafe fn set_len(&mut self, len: usize);

    /// To read slot `index`.
    fn slot(&self, index: usize) -> *const Slot<P>;

    /// To read and write slot `index`.
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P>;

    /// Good for reading.
    fn view(&self) -> Self::View;

    /// Good for reading and writing.
    fn view_mut(&mut self) -> Self::View;

    /// Makes room for `additional` slots more, no more than asked.
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError>;

    /// Gives back what is not needed for `capacity` slots, of which there are at least `len()`.
    fn shrink_to(&mut self, capacity: usize);

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

impl<P> View<P> for NonNull<Slot<P>> {
    #[inline]
    unsafe fn word(self, word: usize) -> Self {
        // SAFETY: B1, the caller says that slot `64 * word` exists.
        unsafe { self.add(word * 64) }
    }
}

// SAFETY: B1 and B2 are what `Vec` promises. B3: all slots lie side by side.
unsafe impl<P> Buffer<P> for Vec<Slot<P>> {
    const EMPTY: Self = Vec::new();

    type View = NonNull<Slot<P>>;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    #[inline]
    unsafe fn set_len(&mut self, len: usize) {
        // SAFETY: the caller's.
        unsafe { self.set_len(len) }
    }

    #[inline]
    fn slot(&self, index: usize) -> *const Slot<P> {
        self.as_ptr().wrapping_add(index)
    }

    #[inline]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P> {
        self.as_mut_ptr().wrapping_add(index)
    }

    #[inline]
    fn view(&self) -> Self::View {
        non_null(self.as_ptr().cast_mut())
    }

    #[inline]
    fn view_mut(&mut self) -> Self::View {
        non_null(self.as_mut_ptr())
    }

    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve_exact(additional)
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
    }

    fn bytes(&self) -> usize {
        self.capacity() * size_of::<Slot<P>>()
    }

    fn index_of(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.as_ptr().addr())?;
        let index = offset / size_of::<Slot<P>>();
        (index < self.len()).then_some(index)
    }
}

/// A `Vec`'s pointer is never null, and the compiler knows: this costs nothing.
#[inline]
fn non_null<X>(pointer: *mut X) -> NonNull<X> {
    NonNull::new(pointer).unwrap_or(NonNull::dangling())
}
