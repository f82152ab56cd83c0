//! `StablePool` against `Pool`: the cost of stable addresses.

use crate::cells::{Cell, MILLION, Size, count_label};
use crate::contender::Role;
use crate::contenders::{Entry, with_stable_pool};
use crate::operation::Operation;
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::run::{Measured, run};
use crate::stats::{Ratio, median};

const SIZES: [Size; 2] = [Size::B8, Size::B64];
/// The indices of the two pools in [`with_stable_pool`].
const STABLE: usize = 0;
const POOL: usize = 1;

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let entries = with_stable_pool();
    let both = run(&cells(quick), &entries[..=POOL], rounds);
    let insert = Cell { operation: Operation::InsertGrowing, size: Size::B64, count: most(quick) };
    let growing = run(&[insert], &entries, rounds);
    let findings = both.iter().map(against_pool).chain(growing.iter().flat_map(|m| against_peers(m, &entries)));
    Sheet {
        title: "StablePool against Pool",
        about: format!(
            "Medians of {rounds} interleaved rounds, nanoseconds per value. Ratio: StablePool over Pool; for inserts, \
             a peer over StablePool. Intervals are 90 % intervals."
        ),
        findings: findings.collect(),
        grids: vec![table(&both), growing_table(&growing, &entries)],
        ..Sheet::default()
    }
}

fn most(quick: bool) -> usize {
    if quick { 10_000 } else { MILLION }
}

fn cells(quick: bool) -> Vec<Cell> {
    use Operation::*;
    let iterations =
        [IterateFor, IterateFold, IterateMutable, IterateMutableFold, IterateHalf, IterateTenth, IterateHundredth];
    let mut cells = Vec::new();
    for size in SIZES {
        let counts = [1_000, 10_000, MILLION].into_iter().filter(|&count| count <= most(quick));
        cells.extend(counts.map(|count| Cell { operation: GetAtRandom, size, count }));
        cells.extend(iterations.map(|operation| Cell { operation, size, count: most(quick) }));
    }
    cells
}

/// Returns the target of the ratio.
fn bound(cell: Cell) -> Bound {
    use Operation::*;
    match cell.operation {
        GetAtRandom if cell.count < MILLION => Bound::AtMost(2.0),
        GetAtRandom => Bound::AtMost(1.4),
        IterateHalf | IterateTenth | IterateHundredth => Bound::AtMost(1.3),
        _ => Bound::AtMost(1.2),
    }
}

fn against_pool(measured: &Measured) -> Finding {
    let rounds = ratios(&measured.figures[STABLE], &measured.figures[POOL]);
    Finding::new(measured.cell.label(), Ratio::of_rounds(&rounds), bound(measured.cell))
}

/// Returns the findings of growing: every other container with handles must be slower.
fn against_peers<'a>(measured: &'a Measured, entries: &'a [Entry]) -> impl Iterator<Item = Finding> + 'a {
    let peers = (POOL..entries.len()).filter(|&peer| matches!(entries[peer].role, Role::Rival | Role::Shown));
    peers.map(|peer| {
        let rounds = ratios(&measured.figures[peer], &measured.figures[STABLE]);
        let what = format!("{}: {} over StablePool", measured.cell.label(), entries[peer].name);
        Finding::new(what, Ratio::of_rounds(&rounds), Bound::AtLeast(1.0))
    })
}

fn table(both: &[Measured]) -> Grid {
    let row = |m: &Measured| {
        Row::new(m.cell.label(), vec![Some(median(&m.figures[STABLE])), Some(median(&m.figures[POOL]))])
    };
    Grid::new(&["ns", "StablePool", "Pool"], both.iter().map(row).collect())
}

fn growing_table(growing: &[Measured], entries: &[Entry]) -> Grid {
    let rows = growing.iter().flat_map(|measured| {
        let row = |(entry, figures): (&Entry, &Vec<f64>)| Row::new(entry.name, vec![Some(median(figures))]);
        entries.iter().zip(&measured.figures).map(row)
    });
    let about =
        growing.first().map_or(String::new(), |m| format!("insert growing, 64B × {}", count_label(m.cell.count)));
    Grid::new(&[about.as_str(), "ns"], rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indices_are_those_of_the_two_pools() {
        let entries = with_stable_pool();
        assert_eq!([entries[STABLE].name, entries[POOL].name], ["StablePool", "Pool"]);
    }

    #[test]
    fn lookups_in_the_cache_may_take_twice_as_long() {
        let get = |count| Cell { operation: Operation::GetAtRandom, size: Size::B8, count };
        assert_eq!([bound(get(10_000)), bound(get(MILLION))], [Bound::AtMost(2.0), Bound::AtMost(1.4)]);
    }
}
