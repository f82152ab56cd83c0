//! Making a world.

use alloc::vec::Vec;
use core::cell::RefCell;

use super::World;
use crate::key::Key;
use crate::lifecycle::Lifecycle;
use crate::pool::Pool;

impl<E> World<E> {
    /// Creates an empty world. Allocates nothing, and is `const`. For a world with another key
    /// type, use [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Creates an empty world with room for `capacity` entities.
    ///
    /// ```
    /// let world: tenure::World<u64> = tenure::World::with_capacity(100);
    /// assert!(world.capacity() >= 100 && world.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer than `capacity` slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::with_capacity_and_key(capacity)
    }
}

impl<E, H: Key> World<E, H> {
    /// An empty world, with any key type. Allocates nothing.
    #[expect(clippy::declare_interior_mutable_const, reason = "every use is an empty world of its own")]
    pub const EMPTY: Self = Self::from_lifecycle(Lifecycle::with_frame(Pool::EMPTY));

    /// Like [`with_capacity`](World::with_capacity), with any key type.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer than `capacity` slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        let mut world = Self::EMPTY;
        world.reserve(capacity);
        world
    }

    /// Creates an empty world whose handles carry a tag, so that they do not resolve in containers
    /// with another tag. The layout is [`Tagged`](crate::Tagged). See [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self::from_lifecycle(Lifecycle::with_frame(Pool::with_tag(tag)))
    }

    pub(super) const fn from_lifecycle(lifecycle: Lifecycle<E, H::Kind, H::Layout>) -> Self {
        Self { lifecycle, staged: RefCell::new(Vec::new()), queues: Vec::new() }
    }

    /// Returns the number of committed entities, including dying ones: as many as
    /// [`iter`](Self::iter) visits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lifecycle.look(Pool::len)
    }

    /// Returns `true` if there are no committed entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
