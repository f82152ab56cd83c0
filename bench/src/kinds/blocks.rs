//! The worst of many timings, per block of steps: small enough to pass to another process, and
//! detailed enough to compare runs.
//!
//! A step does the same work in every run, and other programs disturb other steps in each run. So
//! the minimum over all runs, block by block, is the time of the work itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The worst step of each block, in nanoseconds. The first blocks are single steps; after that,
/// every power of two has 1,024 blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks(Vec<u32>);

const FINE: u32 = 10;

/// Returns the block of step number `count` (from 1).
fn block(count: usize) -> usize {
    let power = count.ilog2().saturating_sub(FINE);
    ((power as usize) << FINE) + (count >> power)
}

/// Returns the power of two that a block belongs to.
fn power_of(block: usize) -> u32 {
    let whole = (block >> FINE).saturating_sub(1) as u32;
    whole + (block - ((whole as usize) << FINE)).ilog2()
}

impl Blocks {
    /// Records the time of step number `count` (from 1). Steps are recorded in order.
    #[inline]
    pub fn note(&mut self, count: usize, took: Duration) {
        let block = block(count);
        if block >= self.0.len() {
            self.0.resize(block + 1, 0);
        }
        let worst = &mut self.0[block];
        *worst = (*worst).max(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
    }

    /// Creates blocks with room for `count` steps, so that nothing is allocated between timings.
    pub fn for_steps(count: usize) -> Self {
        Blocks(Vec::with_capacity(block(count) + 1))
    }

    /// Returns the worst step, in microseconds.
    pub fn worst(&self) -> Option<f64> {
        self.0.iter().max().map(|&worst| f64::from(worst) / 1e3)
    }

    /// Returns the minimum of each block over several runs.
    pub fn least(runs: &[&Blocks]) -> Blocks {
        let (first, others) = runs.split_first().expect("there is at least one run");
        let least = |(nth, &worst): (usize, &u32)| others.iter().map(|run| run.0[nth]).fold(worst, u32::min);
        Blocks(first.0.iter().enumerate().map(least).collect())
    }

    /// Returns the worst step within each power of two, in microseconds, and the end of that range.
    pub fn curve(&self) -> Vec<(f64, f64)> {
        let mut curve: Vec<(f64, f64)> = Vec::new();
        for (block, &worst) in self.0.iter().enumerate().skip(1) {
            let (end, worst) = (f64::from(power_of(block) + 1).exp2(), f64::from(worst.max(1)) / 1e3);
            match curve.last_mut() {
                Some(last) if last.0 == end => last.1 = last.1.max(worst),
                _ => curve.push((end, worst)),
            }
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_one_another() {
        let mut last = 0;
        for count in 1..100_000 {
            let block = block(count);
            assert!(block == last || block == last + 1, "{count}");
            assert_eq!(power_of(block), count.ilog2(), "{count}");
            last = block;
        }
    }

    fn run(worst: [(usize, u64); 2]) -> Blocks {
        let mut blocks = Blocks::for_steps(5_000);
        for count in 1..=5_000 {
            let slow = worst.iter().find(|(at, _)| *at == count);
            blocks.note(count, Duration::from_nanos(slow.map_or(30, |(_, took)| *took)));
        }
        blocks
    }

    #[test]
    fn only_steps_that_are_slow_in_every_run_stay() {
        let (a, b) = (run([(4_097, 9_000), (100, 50_000)]), run([(4_097, 8_000), (3_000, 70_000)]));
        assert_eq!((a.worst(), b.worst()), (Some(50.0), Some(70.0)));
        let least = Blocks::least(&[&a, &b]);
        assert_eq!(least.worst(), Some(8.0));
        assert_eq!(least.curve().last(), Some(&(8_192.0, 8.0)));
        assert_eq!(least.curve()[0], (2.0, 0.03));
    }
}
