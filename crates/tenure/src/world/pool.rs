//! The methods that a world has in common with pools.

use alloc::collections::TryReserveError;
use core::fmt;
use core::iter::FusedIterator;

use super::{IntoIter, IntoValues, Loans, World};
use crate::error::{Full, GetDisjointMutError, Rejected};
use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::{LiveIterMut, PendingHandles};
use crate::pool::{Pool, must_reserve};
use crate::slots::{Chunks, Slots};
use crate::stats::Stats;

/// Capacity.
impl<E, H: Key> World<E, H> {
    /// Returns the tag of this world's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.lifecycle.look(Pool::tag)
    }

    /// Returns the number of slots that the world has memory for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.lifecycle.look(Pool::capacity)
    }

    /// Makes room for at least `additional` more entities.
    ///
    /// ```
    /// let mut world: tenure::World<u64> = tenure::World::new();
    /// world.reserve(100); // the next 100 spawns do not allocate
    /// assert!(world.capacity() >= 100);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout does not have that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// Like [`reserve`](Self::reserve), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout does not have that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.lifecycle.unflushed_mut().try_reserve(additional)?;
        self.lifecycle.make_room_to_spawn(additional)
    }

    /// Like [`reserve`](Self::reserve), but reserves no more slots than needed.
    ///
    /// ```
    /// let mut world: tenure::World<u64> = tenure::World::new();
    /// world.reserve_exact(100);
    /// assert!(world.capacity() >= 100);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout does not have that many slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// Like [`reserve_exact`](Self::reserve_exact), but returns an error instead of panicking.
    ///
    /// ```
    /// let mut world: tenure::World<u64> = tenure::World::new();
    /// assert!(world.try_reserve_exact(100).is_ok());
    /// assert!(world.try_reserve_exact(usize::MAX).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout does not have that many slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.lifecycle.unflushed_mut().try_reserve_exact(additional)?;
        self.lifecycle.make_room_to_spawn(additional)
    }

    /// Touches all memory that is reserved for slots and not used yet, so that the operating system
    /// maps it now and not in the middle of a frame.
    ///
    /// ```
    /// let mut world: tenure::World<[u8; 64]> = tenure::World::with_capacity(1_000);
    /// world.warm_up();
    /// ```
    #[doc(alias("prefault", "touch"))]
    pub fn warm_up(&mut self) {
        self.lifecycle.unflushed_mut().warm_up();
    }

    /// Removes the free slots at the end, and frees the chunks after that of the last remaining
    /// slot. No entity moves. See [`StablePool::shrink_to_fit`](crate::StablePool::shrink_to_fit).
    ///
    /// ```
    /// let mut world: tenure::World<u64> = (0..10_000).collect();
    /// world.clear_all();
    /// world.shrink_to_fit();
    /// assert_eq!(world.capacity(), 0);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.shrink_to(0);
    }

    /// Like [`shrink_to_fit`](Self::shrink_to_fit), and keeps room for at least `capacity` slots.
    ///
    /// ```
    /// let mut world: tenure::World<u64> = (0..10_000).collect();
    /// world.clear_all();
    /// world.shrink_to(100);
    /// assert!((100..10_000).contains(&world.capacity()));
    /// ```
    pub fn shrink_to(&mut self, capacity: usize) {
        self.lifecycle.free_deferred();
        self.lifecycle.unflushed_mut().shrink_to(capacity);
        self.lifecycle.shrink_lists();
    }

    /// Returns counts, memory, and the highest generation. O(slots).
    ///
    /// `live` counts all entities, committed or not; staged ones are not counted.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc", "elf"]);
    /// world.discard(world.handle_at(1).unwrap());
    /// let _boss = world.reserve_handle();
    /// let stats = world.stats();
    /// assert_eq!((stats.live, stats.pending, stats.retired), (1, 1, 0));
    /// ```
    #[must_use]
    pub fn stats(&self) -> Stats {
        let stats = self.lifecycle.look(Pool::stats);
        let (spawned, freed, reserved) = self.lifecycle.deferred_counts();
        Stats {
            live: stats.live + spawned,
            pending: stats.pending - spawned - freed - reserved,
            free: stats.free + freed + reserved,
            bytes: stats.bytes + self.lifecycle.bytes_of_lists(),
            ..stats
        }
    }

    /// Makes retired slots free, as if they had never been used: see [`Pool::recycle_retired`].
    /// **The caller must make sure that no old handle of a retired slot is left anywhere.** Returns
    /// the number of slots.
    ///
    /// ```
    /// use tenure::{Compact, Handle, World};
    ///
    /// // 30 bits of index leave room for two tenants per slot.
    /// let mut world: World<u8, Handle<u8, Compact<30>>> = World::EMPTY;
    /// let second = Handle::from_parts(0, 2).unwrap();
    /// world.insert_at(second, 7).unwrap();
    /// world.discard(second);
    /// assert_eq!(world.stats().retired, 1);
    /// assert_eq!(world.recycle_retired(), 1);
    /// ```
    pub fn recycle_retired(&mut self) -> usize {
        self.lifecycle.recycle_retired()
    }

    /// Allows [`insert_at`](Self::insert_at) to use every index below `count`. See
    /// [`Pool::allow_indices_below`].
    pub fn allow_indices_below(&mut self, count: usize) {
        self.lifecycle.unflushed_mut().allow_indices_below(count);
    }
}

