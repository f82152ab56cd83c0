//! Inserting under a handle that was issued earlier or by another pool: undo, network, load.

#[cfg(feature = "alloc")]
mod unlisted;

use super::bits::below;
use super::buffer::Buffer;
use super::slot::Vacancy;
use super::{FullKind, SlotRef, Slots};
use crate::layout::{Layout, Marks};

/// The number of slots above the last one that can be claimed without
/// [`Slots::allow_indices_below`].
const FAR: u32 = 4_096;

/// The result of checking whether a slot can be claimed for a given tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The slot is vacant, and has had no newer tenant.
    Granted,
    /// The tenant is live in the slot.
    Live,
    /// The slot is pending for this tenant.
    Pending,
    /// The slot has, or has had, a newer tenant.
    Older,
    /// The slot is still occupied by an older tenant.
    Occupied,
    /// The index is farther above the last slot than allowed.
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
            // The last tenant of a free slot can be inserted again, so the bound is one generation
            // below `held`, which is the next tenant.
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

    /// Appends slots until slot `index`, which was [granted](Claim::Granted), exists. The new slots
    /// are listed as free; the lowest is used first.
    pub(crate) fn make_claimable(&mut self, index: u32) -> Result<(), FullKind> {
        let count = self.slot_count();
        if index < count {
            return Ok(());
        }
        self.make_room_below(index)?;
        self.append_free(index + 1);
        for word in count / 64..self.occupancy.word_count() {
            let new = below(index + 1, word) & !below(count, word);
            self.occupancy.list_many(self.buffer.bits_mut(), word, new);
        }
        Ok(())
    }

    /// Makes room for slot `index`, which does not exist, and for all slots below it.
    fn make_room_below(&mut self, index: u32) -> Result<(), FullKind> {
        // Also for nil, whose index is all ones: an `Owner` written by hand may accept it.
        if index as usize >= self.limit() {
            return Err(if index >= L::MAX_SLOTS { FullKind::Slots } else { FullKind::Fixed });
        }
        if index >= self.occupancy.usable_capacity {
            self.grow((index - self.slot_count()) as usize + 1)?;
        }
        Ok(())
    }

    /// Moves a value into an existing slot that was [granted](Claim::Granted).
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

    /// Makes an existing slot that was [granted](Claim::Granted) pending for a tenant.
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

    /// Allows `insert_at` to use every index below `count`.
    pub(crate) fn allow_indices_below(&mut self, count: u32) {
        self.index_limit = self.index_limit.max(count);
    }
}
