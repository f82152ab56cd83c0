//! Operations on the two halves of a split, and frames.

use std::collections::{BTreeMap, BTreeSet};

use tenure::{GetDisjointMutError, Handle, Layout, Live, LoanError, Spawner, Status};

use super::{Expected, Frames, Home, Name, TrackedWorld, committed, ensure, is_gone, right_status};
use crate::answer::Clash;
use crate::pool::Tags;
use crate::tracked::Tracked;
use crate::{alloc, fuse, quiet};

type LiveHalf<'a, L> = Live<'a, Tracked, Name<L>>;
type SpawningHalf<'a, L> = Spawner<'a, Tracked, Name<L>>;

/// The entities that a split has spawned.
type Children<L> = Vec<(Name<L>, u32)>;

/// The parts of the model that a split needs while the container is borrowed.
pub(super) struct Halves<'a, L: Layout> {
    pub(super) alive: &'a mut BTreeMap<Name<L>, Expected>,
    pub(super) pending: &'a BTreeSet<Name<L>>,
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
                alloc::resume(|| spawner.despawn(handle));
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
            // Comparing all handles for every entity would take minutes in a long fuzz input.
            let is_compared = visited.len() <= 16 || visited.len() % 16 == 0;
            let sees_all_but_itself = || {
                others.iter().map(|(handle, _)| handle).eq(right.iter().copied().filter(|&other| other != me))
                    && others.values().count() + 1 == right.len()
            };
            let resolves = |&handle: &Name<L>| {
                let right = self.id(handle).filter(|_| handle != me);
                others.get(handle).map(Tracked::id) == right && others.contains(handle) == right.is_some()
            };
            if is_compared && !(sees_all_but_itself() && self.issued.iter().all(resolves)) {
                fault = Err(format!("`Others` of {me} does not resolve exactly the other entities"));
            }
            let id = value.change();
            self.alive.entry(me).and_modify(|expected| expected.id = id);
            if me.index() % 7 == u32::from(number % 7) && self.spawn(spawner) {
                alloc::resume(|| spawner.despawn(me));
                self.alive.entry(me).and_modify(|expected| expected.dying = true);
            }
        });
        fault?;
        ensure(visited == right, || format!("{visited:?} were visited, expected {right:?}"))?;
        self.finds_what_lived_before(live)
    }

    /// `get_disjoint_mut` of three handles: the first and the last value are swapped.
    pub(super) fn disjoint(
        &mut self,
        handles: [Name<L>; 3],
        found: Result<[&mut Tracked; 3], GetDisjointMutError>,
    ) -> Result<(), String> {
        let ids = handles.map(|handle| self.id(handle));
        let overlap = [(0, 1), (0, 2), (1, 2)].into_iter().find(|&(one, other)| handles[one] == handles[other]);
        match found {
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
    pub(super) fn loans(
        &mut self,
        handles: [Name<L>; 3],
        lent: [Result<&mut Tracked, LoanError>; 3],
    ) -> Result<(), String> {
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

    /// `spawn_with` and the like: the closure spawns a child.
    fn spawn_with(&mut self, spawner: &SpawningHalf<'_, L>, how: u8) -> Result<(), String> {
        let (parent, child) = (self.new_value(), self.new_value());
        let ids = (parent.id(), child.id());
        if let Some((parent, child)) = alloc::resume(|| spawn_family!(spawner, how, parent, child))? {
            self.spawned.extend([(child, ids.1), (parent, ids.0)]);
        }
        Ok(())
    }

    /// All lookups and iterators. A value that was spawned in the split is not found.
    fn look(&mut self, live: &mut LiveHalf<'_, L>, spawner: &SpawningHalf<'_, L>, number: u8) -> Result<(), String> {
        self.spawn(spawner);
        let picked = self.alive.keys().nth(usize::from(number) % self.alive.len().max(1)).copied();
        if let Some(picked) = picked.filter(|_| number % 2 == 1) {
            alloc::resume(|| spawner.despawn(picked));
            self.alive.entry(picked).and_modify(|expected| expected.dying = true);
        }
        self.look_at_all(live)?;
        let spawned: Vec<_> = self.spawned.iter().map(|&(child, _)| child).collect();
        for &handle in self.issued.iter().chain(&spawned).chain([&Handle::NIL]) {
            self.look_up(live, handle, spawned.contains(&handle))?;
        }
        let stranger = self.new_value();
        ensure(live.handle_of(&stranger).is_none(), || "a value that is in no container has a handle".into())?;
        for handle in picked.into_iter().chain(spawned.first().copied()).chain(self.pending.first().copied()) {
            self.index(live, handle)?;
        }
        Ok(())
    }

    /// Every iterator visits exactly the committed values.
    fn look_at_all(&self, live: &mut LiveHalf<'_, L>) -> Result<(), String> {
        let right: Vec<_> = self.alive.iter().filter(|(_, expected)| expected.committed).collect();
        let right: Vec<_> = right.into_iter().map(|(&handle, expected)| (handle, expected.id)).collect();
        let ids = || right.iter().map(|&(_, id)| id);
        let shown = |(handle, value): (Name<L>, &Tracked)| (handle, value.id());
        let (last, found) = (right.last(), right.last().and_then(|(_, id)| live.find(|value| value.id() == *id)));
        let is_right = [
            live.len() == right.len() && live.is_empty() == right.is_empty(),
            live.iter().map(shown).eq(right.iter().copied()),
            (&*live).into_iter().map(shown).eq(right.iter().copied()),
            live.iter_mut().map(|(handle, value)| (handle, value.id())).eq(right.iter().copied()),
            (&mut *live).into_iter().map(|(handle, value)| (handle, value.id())).eq(right.iter().copied()),
            live.handles().eq(right.iter().map(|&(handle, _)| handle)),
            live.values().map(Tracked::id).eq(ids()),
            live.values_mut().map(|value| value.id()).eq(ids()),
            found == last.map(|&(handle, _)| handle) && live.find(|_| false).is_none(),
        ];
        ensure(is_right == [true; 9], || format!("{is_right:?}: not exactly {right:?}"))
    }

    /// Every lookup of a handle.
    fn look_up(&self, live: &mut LiveHalf<'_, L>, handle: Name<L>, is_new: bool) -> Result<(), String> {
        let (right, status) = (self.id(handle), live.status(handle));
        let expected = if is_new { Some(Status::Pending) } else { right_status(self.alive, self.pending, handle) };
        ensure(expected.map_or(is_gone(status), |expected| status == expected), || {
            format!("the split says that {handle} is {status:?}, not {expected:?}")
        })?;
        let right = right.ok_or(status);
        let neighbour = self.alive.keys().find(|other| other.index() == handle.index()).copied();
        let is_right = [
            live.get_mut(handle).map(|value| value.id()) == right.ok(),
            live.try_get(handle).map(Tracked::id).map_err(|error| error.status()) == right,
            live.try_get_mut(handle).map(|value| value.id()).map_err(|error| error.status()) == right,
            live.handle_at(handle.index()) == neighbour,
            live.get(handle).is_none_or(|value| live.handle_of(value) == Some(handle)),
        ];
        ensure(is_right == [true; 5], || format!("{is_right:?}: {handle} should be {right:?}"))
    }

    /// `[]`, which mutates the value.
    fn index(&mut self, live: &mut LiveHalf<'_, L>, handle: Name<L>) -> Result<(), String> {
        let found = quiet::catch(|| live[handle].id());
        match (found, self.id(handle)) {
            (Ok(id), Some(right)) if id == right => {
                let id = live[handle].change();
                self.alive.entry(handle).and_modify(|expected| expected.id = id);
                Ok(())
            }
            (Err(message), None) if message.contains(&format!("{handle:?}")) => Ok(()),
            (found, right) => Err(format!("indexing with {handle}: {found:?}, expected {right:?}")),
        }
    }
}

/// Spawns a value whose closure spawns a child, in one of three ways. Evaluates to the handles of
/// both, or to `None` if there was no memory.
macro_rules! spawn_family {
    ($spawner:expr, $how:expr, $parent:expr, $child:expr) => {{
        let mut handles = (Handle::NIL, Handle::NIL);
        let mut refused = None;
        let make = |me| {
            handles = (me, $spawner.spawn($child));
            fuse::burn();
            $parent
        };
        let spawned = match $how % 3 {
            0 => Some($spawner.spawn_with(make)),
            1 => $spawner.try_spawn_with(make).ok(),
            _ => {
                refused = $spawner.spawn_with_result(|me| Err::<Tracked, _>(me)).err();
                $spawner.spawn_with_result(|me| Ok::<_, ()>(make(me))).ok()
            }
        };
        match spawned {
            Some(parent) if parent == handles.0 && refused.is_none_or(|refused| refused == parent) => {
                Ok(Some(handles))
            }
            None if handles.0.is_nil() => Ok(None),
            _ => Err(format!("the closures got {refused:?} and {handles:?}, and {spawned:?} was returned")),
        }
    }};
}
pub(super) use spawn_family;

/// What is done in a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InSplit {
    Mutate(u8),
    ForEach(u8),
    Disjoint(u8),
    Loans(u8),
    Look(u8),
    SpawnMut,
    SpawnWith(u8),
}

impl<C: Home> Frames<C> {
    /// Does something in a split. The spawned entities are uncommitted.
    pub(super) fn in_split(&mut self, what: InSplit) -> Result<(), String> {
        let handles = match what {
            InSplit::Disjoint(pick) | InSplit::Loans(pick) => self.three(pick),
            _ => [Handle::NIL; 3],
        };
        let (home, mut halves) = self.halves();
        let (mut live, spawner) = home.split();
        match what {
            InSplit::Mutate(number) => halves.mutate(&mut live, &spawner, number)?,
            InSplit::ForEach(number) => halves.for_each(&mut live, &spawner, number)?,
            InSplit::Disjoint(_) => halves.disjoint(handles, live.get_disjoint_mut(handles))?,
            InSplit::Loans(_) => {
                let loans = live.borrow_many();
                halves.loans(handles, handles.map(|handle| loans.get_mut(handle)))?;
            }
            InSplit::Look(number) => halves.look(&mut live, &spawner, number)?,
            InSplit::SpawnMut => halves.spawn_mut(&spawner),
            InSplit::SpawnWith(how) => halves.spawn_with(&spawner, how)?,
        }
        halves.finds_what_lived_before(&live)?;
        alloc::resume(|| drop((live, spawner)));
        let spawned = halves.spawned;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    /// `Live::remove`, of an entity of before, a pending handle, and an entity of this split.
    pub(super) fn live_remove(&mut self, handle: Name<C::Layout>) -> Result<(), String> {
        let (home, mut halves) = self.halves();
        let (mut live, spawner) = home.split();
        halves.spawn(&spawner);
        let child = halves.spawned.first().and_then(|&(child, _)| live.remove(child));
        let removed = alloc::resume(|| live.remove(handle));
        let is_gone = !live.contains(handle) && live.remove(handle).is_none();
        alloc::resume(|| drop((live, spawner)));
        let spawned = halves.spawned;
        self.pending.remove(&handle);
        let right = self.remove(handle);
        let id = removed.as_ref().map(Tracked::id);
        drop(removed);
        ensure(child.is_none() && is_gone && id == right, || format!("{id:?} was removed, expected {right:?}"))?;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }
}

impl<L: Tags> Frames<TrackedWorld<L>> {
    /// `frame`: a split, and the end of the frame.
    pub(super) fn frame(&mut self, number: u8) -> Result<(), String> {
        let (world, mut halves) = self.halves();
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
