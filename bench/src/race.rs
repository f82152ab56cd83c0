//! Races: several ways to do the same work, in interleaved rounds.

use crate::cells::count_label;
use crate::plan::Plan;
use crate::report::curve::{Curve, Line};
use crate::report::ratios;
use crate::report::sheet::{Grid, Row};
use crate::run::order;
use crate::stats::{Ratio, median};

/// A name, and a function that does the work once and returns nanoseconds per operation.
pub type Way = (&'static str, fn(&Plan) -> f64);

/// The figures of all ways for one number of values.
pub struct Race {
    pub count: usize,
    ways: Vec<&'static str>,
    /// One list of rounds per way.
    figures: Vec<Vec<f64>>,
}

impl Race {
    /// Runs every way once in every round.
    pub fn run(ways: &[Way], plan: &Plan, rounds: usize) -> Self {
        let mut figures = vec![Vec::new(); ways.len()];
        for round in 0..rounds {
            for way in order(ways.len(), round) {
                figures[way].push(ways[way].1(plan));
            }
        }
        Race { count: plan.count, ways: ways.iter().map(|way| way.0).collect(), figures }
    }

    /// Runs a race for each number of values.
    pub fn run_all(ways: &[Way], counts: &[usize], rounds: usize) -> Vec<Self> {
        counts.iter().map(|&count| Self::run(ways, &Plan::new(count), rounds)).collect()
    }

    /// Returns the time of `one` divided by the time of `other`.
    pub fn ratio(&self, one: &str, other: &str) -> Ratio {
        Ratio::of_rounds(&ratios(self.of(one), self.of(other)))
    }

    fn of(&self, way: &str) -> &[f64] {
        let index = self.ways.iter().position(|name| *name == way);
        &self.figures[index.expect("the race has a way of this name")]
    }

    pub fn label(&self) -> String {
        count_label(self.count)
    }

    fn row(&self) -> Row {
        Row::new(self.label(), self.figures.iter().map(|rounds| Some(median(rounds))).collect())
    }
}

/// Returns the medians as a table with one row per number of values, and one column per way.
pub fn grid(first: &str, races: &[Race]) -> Grid {
    let ways = races.first().map_or(&[][..], |race| &race.ways);
    let header: Vec<&str> = [first].into_iter().chain(ways.iter().copied()).collect();
    Grid::new(&header, races.iter().map(Race::row).collect())
}

/// Returns the medians as a plot with one line per way.
pub fn curve(name: impl Into<String>, title: impl Into<String>, races: &[Race]) -> Curve {
    let ways = races.first().map_or(&[][..], |race| &race.ways);
    let point = |race: &Race, way: &str| (race.count as f64, median(race.of(way)));
    let line = |way: &&str| Line { name: (*way).into(), points: races.iter().map(|race| point(race, way)).collect() };
    Curve { name: name.into(), title: title.into(), unit: "nanoseconds", lines: ways.iter().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_compared_round_by_round() {
        let ways: [Way; 2] = [("slow", |plan| plan.count as f64), ("fast", |plan| plan.count as f64 / 4.0)];
        let races = Race::run_all(&ways, &[100, 200], 3);
        assert_eq!(races[1].ratio("slow", "fast"), Ratio { middle: 4.0, low: 4.0, high: 4.0 });
        assert_eq!(grid("rows", &races).header, ["rows", "slow", "fast"]);
        assert_eq!(curve("c", "t", &races).lines[1].points, [(100.0, 25.0), (200.0, 50.0)]);
    }
}
