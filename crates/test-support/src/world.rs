//! Worlds: random frames with splits, jobs and staged entities, compared with a model of the
//! entities.

mod at_once;
mod forged;
mod halves;
mod subject;

use std::collections::{BTreeMap, BTreeSet};

pub use self::forged::every_forgery;
pub use self::subject::WorldSubject;

use self::halves::InSplit;

use tenure::world::{FrameReport, Ticket};
use tenure::{EntityId, Handle, Layout, Status, World};

use crate::saved::{self, Format};
use crate::tracked::{Tracked, changed};
use crate::{alloc, fuse, ledger, quiet};

/// Operations of a world. Numbers pick one of the handles that were issued last, or vary what a
/// loop does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldOp {
    /// `spawn`.
    Spawn,
    /// `spawn_with`: the closure gets the handle, and spawns a child.
    SpawnWith,
    /// `stage`.
    Stage,
    /// `despawn`.
    Despawn(u8),
    /// `make_permanent`.
    Permanent(u8),
    /// `reserve_handle`.
    ReserveHandle,
    /// `fill`.
    Fill(u8),
    /// `insert_at`.
    InsertAt(u8),
    /// `take`.
    Take(u8),
    /// `discard`.
    Discard(u8),
    /// `retain`, by id.
    Retain(u8),
    /// `drain` of a few entities. The drain is then dropped or forgotten.
    Drain(u8),
    /// A split: mutates all entities, spawns some and despawns some.
    Split(u8),
    /// The same in `frame`.
    Frame(u8),
    /// The same in `Live::for_each_mut`, which compares all handles with `Others`.
    ForEachMut(u8),
    /// `Live::remove`.
    LiveRemove(u8),
    /// `Live::get_disjoint_mut`.
    LiveDisjoint(u8),
    /// `Live::borrow_many`.
    LiveLoans(u8),
    /// `Spawner::spawn_mut`, twice.
    SpawnMut,
    /// `Spawner::spawn_with`: the closure gets the handle, and spawns a child.
    SpawnerWith,
    /// The same in jobs.
    Jobs(u8),
    /// `sweep`.
    Sweep,
    /// `sweep_with`.
    SweepWith,
    /// `commit`.
    Commit,
    /// `end_frame`.
    EndFrame,
    /// `clear_temporary`.
    ClearTemporary,
    /// `clear_all`.
    ClearAll,
    /// The world is replaced by a clone, or by another one into which it was cloned.
    Copy(bool),
}

impl WorldOp {
    /// Every code is an operation.
    #[must_use]
    pub fn decode(code: [u8; 2]) -> Self {
        let [kind, pick] = code;
        match kind % 46 {
            0..=6 => Self::Spawn,
            7 => Self::SpawnWith,
            8 | 9 => Self::Stage,
            10..=14 => Self::Despawn(pick),
            15 => Self::Permanent(pick),
            16 | 17 => Self::Split(pick),
            18 | 19 => Self::Jobs(pick),
            20 => Self::Sweep,
            21 => Self::Commit,
            22..=26 => Self::EndFrame,
            27 => Self::Copy(pick % 2 == 0),
            28 if pick % 4 == 0 => Self::ClearAll,
            28 => Self::ClearTemporary,
            29 => Self::ReserveHandle,
            30 | 31 => Self::Fill(pick),
            32 | 33 => Self::InsertAt(pick),
            34 | 35 => Self::Take(pick),
            36 => Self::Discard(pick),
            37 if pick % 4 == 0 => Self::Drain(pick / 4),
            37 => Self::Retain(pick),
            38 => Self::Frame(pick),
            39 => Self::ForEachMut(pick),
            40 => Self::LiveRemove(pick),
            41 => Self::LiveDisjoint(pick),
            42 => Self::LiveLoans(pick),
            43 => Self::SpawnMut,
            44 => Self::SpawnerWith,
            _ => Self::SweepWith,
        }
    }
}

/// The number of spawns that each job declares.
const SPAWNS: usize = 3;

/// The expected state of an entity.
#[derive(Clone, Debug)]
struct Expected {
    id: u32,
    committed: bool,
    dying: bool,
    permanent: bool,
    entity: EntityId,
}

