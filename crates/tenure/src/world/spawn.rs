//! Spawning and despawning, also while entities are borrowed.

use super::{FrameReport, Live, Spawner, World};
use crate::error::Full;
use crate::key::Key;
use crate::status::Status;

impl<E, H: Key> World<E, H> {
    /// Spawns an entity and returns its handle. The handle resolves at once; iterators visit the
    /// entity after the [commit](Self::commit). O(1), amortised.
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let orc = world.spawn("orc");
    /// assert_eq!(world[orc], "orc");
    /// assert_eq!(world.iter().count(), 0); // visited from the next frame on
    /// world.end_frame();
    /// assert_eq!(world.iter().count(), 1);
    /// ```
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
    /// [`Full`] when the world is full, or there is no memory.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`).
    #[track_caller]
    pub fn try_spawn(&self, entity: E) -> Result<H, Full<E>> {
        self.assert_not_copying();
        self.lifecycle.spawn(entity).map(|(handle, _)| H::from_handle(handle))
    }

    /// Spawns an entity that may store its own handle: calls the closure with the handle, which is
    /// [pending](Status::Pending) meanwhile. The closure may use the world. If it panics, the
    /// handle becomes stale.
    ///
    /// ```
    /// use tenure::{Handle, World};
    ///
    /// struct Node { me: Handle<Node> }
    ///
    /// let world = World::new();
    /// let node = world.spawn_with(|me| Node { me });
    /// assert_eq!(world[node].me, node);
    /// ```
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or the world is being copied (from within an
    /// entity's `clone`), or the closure [fills](Self::fill) the handle itself.
    #[track_caller]
    pub fn spawn_with(&self, make: impl FnOnce(H) -> E) -> H {
        self.assert_not_copying();
        self.lifecycle.spawn_with(make)
    }

    /// Like [`spawn_with`](Self::spawn_with), but returns the closure in the error instead of
    /// panicking when there is no room.
    ///
    /// ```
    /// use tenure::{Compact, Handle, World};
    ///
    /// let world: World<u32, Handle<u32, Compact<1>>> = World::EMPTY; // room for one
    /// assert!(world.try_spawn_with(|me| me.index()).is_ok());
    /// assert!(world.try_spawn_with(|me| me.index()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure is not called in this case.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`), or the closure
    /// [fills](Self::fill) the handle itself or uses up the memory.
    #[track_caller]
    pub fn try_spawn_with<F: FnOnce(H) -> E>(&self, make: F) -> Result<H, Full<F>> {
        self.assert_not_copying();
        self.lifecycle.try_spawn_with(make)
    }

    /// Like [`spawn_with`](Self::spawn_with), for a closure that returns a `Result`. If it returns
    /// `Err`, nothing is spawned, and a later spawn issues the same handle (unless the closure has
    /// [filled](Self::fill) it itself).
    ///
    /// ```
    /// let world = tenure::World::new();
    /// assert!(world.spawn_with_result(|_| "x".parse::<i32>()).is_err());
    /// let seven = world.spawn_with_result(|_| "7".parse::<i32>()).unwrap();
    /// assert_eq!((world[seven], seven.index()), (7, 0));
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure.
    ///
    /// # Panics
    ///
    /// When the world is full, or there is no memory, or the world is being copied (from within an
    /// entity's `clone`), or the closure [fills](Self::fill) the handle itself and returns `Ok`.
    #[track_caller]
    pub fn spawn_with_result<X>(&self, make: impl FnOnce(H) -> Result<E, X>) -> Result<H, X> {
        self.assert_not_copying();
        self.lifecycle.spawn_with_result(make)
    }

    #[track_caller]
    pub(super) fn assert_not_copying(&self) {
        assert!(!self.lifecycle.is_copying(), "the world is being copied: an entity's `clone` cannot spawn others");
    }

    /// Splits the world into two halves: one to look up, mutate and remove the entities that exist
    /// now, and one to spawn and despawn meanwhile. Both borrow the world, so drop both before
    /// using it again. At the end of the frame despawned entities are removed, and iterators begin
    /// to visit spawned ones.
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
    /// In `Live`, handles resolve as in the world, except those of entities that were spawned after
    /// the split. [`Live::for_each_mut`] mutates one entity after the other, and its closure can
    /// look up all others.
    #[doc(alias("spawn while iterating", "command buffer", "deferred", "insert while iterating"))]
    pub fn split(&mut self) -> (Live<'_, E, H>, Spawner<'_, E, H>) {
        self.lifecycle.split()
    }

    /// Marks an entity for despawn and returns its status before this call. Its handle resolves,
    /// and iterators visit it as before, until the [sweep](Self::sweep). O(1).
    ///
    /// Marking an entity twice has no further effect and returns [`Status::Dying`]. For a handle
    /// that does not resolve, nothing is marked, and the status says why. The [report](FrameReport)
    /// counts both cases. A mark cannot be removed. To keep the entity, [`take`](Self::take) it
    /// before the sweep and [`fill`](Self::fill) its handle again: it keeps the handle, but it gets
    /// a new id, is no longer permanent, and iterators visit it only after the next commit. (A
    /// `fill` after the `take` of a marked or uncommitted entity costs O(marked and uncommitted
    /// entities).)
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let mut world = World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// assert_eq!(world.despawn(orc), Status::Live);
    /// assert_eq!(world.despawn(orc), Status::Dying); // harmless
    /// assert!(world.contains(orc)); // until the frame ends
    ///
    /// world.end_frame();
    /// assert_eq!(world.despawn(orc), Status::Removed);
    /// ```
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
    /// If the closure panics, the frame does not end: the next `end_frame` applies the spawns and
    /// despawns that were made before the panic.
    ///
    /// # Panics
    ///
    /// When there is no room for the [staged](Self::stage) entities.
    #[track_caller]
    pub fn frame(&mut self, run: impl FnOnce(&mut Live<'_, E, H>, &Spawner<'_, E, H>)) -> FrameReport {
        let (mut live, spawner) = self.split();
        run(&mut live, &spawner);
        drop((live, spawner));
        self.end_frame()
    }

    /// Returns the status of a handle. O(1).
    ///
    /// ```
    /// use tenure::{Status, World};
    ///
    /// let mut world = World::new();
    /// let orc = world.spawn("orc");
    /// assert_eq!(world.status(orc), Status::Spawned);
    /// world.end_frame();
    /// assert_eq!(world.status(orc), Status::Live);
    /// world.despawn(orc);
    /// assert_eq!(world.status(orc), Status::Dying);
    /// world.end_frame();
    /// assert_eq!(world.status(orc), Status::Removed);
    /// ```
    #[must_use]
    pub fn status(&self, handle: H) -> Status {
        self.lifecycle.status(handle.handle())
    }
}
