//! What an entity does in a frame: written once, for every container.
//!
//! All containers must do the same work though each walks in an order of its own. So nothing here
//! depends on the order: an entity reads of others only what never changes, and changes itself; who
//! dies and who is born when is drawn beforehand.

use fastrand::Rng;

const SEED: u64 = 0x7e17_0e5e_ed00_0002;
/// In so many frames everybody dies once, and a successor takes the place.
pub const SEASON: u32 = 20;
/// After so many seasons the draws come again.
const SEASONS: usize = 8;

/// What others see of an entity, one per target; `None` if the target is dead.
pub type Seen = [Option<u32>; 2];

/// An entity of 64 bytes that refers to two others.
///
/// What others read is in the middle: some containers keep a word before the value and some behind
/// it, and it decides about a line of memory how far that is.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Unit<H> {
    targets: [H; 2],
    state: u64,
    dies: u32,
    /// Never changes.
    pub power: u32,
    /// Which of so many it is. Its successor has the same place.
    pub place: u32,
    bears: u32,
    _rest: [u64; 3],
}

/// What is drawn beforehand: the frame of each season in which the one at a place dies.
pub struct Fates {
    count: u32,
    deaths: Vec<[u8; SEASONS]>,
}

/// What a frame gives an entity to go by.
pub struct Now<'a, H> {
    pub number: u32,
    pub fates: &'a Fates,
    /// Who is at which place, as of the last frame.
    pub board: &'a [H],
}

/// What comes of an entity's frame.
pub struct Deeds<H> {
    pub child: Option<Unit<H>>,
    pub dies: bool,
}

impl Fates {
    pub fn new(count: usize) -> Self {
        assert!(count.is_multiple_of(SEASON as usize), "as many die in every frame");
        let mut rng = Rng::with_seed(SEED);
        let in_turn: Vec<u8> = (0..count).map(|nth| (nth % SEASON as usize) as u8).collect();
        let draws: [Vec<u8>; SEASONS] = std::array::from_fn(|_| {
            let mut draw = in_turn.clone();
            rng.shuffle(&mut draw);
            draw
        });
        let deaths = (0..count).map(|place| std::array::from_fn(|season| draws[season][place])).collect();
        Fates { count: count as u32, deaths }
    }

    /// The first frame from `frame` on in which the one at a place dies.
    fn death(&self, place: u32, frame: u32) -> u32 {
        let of = |season: u32| season * SEASON + u32::from(self.deaths[place as usize][season as usize % SEASONS]);
        let this = of(frame / SEASON);
        if this >= frame { this } else { of(frame / SEASON + 1) }
    }

    /// Whose successor the one at a place bears: somebody far away.
    fn heir(&self, place: u32) -> u32 {
        (place + self.count / 2) % self.count
    }
}

impl<H: Copy> Unit<H> {
    /// Somebody at a place, whose life begins with a frame.
    #[inline]
    fn new(place: u32, frame: u32, fates: &Fates, board: &[H]) -> Self {
        let state = mix((u64::from(frame) << 32) | u64::from(place));
        Unit {
            targets: [other(place, state, board), other(place, state.rotate_left(32), board)],
            state,
            power: state as u32,
            place,
            dies: fates.death(place, frame),
            bears: fates.death(fates.heir(place), frame),
            _rest: [0; 3],
        }
    }

    /// The first ones, whose targets are nobody yet.
    pub fn first(place: usize, nobody: H, fates: &Fates) -> Self {
        Self::new(place as u32, 0, fates, &[nobody])
    }

    /// Now that everybody is on the board.
    pub fn aim(&mut self, board: &[H]) {
        self.targets = [other(self.place, self.state, board), other(self.place, self.state.rotate_left(32), board)];
    }

    /// Looks at both targets. (`map` of an array may stay a call, and did so for some containers
    /// only.)
    #[inline(always)]
    pub fn look(&self, look: impl Fn(H) -> Option<u32>) -> Seen {
        [look(self.targets[0]), look(self.targets[1])]
    }

    /// One frame. One of four stale targets is replaced.
    #[inline(always)]
    pub fn step(&mut self, seen: Seen, now: &Now<'_, H>) -> Deeds<H> {
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
        Deeds { child: (self.bears == now.number).then(|| self.bear(now)), dies: self.dies == now.number }
    }

    #[inline(never)]
    fn bear(&mut self, now: &Now<'_, H>) -> Self {
        let heir = now.fates.heir(self.place);
        self.bears = now.fates.death(heir, now.number + 1);
        Self::new(heir, now.number + 1, now.fates, now.board)
    }

    /// The same for all containers whatever the order of the sum.
    pub fn checksum(&self) -> u64 {
        mix(self.state ^ (u64::from(self.place) << 32))
    }
}

/// Anybody on the board but the one at a place.
#[inline]
fn other<H: Copy>(place: u32, random: u64, board: &[H]) -> H {
    let any = (((random >> 32) * board.len() as u64) >> 32) as usize;
    let any = if any == place as usize { any + 1 } else { any };
    board[if any < board.len() { any } else { 0 }]
}

/// Splitmix64: a number that looks random.
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
    fn in_every_frame_one_in_twenty_dies() {
        let fates = Fates::new(200);
        for frame in 0..100 {
            let dying = (0..200).filter(|&place| fates.death(place, frame) == frame);
            assert_eq!(dying.count(), 10, "frame {frame}");
        }
    }

    #[test]
    fn nobody_aims_at_itself() {
        let board: Vec<u32> = (0..3).collect();
        assert!((0..3).all(|place| (0..100).all(|seed| other(place, mix(seed), &board) != place)));
    }
}
