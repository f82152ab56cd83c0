//! Walks over a world. Queries are iterators: `filter`, `take`, `min_by_key` and the like come with
//! Rust.

use core::fmt;
use core::iter::Chain;

use super::World;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::stable::{Handles, Iter, LiveIterMut, LiveValuesMut, Values};

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// Handles and entities, by index: those that were committed, the dying included.
    pub fn iter(&self) -> Iter<'_, E, K, L> {
        Iter::new(&self.shared)
    }

    /// Handles and entities, by index, to change the entities.
    pub fn iter_mut(&mut self) -> LiveIterMut<'_, E, K, L> {
        LiveIterMut::new(&self.shared)
    }

    /// Entities, by index.
    pub fn values(&self) -> Values<'_, E, K, L> {
        Values::new(&self.shared)
    }

    /// Entities, by index, to change them.
    pub fn values_mut(&mut self) -> LiveValuesMut<'_, E, K, L> {
        LiveValuesMut::new(&self.shared)
    }

    /// Handles of all entities that were committed, by index.
    pub fn handles(&self) -> Handles<'_, E, K, L> {
        Handles::new(&self.shared)
    }

    /// Handles and entities that were spawned and not committed, in the order in which they were
    /// spawned.
    ///
    /// Entities that are spawned after this call are not visited, so a loop may spawn others.
    pub fn iter_pending(&self) -> Pending<'_, E, K, L> {
        Pending { world: self, next: 0, end: self.register.borrow().pending.len() }
    }

    /// All handles and entities: those that were committed, by index, and then those of
    /// [`iter_pending`](Self::iter_pending).
    pub fn iter_all(&self) -> All<'_, E, K, L> {
        self.iter().chain(self.iter_pending())
    }

    /// The first entity, by index, that the closure accepts.
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&E) -> bool) -> Option<Handle<K, L>> {
        self.iter().find(|(_, entity)| accept(entity)).map(|(handle, _)| handle)
    }
}

/// Everybody in a world. See [`World::iter_all`].
pub type All<'a, E, K, L> = Chain<Iter<'a, E, K, L>, Pending<'a, E, K, L>>;

/// Who is born and not committed. See [`World::iter_pending`].
#[must_use = "iterators are lazy"]
pub struct Pending<'a, E, K: ?Sized = E, L: Layout = Wide> {
    world: &'a World<E, K, L>,
    next: usize,
    end: usize,
}

impl<'a, E, K: ?Sized, L: Layout> Iterator for Pending<'a, E, K, L> {
    type Item = (Handle<K, L>, &'a E);

    /// Looks at the list anew every time: entities can be born meanwhile, and are met too.
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        let handle = *self.world.register.borrow().pending.get(self.next)?;
        self.next += 1;
        Some((handle, self.world.get(handle)?))
    }
}

impl<E, K: ?Sized, L: Layout> fmt::Debug for Pending<'_, E, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").finish_non_exhaustive()
    }
}

impl<'a, E, K: ?Sized, L: Layout> IntoIterator for &'a World<E, K, L> {
    type Item = (Handle<K, L>, &'a E);
    type IntoIter = Iter<'a, E, K, L>;

    fn into_iter(self) -> Iter<'a, E, K, L> {
        self.iter()
    }
}

impl<'a, E, K: ?Sized, L: Layout> IntoIterator for &'a mut World<E, K, L> {
    type Item = (Handle<K, L>, &'a mut E);
    type IntoIter = LiveIterMut<'a, E, K, L>;

    fn into_iter(self) -> LiveIterMut<'a, E, K, L> {
        self.iter_mut()
    }
}
