//! Operations of a world that take effect at once, and those on pending handles.

use tenure::{Rejection, Status};

use super::{Expected, Frames, Home, Name, TrackedWorld, committed, ensure};
use crate::pool::Tags;
use crate::surface::forget;
use crate::tracked::Tracked;
use crate::{alloc, fuse};

impl<C: Home> Frames<C> {
    pub(super) fn reserve_handle(&mut self) -> Result<(), String> {
        // It is full only where memory is refused.
        let Ok(handle) = alloc::resume(|| self.home.try_reserve_handle()) else { return Ok(()) };
        let is_new = !self.issued.contains(&handle) && !self.cut.contains(&handle);
        ensure(is_new, || format!("{handle} was issued twice"))?;
        self.issued.push(handle);
        self.pending.insert(handle);
        Ok(())
    }

    pub(super) fn fill(&mut self, handle: Name<C::Layout>) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.home.fill(handle, value)) {
            Ok(()) => {
                ensure(self.pending.remove(&handle), || format!("{handle} was not pending, and was filled"))?;
                self.note(handle, id, false)
            }
            Err(rejected) => {
                let reason = rejected.reason();
                let right = if self.pending.contains(&handle) {
                    reason == Rejection::Full
                } else {
                    (reason == Rejection::Occupied) == self.alive.contains_key(&handle)
                };
                ensure(right, || format!("{handle}: {reason:?}"))?;
                ensure(rejected.into_inner().id() == id, || "another value was returned".into())
            }
        }
    }

    pub(super) fn insert_at(&mut self, handle: Name<C::Layout>) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        let may_be_issued = self.may_be_issued(handle);
        match alloc::resume(|| self.home.insert_at(handle, value)) {
            Ok(Some(older)) => {
                let expected = self.alive.get_mut(&handle).ok_or("a handle without a value had one")?;
                let right = std::mem::replace(&mut expected.id, id);
                ensure(older.id() == right, || format!("{} was replaced, expected {right}", older.id()))
            }
            Ok(None) => {
                ensure(may_be_issued, || format!("{handle} was issued again"))?;
                self.pending.remove(&handle);
                self.note(handle, id, false)
            }
            Err(rejected) => {
                let reason = rejected.reason();
                let is_live = self.alive.contains_key(&handle);
                ensure(reason == Rejection::Full || !(may_be_issued || is_live), || format!("{handle}: {reason:?}"))?;
                ensure(rejected.into_inner().id() == id, || "another value was returned".into())
            }
        }
    }

    /// Returns `true` if `insert_at` spawns an entity under this handle: it is pending, or it is
    /// the newest of its slot, which is vacant.
    pub(super) fn may_be_issued(&self, handle: Name<C::Layout>) -> bool {
        let same_slot = |other: &Name<C::Layout>| other.index() == handle.index();
        let is_vacant = !self.alive.keys().any(same_slot) && !self.pending.iter().any(same_slot);
        let mut tenants = self.issued.iter().filter(|other| same_slot(other));
        let is_newest = !handle.is_nil() && tenants.all(|other| other.generation() <= handle.generation());
        self.pending.contains(&handle) || is_vacant && is_newest
    }

    pub(super) fn take(&mut self, handle: Name<C::Layout>) -> Result<(), String> {
        let taken = alloc::resume(|| self.home.take(handle));
        let right = self.remove(handle);
        if right.is_some() {
            self.pending.insert(handle);
        }
        let id = taken.as_ref().map(Tracked::id);
        drop(taken);
        ensure(id == right, || format!("{id:?} was taken, expected {right:?}"))
    }

    pub(super) fn discard(&mut self, handle: Name<C::Layout>) -> Result<(), String> {
        let dropped = alloc::resume(|| self.home.discard(handle));
        self.pending.remove(&handle);
        let right = self.remove(handle).is_some();
        ensure(dropped == right, || format!("{handle}: {dropped}"))
    }

    /// Removes an entity from the model. Returns its id.
    pub(super) fn remove(&mut self, handle: Name<C::Layout>) -> Option<u32> {
        let expected = self.alive.remove(&handle)?;
        self.despawned += 1;
        Some(expected.id)
    }
}

