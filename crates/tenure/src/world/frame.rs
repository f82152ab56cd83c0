//! The end of a frame: who is born, who dies.

use super::World;
use crate::error::{Full, FullKind};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::must_reserve;

/// How many are looked up before the first of them is swept.
const AT_ONCE: usize = 32;

/// What happened in a frame. See [`World::end_frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameReport {
    /// The number of the frame: 1, 2, 3, ….
    pub frame: u64,
    /// How many entities were committed.
    pub born: usize,
    /// How many entities were swept.
    pub died: usize,
    /// How often something was named for death that was dead, or never lived.
    pub already_dead: usize,
    /// How often something was named for death that had been named before.
    pub named_twice: usize,
}

impl FrameReport {
    pub(super) const EMPTY: Self = Self { frame: 1, born: 0, died: 0, already_dead: 0, named_twice: 0 };
}

impl Default for FrameReport {
    /// Of the first frame, in which nothing has happened.
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Stands for an entity that has no handle yet. See [`World::stage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "after the commit, it is what finds the entity's handle"]
pub struct Ticket(pub(super) u64);

/// Who was born. See [`World::commit`].
#[derive(Debug)]
pub struct Commit<'a, K: ?Sized, L: Layout = Wide> {
    born: &'a [Handle<K, L>],
    /// Those of the tickets from this number on.
    staged: &'a [Handle<K, L>],
    first_ticket: u64,
}

impl<K: ?Sized, L: Layout> Commit<'_, K, L> {
    /// All who were born, in the order in which they were spawned, and then those that were staged.
    #[must_use]
    pub fn born(&self) -> &[Handle<K, L>] {
        self.born
    }

    /// The handle of an entity that was staged before this commit. `None` for tickets of other
    /// commits.
    #[must_use]
    pub fn handle(&self, ticket: Ticket) -> Option<Handle<K, L>> {
        let number = ticket.0.checked_sub(self.first_ticket)?;
        self.staged.get(usize::try_from(number).ok()?).copied()
    }
}

impl<E, K: ?Sized, L: Layout> World<E, K, L> {
    /// Lets an entity be born at the [commit](Self::commit), without a handle before that.
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
    /// When there is no memory, or the world is being copied or saved (from within an entity's
    /// `clone` or `serialize`).
    #[track_caller]
    pub fn stage(&self, entity: E) -> Ticket {
        match self.try_stage(entity) {
            Ok(ticket) => ticket,
            Err(full) => panic!("{full}"),
        }
    }

    /// As [`stage`](Self::stage), with an error that gives the entity back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no memory.
    ///
    /// # Panics
    ///
    /// When the world is being copied or saved (from within an entity's `clone` or `serialize`).
    #[track_caller]
    pub fn try_stage(&self, entity: E) -> Result<Ticket, Full<E>> {
        self.assert_not_copying();
        let Ok(mut staged) = self.staged.try_borrow_mut() else {
            panic!("the world is being saved: an entity's `serialize` cannot stage another one");
        };
        if staged.try_reserve(1).is_err() {
            return Err(Full::new(entity, FullKind::Memory));
        }
        staged.push(entity);
        Ok(self.register.borrow_mut().next_ticket())
    }

    /// Makes everything that was spawned or staged since the last commit live: walks meet it from
    /// now on.
    ///
    /// # Panics
    ///
    /// When there is no room for what was staged: no memory, or no more slots in the layout.
    /// Nothing has happened then.
    #[track_caller]
    pub fn commit(&mut self) -> Commit<'_, K, L> {
        self.make_room_for_staged();
        self.shared.settle();
        let register = self.register.get_mut();
        register.begin_commit(self.staged.get_mut().len());
        for entity in self.staged.get_mut().drain(..) {
            register.commit_one(self.shared.with(|pool| pool.insert(entity)));
        }
        self.last_commit()
    }

    #[track_caller]
    fn make_room_for_staged(&mut self) {
        let count = self.staged.get_mut().len();
        let slots = self.shared.look(|pool| pool.slots.slot_count()) as usize;
        if count > 0 {
            self.shared.free_kept();
        }
        must_reserve(self.shared.unsettled().try_reserve(count));
        assert!(self.register.get_mut().expect_births(count, slots), "there is no memory for what was staged");
    }

    /// Who was born at the last [commit](Self::commit), or at the end of the last frame.
    #[must_use]
    pub fn last_commit(&mut self) -> Commit<'_, K, L> {
        let register = self.register.get_mut();
        let (_, staged) = register.born.split_at(register.born_with_handle);
        Commit { born: &register.born, staged, first_ticket: register.first_ticket }
    }

    /// Removes and drops everything that was [named for death](Self::despawn), in that order.
    /// Returns who it was: see also [`dead`](Self::dead).
    ///
    /// If an entity panics while it is dropped, those that are left are swept the next time.
    pub fn sweep(&mut self) -> &[Handle<K, L>] {
        self.sweep_into(|_, _, _| {});
        self.dead()
    }

    /// Removes everything that was named for death, and gives it away: handle, entity, and whether
    /// it was permanent.
    fn sweep_into(&mut self, mut take: impl FnMut(Handle<K, L>, E, bool)) {
        self.register.get_mut().dead.clear();
        let mut sweeping = Sweeping { world: self, some_were_pending: false };
        for number in 0.. {
            if number % AT_ONCE == 0 {
                sweeping.meet_next();
            }
            let Some((handle, permanent)) = sweeping.world.register.get_mut().next_to_sweep() else { break };
            sweeping.some_were_pending |= sweeping.world.shared.admit_newborn(handle);
            if let Some(entity) = sweeping.world.shared.remove_in_split(handle) {
                take(handle, entity, permanent);
            }
        }
    }

    /// Removes everybody who was committed, by index, and gives them away.
    pub(super) fn empty_into(&mut self, take: impl FnMut(Handle<K, L>, E, bool)) {
        let mut register = self.register.borrow_mut();
        self.handles().for_each(|handle| _ = register.condemn(handle));
        drop(register);
        self.sweep_into(take);
    }

    /// Who died at the last [sweep](Self::sweep), or at the end of the last frame.
    #[must_use]
    pub fn dead(&mut self) -> &[Handle<K, L>] {
        &self.register.get_mut().dead
    }

    /// Ends the frame: [sweeps](Self::sweep), and then [commits](Self::commit). Says what happened
    /// since the last time.
    ///
    /// # Panics
    ///
    /// When there is no room for what was staged: no memory, or no more slots in the layout. Who
    /// was named for death is swept then, and the rest is as before.
    #[track_caller]
    #[doc(alias("flush", "merge"))]
    pub fn end_frame(&mut self) -> FrameReport {
        self.sweep();
        self.commit();
        let register = self.register.get_mut();
        let next = FrameReport { frame: register.report.frame + 1, ..FrameReport::EMPTY };
        core::mem::replace(&mut register.report, next)
    }

    /// Removes everything that is not [permanent](Self::make_permanent), at once, also what is
    /// pending or staged. (If an entity panics while it is dropped, those that are left are swept
    /// the next time.) Permanent entities keep their handles. Returns how many entities died.
    pub fn clear_temporary(&mut self) -> usize {
        self.clear(false)
    }

    /// Removes everything at once. All handles are dead for ever, and no id comes back. Returns how
    /// many entities died.
    pub fn clear_all(&mut self) -> usize {
        self.clear(true)
    }

    fn clear(&mut self, permanent_too: bool) -> usize {
        let mut register = self.register.borrow_mut();
        let pending = register.pending.len();
        for position in 0..pending {
            let handle = register.pending[position];
            register.condemn_unless_permanent(handle, permanent_too);
        }
        for handle in self.handles() {
            register.condemn_unless_permanent(handle, permanent_too);
        }
        drop(register);
        // Whoever panics while it is dropped, the others go.
        let mut staged = core::mem::take(self.staged.get_mut());
        let died = self.sweep().len();
        staged.clear();
        *self.staged.get_mut() = staged;
        died
    }
}

/// Takes the dead out of the pending, also after a panic.
struct Sweeping<'a, E, K: ?Sized, L: Layout> {
    world: &'a mut World<E, K, L>,
    some_were_pending: bool,
}

impl<E, K: ?Sized, L: Layout> Sweeping<'_, E, K, L> {
    /// Looks at those who are swept next. They lie anywhere: while one is waited for, the others
    /// come, too.
    fn meet_next(&mut self) {
        let World { shared, register, .. } = &mut *self.world;
        for &handle in register.get_mut().to_sweep().iter().take(AT_ONCE) {
            core::hint::black_box(shared.find(handle));
        }
    }
}

impl<E, K: ?Sized, L: Layout> Drop for Sweeping<'_, E, K, L> {
    fn drop(&mut self) {
        let World { shared, register, .. } = &mut *self.world;
        let register = register.get_mut();
        if self.some_were_pending {
            shared.forget_removed();
            register.forget_dead_pending(|handle| shared.find(handle).is_some());
        }
        if register.pending.is_empty() {
            // Nobody is waiting to be committed, so slots can be used again at once.
            shared.settle();
        }
    }
}
