//! Operations that only worlds have, because they have frames.

use tenure::world::{FrameReport, Ticket};
use tenure::{EntityId, Status};

use super::{Frames, Name, SPAWNS, TrackedWorld, WorldOp, committed, ensure, is_gone};
use crate::alloc;
use crate::pool::Tags;
use crate::tracked::Tracked;

impl<L: Tags> Frames<TrackedWorld<L>> {
    /// Operations that a stable pool does not have, or that have another effect there.
    pub(super) fn apply_in_frame(&mut self, op: WorldOp) -> Result<(), String> {
        match op {
            WorldOp::SpawnWith(how) => self.spawn_with(how),
            WorldOp::Extend(count) => self.extend(count),
            WorldOp::Stage => self.stage(),
            WorldOp::Despawn(pick) => self.despawn(self.pick(pick)),
            WorldOp::Permanent(pick) => self.make_permanent(self.pick(pick)),
            WorldOp::Disjoint(pick) => self.disjoint(self.three(pick)),
            WorldOp::Loans(pick) => self.loans(self.three(pick)),
            WorldOp::ClearStale => self.clear_stale(),
            WorldOp::Room(number) => self.room(number),
            WorldOp::Recycle => self.recycle(),
            WorldOp::ReleasePending => self.release_pending(),
            WorldOp::Retain(number) => self.retain(number),
            WorldOp::Drain(number) => self.drain(number),
            WorldOp::Frame(number) => self.frame(number),
            WorldOp::Jobs(number) => self.jobs(number),
            WorldOp::Sweep => self.sweep(),
            WorldOp::SweepWith => self.sweep_with(),
            WorldOp::Commit => self.commit(),
            WorldOp::EndFrame => self.end_frame(),
            WorldOp::ClearTemporary => self.clear(false),
            WorldOp::ClearAll => self.clear(true),
            other => Err(format!("{other:?} is an operation of splits")),
        }
    }

    fn stage(&mut self) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.home.try_stage(value)) {
            Ok(ticket) => self.staged.push((id, ticket)),
            Err(full) => ensure(full.into_inner().id() == id, || "another value was returned".into())?,
        }
        Ok(())
    }

    fn despawn(&mut self, handle: Name<L>) -> Result<(), String> {
        let status = alloc::resume(|| self.home.despawn(handle));
        let right = match self.alive.get_mut(&handle) {
            Some(expected) if expected.dying => status == Status::Dying,
            Some(expected) => {
                expected.dying = true;
                status == if expected.committed { Status::Live } else { Status::Spawned }
            }
            None if self.pending.contains(&handle) => status == Status::Pending,
            None => is_gone(status),
        };
        ensure(right, || format!("{handle} was {status:?}"))
    }

    fn make_permanent(&mut self, handle: Name<L>) -> Result<(), String> {
        let is_alive = self.home.make_permanent(handle);
        self.alive.entry(handle).and_modify(|expected| expected.permanent = true);
        ensure(is_alive == self.alive.contains_key(&handle), || format!("{handle}: {is_alive}"))
    }

    fn jobs(&mut self, number: u8) -> Result<(), String> {
        let mut spawned = Vec::new();
        let mut visited = 0;
        let Self { home, alive, next_id, .. } = self;
        alloc::resume(|| {
            home.with_jobs(64, SPAWNS, |jobs| {
                alloc::pause(|| {
                    for mut job in jobs {
                        let mut spawns = 0;
                        for (handle, value) in job.live.iter_mut() {
                            visited += 1;
                            let expected = alive.get_mut(&handle).ok_or("a dead entity was visited")?;
                            ensure(expected.committed, || format!("{handle} was visited before its commit"))?;
                            expected.id = value.change();
                            if handle.index() % 5 != u32::from(number % 5) {
                                continue;
                            }
                            *next_id += 1;
                            let child = Tracked::new(*next_id);
                            match alloc::resume(|| job.spawner.try_spawn(child)) {
                                Ok(child) => spawned.push((child, *next_id)),
                                Err(back) if back.is_out_of_memory() || spawns == SPAWNS => drop(back),
                                Err(_) => return Err(format!("spawn {spawns} was returned")),
                            }
                            spawns = (spawns + 1).min(SPAWNS);
                            if number % 3 == 0 {
                                alloc::resume(|| job.spawner.despawn(handle));
                                expected.dying = true;
                            }
                        }
                    }
                    Ok(())
                })
            })
        })?;
        ensure(visited == committed(&self.alive), || format!("{visited} were visited"))?;
        spawned.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    fn sweep(&mut self) -> Result<(), String> {
        let despawned = alloc::resume(|| self.home.sweep().len());
        let right = self.sweep_model();
        ensure(despawned == right, || format!("{despawned} were despawned, expected {right}"))
    }

    fn commit(&mut self) -> Result<(), String> {
        alloc::resume(|| _ = self.home.commit());
        // After a panic they are staged as before.
        let staged = std::mem::take(&mut self.staged);
        self.commit_model(staged, false)
    }

    /// Commits the entities in the model, and compares them with the last commit of the world. If
    /// the world is `drained`, they may be removed again.
    pub(super) fn commit_model(&mut self, staged: Vec<(u32, Ticket)>, drained: bool) -> Result<(), String> {
        let uncommitted = self.alive.values_mut().filter(|expected| !expected.committed);
        let spawned = uncommitted.map(|expected| expected.committed = true).count();
        self.spawned += spawned;
        let commit = self.home.last_commit();
        let (count, right) = (commit.spawned().len(), spawned + staged.len());
        ensure(count == right, || format!("{count} were spawned, expected {right}"))?;
        let staged: Vec<_> = staged.into_iter().map(|(id, ticket)| (commit.handle(ticket), id)).collect();
        for (handle, id) in staged {
            let handle = handle.ok_or("a ticket has no handle")?;
            match self.home.id_of(handle) {
                None if drained => self.note_as(handle, id, true, EntityId::new(u64::MAX))?,
                entity => self.note_as(handle, id, true, entity)?,
            }
        }
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), String> {
        let report = alloc::resume(|| self.home.end_frame());
        self.end_of_frame(report)
    }

    pub(super) fn end_of_frame(&mut self, report: FrameReport) -> Result<(), String> {
        self.sweep_model();
        let staged = std::mem::take(&mut self.staged);
        self.commit_model(staged, false)?;
        let right = (std::mem::take(&mut self.spawned), std::mem::take(&mut self.despawned));
        let counted = std::mem::replace(&mut self.counts, true);
        ensure(!counted || (report.spawned, report.despawned) == right, || format!("{report:?}, expected {right:?}"))
    }

    fn clear(&mut self, permanent_too: bool) -> Result<(), String> {
        self.staged.clear();
        let home = &mut self.home;
        let despawned = alloc::resume(|| if permanent_too { home.clear_all() } else { home.clear_temporary() });
        let before = self.alive.len();
        self.alive.retain(|_, expected| expected.permanent && !permanent_too && !expected.dying);
        self.despawned += before - self.alive.len();
        ensure(despawned == before - self.alive.len(), || format!("{despawned} were despawned"))?;
        self.pending_after_clear()
    }
}
