//! The referee: observes and counts everything, changes nothing.
//!
//! Every creature has a serial number of its own. A holder of a creature's name also stores its
//! serial number, so the referee can determine whether the name resolves to the creature that was
//! meant. Only this file can compare serial numbers: the rules of the battle cannot use them.

use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::AddAssign;

use tenure::HandleError;

use super::creature::{Creature, Kind};

/// How many mishaps the referee remembers in full.
const MISHAPS: usize = 3;
/// The referee remembers one catch for each number of tenants since, below this.
const CATCHES: u32 = 4;

/// Identifies a creature. Has no `==`: see above.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct Serial(u64);

impl Display for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", crate::paint::grouped(self.0))
    }
}

/// The holder of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A missile: the name of its target.
    Missile,
    /// A jar: the name of its carrier.
    Jar,
}

/// An event, without names, so that battles can be compared by their events.
#[derive(Clone, Copy, Debug, Hash)]
pub(crate) enum Event {
    /// A creature was spawned.
    Spawned(Serial, Kind),
    /// A creature was removed.
    Fell(Serial),
    /// A missile was fired at a creature.
    Fired(Serial),
    /// A missile aimed at the first hit the second.
    Hit(Serial, Serial),
    /// The name of this creature was found not to resolve.
    Caught(Serial),
    /// A jar was picked up.
    PickedUp(usize, Serial),
}

/// Counts, per frame and in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Creatures spawned.
    pub(crate) spawned: u64,
    /// Creatures removed.
    pub(crate) fell: u64,
    /// Names looked up by missiles and jars.
    pub(crate) look_ups: u64,
    /// Of these: resolved to another creature.
    pub(crate) misled: u64,
    /// Of these: did not resolve, so the holder could react.
    pub(crate) caught: u64,
    /// Missiles that hit.
    pub(crate) hits: u64,
    /// Of these: hit another creature.
    pub(crate) wrong_hits: u64,
    /// Of these: hit a chicken.
    pub(crate) chickens_hit: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.spawned += more.spawned;
        self.fell += more.fell;
        self.look_ups += more.look_ups;
        self.misled += more.misled;
        self.caught += more.caught;
        self.hits += more.hits;
        self.wrong_hits += more.wrong_hits;
        self.chickens_hit += more.chickens_hit;
    }
}

/// Where the jars are, according to their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Jars {
    /// Carried by a creature that never picked them up.
    pub(crate) with_another: u64,
    /// Of these: carried by a chicken.
    pub(crate) on_chickens: u64,
}

impl Jars {
    /// A jar that was picked up by `meant` is carried by `found`.
    pub(crate) fn note(&mut self, meant: Serial, found: &Creature) {
        self.with_another += u64::from(is_other(meant, found));
        self.on_chickens += u64::from(found.kind == Kind::Chicken);
    }
}

/// A missile that hit another creature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mishap {
    /// The frame.
    pub(crate) frame: u32,
    /// The goblin that it was fired at.
    pub(crate) aimed: Serial,
    /// The creature that it hit.
    pub(crate) found: Serial,
    /// The kind of that creature.
    pub(crate) kind: Kind,
}

/// A stale name, and what the roster reported about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Catch {
    /// The frame.
    pub(crate) frame: u32,
    /// The holder of the name.
    pub(crate) holder: Holder,
    /// The creature that it referred to.
    pub(crate) aimed: Serial,
    /// Why it does not resolve.
    pub(crate) why: HandleError,
}

/// Observes everything that happens on one field.
#[derive(Default)]
pub(crate) struct Referee {
    frame: u32,
    serials: u64,
    events: u64,
    log: DefaultHasher,
    now: Counts,
    total: Counts,
    mishaps: Vec<Mishap>,
    catches: Vec<Catch>,
}

impl Referee {
    /// Begins a frame.
    pub(crate) fn begin_frame(&mut self) {
        self.frame += 1;
        self.now = Counts::default();
    }

    /// Ends a frame.
    pub(crate) fn end_frame(&mut self) {
        self.total += self.now;
    }

    /// The serial number of one more creature.
    pub(crate) fn next_serial(&mut self) -> Serial {
        self.serials += 1;
        Serial(self.serials)
    }

    /// A creature was spawned.
    pub(crate) fn spawned(&mut self, creature: &Creature) {
        self.now.spawned += 1;
        self.record(Event::Spawned(creature.serial, creature.kind));
    }

    /// A creature was removed.
    pub(crate) fn fell(&mut self, creature: &Creature) {
        self.now.fell += 1;
        self.record(Event::Fell(creature.serial));
    }

    /// A missile was fired.
    pub(crate) fn fired(&mut self, target: Serial) {
        self.record(Event::Fired(target));
    }

    /// A jar was picked up.
    pub(crate) fn picked_up(&mut self, jar: usize, carrier: Serial) {
        self.record(Event::PickedUp(jar, carrier));
    }

    /// A name resolved to a creature.
    pub(crate) fn looked_up(&mut self, aimed: Serial, found: &Creature) {
        self.now.look_ups += 1;
        self.now.misled += u64::from(is_other(aimed, found));
    }

    /// A name did not resolve.
    pub(crate) fn caught(&mut self, holder: Holder, aimed: Serial, why: Option<HandleError>) {
        self.now.look_ups += 1;
        self.now.caught += 1;
        self.record(Event::Caught(aimed));
        if let Some(why) = why {
            self.remember_catch(Catch { frame: self.frame, holder, aimed, why });
        }
    }

    /// A missile hit.
    pub(crate) fn hit(&mut self, aimed: Serial, found: &Creature) {
        self.now.hits += 1;
        self.now.chickens_hit += u64::from(found.kind == Kind::Chicken);
        self.record(Event::Hit(aimed, found.serial));
        if is_other(aimed, found) {
            self.now.wrong_hits += 1;
            self.remember_mishap(Mishap { frame: self.frame, aimed, found: found.serial, kind: found.kind });
        }
    }

    fn record(&mut self, event: Event) {
        self.events += 1;
        event.hash(&mut self.log);
    }

    fn remember_mishap(&mut self, mishap: Mishap) {
        if self.mishaps.len() < MISHAPS {
            self.mishaps.push(mishap);
        }
    }

    /// One of each sort: a list of equal catches would show nothing.
    fn remember_catch(&mut self, catch: Catch) {
        let Some(ago) = catch.why.tenants_ago() else { return };
        let known = self.catches.iter().any(|old| old.why.tenants_ago() == Some(ago));
        if ago < CATCHES && !known {
            self.catches.push(catch);
        }
    }

    /// The counts of this frame.
    pub(crate) fn now(&self) -> Counts {
        self.now
    }

    /// The counts of all frames.
    pub(crate) fn total(&self) -> Counts {
        self.total
    }

    /// The number of events, including those of the setup.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// The number of creatures ever spawned.
    pub(crate) fn serials(&self) -> u64 {
        self.serials
    }

    /// A fingerprint of all events so far.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.log.finish()
    }

    /// The first missiles that hit another creature.
    pub(crate) fn mishaps(&self) -> &[Mishap] {
        &self.mishaps
    }

    /// The first stale names, one for each number of tenants since.
    pub(crate) fn catches(&self) -> &[Catch] {
        &self.catches
    }
}

/// Returns `true` if a creature is not the one that was meant.
fn is_other(aimed: Serial, found: &Creature) -> bool {
    aimed.0 != found.serial.0
}
