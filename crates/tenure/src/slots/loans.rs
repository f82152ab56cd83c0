//! Several mutable references at once, each value lent once.
#![expect(unsafe_code, reason = "lends values out of a borrowed engine")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Deref;

use super::buffer::{Buffer, View};
use super::occupancy::Occupancy;
use super::slot::{Slot, Vacancy};
use super::{SlotRef, Slots};
use crate::layout::Layout;

/// Records which values have been lent.
///
/// - L1: the engine is mutably borrowed for `'a`; `view` and `bits` are those of its buffer, and
///   `occupancy` is a copy of its own.
/// - L2: for every slot: its bit of `lent` is set before its value is lent, and is never cleared.
///   So no value is lent twice. No mark is written while a loan book exists.
pub(crate) struct LoanBook<'a, P, V, D> {
    view: V,
    bits: &'a [u64],
    occupancy: Occupancy,
    /// The mark of slots that do not exist yet.
    base_mark: u32,
    lent: D,
    borrow: PhantomData<&'a mut P>,
}

// SAFETY: sending a book must not allow aliasing or a data race: by L1 and L2 a book returns each
// `&mut P` once, and reads marks, which do not change while the engine is borrowed. A value that
// was lent before may stay on another thread.
unsafe impl<P: Send, V, D: Send> Send for LoanBook<'_, P, V, D> {}

/// Why a value cannot be lent.
pub(crate) enum NoLoan {
    /// The handle does not resolve.
    NotLive,
    /// The value was lent before.
    Lent,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns a loan book for all values. It takes one bit of memory per slot.
    pub(crate) fn lend(&mut self) -> LoanBook<'_, P, B::View, B::Ledger> {
        let lent = self.buffer.ledger(self.slot_count() as usize);
        let (occupancy, base_mark) = (self.occupancy, self.base_mark);
        let (view, bits) = self.buffer.parts_mut();
        LoanBook { view, bits, occupancy, base_mark, lent, borrow: PhantomData }
    }
}

impl<'a, P, V: View<P>, D: Deref<Target = [Cell<u64>]>> LoanBook<'a, P, V, D> {
    #[inline]
    pub(crate) fn get_mut(&self, index: u32, mark: u32) -> Result<&'a mut P, NoLoan> {
        let slot = self.slot(index).ok_or(NoLoan::NotLive)?;
        // SAFETY: the pointer must be valid for a read: the slot exists, so by B1 it has memory. By
        // L1 no other reference to its mark exists.
        if unsafe { (*slot).mark } != mark {
            return Err(NoLoan::NotLive);
        }
        let word = &self.lent[(index / 64) as usize];
        let bit = 1 << (index % 64);
        if word.get() & bit != 0 {
            return Err(NoLoan::Lent);
        }
        word.set(word.get() | bit);
        // SAFETY: the value must be initialised: `mark` is that of a handle, so it is odd (H1), and
        // S1 holds. The reference must not alias: by L2 this value has not been lent before, and by
        // L1 the engine is borrowed exclusively for `'a`.
        Ok(unsafe { &mut *Slot::value_ptr(slot) })
    }

    /// Like [`Slots::state`], without a reference to the slot.
    pub(crate) fn state(&self, index: u32) -> (u32, Option<Vacancy>) {
        // SAFETY: the pointer must be valid for a read: `slot` returns only slots that exist. The
        // read must not alias a lent value: value and mark of a slot do not overlap, and a vacant
        // slot has not been lent.
        let read = |slot: *mut Slot<P>| unsafe { Slot::head(slot).state(self.occupancy.is_held(self.bits, index)) };
        self.slot(index).map_or((self.base_mark, Some(Vacancy::Free)), read)
    }

    pub(crate) fn base_mark(&self) -> u32 {
        self.base_mark
    }

    #[inline]
    fn slot(&self, index: u32) -> Option<*mut Slot<P>> {
        // SAFETY: the slot must exist: by L1 `index` is compared with the engine's slot count. By
        // B3 the first slot of its word exists, too.
        (index < self.occupancy.slot_count()).then(|| unsafe { slot_in(self.view, index) })
    }
}

/// Returns a pointer to a slot, through a view.
///
/// # Safety
/// The slot exists.
#[inline]
unsafe fn slot_in<P, V: View<P>>(view: V, index: u32) -> *mut Slot<P> {
    // SAFETY: the word and the slot must exist: the caller guarantees it, and B3 holds.
    unsafe { view.word((index / 64) as usize).as_ptr().add((index % 64) as usize) }
}

/// Why several values cannot be borrowed together.
pub(crate) enum Conflict {
    /// The value at this position is not live. Also has the mark and vacancy of its slot.
    NotLive(usize, (u32, Option<Vacancy>)),
    /// The values at these two positions are the same.
    Same(usize, usize),
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns mutable references to several values at once, or the engine if there is a
    /// [conflict](Self::conflict). The cause is not determined here, so that this is small enough
    /// to be inlined, and the slots stay in registers (row `SlotMap::get_disjoint_mut`).
    #[inline]
    pub(crate) fn get_disjoint_mut<const N: usize>(&mut self, slots: [SlotRef; N]) -> Result<[&mut P; N], &Self> {
        for nth in 0..N {
            let SlotRef { index, mark } = slots[nth];
            if !self.contains(index, mark) || slots[..nth].iter().any(|earlier| earlier.index == index) {
                return Err(self);
            }
        }
        let (view, _) = self.buffer.parts_mut();
        // SAFETY: all slots must exist and hold values: `contains` was true for each, so B3 and S1
        // hold. The references must not alias: no two slots are the same, and the engine is
        // borrowed exclusively. All are reached through one view: borrowing the buffer again would
        // alias the references that exist already.
        Ok(slots.map(|slot| unsafe { &mut *Slot::value_ptr(slot_in(view, slot.index)) }))
    }

    /// Returns why several values cannot be borrowed together.
    #[cold]
    pub(crate) fn conflict(&self, slots: &[SlotRef]) -> Conflict {
        if let Some(nth) = slots.iter().position(|slot| !self.contains(slot.index, slot.mark)) {
            return Conflict::NotLive(nth, self.state(slots[nth].index));
        }
        let same = |(nth, slot): (usize, &SlotRef)| {
            let first = slots[..nth].iter().position(|earlier| earlier.index == slot.index)?;
            Some(Conflict::Same(first, nth))
        };
        slots.iter().enumerate().find_map(same).unwrap_or_else(|| unreachable!("two of the slots are the same"))
    }
}
