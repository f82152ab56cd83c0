//! The frame with `SlotMap` and two lists of what to do at its end. While one value is changed no
//! other can be looked at, so there are two ways to write it, and both are measured.

use slotmap::{DefaultKey, Key, SlotMap};

use super::frame::Frames;
use super::unit::{Deeds, Fates, Now, Seen, Unit};

type Map = SlotMap<DefaultKey, Unit<DefaultKey>>;

struct Pending {
    map: Map,
    fates: Fates,
    board: Vec<DefaultKey>,
    births: Vec<Unit<DefaultKey>>,
    deaths: Vec<DefaultKey>,
    frame: u32,
}

/// One walk looks at the others and notes what it has seen; a second one changes.
pub struct TwoPasses {
    pending: Pending,
    seen: Vec<Seen>,
}

/// A list of all keys, and each is looked up: to read its targets, and again to change it.
pub struct ByKey {
    pending: Pending,
    keys: Vec<DefaultKey>,
}

impl Pending {
    fn new(count: usize) -> Self {
        let (mut map, fates) = (Map::with_capacity(count), Fates::new(count));
        let board: Vec<_> =
            (0..count).map(|place| map.insert(Unit::first(place, DefaultKey::null(), &fates))).collect();
        map.values_mut().for_each(|unit| unit.aim(&board));
        Pending { map, fates, board, births: Vec::new(), deaths: Vec::new(), frame: 0 }
    }

    /// Deaths first, so that births find warm slots and there are no holes.
    #[inline]
    fn end_frame(&mut self) {
        for key in self.deaths.drain(..) {
            self.map.remove(key);
        }
        for unit in self.births.drain(..) {
            self.board[unit.place as usize] = self.map.insert(unit);
        }
        self.frame += 1;
    }

    fn checksum(&self) -> (usize, u64) {
        (self.map.len(), self.map.values().fold(0, |sum, unit| sum.wrapping_add(unit.checksum())))
    }
}

/// Notes what comes of a unit's frame for the end of it.
macro_rules! note {
    ($pending:ident, $key:expr, $deeds:expr) => {
        let Deeds { child, dies } = $deeds;
        $pending.births.extend(child);
        if dies {
            $pending.deaths.push($key);
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
        let now = Now { number: pending.frame, fates: &pending.fates, board: &pending.board };
        let map = &mut pending.map;
        self.seen.extend(map.values().map(|unit| look(map, unit)));
        for ((key, unit), seen) in map.iter_mut().zip(self.seen.drain(..)) {
            note!(pending, key, unit.step(seen, &now));
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
        let now = Now { number: pending.frame, fates: &pending.fates, board: &pending.board };
        let map = &mut pending.map;
        self.keys.extend(map.keys());
        for key in self.keys.drain(..) {
            let seen = look(map, &map[key]);
            note!(pending, key, map[key].step(seen, &now));
        }
        pending.end_frame();
    }

    fn checksum(&mut self) -> (usize, u64) {
        self.pending.checksum()
    }
}
