//! The rules, written once for all kinds of names.
//!
//! A frame is a sequence of systems, as in games: all creatures move; missiles are fired, all
//! missiles fly, those that arrived strike; foxes take chickens; new creatures of both kinds
//! replace the dead ones and reuse their slots; every few frames the potter checks the jars.

use std::mem;

use fastrand::Rng;

use super::creature::{Creature, FIELD, Kind, Point};
use super::referee::{Holder, Jars, Referee, Serial};
use super::roster::Roster;

/// The distance that a missile flies in a frame.
const MISSILE_SPEED: i32 = 90;
/// The largest step of a creature in a frame, in either direction.
const STEP: i32 = 8;
/// The potter checks the jars every this many frames.
const POTTER: u32 = 8;

/// The size of a battle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The number of frames.
    pub(crate) frames: u32,
    /// The number of goblins at the end of every frame.
    pub(crate) goblins: usize,
    /// The number of chickens at the end of every frame.
    pub(crate) chickens: usize,
    /// The number of jars.
    pub(crate) jars: usize,
    /// The number of missiles fired in a frame.
    pub(crate) volley: usize,
    /// The number of chickens that foxes take in a frame.
    pub(crate) foxes: usize,
    /// The seed of all random numbers.
    pub(crate) seed: u64,
}

impl Scale {
    /// A battle with this many goblins; the other numbers follow from it.
    pub(crate) fn new(frames: u32, goblins: usize, seed: u64) -> Self {
        let part = |of: usize| (goblins / of).max(1);
        Self { frames, goblins, chickens: part(2), jars: part(100), volley: part(6), foxes: part(20), seed }
    }
}

/// A missile that homes on a creature.
struct Missile<N> {
    target: N,
    at: Point,
    arrived: bool,
    /// For the referee only.
    aimed: Serial,
}

/// The carrier of a jar.
struct Carrier<N> {
    name: N,
    /// For the referee only.
    meant: Serial,
}

/// One battle field.
pub(crate) struct Field<R: Roster> {
    scale: Scale,
    rng: Rng,
    frame: u32,
    roster: R,
    /// The names of all goblins, and of all chickens. Updated whenever a creature is spawned or
    /// removed, so these are correct for all kinds of names: the names that missiles and jars hold
    /// become stale.
    horde: Vec<R::Name>,
    flock: Vec<R::Name>,
    missiles: Vec<Missile<R::Name>>,
    jars: Vec<Option<Carrier<R::Name>>>,
    referee: Referee,
}

impl<R: Roster> Field<R> {
    /// All creatures in place, every jar picked up.
    pub(crate) fn new(scale: Scale) -> Self {
        let mut field = Self {
            scale,
            rng: Rng::with_seed(scale.seed),
            frame: 0,
            roster: R::default(),
            horde: Vec::new(),
            flock: Vec::new(),
            missiles: Vec::new(),
            jars: (0..scale.jars).map(|_| None).collect(),
            referee: Referee::default(),
        };
        field.reinforce();
        field.look_after_jars();
        field
    }

    /// One frame.
    pub(crate) fn frame(&mut self) {
        self.frame += 1;
        self.referee.begin_frame();
        self.roster.each(Creature::advance);
        self.fire();
        self.missiles_each(Self::fly);
        self.missiles_each(Self::strike);
        self.let_foxes_in();
        self.reinforce();
        if self.frame % POTTER == 0 {
            self.look_after_jars();
        }
        self.referee.end_frame();
    }

    /// The referee of this field.
    pub(crate) fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The roster of this field.
    pub(crate) fn roster(&self) -> &R {
        &self.roster
    }

    /// Like [`roster`](Self::roster), mutably.
    pub(crate) fn roster_mut(&mut self) -> &mut R {
        &mut self.roster
    }

    /// Changes the numbers of creatures from the next frame on. Jars stay as they are.
    pub(crate) fn rescale(&mut self, scale: Scale) {
        self.scale = Scale { jars: self.scale.jars, ..scale };
    }

    /// The positions of the missiles.
    pub(crate) fn missiles(&self) -> impl Iterator<Item = Point> {
        self.missiles.iter().map(|missile| missile.at)
    }

    /// The number of missiles in the air.
    pub(crate) fn in_flight(&self) -> u64 {
        self.missiles.len() as u64
    }

    /// Fires a volley at random goblins. Several missiles may home on one goblin: when the first
    /// one arrives, the others hold a stale name.
    fn fire(&mut self) {
        for _ in 0..self.scale.volley {
            let Some((target, aimed)) = self.any_goblin() else { return };
            let at = Point { x: self.rng.i32(0..=FIELD), y: 0 };
            self.referee.fired(aimed);
            self.missiles.push(Missile { target, at, arrived: false, aimed });
        }
    }

    /// Calls a function for every missile, and drops those that are spent.
    fn missiles_each(&mut self, mut stays: impl FnMut(&mut Self, &mut Missile<R::Name>) -> bool) {
        let mut missiles = mem::take(&mut self.missiles);
        missiles.retain_mut(|missile| stays(self, missile));
        self.missiles = missiles;
    }

