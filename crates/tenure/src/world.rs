//! A world: a lifecycle with a frame. Entities are spawned and despawned while others are borrowed,
//! and the changes take effect when the frame ends.

mod copy;
mod frame;
mod jobs;
mod pool;
mod queries;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "relink")]
mod transfer;

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

pub use self::frame::Commit;
pub use self::jobs::{Job, JobIterMut, JobLive, JobSpawner, Jobs};
pub use self::pool::{Drain, PendingHandles};
pub use self::queries::{All, Pending};

use self::jobs::JobQueue;
use crate::error::Full;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
pub use crate::lifecycle::{
    EntityId, FrameReport, Handles, Iter, Live, LiveIter, LiveIterMut, LiveLoans, LiveValues, LiveValuesMut, Others,
    OthersIter, Spawner, Ticket, Values,
};
use crate::lifecycle::{Frame, Lifecycle};
use crate::pool::Pool;
use crate::slots::Fault;
use crate::status::{HandleError, Status, indexed_by_handle};

/// A pool of entities that are spawned and despawned in frames.
///
/// Within a frame, systems mutate entities and queue spawns and despawns.
/// [`end_frame`](Self::end_frame) applies them: first the despawns, then the spawns. Until then
/// neither changes which entities iterators visit.
///
/// ```
/// use tenure::{Handle, World};
///
/// struct Entity { name: &'static str, target: Option<Handle<Entity>> }
///
/// let mut world = World::new();
/// let goblin = world.spawn(Entity { name: "goblin", target: None });
/// world.end_frame();
///
/// let missile = world.spawn(Entity { name: "missile", target: Some(goblin) });
/// assert_eq!(world[missile].name, "missile"); // resolves at once
/// assert_eq!(world.iter().count(), 1); // iterators visit it from the next frame on
///
/// world.despawn(goblin);
/// assert!(world.get(goblin).is_some()); // resolves until the frame ends
/// let report = world.end_frame();
/// assert_eq!((report.spawned, report.despawned), (1, 1));
/// assert!(world.get(world[missile].target.unwrap()).is_none()); // stale: the target was removed
/// ```
///
/// # Four states
///
/// | | [`status`](Self::status) | resolves | iterators visit it |
/// |---|---|---|---|
/// | spawned, before the commit | `Spawned` | yes | no |
/// | after the commit | `Live` | yes | yes |
/// | despawned, before the sweep | `Dying` | yes | as before |
/// | after the sweep | `Removed`, or `Retired` | no | no |
///
/// # Two phases
///
/// As in a [`StablePool`](crate::StablePool): through `&self`, [`spawn`](Self::spawn),
/// [`despawn`](Self::despawn) and look up entities while references are held; through `&mut self`,
/// mutate them. To mutate entities while others are spawned and despawned, use
/// [`split`](Self::split).
///
/// # Queries
///
/// Queries are iterators. The references that they yield are for immediate use; to refer to an
/// entity later, store its handle.
///
/// | to get | write |
/// |---|---|
/// | references to all that match | `world.values().filter(\|e\| e.health > 0)` |
/// | their handles | `world.iter().filter(\|(_, e)\| e.health > 0).map(\|(h, _)\| h)` |
/// | both | `world.iter().filter(\|(_, e)\| e.health > 0)` |
/// | the first that matches | `world.values().find(\|e\| e.health > 0)` |
/// | the handle of the first that matches | `world.find(\|e\| e.health > 0)` |
/// | how many match | `world.values().filter(\|e\| e.health > 0).count()` |
/// | whether any matches | `world.values().any(\|e\| e.health > 0)` |
/// | the first in some order | `world.iter().min_by_key(\|(_, e)\| e.health)` |
/// | at most three that match | `world.values().filter(\|e\| e.health > 0).take(3)` |
/// | uncommitted entities, too | `world.iter_all().filter(\|(_, e)\| e.health > 0)` |
/// | the entity with an id | `world.by_id(id).and_then(\|h\| world.get(h))` |
///
/// To mutate all: `world.values_mut().for_each(|e| e.health += 1)`. An entity that needs its own
/// handle gets it from [`spawn_with`](Self::spawn_with); iterators yield it with the entity.
///
/// ```
/// # struct Entity { health: i32 }
/// # let mut world = tenure::World::new();
/// # let [handle, other, _] = [1, 0, 2].map(|health| world.spawn(Entity { health }));
/// # world.end_frame();
/// # assert_eq!(world.values().filter(|e| e.health > 0).count(), 2);
/// # assert!(world.iter().filter(|(_, e)| e.health > 0).map(|(h, _)| h).any(|h| h == handle));
/// # assert_eq!(world.iter().filter(|(_, e)| e.health > 0).count(), 2);
/// # assert!(world.values().find(|e| e.health > 0).is_some_and(|e| e.health == 1));
/// assert_eq!(world.find(|e| e.health > 0), Some(handle)); // the first by index
/// # assert!(world.values().any(|e| e.health > 0));
/// # assert_eq!(world.iter().min_by_key(|(_, e)| e.health).unwrap().0, other);
/// # assert_eq!(world.values().filter(|e| e.health > 0).take(3).count(), 2);
/// # world.values_mut().for_each(|e| e.health += 1);
/// # world.spawn(Entity { health: 5 });
/// # assert_eq!(world.iter_all().filter(|(_, e)| e.health > 0).count(), 4);
/// # let id = world.id_of(handle).unwrap();
/// # assert_eq!(world.by_id(id).and_then(|h| world.get(h)).unwrap().health, 2);
/// ```
///
/// To convert a program that uses references, see [`from_references`](crate::from_references).
///
/// In the steady state a frame allocates nothing. A world is `Send` and not `Sync`; to spawn from
/// several threads, use [`with_jobs`](Self::with_jobs).
#[doc(alias("entities", "ecs", "scene", "registry"))]
pub struct World<E, H: Key = Handle<E>> {
    lifecycle: Lifecycle<E, H::Kind, H::Layout>,
    staged: RefCell<Vec<E>>,
    /// The queues of the last jobs. Kept so that the next ones reuse their memory.
    queues: Vec<JobQueue<E, H>>,
}

