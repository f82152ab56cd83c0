//! The end of a frame: sweep, commit and clear.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use super::World;
use crate::error::Full;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::lifecycle::{Frame, FrameReport, Handles as LiveHandles, Ticket};
use crate::pool::must_reserve;
use crate::slots::FullKind;
use crate::table;

/// An iterator over the handles of a commit or a sweep, in the order of spawning or marking. See
/// [`Commit::spawned`] and [`World::sweep`].
pub type HandleList<'a, H> = table::Handles<'a, H>;

/// The entities of a commit. See [`World::commit`].
#[derive(Debug)]
pub struct Commit<'a, H: Key> {
    committed: &'a [HandleOf<H>],
    /// The staged entities of the tickets from `first_ticket` on.
    staged: &'a [HandleOf<H>],
    first_ticket: u64,
}

impl<H: Key> Commit<'_, H> {
    /// An iterator over the handles of all entities of this commit: spawned ones in the order of
    /// spawning, then staged ones in the order of staging.
    #[must_use = "iterators are lazy"]
    pub fn spawned(&self) -> HandleList<'_, H> {
        HandleList::new(self.committed)
    }

    /// Returns the handle of an entity that was staged before this commit. `None` for tickets of
    /// other commits.
    #[must_use]
    pub fn handle(&self, ticket: Ticket) -> Option<H> {
        let number = ticket.0.checked_sub(self.first_ticket)?;
        self.staged.get(usize::try_from(number).ok()?).map(|&handle| H::from_handle(handle))
    }
}

impl<E, H: Key> World<E, H> {
    fn frame_mut(&mut self) -> &mut Frame<H::Kind, H::Layout> {
        self.lifecycle.frame_mut()
    }

    /// Stages an entity: it gets its slot and its handle at the [commit](Self::commit). Returns a
    /// ticket, for which [`Commit::handle`] returns the handle. For entities that nothing refers to
    /// before the commit: unlike spawned ones, they can use the slots that the sweep of the same
    /// frame frees.
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let ticket = world.stage("egg");
    /// let egg = world.commit().handle(ticket).unwrap();
    /// assert_eq!(world[egg], "egg");
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no memory, the world is being copied (from within an entity's `clone`), or a
    /// staged entity is being saved or compared (from within its `serialize` or `eq`).
    #[track_caller]
    pub fn stage(&self, entity: E) -> Ticket {
        match self.try_stage(entity) {
            Ok(ticket) => ticket,
            Err(full) => panic!("{full}"),
        }
    }

    /// Like [`stage`](Self::stage), but returns the entity in the error instead of panicking when
    /// there is no memory.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no memory.
    ///
    /// # Panics
    ///
    /// When the world is being copied (from within an entity's `clone`), or a staged entity is
    /// being saved or compared (from within its `serialize` or `eq`).
    #[track_caller]
    pub fn try_stage(&self, entity: E) -> Result<Ticket, Full<E>> {
        self.assert_not_copying();
        let Ok(mut staged) = self.staged.try_borrow_mut() else {
            panic!("the staged entities are being saved or compared: `serialize` and `eq` cannot stage another one");
        };
        if staged.try_reserve(1).is_err() {
            return Err(Full::new(entity, FullKind::Memory));
        }
        staged.push(entity);
        Ok(self.lifecycle.next_ticket())
    }

    /// Commits the entities that were spawned or staged since the last commit: they become live,
    /// and iterators visit them from now on. O(spawned and staged entities).
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let orc = world.spawn("orc");
    /// assert_eq!(world.len(), 0);
    /// assert!(world.commit().spawned().eq([orc]));
    /// assert_eq!(world.len(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities: no memory, or no more slots in the layout.
    /// Nothing has changed in this case.
    #[track_caller]
    pub fn commit(&mut self) -> Commit<'_, H> {
        self.make_room_for_staged();
        self.lifecycle.commit(self.staged.get_mut().len());
        for entity in self.staged.get_mut().drain(..) {
            self.lifecycle.commit_staged(entity);
        }
        self.last_commit()
    }

    #[track_caller]
    fn make_room_for_staged(&mut self) {
        let count = self.staged.get_mut().len();
        if count == 0 {
            return;
        }
        self.lifecycle.free_deferred();
        must_reserve(self.lifecycle.unflushed_mut().try_reserve(count));
        assert!(self.lifecycle.make_room_to_spawn(count).is_ok(), "there is no memory for what was staged");
    }