    /// Flies towards the current position of the target. Without a target, a missile is spent.
    fn fly(&mut self, missile: &mut Missile<R::Name>) -> bool {
        let Some(target) = self.look_up(missile) else { return false };
        let goal = target.at;
        missile.at = missile.at.toward(goal, MISSILE_SPEED);
        missile.arrived = missile.at == goal;
        true
    }

    /// Hits the target, if the missile has arrived and the target still exists.
    fn strike(&mut self, missile: &mut Missile<R::Name>) -> bool {
        if !missile.arrived {
            return true;
        }
        if self.look_up(missile).is_some() {
            self.kill_by(missile);
        }
        false
    }

    /// The creature that a missile's name resolves to.
    fn look_up(&mut self, missile: &Missile<R::Name>) -> Option<&Creature> {
        let found = self.roster.find(missile.target);
        match found {
            Some(found) => self.referee.looked_up(missile.aimed, found),
            None => self.referee.caught(Holder::Missile, missile.aimed, self.roster.why(missile.target)),
        }
        found
    }

    fn kill_by(&mut self, missile: &Missile<R::Name>) {
        if let Some(found) = self.roster.find(missile.target) {
            self.referee.hit(missile.aimed, found);
        }
        self.kill(missile.target);
    }

    fn let_foxes_in(&mut self) {
        for _ in 0..self.scale.foxes.min(self.flock.len()) {
            let chicken = self.flock[below(self.flock.len(), &mut self.rng)];
            self.kill(chicken);
        }
    }

    /// Spawns creatures of both kinds up to their numbers, in random order.
    fn reinforce(&mut self) {
        loop {
            let goblins = self.scale.goblins.saturating_sub(self.horde.len());
            let chickens = self.scale.chickens.saturating_sub(self.flock.len());
            if goblins + chickens == 0 {
                return;
            }
            let goblin = below(goblins + chickens, &mut self.rng) < goblins;
            self.spawn(if goblin { Kind::Goblin } else { Kind::Chicken });
        }
    }

    /// Looks up the carrier of every jar. A jar without a carrier goes to a random goblin.
    fn look_after_jars(&mut self) {
        let mut jars = mem::take(&mut self.jars);
        for (number, jar) in jars.iter_mut().enumerate() {
            if !self.is_carried(jar.as_ref()) {
                *jar = self.hand_over(number);
            }
        }
        self.jars = jars;
    }

    fn is_carried(&mut self, jar: Option<&Carrier<R::Name>>) -> bool {
        let Some(carrier) = jar else { return false };
        if let Some(found) = self.roster.find(carrier.name) {
            self.referee.looked_up(carrier.meant, found);
            return true;
        }
        self.referee.caught(Holder::Jar, carrier.meant, self.roster.why(carrier.name));
        false
    }

    fn hand_over(&mut self, jar: usize) -> Option<Carrier<R::Name>> {
        let (name, meant) = self.any_goblin()?;
        self.referee.picked_up(jar, meant);
        Some(Carrier { name, meant })
    }

    /// Looks up the carrier of every jar, for the counts only.
    pub(crate) fn inspect_jars(&self) -> Jars {
        let mut jars = Jars::default();
        for carrier in self.jars.iter().flatten() {
            let Some(found) = self.roster.find(carrier.name) else { continue };
            jars.note(carrier.meant, found);
        }
        jars
    }

    /// A random goblin, with its serial number for the referee.
    fn any_goblin(&mut self) -> Option<(R::Name, Serial)> {
        if self.horde.is_empty() {
            return None;
        }
        let name = self.horde[below(self.horde.len(), &mut self.rng)];
        self.roster.find(name).map(|goblin| (name, goblin.serial))
    }

    fn spawn(&mut self, kind: Kind) {
        let mut point =
            |range: std::ops::RangeInclusive<i32>| Point { x: self.rng.i32(range.clone()), y: self.rng.i32(range) };
        let (at, pace) = (point(0..=FIELD), point(-STEP..=STEP));
        let serial = self.referee.next_serial();
        let list = list_of(kind, &mut self.horde, &mut self.flock);
        let creature = Creature { serial, kind, at, pace, place: list.len() };
        self.referee.spawned(&creature);
        list.push(self.roster.insert(creature));
    }

    /// Removes the creature that the name resolves to.
    fn kill(&mut self, name: R::Name) {
        let Some(fallen) = self.roster.remove(name) else { return };
        self.referee.fell(&fallen);
        let list = list_of(fallen.kind, &mut self.horde, &mut self.flock);
        list.swap_remove(fallen.place);
        let Some(&moved) = list.get(fallen.place) else { return };
        if let Some(moved) = self.roster.find_mut(moved) {
            moved.place = fallen.place;
        }
    }
}

/// A random number below the limit: of 32 bits, so that the width of `usize` does not matter.
fn below(limit: usize, rng: &mut Rng) -> usize {
    rng.u32(0..limit as u32) as usize
}

/// The list of a kind.
fn list_of<'a, N>(kind: Kind, horde: &'a mut Vec<N>, flock: &'a mut Vec<N>) -> &'a mut Vec<N> {
    match kind {
        Kind::Goblin => horde,
        Kind::Chicken => flock,
    }
}
