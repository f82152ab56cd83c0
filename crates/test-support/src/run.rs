//! The driver: runs operations, compares the results with the model, and checks everything after
//! every step.

use crate::action::{Action, Make, Put, Room};
use crate::alloc;
use crate::answer::Answer;
use crate::ledger;
use crate::model::{After, Model};
use crate::op::Op;
use crate::places::Places;
use crate::quiet;
use crate::resolve::Known;
use crate::rig::Rig;
use crate::saved::Format;
use crate::subject::{Listing, Subject};

/// A container with its model, a spare one with its own, and (on request) a twin that must always
/// return the same results.
#[derive(Debug)]
pub struct Run {
    pub(crate) rig: Rig,
    /// The container.
    pub main: Box<dyn Subject>,
    /// Its expected state.
    pub model: Model,
    /// The handles to pick from.
    pub known: Known,
    /// A second container with its model.
    pub spare: (Box<dyn Subject>, Model),
    twin: Option<Box<dyn Subject>>,
    /// The format in which the container is saved and loaded after every step, if any.
    format: Option<Format>,
    /// The addresses of the values of both after the last step.
    places: Places,
    spare_places: Places,
    /// The number of requests for memory of the last action, if the [watched
    /// allocator](crate::alloc) is installed.
    pub asked: u64,
    /// Values outside of this run: in other runs, or forgotten.
    pub(crate) elsewhere: usize,
}

/// Runs a history.
///
/// # Errors
///
/// The first fault, and its step.
pub fn run(rig: &Rig, ops: &[Op]) -> Result<(), String> {
    ledger::reset();
    Run::new(rig).play(ops)
}

/// Runs a history together with a twin that begins with room for `capacity` values: the same calls
/// must return the same handles and results (P9).
///
/// # Errors
///
/// The first fault, and its step.
pub fn run_with_twin(rig: &Rig, ops: &[Op], capacity: usize) -> Result<(), String> {
    ledger::reset();
    Run::with_twin(rig, capacity).play(ops)
}

/// Runs a history together with a twin, saving and loading after every step: the results must be
/// the same (P9).
///
/// # Errors
///
/// The first fault, and its step.
pub fn run_reloaded(rig: &Rig, ops: &[Op], format: Format) -> Result<(), String> {
    ledger::reset();
    Run { format: Some(format), ..Run::with_twin(rig, 0) }.play(ops)
}