/// Handles.
impl<E, H: Key> World<E, H> {
    /// Returns the handle of the entity at an index, committed or not. `None` if there is none.
    /// O(1).
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// let elf = world.spawn("elf");
    /// assert_eq!(world[world.handle_at(0).unwrap()], "orc");
    /// assert_eq!((world.handle_at(1), world.handle_at(2)), (Some(elf), None));
    /// ```
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.lifecycle.handle_at(index).map(H::from_handle)
    }

    /// Returns the handle of an entity, from its address. `None` if it is not in this world.
    /// O(log capacity).
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// let orc = world.values().next().unwrap();
    /// assert_eq!(world.handle_of(orc), world.handle_at(0));
    /// ```
    #[must_use]
    pub fn handle_of(&self, entity: &E) -> Option<H> {
        self.lifecycle.look(|pool| pool.handle_of(entity)).map(H::from_handle)
    }

    /// Returns the handle that the next [`spawn`](Self::spawn) will issue. `None` when the world is
    /// full.
    ///
    /// ```
    /// let world = tenure::World::new();
    /// let next = world.next_handle();
    /// assert_eq!(Some(world.spawn("orc")), next);
    /// ```
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.lifecycle.next_handle().map(H::from_handle)
    }

    /// Reserves a handle for an entity that [`fill`](Self::fill) spawns later. Until then it is
    /// [pending](crate::Status::Pending) and does not resolve. [`discard`](Self::discard) and
    /// [`clear_all`](Self::clear_all) release it.
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let mut world = World::new();
    /// let boss = world.reserve_handle(); // others can refer to it already
    /// assert_eq!(world.status(boss), Status::Pending);
    ///
    /// world.fill(boss, "boss").unwrap();
    /// assert_eq!(world.status(boss), Status::Spawned);
    /// world.end_frame();
    /// assert_eq!(world[boss], "boss");
    /// ```
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or the world is being copied (from within an
    /// entity's `clone`).
    #[track_caller]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    pub fn reserve_handle(&self) -> H {
        match self.try_reserve_handle() {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`reserve_handle`](Self::reserve_handle), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when the world is full, or there is no memory.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`).
    #[track_caller]
    pub fn try_reserve_handle(&self) -> Result<H, Full<()>> {
        self.assert_not_copying();
        self.lifecycle.reserve_handle().map(H::from_handle)
    }

    /// Spawns an entity under a handle that was [reserved](Self::reserve_handle) or whose entity
    /// was [taken](Self::take). The entity gets a new id, and is committed at the end of the frame.
    ///
    /// ```
    /// let world = tenure::World::new();
    /// let boss = world.reserve_handle();
    /// world.fill(boss, "boss").unwrap();
    /// assert_eq!(world[boss], "boss");
    /// assert_eq!(world.fill(boss, "twin").unwrap_err().into_inner(), "twin"); // not pending
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`], which contains the entity, when the handle is not pending, or there is no
    /// memory.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`).
    #[track_caller]
    pub fn fill(&self, handle: H, entity: E) -> Result<(), Rejected<E>> {
        let handle = handle.handle();
        self.assert_not_copying();
        self.lifecycle.forget_stale(handle);
        self.lifecycle.fill_spawned(handle, entity)
    }

    /// An iterator over the [pending](crate::Status::Pending) handles, in index order: those that
    /// were reserved or taken and not filled.
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// let boss = world.reserve_handle();
    /// assert!(world.pending_handles().eq([boss]));
    /// ```
    pub fn pending_handles(&self) -> PendingHandles<'_, E, H> {
        PendingHandles::new(&self.lifecycle)
    }

    /// Releases every [pending](crate::Status::Pending) handle. Returns the number of released
    /// handles. O(slots) if there are any.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.handle_at(0).unwrap();
    /// let _undo = world.take(orc);
    /// assert_eq!(world.release_pending(), 1); // the undo step is dropped
    /// assert!(world.fill(orc, "orc").is_err());
    /// ```
    pub fn release_pending(&mut self) -> usize {
        self.lifecycle.unflushed_mut().release_pending()
    }
}

