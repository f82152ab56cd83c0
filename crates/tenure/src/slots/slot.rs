//! A slot: a mark, and a value or the reason why there is none.
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
/// The mark of a vacant slot is that of its next tenant, minus one. The mark of a retired slot is
/// that of its last tenant, minus one.
///
/// The mark comes first: a lookup reads it from the cache line where the value starts, even if the
/// value is large.
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
    /// The slot is available for its next tenant. Never stored: a slot that is vacant and not held
    /// is free.
    Free = 0,
    /// The tenant has a handle, but no value yet, or no value any more.
    Pending = 1,
    /// The slot has used up its generations.
    Retired = 2,
    /// The slot is reserved for a spawn (N1 in `deferred.rs`).
    #[cfg(feature = "alloc")]
    Reserved = 3,
    /// The value was removed in a split or a frame, and the slot is freed later (N1).
    #[cfg(feature = "alloc")]
    Freed = 4,
}

/// The addresses of a slot's mark and vacancy. Not generic, so that functions of heads are compiled
/// once.
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
        // SAFETY: the mark must be initialised: the caller guarantees it. The vacancy must be
        // initialised where it is read: by S2 it is if the mark is even and the slot is held.
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
    /// The head is that of a slot's memory that nothing borrows, and `mark` is even. The previous
    /// content is overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(self, mark: u32, vacancy: Vacancy) {
        debug_assert!(mark & 1 == 0);
        // SAFETY: both addresses must be valid for writes: the caller guarantees that they are in a
        // slot's memory, which nothing borrows. S1 and S2 are kept: an even mark is written with a
        // vacancy.
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
    /// The slots of the word are contiguous (B3); those whose bits are in `live` hold a value, and
    /// nothing borrows them.
    pub(super) unsafe fn vacate_word(self, stride: usize, mut live: u64, count: u32) -> u64 {
        let mut retired = 0;
        // A full word is a plain loop, which notes whether a slot must be retired: row `clear`, 4B,
        // takes twice as long bit by bit.
        if live == u64::MAX {
            let (mut head, mut is_last) = (self, false);
            for _ in 0..64 {
                // SAFETY: the mark must be that of a slot with a value: the caller guarantees it of
                // all slots. The marks of last tenants are corrected below.
                unsafe {
                    let mark = *head.mark;
                    is_last |= mark & count == count;
                    *head.mark = mark.wrapping_add(1);
                }
                head = head.offset(stride);
            }
            if !is_last {
                return 0;
            }
            for bit in 0..64 {
                let head = self.offset(stride * bit);
                // SAFETY: the slot must be one that nothing borrows: the caller guarantees it. S2
                // must hold afterwards: one was added to each mark, so the bits in `count` are all
                // 0 exactly where they were all 1, after the last tenant.
                unsafe {
                    let mark = *head.mark;
                    if mark & count == 0 {
                        head.write_vacant(mark.wrapping_sub(2), Vacancy::Retired);
                        retired |= 1 << bit;
                    }
                }
            }
            return retired;
        }
        while live != 0 {
            let bit = live.trailing_zeros();
            live &= live - 1;
            // SAFETY: the slot must hold a value: the caller guarantees it of those in `live`.
            retired |= u64::from(unsafe { self.offset(stride * bit as usize).vacate(count) }) << bit;
        }
        retired
    }

    /// Returns the head that is this number of bytes after this one.
    #[inline(always)]
    fn offset(self, bytes: usize) -> Self {
        Self { mark: self.mark.wrapping_byte_add(bytes), vacancy: self.vacancy.wrapping_byte_add(bytes) }
    }

    /// Makes a slot vacant without dropping its value. Returns `true` if it is retired now.
    ///
    /// # Safety
    /// The slot holds a value, and nothing borrows it.
    #[inline(always)]
    unsafe fn vacate(self, count: u32) -> bool {
        // SAFETY: the addresses must be valid: the caller guarantees that the slot exists and holds
        // a value. S1 and S2 must hold afterwards: by S1 the mark was odd, so the next one is even,
        // and a free slot needs no vacancy.
        unsafe {
            let mark = *self.mark;
            let is_retired = mark & count == count;
            if is_retired {
                self.write_vacant(mark - 1, Vacancy::Retired);
            } else {
                *self.mark = mark + 1;
            }
            is_retired
        }
    }
}

