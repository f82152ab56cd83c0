//! Inserting under a handle that was issued before, or elsewhere: undo, network, load.

use super::bits::below;
use super::buffer::Buffer;
use super::slot::{Slot, Vacancy};
use super::{Place, Slots};
use crate::error::FullKind;
use crate::layout::{Layout, Marks};

/// How far above the last slot an index may be claimed without [`Slots::reach`].
const FAR: u32 = 4_096;

/// What stands in the way of claiming a slot for a certain tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nothing: the slot is vacant, and no newer tenant had it.
    Granted,
    /// The tenant is there already.
    Live,
    /// The tenant has the slot already, without a value.
    Pending,
    /// A newer tenant had, or has, the slot.
    Older,
    /// An older tenant still has the slot.
    Occupied,
    /// The index is farther above the slots than allowed.
    Far,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Whether a slot can be claimed for the tenant `mark`, which carries this pool's tag.
    pub(crate) fn claim(&self, index: u32, mark: u32) -> Claim {
        let (current, vacancy) = self.state(index);
        let wanted = L::count(mark);
        let held = L::count(current) | 1;
        match vacancy {
            None if wanted == held => Claim::Live,
            Some(Vacancy::Pending) if wanted == held => Claim::Pending,
            Some(Vacancy::Retired) if wanted == held => Claim::Granted,
            // The last tenant of a free slot may come back, so `held`, the next one, need not be
            // reached.
            Some(Vacancy::Free) if wanted >= L::count(current).saturating_sub(1) => self.within_reach(index),
            Some(Vacancy::Free) => Claim::Older,
            _ if wanted < held => Claim::Older,
            _ => Claim::Occupied,
        }
    }

    fn within_reach(&self, index: u32) -> Claim {
        let end = self.slot_count().saturating_add(FAR).max(self.reach);
        if index < end { Claim::Granted } else { Claim::Far }
    }

    /// Makes sure that slot `index`, which was [granted](Claim::Granted), exists. The slots in the
    /// gap are listed, lowest first out.
    pub(crate) fn make_claimable(&mut self, index: u32) -> Result<(), FullKind> {
        let count = self.slot_count();
        if index < count {
            return Ok(());
        }
        if index >= self.room {
            self.grow((index - count) as usize + 1)?;
        }
        self.append_free(index + 1);
        for word in count / 64..self.word_count() {
            self.free_many(word, below(index + 1, word) & !below(count, word));
        }
        Ok(())
    }

    /// Moves a value into a slot that was [granted](Claim::Granted) and exists.
    pub(crate) fn occupy_claimed(&mut self, index: u32, mark: u32, value: P) {
        if self.state(index).1 == Some(Vacancy::Retired) {
            self.retired -= 1;
            self.unhold(index);
        } else {
            self.use_free(index);
        }
        self.move_in(index, mark, value);
    }

    /// Puts a value into a slot for a tenant that somebody else vouches for, whoever had or has the
    /// slot. What was there comes back.
    #[inline]
    pub(crate) fn put(&mut self, index: u32, mark: u32, value: P) -> Result<Option<P>, (P, FullKind)> {
        if index == self.slot_count() && self.make_room().is_ok() {
            self.append(Place { index, mark }, value);
            return Ok(None);
        }
        self.put_elsewhere(index, mark, value)
    }

    /// Not right behind the last slot.
    fn put_elsewhere(&mut self, index: u32, mark: u32, value: P) -> Result<Option<P>, (P, FullKind)> {
        if let Err(kind) = self.make_claimable(index) {
            return Err((value, kind));
        }
        let Some(current) = self.live_mark(index) else {
            self.occupy_claimed(index, mark, value);
            return Ok(None);
        };
        let older = self.get_mut(index, current).map(|older| core::mem::replace(older, value));
        self.rename(index, mark);
        Ok(older)
    }

    /// Lets `insert_at` use every index below `count`.
    pub(crate) fn reserve_slots(&mut self, count: u32) {
        self.reach = self.reach.max(count);
    }
}

#[expect(unsafe_code, reason = "initialises slots")]
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// The value of a live slot belongs to another tenant from now on.
    fn rename(&mut self, index: u32, mark: u32) {
        debug_assert!(self.live_mark(index).is_some() && mark & 1 == 1);
        // SAFETY: B1, the slot is live, so it exists; S1, it stays live: marks of tenants are odd
        // (H1).
        unsafe { (*self.buffer.slot_mut(index as usize)).mark = mark };
    }

    /// Writes new free slots up to `count`, for which there is room. They are not listed yet.
    pub(super) fn append_free(&mut self, count: u32) {
        debug_assert!(count <= self.room);
        for index in self.slot_count()..count {
            // SAFETY: B1 and E2, `count` is at most `room`; the slot is new and `floor` is even
            // (E5).
            unsafe {
                Slot::write_vacant(self.buffer.slot_mut(index as usize), self.floor, Vacancy::Free);
                self.buffer.set_len(index as usize + 1);
            }
            self.vacant += 1;
        }
    }
}
