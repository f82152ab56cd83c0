//! A world: a stable pool with a frame. Births and deaths happen while things are borrowed, and
//! take effect at one well-defined moment.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

mod copy;
mod frame;
mod holder;
mod ids;
mod jobs;
#[cfg(feature = "serde")]
mod load;
mod queries;
mod register;
mod split;

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt;

pub use self::frame::{Commit, FrameReport, Ticket};
pub use self::ids::EntityId;
pub use self::jobs::{Job, JobIterMut, JobLive, JobSpawner, Jobs};
pub use self::queries::{All, Pending};
pub use self::split::InFrame;

use self::jobs::Desk;
#[cfg(feature = "serde")]
pub(crate) use self::load::SavedFrame;
use self::register::Register;
use crate::error::Full;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::Pool;
use crate::slots::Fault;
use crate::stable::{Shared, Spawner};
use crate::status::{HandleError, Status, indexed_by_handle};

/// Entities that are born and die in frames.
///
/// Inside a frame, systems read and change entities, and let others be born or die.
/// [`end_frame`](Self::end_frame) makes it so: deaths first, then births. What a walk visits does
/// not change inside a frame.
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
/// assert_eq!(world.iter().count(), 1); // walks meet it from the next frame on
///
/// world.despawn(goblin);
/// assert!(world.get(goblin).is_some()); // resolves until the frame ends
/// let report = world.end_frame();
/// assert_eq!((report.born, report.died), (1, 1));
/// assert!(world.get(world[missile].target.unwrap()).is_none()); // the target is gone, and nobody else has its name
/// ```
///
/// # Four states
///
/// | | [`status`](Self::status) | resolves | walks meet it |
/// |---|---|---|---|
/// | spawned, before the commit | `Pending` | yes | no |
/// | after the commit | `Live` | yes | yes |
/// | despawned, before the sweep | `Dying` | yes | as before |
/// | after the sweep | `Removed`, or why else | no | no |
///
/// # Two phases
///
/// As in a [`StablePool`](crate::StablePool): with `&self`, [`spawn`](Self::spawn),
/// [`despawn`](Self::despawn) and look, while references are held; with `&mut self`, change. To
/// change some while others are born and die: [`split`](Self::split).
///
/// # Queries
///
/// Queries are iterators. Keep references from a query as long as you use them at once, and handles
/// for later. What other entity systems call …
///
/// | … | is here |
/// |---|---|
/// | `gen`: references to all that match | `world.values().filter(\|e\| e.health > 0)` |
/// | `gen_handles` | `world.iter().filter(\|(_, e)\| e.health > 0).map(\|(h, _)\| h)` |
/// | `gen_handle_refs`: both | `world.iter().filter(\|(_, e)\| e.health > 0)` |
/// | `gen_first` | `world.values().find(\|e\| e.health > 0)` |
/// | `gen_first_handle` | `world.find(\|e\| e.health > 0)` |
/// | how many match | `world.values().filter(\|e\| e.health > 0).count()` |
/// | whether any matches | `world.values().any(\|e\| e.health > 0)` |
/// | the first in some order | `world.iter().min_by_key(\|(_, e)\| e.health)` |
/// | some that match | `world.values().filter(\|e\| e.health > 0).take(3)` |
/// | `forEachEntity`, to change them | `world.values_mut().for_each(\|e\| e.health += 1)` |
/// | a forced merge: those not committed, too | `world.iter_all().filter(\|(_, e)\| e.health > 0)` |
/// | `resolve` | `world.get(handle)` |
/// | `handle_of` | [`spawn_with`](Self::spawn_with) lets an entity keep its own; walks give it beside the entity |
/// | `getEntityForID` | `world.by_id(id).and_then(\|h\| world.get(h))` |
/// | `cleanup = true`, `cleanup()` | `world.despawn(handle)`, `world.sweep()` |
/// | `merge_entity_arrays()` | `world.commit()` |
/// | `delete_all_entities(false)` | `world.clear_temporary()` |
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
/// A program that has references today: [`from_references`](crate::from_references).
///
/// In the steady state a frame allocates nothing. It is `Send` and not `Sync`; births from several
/// threads: [`with_jobs`](Self::with_jobs).
#[doc(alias("entities", "ecs", "scene", "registry"))]
pub struct World<E, K: ?Sized = E, L: Layout = Wide> {
    shared: Shared<E, K, L>,
    register: RefCell<Register<K, L>>,
    staged: RefCell<Vec<E>>,
    /// For jobs, to be used again.
    desks: Vec<Desk<E, K, L>>,
    /// How many copies are being made: as long as an entity's `clone` runs, nobody may be born.
    copying: Cell<u32>,
}