/// A world, and the entities that it must have.
struct Frames<L: Layout> {
    world: World<Tracked, Handle<Tracked, L>>,
    alive: BTreeMap<Handle<Tracked, L>, Expected>,
    staged: Vec<(u32, Ticket)>,
    pending: BTreeSet<Handle<Tracked, L>>,
    issued: Vec<Handle<Tracked, L>>,
    entities: BTreeSet<EntityId>,
    next_id: u32,
    /// The numbers of entities that were committed and removed in this frame.
    spawned: usize,
    despawned: usize,
    /// Whether these numbers are known: after an injected fault they are not.
    counts: bool,
    /// The saved world after every step, and the format from which it is reloaded, if any.
    trace: Option<Vec<String>>,
    format: Option<Format>,
}

/// Runs a history.
///
/// # Errors
///
/// The fault, and its operation.
pub fn run<L: Layout>(ops: &[WorldOp]) -> Result<(), String> {
    ledger::reset();
    let mut frames = Frames::<L>::new();
    frames.run(ops)?;
    drop(frames);
    ledger::expect(0)
}

/// Runs a history twice, the second time saving and loading after every step: the results must be
/// the same (P9).
///
/// # Errors
///
/// The fault, and its operation.
pub fn run_reloaded<L: Layout>(ops: &[WorldOp], format: Format) -> Result<(), String> {
    let plain = traced::<L>(ops, None)?;
    let reloaded = traced::<L>(ops, Some(format))?;
    match plain.iter().zip(&reloaded).position(|(one, other)| one != other) {
        Some(step) => Err(format!("step {step}: {} is {}", plain[step], reloaded[step])),
        None => Ok(()),
    }
}

/// Runs a history. Returns the saved world after every step.
fn traced<L: Layout>(ops: &[WorldOp], format: Option<Format>) -> Result<Vec<String>, String> {
    ledger::reset();
    let mut frames = Frames::<L> { format, trace: Some(Vec::new()), ..Frames::new() };
    frames.run(ops)?;
    Ok(frames.trace.unwrap_or_default())
}

/// For fuzz targets: bytes are a history.
///
/// # Panics
///
/// If there is a fault.
pub fn fuzz<L: Layout>(bytes: &[u8]) {
    let ops: Vec<_> = bytes.chunks_exact(2).map(|code| WorldOp::decode([code[0], code[1]])).collect();
    if let Err(error) = run::<L>(&ops) {
        panic!("{error}\n{ops:#?}");
    }
}

/// Operations that must still work after a fault was injected.
const AFTERWARDS: [WorldOp; 8] = [
    WorldOp::Spawn,
    WorldOp::Split(0),
    WorldOp::Stage,
    WorldOp::Jobs(0),
    WorldOp::EndFrame,
    WorldOp::Despawn(1),
    WorldOp::EndFrame,
    WorldOp::ClearAll,
];

/// Runs `setup`, and then `op` with a panic at each call of user code in turn. Returns the number
/// of panics.
///
/// # Errors
///
/// The fault, and the panic that caused it.
pub fn every_panic<L: Layout>(setup: &[WorldOp], op: WorldOp) -> Result<u32, String> {
    for call in 0.. {
        ledger::reset();
        let mut frames = Frames::<L>::new();
        frames.run(setup)?;
        fuse::arm(call);
        let result = quiet::catch(|| frames.apply(op));
        if !fuse::disarm() {
            return result?.map(|()| call);
        }
        frames.go_on().map_err(|error| format!("{op:?} with a panic at call {call}: {error}"))?;
    }
    unreachable!("an operation makes a finite number of calls")
}

/// Runs `setup`, then `op` with its first request for memory refused; then all again with the
/// second one refused, and so on. Returns the number of refusals. Needs the [watched
/// allocator](crate::alloc).
///
/// # Errors
///
/// The fault, and the refusal that caused it.
pub fn every_refusal<L: Layout>(setup: &[WorldOp], op: WorldOp) -> Result<u64, String> {
    if !alloc::is_watched() {
        return Err("the watched allocator is not installed".into());
    }
    quiet::install();
    for nth in 0.. {
        ledger::reset();
        let mut frames = Frames::<L>::new();
        frames.run(setup)?;
        let apply = || alloc::refuse_nth(nth, || quiet::catch(|| alloc::pause(|| frames.apply(op))));
        let (result, asked) = alloc::count(apply);
        let at = |error: String| format!("{op:?} with request {nth} refused: {error}");
        match result {
            // It succeeded without the memory, or returned an error.
            Ok(result) => result.and_then(|()| frames.check()).map_err(at)?,
            Err(message) if message.contains("memory") => {}
            Err(message) => return Err(at(format!("panicked: {message}"))),
        }
        frames.go_on().map_err(at)?;
        if asked <= nth {
            return Ok(nth);
        }
    }
    unreachable!("an operation makes a finite number of requests")
}

