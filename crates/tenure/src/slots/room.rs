//! Growing, shrinking, and recycling retired slots.
#![allow(unsafe_code, reason = "touches memory above the last slot")]

use super::bits::needed;
use super::buffer::Buffer;
use super::slot::{Slot, Vacancy};
use super::{FullKind, Slots};
use crate::layout::{Layout, Marks};

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns the number of slots that can exist before the buffer must grow. (Not
    /// `usable_capacity`, which is 0 before the first insertion.)
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "at most MAX_SLOTS")]
    pub(crate) fn capacity(&self) -> u32 {
        self.buffer.capacity().min(L::MAX_SLOTS as usize) as u32
    }

    /// Returns the heap memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// Makes room for `additional` values. Free slots count as room.
    pub(crate) fn try_reserve(&mut self, additional: usize, exact: bool) -> Result<(), B::Refusal> {
        let needed = additional.saturating_sub(self.free_count() as usize);
        let available = (self.occupancy.usable_capacity - self.slot_count()) as usize;
        if needed <= available {
            return Ok(());
        }
        let slots = (self.slot_count() as usize).checked_add(needed).filter(|&slots| slots <= self.limit());
        match slots {
            Some(slots) if exact => self.set_capacity(slots),
            Some(slots) => self.set_capacity(self.buffer.amortized_capacity(slots)),
            None => Err(B::too_much()),
        }
    }

    /// Returns the reason why there is no room for `additional` values.
    #[cfg(feature = "relink")]
    pub(crate) fn why_full(&self, additional: usize) -> FullKind {
        let possible = self.limit() - self.slot_count() as usize + self.free_count() as usize;
        match self.limit() {
            _ if additional <= possible => FullKind::Memory,
            limit if limit < L::MAX_SLOTS as usize => FullKind::Fixed,
            _ => FullKind::Slots,
        }
    }

    /// Makes room for `additional` more slots, with amortised growth. The value to insert is not
    /// passed in: a cold path that takes it by move would copy it once more.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, additional: usize) -> Result<(), FullKind> {
        let slots = self.slot_count() as usize + additional;
        self.buffer.grow(&mut self.occupancy, slots, L::MAX_SLOTS)
    }

    /// Returns the greatest number of slots that can exist.
    pub(super) fn limit(&self) -> usize {
        self.buffer.limit().min(L::MAX_SLOTS as usize)
    }

    /// Fixes the capacity at its current value.
    pub(crate) fn fix_capacity(&mut self) {
        self.buffer.set_limit(self.occupancy.usable_capacity as usize);
    }

    /// Makes room for `slots` slots in total, which is more than before.
    pub(super) fn set_capacity(&mut self, slots: usize) -> Result<(), B::Refusal> {
        self.buffer.set_capacity(&mut self.occupancy, slots, L::MAX_SLOTS)
    }

    /// Writes to every page of the memory above the last slot.
    pub(crate) fn warm_up(&mut self) {
        const PAGE: usize = 4_096;
        let size = size_of::<Slot<P>>();
        for index in (self.slot_count()..self.occupancy.usable_capacity).step_by((PAGE / size).max(1)) {
            let slot = self.buffer.slot_mut(index as usize).cast::<u8>();
            for offset in (0..size).step_by(PAGE) {
                // SAFETY: the pointer must be valid for a write that overwrites no slot: by B1 and
                // E2 there is memory for the slot, and it is not initialised.
                unsafe { slot.add(offset).write_volatile(0) };
            }
        }
    }

    /// Makes the buffer's whole capacity usable.
    pub(super) fn use_capacity(&mut self) {
        self.occupancy.usable_capacity = self.capacity();
    }

    /// Removes the free slots at the end, and releases memory beyond the first `least` slots that
    /// is not needed.
    pub(crate) fn shrink_to(&mut self, least: usize) {
        self.cut_tail();
        self.give_back(least);
    }

    /// Releases memory that neither the existing slots nor the first `least` slots need.
    pub(super) fn give_back(&mut self, least: usize) {
        let slots = least.min(self.buffer.capacity()).max(self.slot_count() as usize);
        let capacity = self.buffer.least_capacity(slots);
        let words = capacity.div_ceil(64);
        self.occupancy.bits.shrink(self.buffer.bits_mut(), words);
        self.buffer.shrink_to(capacity, needed(words));
        self.use_capacity();
    }

    /// Returns the highest mark that new slots may start with. The limit is half of all
    /// generations: one slot that was reused often must not cost the others more than that.
    fn highest_base_mark(&self) -> u32 {
        (self.base_mark & L::TAG) | (L::COUNT / 2)
    }

    /// Removes free slots at the end. `base_mark` becomes at least the mark of each of them, so
    /// that no handle to them can resolve again.
    fn cut_tail(&mut self) {
        while let Some(last) = self.slot_count().checked_sub(1) {
            let (mark, vacancy) = self.state(last);
            if vacancy != Some(Vacancy::Free) || mark > self.highest_base_mark() {
                return;
            }
            self.occupancy.unlist_one(self.buffer.bits_mut(), last);
            self.base_mark = self.base_mark.max(mark);
            self.occupancy.cut_last();
        }
    }

    /// Makes every retired slot free again, starting with its first generation. Returns their
    /// number.
    pub(crate) fn recycle_retired(&mut self) -> usize {
        if self.retired_count() == 0 {
            return 0;
        }
        let tag = self.base_mark & L::TAG;
        let mut recycled = 0;
        for index in 0..self.slot_count() {
            if self.state(index).1 == Some(Vacancy::Retired) {
                self.write_vacant(index, tag, Vacancy::Free);
                let data = self.buffer.bits_mut();
                self.occupancy.census.retired_to_free(1);
                self.occupancy.unhold(data, index);
                self.occupancy.list(data, index);
                recycled += 1;
            }
        }
        recycled
    }

    /// Rebuilds the free list: the lowest free slot is used first.
    pub(super) fn rebuild_free_list(&mut self) {
        self.occupancy.rebuild_free_list(self.buffer.bits_mut());
    }

    /// Appends free slots until there are `count`. There is room for them. They are not listed yet.
    pub(super) fn append_free(&mut self, count: u32) {
        debug_assert!(count <= self.occupancy.usable_capacity);
        let first = self.slot_count();
        for index in first..count {
            // SAFETY: the pointer must be valid for a write: by B1 and E2 there is memory for the
            // slot. S1 and S2 must hold for the new slot: `base_mark` is even (E5), and a free slot
            // needs no vacancy.
            unsafe { (&raw mut (*self.buffer.slot_mut(index as usize)).mark).write(self.base_mark) };
        }
        self.occupancy.census.add_free(count - first);
    }
}
