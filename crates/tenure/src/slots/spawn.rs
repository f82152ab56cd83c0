//! Tenants that are born while the others are borrowed: they have a value and an even mark until they are admitted.
#![allow(unsafe_code, reason = "writes values into slots whose marks stay even")]

use core::ptr::NonNull;

use super::buffer::Buffer;
use super::slot::Slot;
use super::{Place, Roam, Slots};
use crate::error::FullKind;
use crate::layout::Layout;

/// N1: between `spawn` and `admit` a slot holds a value and an even mark, and its bit is that of a live slot. Its owner (`stable/shared.rs`) has listed it, and
/// admits it before anything else than these functions, looking up, and inserting is done.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Moves a value in whose handle leads nowhere yet.
    pub(crate) fn spawn(&mut self, value: P) -> Result<Place, (P, FullKind)> {
        let place = match self.place() {
            Ok(place) => place,
            Err(kind) => return Err((value, kind)),
        };
        self.occupy(place, value);
        // SAFETY: B1, the slot exists: `occupy` has just written it. N1.
        unsafe { (*self.buffer.slot_mut(place.index as usize)).mark = place.mark - 1 };
        Ok(place)
    }

    /// From now on the handle of a slot that was spawned leads to its value.
    pub(crate) fn admit(&mut self, index: u32) {
        // SAFETY: B1 and N1, the slot exists and holds a value.
        unsafe { (*self.buffer.slot_mut(index as usize)).mark |= 1 };
    }

    /// Gives a pending tenant its value; its handle leads nowhere yet.
    pub(crate) fn fill_newborn(&mut self, index: u32, mark: u32, value: P) {
        self.fill(index, mark, value);
        // SAFETY: B1, the slot exists: `fill` has just written it. N1.
        unsafe { (*self.buffer.slot_mut(index as usize)).mark = mark - 1 };
    }

    /// Where the value of a slot that exists is.
    pub(crate) fn value_ptr(&self, index: u32) -> NonNull<P> {
        debug_assert!(self.has(index));
        // SAFETY: B1, callers pass slots that exist and are there. Only an address is taken, and none is null.
        unsafe { NonNull::new_unchecked(Slot::value_ptr(self.buffer.slot(index as usize).cast_mut())) }
    }

    /// Where the value of a tenant is, if it is live.
    #[inline]
    pub(crate) fn find(&self, index: u32, mark: u32) -> Option<NonNull<P>> {
        if self.contains(index, mark) { Some(self.value_ptr(index)) } else { None }
    }

    /// A walk that does not borrow the engine.
    pub(crate) fn roam(&self) -> Roam<P> {
        Roam::new(self.word_count())
    }
}
