//! A frame that was saved before it ended goes on: who is newborn, and which slots are kept.

use alloc::vec::Vec;

use super::shared::Shared;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::split;

/// Slots that nobody else may use until the frame ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// For those who are born next. All of one word, the lowest first.
    pub(crate) nursery: Vec<u32>,
    /// Of those who are gone.
    pub(crate) departed: Vec<u32>,
}

impl<T, K: ?Sized, L: Layout> Shared<T, K, L> {
    /// What is kept now.
    pub(crate) fn kept(&self) -> Kept {
        let (word, left, departed) = self.kept_slots();
        let nursery = (0..64).filter(|bit| left >> bit & 1 == 1).map(|bit| word * 64 + bit).collect();
        Kept { nursery, departed }
    }

    /// Makes live tenants newborn again, each of whom is there once, and keeps pending slots. If
    /// that cannot be, says where.
    pub(crate) fn reopen(&self, newborn: &[Handle<K, L>], kept: &Kept) -> Result<(), (&'static str, u32)> {
        for handle in newborn {
            self.make_newborn(handle.index());
        }
        for &slot in &kept.departed {
            self.keep_departed(slot).ok_or(("departed", slot))?;
        }
        let Some(&first) = kept.nursery.first() else { return Ok(()) };
        let (word, _) = split(first);
        let mut bits = 0;
        for &slot in &kept.nursery {
            let bit = split(slot).1;
            if slot / 64 != word || bits >= bit || !self.keep(slot) {
                return Err(("nursery", slot));
            }
            bits |= bit;
        }
        self.reopen_nursery(word, bits);
        Ok(())
    }
}
