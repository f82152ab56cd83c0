//! Copies of an engine: the same tenants in the same slots, and the same future.
#![allow(unsafe_code, reason = "writes slots of the copy one by one")]

use super::Slots;
use super::buffer::Buffer;
use super::slot::{Slot, Vacancy};
use crate::layout::Layout;

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// An empty engine with room for all the slots of `self`, and with its floor and reach.
    fn empty_like<Q, C: Buffer<Q>>(&self) -> Slots<Q, L, C> {
        let mut copy = Slots::with_floor(self.floor);
        copy.reach = self.reach;
        copy.make_room_for(self.slot_count());
        copy
    }

    fn make_room_for(&mut self, slots: u32) {
        if slots > self.room {
            match self.set_room(slots as usize) {
                Ok(()) => {}
                Err(error) => panic!("no memory for a copy of a pool: {error}"),
            }
        }
    }

    /// Appends a slot to a copy under construction. `None` is a vacant slot.
    ///
    /// # Safety
    /// There is room for it, and `mark` is odd exactly when there is a value.
    #[inline]
    unsafe fn append(&mut self, mark: u32, content: Result<P, Vacancy>) {
        let index = self.slot_count();
        let slot = self.buffer.slot_mut(index as usize);
        let live = content.is_ok();
        // SAFETY: B1 and E2, the caller says that there is room; the slot is new.
        unsafe {
            match content {
                Ok(value) => Slot::write_live(slot, mark, value),
                Err(vacancy) => Slot::write_vacant(slot, mark, vacancy),
            }
            self.buffer.set_len(index as usize + 1);
        }
        if live {
            self.set_live(index);
        }
    }

    /// Takes over what is not in the slots themselves.
    fn finish_copy<Q, C: Buffer<Q>>(&mut self, original: &Slots<Q, L, C>) {
        self.pending = original.pending;
        self.retired = original.retired;
        self.floor = original.floor;
        self.reach = original.reach;
        self.free.copy_from(&original.free);
    }

    /// The same tenants with other values. If `convert` panics, what was converted and what was not are dropped.
    pub(crate) fn map<Q, C: Buffer<Q>>(mut self, mut convert: impl FnMut(P) -> Q) -> Slots<Q, L, C> {
        let mut mapped = self.empty_like();
        for index in 0..self.slot_count() {
            let (mark, vacancy) = self.state(index);
            let content = match vacancy {
                Some(vacancy) => Err(vacancy),
                // SAFETY: `state` says that the slot is live. Its bit is cleared, and `self` is dropped unseen.
                None => Ok(convert(unsafe { self.lift(index) }.0)),
            };
            // SAFETY: `mapped` has room for all slots, and mark and content come from one slot.
            unsafe { mapped.append(mark, content) };
        }
        mapped.finish_copy(&self);
        mapped
    }
}

impl<P: Clone, L: Layout, B: Buffer<P>> Clone for Slots<P, L, B> {
    fn clone(&self) -> Self {
        let mut copy = self.empty_like();
        self.clone_slots_to(&mut copy);
        copy.finish_copy(self);
        copy
    }

    /// Reuses the memory of the slots and, through `P::clone_from`, of the values. If a clone panics, what was
    /// copied so far is there, and so is the rest of the old content.
    fn clone_from(&mut self, original: &Self) {
        self.make_room_for(original.slot_count());
        let recount = Recount(self);
        recount.0.overwrite_slots(original);
        original.clone_slots_to(recount.0);
        recount.finish(original);
    }
}

impl<P: Clone, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Clones the slots that `copy`, which has room for them, does not have yet.
    fn clone_slots_to(&self, copy: &mut Self) {
        for index in copy.slot_count()..self.slot_count() {
            // SAFETY: B1, the slot exists.
            let slot = unsafe { &*self.buffer.slot(index as usize) };
            let content = match slot.vacancy() {
                Some(vacancy) => Err(vacancy),
                // SAFETY: S1, a slot without a vacancy is live.
                None => Ok(unsafe { slot.value_unchecked() }.clone()),
            };
            // SAFETY: there is room, and mark and content come from one slot.
            unsafe { copy.append(slot.mark, content) };
        }
    }

    /// Makes the slots that exist equal to those of `original`; drops the ones it does not have.
    fn overwrite_slots(&mut self, original: &Self) {
        for index in 0..self.slot_count() {
            let (mark, vacancy) = original.state(index);
            match (self.live_mark(index).is_some(), vacancy) {
                (true, None) => self.overwrite_value(index, mark, original),
                (true, Some(vacancy)) => self.overwrite_by_vacancy(index, mark, vacancy),
                (false, Some(vacancy)) => self.write_vacancy(index, mark, vacancy),
                (false, None) => self.clone_value(index, mark, original),
            }
        }
        if self.slot_count() > original.slot_count() {
            // SAFETY: B1, all slots are initialised; those that are cut off are vacant, as `original` has none there.
            unsafe { self.buffer.set_len(original.buffer.len()) };
        }
    }

    /// Both slots are live.
    fn overwrite_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: both slots are live, so they exist.
        unsafe {
            self.get_unchecked_mut(index).clone_from(original.get_unchecked(index));
            (*self.buffer.slot_mut(index as usize)).mark = mark;
        }
    }

    /// The slot is live and must become vacant.
    fn overwrite_by_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        // SAFETY: the slot exists and is live; the next line writes it as vacant, before its value is dropped.
        let (value, _) = unsafe { self.lift(index) };
        self.write_vacancy(index, mark, vacancy);
        drop(value);
    }

    fn write_vacancy(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        // SAFETY: B1, the slot exists and its value is gone; a mark beside a vacancy is even (S2).
        unsafe { Slot::write_vacant(self.buffer.slot_mut(index as usize), mark, vacancy) };
    }

    /// The slot is vacant and must become live.
    fn clone_value(&mut self, index: u32, mark: u32, original: &Self) {
        // SAFETY: the original's slot is live.
        let value = unsafe { original.get_unchecked(index) }.clone();
        self.move_in(index, mark, value);
    }
}

/// Makes counters and free list fit the slots again when a clone or a destructor panicked.
struct Recount<'a, P, L: Layout, B: Buffer<P>>(&'a mut Slots<P, L, B>);

impl<P, L: Layout, B: Buffer<P>> Recount<'_, P, L, B> {
    fn finish(self, original: &Slots<P, L, B>) {
        self.0.finish_copy(original);
        core::mem::forget(self);
    }
}

impl<P, L: Layout, B: Buffer<P>> Drop for Recount<'_, P, L, B> {
    fn drop(&mut self) {
        self.0.recount();
    }
}
