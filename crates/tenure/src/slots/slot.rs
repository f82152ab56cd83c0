//! One slot: a mark, and a value or the reason why there is none.
#![expect(unsafe_code, reason = "a slot's value is initialised exactly when its mark is odd")]

use core::mem::ManuallyDrop;

/// A place for one value and the mark of its tenant.
///
/// - S1: `payload` holds an initialised value exactly when `mark` is odd.
/// - S2: when `mark` is even, `payload` holds a [`Vacancy`], unless the slot is the next one to be
///   used (`free.rs`): so one removal followed by one insertion writes none.
///
/// ```text
/// live:    | mark, odd  | value                    |
/// vacant:  | mark, even | vacancy | uninitialised  |
/// ```
///
/// A vacant slot's mark is that of the tenant to come, minus one. While the slot is retired it is
/// the last tenant's own, minus one.
///
/// The mark comes first: a look-up finds it on the cache line where the value begins, also when the
/// value is large.
#[repr(C)]
#[expect(missing_debug_implementations, reason = "nobody holds one")]
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
    /// Waiting for its next tenant.
    Free = 0,
    /// Its tenant has a handle already, and no value yet (or no more).
    Pending = 1,
    /// It has had all the tenants its layout can tell apart.
    Retired = 2,
    /// Nobody has it, and nobody may have it yet: see `spawn.rs` (N1).
    Kept = 3,
}

impl<P> Slot<P> {
    /// The mark, and why the slot has no value, if it has none. Makes no reference to the slot: its
    /// value may be lent.
    ///
    /// # Safety
    /// `slot` points to an initialised slot. `is_next` says whether it is the next one to be used.
    pub(super) unsafe fn state(slot: *const Self, is_next: bool) -> (u32, Option<Vacancy>) {
        // SAFETY: the caller's; S2, the vacancy is read only where the mark is even and the slot is
        // not the next one.
        unsafe {
            match (*slot).mark {
                mark if mark & 1 == 1 => (mark, None),
                mark if is_next => (mark, Some(Vacancy::Free)),
                mark => (mark, Some((*slot).payload.vacancy)),
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

    /// Writes why a slot is vacant.
    ///
    /// # Safety
    /// `slot` points to a slot whose mark is even, and nothing borrows it.
    #[inline]
    pub(super) unsafe fn write_vacancy(slot: *mut Self, vacancy: Vacancy) {
        // SAFETY: the caller's; S2, there is no value.
        unsafe { (*slot).payload.vacancy = vacancy };
    }

    /// Writes a vacant slot.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is even. What is there is
    /// overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(slot: *mut Self, mark: u32, vacancy: Vacancy) {
        debug_assert!(mark & 1 == 0);
        // SAFETY: the caller's; S2, the mark is even beside a vacancy.
        unsafe {
            (*slot).mark = mark;
            Self::write_vacancy(slot, vacancy);
        }
    }
}
