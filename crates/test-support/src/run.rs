//! The driver: does what the ops say, asks the model, and checks everything after every step.

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
/// answer alike.
#[derive(Debug)]
pub struct Run {
    pub(crate) rig: Rig,
    /// The container.
    pub main: Box<dyn Subject>,
    /// What it must look like.
    pub model: Model,
    /// What there is to pick from.
    pub known: Known,
    /// A second container with its model.
    pub spare: (Box<dyn Subject>, Model),
    twin: Option<Box<dyn Subject>>,
    /// How the container is saved and loaded after every step, if it is.
    format: Option<Format>,
    /// Where the values of both were after the last step.
    places: Places,
    spare_places: Places,
    /// How often the last action asked for memory, if the [watched allocator](crate::alloc) is
    /// installed.
    pub asked: u64,
    /// Values that are alive elsewhere: in other runs, or forgotten.
    pub(crate) elsewhere: usize,
}

/// Runs a history.
///
/// # Errors
///
/// The first thing that is wrong, and at which step.
pub fn run(rig: &Rig, ops: &[Op]) -> Result<(), String> {
    ledger::reset();
    Run::new(rig).play(ops)
}

/// Runs a history together with a twin that begins with room for `capacity` values: the same calls
/// must give the same handles and answers (P9).
///
/// # Errors
///
/// The first thing that is wrong, and at which step.
pub fn run_with_twin(rig: &Rig, ops: &[Op], capacity: usize) -> Result<(), String> {
    ledger::reset();
    Run::with_twin(rig, capacity).play(ops)
}

