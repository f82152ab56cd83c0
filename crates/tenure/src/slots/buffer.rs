//! Where slots and their bits live. Containers choose a buffer; the engine is the same for all.
#![expect(unsafe_code, reason = "hands out pointers to slots")]
#![expect(missing_debug_implementations, reason = "not part of the public API")]

#[cfg(feature = "alloc")]
mod chunks;
#[cfg(feature = "alloc")]
mod growable;
mod inline;

use core::cell::Cell;
use core::ops::Deref;
use core::ptr::NonNull;

#[cfg(feature = "alloc")]
pub use self::chunks::ChunkTable;
#[cfg(feature = "alloc")]
pub use self::chunks::Chunks;
#[cfg(feature = "alloc")]
pub use self::growable::Growable;
pub use self::inline::Inline;

/// Without the feature `alloc` nothing grows: this buffer has no slots.
#[cfg(not(feature = "alloc"))]
pub type Growable<T> = Inline<T, 0>;

use super::FullKind;
use super::bits::needed;
use super::occupancy::Occupancy;
use super::slot::Slot;

/// Memory for the slots of a [`Pool`](crate::Pool): [`Growable`], [`Chunks`](crate::pool::Chunks)
/// or [`Inline`].
///
/// Sealed: it is named in the signature of a function that takes any kind of pool.
///
/// ```
/// use tenure::pool::Buffer;
/// use tenure::{Key, Pool};
///
/// fn total<H: Key, B: Buffer<u32>>(pool: &Pool<u32, H, B>) -> u32 {
///     pool.values().sum()
/// }
///
/// assert_eq!(total(&tenure::Pool::from([1, 2])) + total(&*tenure::FixedPool::<u32, 8>::new()), 3);
/// ```
///
/// # Safety
///
/// Slots come in words of 64, those of one word side by side, with bits about them.
///
/// - B1: every index below `capacity()` has memory of its own for one slot, which `slot`,
///   `slot_mut` and the views point to.
/// - B2: growing keeps all slots and bits as they are (their addresses may change). New bits are 0.
/// - B3: until the buffer changes, its view's `word(w)` points to slot `64 * w`, and the slots of
///   that word lie behind it.
/// - B4: memory of slots is given back only by `shrink_to`.
pub unsafe trait Buffer<P>: Sized {
    /// Nothing in it, nothing allocated.
    #[doc(hidden)]
    const EMPTY: Self;

    /// The same kind of memory for other values.
    #[doc(hidden)]
    type Of<Q>: Buffer<Q>;

    /// What iterators need to find slots while the buffer is borrowed.
    #[doc(hidden)]
    type View: View<P>;

    /// Why there is no room.
    #[doc(hidden)]
    type Refusal: core::fmt::Debug;

    /// A bit per slot, set while its value is borrowed.
    #[doc(hidden)]
    type Ledger: Deref<Target = [Cell<u64>]>;

    /// Returns the number of slots there is memory for.
    #[doc(hidden)]
    fn capacity(&self) -> usize;

    /// Returns the number of slots there can be.
    #[doc(hidden)]
    fn limit(&self) -> usize;

    /// Returns `true` if the limit was set on purpose.
    #[doc(hidden)]
    fn is_fixed(&self) -> bool {
        false
    }

    /// The limit, if it was set at run time.
    #[doc(hidden)]
    fn chosen_limit(&self) -> Option<usize> {
        None
    }

    /// Limits the number of slots, to no less than there is room for.
    #[doc(hidden)]
    fn set_limit(&mut self, _slots: usize) {}

    /// To read slot `index`.
    #[doc(hidden)]
    fn slot(&self, index: usize) -> *const Slot<P>;

    /// To read and write slot `index`.
    #[doc(hidden)]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P>;

    #[doc(hidden)]
    fn bits(&self) -> &[u64];

    #[doc(hidden)]
    fn bits_mut(&mut self) -> &mut [u64];

    /// Where the slots are, for reading, and the bits.
    #[doc(hidden)]
    fn parts(&self) -> (Self::View, &[u64]);