impl<L: Tags> Frames<TrackedWorld<L>> {
    /// Committed entities are visited by index, and then the others in the order of spawning.
    pub(super) fn retain(&mut self, number: u8) -> Result<(), String> {
        let modulus = u32::from(number % 4) + 1;
        let Self { home, alive, .. } = self;
        let order: Vec<_> = home.handles().chain(home.iter_spawned().map(|(handle, _)| handle)).collect();
        let mut visited = Vec::new();
        alloc::resume(|| {
            home.retain(|handle, value| {
                alloc::pause(|| visited.push(handle));
                fuse::burn();
                let id = value.change();
                alive.entry(handle).and_modify(|expected| expected.id = id);
                id % modulus == 0
            });
        });
        ensure(visited == order, || format!("{visited:?} were visited, expected {order:?}"))?;
        let before = self.alive.len();
        self.alive.retain(|_, expected| expected.id % modulus == 0);
        self.despawned += before - self.alive.len();
        Ok(())
    }

    /// Takes a few entities out of a drain, which is then dropped or forgotten.
    pub(super) fn drain(&mut self, number: u8) -> Result<(), String> {
        let (count, is_forgotten) = (usize::from(number / 2 % 16), number % 2 == 1);
        let total = self.alive.len() + self.staged.len();
        let Self { home, staged, .. } = self;
        let mut drain = alloc::resume(|| home.drain());
        let staged = std::mem::take(staged);
        let announced = drain.len();
        let items: Vec<_> = drain.by_ref().take(count).collect();
        let left = drain.len();
        if is_forgotten {
            forget(drain);
        } else {
            alloc::resume(|| drop(drain));
        }
        ensure((announced, left) == (total, total - items.len()), || {
            format!("{announced}, then {left}, of {total}")
        })?;
        ensure(items.is_sorted_by(|(one, _), (other, _)| one.index() < other.index()), || "not by index".into())?;

        self.commit_model(staged, true)?;
        for (handle, value) in &items {
            let right = self.remove(*handle);
            ensure(right == Some(value.id()), || format!("{handle} was {}, expected {right:?}", value.id()))?;
        }
        drop(items);
        if !is_forgotten {
            self.despawned += self.alive.len();
            self.alive.clear();
            self.pending_after_clear()?;
        }
        ensure(committed(&self.alive) == self.alive.len(), || "a drain commits all entities".into())
    }

    /// A clear keeps all pending handles, or releases all of them.
    pub(super) fn pending_after_clear(&mut self) -> Result<(), String> {
        let before = self.pending.len();
        self.pending.retain(|&handle| self.home.status(handle) == Status::Pending);
        ensure([0, before].contains(&self.pending.len()), || {
            "some pending handles were released, and some not".into()
        })
    }

    pub(super) fn sweep_with(&mut self) -> Result<(), String> {
        let mut swept = Vec::new();
        alloc::resume(|| {
            self.home.sweep_with(|handle, value| {
                fuse::burn();
                alloc::pause(|| swept.push((handle, value)));
            });
        });
        let handles = || swept.iter().map(|(handle, _)| *handle);
        ensure(self.home.dead().eq(handles()), || "`dead` lists other entities than were swept".into())?;
        for (handle, value) in &swept {
            let is_dying = self.alive.get(handle).is_some_and(|expected| expected.dying);
            let right = self.remove(*handle).filter(|_| is_dying);
            ensure(right == Some(value.id()), || format!("{handle} was {}, expected {right:?}", value.id()))?;
        }
        ensure(!self.alive.values().any(|expected: &Expected| expected.dying), || "a dying entity is left".into())
    }
}
