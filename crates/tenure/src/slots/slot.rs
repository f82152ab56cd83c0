//! One slot: a mark, and a value or the reason why there is none.
#![expect(unsafe_code, reason = "a slot's value is initialised exactly when its mark is odd")]

use core::mem::ManuallyDrop;

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
/// The mark comes first: a look-up finds it on the cache line where the value begins, also when the
/// value is large.
#[repr(C)]
#[expect(missing_debug_implementations, reason = "nobody holds one")]
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

impl<P> Slot<P> {
    /// The mark, and why the slot has no value, if it has none. Makes no reference to the slot: its
    /// value may be lent.
    ///
    /// # Safety
    /// `slot` points to an initialised slot, and `is_held` is its held bit.
    pub(super) unsafe fn state(slot: *const Self, is_held: bool) -> (u32, Option<Vacancy>) {
        // SAFETY: the caller's; by S2 the vacancy is there where the mark is even and the slot is
        // held.
        unsafe {
            match (*slot).mark {
                mark if mark & 1 == 1 => (mark, None),
                mark if is_held => (mark, Some((*slot).payload.vacancy)),
                mark => (mark, Some(Vacancy::Free)),
            }
        }
    }

    /// Where the value of a slot is, or would be. Makes no reference, so it can be used while other
    /// slots, or this slot's mark, are borrowed.
    ///
    /// # Safety
    /// `slot` points to a slot's memory.
    #[inline]
    pub(super) unsafe fn value_ptr(slot: *mut Self) -> *mut P {
        // SAFETY: the caller's; a field's address stays inside the slot. A union's fields all begin
        // where it does.
        unsafe { (&raw mut (*slot).payload).cast() }
    }

    /// Writes a live slot field by field: a whole `Slot` built first would copy a large value
    /// twice.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is odd. What is there is
    /// overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_live(slot: *mut Self, mark: u32, value: P) {
        debug_assert!(mark & 1 == 1);
        // SAFETY: the caller's; S1, the mark is odd beside a value.
        unsafe {
            (*slot).mark = mark;
            Self::value_ptr(slot).write(value);
        }
    }

    /// Writes a vacant slot.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is even. What is there is
    /// overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(slot: *mut Self, mark: u32, vacancy: Vacancy) {
        debug_assert!(mark & 1 == 0);
        // SAFETY: the caller's; S1 and S2, an even mark comes with a vacancy.
        unsafe {
            (*slot).mark = mark;
            (*slot).payload.vacancy = vacancy;
        }
    }
}
