//! A pool of entities that are spawned and despawned while others are borrowed. The changes take
//! effect when a frame ends.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod new;

mod spawn;

mod look;

mod queries;

mod frame;

mod pool;

mod copy;
mod jobs;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "relink")]
mod transfer;

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

pub use self::frame::{Commit, Dead, HandleList};
pub use self::jobs::{Job, JobIterMut, JobLive, JobSpawner, Jobs};
pub use self::pool::Drain;
pub use self::queries::{All, Spawned};

use self::jobs::JobQueue;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
pub use crate::lifecycle::{
    EntityId, FrameReport, Handles, Iter, Live, LiveIter, LiveIterMut, LiveLoans, LiveValues, LiveValuesMut, Others,
    OthersIter, OthersValues, PendingHandles, Spawner, Ticket, Values,
};
use crate::lifecycle::{Frame, Lifecycle};
use crate::slots::Fault;
#[doc(no_inline)]
pub use crate::stable::{IntoIter, IntoValues, Loans};
#[cfg(feature = "rayon")]
#[doc(no_inline)]
pub use crate::stable::{ParIter, ParIterMut};
use crate::status::indexed_by_handle;

/// A pool of entities that are spawned and despawned in frames.
///
/// A *frame* is the time between two calls of [`end_frame`](Self::end_frame), usually one round of
/// the main loop. Within a frame, the handle of a spawned entity resolves at once and that of a
/// despawned one still resolves, but iterators visit the same entities as before. `end_frame`
/// applies the changes: first the despawns (the [*sweep*](Self::sweep)), then the spawns (the
/// [*commit*](Self::commit)).
///
/// [`frame`](Self::frame) runs one frame: it [splits](Self::split) the world into two halves,
/// passes both to a closure, and calls `end_frame`. [`Live`] looks up and mutates the entities that
/// exist at the split. [`Spawner`] spawns and despawns meanwhile.
///
/// These remove entities at once: [`discard`](Self::discard), [`take`](Self::take),
/// [`retain`](Self::retain), [`drain`](Self::drain), [`clear_temporary`](Self::clear_temporary),
/// [`clear_all`](Self::clear_all) and, in a [split](Self::split), [`Live::remove`].
///
/// A world has one entity type and no component queries: it is not an ECS. It has no fixed
/// capacity: it is *full* when its handles have no index left, because all slots are in use or
/// retired.
///
/// A world has most methods of a pool, some of them under other names. `insert` and `insert_with`
/// are `spawn` and `spawn_with` here, `insert_many` is `extend` (which returns no handles),
/// `remove` is `despawn`, and `clear` is `clear_all`. To release a
/// [pending](crate::Status::Pending) handle, call `discard`: `despawn` does not. Instead of
/// `extract_if`, call `despawn` in a loop, and then [`sweep_with`](Self::sweep_with). There is no
/// `map_values`, `from_fn`, `with_fixed_capacity`, `slot`, `slot_count` or `get_unchecked_mut`.
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
/// # The states of an entity
///
/// | entity | [`status`](Self::status) | its handle resolves | iterators visit it |
/// |---|---|---|---|
/// | spawned, before the commit | `Spawned` | yes, but not in the [`Live`] of the split that spawned it | only [`iter_spawned`](Self::iter_spawned) and [`iter_all`](Self::iter_all) |
/// | after the commit | `Live` | yes | yes |
/// | despawned, before the sweep | `Dying` | as before | if they did before |
/// | after the sweep | `Removed`, or `Retired` | no | no |
/// | reserved or taken, and not filled | `Pending` | no | no |
///
/// # Shared and exclusive access
///
/// [`spawn`](Self::spawn), [`despawn`](Self::despawn) and [`get`](Self::get) take `&self`, so
/// entities can be spawned while references to others are held. [`get_mut`](Self::get_mut) and
/// [`iter_mut`](Self::iter_mut) take `&mut self`. To mutate entities while others are spawned and
/// despawned, use [`split`](Self::split). A [`StablePool`](crate::StablePool) can be borrowed the
/// same way, except that outside of a split removing takes `&mut self`.
///
/// # Ids
///
/// Every entity with a handle has an [`EntityId`]: a number for logs and tools. It is not reused,
/// except after going back to an older state (`clone_from`, an older save). It does not replace the
/// handle: finding an entity by id takes a hash lookup. An entity that is queued by
/// [`stage`](Self::stage) gets its handle and its id at the commit. An entity that is
/// [taken](Self::take) and [filled in](Self::fill) again gets a new id.
///
/// # Queries
///
/// Queries are iterators. The references that they yield borrow the world; to refer to an entity
/// later, store its handle.
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
/// | the one with the least health | `world.iter().min_by_key(\|(_, e)\| e.health)` |
/// | at most three that match | `world.values().filter(\|e\| e.health > 0).take(3)` |
/// | also entities that are not committed yet | `world.iter_all().filter(\|(_, e)\| e.health > 0)` |
/// | the entity with this id | `world.by_id(id).and_then(\|h\| world.get(h))` |
///
/// To mutate all committed entities: `world.values_mut().for_each(|e| e.health += 1)`. `iter` and
/// `iter_mut` yield the handle with the entity. To store its own handle in an entity, spawn it with
/// [`spawn_with`](Self::spawn_with).
///
/// ```
/// struct Entity { health: i32 }
///
/// let mut world = tenure::World::new();
/// let [handle, other, _] = [1, 0, 2].map(|health| world.spawn(Entity { health }));
/// world.end_frame();
/// # assert_eq!(world.values().filter(|e| e.health > 0).count(), 2);
/// # assert!(world.iter().filter(|(_, e)| e.health > 0).map(|(h, _)| h).any(|h| h == handle));
/// # assert_eq!(world.iter().filter(|(_, e)| e.health > 0).count(), 2);
/// # assert!(world.values().find(|e| e.health > 0).is_some_and(|e| e.health == 1));
/// assert_eq!(world.find(|e| e.health > 0), Some(handle)); // the first by index
/// # assert!(world.values().any(|e| e.health > 0));
/// assert_eq!(world.iter().min_by_key(|(_, e)| e.health).unwrap().0, other);
/// # assert_eq!(world.values().filter(|e| e.health > 0).take(3).count(), 2);
/// # world.values_mut().for_each(|e| e.health += 1);
/// # world.spawn(Entity { health: 5 });
/// # assert_eq!(world.iter_all().filter(|(_, e)| e.health > 0).count(), 4);
/// # let id = world.id_of(handle).unwrap();
/// # assert_eq!(world.by_id(id).and_then(|h| world.get(h)).unwrap().health, 2);
/// ```
///
/// To convert a program that uses references, see
/// [`from_references`](crate::docs::from_references).
///
/// # Cost
///
/// Spawning (amortised), despawning and looking up by handle are O(1). Iteration is O(entities +
/// slots / 64). Once memory has grown to what the busiest frame needs, spawning, despawning and
/// `end_frame` allocate nothing, except for the table of ids, if [`by_id`](Self::by_id) is used and
/// the number of entities varies.
///
/// A world is `Send` if `E` is, and not `Sync`. To spawn from several threads, use
/// [`with_jobs`](Self::with_jobs).
#[doc(alias("entities", "ecs", "scene", "registry"))]
pub struct World<E, H: Key = Handle<E>> {
    lifecycle: Lifecycle<E, H::Kind, H::Layout>,
    staged: RefCell<Vec<E>>,
    /// The queues of the last jobs. Kept so that the next ones reuse their memory.
    queues: Vec<JobQueue<E, H>>,
}

