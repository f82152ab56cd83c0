//! The time of single insertions while a container grows from zero.
//!
//! This is repeated, and the best time of each insertion counts: an insertion that is slow every
//! time is slow by itself, and not because another program ran. Of these, the slowest within each
//! doubling is recorded.

use std::hint::black_box;
use std::time::Instant;

use tenure::{Pool, StablePool};

use super::Fill;
use crate::report::figures::median;

/// The end of the first block: smaller sizes show nothing about growth.
const FIRST: usize = 64;

/// Containers that grow with one kind of value.
pub(in crate::report) struct Growth {
    /// A description of the values.
    pub(in crate::report) values: &'static str,
    /// The final number of values.
    pub(in crate::report) count: usize,
    /// One for each container.
    pub(in crate::report) lines: Vec<Line>,
}

/// One container.
pub(in crate::report) struct Line {
    /// Its name.
    pub(in crate::report) name: &'static str,
    /// The number of values at the end of a block, and the nanoseconds of its slowest insertion.
    pub(in crate::report) points: Vec<(f64, f64)>,
    /// The nanoseconds of all insertions together, without reading the clock in between.
    pub(in crate::report) total: f64,
}

impl Line {
    /// The slowest insertion of all.
    pub(in crate::report) fn worst(&self) -> f64 {
        self.points.iter().map(|point| point.1).fold(0.0, f64::max)
    }
}

/// A value of 64 bytes.
trait Value {
    fn new(number: u64) -> Self;
}

impl Value for [u64; 8] {
    fn new(number: u64) -> Self {
        [number; 8]
    }
}

/// As above, at the start of a cache line.
#[repr(align(64))]
#[expect(dead_code, reason = "it is only moved")]
struct Aligned([u64; 8]);

impl Value for Aligned {
    fn new(number: u64) -> Self {
        Self([number; 8])
    }
}

/// Both kinds of values.
pub(super) fn measure(quick: bool) -> Vec<Growth> {
    let (count, rounds) = if quick { (20_000, 2) } else { (1_000_000, 5) };
    vec![
        grow::<[u64; 8]>("64 bytes each", count, rounds),
        grow::<Aligned>("64 bytes each, aligned to 64", count, rounds),
    ]
}

fn grow<T: Value>(values: &'static str, count: usize, rounds: usize) -> Growth {
    let mut runs = [Runs::new::<StablePool<T>, T>(), Runs::new::<Pool<T>, T>(), Runs::new::<Vec<T>, T>()];
    for _ in 0..rounds {
        runs.iter_mut().for_each(|runs| runs.once_more(count));
    }
    Growth { values, count, lines: runs.into_iter().map(Runs::line).collect() }
}

/// The results of several runs of one container.
struct Runs {
    name: &'static str,
    time: fn(&mut [u32]),
    total: fn(usize) -> f64,
    /// The best time of each insertion, in nanoseconds.
    best: Vec<u32>,
    totals: Vec<f64>,
}

impl Runs {
    fn new<C: Fill<T>, T: Value>() -> Self {
        Self { name: C::NAME, time: time::<C, T>, total: total::<C, T>, best: Vec::new(), totals: Vec::new() }
    }

    fn once_more(&mut self, count: usize) {
        self.best.resize(count, u32::MAX);
        (self.time)(&mut self.best);
        self.totals.push((self.total)(count));
    }

    fn line(self) -> Line {
        let ends = block_ends(self.best.len());
        let starts = [0].into_iter().chain(ends.iter().copied());
        let slowest = |(start, end): (usize, &usize)| self.best[start..*end].iter().copied().max().unwrap_or(0);
        let points = starts.zip(&ends).map(|block| (*block.1 as f64, slowest(block).into())).collect();
        Line { name: self.name, points, total: median(self.totals) }
    }
}

/// The ends of blocks: each time the container has doubled, and at `count`.
fn block_ends(count: usize) -> Vec<usize> {
    let doublings = (0..).map(|nth| FIRST << nth);
    doublings.take_while(|&end| end < count).chain([count]).collect()
}

/// Fills a new container and records times that are better than before.
fn time<C: Fill<T>, T: Value>(best: &mut [u32]) {
    let mut container = C::default();
    let mut before = Instant::now();
    for (number, best) in best.iter_mut().enumerate() {
        container.put(T::new(number as u64));
        let now = Instant::now();
        let took = u32::try_from(now.duration_since(before).as_nanos()).unwrap_or(u32::MAX);
        *best = took.min(*best);
        before = now;
    }
    drop(black_box(container));
}

/// Fills a new container without reading the clock in between.
fn total<C: Fill<T>, T: Value>(count: usize) -> f64 {
    let start = Instant::now();
    let mut container = C::default();
    (0..count as u64).for_each(|number| container.put(T::new(number)));
    let took = start.elapsed();
    drop(black_box(container));
    took.as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_double_up_to_the_count() {
        assert_eq!(block_ends(300), [64, 128, 256, 300]);
        assert_eq!(block_ends(10), [10]);
    }

    #[test]
    fn the_slowest_of_each_block_counts() {
        let mut runs = Runs::new::<Vec<[u64; 8]>, [u64; 8]>();
        runs.best = (1..=100).collect();
        runs.totals = vec![3.0, 1.0, 2.0];
        let line = runs.line();
        assert_eq!(line.points, [(64.0, 64.0), (100.0, 100.0)]);
        assert_eq!((line.worst(), line.total), (100.0, 2.0));
    }

    #[test]
    fn single_slow_runs_do_not_count() {
        let mut runs = Runs::new::<Vec<[u64; 8]>, [u64; 8]>();
        runs.best = vec![7, u32::MAX];
        runs.once_more(2);
        assert!(runs.best[0] <= 7 && runs.best[1] < u32::MAX);
    }

    #[test]
    fn every_container_has_every_block() {
        for growth in measure(true) {
            assert_eq!(growth.lines.len(), 3);
            assert!(growth.lines.iter().all(|line| line.points.len() == block_ends(growth.count).len()));
        }
    }
}
