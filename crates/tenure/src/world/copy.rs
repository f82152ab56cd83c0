//! Cloning a world, for checkpoints.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::World;
use crate::key::Key;
use crate::lifecycle::Frame;

/// Empties a world if an entity's `clone` panics: a half-copied world must not be used. Ids and
/// tickets that were issued are not issued again.
struct Unfinished<'a, E, H: Key> {
    world: &'a mut World<E, H>,
    last_id: u64,
    tickets: u64,
}

impl<'a, E, H: Key> Unfinished<'a, E, H> {
    fn new(world: &'a mut World<E, H>, original: &World<E, H>) -> Self {
        let issued = |world: &World<E, H>| world.look_at_frame(|frame| Some(frame.issued())).unwrap_or_default();
        let (own, other) = (issued(world), issued(original));
        Self { world, last_id: own.0.max(other.0), tickets: own.1.max(other.1) }
    }
}

impl<E, H: Key> Drop for Unfinished<'_, E, H> {
    fn drop(&mut self) {
        self.world.lifecycle.reset(Frame::after(self.last_id, self.tickets));
        self.world.staged.get_mut().clear();
    }
}

impl<E: Clone, H: Key> Clone for World<E, H> {
    /// Clones the entities, including uncommitted, dying and staged ones. The same handles and ids
    /// resolve in the copy, and the same calls issue the same handles and ids in both worlds.
    ///
    /// # Panics
    ///
    /// When an entity's `clone` spawns, stages or reserves in this world, or there is no memory.
    #[track_caller]
    fn clone(&self) -> Self {
        let _copying = self.lifecycle.begin_copy();
        let lifecycle = self.lifecycle.copy();
        let staged = RefCell::new(self.staged.borrow().clone());
        Self { lifecycle, staged, queues: Vec::new() }
    }

    /// Like `clone`, but reuses the memory of the world and, by their `clone_from`, of its
    /// entities. O(slots). The world continues the history of the original: handles and ids that
    /// it has issued itself may be issued again. If an entity's `clone` panics, the world is empty.
    ///
    /// # Panics
    ///
    /// When an entity's `clone` spawns, stages or reserves in this world, or there is no memory.
    #[track_caller]
    fn clone_from(&mut self, original: &Self) {
        let _copying = original.lifecycle.begin_copy();
        let unfinished = Unfinished::new(self, original);
        let copy = &mut *unfinished.world;
        copy.lifecycle.copy_from(&original.lifecycle);
        copy.staged.get_mut().clone_from(&original.staged.borrow());
        core::mem::forget(unfinished);
    }
}
