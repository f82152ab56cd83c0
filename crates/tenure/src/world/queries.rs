//! Walks over a world. Queries are iterators: `filter`, `take`, `min_by_key` and the like come with
//! Rust.

use core::fmt;
use core::iter::Chain;

use super::World;
use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::{Handles, Iter, LiveIterMut, LiveValuesMut, Values};

impl<E, H: Key> World<E, H> {
    /// Handles and entities, by index: those that were committed, the dying included.
    pub fn iter(&self) -> Iter<'_, E, H> {
        Iter::new(&self.lifecycle)
    }

    /// Handles and entities, by index, to change the entities.
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, E, H> {
        LiveIterMut::new(&self.lifecycle)
    }

    /// Entities, by index.
    pub fn values(&self) -> Values<'_, E, H> {
        Values::new(&self.lifecycle)
    }

    /// Entities, by index, to change them.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, E, H> {
        LiveValuesMut::new(&self.lifecycle)
    }

    /// Handles of all entities that were committed, by index.
    pub fn handles(&self) -> Handles<'_, E, H> {
        Handles::new(&self.lifecycle)
    }

    /// Handles and entities that were spawned and not committed, in the order in which they were
    /// spawned.
    ///
    /// Entities that are spawned after this call are not visited, so a loop may spawn others.
    pub fn iter_spawned(&self) -> Pending<'_, E, H> {
        Pending { world: self, next: 0, end: self.lifecycle.look_at_lists(|lists| lists.spawned().len()) }
    }

    /// All handles and entities: those that were committed, by index, and then those of
    /// [`iter_spawned`](Self::iter_spawned).
    pub fn iter_all(&self) -> All<'_, E, H> {
        self.iter().chain(self.iter_spawned())
    }

    /// The first entity, by index, that the closure accepts.
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&E) -> bool) -> Option<H> {
        self.iter().find(|(_, entity)| accept(entity)).map(|(handle, _)| handle)
    }
}

/// Everybody in a world. See [`World::iter_all`].
pub type All<'a, E, H> = Chain<Iter<'a, E, H>, Pending<'a, E, H>>;

/// Who is born and not committed. See [`World::iter_spawned`].
#[must_use = "iterators are lazy"]
pub struct Pending<'a, E, H: Key = Handle<E>> {
    world: &'a World<E, H>,
    next: usize,
    end: usize,
}

impl<'a, E, H: Key> Iterator for Pending<'a, E, H> {
    type Item = (H, &'a E);

    /// Looks at the list anew every time: entities can be born meanwhile, and are met too.
    fn next(&mut self) -> Option<Self::Item> {
        // Entities that were removed since are passed over.
        while self.next < self.end {
            let handle = self.world.lifecycle.look_at_lists(|lists| lists.spawned().get(self.next).copied())?;
            self.next += 1;
            let entity = self.world.find_raw(handle);
            if entity.is_some() {
                return entity.map(|entity| (H::from_handle(handle), entity));
            }
        }
        None
    }
}

impl<E, H: Key> fmt::Debug for Pending<'_, E, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").finish_non_exhaustive()
    }
}

impl<'a, E, H: Key> IntoIterator for &'a World<E, H> {
    type Item = (H, &'a E);
    type IntoIter = Iter<'a, E, H>;

    fn into_iter(self) -> Iter<'a, E, H> {
        self.iter()
    }
}
