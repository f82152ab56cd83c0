//! What `relink` needs of a world: spawning entities under handles that were reserved before.

use super::World;
use crate::error::Full;
use crate::key::{HandleOf, Key};
use crate::lifecycle::{Iter, LiveIterMut};
use crate::slots::FullKind;

impl<E, H: Key> World<E, H> {
    /// Makes room to spawn `count` entities under handles that are reserved first.
    pub(crate) fn make_room_to_spawn(&mut self, count: usize) -> Result<(), Full<()>> {
        self.lifecycle.free_deferred();
        self.lifecycle.unflushed_mut().try_make_room(count)?;
        self.lifecycle.make_room_to_spawn(count).map_err(|_| Full::new((), FullKind::Memory))
    }

    /// Reserves a handle for an entity that is spawned later.
    pub(crate) fn reserve_spawn(&mut self) -> Result<HandleOf<H>, Full<()>> {
        self.lifecycle.reserve_handle()
    }

    /// Releases a reserved handle that has no entity.
    pub(crate) fn release_spawn(&mut self, handle: HandleOf<H>) {
        self.lifecycle.release(handle);
    }

    /// Spawns an entity under a reserved handle. The caller has made room for it.
    pub(crate) fn fill_spawn(&mut self, handle: HandleOf<H>, entity: E, permanent: bool) {
        if self.lifecycle.fill_spawned(handle, entity).is_err() {
            debug_assert!(false, "there is room, and the handle was reserved");
        } else if permanent {
            self.lifecycle.lists_mut().make_permanent(handle);
        }
    }

    /// Passes every entity to a closure, uncommitted ones last. Asks no key, like all of these.
    pub(crate) fn for_each(&self, see: &mut dyn FnMut(HandleOf<H>, &E)) {
        Iter::<E, HandleOf<H>>::new(&self.lifecycle).for_each(|(handle, entity)| see(handle, entity));
        let mut spawned = self.iter_spawned();
        while let Some((handle, entity)) = spawned.next_raw() {
            see(handle, entity);
        }
    }

    /// Like `for_each`, mutably.
    pub(crate) fn for_each_mut(&mut self, change: &mut dyn FnMut(HandleOf<H>, &mut E)) {
        LiveIterMut::<E, HandleOf<H>>::new(&self.lifecycle).for_each(|(handle, entity)| change(handle, entity));
        for position in 0..self.lifecycle.lists_mut().spawned().len() {
            let handle = self.lifecycle.lists_mut().spawned()[position];
            if let Some(entity) = self.lifecycle.unflushed_mut().get_mut(handle) {
                change(handle, entity);
            }
        }
    }
}