    /// Where the slots are, for reading and writing, and the bits.
    #[doc(hidden)]
    fn parts_mut(&mut self) -> (Self::View, &[u64]);

    /// How much room to make when `slots` slots are needed, which is more than there is: enough for
    /// growth to be cheap.
    #[doc(hidden)]
    fn amortized_capacity(&self, slots: usize) -> usize;

    /// Makes room for `slots` slots and for `bits` words of bits. If there is no memory for both,
    /// neither keeps any.
    #[doc(hidden)]
    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), Self::Refusal>;

    /// Makes room for `slots` slots in all, in amortized steps, and for their bits. The layout has
    /// `most` slots.
    #[doc(hidden)]
    fn grow(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), FullKind> {
        if slots > self.limit().min(most as usize) {
            return Err(if slots > most as usize { FullKind::Slots } else { FullKind::Fixed });
        }
        self.set_capacity(occupancy, self.amortized_capacity(slots), most).map_err(|_| FullKind::Memory)
    }

    /// Makes room for `slots` slots in all, which is more than before, and for their bits. The
    /// layout has `most` slots.
    #[doc(hidden)]
    fn set_capacity(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), Self::Refusal> {
        let slots = slots.min(self.limit()).min(most as usize).max(self.capacity());
        // A copy has bits for as many slots as its original had room for.
        let words = slots.div_ceil(64).max(occupancy.bits.words());
        self.try_grow(slots, needed(words))?;
        let capacity = self.capacity();
        occupancy.use_capacity(self.bits_mut(), words, capacity, most);
        Ok(())
    }

    /// More was asked for than there can be.
    #[doc(hidden)]
    fn too_much() -> Self::Refusal;

    /// How much room is left when all that is not needed for `slots` slots is given back.
    #[doc(hidden)]
    fn least_capacity(&self, slots: usize) -> usize;

    /// Gives back what is not needed for the first `slots` slots and `bits` words of bits. No slot
    /// above them is in use.
    #[doc(hidden)]
    fn shrink_to(&mut self, slots: usize, bits: usize);

    /// Heap memory, in bytes.
    #[doc(hidden)]
    fn bytes(&self) -> usize;

    /// Which slot has its value at this address; `None` when the address is outside. There may be
    /// memory for the slot only.
    #[doc(hidden)]
    fn index_of(&self, address: usize) -> Option<usize>;

    /// A bit for each of `slots` slots, none set. Allocates where the buffer would.
    #[doc(hidden)]
    fn ledger(&self, slots: usize) -> Self::Ledger;

    /// What is wrong with the buffer itself.
    #[doc(hidden)]
    fn fault(&self) -> Option<&'static str> {
        None
    }
}

/// Where an iterator finds the slots of a pool: [`Flat`], or in a stable pool
/// [`ChunkTable`](crate::pool::ChunkTable). Sealed.
///
/// A type of its own, and no associated type of an iterator, so that iterators stay covariant.
pub trait View<P>: Copy {
    /// The first slot of a word.
    ///
    /// # Safety
    /// That slot exists (or no slot of the word will be touched), and the buffer has not changed
    /// since the view was taken.
    #[doc(hidden)]
    unsafe fn word(self, word: usize) -> NonNull<Slot<P>>;
}

/// Where an iterator finds slots that lie side by side: those of a [`Pool`](crate::Pool) and of a
/// [`FixedPool`](crate::FixedPool).
pub struct Flat<P>(NonNull<Slot<P>>);

impl<P> Clone for Flat<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Flat<P> {}

impl<P> View<P> for Flat<P> {
    #[inline]
    unsafe fn word(self, word: usize) -> NonNull<Slot<P>> {
        // SAFETY: B1, the caller says that slot `64 * word` exists.
        unsafe { self.0.add(word * 64) }
    }
}

/// Which slot, of those side by side from `start` on, has an address.
fn index_in<P>(start: usize, len: usize, address: usize) -> Option<usize> {
    let index = address.checked_sub(start)? / size_of::<Slot<P>>();
    (index < len).then_some(index)
}