impl<E> World<E> {
    /// An empty world. Allocates nothing, and is `const`. For another `K` or layout:
    /// [`with_layout`](Self::with_layout).
    #[must_use]
    pub const fn new() -> Self {
        Self::with_layout()
    }
}

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// An empty world whose handles have any layout. Allocates nothing, and is `const`.
    #[must_use]
    pub const fn with_layout() -> Self {
        Self {
            shared: Shared::new(Pool::with_layout()),
            register: RefCell::new(Register::EMPTY),
            staged: RefCell::new(Vec::new()),
            desks: Vec::new(),
            copying: Cell::new(0),
        }
    }

    /// How many entities walks meet: those that were committed, the dying included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.look(Pool::len)
    }

    /// Whether walks meet nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets an entity be born. Its handle resolves at once; walks meet it after the
    /// [commit](Self::commit).
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or a copy of the world is being made.
    #[track_caller]
    #[doc(alias("insert", "create"))]
    pub fn spawn(&self, entity: E) -> Handle<K, L> {
        self.spawner().spawn(entity)
    }

    /// As [`spawn`](Self::spawn), with an error that gives the entity back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    ///
    /// # Panics
    ///
    /// When a copy of the world is being made.
    #[track_caller]
    pub fn try_spawn(&self, entity: E) -> Result<Handle<K, L>, Full<E>> {
        self.spawner().try_spawn(entity)
    }

    /// Lets an entity be born that may hold its own handle. The closure may use the world.
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or a copy of the world is being made.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(Handle<K, L>) -> E) -> Handle<K, L> {
        self.spawner().spawn_with(make)
    }

    #[track_caller]
    fn spawner(&self) -> Spawner<'_, E, K, L, InFrame<'_, K, L>> {
        self.assert_not_copying();
        Spawner::new(&self.shared, InFrame::new(&self.register, false))
    }

    #[track_caller]
    fn assert_not_copying(&self) {
        assert!(self.copying.get() == 0, "the world is being copied: an entity's `clone` cannot spawn others");
    }

    /// Names an entity for death. It resolves and is met by walks until the [sweep](Self::sweep).
    /// Says what it was before.
    ///
    /// Naming it twice is harmless, and so is naming what is dead: the answer is [`Status::Dying`]
    /// or why it is dead, and the frame's report counts it.
    #[doc(alias("remove", "delete", "kill", "destroy", "cleanup"))]
    pub fn despawn(&self, handle: Handle<K, L>) -> Status {
        InFrame::new(&self.register, false).despawn(&self.shared, handle)
    }

    /// What an entity is at the moment.
    #[must_use]
    pub fn status(&self, handle: Handle<K, L>) -> Status {
        InFrame::new(&self.register, false).status(&self.shared, handle)
    }

    /// The entity of a handle, be it pending, live or dying.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&E> {
        // SAFETY: X1 and X2, whoever changes entities has borrowed the world alone.
        self.shared.find(handle).map(|entity| unsafe { entity.as_ref() })
    }

    /// As [`get`](Self::get), to change the entity.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut E> {
        // SAFETY: X1, the world is borrowed alone.
        self.shared.find(handle).map(|mut entity| unsafe { entity.as_mut() })
    }

    /// As [`get`](Self::get), with an error that says why there is no entity.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    pub fn try_get(&self, handle: Handle<K, L>) -> Result<&E, HandleError> {
        self.get(handle).ok_or_else(|| self.why_not_live(handle))
    }

    /// As [`try_get`](Self::try_get), to change the entity.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    pub fn try_get_mut(&mut self, handle: Handle<K, L>) -> Result<&mut E, HandleError> {
        if !self.contains(handle) {
            return Err(self.why_not_live(handle));
        }
        self.get_mut(handle).ok_or(HandleError::Nil)
    }

    fn why_not_live(&self, handle: Handle<K, L>) -> HandleError {
        self.shared.look(|pool| pool.why_not_live(handle))
    }

    /// Whether the handle leads to an entity, be it pending, live or dying.
    #[must_use]
    #[doc(alias("is_alive", "valid"))]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.shared.find(handle).is_some()
    }

    /// The id of an entity, for logs, tools and the network. `None` if it is dead.
    #[must_use]
    pub fn id_of(&self, handle: Handle<K, L>) -> Option<EntityId> {
        self.shared.find(handle)?;
        self.register.borrow().id_of(handle)
    }

    /// The entity that has an id, if it is not dead. A dead handle never falls back to an id: the
    /// two are asked separately.
    ///
    /// O(1), expected. The first time, it makes a table of all ids, which births and deaths keep up
    /// from then on.
    #[must_use]
    pub fn by_id(&self, id: EntityId) -> Option<Handle<K, L>> {
        let slot = self.register.borrow_mut().slot_of(id)?;
        self.shared.handle_at(slot)
    }

    /// Spares an entity from [`clear_temporary`](Self::clear_temporary). Says whether it is alive.
    /// The next tenant of its slot does not inherit this.
    pub fn make_permanent(&mut self, handle: Handle<K, L>) -> bool {
        let is_alive = self.contains(handle);
        if is_alive {
            self.register.get_mut().make_permanent(handle);
        }
        is_alive
    }

    /// Whether an entity is alive and was [made permanent](Self::make_permanent).
    #[must_use]
    pub fn is_permanent(&self, handle: Handle<K, L>) -> bool {
        self.contains(handle) && self.register.borrow().is_permanent(handle)
    }

    /// Clears stale handles: each that leads to nothing becomes [`Handle::NIL`]. Returns how many
    /// there were, and tells the closure of each.
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
    /// assert_eq!(world.scrub(&mut targets, |position, _stale| lost.push(position)), 2);
    /// assert_eq!(lost, [0, 2]);
    /// assert_eq!(targets, [Handle::NIL, b, Handle::NIL]);
    /// ```
    #[doc(alias = "dangling")]
    pub fn scrub<'h>(
        &self,
        handles: impl IntoIterator<Item = &'h mut Handle<K, L>>,
        mut lost: impl FnMut(usize, Handle<K, L>),
    ) -> usize
    where
        K: 'h,
        L: 'h,
    {
        let mut count = 0;
        for (position, handle) in handles.into_iter().enumerate() {
            if !handle.is_nil() && !self.contains(*handle) {
                lost(position, core::mem::take(handle));
                count += 1;
            }
        }
        count
    }

    /// Heap memory of the table that finds entities by id: entries, and how many are in use; none
    /// before [`by_id`](Self::by_id) was asked. It follows who is alive, not who was ever born.
    #[must_use]
    pub fn id_table(&self) -> (usize, usize) {
        self.register.borrow().id_table()
    }

    /// Checks every internal invariant and says which one is broken. Walks everything. (While
    /// somebody is pending, the slots themselves are not looked at: some are kept then.)
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&mut self) -> Result<(), Fault> {
        let alive = self.len() + self.iter_pending().count();
        let known =
            self.iter_all().filter(|(handle, _)| self.id_of(*handle).and_then(|id| self.by_id(id)) == Some(*handle));
        let rule = if known.count() != alive || self.id_table().1 != alive {
            "Q1: an entity has no id, or its id leads to another one"
        } else if !self.handles().all(|handle| self.register.borrow().can_be_old(handle)) {
            "Q4: the marks of an entity are not its own"
        } else if !self.register.borrow().old_slots().all(|slot| self.shared.handle_at(slot).is_some()) {
            "Q4: the marks of a slot name somebody, and nobody is there"
        } else if !self.register.get_mut().ids_follow_the_living() {
            "M1: the table of ids has not followed the living"
        } else if alive == self.len() {
            self.shared.settle();
            return self.shared.look(Pool::validate);
        } else {
            return Ok(());
        };
        Err(Fault::of_container(rule))
    }
}

indexed_by_handle! { impl [E, K: ?Sized, L: Layout] World<E, K, L> => E }

impl<E, K: ?Sized, L: Layout> Default for World<E, K, L> {
    fn default() -> Self {
        Self::with_layout()
    }
}

impl<E: fmt::Debug, K: ?Sized, L: Layout> fmt::Debug for World<E, K, L> {
    /// A map from handles to entities, the pending last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter_all()).finish()
    }
}
