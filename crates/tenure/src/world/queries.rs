//! Iterators over a world. Queries use the adapters of `Iterator`: `filter`, `take`, `min_by_key`
//! and others.

use core::fmt;
use core::iter::{Chain, FusedIterator};
use core::ops::Range;

use super::World;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::lifecycle::{Handles, Iter, LiveIterMut, LiveValuesMut, Values};

impl<E, H: Key> World<E, H> {
    /// An iterator over committed entities, including dying ones, with their handles, in index
    /// order. The whole iteration is O(entities + slots / 64).
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.handle_at(0).unwrap();
    /// world.spawn("elf"); // visited from the next frame on
    /// assert!(world.iter().eq([(orc, &"orc")]));
    /// world.end_frame();
    /// assert_eq!(world.iter().count(), 2);
    /// ```
    pub fn iter(&self) -> Iter<'_, E, H> {
        Iter::new(&self.lifecycle)
    }

    /// Like [`iter`](Self::iter), mutably.
    ///
    /// ```
    /// let mut world = tenure::World::from([1, 2]);
    /// for (handle, number) in &mut world {
    ///     *number += 10 * handle.index();
    /// }
    /// assert!(world.values().eq(&[1, 12]));
    /// ```
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, E, H> {
        LiveIterMut::new(&self.lifecycle)
    }

    /// An iterator over committed entities, including dying ones, in index order.
    pub fn values(&self) -> Values<'_, E, H> {
        Values::new(&self.lifecycle)
    }

    /// Like [`values`](Self::values), mutably.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, E, H> {
        LiveValuesMut::new(&self.lifecycle)
    }

    /// An iterator over the handles of committed entities, including dying ones, in index order.
    pub fn handles(&self) -> Handles<'_, E, H> {
        Handles::new(&self.lifecycle)
    }

    /// An iterator over the entities that were spawned and not committed, with their handles, in
    /// the order of spawning.
    ///
    /// Entities that are spawned after this call are not visited, so a loop that spawns others
    /// terminates.
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// let elf = world.spawn("elf");
    /// assert!(world.iter_spawned().eq([(elf, &"elf")]));
    /// ```
    pub fn iter_spawned(&self) -> Spawned<'_, E, H> {
        Spawned { world: self, positions: 0..self.lifecycle.count_spawned() }
    }

    /// An iterator over all entities with their handles: first committed ones, in index order, and
    /// then those of [`iter_spawned`](Self::iter_spawned). Staged ones have no handle, and are not
    /// visited.
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// world.spawn("elf");
    /// assert!(world.iter_all().map(|(_handle, name)| *name).eq(["orc", "elf"]));
    /// ```
    pub fn iter_all(&self) -> All<'_, E, H> {
        self.iter().chain(self.iter_spawned())
    }

    /// Returns the handle of the first committed entity, in index order, for which the closure
    /// returns `true`. O(entities + slots / 64).
    ///
    /// ```
    /// let world = tenure::World::from(["orc", "elf"]);
    /// let elf = world.find(|name| *name == "elf").unwrap();
    /// assert_eq!(world[elf], "elf");
    /// ```
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&E) -> bool) -> Option<H> {
        self.iter().find(|(_, entity)| accept(entity)).map(|(handle, _)| handle)
    }
}

/// An iterator over all entities of a world. See [`World::iter_all`].
pub type All<'a, E, H = Handle<E>> = Chain<Iter<'a, E, H>, Spawned<'a, E, H>>;

/// An iterator over the entities that are spawned and not committed. See [`World::iter_spawned`].
#[must_use = "iterators are lazy"]
pub struct Spawned<'a, E, H: Key = Handle<E>> {
    world: &'a World<E, H>,
    /// Positions in the list of spawned entities.
    positions: Range<usize>,
}

impl<'a, E, H: Key> Spawned<'a, E, H> {
    /// The next entity with its plain handle.
    pub(super) fn next_raw(&mut self) -> Option<(HandleOf<H>, &'a E)> {
        // Entities that were removed before are skipped.
        self.positions.by_ref().find_map(|position| {
            let handle = self.world.lifecycle.look_at_lists(|lists| lists.spawned().get(position).copied())?;
            self.world.find_raw(handle).map(|entity| (handle, entity))
        })
    }
}

impl<'a, E, H: Key> Iterator for Spawned<'a, E, H> {
    type Item = (H, &'a E);

    /// Reads the list at each call: entities can be spawned meanwhile. They are not visited.
    fn next(&mut self) -> Option<Self::Item> {
        self.next_raw().map(|(handle, entity)| (H::from_handle(handle), entity))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.positions.len()))
    }
}

impl<E, H: Key> FusedIterator for Spawned<'_, E, H> {}

impl<E, H: Key> Clone for Spawned<'_, E, H> {
    fn clone(&self) -> Self {
        Self { world: self.world, positions: self.positions.clone() }
    }
}

impl<E, H: Key> fmt::Debug for Spawned<'_, E, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawned").finish_non_exhaustive()
    }
}

impl<'a, E, H: Key> IntoIterator for &'a World<E, H> {
    type Item = (H, &'a E);
    type IntoIter = Iter<'a, E, H>;

    fn into_iter(self) -> Iter<'a, E, H> {
        self.iter()
    }
}
