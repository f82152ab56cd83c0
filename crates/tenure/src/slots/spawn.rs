//! Tenants that are born and die while the others are borrowed: the free list and the bits learn of it later.
#![allow(unsafe_code, reason = "writes values into slots whose marks stay even")]

use core::ptr::NonNull;

use super::buffer::Buffer;
use super::free::NONE;
use super::slot::Slot;
use super::{Place, Roam, Slots};
use crate::error::FullKind;
use crate::layout::{Layout, Marks};

/// N1: between `spawn` and `admit` a slot is *newborn*: it holds a value. Between `depart` and `bury` it is *departed*: it holds none. Both have an even mark and the bit
/// of a live slot, so neither is found by look-ups, and nobody takes them for free. Their owner (`stable/shared.rs`) has listed them, and admits and buries them before anything
/// else is done than these functions, looking up, roaming past even marks, and reserving.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Moves a value in whose handle leads nowhere yet.
    #[inline]
    pub(crate) fn spawn(&mut self, value: P) -> Result<Place, (P, FullKind)> {
        let next = self.free.next();
        if next != NONE {
            if let Err(kind) = self.bring_back(next) {
                return Err((value, kind));
            }
            let place = self.vacant_place(next);
            self.vacant -= 1;
            // SAFETY: B1 and E3, free slots exist and are vacant. N1: the mark stays even.
            unsafe { Slot::value_ptr(self.buffer.slot_mut(next as usize)).write(value) };
            self.use_next();
            return Ok(place);
        }
        if let Err(kind) = self.make_room() {
            return Err((value, kind));
        }
        let place = self.new_place();
        self.append(place, value);
        // SAFETY: B1, the slot exists: it was just written. N1.
        unsafe { (*self.buffer.slot_mut(place.index as usize)).mark = place.mark - 1 };
        Ok(place)
    }

    /// Moves the value of a live tenant, which is not the last one its slot can have, out. Its handle is dead from now on.
    #[inline]
    pub(crate) fn depart(&mut self, index: u32, mark: u32) -> P {
        debug_assert!(self.contains(index, mark) && !Self::is_last(mark));
        let slot = self.buffer.slot_mut(index as usize);
        // SAFETY: B1 and S1, callers pass live slots. The value is read once: N1, from now on nobody takes the slot for a live one.
        unsafe {
            (*slot).mark = mark + 1;
            Slot::value_ptr(slot).read()
        }
    }

    /// Whether a slot is retired after this tenant.
    #[inline]
    pub(crate) fn is_last(mark: u32) -> bool {
        L::count(mark) == L::COUNT
    }

    /// Lists a slot that has departed.
    pub(crate) fn bury(&mut self, index: u32) {
        self.vacant += 1;
        self.free(index);
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
