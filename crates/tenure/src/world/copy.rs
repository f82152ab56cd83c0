//! Copies of a world: the checkpoint of every frame.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::World;
use super::register::Register;
use crate::layout::Layout;
use crate::stable::Copying;

/// Forgets everything when a clone panics: half a world is none. What was given out is not given
/// out again.
struct Unfinished<'a, E, K: ?Sized, L: Layout> {
    world: &'a mut World<E, K, L>,
    last_id: u64,
    tickets: u64,
}

impl<'a, E, K: ?Sized, L: Layout> Unfinished<'a, E, K, L> {
    fn new(world: &'a mut World<E, K, L>, original: &World<E, K, L>) -> Self {
        let (own, other) = (world.register.get_mut().given(), original.register.borrow().given());
        Self { world, last_id: own.0.max(other.0), tickets: own.1.max(other.1) }
    }
}

impl<E, K: ?Sized, L: Layout> Drop for Unfinished<'_, E, K, L> {
    fn drop(&mut self) {
        self.world.shared.get_mut().clear();
        *self.world.register.get_mut() = Register::EMPTY.after(self.last_id, self.tickets);
        self.world.staged.get_mut().clear();
    }
}

impl<E: Clone, K: ?Sized, L: Layout> Clone for World<E, K, L> {
    /// The same handles lead to clones of the entities, pending and dying ones included; so do ids,
    /// and births go on with the same handles. An entity's `clone` must not let others be born:
    /// that panics.
    fn clone(&self) -> Self {
        let _copying = Copying::of(&self.copying);
        let shared = self.shared.copy();
        // Each borrow ends before an entity's `clone` can run, which may despawn others.
        let register = RefCell::new(self.register.borrow().clone());
        let staged = RefCell::new(self.staged.borrow().clone());
        Self { shared, register, staged, desks: Vec::new(), copying: Cell::new(0) }
    }

    /// Reuses memory, also that of the entities: cheap enough for a checkpoint every frame. If a
    /// clone panics, the world is empty.
    fn clone_from(&mut self, original: &Self) {
        let _copying = Copying::of(&original.copying);
        let unfinished = Unfinished::new(self, original);
        let copy = &mut *unfinished.world;
        copy.shared.copy_from(&original.shared);
        copy.register.get_mut().clone_from(&original.register.borrow());
        copy.staged.get_mut().clone_from(&original.staged.borrow());
        core::mem::forget(unfinished);
    }
}