impl<E, H: Key> World<E, H> {
    /// Makes an entity permanent: [`clear_temporary`](Self::clear_temporary) keeps it. It can still
    /// be despawned. Returns `true` if the handle resolves. A later tenant of the slot is not
    /// permanent. O(1).
    ///
    /// ```
    /// let mut world = tenure::World::from(["player", "goblin"]);
    /// let player = world.find(|name| *name == "player").unwrap();
    /// assert!(world.make_permanent(player));
    /// world.clear_temporary();
    /// assert!(world.values().eq(&["player"]));
    /// ```
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
        // Before the lists are borrowed: this is the caller's code (N4).
        let handle = handle.handle();
        self.lifecycle.find(handle).is_some() && self.lifecycle.look_at_lists(|lists| lists.is_permanent(handle))
    }

    /// Replaces each handle that does not resolve with [`Handle::NIL`], also
    /// [pending](crate::Status::Pending) ones. Calls the closure with the position and the old
    /// handle, and returns the number of replaced handles. Handles that are nil already are
    /// skipped. O(handles).
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
            let raw = handle.handle();
            if !raw.is_nil() && self.find_raw(raw).is_none() {
                lost(position, core::mem::replace(handle, H::from_handle(Handle::NIL)));
                count += 1;
            }
        }
        count
    }

    /// Returns the number of entries in the table that finds entities by id, and how many of them
    /// are used: `(0, 0)` before the first call of [`by_id`](Self::by_id) or
    /// [`validate`](Self::validate). For diagnosis. The table shrinks when entities are removed. It
    /// has at most 16 entries or four times as many as there are entities, whichever is more. It
    /// can be larger if there was no memory to shrink it, or after `clone_from`, until the next
    /// entity is removed.
    #[must_use]
    pub fn id_table(&self) -> (usize, usize) {
        self.look_at_frame(|frame| Some(frame.id_table())).unwrap_or_default()
    }

    /// Passes the frame to a closure that runs no caller's code.
    fn look_at_frame<R>(&self, ask: impl FnOnce(&Frame<H::Kind, H::Layout>) -> Option<R>) -> Option<R> {
        self.lifecycle.look_at_lists(|lists| lists.frame.as_ref().and_then(ask))
    }

    /// Checks the internal invariants and returns the first one that does not hold. For tests.
    /// O(slots).
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.lifecycle.validate()?;
        // With plain handles: a key may return another one.
        let mut spawned = self.iter_spawned();
        let spawned = core::iter::from_fn(|| spawned.next_raw()).map(|(handle, _)| handle);
        let handles = Handles::<E, HandleOf<H>>::new(&self.lifecycle).chain(spawned);
        let (mut alive, mut are_known) = (0, true);
        handles.for_each(|handle| {
            alive += 1;
            are_known &= self.id_of_raw(handle).and_then(|id| self.by_id_raw(id)) == Some(handle);
        });
        let rule = if !are_known || self.id_table().1 != alive {
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
