//! Operations on the two halves of a split, and frames.

use std::collections::BTreeMap;

use tenure::{Handle, Layout, Live, LoanError, Spawner};

use super::{Expected, Frames, committed, ensure};
use crate::answer::Clash;
use crate::tracked::Tracked;
use crate::{alloc, fuse};

type Name<L> = Handle<Tracked, L>;
type LiveHalf<'a, L> = Live<'a, Tracked, Name<L>>;
type SpawningHalf<'a, L> = Spawner<'a, Tracked, Name<L>>;

/// The entities that a split has spawned.
type Children<L> = Vec<(Name<L>, u32)>;

/// The parts of the model that a split needs while the world is borrowed.
pub(super) struct Halves<'a, L: Layout> {
    pub(super) alive: &'a mut BTreeMap<Name<L>, Expected>,
    pub(super) issued: &'a [Name<L>],
    pub(super) next_id: &'a mut u32,
    pub(super) spawned: Children<L>,
}

impl<L: Layout> Halves<'_, L> {
    fn new_value(&mut self) -> Tracked {
        *self.next_id += 1;
        Tracked::new(*self.next_id)
    }

    fn id(&self, handle: Name<L>) -> Option<u32> {
        self.alive.get(&handle).map(|expected| expected.id)
    }

    /// Spawns an entity, unless memory is refused.
    fn spawn(&mut self, spawner: &SpawningHalf<'_, L>) -> bool {
        let child = self.new_value();
        let handle = alloc::resume(|| spawner.try_spawn(child));
        handle.map(|handle| self.spawned.push((handle, *self.next_id))).is_ok()
    }

    /// Mutates all entities, spawns some and despawns some.
    pub(super) fn mutate(
        &mut self,
        live: &mut LiveHalf<'_, L>,
        spawner: &SpawningHalf<'_, L>,
        number: u8,
    ) -> Result<(), String> {
        let mut visited = 0;
        for (handle, value) in live.iter_mut() {
            visited += 1;
            let expected = self.alive.get_mut(&handle).ok_or("a dead entity was visited")?;
            ensure(expected.committed, || format!("{handle} was visited before its commit"))?;
            fuse::burn();
            expected.id = value.change();
            if handle.index() % 7 == u32::from(number % 7) && self.spawn(spawner) && number % 3 == 0 {
                spawner.despawn(handle);
                self.alive.entry(handle).and_modify(|expected| expected.dying = true);
            }
        }
        ensure(visited == committed(self.alive), || format!("{visited} were visited"))?;
        self.finds_what_lived_before(live)
    }

    fn finds_what_lived_before(&self, live: &LiveHalf<'_, L>) -> Result<(), String> {
        ensure(!self.spawned.iter().any(|&(child, _)| live.contains(child)), || {
            "a child was found in its split".into()
        })?;
        for &handle in self.issued {
            let (found, right) = (live.get(handle).map(Tracked::id), self.id(handle));
            ensure(found == right, || format!("the split resolves {handle} to {found:?}, not to {right:?}"))?;
        }
        Ok(())
    }

    /// Mutates all entities, each with a view of the others.
    fn for_each(
        &mut self,
        live: &mut LiveHalf<'_, L>,
        spawner: &SpawningHalf<'_, L>,
        number: u8,
    ) -> Result<(), String> {
        let right: Vec<_> = self.alive.iter().filter(|(_, expected)| expected.committed).map(|(&me, _)| me).collect();
        let mut visited = Vec::new();
        let mut fault = Ok(());
        live.for_each_mut(|value, others| {
            let me = others.me();
            visited.push(me);
            fuse::burn();
            let sees_all_but_itself =
                others.iter().map(|(handle, _)| handle).eq(right.iter().copied().filter(|&other| other != me))
                    && others.values().count() + 1 == right.len();
            let resolves = |&handle: &Name<L>| {
                let right = self.id(handle).filter(|_| handle != me);
                others.get(handle).map(Tracked::id) == right && others.contains(handle) == right.is_some()
            };
            if !sees_all_but_itself || !self.issued.iter().all(resolves) {
                fault = Err(format!("`Others` of {me} does not resolve exactly the other entities"));
            }
            let id = value.change();
            self.alive.entry(me).and_modify(|expected| expected.id = id);
            if me.index() % 7 == u32::from(number % 7) && self.spawn(spawner) {
                spawner.despawn(me);
                self.alive.entry(me).and_modify(|expected| expected.dying = true);
            }
        });
        fault?;
        ensure(visited == right, || format!("{visited:?} were visited, expected {right:?}"))?;
        self.finds_what_lived_before(live)
    }

    /// `get_disjoint_mut` of three handles: the first and the last value are swapped.
    fn disjoint(&mut self, live: &mut LiveHalf<'_, L>, handles: [Name<L>; 3]) -> Result<(), String> {
        let ids = handles.map(|handle| self.id(handle));
        let overlap = [(0, 1), (0, 2), (1, 2)].into_iter().find(|&(one, other)| handles[one] == handles[other]);
        match live.get_disjoint_mut(handles) {
            Ok([first, middle, last]) => {
                let found = [&*first, middle, last].map(|value| Some(value.id()));
                ensure(found == ids && overlap.is_none(), || format!("{found:?}, expected {ids:?}"))?;
                std::mem::swap(first, last);
                for (handle, id) in [(handles[0], ids[2]), (handles[2], ids[0])] {
                    self.alive.entry(handle).and_modify(|expected| expected.id = id.unwrap_or_default());
                }
                Ok(())
            }
            Err(error) => {
                let missing = ids.iter().position(Option::is_none);
                match Clash::from(error) {
                    Clash::NotLive(position, _) if Some(position) == missing => Ok(()),
                    Clash::Overlapping(first, second) if missing.is_none() && Some((first, second)) == overlap => {
                        Ok(())
                    }
                    other => Err(format!("{handles:?}: {other:?}")),
                }
            }
        }
    }

    /// `borrow_many`: all values at once, and each is mutated.
    fn loans(&mut self, live: &mut LiveHalf<'_, L>, handles: [Name<L>; 3]) -> Result<(), String> {
        let loans = live.borrow_many();
        let lent = handles.map(|handle| loans.get_mut(handle));
        for (position, (handle, loan)) in handles.into_iter().zip(lent).enumerate() {
            let was_lent = handles[..position].contains(&handle);
            match (loan, self.alive.get_mut(&handle)) {
                (Ok(value), Some(expected)) if !was_lent && value.id() == expected.id => expected.id = value.change(),
                (Err(LoanError::AlreadyLent), Some(_)) if was_lent => {}
                (Err(LoanError::NotLive(_)), None) => {}
                (loan, expected) => return Err(format!("{handle}: {loan:?}, expected {expected:?}")),
            }
        }
        Ok(())
    }

    /// `spawn_mut`: two new values are swapped.
    fn spawn_mut(&mut self, spawner: &SpawningHalf<'_, L>) {
        let (one, other) = (self.new_value(), self.new_value());
        let ids = (one.id(), other.id());
        let (first, one) = alloc::resume(|| spawner.spawn_mut(one));
        let (second, other) = alloc::resume(|| spawner.spawn_mut(other));
        fuse::burn();
        std::mem::swap(one, other);
        self.spawned.extend([(first, ids.1), (second, ids.0)]);
    }

    /// `spawn_with`: the closure spawns a child.
    fn spawn_with(&mut self, spawner: &SpawningHalf<'_, L>) -> Result<(), String> {
        let (parent, child) = (self.new_value(), self.new_value());
        let ids = (parent.id(), child.id());
        let mut handles = (Handle::NIL, Handle::NIL);
        let parent_is = alloc::resume(|| {
            spawner.spawn_with(|me| {
                handles = (me, spawner.spawn(child));
                fuse::burn();
                parent
            })
        });
        ensure(parent_is == handles.0, || "the closure got another handle than was returned".into())?;
        self.spawned.extend([(handles.1, ids.1), (handles.0, ids.0)]);
        Ok(())
    }
}