/// Removing at once, and spawning under a given handle.
impl<E, H: Key> World<E, H> {
    /// Spawns an entity under a given handle: for a client that mirrors a server, and for undo.
    ///
    /// If the handle resolves, its entity is replaced and returned; the id stays the same. The new
    /// one is permanent, or marked for despawn, if the old one was.
    /// Otherwise the rules of [`Pool::insert_at`] apply; the entity gets a new id, and is committed
    /// at the end of the frame.
    ///
    /// ```
    /// use tenure::World;
    ///
    /// let server = World::new();
    /// let orc = server.spawn("orc");
    ///
    /// let mut client: World<&str> = World::new();
    /// client.insert_at(orc, "orc").unwrap();
    /// client.end_frame();
    /// assert_eq!(client[orc], "orc");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`], which contains the entity, when the handle cannot be issued (see
    /// [`Pool::insert_at`]), or there is no memory.
    #[doc(alias("spawn_at", "undo", "network"))]
    pub fn insert_at(&mut self, handle: H, entity: E) -> Result<Option<E>, Rejected<E>> {
        self.lifecycle.spawn_at(handle.handle(), entity)
    }

    /// Removes an entity at once and returns it. Its handle is [pending](crate::Status::Pending)
    /// until [`fill`](Self::fill) spawns an entity under it, or [`discard`](Self::discard) releases
    /// it. The entity loses its id, and is no longer permanent. O(1).
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc", "elf"]);
    /// let orc = world.find(|name| *name == "orc").unwrap();
    /// let taken = world.take(orc).unwrap();
    /// world.spawn("troll"); // does not get the orc's slot
    ///
    /// world.fill(orc, taken).unwrap(); // undo
    /// assert_eq!(world[orc], "orc");
    /// ```
    #[must_use = "its slot is reserved for it; to release it, call `discard`"]
    #[doc(alias = "undo")]
    pub fn take(&mut self, handle: H) -> Option<E> {
        self.lifecycle.take_now(handle.handle())
    }

    /// Removes an entity at once and drops it in place. Returns `true` if the handle resolved. A
    /// pending handle is released. O(1).
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// assert!(world.discard(orc) && !world.contains(orc)); // does not wait for the frame's end
    /// assert!(!world.discard(orc)); // harmless
    /// ```
    pub fn discard(&mut self, handle: H) -> bool {
        self.lifecycle.discard_now(handle.handle())
    }

