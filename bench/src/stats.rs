//! Medians and ratios with their intervals.
//!
//! A *ratio* is the time of a peer divided by the time of Tenure in the same round: above 1, Tenure
//! is faster. Rounds are compared instead of totals, because load from other programs slows down
//! all contenders of a round alike.
//!
//! * One cell: the median of the ratios of its rounds. The ends of the 90 % interval are two of the
//!   sorted ratios, chosen by the binomial distribution. It assumes nothing about the distribution
//!   of times.
//! * Several cells: the geometric mean of their medians. The 90 % interval is a bootstrap: the
//!   rounds of each cell are resampled [`RESAMPLES`] times with a fixed seed, and the interval is
//!   the middle 90 % of the means.

use fastrand::Rng;
use serde::Serialize;

/// The subject is behind if the whole interval of a ratio is below this. Ratios closer to 1 are a
/// tie.
pub const TIE: f64 = 0.95;
/// The share of the figures that an interval leaves out on either side.
const TAIL: f64 = 0.05;
const RESAMPLES: usize = 1_000;
const SEED: u64 = 0x0b00_7577_a900_0001;

/// A ratio with its 90 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    pub middle: f64,
    pub low: f64,
    pub high: f64,
}

impl Ratio {
    /// Returns `true` if the whole interval is below [`TIE`].
    pub fn behind(self) -> bool {
        self.high < TIE
    }

    /// Returns the median of the rounds of one cell.
    pub fn of_rounds(rounds: &[f64]) -> Self {
        let mut sorted = rounds.to_vec();
        sorted.sort_by(f64::total_cmp);
        let outside = ranks_outside(sorted.len());
        Ratio { middle: median(rounds), low: sorted[outside], high: sorted[sorted.len() - 1 - outside] }
    }

    /// Returns the geometric mean of the medians of several cells. `None` if there are no cells.
    pub fn of_cells(cells: &[&[f64]]) -> Option<Self> {
        if cells.is_empty() {
            return None;
        }
        let mut rng = Rng::with_seed(SEED);
        let mut means: Vec<f64> =
            (0..RESAMPLES).map(|_| mean_of_medians(cells, |cell| draw(cell, &mut rng))).collect();
        means.sort_by(f64::total_cmp);
        let outside = (RESAMPLES as f64 * TAIL) as usize;
        let middle = mean_of_medians(cells, <[f64]>::to_vec);
        Some(Ratio { middle, low: means[outside], high: means[RESAMPLES - 1 - outside] })
    }
}

pub fn median(figures: &[f64]) -> f64 {
    middle_of(figures.to_vec())
}

fn middle_of(mut figures: Vec<f64>) -> f64 {
    let even = figures.len().is_multiple_of(2);
    let half = figures.len() / 2;
    let (below, &mut upper, _) = figures.select_nth_unstable_by(half, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp) {
        Some(lower) if even => f64::midpoint(lower, upper),
        _ => upper,
    }
}

/// Returns how many of `rounds` sorted figures are outside the interval on either side: the most
/// for which the true median is beyond that end with a probability of at most 5 %. With fewer than
/// five rounds it is 0, and the interval is too narrow.
fn ranks_outside(rounds: usize) -> usize {
    // The probability that exactly `rank` figures are below the median.
    let mut chance = 0.5_f64.powi(rounds as i32);
    let mut below = chance;
    let mut rank = 0;
    while below <= TAIL {
        rank += 1;
        chance *= (rounds - rank + 1) as f64 / rank as f64;
        below += chance;
    }
    rank.saturating_sub(1)
}

/// Returns a resample of the rounds: the same number, drawn with replacement.
fn draw(rounds: &[f64], rng: &mut Rng) -> Vec<f64> {
    (0..rounds.len()).map(|_| rounds[rng.usize(..rounds.len())]).collect()
}

fn mean_of_medians(cells: &[&[f64]], mut rounds: impl FnMut(&[f64]) -> Vec<f64>) -> f64 {
    let logarithms: f64 = cells.iter().map(|cell| middle_of(rounds(cell)).ln()).sum();
    (logarithms / cells.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
    }

    /// The expected ranks are from tables of the sign test at 5 % on either side: the rank of the
    /// figure at which the interval starts.
    #[test]
    fn interval_ranks_match_the_sign_test() {
        for (rounds, first) in [(1, 1), (4, 1), (5, 1), (8, 2), (15, 4), (20, 6), (21, 7), (25, 8), (51, 20)] {
            assert_eq!(ranks_outside(rounds) + 1, first, "{rounds} rounds");
        }
    }

    #[test]
    fn interval_of_one_cell() {
        let rounds: Vec<f64> = (1..=21).map(f64::from).rev().collect();
        assert_eq!(Ratio::of_rounds(&rounds), Ratio { middle: 11.0, low: 7.0, high: 15.0 });
    }

    #[test]
    fn all_cells_have_the_same_weight() {
        let ratio = Ratio::of_cells(&[&[2.0; 9], &[0.5; 9]]).unwrap();
        assert!(close(ratio.middle, 1.0) && close(ratio.low, 1.0) && close(ratio.high, 1.0));
        assert_eq!(Ratio::of_cells(&[]), None);
    }

    #[test]
    fn the_bootstrap_interval_contains_the_mean() {
        let rounds: Vec<f64> = (0..21).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        let ratio = Ratio::of_cells(&[&rounds]).unwrap();
        assert!(ratio.low < ratio.middle && ratio.middle < ratio.high);
        assert!(ratio.low > 1.0 && ratio.high < 1.2);
    }

    #[test]
    fn behind_only_if_the_whole_interval_is() {
        assert!(Ratio { middle: 0.9, low: 0.8, high: 0.94 }.behind());
        assert!(!Ratio { middle: 0.9, low: 0.8, high: 0.96 }.behind());
    }
}
