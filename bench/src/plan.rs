//! The random choices of a cell, made once, so that they are the same for all contenders.

use fastrand::Rng;

const SEED: u64 = 0x7e17_0e5e_ed00_0001;
const LEAST_COINS: usize = 1 << 16;

/// The random choices for `count` values.
pub struct Plan {
    pub count: usize,
    /// The numbers below `count` in random order.
    pub shuffle: Vec<u32>,
    /// A random `bool` per value, and at least [`LEAST_COINS`], so that a branch predictor cannot
    /// learn the sequence.
    pub coins: Vec<bool>,
}

impl Plan {
    pub fn new(count: usize) -> Self {
        let mut rng = Rng::with_seed(SEED);
        let mut shuffle: Vec<u32> = (0..count as u32).collect();
        rng.shuffle(&mut shuffle);
        let coins = (0..count.max(LEAST_COINS)).map(|_| rng.bool()).collect();
        Plan { count, shuffle, coins }
    }

    /// Returns `items` in random order.
    pub fn shuffled<H: Copy>(&self, items: &[H]) -> Vec<H> {
        self.shuffle.iter().map(|&i| items[i as usize]).collect()
    }

    /// Chooses `survivors` of the values at random. Returns for each value whether it is chosen.
    pub fn alive(&self, survivors: usize) -> Vec<bool> {
        let mut alive = vec![false; self.count];
        for &i in &self.shuffle[..survivors] {
            alive[i as usize] = true;
        }
        alive
    }
}
