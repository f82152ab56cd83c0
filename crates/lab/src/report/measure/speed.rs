//! The containers compared, for operations that all of them have.
//!
//! In every round every container does everything once, and the median counts. For reliable
//! figures, and for peers, there is `cargo versus`.

use std::hint::black_box;
use std::time::Instant;

use fastrand::Rng;
use tenure::{DensePool, Pool, StablePool};

use super::Subject;
use crate::report::figures::median;

/// The operations, in the order of the columns.
pub(in crate::report) const WORK: [&str; 5] =
    ["insert", "get at random", "iterate, all live", "iterate, 1 % live", "remove one, insert one"];

/// The results.
pub(in crate::report) struct Speed {
    /// The number of values of 8 bytes.
    pub(in crate::report) count: usize,
    /// Each container's nanoseconds per value; `None` if it does not have the operation.
    pub(in crate::report) rows: Vec<(&'static str, [Option<f64>; WORK.len()])>,
}

/// Times all containers.
pub(super) fn measure(quick: bool) -> Speed {
    let (count, rounds) = if quick { (2_000, 3) } else { (100_000, 9) };
    let mut all: [Vec<[Option<f64>; WORK.len()]>; 4] = Default::default();
    for _ in 0..rounds {
        let figures =
            [round::<Pool<u64>>(count), round::<StablePool<u64>>(count), round::<DensePool<u64>>(count), vec(count)];
        all.iter_mut().zip(figures).for_each(|(rounds, figures)| rounds.push(figures));
    }
    let rows = ["Pool", "StablePool", "DensePool", "Vec, the limit"].into_iter().zip(&all);
    Speed { count, rows: rows.map(|(name, rounds)| (name, medians(rounds))).collect() }
}

fn medians(rounds: &[[Option<f64>; WORK.len()]]) -> [Option<f64>; WORK.len()] {
    std::array::from_fn(|work| {
        let figures: Vec<f64> = rounds.iter().filter_map(|round| round[work]).collect();
        (!figures.is_empty()).then(|| median(figures))
    })
}

fn round<P: Subject<u64>>(count: usize) -> [Option<f64>; WORK.len()] {
    let mut rng = Rng::with_seed(count as u64);
    let mut pool = P::default();
    let mut handles = Vec::with_capacity(count);
    let insert = time(count, || handles.extend((0..count as u64).map(|number| pool.add(number))));
    rng.shuffle(&mut handles);
    let get = time(count, || handles.iter().map(|&handle| pool.find(handle).copied().unwrap_or(0)).sum::<u64>());
    let iterate = time(count, || total(&pool));
    let reuse = time(count, || {
        for handle in &mut handles {
            pool.take_out(*handle);
            *handle = pool.add(1);
        }
    });
    let stay = count / 100;
    handles[stay..].iter().for_each(|&handle| pool.take_out(handle));
    let sparse = time(stay, || total(&pool));
    [insert, get, iterate, sparse, reuse].map(Some)
}

fn total(pool: &impl Subject<u64>) -> u64 {
    let mut total = 0_u64;
    pool.each(|value| total = total.wrapping_add(*value));
    total
}

fn vec(count: usize) -> [Option<f64>; WORK.len()] {
    let mut rng = Rng::with_seed(count as u64);
    let mut values = Vec::new();
    let insert = time(count, || (0..count as u64).for_each(|number| values.push(number)));
    let mut order: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut order);
    let get = time(count, || order.iter().map(|&place| values[place]).sum::<u64>());
    let iterate = time(count, || values.iter().sum::<u64>());
    [Some(insert), Some(get), Some(iterate), None, None]
}

/// Nanoseconds for each of `count`.
fn time<R>(count: usize, work: impl FnOnce() -> R) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_nanos() as f64 / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_container_runs_its_operations() {
        let speed = measure(true);
        let done: Vec<usize> = speed.rows.iter().map(|(_, figures)| figures.iter().flatten().count()).collect();
        assert_eq!(done, [5, 5, 5, 3]);
    }
}
