//! Memory for slots and their bits. Containers choose a buffer; the engine is the same for all.
#![expect(unsafe_code, reason = "hands out pointers to slots")]
#![expect(missing_debug_implementations, reason = "not part of the public API")]

#[cfg(feature = "alloc")]
mod chunks;
#[cfg(feature = "alloc")]
mod growable;
mod inline;

use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::NonNull;

#[cfg(feature = "alloc")]
pub use self::chunks::ChunkTable;
#[cfg(feature = "alloc")]
pub use self::chunks::Chunks;
#[cfg(feature = "alloc")]
pub use self::growable::Growable;
pub use self::inline::Inline;

/// Without the feature `alloc` no buffer can grow: this one has no slots.
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
/// Slots are grouped in words of 64. The slots of one word are contiguous. The buffer also stores
/// bits about the slots.
///
/// - B1: for every index below `capacity()`: there is separate memory for one slot, and `slot`,
///   `slot_mut` and the views point to it.
/// - B2: growing preserves all slots and bits (their addresses may change). New bits are 0.
/// - B3: for every word `w`, until the buffer changes: its view's `word(w)` points to slot `64 *
///   w`, and the other slots of that word follow it in memory.
/// - B4: only `shrink_to` releases memory of slots.
/// - B5: code outside of this crate has no buffer: no public function returns one, and
///   `Sealed` hides `EMPTY`. So only the engine calls the methods below, whose arguments are as
///   they require. (`doc(hidden)` alone would not prevent a call.)
pub unsafe trait Buffer<P>: Sized {
    /// An empty buffer, which has allocated nothing.
    #[doc(hidden)]
    const EMPTY: Sealed<Self>;

    /// The same kind of buffer for other values.
    #[doc(hidden)]
    type Of<Q>: Buffer<Q>;

    /// The pointer through which iterators reach slots while the buffer is borrowed.
    #[doc(hidden)]
    type View: View<P>;

    /// The error that is returned when the buffer cannot grow.
    #[doc(hidden)]
    type Refusal: core::fmt::Debug;

    /// One bit per slot, set while its value is borrowed.
    #[doc(hidden)]
    type Ledger: Deref<Target = [Cell<u64>]>;

    /// Returns the number of slots that there is memory for.
    #[doc(hidden)]
    fn capacity(&self) -> usize;

    /// Returns the greatest number of slots that can exist.
    #[doc(hidden)]
    fn limit(&self) -> usize;

    /// Returns `true` if the limit was set explicitly.
    #[doc(hidden)]
    fn is_fixed(&self) -> bool {
        false
    }

    /// Returns the limit if it was set at run time.
    #[doc(hidden)]
    fn chosen_limit(&self) -> Option<usize> {
        None
    }

    /// Limits the number of slots to `_slots`, which is at least the capacity.
    #[doc(hidden)]
    fn set_limit(&mut self, _slots: usize) {}

    /// Returns a pointer for reading slot `index`.
    #[doc(hidden)]
    fn slot(&self, index: usize) -> *const Slot<P>;

    /// Returns a pointer for reading and writing slot `index`.
    #[doc(hidden)]
    fn slot_mut(&mut self, index: usize) -> *mut Slot<P>;

    #[doc(hidden)]
    fn bits(&self) -> &[u64];

    #[doc(hidden)]
    fn bits_mut(&mut self) -> &mut [u64];

    /// Returns a pointer for reading and writing slot `index`, and the bits. (With `slot_mut` and
    /// then `bits_mut`, the second borrow would end the first.)
    #[doc(hidden)]
    fn slot_and_bits_mut(&mut self, index: usize) -> (*mut Slot<P>, &mut [u64]);

    /// Returns a view of the slots, for reading, and the bits.
    #[doc(hidden)]
    fn parts(&self) -> (Self::View, &[u64]);

    /// Returns a view of the slots, for reading and writing, and the bits.
    #[doc(hidden)]
    fn parts_mut(&mut self) -> (Self::View, &[u64]);

    /// Returns the capacity to grow to when `slots` slots are needed, which is more than the
    /// current capacity. It is large enough for amortised growth.
    #[doc(hidden)]
    fn amortized_capacity(&self, slots: usize) -> usize;

