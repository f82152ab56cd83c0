//! The step of an entity in a frame: written once, for all containers.
//!
//! All containers must do the same work, and each iterates in an order of its own. So nothing here
//! depends on the order: an entity changes only itself, and reads of other entities only what never
//! changes. The frames of spawns and despawns are drawn beforehand.

use fastrand::Rng;

const SEED: u64 = 0x7e17_0e5e_ed00_0002;
/// The frames of a period. In each period, the entity of every place is despawned once, and
/// replaced.
pub const PERIOD: u32 = 20;
/// The number of periods after which the schedule repeats.
const PERIODS: usize = 8;

/// What an entity has read of its two targets. `None` if a target does not resolve.
pub type Seen = [Option<u32>; 2];

/// An entity of 64 bytes that refers to two others.
///
/// The field that other entities read is in the middle: some containers keep a word before the
/// value, and some after it. The distance to this word decides whether it is in the same cache
/// line.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Unit<H> {
    targets: [H; 2],
    state: u64,
    /// The frame in which it is despawned.
    despawns_in: u32,
    /// Read by other entities. Never changes.
    pub power: u32,
    /// Its index on the board. Its successor has the same one.
    pub place: u32,
    /// The next frame in which it spawns an entity.
    spawns_in: u32,
    _rest: [u64; 3],
}

/// When entities are despawned, drawn beforehand: for each place, one frame of each period.
pub struct Schedule {
    count: u32,
    despawns: Vec<[u8; PERIODS]>,
}

/// The state of the frame that a step needs.
pub struct Now<'a, H> {
    pub number: u32,
    pub schedule: &'a Schedule,
    /// The entity of each place, as of the last frame.
    pub board: &'a [H],
}

/// The outcome of a step.
pub struct Outcome<H> {
    /// The entity to spawn.
    pub child: Option<Unit<H>>,
    /// Whether the entity itself is to be despawned.
    pub despawns: bool,
}

impl Schedule {
    pub fn new(count: usize) -> Self {
        assert!(count.is_multiple_of(PERIOD as usize), "every frame must despawn the same number of entities");
        let mut rng = Rng::with_seed(SEED);
        let in_turn: Vec<u8> = (0..count).map(|nth| (nth % PERIOD as usize) as u8).collect();
        let draws: [Vec<u8>; PERIODS] = std::array::from_fn(|_| {
            let mut draw = in_turn.clone();
            rng.shuffle(&mut draw);
            draw
        });
        let despawns = (0..count).map(|place| std::array::from_fn(|period| draws[period][place])).collect();
        Schedule { count: count as u32, despawns }
    }

    /// Returns the first frame, from `frame` on, in which the entity of a place is despawned.
    fn next_despawn(&self, place: u32, frame: u32) -> u32 {
        let of = |period: u32| period * PERIOD + u32::from(self.despawns[place as usize][period as usize % PERIODS]);
        let this = of(frame / PERIOD);
        if this >= frame { this } else { of(frame / PERIOD + 1) }
    }

    /// Returns the place for which the entity of `place` spawns the successors: one far away.
    fn place_of_child(&self, place: u32) -> u32 {
        (place + self.count / 2) % self.count
    }
}

impl<H: Copy> Unit<H> {
    /// Creates the entity of a place, which is live from `frame` on.
    #[inline]
    fn new(place: u32, frame: u32, schedule: &Schedule, board: &[H]) -> Self {
        let state = mix((u64::from(frame) << 32) | u64::from(place));
        Unit {
            targets: [other(place, state, board), other(place, state.rotate_left(32), board)],
            state,
            power: state as u32,
            place,
            despawns_in: schedule.next_despawn(place, frame),
            spawns_in: schedule.next_despawn(schedule.place_of_child(place), frame),
            _rest: [0; 3],
        }
    }

    /// Creates an entity of the first frame. Its targets are nil until [`aim`](Self::aim) is
    /// called.
    pub fn first(place: usize, nil: H, schedule: &Schedule) -> Self {
        Self::new(place as u32, 0, schedule, &[nil])
    }

    /// Sets the targets of an entity of the first frame, after all of them have been put on the
    /// board.
    pub fn aim(&mut self, board: &[H]) {
        self.targets = [other(self.place, self.state, board), other(self.place, self.state.rotate_left(32), board)];
    }

    /// Reads both targets. (Without `map` of the array, which was inlined for some containers and
    /// not for others.)
    #[inline(always)]
    pub fn look(&self, look: impl Fn(H) -> Option<u32>) -> Seen {
        [look(self.targets[0]), look(self.targets[1])]
    }

    /// Does the step of a frame. One in four stale targets is replaced.
    #[inline(always)]
    pub fn step(&mut self, seen: Seen, now: &Now<'_, H>) -> Outcome<H> {
        for (target, seen) in self.targets.iter_mut().zip(seen) {
            if let Some(power) = seen {
                self.state = self.state.rotate_left(5).wrapping_add(u64::from(power));
            } else {
                self.state = mix(self.state);
                if self.state.is_multiple_of(4) {
                    *target = other(self.place, self.state, now.board);
                }
            }
        }
        Outcome {
            child: (self.spawns_in == now.number).then(|| self.child(now)),
            despawns: self.despawns_in == now.number,
        }
    }

    #[inline(never)]
    fn child(&mut self, now: &Now<'_, H>) -> Self {
        let place = now.schedule.place_of_child(self.place);
        self.spawns_in = now.schedule.next_despawn(place, now.number + 1);
        Self::new(place, now.number + 1, now.schedule, now.board)
    }

    /// Returns a number whose sum over all entities is the same for all containers.
    pub fn checksum(&self) -> u64 {
        mix(self.state ^ (u64::from(self.place) << 32))
    }
}

/// Returns a random entity of the board other than that of a place.
#[inline]
fn other<H: Copy>(place: u32, random: u64, board: &[H]) -> H {
    let any = (((random >> 32) * board.len() as u64) >> 32) as usize;
    let any = if any == place as usize { any + 1 } else { any };
    board[if any < board.len() { any } else { 0 }]
}

/// Mixes the bits of a number, like `SplitMix64`.
#[inline]
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_has_64_bytes() {
        assert_eq!(size_of::<Unit<u64>>(), 64);
    }

    #[test]
    fn every_frame_despawns_one_in_twenty() {
        let schedule = Schedule::new(200);
        for frame in 0..100 {
            let despawned = (0..200).filter(|&place| schedule.next_despawn(place, frame) == frame);
            assert_eq!(despawned.count(), 10, "frame {frame}");
        }
    }

    #[test]
    fn no_entity_targets_itself() {
        let board: Vec<u32> = (0..3).collect();
        assert!((0..3).all(|place| (0..100).all(|seed| other(place, mix(seed), &board) != place)));
    }
}