    /// Keeps the entities for which the closure returns `true`, and drops the others, at once.
    /// Visits committed entities by index, and then uncommitted ones in the order of spawning.
    /// Staged ones are kept.
    ///
    /// If the closure or a destructor panics, the entities that were removed so far stay removed,
    /// and the others are kept.
    ///
    /// ```
    /// let mut world = tenure::World::from([1, 2, 3, 4]);
    /// world.retain(|_handle, number| *number % 2 == 0);
    /// assert!(world.values().eq(&[2, 4]));
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(H, &mut E) -> bool) {
        let mut next = 0;
        while let Some(handle) = self.lifecycle.next_live(next) {
            next = handle.index() + 1;
            self.remove_unless(handle, &mut keep);
        }
        for position in 0..self.lifecycle.lists_mut().spawned().len() {
            let handle = self.lifecycle.lists_mut().spawned()[position];
            self.remove_unless(handle, &mut keep);
        }
    }

    fn remove_unless(&mut self, handle: crate::key::HandleOf<H>, keep: &mut impl FnMut(H, &mut E) -> bool) {
        let key = H::from_handle(handle);
        let goes = self.lifecycle.unflushed_mut().get_mut(handle).is_some_and(|entity| !keep(key, entity));
        if goes {
            drop(self.lifecycle.remove_now(handle));
        }
    }

    /// Commits spawned and staged entities, and then removes all entities and yields them, by
    /// index. Dropping the iterator removes the rest and releases
    /// [pending](crate::Status::Pending) handles, as [`clear_all`](Self::clear_all) does.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// world.spawn("elf");
    /// assert!(world.drain().map(|(_handle, name)| name).eq(["orc", "elf"]));
    /// assert!(world.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities.
    #[track_caller]
    pub fn drain(&mut self) -> Drain<'_, E, H> {
        self.commit();
        Drain { world: self, next: 0 }
    }

    /// Commits spawned and staged entities, and converts the world into an iterator over all
    /// entities, in index order.
    ///
    /// ```
    /// let world = tenure::World::from(["orc"]);
    /// world.spawn("elf");
    /// assert!(world.into_values().eq(["orc", "elf"]));
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities.
    #[track_caller]
    pub fn into_values(self) -> IntoValues<E, H> {
        self.into_pool().into_values()
    }

    /// Commits spawned and staged entities, and returns the pool of all entities.
    #[track_caller]
    fn into_pool(mut self) -> Pool<E, H, Chunks<E>> {
        self.commit();
        self.lifecycle.into_committed().with_key()
    }

    /// Returns several entities at once, mutably. O(N²): all pairs of handles are compared.
    ///
    /// ```
    /// let mut world = tenure::World::from([10, 20]);
    /// let mut handles = world.handles();
    /// let (left, right) = (handles.next().unwrap(), handles.next().unwrap());
    /// let [a, b] = world.get_disjoint_mut([left, right]).unwrap();
    /// std::mem::swap(a, b);
    /// assert_eq!((world[left], world[right]), (20, 10));
    /// ```
    ///
    /// # Errors
    ///
    /// Which handle does not resolve and why, or which two are equal.
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut E; N], GetDisjointMutError> {
        self.pool_mut().get_disjoint_mut(handles)
    }

    /// Borrows entities one by one: several `&mut` whose handles are not known beforehand, each
    /// handle once. See [`Pool::borrow_many`].
    ///
    /// ```
    /// let mut world = tenure::World::from([10, 20]);
    /// let mut handles = world.handles();
    /// let (left, right) = (handles.next().unwrap(), handles.next().unwrap());
    ///
    /// let loans = world.borrow_many();
    /// let (a, b) = (loans.get_mut(left).unwrap(), loans.get_mut(right).unwrap());
    /// std::mem::swap(a, b);
    /// assert!(loans.get_mut(left).is_err()); // borrowed already
    /// assert_eq!((world[left], world[right]), (20, 10));
    /// ```
    pub fn borrow_many(&mut self) -> Loans<'_, E, H> {
        self.pool_mut().borrow_many()
    }

    /// Returns the address of the engine, for joins.
    pub(crate) fn engine(&self) -> *const Slots<E, H::Layout, Chunks<E>> {
        self.lifecycle.slots()
    }

    /// Returns the pool as it is: handles of uncommitted entities resolve, and iterators do not
    /// visit them.
    pub(crate) fn pool_mut(&mut self) -> &mut Pool<E, H, Chunks<E>> {
        self.lifecycle.unflushed_mut().with_key_mut()
    }
}

