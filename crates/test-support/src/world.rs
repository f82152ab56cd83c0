//! Worlds: random frames with splits, jobs and staged entities, compared with a model of the
//! entities. Also splits of stable pools, which have the same halves.

mod at_once;
mod forged;
mod frames;
mod halves;
mod home;
mod mid_frame;
mod subject;

use std::collections::{BTreeMap, BTreeSet};

pub use self::forged::every_forgery;
pub use self::home::{HandleOf, Home, Split, TrackedPool, TrackedWorld};
pub use self::subject::WorldSubject;

use self::halves::{Halves, InSplit};

use tenure::world::Ticket;
use tenure::{EntityId, Handle, Layout, Status};

use crate::saved::{self, Format};
use crate::tracked::{Tracked, changed};
use crate::{alloc, fuse, ledger, quiet};

/// Operations of a world. Numbers pick one of the handles that were issued last, or vary what is
/// done. A stable pool skips those that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldOp {
    /// `spawn`.
    Spawn,
    /// `spawn_with`, `try_spawn_with` or `spawn_with_result`: the closure gets the handle, and
    /// spawns a child.
    SpawnWith(u8),
    /// `extend`.
    Extend(u8),
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
    /// Like `SpawnWith`, in a `Spawner`.
    SpawnerWith(u8),
    /// All lookups of a `Live`, and its iterators.
    LiveLook(u8),
    /// `get_disjoint_mut`.
    Disjoint(u8),
    /// `borrow_many`.
    Loans(u8),
    /// `clear_stale`.
    ClearStale,
    /// `==`, with a clone, and with one that was changed.
    Compare,
    /// `reserve`, `shrink_to` and the like. As many entities as there was room reserved for are
    /// spawned without memory.
    Room(u8),
    /// `recycle_retired`.
    Recycle,
    /// `release_pending`.
    ReleasePending,
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
        match kind % 54 {
            0..=6 => Self::Spawn,
            7 => Self::SpawnWith(pick),
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
            44 => Self::SpawnerWith(pick),
            45 => Self::SweepWith,
            46 => Self::LiveLook(pick),
            47 => Self::Disjoint(pick),
            48 => Self::Loans(pick),
            49 => Self::Room(pick),
            50 => Self::Extend(pick),
            51 if pick % 2 == 0 => Self::Compare,
            51 => Self::ClearStale,
            52 => Self::Recycle,
            _ if pick % 4 == 0 => Self::ReleasePending,
            _ => Self::Room(pick),
        }
    }
}

/// The number of spawns that each job declares.
const SPAWNS: usize = 3;

type Name<L> = Handle<Tracked, L>;

/// The expected state of an entity.
#[derive(Clone, Debug)]
struct Expected {
    id: u32,
    committed: bool,
    dying: bool,
    permanent: bool,
    /// `None` in a stable pool.
    entity: Option<EntityId>,
}