impl Run {
    /// Empty containers.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        Self {
            rig: *rig,
            main: (rig.new)(),
            model: Model::of(rig),
            known: Known::new(rig.shape),
            spare: ((rig.new)(), Model::of(rig)),
            twin: None,
            format: None,
            places: Places::default(),
            spare_places: Places::default(),
            asked: 0,
            elsewhere: ledger::alive(),
        }
    }

    /// Empty containers, and a twin with this capacity.
    #[must_use]
    pub fn with_twin(rig: &Rig, capacity: usize) -> Self {
        let mut twin = (rig.new)();
        let _ = quiet::catch(|| twin.apply(&Action::Room(Room::TryReserve(capacity))));
        Self { twin: Some(twin), ..Self::new(rig) }
    }

    /// A run that continues independently from here, with clones of all containers.
    #[must_use]
    pub fn fork(&self) -> Option<Self> {
        let mut fork = Self {
            rig: self.rig,
            main: self.main.duplicate()?,
            model: self.model.clone(),
            known: self.known.clone(),
            spare: (self.spare.0.duplicate()?, self.spare.1.clone()),
            twin: None,
            format: None,
            places: Places::default(),
            spare_places: Places::default(),
            asked: 0,
            elsewhere: 0,
        };
        fork.elsewhere = ledger::alive() - fork.alive();
        fork.places = Places::of(&*fork.main, &fork.known.live);
        Some(fork)
    }

    /// A run after a list of steps.
    ///
    /// # Errors
    ///
    /// The first fault, and its step.
    pub fn after(rig: &Rig, ops: &[Op]) -> Result<Self, String> {
        ledger::reset();
        let mut run = Self::new(rig);
        run.steps(ops)?;
        Ok(run)
    }

    /// A run after a list of steps that were checked before, and are not checked again.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn again(rig: &Rig, ops: &[Op]) -> Result<Self, String> {
        ledger::reset();
        let mut run = Self::new(rig);
        for &op in ops {
            run.apply(op)?;
            let listing = run.main.listing();
            run.note(&listing)?;
        }
        Ok(run)
    }

    fn steps(&mut self, ops: &[Op]) -> Result<(), String> {
        for (number, &op) in ops.iter().enumerate() {
            self.step(op).map_err(|error| format!("step {number}, {op:?}: {error}"))?;
        }
        Ok(())
    }

    /// Runs a list of steps, and drops everything.
    ///
    /// # Errors
    ///
    /// The first fault, and its step.
    pub fn play(mut self, ops: &[Op]) -> Result<(), String> {
        self.steps(ops)?;
        let elsewhere = self.elsewhere;
        drop(self);
        ledger::expect(elsewhere).map_err(|error| format!("after the end: {error}"))
    }

    /// Runs one step and checks everything.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn step(&mut self, op: Op) -> Result<(), String> {
        self.apply(op)?;
        self.check()?;
        match self.format {
            Some(format) => self.reload(format),
            None => Ok(()),
        }
    }

    fn apply(&mut self, op: Op) -> Result<(), String> {
        match self.known.resolve(op) {
            Some(action) => self.act(&action).map(drop).map_err(|error| format!("{action:?}: {error}")),
            None => self.copy(op),
        }
    }

    /// Replaces the container by a saved and loaded copy.
    fn reload(&mut self, format: Format) -> Result<(), String> {
        match self.main.reload(format) {
            Some(loaded) => self.main = loaded.map_err(|error| format!("{format:?}: {error}"))?,
            None => return Err("cannot be saved".into()),
        }
        self.regain_capacity();
        self.places = Places::default();
        self.check().map_err(|error| format!("after loading from {format:?}: {error}"))
    }

    /// A container with a fixed capacity is loaded with its limit, and allocates the memory for it
    /// when `reserve` is called.
    fn regain_capacity(&mut self) {
        let census = self.main.census();
        if self.rig.limit != usize::MAX {
            let room = self.rig.limit - census.live - census.pending - census.retired;
            let _ = self.main.apply(&Action::Room(Room::TryReserve(room)));
        }
    }

    /// Runs one action and checks the result.
    ///
    /// # Errors
    ///
    /// The expected result.
    pub fn act(&mut self, action: &Action) -> Result<Answer, String> {
        let (answer, asked) = alloc::count(|| answer_of(&mut *self.main, action));
        self.asked = asked;
        if let Some(twin) = &mut self.twin {
            let other = answer_of(&mut **twin, action);
            if other != answer {
                return Err(format!("answered {answer:?}, its twin answered {other:?}"));
            }
        }
        self.judge(action, &answer)?;
        Ok(answer)
    }

    /// Checks a result that was obtained elsewhere.
    ///
    /// # Errors
    ///
    /// The expected result.
    pub fn judge(&mut self, action: &Action, answer: &Answer) -> Result<(), String> {
        match (action, answer) {
            (_, Answer::Unsupported) if !self.rig.supports.has(action) => return Ok(()),
            // All values move into a new container.
            (Action::Make(Make::Map), _) => self.places = Places::default(),
            _ => {}
        }
        self.elsewhere += self.model.leaks(action) * (1 + usize::from(self.twin.is_some()));
        let after = After { inserted: self.inserted(action), census: self.main.census() };
        self.model.judge(action, answer, &after)
    }

    /// Values that the action may have inserted without reporting their handles.
    fn inserted(&self, action: &Action) -> Listing {
        match action {
            Action::Put(Put::Many(ids, _) | Put::Extend(ids)) => {
                let mut listing = self.main.listing();
                listing.retain(|(_, id)| ids.contains(id));
                listing
            }
            _ => Vec::new(),
        }
    }

    /// Steps that involve more than one container.
    fn copy(&mut self, op: Op) -> Result<(), String> {
        if !self.rig.supports.copies {
            return Ok(());
        }
        self.asked = 0;
        match op {
            Op::Snapshot => {
                self.spare = (self.duplicate()?, self.model.clone());
                self.spare_places = self.places_of_spare();
            }
            Op::Checkpoint => {
                self.asked = alloc::count(|| self.spare.0.overwrite(&*self.main)).1;
                self.spare.1.clone_from(&self.model);
                let places = self.places_of_spare();
                self.spare_places.follow(places)?;
            }
            Op::Rollback => {
                self.asked = alloc::count(|| self.main.overwrite(&*self.spare.0)).1;
                if let Some(twin) = &mut self.twin {
                    twin.overwrite(&*self.spare.0);
                }
                self.model.clone_from(&self.spare.1);
            }
            Op::Swap => {
                self.main.exchange(&mut *self.spare.0);
                std::mem::swap(&mut self.model, &mut self.spare.1);
                std::mem::swap(&mut self.places, &mut self.spare_places);
                self.refork()?;
            }
            Op::Fork => self.refork()?,
            Op::Compare if self.rig.supports.equality => return self.compare(),
            _ => {}
        }
        Ok(())
    }

    fn refork(&mut self) -> Result<(), String> {
        if self.twin.is_some() {
            self.twin = Some(self.duplicate()?);
        }
        Ok(())
    }

    fn duplicate(&mut self) -> Result<Box<dyn Subject>, String> {
        let (copy, asked) = alloc::count(|| self.main.duplicate());
        self.asked = asked;
        copy.ok_or_else(|| "no clone".into())
    }

    fn places_of_spare(&self) -> Places {
        let live: Vec<_> = self.spare.1.live().into_iter().map(|(name, _)| name).collect();
        Places::of(&*self.spare.0, &live)
    }

    fn compare(&self) -> Result<(), String> {
        let right = self.model.live() == self.spare.1.live();
        let says = self.main.equals(&*self.spare.0);
        if says == Some(right) { Ok(()) } else { Err(format!("== returned {says:?}, expected {right}")) }
    }

    /// Checks that exactly this many values exist in the main container, in addition to all others.
    pub(crate) fn expect_alive(&self, main: usize) -> Result<(), String> {
        ledger::expect(self.elsewhere + main + self.spare.0.listing().len())
    }

    /// The number of values in all containers of this run.
    fn alive(&self) -> usize {
        let twin = if self.twin.is_some() { self.model.len() } else { 0 };
        self.model.len() + self.spare.1.len() + twin
    }

    /// Checks everything observable, for every handle ever issued.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check(&mut self) -> Result<(), String> {
        let listing = agrees(&mut *self.main, &self.model)?;
        self.note(&listing)?;
        for &name in &self.known.issued {
            let (seen, right) = (self.main.see(name), self.model.sight(name));
            if seen != right {
                return Err(format!("{name} is reported as {seen:?}, expected {right:?}"));
            }
        }
        ledger::expect(self.elsewhere + self.alive())
    }

    /// Notes the handles that exist, for later steps, and checks that no value has moved that must
    /// not.
    fn note(&mut self, listing: &Listing) -> Result<(), String> {
        self.known.learn(listing.iter().map(|(name, _)| *name));
        self.known.learn(self.model.pending());
        self.known.live = listing.iter().map(|(name, _)| *name).collect();
        self.known.slots = u32::try_from(self.model.slot_count()).unwrap_or(u32::MAX);
        self.places.follow(Places::of(&*self.main, &self.known.live))
    }
}

/// Checks that counts, order and contents are those of the model. Returns the contents.
fn agrees(main: &mut dyn Subject, model: &Model) -> Result<Listing, String> {
    main.validate().map_err(|fault| format!("broken inside: {fault}"))?;
    let census = main.census();
    let right = model.census(&census);
    if census != right {
        return Err(format!("counts are {census:?}, expected {right:?}"));
    }
    let listing = main.listing();
    let live = model.live();
    if listing != live {
        return Err(format!("iteration yields {listing:?}, expected {live:?}"));
    }
    Ok(listing)
}

/// A panic is a result, too.
pub(crate) fn answer_of(subject: &mut dyn Subject, action: &Action) -> Answer {
    quiet::catch(|| subject.apply(action)).unwrap_or_else(Answer::Panicked)
}
