//! Runs cells: every contender once in every round, in an order that changes from round to round.

use std::collections::HashMap;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cells::Cell;
use crate::contenders::Entry;
use crate::operation::Unit;
use crate::plan::Plan;

/// The figures of a cell: one per contender and round. Empty for contenders that do not support the
/// operation.
pub struct Measured {
    pub cell: Cell,
    pub figures: Vec<Vec<f64>>,
}

pub fn run(cells: &[Cell], contenders: &[Entry], rounds: usize) -> Vec<Measured> {
    let bar = progress(cells, rounds);
    let mut plans = HashMap::new();
    let measured = cells.iter().map(|&cell| {
        bar.set_message(cell.label());
        let plan = plans.entry(cell.count).or_insert_with(|| Plan::new(cell.count));
        measure(cell, plan, contenders, rounds_of(cell, rounds), &bar)
    });
    let measured = measured.collect();
    bar.finish_and_clear();
    measured
}

fn measure(cell: Cell, plan: &Plan, contenders: &[Entry], rounds: usize, bar: &ProgressBar) -> Measured {
    let mut figures = vec![Vec::new(); contenders.len()];
    for round in 0..rounds {
        for contender in order(contenders.len(), round) {
            figures[contender].extend(contenders[contender].measure(cell, plan));
        }
        bar.inc(1);
    }
    Measured { cell, figures }
}

/// Returns the order of the contenders in a round. The first one rotates, and every other round is
/// reversed, so that no contender always runs after the same one, with its caches and its heap.
pub fn order(contenders: usize, round: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..contenders).collect();
    if round % 2 == 1 {
        order.reverse();
    }
    let first = order.iter().position(|&contender| contender == round % contenders);
    order.rotate_left(first.unwrap_or(0));
    order
}

/// Returns the number of rounds of a cell. Bytes are the same in every round: one is enough.
fn rounds_of(cell: Cell, rounds: usize) -> usize {
    if cell.operation.unit() == Unit::Bytes { 1 } else { rounds }
}

/// Creates the progress bar. This thread draws it between rounds, so that nothing else runs during
/// the work.
fn progress(cells: &[Cell], rounds: usize) -> ProgressBar {
    let total: usize = cells.iter().map(|&cell| rounds_of(cell, rounds)).sum();
    let style = ProgressStyle::with_template("{elapsed:>4} {wide_bar} {pos}/{len} rounds, {eta} left  {msg:36}");
    ProgressBar::new(total as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contender_runs_once_a_round() {
        for round in 0..20 {
            let mut order = order(8, round);
            order.sort_unstable();
            assert_eq!(order, (0..8).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_contender_comes_first_and_last() {
        for place in [0, 7] {
            let there: std::collections::HashSet<_> = (0..16).map(|round| order(8, round)[place]).collect();
            assert_eq!(there.len(), 8, "place {place}");
        }
    }
}