    /// Makes room for `slots` slots and for `bits` words of bits. If one of the allocations fails,
    /// neither is kept.
    #[doc(hidden)]
    fn try_grow(&mut self, slots: usize, bits: usize) -> Result<(), Self::Refusal>;

    /// Makes room for `slots` slots in total, with amortised growth, and for their bits. The layout
    /// has `most` slots.
    #[doc(hidden)]
    fn grow(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), FullKind> {
        if slots > self.limit().min(most as usize) {
            return Err(if slots > most as usize { FullKind::Slots } else { FullKind::Fixed });
        }
        self.set_capacity(occupancy, self.amortized_capacity(slots), most).map_err(|_| FullKind::Memory)
    }

    /// Makes room for `slots` slots in total, which is more than before, and for their bits. The
    /// layout has `most` slots.
    #[doc(hidden)]
    fn set_capacity(&mut self, occupancy: &mut Occupancy, slots: usize, most: u32) -> Result<(), Self::Refusal> {
        let slots = slots.min(self.limit()).min(most as usize).max(self.capacity());
        // A copy has bits for as many slots as the capacity of its original.
        let words = slots.div_ceil(64).max(occupancy.bits.words());
        self.try_grow(slots, needed(words))?;
        let capacity = self.capacity();
        occupancy.use_capacity(self.bits_mut(), words, capacity, most);
        Ok(())
    }

    /// Returns the error for a request above the limit.
    #[doc(hidden)]
    fn too_much() -> Self::Refusal;

    /// Returns the capacity after releasing all memory that `slots` slots do not need.
    #[doc(hidden)]
    fn least_capacity(&self, slots: usize) -> usize;

    /// Releases the memory that the first `slots` slots and `bits` words of bits do not need. No
    /// slot above them is in use.
    #[doc(hidden)]
    fn shrink_to(&mut self, slots: usize, bits: usize);

    /// Returns the heap memory, in bytes.
    #[doc(hidden)]
    fn bytes(&self) -> usize;

    /// Returns the index of the slot that has its value at this address, or `None` if the address
    /// is outside the buffer. The slot need not exist: there may only be memory for it.
    #[doc(hidden)]
    fn index_of(&self, address: usize) -> Option<usize>;

    /// Returns a bit for each of `slots` slots, none set. Allocates if the buffer is on the heap.
    #[doc(hidden)]
    fn ledger(&self, slots: usize) -> Self::Ledger;

    /// Returns the invariant of the buffer that is broken, if any.
    #[doc(hidden)]
    fn fault(&self) -> Option<&'static str> {
        None
    }
}

/// A value that only this crate can take out.
///
/// ```compile_fail,E0308
/// use tenure::pool::{Buffer, Chunks};
/// let buffer: Chunks<u8> = <Chunks<u8> as Buffer<u8>>::EMPTY;
/// ```
#[expect(unnameable_types, reason = "hides the value from other crates")]
pub struct Sealed<X>(ManuallyDrop<X>);

impl<X> Sealed<X> {
    pub(in crate::slots) const fn new(content: X) -> Self {
        Self(ManuallyDrop::new(content))
    }

    pub(in crate::slots) const fn open(self) -> X {
        ManuallyDrop::into_inner(self.0)
    }
}

/// Access to the slots of a pool for iterators: [`Flat`], or in a stable pool
/// [`ChunkTable`](crate::pool::ChunkTable). Sealed.
///
/// It is a type parameter of iterators rather than an associated type, so that iterators stay
/// covariant.
pub trait View<P>: Copy {
    /// Returns the first slot of a word.
    ///
    /// # Safety
    /// That slot exists (or no slot of the word will be accessed), and the buffer has not changed
    /// since the view was taken.
    #[doc(hidden)]
    unsafe fn word(self, word: usize) -> NonNull<Slot<P>>;
}

/// A pointer to contiguous slots: those of a [`Pool`](crate::Pool) and of a
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
        // SAFETY: the offset must be in bounds: the caller guarantees that slot `64 * word` exists,
        // so B1 holds.
        unsafe { self.0.add(word * 64) }
    }
}

/// Returns the index of the slot at an address, among `len` contiguous slots from `start` on.
fn index_in<P>(start: usize, len: usize, address: usize) -> Option<usize> {
    let index = address.checked_sub(start)? / size_of::<Slot<P>>();
    (index < len).then_some(index)
}
