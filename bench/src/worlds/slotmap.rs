//! The frame with `SlotMap` and two lists, of spawns and despawns, for its end. While a value is
//! borrowed mutably no other can be read, so there are two ways to write it. Both are measured.

use slotmap::{DefaultKey, Key, SlotMap};

use super::frame::Frames;
use super::unit::{Now, Outcome, Schedule, Seen, Unit};

type Map = SlotMap<DefaultKey, Unit<DefaultKey>>;

struct Pending {
    map: Map,
    schedule: Schedule,
    board: Vec<DefaultKey>,
    spawns: Vec<Unit<DefaultKey>>,
    despawns: Vec<DefaultKey>,
    frame: u32,
}

/// A first pass reads the targets and stores what it has read; a second one changes the entities.
pub struct TwoPasses {
    pending: Pending,
    seen: Vec<Seen>,
}

/// A list of all keys. Each entity is looked up twice: to read its targets, and to change it.
pub struct ByKey {
    pending: Pending,
    keys: Vec<DefaultKey>,
}

impl Pending {
    fn new(count: usize) -> Self {
        let (mut map, schedule) = (Map::with_capacity(count), Schedule::new(count));
        let board: Vec<_> =
            (0..count).map(|place| map.insert(Unit::first(place, DefaultKey::null(), &schedule))).collect();
        map.values_mut().for_each(|unit| unit.aim(&board));
        Pending { map, schedule, board, spawns: Vec::new(), despawns: Vec::new(), frame: 0 }
    }

    /// Despawns first, so that the spawns reuse warm slots and there are no holes.
    #[inline]
    fn end_frame(&mut self) {
        for key in self.despawns.drain(..) {
            self.map.remove(key);
        }
        for unit in self.spawns.drain(..) {
            self.board[unit.place as usize] = self.map.insert(unit);
        }
        self.frame += 1;
    }

    fn checksum(&self) -> (usize, u64) {
        (self.map.len(), self.map.values().fold(0, |sum, unit| sum.wrapping_add(unit.checksum())))
    }
}

/// Stores the outcome of a step for the end of the frame.
macro_rules! store {
    ($pending:ident, $key:expr, $outcome:expr) => {
        let Outcome { child, despawns } = $outcome;
        $pending.spawns.extend(child);
        if despawns {
            $pending.despawns.push($key);
        }
    };
}

#[inline]
fn look(map: &Map, unit: &Unit<DefaultKey>) -> Seen {
    unit.look(|target| Some(map.get(target)?.power))
}

impl TwoPasses {
    pub fn new(count: usize) -> Self {
        TwoPasses { pending: Pending::new(count), seen: Vec::new() }
    }
}

impl Frames for TwoPasses {
    #[inline(never)]
    fn frame(&mut self) {
        let pending = &mut self.pending;
        let now = Now { number: pending.frame, schedule: &pending.schedule, board: &pending.board };
        let map = &mut pending.map;
        self.seen.extend(map.values().map(|unit| look(map, unit)));
        for ((key, unit), seen) in map.iter_mut().zip(self.seen.drain(..)) {
            store!(pending, key, unit.step(seen, &now));
        }
        pending.end_frame();
    }

    fn checksum(&mut self) -> (usize, u64) {
        self.pending.checksum()
    }
}

impl ByKey {
    pub fn new(count: usize) -> Self {
        ByKey { pending: Pending::new(count), keys: Vec::new() }
    }
}

impl Frames for ByKey {
    #[inline(never)]
    fn frame(&mut self) {
        let pending = &mut self.pending;
        let now = Now { number: pending.frame, schedule: &pending.schedule, board: &pending.board };
        let map = &mut pending.map;
        self.keys.extend(map.keys());
        for key in self.keys.drain(..) {
            let seen = look(map, &map[key]);
            store!(pending, key, map[key].step(seen, &now));
        }
        pending.end_frame();
    }

    fn checksum(&mut self) -> (usize, u64) {
        self.pending.checksum()
    }
}
