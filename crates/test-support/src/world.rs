//! Worlds: random frames with splits, jobs and staged entities, against a model that knows who is
//! alive.

mod subject;

use std::collections::{BTreeMap, BTreeSet};

pub use self::subject::WorldSubject;

use tenure::world::Ticket;
use tenure::{EntityId, Handle, Layout, Status, World};

use crate::saved::{self, Format};
use crate::tracked::{Tracked, changed};
use crate::{alloc, fuse, ledger, quiet};

/// What can happen in a world. Numbers pick one of the handles that were issued last, or what is
/// done in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldOp {
    /// Somebody is born, with a handle at once.
    Spawn,
    /// Somebody is born who knows its own handle, and has a child while it is made.
    SpawnWith,
    /// Somebody is to be born at the commit.
    Stage,
    /// Somebody is named for death.
    Despawn(u8),
    /// Somebody is to be spared by `ClearTemporary`.
    Permanent(u8),
    /// Everybody is changed, some have children, some die.
    Split(u8),
    /// The same in jobs.
    Jobs(u8),
    /// Those named for death die.
    Sweep,
    /// Those who were born are met from now on.
    Commit,
    /// Both.
    EndFrame,
    /// All die who are not permanent.
    ClearTemporary,
    /// All die.
    ClearAll,
    /// The world is replaced by a clone, or by another one into which it was cloned.
    Copy(bool),
}

impl WorldOp {
    /// All bytes mean something.
    #[must_use]
    pub fn decode(code: [u8; 2]) -> Self {
        let [kind, pick] = code;
        match kind % 29 {
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
            _ if pick % 4 == 0 => Self::ClearAll,
            _ => Self::ClearTemporary,
        }
    }
}

/// Births that each job declares.
const BIRTHS: usize = 3;

/// Of one who is alive.
#[derive(Clone, Debug)]
struct Being {
    id: u32,
    committed: bool,
    dying: bool,
    permanent: bool,
    entity: EntityId,
}

/// A world, and who must be in it.
struct Frames<L: Layout> {
    world: World<Tracked, Handle<Tracked, L>>,
    alive: BTreeMap<Handle<Tracked, L>, Being>,
    staged: Vec<(u32, Ticket)>,
    issued: Vec<Handle<Tracked, L>>,
    entities: BTreeSet<EntityId>,
    next_id: u32,
    /// What the world was saved as after every step, and how it is loaded from that, if it is.
    trace: Option<Vec<String>>,
    format: Option<Format>,
}

/// Runs a history.
///
/// # Errors
///
/// What is wrong after which op.
pub fn run<L: Layout>(ops: &[WorldOp]) -> Result<(), String> {
    ledger::reset();
    let mut frames = Frames::<L>::new();
    frames.run(ops)?;
    drop(frames);
    ledger::expect(0)
}

/// Runs a history twice, the second time saving and loading after every step: nobody must notice
/// (P9).
///
/// # Errors
///
/// What is wrong after which op.
pub fn run_reloaded<L: Layout>(ops: &[WorldOp], format: Format) -> Result<(), String> {
    let plain = traced::<L>(ops, None)?;
    let reloaded = traced::<L>(ops, Some(format))?;
    match plain.iter().zip(&reloaded).position(|(one, other)| one != other) {
        Some(step) => Err(format!("step {step}: {} is {}", plain[step], reloaded[step])),
        None => Ok(()),
    }
}

/// Runs a history. Gives what the world was saved as after every step.
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
/// When something is wrong.
pub fn fuzz<L: Layout>(bytes: &[u8]) {
    let ops: Vec<_> = bytes.chunks_exact(2).map(|code| WorldOp::decode([code[0], code[1]])).collect();
    if let Err(error) = run::<L>(&ops) {
        panic!("{error}\n{ops:#?}");
    }
}

/// What the world must still be able to do when something went wrong.
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

/// Runs `setup`, and then `op` with a panic at every call of user code, one after the other. Gives
/// how many there were.
///
/// # Errors
///
/// What is wrong after which panic.
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
    unreachable!("no op calls user code for ever")
}