    /// Returns the entities of the last [commit](Self::commit), for example of the last
    /// [`end_frame`](Self::end_frame).
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let orc = world.spawn("orc");
    /// world.end_frame();
    /// assert!(world.last_commit().spawned().eq([orc]));
    /// ```
    #[must_use]
    pub fn last_commit(&self) -> Commit<'_, H> {
        let (committed, committed_with_handle, first_ticket) = self.last_committed();
        let (_, staged) = committed.split_at(committed_with_handle);
        Commit { committed, staged, first_ticket }
    }

    /// Removes and drops the entities that were [marked for despawn](Self::despawn), in the order
    /// of marking. Returns their handles; [`dead`](Self::dead) returns them later.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc", "elf"]);
    /// let orc = world.find(|name| *name == "orc").unwrap();
    /// world.despawn(orc);
    /// assert!(world.sweep().eq([orc]));
    /// assert!(world.values().eq(&["elf"]));
    /// ```
    ///
    /// If an entity's destructor panics, the next sweep removes the entities that are left.
    pub fn sweep(&mut self) -> HandleList<'_, H> {
        self.sweep_into(|_, _, _| {});
        HandleList::new(&self.frame_mut().dead)
    }

    /// Like [`sweep`](Self::sweep), but passes the removed entities to a closure, for example to
    /// keep them for undo. ([`insert_at`](Self::insert_at) restores one as long as its slot is not
    /// reused. Where that must not fail, [`take`](Self::take) the entity instead.)
    ///
    /// ```
    /// let mut world = tenure::World::from([(3, "sword")]);
    /// let orc = world.find(|_| true).unwrap();
    /// world.despawn(orc);
    ///
    /// let mut loot = Vec::new();
    /// world.sweep_with(|_handle, (_health, item)| loot.push(item));
    /// assert_eq!(loot, ["sword"]);
    /// ```
    ///
    /// If the closure panics, the next sweep removes the entities that are left.
    pub fn sweep_with(&mut self, mut take: impl FnMut(H, E)) {
        self.sweep_into(|handle, entity, _| take(H::from_handle(handle), entity));
    }

    /// Removes the entities that were marked for despawn, and passes each to a closure: handle,
    /// entity, and whether it was permanent.
    fn sweep_into(&mut self, mut take: impl FnMut(HandleOf<H>, E, bool)) {
        self.frame_mut().dead.clear();
        let sweeping = Sweeping(self);
        while let Some(swept) = sweeping.0.lifecycle.sweep_next() {
            take(swept.handle, swept.value, swept.permanent);
        }
    }

    /// Releases pending handles, removes all committed entities, in index order, and passes each to
    /// a closure.
    #[cfg(feature = "relink")]
    pub(crate) fn empty_into(&mut self, take: impl FnMut(HandleOf<H>, E, bool)) {
        self.release_pending();
        self.mark_committed(true);
        self.sweep_into(take);
    }

    /// Marks all committed entities for despawn, or those that are not permanent. Uses handles and
    /// not keys: a key's methods are the caller's code, and may return another handle.
    fn mark_committed(&mut self, permanent_too: bool) {
        for handle in LiveHandles::<E, HandleOf<H>>::new(&self.lifecycle) {
            self.lifecycle.change_lists(|lists| lists.mark_for_clear(handle, permanent_too));
        }
    }

    /// Like [`mark_committed`](Self::mark_committed), for uncommitted entities.
    fn mark_spawned(&mut self, permanent_too: bool) {
        for position in 0..self.lifecycle.lists_mut().spawned().len() {
            let handle = self.lifecycle.lists_mut().spawned()[position];
            if self.lifecycle.find(handle).is_some() {
                self.lifecycle.lists_mut().mark_for_clear(handle, permanent_too);
            }
        }
    }

    /// Returns the handles of the entities that the last [sweep](Self::sweep) has removed, for
    /// example that of the last [`end_frame`](Self::end_frame). They do not resolve, unless
    /// [`insert_at`](Self::insert_at) has reissued one. Each sweep replaces the list: after
    /// [`sweep_with`](Self::sweep_with) and `end_frame` it has only what `end_frame` removed.
    ///
    /// [`clear_temporary`](Self::clear_temporary) and [`clear_all`](Self::clear_all) are sweeps,
    /// too. Entities that [`discard`](Self::discard), [`take`](Self::take),
    /// [`retain`](Self::retain) or [`Live::remove`](crate::Live::remove) has removed, or that
    /// [`drain`](Self::drain) has yielded, are not listed.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// world.despawn(orc);
    /// world.end_frame();
    /// assert!(world.dead().eq([orc]));
    /// ```
    pub fn dead(&self) -> Dead<'_, E, H> {
        let len = self.look_at_frame(|frame| Some(frame.dead.len())).unwrap_or(0);
        Dead { world: self, positions: 0..len }
    }

    /// Ends the frame: [sweeps](Self::sweep), and then [commits](Self::commit). Returns the report
    /// of the frame.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc"]);
    /// let orc = world.find(|_| true).unwrap();
    /// world.despawn(orc);
    /// world.spawn("elf");
    /// let report = world.end_frame();
    /// assert_eq!((report.spawned, report.despawned), (1, 1));
    /// assert!(world.values().eq(&["elf"]));
    /// ```
    ///
    /// # Panics
    ///
    /// When there is no room for the staged entities: no memory, or no more slots in the layout. In
    /// this case the sweep has happened, and nothing else has changed.
    #[track_caller]
    #[doc(alias("flush", "merge"))]
    pub fn end_frame(&mut self) -> FrameReport {
        self.sweep_into(|_, _, _| {});
        self.commit();
        self.frame_mut().end()
    }

    /// Removes all entities that are not [permanent](Self::make_permanent), at once, including
    /// uncommitted and staged ones. Permanent entities keep their handles, unless they are marked
    /// for despawn: then they are removed, too. [Pending](crate::Status::Pending) handles stay
    /// pending. Returns the number of removed entities; staged ones are not counted.
    ///
    /// ```
    /// let mut world = tenure::World::new();
    /// let player = world.spawn("player");
    /// let goblin = world.spawn("goblin");
    /// world.make_permanent(player);
    /// world.end_frame();
    ///
    /// assert_eq!(world.clear_temporary(), 1); // the next level begins
    /// assert!(world.contains(player) && !world.contains(goblin));
    /// ```
    ///
    /// If an entity's destructor panics, the next sweep removes the entities that are left.
    pub fn clear_temporary(&mut self) -> usize {
        self.clear(false)
    }

    /// Removes all entities at once, including uncommitted and staged ones, and releases
    /// [pending](crate::Status::Pending) handles. All handles that were issued become stale (unless
    /// [`insert_at`](Self::insert_at) reissues one later), and no id is reused. Returns the number
    /// of removed entities; staged ones are not counted.
    ///
    /// ```
    /// let mut world = tenure::World::from(["orc", "elf"]);
    /// let reserved = world.reserve_handle();
    /// assert_eq!(world.clear_all(), 2);
    /// assert!(world.fill(reserved, "troll").is_err()); // released
    /// ```
    ///
    /// If an entity's destructor panics, the next sweep removes the entities that are left. Pending
    /// handles are released in any case.
    #[doc(alias = "clear")]
    pub fn clear_all(&mut self) -> usize {
        // First: no destructor has run that could panic.
        self.release_pending();
        self.clear(true)
    }

    fn clear(&mut self, permanent_too: bool) -> usize {
        self.lifecycle.forget_undying();
        self.mark_spawned(permanent_too);
        self.mark_committed(permanent_too);
        // Staged entities are dropped also if the destructor of another entity panics.
        let mut staged = core::mem::take(self.staged.get_mut());
        let despawned = self.sweep().len();
        staged.clear();
        *self.staged.get_mut() = staged;
        despawned
    }
}

