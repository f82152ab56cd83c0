//! Saving and restoring a world.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::World;
use crate::key::Key;
use crate::lifecycle::{FrameError, Lifecycle, SavedFrame};
use crate::pool::Pool;
use crate::slots::{Chunks, Preamble, Slots, Tenancy};

impl<E, H: Key> World<E, H> {
    /// Returns what is saved besides the entities.
    pub(crate) fn saved_frame(&self) -> Option<SavedFrame<H::Kind, H::Layout>> {
        self.lifecycle.save_frame()
    }

    /// Returns `true` if nothing was spawned or staged since the frame was saved.
    pub(crate) fn is_as(&self, frame: &SavedFrame<H::Kind, H::Layout>) -> bool {
        self.lifecycle.is_as(frame)
    }

    /// Returns what is saved of the pool besides its slots.
    pub(crate) fn preamble(&self) -> Preamble {
        self.lifecycle.look(Pool::preamble)
    }

    /// Returns the number of slots.
    pub(crate) fn slot_count(&self) -> u32 {
        u32::try_from(self.lifecycle.look(Pool::slot_count)).unwrap_or(u32::MAX)
    }

    /// Returns what is saved of a slot, and its entity. A reserved or freed slot is saved as
    /// pending.
    pub(crate) fn saved_slot(&self, slot: u32) -> (Tenancy, Option<&E>) {
        let tenancy = self.lifecycle.look(|pool| pool.tenancy(slot));
        (tenancy, self.lifecycle.handle_at(slot).and_then(|handle| self.find_raw(handle)))
    }

    /// Passes the staged entities to a closure.
    pub(crate) fn with_staged<R>(&self, look: impl FnOnce(&[E]) -> R) -> R {
        look(&self.staged.borrow())
    }

    /// Restores a world, if the frame fits the slots.
    pub(crate) fn from_saved(
        slots: Slots<E, H::Layout, Chunks<E>>,
        staged: Vec<E>,
        frame: SavedFrame<H::Kind, H::Layout>,
    ) -> Result<Self, FrameError<H::Kind, H::Layout>> {
        let lifecycle = Lifecycle::restore(Pool::from_slots(slots), frame, staged.len())?;
        Ok(Self { lifecycle, staged: RefCell::new(staged), queues: Vec::new() })
    }
}
