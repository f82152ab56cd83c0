//! Several `&mut` at once, each value lent once.
#![expect(unsafe_code, reason = "lends values out of a borrowed engine")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Deref;

use super::buffer::{Buffer, View};
use super::occupancy::Occupancy;
use super::slot::{Slot, Vacancy};
use super::{SlotRef, Slots};
use crate::layout::Layout;

/// Which values have been lent.
///
/// - L1: the engine is mutably borrowed for `'a`; `view` and `bits` are those of its buffer, and
///   `occupancy` is a copy of its own.
/// - L2: a bit of `lent` is set before the slot's value is lent, and never cleared. So no value is
///   lent twice. No mark is written while a loan book exists.
pub(crate) struct LoanBook<'a, P, V, D> {
    view: V,
    bits: &'a [u64],
    occupancy: Occupancy,
    /// The mark of slots that do not exist yet.
    base_mark: u32,
    lent: D,
    borrow: PhantomData<&'a mut P>,
}

// SAFETY: by L1 and L2 a book returns each `&mut P` once, and reads marks, which do not change
// while the engine is borrowed. A value that was lent before may stay on another thread.
unsafe impl<P: Send, V, D: Send> Send for LoanBook<'_, P, V, D> {}

/// Why there is no loan.
pub(crate) enum NoLoan {
    /// The handle does not resolve.
    NotLive,
    /// The value was lent before.
    Lent,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Takes one bit per slot.
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
        // SAFETY: the slot exists, so by B1 it has memory. By L1 no other reference to its mark
        // exists.
        if unsafe { (*slot).mark } != mark {
            return Err(NoLoan::NotLive);
        }
        let word = &self.lent[(index / 64) as usize];
        let bit = 1 << (index % 64);
        if word.get() & bit != 0 {
            return Err(NoLoan::Lent);
        }
        word.set(word.get() | bit);
        // SAFETY: S1, the mark is that of a handle, so odd (H1). L2, this value has not been lent
        // before; L1, the engine is borrowed alone for `'a`.
        Ok(unsafe { &mut *Slot::value_ptr(slot) })
    }

    /// Like [`Slots::state`], without a reference to the slot.
    pub(crate) fn state(&self, index: u32) -> (u32, Option<Vacancy>) {
        // SAFETY: L1, the slot exists; value and mark of a slot do not overlap, and a vacant slot
        // has not been lent.
        let read = |slot: *mut Slot<P>| unsafe { Slot::head(slot).state(self.occupancy.is_held(self.bits, index)) };
        self.slot(index).map_or((self.base_mark, Some(Vacancy::Free)), read)
    }

    pub(crate) fn base_mark(&self) -> u32 {
        self.base_mark
    }

    #[inline]
    fn slot(&self, index: u32) -> Option<*mut Slot<P>> {
        // SAFETY: L1 and B3, the slot exists, so the first of its word does.
        (index < self.occupancy.slot_count()).then(|| unsafe { slot_in(self.view, index) })
    }
}

/// A slot, found through a view.
///
/// # Safety
/// The slot exists.
unsafe fn slot_in<P, V: View<P>>(view: V, index: u32) -> *mut Slot<P> {
    // SAFETY: B3, the caller's.
    unsafe { view.word((index / 64) as usize).as_ptr().add((index % 64) as usize) }
}

/// Why several values cannot be borrowed together.
pub(crate) enum Conflict {
    /// One of them is not live: its position, and its slot's mark and vacancy.
    NotLive(usize, (u32, Option<Vacancy>)),
    /// Two of them are the same.
    Same(usize, usize),
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Several values at once.
    pub(crate) fn get_disjoint_mut<const N: usize>(&mut self, slots: [SlotRef; N]) -> Result<[&mut P; N], Conflict> {
        if let Some(nth) = slots.iter().position(|slot| !self.contains(slot.index, slot.mark)) {
            return Err(Conflict::NotLive(nth, self.state(slots[nth].index)));
        }
        for (nth, slot) in slots.iter().enumerate() {
            if let Some(first) = slots[..nth].iter().position(|earlier| earlier.index == slot.index) {
                return Err(Conflict::Same(first, nth));
            }
        }
        let (view, _) = self.buffer.parts_mut();
        // SAFETY: B3 and S1, all slots exist and are live. No two are the same, and the engine is
        // borrowed alone. All are found through one view: borrowing the buffer again would span
        // those that are given out already.
        Ok(slots.map(|slot| unsafe { &mut *Slot::value_ptr(slot_in(view, slot.index)) }))
    }
}
