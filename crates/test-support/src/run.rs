//! The driver: does what the ops say, asks the model, and checks everything after every step.

use crate::action::{Action, Make};
use crate::alloc;
use crate::answer::Answer;
use crate::ledger;
use crate::model::{After, Model};
use crate::op::Op;
use crate::places::Places;
use crate::quiet;
use crate::resolve::Known;
use crate::saved::Format;
use crate::subject::{Listing, Subject};

/// A container with its model, a spare one with its own, and (on request) a twin that must always
/// answer alike.
#[derive(Debug)]
pub struct Run<S: Subject> {
    /// The container.
    pub main: S,
    /// What it must look like.
    pub model: Model<S::Layout>,
    /// What there is to pick from.
    pub known: Known<S::Layout>,
    /// A second container with its model.
    pub spare: (S, Model<S::Layout>),
    twin: Option<S>,
    /// How the container is saved and loaded after every step, if it is.
    format: Option<Format>,
    /// Where the values of both were after the last step.
    places: Places<S::Layout>,
    spare_places: Places<S::Layout>,
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
pub fn run<S: Subject>(ops: &[Op]) -> Result<(), String> {
    ledger::reset();
    Run::<S>::new().play(ops)
}

/// Runs a history together with a twin that begins with room for `capacity` values: the same calls
/// must give the same handles and answers (P9).
///
/// # Errors
///
/// The first thing that is wrong, and at which step.
pub fn run_with_twin<S: Subject>(ops: &[Op], capacity: usize) -> Result<(), String> {
    ledger::reset();
    Run::<S>::with_twin(capacity).play(ops)
}

/// Runs a history together with a twin, saving and loading after every step: nobody must notice
/// (P9).
///
/// # Errors
///
/// The first thing that is wrong, and at which step.
pub fn run_reloaded<S: Subject>(ops: &[Op], format: Format) -> Result<(), String> {
    ledger::reset();
    Run::<S> { format: Some(format), ..Run::with_twin(0) }.play(ops)
}

impl<S: Subject> Default for Run<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Subject> Run<S> {
    /// Empty containers.
    #[must_use]
    pub fn new() -> Self {
        Self {
            main: S::new(),
            model: Model::of::<S>(),
            known: Known::default(),
            spare: (S::new(), Model::of::<S>()),
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
    pub fn with_twin(capacity: usize) -> Self {
        let mut twin = S::new();
        let _ = quiet::catch(|| twin.apply(&Action::Room(crate::action::Room::TryReserve(capacity))));
        Self { twin: Some(twin), ..Self::new() }
    }

    /// A run that goes on from here on its own, with clones of all containers.
    #[must_use]
    pub fn fork(&self) -> Option<Self> {
        let mut fork = Self {
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
        fork.places = Places::of(&fork.main, &fork.known.live);
        Some(fork)
    }

    /// A run after a list of steps.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and at which step.
    pub fn after(ops: &[Op]) -> Result<Self, String> {
        ledger::reset();
        let mut run = Self::new();
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
        if S::LIMIT != usize::MAX {
            let room = S::LIMIT - census.live - census.pending - census.retired;
            let _ = self.main.apply(&Action::Room(crate::action::Room::TryReserve(room)));
        }
    }

    /// Does one action and judges the answer.
    ///
    /// # Errors
    ///
    /// What would have been right.
    pub fn act(&mut self, action: &Action<S::Layout>) -> Result<Answer<S::Layout>, String> {
        let (answer, asked) = alloc::count(|| answer_of(&mut self.main, action));
        self.asked = asked;
        if let Some(twin) = &mut self.twin {
            let other = answer_of(twin, action);
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
    pub fn judge(&mut self, action: &Action<S::Layout>, answer: &Answer<S::Layout>) -> Result<(), String> {
        match (action, answer) {
            (Action::Room(room), Answer::Unsupported) if room.is_growth() && !S::SUPPORTS.growth => return Ok(()),
            (Action::Rows(_), Answer::Unsupported) if !S::SUPPORTS.rows => return Ok(()),
            (_, Answer::Unsupported) if action.needs_whole_values() && !S::SUPPORTS.whole => return Ok(()),
            (_, Answer::Unsupported) if !S::SUPPORTS.copies => return Ok(()),
            // All values move into a new container.
            (Action::Make(Make::Map), _) => self.places = Places::default(),
            _ => {}
        }
        self.elsewhere += self.model.leaks(action) * (1 + usize::from(self.twin.is_some()));
        let after = After { newcomers: self.newcomers(action), census: self.main.census() };
        self.model.judge(action, answer, &after)
    }

    /// Values that the action may have put in without saying under which handles.
    fn newcomers(&self, action: &Action<S::Layout>) -> Listing<S::Layout> {
        use crate::action::Put;

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
        if !S::SUPPORTS.copies {
            return Ok(());
        }
        self.asked = 0;
        match op {
            Op::Snapshot => {
                self.spare = (self.duplicate()?, self.model.clone());
                self.spare_places = self.places_of_spare();
            }
            Op::Checkpoint => {
                self.asked = alloc::count(|| self.spare.0.overwrite(&self.main)).1;
                self.spare.1.clone_from(&self.model);
                let places = self.places_of_spare();
                self.spare_places.follow(places)?;
            }
            Op::Rollback => {
                self.asked = alloc::count(|| self.main.overwrite(&self.spare.0)).1;
                if let Some(twin) = &mut self.twin {
                    twin.overwrite(&self.spare.0);
                }
                self.model.clone_from(&self.spare.1);
            }
            Op::Swap => {
                std::mem::swap(&mut self.main, &mut self.spare.0);
                std::mem::swap(&mut self.model, &mut self.spare.1);
                std::mem::swap(&mut self.places, &mut self.spare_places);
                self.refork()?;
            }
            Op::Fork => self.refork()?,
            Op::Compare => return self.compare(),
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

    fn duplicate(&mut self) -> Result<S, String> {
        let (copy, asked) = alloc::count(|| self.main.duplicate());
        self.asked = asked;
        copy.ok_or_else(|| "no clone".into())
    }

    fn places_of_spare(&self) -> Places<S::Layout> {
        let live: Vec<_> = self.spare.1.live().into_iter().map(|(name, _)| name).collect();
        Places::of(&self.spare.0, &live)
    }

    fn compare(&self) -> Result<(), String> {
        let right = self.model.live() == self.spare.1.live();
        let says = self.main.equals(&self.spare.0);
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
        let listing = agrees(&self.main, &self.model)?;
        self.known.learn(listing.iter().map(|(name, _)| *name));
        self.known.learn(self.model.pending());
        self.known.live = listing.into_iter().map(|(name, _)| name).collect();
        self.known.slots = u32::try_from(self.model.slot_count()).unwrap_or(u32::MAX);
        self.places.follow(Places::of(&self.main, &self.known.live))?;
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
fn agrees<S: Subject>(main: &S, model: &Model<S::Layout>) -> Result<Listing<S::Layout>, String> {
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
pub(crate) fn answer_of<S: Subject>(subject: &mut S, action: &Action<S::Layout>) -> Answer<S::Layout> {
    quiet::catch(|| subject.apply(action)).unwrap_or_else(Answer::Panicked)
}