fn ensure(is_right: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(what()) }
}

impl<L: Layout> Frames<L> {
    fn new() -> Self {
        Self {
            world: World::EMPTY,
            alive: BTreeMap::new(),
            staged: Vec::new(),
            pending: BTreeSet::new(),
            issued: Vec::new(),
            entities: BTreeSet::new(),
            next_id: 0,
            spawned: 0,
            despawned: 0,
            counts: true,
            trace: None,
            format: None,
        }
    }

    fn save_and_load(&mut self) -> Result<(), String> {
        if let Some(trace) = &mut self.trace {
            trace.push(saved::to_json(&self.world)?);
        }
        if let Some(format) = self.format {
            self.world = saved::reload(&self.world, format)?;
            self.check()?;
        }
        Ok(())
    }

    fn run(&mut self, ops: &[WorldOp]) -> Result<(), String> {
        for (step, &op) in ops.iter().enumerate() {
            self.apply(op)
                .and_then(|()| self.check())
                .and_then(|()| self.save_and_load())
                .map_err(|error| format!("step {step}, {op:?}: {error}"))?;
        }
        Ok(())
    }

    fn new_value(&mut self) -> Tracked {
        self.next_id += 1;
        Tracked::new(self.next_id)
    }

    /// Adds a new entity to the model.
    fn note(&mut self, handle: Handle<Tracked, L>, id: u32, committed: bool) -> Result<(), String> {
        self.note_as(handle, id, committed, self.world.id_of(handle))
    }

    fn note_as(
        &mut self,
        handle: Handle<Tracked, L>,
        id: u32,
        committed: bool,
        entity: Option<EntityId>,
    ) -> Result<(), String> {
        let entity = entity.ok_or_else(|| format!("{handle} has no id"))?;
        let is_new = self.entities.insert(entity) || entity.get() == u64::MAX;
        ensure(is_new, || format!("{entity} was used before"))?;
        if !self.issued.contains(&handle) {
            self.issued.push(handle);
        }
        self.spawned += usize::from(committed);
        let older = self.alive.insert(handle, Expected { id, committed, dying: false, permanent: false, entity });
        ensure(older.is_none(), || format!("{handle} was issued twice"))
    }

    /// Picks one of the newest handles.
    fn pick(&self, number: u8) -> Handle<Tracked, L> {
        let count = self.issued.len().clamp(1, 40);
        self.issued.iter().rev().nth(usize::from(number) % count).copied().unwrap_or_default()
    }

    fn apply(&mut self, op: WorldOp) -> Result<(), String> {
        match op {
            WorldOp::Spawn => self.spawn(),
            WorldOp::SpawnWith => self.spawn_with(),
            WorldOp::Stage => self.stage(),
            WorldOp::Despawn(pick) => self.despawn(self.pick(pick)),
            WorldOp::Permanent(pick) => self.make_permanent(self.pick(pick)),
            WorldOp::ReserveHandle => self.reserve_handle(),
            WorldOp::Fill(pick) => self.fill(self.pick(pick)),
            WorldOp::InsertAt(pick) => self.insert_at(self.pick(pick)),
            WorldOp::Take(pick) => self.take(self.pick(pick)),
            WorldOp::Discard(pick) => self.discard(self.pick(pick)),
            WorldOp::Retain(number) => self.retain(number),
            WorldOp::Drain(number) => self.drain(number),
            WorldOp::Split(number) => self.in_split(InSplit::Mutate(number)),
            WorldOp::Frame(number) => self.frame(number),
            WorldOp::ForEachMut(number) => self.in_split(InSplit::ForEach(number)),
            WorldOp::LiveRemove(pick) => self.live_remove(self.pick(pick)),
            WorldOp::LiveDisjoint(pick) => self.in_split(InSplit::Disjoint(pick)),
            WorldOp::LiveLoans(pick) => self.in_split(InSplit::Loans(pick)),
            WorldOp::SpawnMut => self.in_split(InSplit::SpawnMut),
            WorldOp::SpawnerWith => self.in_split(InSplit::SpawnWith),
            WorldOp::Jobs(number) => self.jobs(number),
            WorldOp::Sweep => self.sweep(),
            WorldOp::SweepWith => self.sweep_with(),
            WorldOp::Commit => self.commit(),
            WorldOp::EndFrame => self.end_frame(),
            WorldOp::ClearTemporary => self.clear(false),
            WorldOp::ClearAll => self.clear(true),
            WorldOp::Copy(fresh) => {
                self.copy(fresh);
                Ok(())
            }
        }
    }

