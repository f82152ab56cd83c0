//! What the gallery is: a battle that runs or waits, how fierce it is, and a handle on the table.

use fastrand::Rng;

use super::keys::Action;
use super::specimen::{Diagnosis, Specimen, Trick};
use crate::battle::{Battle, Creature, Scale};
use crate::heat::SlotState;
use crate::heat::probe;

/// How fierce a battle can be, in percent of the one that the story tells.
const CHURN: [usize; 7] = [0, 10, 25, 50, 100, 200, 400];
/// Where it begins.
const CALM: usize = 3;
/// The number of creatures goes down and up again in so many frames, so that there are vacant slots
/// to see.
const TIDE: u32 = 400;
/// How many percent of the creatures are missing at the lowest.
const EBB: u32 = 50;
/// How many frames are remembered.
const MEMORY: usize = 200;

/// All that is shown, and all that keys can change.
pub(crate) struct Gallery {
    battle: Battle,
    scale: Scale,
    rng: Rng,
    frame: u32,
    running: bool,
    churn: usize,
    specimen: Option<Specimen>,
    help: bool,
    done: bool,
    caught: Vec<u64>,
}

impl Gallery {
    /// A battle of this size, which runs.
    pub(crate) fn new(scale: Scale) -> Self {
        Self {
            battle: Battle::new(scale),
            scale,
            rng: Rng::with_seed(scale.seed),
            frame: 0,
            running: true,
            churn: CALM,
            specimen: None,
            help: false,
            done: false,
            caught: Vec::new(),
        }
    }

    /// Time has passed: the battle goes on, unless it waits.
    pub(crate) fn tick(&mut self) {
        if self.running {
            self.fight();
        }
    }

    /// Does what a key asks for.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::Pause => self.running = !self.running,
            Action::Step => self.step(),
            Action::MoreChurn => self.churn = (self.churn + 1).min(CHURN.len() - 1),
            Action::LessChurn => self.churn = self.churn.saturating_sub(1),
            Action::Corrupt => self.corrupt(),
            Action::Restart => *self = Self::new(self.scale),
            Action::Help => self.help = !self.help,
            Action::Quit => self.done = true,
        }
    }

    fn step(&mut self) {
        self.running = false;
        self.fight();
    }

    fn fight(&mut self) {
        self.frame += 1;
        self.battle.rescale(self.scale_now());
        self.battle.frame();
        self.caught.push(self.battle.by_handle.referee().now().caught);
        if self.caught.len() > MEMORY {
            self.caught.remove(0);
        }
    }

    fn scale_now(&self) -> Scale {
        let missing = tide(self.frame);
        let present = |of: usize| (of * (100 - missing as usize)).div_ceil(100);
        let fierce = |of: usize| (of * CHURN[self.churn]).div_ceil(100);
        Scale {
            goblins: present(self.scale.goblins),
            chickens: present(self.scale.chickens),
            volley: fierce(self.scale.volley),
            foxes: fierce(self.scale.foxes),
            ..self.scale
        }
    }

    fn corrupt(&mut self) {
        let pool = self.battle.by_handle.roster_mut().pool_mut();
        let trick = self.specimen.map_or(Trick::ALL[0], |old| old.trick.next());
        if let Some(old) = self.specimen.take() {
            old.discard(pool);
        }
        self.specimen = Specimen::prepare(trick, pool, &mut self.rng);
    }

    /// The battle on all fields.
    pub(crate) fn battle(&self) -> &Battle {
        &self.battle
    }

    /// How many frames were fought.
    pub(crate) fn frame(&self) -> u32 {
        self.frame
    }

    /// Whether it runs by itself.
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    /// Whether somebody wants to leave.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the page of help is open.
    pub(crate) fn shows_help(&self) -> bool {
        self.help
    }

    /// How fierce it is, in percent.
    pub(crate) fn churn(&self) -> usize {
        CHURN[self.churn]
    }

    /// How fierce it is, as a step of how many.
    pub(crate) fn churn_step(&self) -> (usize, usize) {
        (self.churn, CHURN.len() - 1)
    }

    /// The slots of the pool.
    pub(crate) fn slots(&self) -> Vec<SlotState> {
        let pool = self.battle.by_handle.roster().pool();
        probe::states(&pool.stats(), |handle| pool.try_get(handle).err())
    }

    /// How many stale handles were caught in each of the last frames.
    pub(crate) fn caught(&self) -> &[u64] {
        &self.caught
    }

    /// Who is on the field.
    pub(crate) fn creatures(&self) -> impl Iterator<Item = &Creature> {
        self.battle.by_handle.roster().pool().values()
    }

    /// The handle on the table, and what the pool says about it now.
    pub(crate) fn specimen(&self) -> Option<(Specimen, Diagnosis)> {
        let pool = self.battle.by_handle.roster().pool();
        self.specimen.map(|specimen| (specimen, specimen.diagnose(pool)))
    }

    /// The size of the battle so far, for the final table.
    pub(crate) fn fought(&self) -> Scale {
        Scale { frames: self.frame, ..self.scale }
    }
}

/// How many percent of the creatures are missing in a frame: none, more and more, fewer and fewer.
fn tide(frame: u32) -> u32 {
    let half = TIDE / 2;
    let phase = frame % TIDE;
    let up = if phase < half { phase } else { TIDE - phase };
    EBB * up / half
}