/// A world (or a stable pool), and the entities that it must have.
#[derive(Debug)]
pub struct Frames<C: Home> {
    home: C,
    alive: BTreeMap<Name<C::Layout>, Expected>,
    staged: Vec<(u32, Ticket)>,
    pending: BTreeSet<Name<C::Layout>>,
    /// Every handle that was issued, except those of slots that were recycled or cut.
    issued: Vec<Name<C::Layout>>,
    /// The handles of slots that were cut. They must not resolve, and must not be issued again.
    cut: Vec<Name<C::Layout>>,
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
pub fn run<C: Home>(ops: &[WorldOp]) -> Result<(), String> {
    ledger::reset();
    let mut frames = Frames::<C>::new();
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
pub fn run_reloaded<C: Home>(ops: &[WorldOp], format: Format) -> Result<(), String> {
    let plain = traced::<C>(ops, None)?;
    let reloaded = traced::<C>(ops, Some(format))?;
    match plain.iter().zip(&reloaded).position(|(one, other)| one != other) {
        Some(step) => Err(format!("step {step}: {} is {}", plain[step], reloaded[step])),
        None => Ok(()),
    }
}

/// Runs a history. Returns the saved world after every step.
fn traced<C: Home>(ops: &[WorldOp], format: Option<Format>) -> Result<Vec<String>, String> {
    ledger::reset();
    let mut frames = Frames::<C> { format, trace: Some(Vec::new()), ..Frames::new() };
    frames.run(ops)?;
    Ok(frames.trace.unwrap_or_default())
}

/// For fuzz targets: bytes are a history.
///
/// # Panics
///
/// If there is a fault.
pub fn fuzz<C: Home>(bytes: &[u8]) {
    let ops: Vec<_> = bytes.chunks_exact(2).map(|code| WorldOp::decode([code[0], code[1]])).collect();
    if let Err(error) = run::<C>(&ops) {
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
pub fn every_panic<C: Home>(setup: &[WorldOp], op: WorldOp) -> Result<u32, String> {
    for call in 0.. {
        ledger::reset();
        let mut frames = Frames::<C>::new();
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
pub fn every_refusal<C: Home>(setup: &[WorldOp], op: WorldOp) -> Result<u64, String> {
    if !alloc::is_watched() {
        return Err("the watched allocator is not installed".into());
    }
    quiet::install();
    for nth in 0.. {
        ledger::reset();
        let mut frames = Frames::<C>::new();
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

impl<C: Home> Frames<C> {
    fn new() -> Self {
        Self {
            home: C::empty(),
            alive: BTreeMap::new(),
            staged: Vec::new(),
            pending: BTreeSet::new(),
            issued: Vec::new(),
            cut: Vec::new(),
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
            trace.push(saved::to_json(&self.home)?);
        }
        if let Some(format) = self.format {
            self.home = saved::reload(&self.home, format)?;
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
    fn note(&mut self, handle: Name<C::Layout>, id: u32, committed: bool) -> Result<(), String> {
        let entity = self.home.id_of(handle);
        ensure(entity.is_some() == C::HAS_FRAMES, || format!("{handle} has no id"))?;
        self.note_as(handle, id, committed, entity)
    }

    fn note_as(
        &mut self,
        handle: Name<C::Layout>,
        id: u32,
        committed: bool,
        entity: Option<EntityId>,
    ) -> Result<(), String> {
        let is_new = entity.is_none_or(|entity| self.entities.insert(entity) || entity.get() == u64::MAX);
        ensure(is_new, || format!("{entity:?} was used before"))?;
        ensure(!self.cut.contains(&handle), || format!("{handle} was issued again, after its slot was cut"))?;
        if !self.issued.contains(&handle) {
            self.issued.push(handle);
        }
        self.spawned += usize::from(committed);
        let older = self.alive.insert(handle, Expected { id, committed, dying: false, permanent: false, entity });
        ensure(older.is_none(), || format!("{handle} was issued twice"))
    }

    /// Picks three handles, some of which may be equal.
    fn three(&self, pick: u8) -> [Name<C::Layout>; 3] {
        [pick, pick.wrapping_add(1), pick / 3].map(|pick| self.pick(pick))
    }

    /// The container, and the parts of the model that a split needs while the container is
    /// borrowed.
    fn halves(&mut self) -> (&mut C, Halves<'_, C::Layout>) {
        let Self { home, alive, pending, issued, next_id, .. } = self;
        (home, Halves { alive, pending, issued, next_id, spawned: Vec::new() })
    }

    /// Picks one of the newest handles.
    fn pick(&self, number: u8) -> Name<C::Layout> {
        let count = self.issued.len().clamp(1, 40);
        self.issued.iter().rev().nth(usize::from(number) % count).copied().unwrap_or_default()
    }

    fn apply(&mut self, op: WorldOp) -> Result<(), String> {
        match op {
            WorldOp::Spawn => self.spawn(),
            WorldOp::ReserveHandle => self.reserve_handle(),
            WorldOp::Fill(pick) => self.fill(self.pick(pick)),
            WorldOp::InsertAt(pick) => self.insert_at(self.pick(pick)),
            WorldOp::Take(pick) => self.take(self.pick(pick)),
            WorldOp::Discard(pick) => self.discard(self.pick(pick)),
            WorldOp::Split(number) => self.in_split(InSplit::Mutate(number)),
            WorldOp::ForEachMut(number) => self.in_split(InSplit::ForEach(number)),
            WorldOp::LiveRemove(pick) => self.live_remove(self.pick(pick)),
            WorldOp::LiveDisjoint(pick) => self.in_split(InSplit::Disjoint(pick)),
            WorldOp::LiveLoans(pick) => self.in_split(InSplit::Loans(pick)),
            WorldOp::LiveLook(pick) => self.in_split(InSplit::Look(pick)),
            WorldOp::SpawnMut => self.in_split(InSplit::SpawnMut),
            WorldOp::SpawnerWith(how) => self.in_split(InSplit::SpawnWith(how)),
            WorldOp::Compare => self.compare(),
            WorldOp::Copy(fresh) => {
                self.copy(fresh);
                Ok(())
            }
            op => C::apply(self, op),
        }?;
        if !C::HAS_FRAMES {
            self.sweep_model();
            self.alive.values_mut().for_each(|expected| expected.committed = true);
        }
        Ok(())
    }

    fn copy(&mut self, fresh: bool) {
        let mut copy = self.home.clone();
        if !fresh {
            // At another point of its history, so that `clone_from` overwrites something.
            copy.change();
            copy.clone_from(&self.home);
        }
        self.home = copy;
    }

    /// A clone is equal, until it is changed.
    fn compare(&self) -> Result<(), String> {
        let mut copy = self.home.clone();
        ensure(copy == self.home, || format!("a clone is not equal: {copy:?}"))?;
        copy.change();
        ensure(copy != self.home || self.alive.is_empty(), || format!("it is equal to another one: {copy:?}"))
    }

    fn spawn(&mut self) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.home.try_spawn(value)) {
            Ok(handle) => self.note(handle, id, false),
            Err(full) => ensure(full.into_inner().id() == id, || "another value was returned".into()),
        }
    }

    /// Removes dying entities from the model. Returns their number.
    fn sweep_model(&mut self) -> usize {
        let before = self.alive.len();
        self.alive.retain(|_, expected| !expected.dying);
        self.despawned += before - self.alive.len();
        before - self.alive.len()
    }

    fn check(&mut self) -> Result<(), String> {
        for &handle in &self.issued {
            let expected = self.alive.get(&handle);
            let found = self.home.get(handle).map(Tracked::id);
            ensure(found == expected.map(|expected| expected.id), || {
                format!("{handle} resolves to {found:?}, not to {expected:?}")
            })?;
            let status = self.home.status(handle);
            ensure(self.is_right_status(handle, status), || format!("{handle} is {status:?}, not {expected:?}"))?;
            ensure(self.home.id_of(handle) == expected.and_then(|expected| expected.entity), || {
                format!("{handle}: another id")
            })?;
            let permanent = expected.is_some_and(|expected| expected.permanent);
            ensure(self.home.is_permanent(handle) == permanent, || {
                format!("{handle}: `is_permanent` should be {permanent}")
            })?;
        }
        let found = self.cut.iter().find(|&&handle| self.home.get(handle).is_some());
        ensure(found.is_none(), || format!("{found:?} resolves, and its slot was cut"))?;
        let right = self.alive.iter().filter(|(_, expected)| expected.committed).map(|(&handle, _)| handle);
        ensure(self.home.committed().into_iter().eq(right), || {
            "iteration does not visit exactly the committed entities".into()
        })?;
        ensure(self.home.pending().iter().eq(&self.pending), || {
            format!("the pending handles are not {:?}", self.pending)
        })?;
        for (&handle, expected) in &self.alive {
            if let Some(entity) = expected.entity {
                ensure(self.home.by_id(entity) == Some(handle), || format!("{entity} is another entity"))?;
            }
        }
        self.is_sound()
    }

    /// Returns `true` if the model allows this status.
    fn is_right_status(&self, handle: Name<C::Layout>, status: Status) -> bool {
        right_status(&self.alive, &self.pending, handle).map_or(is_gone(status), |right| status == right)
    }

    fn is_sound(&mut self) -> Result<(), String> {
        self.home.validate().map_err(|fault| format!("broken inside: {fault}"))?;
        ledger::expect(self.home.all().len() + self.staged.len())
    }

    /// After an injected fault the entities are read from the world: they must be those of before,
    /// possibly fewer, or new ones. Then the history continues.
    fn go_on(&mut self) -> Result<(), String> {
        self.home.settle();
        self.is_sound()?;
        let mut alive = BTreeMap::new();
        let committed = self.home.committed();
        for (handle, id) in self.home.all() {
            let entity = self.home.id_of(handle);
            ensure(entity.is_some() == C::HAS_FRAMES, || format!("{handle} has no id"))?;
            let status = self.home.status(handle);
            if let Some(expected) = self.alive.get(&handle) {
                ensure(expected.entity == entity, || format!("{handle} has another id"))?;
                ensure(expected.id == id || expected.id == changed(id), || format!("{handle} resolves to {id}"))?;
            } else {
                ensure(!self.issued.contains(&handle), || format!("{handle} was issued again"))?;
                let is_new = entity.is_none_or(|entity| self.entities.insert(entity));
                ensure(is_new, || format!("{entity:?} was issued again"))?;
                self.issued.push(handle);
            }
            let committed = committed.contains(&handle);
            let permanent = self.home.is_permanent(handle);
            alive.insert(handle, Expected { id, committed, dying: status == Status::Dying, permanent, entity });
        }
        self.alive = alive;
        self.pending = self.home.pending().into_iter().collect();
        let stranger = self.pending.iter().find(|handle| !self.issued.contains(handle));
        ensure(stranger.is_none(), || format!("{stranger:?} is pending, and was not issued before"))?;
        self.counts = false;
        self.check()?;
        self.run(&AFTERWARDS)
    }
}

/// The status of a handle that is live or pending. `None` if it is neither.
fn right_status<L: Layout>(
    alive: &BTreeMap<Name<L>, Expected>,
    pending: &BTreeSet<Name<L>>,
    handle: Name<L>,
) -> Option<Status> {
    match alive.get(&handle) {
        Some(expected) if expected.dying => Some(Status::Dying),
        Some(expected) if expected.committed => Some(Status::Live),
        Some(_) => Some(Status::Spawned),
        None => pending.contains(&handle).then_some(Status::Pending),
    }
}

/// Returns `true` for the status of a handle that neither resolves nor is pending.
fn is_gone(status: Status) -> bool {
    !status.resolves() && status != Status::Pending
}

fn committed<L: Layout>(alive: &BTreeMap<Name<L>, Expected>) -> usize {
    alive.values().filter(|expected| expected.committed).count()
}