    fn copy(&mut self, fresh: bool) {
        let mut copy = self.world.clone();
        if !fresh {
            // At another point of its history, so that `clone_from` overwrites something.
            copy.end_frame();
            copy.clone_from(&self.world);
        }
        self.world = copy;
    }

    fn spawn(&mut self) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.world.try_spawn(value)) {
            Ok(handle) => self.note(handle, id, false),
            Err(full) => ensure(full.into_inner().id() == id, || "another value was returned".into()),
        }
    }

    fn spawn_with(&mut self) -> Result<(), String> {
        let (parent, child) = (self.new_value(), self.new_value());
        let ids = (parent.id(), child.id());
        let mut handles = (Handle::NIL, Handle::NIL);
        let world = &self.world;
        let parent_is = alloc::resume(|| {
            world.spawn_with(|me| {
                handles = (me, world.spawn(child));
                parent
            })
        });
        ensure(parent_is == handles.0, || "the closure got another handle than was returned".into())?;
        self.note(handles.1, ids.1, false)?;
        self.note(handles.0, ids.0, false)
    }

    fn stage(&mut self) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.world.try_stage(value)) {
            Ok(ticket) => self.staged.push((id, ticket)),
            Err(full) => ensure(full.into_inner().id() == id, || "another value was returned".into())?,
        }
        Ok(())
    }

    fn despawn(&mut self, handle: Handle<Tracked, L>) -> Result<(), String> {
        let status = alloc::resume(|| self.world.despawn(handle));
        let right = match self.alive.get_mut(&handle) {
            Some(expected) if expected.dying => status == Status::Dying,
            Some(expected) => {
                expected.dying = true;
                status == if expected.committed { Status::Live } else { Status::Spawned }
            }
            None if self.pending.contains(&handle) => status == Status::Pending,
            None => !matches!(status, Status::Live | Status::Dying | Status::Spawned | Status::Pending),
        };
        ensure(right, || format!("{handle} was {status:?}"))
    }

    fn make_permanent(&mut self, handle: Handle<Tracked, L>) -> Result<(), String> {
        let is_alive = self.world.make_permanent(handle);
        self.alive.entry(handle).and_modify(|expected| expected.permanent = true);
        ensure(is_alive == self.alive.contains_key(&handle), || format!("{handle}: {is_alive}"))
    }

    fn jobs(&mut self, number: u8) -> Result<(), String> {
        let mut spawned = Vec::new();
        let mut visited = 0;
        let Self { world, alive, next_id, .. } = self;
        alloc::resume(|| {
            world.with_jobs(64, SPAWNS, |jobs| {
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
        let despawned = alloc::resume(|| self.world.sweep().len());
        let right = self.sweep_model();
        ensure(despawned == right, || format!("{despawned} were despawned, expected {right}"))
    }

    /// Removes dying entities from the model. Returns their number.
    fn sweep_model(&mut self) -> usize {
        let before = self.alive.len();
        self.alive.retain(|_, expected| !expected.dying);
        self.despawned += before - self.alive.len();
        before - self.alive.len()
    }

    fn commit(&mut self) -> Result<(), String> {
        alloc::resume(|| _ = self.world.commit());
        // After a panic they are staged as before.
        let staged = std::mem::take(&mut self.staged);
        self.commit_model(staged, false)
    }

    /// Commits the entities in the model, and compares them with the last commit of the world. If
    /// the world is `drained`, they may be removed again.
    fn commit_model(&mut self, staged: Vec<(u32, Ticket)>, drained: bool) -> Result<(), String> {
        let uncommitted = self.alive.values_mut().filter(|expected| !expected.committed);
        let spawned = uncommitted.map(|expected| expected.committed = true).count();
        self.spawned += spawned;
        let commit = self.world.last_commit();
        let (count, right) = (commit.spawned().len(), spawned + staged.len());
        ensure(count == right, || format!("{count} were spawned, expected {right}"))?;
        let staged: Vec<_> = staged.into_iter().map(|(id, ticket)| (commit.handle(ticket), id)).collect();
        for (handle, id) in staged {
            let handle = handle.ok_or("a ticket has no handle")?;
            match self.world.id_of(handle) {
                None if drained => self.note_as(handle, id, true, EntityId::new(u64::MAX))?,
                entity => self.note_as(handle, id, true, entity)?,
            }
        }
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), String> {
        let report = alloc::resume(|| self.world.end_frame());
        self.end_of_frame(report)
    }

    fn end_of_frame(&mut self, report: FrameReport) -> Result<(), String> {
        self.sweep_model();
        let staged = std::mem::take(&mut self.staged);
        self.commit_model(staged, false)?;
        let right = (std::mem::take(&mut self.spawned), std::mem::take(&mut self.despawned));
        let counted = std::mem::replace(&mut self.counts, true);
        ensure(!counted || (report.spawned, report.despawned) == right, || format!("{report:?}, expected {right:?}"))
    }

    fn clear(&mut self, permanent_too: bool) -> Result<(), String> {
        self.staged.clear();
        let world = &mut self.world;
        let despawned = alloc::resume(|| if permanent_too { world.clear_all() } else { world.clear_temporary() });
        let before = self.alive.len();
        self.alive.retain(|_, expected| expected.permanent && !permanent_too && !expected.dying);
        self.despawned += before - self.alive.len();
        ensure(despawned == before - self.alive.len(), || format!("{despawned} were despawned"))?;
        self.pending_after_clear()
    }

    fn check(&mut self) -> Result<(), String> {
        for &handle in &self.issued {
            let expected = self.alive.get(&handle);
            let found = self.world.get(handle).map(Tracked::id);
            ensure(found == expected.map(|expected| expected.id), || {
                format!("{handle} resolves to {found:?}, not to {expected:?}")
            })?;
            ensure(self.world.id_of(handle) == expected.map(|expected| expected.entity), || {
                format!("{handle}: another id")
            })?;
            let permanent = expected.is_some_and(|expected| expected.permanent);
            ensure(self.world.is_permanent(handle) == permanent, || {
                format!("{handle}: `is_permanent` should be {permanent}")
            })?;
        }
        let right = self.alive.iter().filter(|(_, expected)| expected.committed).map(|(&handle, _)| handle);
        ensure(self.world.handles().eq(right), || "iteration does not visit exactly the committed entities".into())?;
        ensure(self.world.pending_handles().eq(self.pending.iter().copied()), || {
            format!("the pending handles are not {:?}", self.pending)
        })?;
        for (&handle, expected) in &self.alive {
            ensure(self.world.by_id(expected.entity) == Some(handle), || {
                format!("{} is another entity", expected.entity)
            })?;
        }
        self.is_sound()
    }

    fn is_sound(&mut self) -> Result<(), String> {
        self.world.validate().map_err(|fault| format!("broken inside: {fault}"))?;
        ledger::expect(self.world.iter_all().count() + self.staged.len())
    }

    /// After an injected fault the entities are read from the world: they must be those of before,
    /// possibly fewer, or new ones. Then the history continues.
    fn go_on(&mut self) -> Result<(), String> {
        self.is_sound()?;
        let mut alive = BTreeMap::new();
        for (handle, value) in self.world.iter_all() {
            let entity = self.world.id_of(handle).ok_or_else(|| format!("{handle} has no id"))?;
            let status = self.world.status(handle);
            let id = value.id();
            if let Some(expected) = self.alive.get(&handle) {
                ensure(expected.entity == entity, || format!("{handle} has another id"))?;
                ensure(expected.id == id || expected.id == changed(id), || format!("{handle} resolves to {id}"))?;
            } else {
                ensure(!self.issued.contains(&handle), || format!("{handle} was issued again"))?;
                ensure(self.entities.insert(entity), || format!("{entity} was issued again"))?;
                self.issued.push(handle);
            }
            let committed = self.world.handles().any(|other| other == handle);
            let permanent = self.world.is_permanent(handle);
            alive.insert(handle, Expected { id, committed, dying: status == Status::Dying, permanent, entity });
        }
        self.alive = alive;
        self.pending = self.world.pending_handles().collect();
        let stranger = self.pending.iter().find(|handle| !self.issued.contains(handle));
        ensure(stranger.is_none(), || format!("{stranger:?} is pending, and was not issued before"))?;
        self.counts = false;
        self.check()?;
        self.run(&AFTERWARDS)
    }
}

fn committed<L: Layout>(alive: &BTreeMap<Handle<Tracked, L>, Expected>) -> usize {
    alive.values().filter(|expected| expected.committed).count()
}
