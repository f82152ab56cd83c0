//! The state of the gallery: a battle that runs or is paused, its intensity, and a specimen.

use fastrand::Rng;

use super::keys::Action;
use super::specimen::{Diagnosis, Specimen, Trick};
use crate::battle::{Battle, Creature, Scale};
use crate::heat::SlotState;
use crate::heat::probe;

/// The intensities of a battle, in percent of that of the plain-text story.
const CHURN: [usize; 7] = [0, 10, 25, 50, 100, 200, 400];
/// The initial intensity.
const CALM: usize = 3;
/// The period in frames in which the number of creatures falls and rises, so that there are vacant
/// slots to see.
const TIDE: u32 = 400;
/// The percentage of creatures that are missing at the lowest point.
const EBB: u32 = 50;
/// The number of frames in the history.
const MEMORY: usize = 200;

/// Everything that is shown, and that keys can change.
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
    /// A running battle of this size.
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

    /// Advances the battle by a frame, unless it is paused.
    pub(crate) fn tick(&mut self) {
        if self.running {
            self.fight();
        }
    }

    /// Applies the action of a key.
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

    /// The number of frames so far.
    pub(crate) fn frame(&self) -> u32 {
        self.frame
    }

    /// Returns `true` if the battle is not paused.
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    /// Returns `true` if the user has quit.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Returns `true` if the help page is open.
    pub(crate) fn shows_help(&self) -> bool {
        self.help
    }

    /// The intensity in percent.
    pub(crate) fn churn(&self) -> usize {
        CHURN[self.churn]
    }

    /// The intensity as a step, and the number of steps.
    pub(crate) fn churn_step(&self) -> (usize, usize) {
        (self.churn, CHURN.len() - 1)
    }

    /// The slots of the pool.
    pub(crate) fn slots(&self) -> Vec<SlotState> {
        let pool = self.battle.by_handle.roster().pool();
        probe::states(&pool.stats(), |handle| pool.try_get(handle).err())
    }

    /// The number of stale handles that were caught in each of the last frames.
    pub(crate) fn caught(&self) -> &[u64] {
        &self.caught
    }

    /// The creatures on the field.
    pub(crate) fn creatures(&self) -> impl Iterator<Item = &Creature> {
        self.battle.by_handle.roster().pool().values()
    }

    /// The specimen, and the pool's current diagnosis.
    pub(crate) fn specimen(&self) -> Option<(Specimen, Diagnosis)> {
        let pool = self.battle.by_handle.roster().pool();
        self.specimen.map(|specimen| (specimen, specimen.diagnose(pool)))
    }

    /// The size of the battle so far, for the final table.
    pub(crate) fn fought(&self) -> Scale {
        Scale { frames: self.frame, ..self.scale }
    }
}

/// The percentage of creatures that are missing in a frame: it rises and falls.
fn tide(frame: u32) -> u32 {
    let half = TIDE / 2;
    let phase = frame % TIDE;
    let up = if phase < half { phase } else { TIDE - phase };
    EBB * up / half
}
