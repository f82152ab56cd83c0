//! Inserting under a handle that was issued before, or elsewhere: undo, network, load.

use super::bits::below;
use super::buffer::Buffer;
use super::slot::Vacancy;
use super::{FullKind, SlotRef, Slots};
use crate::layout::{Layout, Marks};

/// How far above the last slot an index may be claimed without [`Slots::allow_indices_below`].
const FAR: u32 = 4_096;

/// What stands in the way of claiming a slot for a certain tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nothing: the slot is vacant, and had no newer tenant.
    Granted,
    /// The tenant is there already.
    Live,
    /// The tenant has the slot already, without a value.
    Pending,
    /// The slot had, or has, a newer tenant.
    Older,
    /// The slot still has an older tenant.
    Occupied,
    /// The index is farther above the slots than allowed.
    Far,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Checks whether a slot can be claimed for a tenant whose mark carries this pool's tag.
    pub(crate) fn claim(&self, slot: SlotRef) -> Claim {
        let (current, vacancy) = self.state(slot.index);
        let wanted = L::count(slot.mark);
        let held = L::count(current) | 1;
        match vacancy {
            None if wanted == held => Claim::Live,
            Some(Vacancy::Pending) if wanted == held => Claim::Pending,
            Some(Vacancy::Retired) if wanted == held => Claim::Granted,
            // The last tenant of a free slot may come back, so `held`, the next one, need not be
            // reached.
            Some(Vacancy::Free) if wanted >= L::count(current).saturating_sub(1) => self.within_limit(slot.index),
            Some(Vacancy::Free) => Claim::Older,
            _ if wanted < held => Claim::Older,
            _ => Claim::Occupied,
        }
    }

    fn within_limit(&self, index: u32) -> Claim {
        let end = self.slot_count().saturating_add(FAR).max(self.index_limit);
        if index < end { Claim::Granted } else { Claim::Far }
    }

    /// Makes sure that slot `index`, which was [granted](Claim::Granted), exists. The slots in the
    /// gap are listed, lowest first out.
    pub(crate) fn make_claimable(&mut self, index: u32) -> Result<(), FullKind> {
        let count = self.slot_count();
        if index < count {
            return Ok(());
        }
        if index >= self.occupancy.usable_capacity {
            self.grow((index - count) as usize + 1)?;
        }
        self.append_free(index + 1);
        for word in count / 64..self.occupancy.word_count() {
            let new = below(index + 1, word) & !below(count, word);
            self.occupancy.list_many(self.buffer.bits_mut(), word, new);
        }
        Ok(())
    }

    /// Moves a value into a slot that was [granted](Claim::Granted) and exists.
    pub(crate) fn occupy_claimed(&mut self, slot: SlotRef, value: P) {
        let is_retired = self.state(slot.index).1 == Some(Vacancy::Retired);
        let data = self.buffer.bits_mut();
        if is_retired {
            self.occupancy.census.retired_to_live();
            self.occupancy.unhold(data, slot.index);
        } else {
            self.occupancy.census.free_to_live();
            self.occupancy.unlist_one(data, slot.index);
        }
        self.write_live(slot, value);
    }

    /// Makes a slot that was [granted](Claim::Granted) and exists pending for a tenant.
    #[cfg(feature = "alloc")]
    pub(crate) fn reserve_claimed(&mut self, slot: SlotRef) {
        let is_retired = self.state(slot.index).1 == Some(Vacancy::Retired);
        let data = self.buffer.bits_mut();
        if is_retired {
            self.occupancy.census.retired_to_pending();
        } else {
            self.occupancy.unlist_one(data, slot.index);
            self.occupancy.census.free_to_pending(1);
            self.occupancy.hold(data, slot.index);
        }
        self.write_vacant(slot.index, slot.mark - 1, Vacancy::Pending);
    }

    /// Puts a value into a slot for a tenant that the caller vouches for, whatever tenant the slot
    /// had or has. What was there is returned.
    #[inline]
    pub(crate) fn put(&mut self, slot: SlotRef, value: P) -> Result<Option<P>, (P, FullKind)> {
        if slot.index == self.slot_count() && self.slot_count() < self.occupancy.usable_capacity {
            self.append(slot, value);
            return Ok(None);
        }
        self.put_elsewhere(slot, value)
    }

    /// Not right behind the last slot, or there is no room yet.
    fn put_elsewhere(&mut self, slot: SlotRef, value: P) -> Result<Option<P>, (P, FullKind)> {
        if let Err(kind) = self.make_claimable(slot.index) {
            return Err((value, kind));
        }
        let Some(current) = self.live_mark(slot.index) else {
            self.occupy_claimed(slot, value);
            return Ok(None);
        };
        let older = self.get_mut(slot.index, current).map(|older| core::mem::replace(older, value));
        self.rename(slot);
        Ok(older)
    }

    /// The value of a live slot belongs to another tenant from now on.
    #[allow(unsafe_code, reason = "writes the mark of a live slot")]
    fn rename(&mut self, slot: SlotRef) {
        debug_assert!(self.live_mark(slot.index).is_some() && slot.mark & 1 == 1);
        // SAFETY: B1, the slot is live, so it exists; S1, it stays live: marks of tenants are odd
        // (H1).
        unsafe { (*self.buffer.slot_mut(slot.index as usize)).mark = slot.mark };
    }

    /// Lets `insert_at` use every index below `count`.
    pub(crate) fn allow_indices_below(&mut self, count: u32) {
        self.index_limit = self.index_limit.max(count);
    }
}