/// Runs `setup`, then `op` with its first request for memory refused; then all again with the
/// second one refused, and so on. Gives how many refusals there were. Needs the [watched
/// allocator](crate::alloc).
///
/// # Errors
///
/// What is wrong after which refusal.
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
            // It went on without the memory, or said so.
            Ok(result) => result.and_then(|()| frames.check()).map_err(at)?,
            Err(message) if message.contains("memory") => {}
            Err(message) => return Err(at(format!("panicked: {message}"))),
        }
        frames.go_on().map_err(at)?;
        if asked <= nth {
            return Ok(nth);
        }
    }
    unreachable!("no op asks for memory for ever")
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
            issued: Vec::new(),
            entities: BTreeSet::new(),
            next_id: 0,
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

    /// Somebody is alive.
    fn note(&mut self, handle: Handle<Tracked, L>, id: u32, committed: bool) -> Result<(), String> {
        let entity = self.world.id_of(handle).ok_or_else(|| format!("{handle} has no id"))?;
        ensure(self.entities.insert(entity), || format!("{entity} was used before"))?;
        self.issued.push(handle);
        let older = self.alive.insert(handle, Being { id, committed, dying: false, permanent: false, entity });
        ensure(older.is_none(), || format!("{handle} was issued twice"))
    }

    /// Rather one of the last.
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
            WorldOp::Split(number) => self.split(number),
            WorldOp::Jobs(number) => self.jobs(number),
            WorldOp::Sweep => self.sweep(),
            WorldOp::Commit => self.commit(),
            WorldOp::EndFrame => self.end_frame(),
            WorldOp::ClearTemporary => self.clear(false),
            WorldOp::ClearAll => self.clear(true),
            WorldOp::Copy(anew) => {
                self.copy(anew);
                Ok(())
            }
        }
    }

    fn copy(&mut self, anew: bool) {
        let mut copy = self.world.clone();
        if !anew {
            // Somewhere else in its history, so that there is something to overwrite.
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
            Err(full) => ensure(full.into_inner().id() == id, || "another value came back".into()),
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
        ensure(parent_is == handles.0, || "it was told another handle than its own".into())?;
        self.note(handles.1, ids.1, false)?;
        self.note(handles.0, ids.0, false)
    }

    fn stage(&mut self) -> Result<(), String> {
        let value = self.new_value();
        let id = value.id();
        match alloc::resume(|| self.world.try_stage(value)) {
            Ok(ticket) => self.staged.push((id, ticket)),
            Err(full) => ensure(full.into_inner().id() == id, || "another value came back".into())?,
        }
        Ok(())
    }

    fn despawn(&mut self, handle: Handle<Tracked, L>) -> Result<(), String> {
        let status = alloc::resume(|| self.world.despawn(handle));
        let right = match self.alive.get_mut(&handle) {
            Some(being) if being.dying => status == Status::Dying,
            Some(being) => {
                being.dying = true;
                status == if being.committed { Status::Live } else { Status::Spawned }
            }
            None => !matches!(status, Status::Live | Status::Dying | Status::Spawned | Status::Pending),
        };
        ensure(right, || format!("{handle} was {status:?}"))
    }

    fn make_permanent(&mut self, handle: Handle<Tracked, L>) -> Result<(), String> {
        let is_alive = self.world.make_permanent(handle);
        self.alive.entry(handle).and_modify(|being| being.permanent = true);
        ensure(is_alive == self.alive.contains_key(&handle), || format!("{handle}: {is_alive}"))
    }

    fn split(&mut self, number: u8) -> Result<(), String> {
        let mut born = Vec::new();
        let mut met = 0;
        let (mut live, spawner) = self.world.split();
        for (handle, value) in live.iter_mut() {
            met += 1;
            let being = self.alive.get_mut(&handle).ok_or("somebody dead was met")?;
            ensure(being.committed, || format!("{handle} was met too early"))?;
            being.id = value.change();
            if handle.index() % 7 == u32::from(number % 7) {
                self.next_id += 1;
                let child = Tracked::new(self.next_id);
                let Ok(child) = alloc::resume(|| spawner.try_spawn(child)) else { continue };
                born.push((child, self.next_id));
                if number % 3 == 0 {
                    spawner.despawn(handle);
                    being.dying = true;
                }
            }
        }
        ensure(met == committed(&self.alive), || format!("{met} were met"))?;
        ensure(!born.iter().any(|&(child, _)| live.contains(child)), || "a child was found in its split".into())?;
        let found = self.issued.iter().filter(|handle| live.contains(**handle));
        ensure(found.eq(self.issued.iter().filter(|handle| self.alive.contains_key(handle))), || {
            "others were found than those who are alive".into()
        })?;
        drop((live, spawner));
        born.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    fn jobs(&mut self, number: u8) -> Result<(), String> {
        let mut born = Vec::new();
        let mut met = 0;
        let Self { world, alive, next_id, .. } = self;
        alloc::resume(|| {
            world.with_jobs(64, BIRTHS, |jobs| {
                alloc::pause(|| {
                    for mut job in jobs {
                        let mut births = 0;
                        for (handle, value) in job.live.iter_mut() {
                            met += 1;
                            let being = alive.get_mut(&handle).ok_or("somebody dead was met")?;
                            ensure(being.committed, || format!("{handle} was met too early"))?;
                            being.id = value.change();
                            if handle.index() % 5 != u32::from(number % 5) {
                                continue;
                            }
                            *next_id += 1;
                            let child = Tracked::new(*next_id);
                            match alloc::resume(|| job.spawner.try_spawn(child)) {
                                Ok(child) => born.push((child, *next_id)),
                                Err(back) if back.is_out_of_memory() || births == BIRTHS => drop(back),
                                Err(_) => return Err(format!("birth {births} came back")),
                            }
                            births = (births + 1).min(BIRTHS);
                            if number % 3 == 0 {
                                alloc::resume(|| job.spawner.despawn(handle));
                                being.dying = true;
                            }
                        }
                    }
                    Ok(())
                })
            })
        })?;
        ensure(met == committed(&self.alive), || format!("{met} were met"))?;
        born.into_iter().try_for_each(|(child, id)| self.note(child, id, false))
    }

    fn sweep(&mut self) -> Result<(), String> {
        let died = alloc::resume(|| self.world.sweep().len());
        let before = self.alive.len();
        self.alive.retain(|_, being| !being.dying);
        ensure(died == before - self.alive.len(), || format!("{died} have died"))
    }

    fn commit(&mut self) -> Result<(), String> {
        let commit = alloc::resume(|| self.world.commit());
        let staged: Vec<_> = self.staged.drain(..).map(|(id, ticket)| (commit.handle(ticket), id)).collect();
        let right = self.alive.values().filter(|being| !being.committed).count() + staged.len();
        let born = commit.spawned().len();
        ensure(born == right, || format!("{born} were born, right is {right}"))?;
        self.alive.values_mut().for_each(|being| being.committed = true);
        for (handle, id) in staged {
            self.note(handle.ok_or("a ticket has no handle")?, id, true)?;
        }
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), String> {
        let report = alloc::resume(|| self.world.end_frame());
        // If there was a panic, they are staged as before.
        let staged = std::mem::take(&mut self.staged);
        self.alive.retain(|_, being| !being.dying);
        let pending = self.alive.values_mut().filter(|being| !being.committed);
        let born = pending.map(|being| being.committed = true).count() + staged.len();
        let commit = self.world.last_commit();
        // The report also counts what was committed earlier in this frame.
        ensure(commit.spawned().len() == born && report.spawned >= born, || format!("{report:?}, right is {born}"))?;
        let staged: Vec<_> = staged.into_iter().map(|(id, ticket)| (commit.handle(ticket), id)).collect();
        for (handle, id) in staged {
            self.note(handle.ok_or("a ticket has no handle")?, id, true)?;
        }
        Ok(())
    }

    fn clear(&mut self, permanent_too: bool) -> Result<(), String> {
        self.staged.clear();
        let world = &mut self.world;
        let died = alloc::resume(|| if permanent_too { world.clear_all() } else { world.clear_temporary() });
        let before = self.alive.len();
        self.alive.retain(|_, being| being.permanent && !permanent_too && !being.dying);
        ensure(died == before - self.alive.len(), || format!("{died} have died"))
    }

    fn check(&mut self) -> Result<(), String> {
        for &handle in &self.issued {
            let being = self.alive.get(&handle);
            let found = self.world.get(handle).map(Tracked::id);
            ensure(found == being.map(|being| being.id), || {
                format!("{handle} leads to {found:?}, not to {being:?}")
            })?;
            ensure(self.world.id_of(handle) == being.map(|being| being.entity), || format!("{handle}: another id"))?;
            let permanent = being.is_some_and(|being| being.permanent);
            ensure(self.world.is_permanent(handle) == permanent, || format!("{handle} is not {permanent}"))?;
        }
        let right = self.alive.iter().filter(|(_, being)| being.committed).map(|(&handle, _)| handle);
        ensure(self.world.handles().eq(right), || "others are met than those who were committed".into())?;
        for (&handle, being) in &self.alive {
            ensure(self.world.by_id(being.entity) == Some(handle), || format!("{} is somebody else", being.entity))?;
        }
        self.is_sound()
    }

    fn is_sound(&mut self) -> Result<(), String> {
        self.world.validate().map_err(|fault| format!("broken inside: {fault}"))?;
        ledger::expect(self.world.iter_all().count() + self.staged.len())
    }

    /// Something went wrong, so who is alive is read from the world: it must be those of before, or
    /// less, or new ones. And all goes on.
    fn go_on(&mut self) -> Result<(), String> {
        self.is_sound()?;
        let mut alive = BTreeMap::new();
        for (handle, value) in self.world.iter_all() {
            let entity = self.world.id_of(handle).ok_or_else(|| format!("{handle} has no id"))?;
            let status = self.world.status(handle);
            let id = value.id();
            if let Some(being) = self.alive.get(&handle) {
                ensure(being.entity == entity, || format!("{handle} has another id"))?;
                ensure(being.id == id || being.id == changed(id), || format!("{handle} leads to {id}"))?;
            } else {
                ensure(!self.issued.contains(&handle), || format!("{handle} came back"))?;
                ensure(self.entities.insert(entity), || format!("{entity} came back"))?;
                self.issued.push(handle);
            }
            let committed = self.world.handles().any(|other| other == handle);
            let permanent = self.world.is_permanent(handle);
            alive.insert(handle, Being { id, committed, dying: status == Status::Dying, permanent, entity });
        }
        self.alive = alive;
        self.check()?;
        self.run(&AFTERWARDS)
    }
}

fn committed<L: Layout>(alive: &BTreeMap<Handle<Tracked, L>, Being>) -> usize {
    alive.values().filter(|being| being.committed).count()
}
