//! One slot: a mark, and a value or the reason why there is none.
#![expect(unsafe_code, reason = "a slot's value is initialised exactly when its mark is odd")]

use core::mem::ManuallyDrop;
use core::ptr::NonNull;

/// Memory for one value and the mark of its tenant.
///
/// - S1: `payload` holds an initialised value exactly when `mark` is odd.
/// - S2: when `mark` is even, `payload` holds a [`Vacancy`] if the slot is held (`occupancy.rs`);
///   otherwise the slot is free, and `payload` is uninitialised.
///
/// ```text
/// live:    | mark, odd  | value                    |
/// held:    | mark, even | vacancy | uninitialised  |
/// free:    | mark, even | uninitialised            |
/// ```
///
/// A vacant slot's mark is that of the tenant to come, minus one. While the slot is retired it is
/// the last tenant's own, minus one.
///
/// The mark comes first: a lookup reads it from the cache line where the value begins, also when
/// the value is large.
#[repr(C)]
#[expect(missing_debug_implementations, reason = "not part of the public API")]
#[expect(unnameable_types, reason = "seals `Buffer` and `View`, which cannot be implemented without it")]
pub struct Slot<P> {
    pub(super) mark: u32,
    payload: Payload<P>,
}

#[repr(C)]
union Payload<P> {
    value: ManuallyDrop<P>,
    vacancy: Vacancy,
}

/// Why a slot has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Vacancy {
    /// The slot waits for its next tenant. Never stored: a slot that is vacant and not held is
    /// free.
    Free = 0,
    /// The tenant has a handle, and no value yet (or no more).
    Pending = 1,
    /// The slot has used up its generations.
    Retired = 2,
    /// Reserved for a spawn (N1 in `deferred.rs`).
    #[cfg(feature = "alloc")]
    Reserved = 3,
    /// Its value was removed in a split or a frame, and the slot is freed later (N1).
    #[cfg(feature = "alloc")]
    Freed = 4,
}

/// The addresses of a slot's mark and vacancy. The type of the values does not matter: what works
/// on heads is compiled once.
#[derive(Clone, Copy)]
pub(super) struct Head {
    mark: *mut u32,
    vacancy: *mut Vacancy,
}

impl Head {
    /// Returns the mark, and why the slot has no value, if it has none.
    ///
    /// # Safety
    /// The head is that of an initialised slot, and `is_held` is its held bit.
    #[inline]
    pub(super) unsafe fn state(self, is_held: bool) -> (u32, Option<Vacancy>) {
        // SAFETY: the mark is initialised (the caller's); by S2 the vacancy is, too, where the mark
        // is even and the slot is held.
        unsafe {
            match *self.mark {
                mark if mark & 1 == 1 => (mark, None),
                mark if is_held => (mark, Some(*self.vacancy)),
                mark => (mark, Some(Vacancy::Free)),
            }
        }
    }

    /// Writes a vacant slot.
    ///
    /// # Safety
    /// The head is that of a slot's memory that nothing borrows, and `mark` is even. What is there
    /// is overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(self, mark: u32, vacancy: Vacancy) {
        debug_assert!(mark & 1 == 0);
        // SAFETY: both addresses are in a slot's memory, which nothing borrows (the caller's). This
        // keeps S1 and S2: an even mark comes with a vacancy.
        unsafe {
            *self.mark = mark;
            *self.vacancy = vacancy;
        }
    }

    /// Makes the live slots of a word vacant without dropping their values. `live` has their bits,
    /// `self` is the head of the first slot of the word, and the slots are `stride` bytes apart. A
    /// slot is retired after a mark whose bits in `count` are all set. Returns the retired slots.
    ///
    /// # Safety
    /// By B3 the slots of the word lie side by side; those whose bits are in `live` hold a value,
    /// and nothing borrows them.
    pub(super) unsafe fn vacate_word(self, stride: usize, mut live: u64, count: u32) -> u64 {
        let mut retired = 0;
        while live != 0 {
            let bit = live.trailing_zeros();
            live &= live - 1;
            let mark = self.mark.wrapping_byte_add(stride * bit as usize);
            // SAFETY: the slot exists and holds a value (the caller's), so its mark is odd (S1),
            // and the mark after it is even. A free slot needs no vacancy (S2).
            unsafe {
                if *mark & count == count {
                    let vacancy = self.vacancy.wrapping_byte_add(stride * bit as usize);
                    Self { mark, vacancy }.write_vacant(*mark - 1, Vacancy::Retired);
                    retired |= 1 << bit;
                } else {
                    *mark += 1;
                }
            }
        }
        retired
    }
}

impl<P> Slot<P> {
    /// Returns the head of a slot. Makes no reference to the slot: its value may be borrowed.
    ///
    /// # Safety
    /// `slot` points to a slot's memory.
    #[inline(always)]
    pub(super) unsafe fn head(slot: *mut Self) -> Head {
        // SAFETY: the fields lie in the slot's memory (the caller's). All fields of a union begin
        // where it does.
        unsafe { Head { mark: &raw mut (*slot).mark, vacancy: (&raw mut (*slot).payload).cast() } }
    }

    /// Returns where the value of a slot is, or would be. Makes no reference, so it can be used
    /// while other slots, or this slot's mark, are borrowed.
    ///
    /// # Safety
    /// `slot` points to a slot's memory.
    #[inline(always)]
    pub(super) unsafe fn value_ptr(slot: *mut Self) -> *mut P {
        // SAFETY: the field lies in the slot's memory (the caller's). All fields of a union begin
        // where it does.
        unsafe { (&raw mut (*slot).payload).cast() }
    }

    /// Writes a live slot field by field: a whole `Slot` built first would copy a large value
    /// twice.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is odd. What is there is
    /// overwritten, not dropped.
    #[inline(always)]
    pub(super) unsafe fn write_live(slot: *mut Self, mark: u32, value: P) {
        debug_assert!(mark & 1 == 1);
        // SAFETY: the memory is a slot's, which nothing borrows (the caller's). This keeps S1: the
        // mark beside a value is odd. Assigning to a `ManuallyDrop` field drops nothing.
        unsafe {
            (*slot).mark = mark;
            (*slot).payload.value = ManuallyDrop::new(value);
        }
    }

    /// Writes a vacant slot.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is even. What is there is
    /// overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(slot: *mut Self, mark: u32, vacancy: Vacancy) {
        // SAFETY: the caller's obligations are those of the head's function.
        unsafe { Self::head(slot).write_vacant(mark, vacancy) };
    }
}

/// Like `NonNull::new_unchecked`, which is a call in an unoptimised build (with it: `get` of a
/// `StablePool` in `cargo versus --debug`).
///
/// # Safety
/// The pointer is not null.
#[inline(always)]
pub(super) const unsafe fn non_null<X>(pointer: *mut X) -> NonNull<X> {
    // SAFETY: a `NonNull` is `repr(transparent)` over a pointer, and this one is not null (the
    // caller's).
    unsafe { core::mem::transmute::<*mut X, NonNull<X>>(pointer) }
}