/// What is done in a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InSplit {
    Mutate(u8),
    ForEach(u8),
    Disjoint(u8),
    Loans(u8),
    SpawnMut,
    SpawnWith,
}

impl<L: Layout> Frames<L> {
    /// Does something in a split. The spawned entities are uncommitted.
    pub(super) fn in_split(&mut self, what: InSplit) -> Result<(), String> {
        let three = |pick: u8| [pick, pick.wrapping_add(1), pick / 3].map(|pick| self.pick(pick));
        let handles = match what {
            InSplit::Disjoint(pick) | InSplit::Loans(pick) => three(pick),
            _ => [Handle::NIL; 3],
        };
        let Self { world, alive, issued, next_id, .. } = self;
        let mut halves = Halves { alive, issued, next_id, spawned: Vec::new() };
        let (mut live, spawner) = world.split();
        match what {
            InSplit::Mutate(number) => halves.mutate(&mut live, &spawner, number)?,
            InSplit::ForEach(number) => halves.for_each(&mut live, &spawner, number)?,
            InSplit::Disjoint(_) => halves.disjoint(&mut live, handles)?,
            InSplit::Loans(_) => halves.loans(&mut live, handles)?,
            InSplit::SpawnMut => halves.spawn_mut(&spawner),
            InSplit::SpawnWith => halves.spawn_with(&spawner)?,
        }
        halves.finds_what_lived_before(&live)?;
        drop((live, spawner));
        let spawned = halves.spawned;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    /// `Live::remove`, of an entity of before, a pending handle, and an entity of this split.
    pub(super) fn live_remove(&mut self, handle: Name<L>) -> Result<(), String> {
        let Self { world, alive, issued, next_id, .. } = self;
        let mut halves = Halves { alive, issued, next_id, spawned: Vec::new() };
        let (mut live, spawner) = world.split();
        halves.spawn(&spawner);
        let child = halves.spawned.first().and_then(|&(child, _)| live.remove(child));
        let removed = alloc::resume(|| live.remove(handle));
        let is_gone = !live.contains(handle) && live.remove(handle).is_none();
        drop((live, spawner));
        let spawned = halves.spawned;
        self.pending.remove(&handle);
        let right = self.remove(handle);
        let id = removed.as_ref().map(Tracked::id);
        drop(removed);
        ensure(child.is_none() && is_gone && id == right, || format!("{id:?} was removed, expected {right:?}"))?;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    /// `frame`: a split, and the end of the frame.
    pub(super) fn frame(&mut self, number: u8) -> Result<(), String> {
        let Self { world, alive, issued, next_id, .. } = self;
        let mut halves = Halves { alive, issued, next_id, spawned: Vec::new() };
        let mut result = Ok(());
        let report = alloc::resume(|| {
            world.frame(|live, spawner| {
                alloc::pause(|| result = halves.mutate(live, spawner, number));
            })
        });
        result?;
        let spawned = halves.spawned;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))?;
        self.end_of_frame(report)
    }
}