impl<E> World<E> {
    /// Creates an empty world. Allocates nothing, and is `const`. For other keys, use
    /// [`EMPTY`](Self::EMPTY).
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }
}

impl<E, H: Key> World<E, H> {
    /// An empty world, with any key. Allocates nothing.
    #[expect(clippy::declare_interior_mutable_const, reason = "every use is an empty world of its own")]
    pub const EMPTY: Self = Self::from_lifecycle(Lifecycle::with_frame(Pool::EMPTY));

    const fn from_lifecycle(lifecycle: Lifecycle<E, H::Kind, H::Layout>) -> Self {
        Self { lifecycle, staged: RefCell::new(Vec::new()), queues: Vec::new() }
    }

    /// Returns the number of committed entities, including dying ones. Iterators visit this many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lifecycle.look(Pool::len)
    }

    /// Returns `true` if there are no committed entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Spawns an entity and returns its handle. The handle resolves at once; iterators visit the
    /// entity after the [commit](Self::commit). O(1), amortized.
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or the world is being copied (from within an
    /// entity's `clone`).
    #[track_caller]
    #[doc(alias("insert", "create"))]
    pub fn spawn(&self, entity: E) -> H {
        match self.try_spawn(entity) {
            Ok(handle) => handle,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`spawn`](Self::spawn), but returns the entity in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`).
    #[track_caller]
    pub fn try_spawn(&self, entity: E) -> Result<H, Full<E>> {
        self.assert_not_copying();
        self.lifecycle.spawn(entity).map(|(handle, _)| H::from_handle(handle))
    }

    /// Spawns an entity that may hold its own handle. The closure may use the world.
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or the world is being copied (from within an
    /// entity's `clone`).
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(H) -> E) -> H {
        self.assert_not_copying();
        H::from_handle(self.lifecycle.spawn_with(|handle| make(H::from_handle(handle))))
    }

    #[track_caller]
    fn assert_not_copying(&self) {
        assert!(!self.lifecycle.is_copying(), "the world is being copied: an entity's `clone` cannot spawn others");
    }

    /// Splits the world into two halves: one to look up, mutate and remove the entities of this
    /// frame, one to spawn and despawn meanwhile.
    ///
    /// ```
    /// use tenure::{Handle, Live, Spawner, World};
    ///
    /// struct Thing { fuse: u32, effect: Option<Handle<Thing>> }
    ///
    /// fn burn(live: &mut Live<'_, Thing>, spawner: &Spawner<'_, Thing>) {
    ///     for (handle, thing) in live.iter_mut() {
    ///         thing.effect = Some(spawner.spawn(Thing { fuse: 9, effect: None }));
    ///         thing.fuse -= 1; // the world has grown, and `thing` has not moved
    ///         if thing.fuse == 0 {
    ///             spawner.despawn(handle);
    ///         }
    ///     }
    /// }
    ///
    /// let mut world = World::new();
    /// world.spawn(Thing { fuse: 1, effect: None });
    /// world.end_frame();
    ///
    /// let (mut live, spawner) = world.split();
    /// burn(&mut live, &spawner);
    /// drop((live, spawner));
    /// let report = world.end_frame();
    /// assert_eq!((report.spawned, report.despawned), (1, 1));
    /// ```
    ///
    /// In `Live`, handles resolve as in the world, except those that this split has spawned.
    /// [`Live::for_each_mut`] passes all other entities to the closure, so that entities can read
    /// each other.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    pub fn split(&mut self) -> (Live<'_, E, H>, Spawner<'_, E, H>) {
        self.lifecycle.split()
    }

    /// Marks an entity for despawn and returns its status before this call. It resolves, and
    /// iterators visit it as before, until the [sweep](Self::sweep). O(1).
    ///
    /// Marking an entity twice has no further effect and returns [`Status::Dying`]. Marking a
    /// handle that does not resolve has no effect and returns why it does not. The
    /// [report](FrameReport) counts both.
    #[doc(alias("remove", "delete", "kill", "destroy", "cleanup"))]
    pub fn despawn(&self, handle: H) -> Status {
        // In a world there is room to note it (Q1).
        self.lifecycle.despawn(handle.handle()).unwrap_or(Status::Dying)
    }

    /// Runs one frame: [splits](Self::split) the world, calls the closure, and
    /// [ends the frame](Self::end_frame).
    ///
    /// ```
    /// use tenure::World;
    ///
    /// let mut world = World::from([1, 2, 3]);
    /// let report = world.frame(|live, spawner| {
    ///     for (handle, number) in live.iter_mut() {
    ///         *number += 10;
    ///         if *number == 12 {
    ///             spawner.despawn(handle);
    ///             spawner.spawn(100);
    ///         }
    ///     }
    /// });
    /// assert_eq!((report.spawned, report.despawned), (1, 1));
    /// assert!(world.values().eq(&[11, 13, 100]));
    /// ```
    ///
    /// If the closure panics, nothing is applied until the next `end_frame`.
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities.
    #[track_caller]
    pub fn frame(&mut self, run: impl FnOnce(&mut Live<'_, E, H>, &Spawner<'_, E, H>)) -> FrameReport {
        let (mut live, spawner) = self.split();
        run(&mut live, &spawner);
        drop((live, spawner));
        self.end_frame()
    }

    /// Returns the status of a handle.
    #[must_use]
    pub fn status(&self, handle: H) -> Status {
        self.lifecycle.status(handle.handle())
    }

    /// Returns the entity of a handle: spawned, live or dying.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&E> {
        self.lifecycle.get(handle.handle())
    }

    pub(crate) fn check_raw(&self, handle: HandleOf<H>) -> Result<(), HandleError> {
        if self.lifecycle.find(handle).is_some() {
            return Ok(());
        }
        Err(self.lifecycle.look(|pool| pool.why_not_live(handle)))
    }

    pub(crate) fn find_raw(&self, handle: HandleOf<H>) -> Option<&E> {
        self.lifecycle.get(handle)
    }

    /// Like [`get`](Self::get), mutably.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut E> {
        self.pool_mut().get_mut(handle)
    }

    /// Like [`get`](Self::get), but returns an error that says why the handle does not resolve.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    pub fn try_get(&self, handle: H) -> Result<&E, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// Like [`try_get`](Self::try_get), mutably.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    pub fn try_get_mut(&mut self, handle: H) -> Result<&mut E, HandleError> {
        if !self.contains(handle) {
            return Err(self.why_not_live(handle));
        }
        self.get_mut(handle).ok_or(HandleError::Nil)
    }

    fn why_not_live(&self, handle: H) -> HandleError {
        let handle = handle.handle();
        self.lifecycle.look(|pool| pool.why_not_live(handle))
    }

    /// Returns `true` if the handle resolves to an entity: spawned, live or dying.
    #[must_use]
    #[doc(alias("is_alive", "valid"))]
    pub fn contains(&self, handle: H) -> bool {
        self.lifecycle.find(handle.handle()).is_some()
    }

    /// Returns the id of an entity, for logs, tools and the network. `None` if the handle does not
    /// resolve.
    #[must_use]
    pub fn id_of(&self, handle: H) -> Option<EntityId> {
        let handle = handle.handle();
        self.lifecycle.find(handle)?;
        self.look_at_frame(|frame| frame.id_of(handle.index()))
    }

    /// Returns the handle of the entity with an id, if it was not removed. A stale handle never
    /// falls back to an id: the two are looked up separately.
    ///
    /// O(1) on average. The first call builds a table of all ids, which spawns and removals update
    /// from then on.
    #[must_use]
    pub fn by_id(&self, id: EntityId) -> Option<H> {
        let slot = self.lifecycle.change_lists(|lists| lists.frame.as_mut()?.slot_of(id))?;
        self.lifecycle.handle_at(slot).map(H::from_handle)
    }

    /// Makes an entity permanent: [`clear_temporary`](Self::clear_temporary) keeps it. Returns
    /// `true` if the handle resolves. The next tenant of the slot is not permanent.
    pub fn make_permanent(&mut self, handle: H) -> bool {
        let handle = handle.handle();
        let is_alive = self.lifecycle.find(handle).is_some();
        if is_alive {
            self.lifecycle.lists_mut().make_permanent(handle);
        }
        is_alive
    }

    /// Returns `true` if the handle resolves to an entity that was [made
    /// permanent](Self::make_permanent).
    #[must_use]
    pub fn is_permanent(&self, handle: H) -> bool {
        self.contains(handle) && self.lifecycle.look_at_lists(|lists| lists.is_permanent(handle.handle()))
    }

    /// Clears stale handles: each that does not resolve becomes [`Handle::NIL`]. Calls the closure
    /// with the position and the old handle of each, and returns how many there were.
    ///
    /// ```
    /// use tenure::{Handle, World};
    ///
    /// let mut world = World::new();
    /// let (a, b) = (world.spawn("a"), world.spawn("b"));
    /// let mut targets = [a, b, a];
    /// world.despawn(a);
    /// world.end_frame();
    ///
    /// let mut lost = Vec::new();
    /// assert_eq!(world.clear_stale(&mut targets, |position, _stale| lost.push(position)), 2);
    /// assert_eq!(lost, [0, 2]);
    /// assert_eq!(targets, [Handle::NIL, b, Handle::NIL]);
    /// ```
    #[doc(alias = "dangling")]
    pub fn clear_stale<'h>(
        &self,
        handles: impl IntoIterator<Item = &'h mut H>,
        mut lost: impl FnMut(usize, H),
    ) -> usize
    where
        H: 'h,
    {
        let mut count = 0;
        for (position, handle) in handles.into_iter().enumerate() {
            if !handle.handle().is_nil() && !self.contains(*handle) {
                lost(position, core::mem::replace(handle, H::from_handle(Handle::NIL)));
                count += 1;
            }
        }
        count
    }

    /// Returns the number of entries in the table that finds entities by id, and how many of them
    /// are used: `(0, 0)` before the first call of [`by_id`](Self::by_id). The size of the table
    /// depends on the number of current entities, not of all that were ever spawned.
    #[must_use]
    pub fn id_table(&self) -> (usize, usize) {
        self.look_at_frame(|frame| Some(frame.id_table())).unwrap_or_default()
    }

    /// Passes the frame to a closure that runs no caller's code.
    fn look_at_frame<R>(&self, ask: impl FnOnce(&Frame<H::Kind, H::Layout>) -> Option<R>) -> Option<R> {
        self.lifecycle.look_at_lists(|lists| lists.frame.as_ref().and_then(ask))
    }

    /// Checks the internal invariants and returns the first one that does not hold. O(slots).
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.lifecycle.validate()?;
        let alive = self.iter_all().count();
        let is_known = |handle| self.id_of(handle).and_then(|id| self.by_id(id)) == Some(handle);
        let rule = if !self.iter_all().all(|(handle, _)| is_known(handle)) || self.id_table().1 != alive {
            "Q1: an entity has no id, or its id finds another entity"
        } else if self.look_at_frame(|frame| frame.is_id_table_small().then_some(())).is_none() {
            "M1: the table of ids is too large"
        } else {
            return Ok(());
        };
        Err(Fault::of_container(rule))
    }
}

indexed_by_handle! { impl [E, H: Key] World<E, H> => E }

impl<E, H: Key> Default for World<E, H> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<E: fmt::Debug, H: Key> fmt::Debug for World<E, H> {
    /// Prints a map from handles to entities, uncommitted ones last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_all()).finish()
    }
}