/// An iterator over the handles that the last sweep has removed, in that order. See
/// [`World::dead`].
///
/// It holds positions and no reference to the list: a spawn may need room for one more, and then
/// the list moves.
#[must_use = "iterators are lazy"]
pub struct Dead<'a, E, H: Key = Handle<E>> {
    world: &'a World<E, H>,
    positions: Range<usize>,
}

impl<E, H: Key> Iterator for Dead<'_, E, H> {
    type Item = H;

    fn next(&mut self) -> Option<H> {
        let position = self.positions.next()?;
        self.world.look_at_frame(|frame| frame.dead.get(position).copied()).map(H::from_handle)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl<E, H: Key> ExactSizeIterator for Dead<'_, E, H> {}
impl<E, H: Key> FusedIterator for Dead<'_, E, H> {}

impl<E, H: Key> Clone for Dead<'_, E, H> {
    fn clone(&self) -> Self {
        Self { world: self.world, positions: self.positions.clone() }
    }
}

impl<E, H: Key> fmt::Debug for Dead<'_, E, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dead").field("left", &self.len()).finish_non_exhaustive()
    }
}

/// Ends a sweep when it is dropped, also after a panic.
struct Sweeping<'a, E, H: Key>(&'a mut World<E, H>);

impl<E, H: Key> Drop for Sweeping<'_, E, H> {
    fn drop(&mut self) {
        self.0.lifecycle.end_sweep();
    }
}
