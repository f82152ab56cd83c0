//! Methods that worlds share with pools, in the middle of a frame.

use tenure::{Handle, World};

use super::halves::spawn_family;
use super::{Frames, Name, TrackedWorld, ensure};
use crate::pool::Tags;
use crate::tracked::Tracked;
use crate::{alloc, fuse};

impl<L: Tags> Frames<TrackedWorld<L>> {
    pub(super) fn spawn_with(&mut self, how: u8) -> Result<(), String> {
        let (parent, child) = (self.new_value(), self.new_value());
        let ids = (parent.id(), child.id());
        let world = &self.home;
        let Some((parent, child)) = alloc::resume(|| spawn_family!(world, how, parent, child))? else {
            return Ok(());
        };
        self.note(child, ids.1, false)?;
        self.note(parent, ids.0, false)
    }

    pub(super) fn extend(&mut self, count: u8) -> Result<(), String> {
        let ids: Vec<u32> = (1..=u32::from(count % 80)).map(|nth| self.next_id + nth).collect();
        self.next_id += u32::from(count % 80);
        let values = ids.iter().map(|&id| {
            fuse::burn();
            alloc::pause(|| Tracked::new(id))
        });
        alloc::resume(|| self.home.extend(values));
        for id in ids {
            let found = self.home.iter_spawned().find(|(_, value)| value.id() == id).map(|(handle, _)| handle);
            self.note(found.ok_or_else(|| format!("{id} was not spawned"))?, id, false)?;
        }
        Ok(())
    }

    pub(super) fn disjoint(&mut self, handles: [Name<L>; 3]) -> Result<(), String> {
        let (world, mut halves) = self.halves();
        halves.disjoint(handles, world.get_disjoint_mut(handles))
    }

    pub(super) fn loans(&mut self, handles: [Name<L>; 3]) -> Result<(), String> {
        let (world, mut halves) = self.halves();
        let loans = world.borrow_many();
        halves.loans(handles, handles.map(|handle| loans.get_mut(handle)))
    }

    /// `clear_stale`, of the newest handles and of nil.
    pub(super) fn clear_stale(&mut self) -> Result<(), String> {
        let before: Vec<_> = self.issued.iter().rev().take(40).copied().chain([Handle::NIL]).collect();
        let is_stale = |handle: &Name<L>| !handle.is_nil() && !self.alive.contains_key(handle);
        let right: Vec<_> = before.iter().copied().enumerate().filter(|(_, handle)| is_stale(handle)).collect();
        let (mut after, mut lost) = (before.clone(), Vec::new());
        let count = alloc::resume(|| {
            self.home.clear_stale(&mut after, |position, handle| {
                fuse::burn();
                alloc::pause(|| lost.push((position, handle)));
            })
        });
        ensure(lost == right && count == right.len(), || format!("{lost:?} were stale, expected {right:?}"))?;
        let cleared = before.iter().map(|handle| if is_stale(handle) { Handle::NIL } else { *handle });
        ensure(after.iter().copied().eq(cleared), || format!("{before:?} became {after:?}"))
    }

    /// Reserves, touches or releases memory.
    pub(super) fn room(&mut self, number: u8) -> Result<(), String> {
        // More than a word of slots, and not too many for a long history.
        let count = usize::from(number / 8) * 3;
        let world = &mut self.home;
        let is_reserved = match number % 8 {
            0 => {
                alloc::resume(|| world.reserve(count));
                true
            }
            1 => alloc::resume(|| world.try_reserve(count)).is_ok(),
            2 => {
                alloc::resume(|| world.reserve_exact(count));
                true
            }
            3 => alloc::resume(|| world.try_reserve_exact(count)).is_ok(),
            // Without memory these abort, as on a `Vec`.
            4 => return self.shrink(0, World::shrink_to_fit),
            5 => return self.shrink(count, |world| world.shrink_to(count)),
            6 => {
                alloc::resume(|| world.warm_up());
                false
            }
            _ => {
                alloc::resume(|| world.allow_indices_below(count * 32));
                false
            }
        };
        if is_reserved { self.spawn_without_memory(count) } else { Ok(()) }
    }

    fn shrink(&mut self, least: usize, shrink: impl FnOnce(&mut TrackedWorld<L>)) -> Result<(), String> {
        let before = self.home.capacity();
        shrink(&mut self.home);
        let after = self.home.capacity();
        let is_right = after >= before.min(least) && after <= before;
        ensure(is_right, || format!("a capacity of {before} was shrunk to {after}"))?;
        self.forget_cut_slots();
        Ok(())
    }

    /// After `reserve(count)`.
    fn spawn_without_memory(&mut self, count: usize) -> Result<(), String> {
        for nth in 0..count {
            let value = self.new_value();
            let id = value.id();
            let spawned = alloc::resume(|| alloc::refuse_all(|| self.home.try_spawn(value)));
            let handle = spawned.map_err(|full| format!("spawn {nth} of {count} that have room: {full}"))?;
            self.note(handle, id, false)?;
        }
        Ok(())
    }

    /// Shrinking cuts free slots at the end. If they come back, it is with higher generations.
    fn forget_cut_slots(&mut self) {
        let stats = self.home.stats();
        let slots = stats.live + stats.free + stats.pending + stats.retired;
        let exists = |handle: &Name<L>| (handle.index() as usize) < slots;
        let (issued, cut): (_, Vec<_>) = std::mem::take(&mut self.issued).into_iter().partition(exists);
        self.issued = issued;
        self.cut.extend(cut);
    }

    /// Handles of retired slots may be issued again.
    pub(super) fn recycle(&mut self) -> Result<(), String> {
        let (alive, pending) = (&self.alive, &self.pending);
        let is_retired = |handle: &&Name<L>| {
            handle.generation() == L::MAX_TENANTS && !alive.contains_key(handle) && !pending.contains(handle)
        };
        let retired: Vec<_> = self.issued.iter().filter(is_retired).map(|handle| handle.index()).collect();
        let count = alloc::resume(|| self.home.recycle_retired());
        for list in [&mut self.issued, &mut self.cut] {
            list.retain(|handle| !retired.contains(&handle.index()));
        }
        ensure(count == retired.len(), || format!("{count} were recycled, expected {retired:?}"))
    }

    pub(super) fn release_pending(&mut self) -> Result<(), String> {
        let count = alloc::resume(|| self.home.release_pending());
        let right = std::mem::take(&mut self.pending).len();
        ensure(count == right, || format!("{count} were released, expected {right}"))
    }
}