/// An iterator that removes all entities of a world and yields them, in index order. See
/// [`World::drain`].
#[must_use = "iterators are lazy"]
pub struct Drain<'a, E, H: Key = Handle<E>> {
    world: &'a mut World<E, H>,
    next: u32,
}

impl<E, H: Key> Iterator for Drain<'_, E, H> {
    type Item = (H, E);

    fn next(&mut self) -> Option<(H, E)> {
        let handle = self.world.lifecycle.next_live(self.next)?;
        self.next = handle.index() + 1;
        let entity = self.world.lifecycle.remove_now(handle)?;
        Some((H::from_handle(handle), entity))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.world.len(), Some(self.world.len()))
    }
}

impl<E, H: Key> ExactSizeIterator for Drain<'_, E, H> {}
impl<E, H: Key> FusedIterator for Drain<'_, E, H> {}

impl<E, H: Key> Drop for Drain<'_, E, H> {
    fn drop(&mut self) {
        self.world.clear_all();
    }
}

impl<E, H: Key> fmt::Debug for Drain<'_, E, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("left", &self.world.len()).finish_non_exhaustive()
    }
}

impl<E, H: Key> Extend<E> for World<E, H> {
    /// [Spawns](World::spawn) every entity.
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory.
    #[track_caller]
    fn extend<I: IntoIterator<Item = E>>(&mut self, entities: I) {
        for entity in entities {
            self.spawn(entity);
        }
    }
}

impl<E, H: Key> FromIterator<E> for World<E, H> {
    /// Creates a world whose entities are committed, with the indices 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When the layout does not have that many slots, or there is no memory.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = E>>(entities: I) -> Self {
        let mut world = Self::EMPTY;
        world.extend(entities);
        world.end_frame();
        world
    }
}

impl<E, const N: usize> From<[E; N]> for World<E> {
    /// Creates a world whose entities are committed, with the indices 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When the layout does not have that many slots, or there is no memory.
    #[track_caller]
    fn from(entities: [E; N]) -> Self {
        Self::from_iter(entities)
    }
}

impl<E, H: Key> IntoIterator for World<E, H> {
    type Item = (H, E);
    type IntoIter = IntoIter<E, H>;

    /// Commits spawned and staged entities, and yields all entities, in index order.
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities.
    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.into_pool().into_iter()
    }
}

impl<'a, E, H: Key> IntoIterator for &'a mut World<E, H> {
    type Item = (H, &'a mut E);
    type IntoIter = LiveIterMut<'a, E, H>;

    fn into_iter(self) -> LiveIterMut<'a, E, H> {
        self.iter_mut()
    }
}

impl<E: PartialEq, H: Key> PartialEq for World<E, H> {
    /// Returns `true` if the same handles resolve to equal entities with the same status,
    /// uncommitted ones in the same order, and equal entities are staged. Not compared: ids,
    /// reports, pending handles, and which entities are permanent.
    fn eq(&self, other: &Self) -> bool {
        let same_states = || self.iter_all().all(|(handle, _)| self.status(handle) == other.status(handle));
        self.len() == other.len()
            && self.iter_all().eq(other.iter_all())
            && same_states()
            && *self.staged.borrow() == *other.staged.borrow()
    }
}

impl<E: Eq, H: Key> Eq for World<E, H> {}