impl<P> Slot<P> {
    /// Whether every slot takes a cache line or more.
    pub(super) const IS_LARGE: bool = size_of::<Self>() >= 64;

    /// Returns the head of a slot. Creates no reference to the slot, because its value may be
    /// borrowed.
    ///
    /// # Safety
    /// `slot` points to a slot's memory.
    #[inline(always)]
    pub(super) unsafe fn head(slot: *mut Self) -> Head {
        // SAFETY: the fields must be in bounds: the caller guarantees that `slot` is a slot's
        // memory. All fields of a union start where the union does.
        unsafe { Head { mark: &raw mut (*slot).mark, vacancy: (&raw mut (*slot).payload).cast() } }
    }

    /// Returns the address of the value of a slot, whether there is one or not. Creates no
    /// reference, so it can be used while other slots, or this slot's mark, are borrowed.
    ///
    /// # Safety
    /// `slot` points to a slot's memory.
    #[inline(always)]
    pub(super) unsafe fn value_ptr(slot: *mut Self) -> *mut P {
        // SAFETY: the field must be in bounds: the caller guarantees that `slot` is a slot's
        // memory. All fields of a union start where the union does.
        unsafe { (&raw mut (*slot).payload).cast() }
    }

    /// Returns the mark of a slot, for an iterator. Where a slot has between one and two cache
    /// lines, its mark is read even if the caller does not use it: the loop then reads every line
    /// in turn, and the processor fetches the next ones in time. Otherwise it would skip one line
    /// in nine where a slot has 72 bytes (row `iterate for loop`, 64B, 1M: takes 1.3 times as long
    /// without).
    ///
    /// # Safety
    /// `slot` points to an initialised slot whose mark nothing borrows mutably.
    #[inline(always)]
    pub(super) unsafe fn iterated_mark(slot: *const Self) -> u32 {
        // SAFETY: the mark must be in bounds and initialised: the caller guarantees it.
        unsafe {
            let mark = &raw const (*slot).mark;
            if Self::IS_LARGE && size_of::<Self>() < 128 { mark.read_volatile() } else { mark.read() }
        }
    }

    /// Writes a live slot field by field: building a whole `Slot` first would copy a large value
    /// twice.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is odd. The previous
    /// content is overwritten, not dropped.
    #[inline(always)]
    pub(super) unsafe fn write_live(slot: *mut Self, mark: u32, value: P) {
        debug_assert!(mark & 1 == 1);
        // SAFETY: the memory must be valid for writes: the caller guarantees that it is a slot's,
        // which nothing borrows. S1 is kept: the mark beside a value is odd. Assigning to a
        // `ManuallyDrop` field drops nothing.
        unsafe {
            (*slot).mark = mark;
            (*slot).payload.value = ManuallyDrop::new(value);
        }
    }

    /// Writes a vacant slot.
    ///
    /// # Safety
    /// `slot` points to a slot's memory that nothing borrows, and `mark` is even. The previous
    /// content is overwritten, not dropped.
    #[inline]
    pub(super) unsafe fn write_vacant(slot: *mut Self, mark: u32, vacancy: Vacancy) {
        // SAFETY: the obligations of the head's function are those of the caller.
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
    // SAFETY: the source must be a valid `NonNull`, which is `repr(transparent)` over a pointer:
    // the caller guarantees that this one is not null.
    unsafe { core::mem::transmute::<*mut X, NonNull<X>>(pointer) }
}