/// Runs a history together with a twin, saving and loading after every step: nobody must notice
/// (P9).
///
/// # Errors
///
/// The first thing that is wrong, and at which step.
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

    /// Empty containers, and a twin with room for so many values.
    #[must_use]
    pub fn with_twin(rig: &Rig, capacity: usize) -> Self {
        let mut twin = (rig.new)();
        let _ = quiet::catch(|| twin.apply(&Action::Room(Room::TryReserve(capacity))));
        Self { twin: Some(twin), ..Self::new(rig) }
    }

    /// A run that goes on from here on its own, with clones of all containers.
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
    /// The first thing that is wrong, and at which step.
    pub fn after(rig: &Rig, ops: &[Op]) -> Result<Self, String> {
        ledger::reset();
        let mut run = Self::new(rig);
        run.steps(ops)?;
        Ok(run)
    }

    fn steps(&mut self, ops: &[Op]) -> Result<(), String> {
        for (number, &op) in ops.iter().enumerate() {
            self.step(op).map_err(|error| format!("step {number}, {op:?}: {error}"))?;
        }
        Ok(())
    }

    /// Does a list of steps, and drops everything.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and at which step.
    pub fn play(mut self, ops: &[Op]) -> Result<(), String> {
        self.steps(ops)?;
        let elsewhere = self.elsewhere;
        drop(self);
        ledger::expect(elsewhere).map_err(|error| format!("after the end: {error}"))
    }

    /// Does one step and checks everything.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn step(&mut self, op: Op) -> Result<(), String> {
        match self.known.resolve(op) {
            Some(action) => self.act(&action).map(drop).map_err(|error| format!("{action:?}: {error}")),
            None => self.copy(op),
        }?;
        self.check()?;
        match self.format {
            Some(format) => self.reload(format),
            None => Ok(()),
        }
    }

    /// Goes on with what is loaded from what is saved.
    fn reload(&mut self, format: Format) -> Result<(), String> {
        match self.main.reload(format) {
            Some(loaded) => self.main = loaded.map_err(|error| format!("{format:?}: {error}"))?,
            None => return Err("cannot be saved".into()),
        }
        self.regain_capacity();
        self.places = Places::default();
        self.check().map_err(|error| format!("after loading from {format:?}: {error}"))
    }

    /// A container with a limit is loaded with it, and gets the memory for it when it is asked to.
    fn regain_capacity(&mut self) {
        let census = self.main.census();
        if self.rig.limit != usize::MAX {
            let room = self.rig.limit - census.live - census.pending - census.retired;
            let _ = self.main.apply(&Action::Room(Room::TryReserve(room)));
        }
    }

    /// Does one action and judges the answer.
    ///
    /// # Errors
    ///
    /// What would have been right.
    pub fn act(&mut self, action: &Action) -> Result<Answer, String> {
        let (answer, asked) = alloc::count(|| answer_of(&mut *self.main, action));
        self.asked = asked;
        if let Some(twin) = &mut self.twin {
            let other = answer_of(&mut **twin, action);
            if other != answer {
                return Err(format!("answered {answer:?}, its twin {other:?}"));
            }
        }
        self.judge(action, &answer)?;
        Ok(answer)
    }

    /// Judges an answer that was got elsewhere.
    ///
    /// # Errors
    ///
    /// What would have been right.
    pub fn judge(&mut self, action: &Action, answer: &Answer) -> Result<(), String> {
        match (action, answer) {
            (_, Answer::Unsupported) if !self.rig.supports.has(action) => return Ok(()),
            // All values move into a new container.
            (Action::Make(Make::Map), _) => self.places = Places::default(),
            _ => {}
        }
        self.elsewhere += self.model.leaks(action) * (1 + usize::from(self.twin.is_some()));
        let after = After { newcomers: self.newcomers(action), census: self.main.census() };
        self.model.judge(action, answer, &after)
    }

    /// Values that the action may have put in without saying under which handles.
    fn newcomers(&self, action: &Action) -> Listing {
        match action {
            Action::Put(Put::Many(ids, _) | Put::Extend(ids)) => {
                let mut listing = self.main.listing();
                listing.retain(|(_, id)| ids.contains(id));
                listing
            }
            _ => Vec::new(),
        }
    }

    /// Steps that are about more than one container.
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
        if says == Some(right) { Ok(()) } else { Err(format!("== says {says:?}, right is {right}")) }
    }

    /// Whether exactly so many values are alive in the main container, besides all others.
    pub(crate) fn expect_alive(&self, main: usize) -> Result<(), String> {
        ledger::expect(self.elsewhere + main + self.spare.0.listing().len())
    }

    /// Values in all containers of this run.
    fn alive(&self) -> usize {
        let twin = if self.twin.is_some() { self.model.len() } else { 0 };
        self.model.len() + self.spare.1.len() + twin
    }

    /// Checks everything that can be seen, for every handle ever issued.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn check(&mut self) -> Result<(), String> {
        let listing = agrees(&mut *self.main, &self.model)?;
        self.known.learn(listing.iter().map(|(name, _)| *name));
        self.known.learn(self.model.pending());
        self.known.live = listing.into_iter().map(|(name, _)| name).collect();
        self.known.slots = u32::try_from(self.model.slot_count()).unwrap_or(u32::MAX);
        self.places.follow(Places::of(&*self.main, &self.known.live))?;
        for &name in &self.known.issued {
            let (seen, right) = (self.main.see(name), self.model.sight(name));
            if seen != right {
                return Err(format!("{name} is seen as {seen:?}, right is {right:?}"));
            }
        }
        ledger::expect(self.elsewhere + self.alive())
    }
}

/// Whether counts, order and contents are those of the model. Gives the listing.
fn agrees(main: &mut dyn Subject, model: &Model) -> Result<Listing, String> {
    main.validate().map_err(|fault| format!("broken inside: {fault}"))?;
    let census = main.census();
    let right = model.census(&census);
    if census != right {
        return Err(format!("counts are {census:?}, right is {right:?}"));
    }
    let listing = main.listing();
    let live = model.live();
    if listing != live {
        return Err(format!("a walk gives {listing:?}, right is {live:?}"));
    }
    Ok(listing)
}

/// A panic is an answer too.
pub(crate) fn answer_of(subject: &mut dyn Subject, action: &Action) -> Answer {
    quiet::catch(|| subject.apply(action)).unwrap_or_else(Answer::Panicked)
}
