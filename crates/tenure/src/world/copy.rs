//! Copies of a world: the checkpoint of every frame.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::World;
use crate::layout::Layout;
use crate::stable::Copying;

/// Forgets everything when a clone panics: half a world is none.
struct Unfinished<'a, E, K: ?Sized, L: Layout>(&'a mut World<E, K, L>);

impl<E, K: ?Sized, L: Layout> Drop for Unfinished<'_, E, K, L> {
    fn drop(&mut self) {
        *self.0 = World::with_layout();
    }
}

impl<E: Clone, K: ?Sized, L: Layout> Clone for World<E, K, L> {
    /// The same handles lead to clones of the entities, pending and dying ones included; so do ids, and births go on with the same handles. An entity's `clone` must not
    /// let others be born: that panics.
    fn clone(&self) -> Self {
        let _copying = Copying::of(&self.copying);
        Self {
            shared: self.shared.copy(),
            register: RefCell::new(self.register.borrow().clone()),
            staged: RefCell::new(self.staged.borrow().clone()),
            desks: Vec::new(),
            copying: Cell::new(0),
        }
    }

    /// Reuses memory, also that of the entities: cheap enough for a checkpoint every frame. If a clone panics, the world is empty, and as new.
    fn clone_from(&mut self, original: &Self) {
        let _copying = Copying::of(&original.copying);
        let unfinished = Unfinished(self);
        let copy = &mut *unfinished.0;
        copy.shared.copy_from(&original.shared);
        copy.register.get_mut().clone_from(&original.register.borrow());
        copy.staged.get_mut().clone_from(&original.staged.borrow());
        core::mem::forget(unfinished);
    }
}
