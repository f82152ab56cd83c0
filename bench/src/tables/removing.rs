//! Removing a random quarter of the rows, in one pass and one by one.

use tenure::{Handle, Table};

use super::body::{Body, table};
use super::counts;
use crate::clock::prepared;
use crate::plan::Plan;
use crate::race::{Race, Way, curve, grid};
use crate::report::sheet::{Bound, Finding, Sheet};

const RETAIN: &str = "retain";
const MANY: &str = "remove_many";
const ONE_BY_ONE: &str = "remove one by one";
const COMPACT: &str = "compact_by_key";
const VEC: &str = "Vec of structs, retain";

const WAYS: [Way; 5] = [
    (RETAIN, |plan| work(plan, |table, _| table.retain(|_, body| *body.alive != 0))),
    (MANY, |plan| work(plan, |table, dead| _ = table.remove_many(dead.iter().copied()))),
    (COMPACT, |plan| work(plan, |table, _| table.compact_by_key(|_, body| (*body.alive != 0).then_some(*body.kind)))),
    (ONE_BY_ONE, |plan| work(plan, |table, dead| dead.iter().for_each(|&handle| _ = table.remove(handle)))),
    (VEC, |plan| {
        let bodies: Vec<Body> = Body::shuffled(plan).collect();
        prepared(plan.count, || bodies.clone(), |bodies| bodies.retain(|body| body.alive != 0))
    }),
];

/// Times a removal. Each call gets a clone of the same full table, and the same random rows in the
/// same random order.
fn work(plan: &Plan, remove: fn(&mut Table<Body>, &[Handle<Body>])) -> f64 {
    let full = table(plan);
    let dead = dead(plan, &full);
    prepared(plan.count, || full.clone(), |table| remove(table, &dead))
}

/// Returns the handles of the rows to remove, in random order.
fn dead(plan: &Plan, table: &Table<Body>) -> Vec<Handle<Body>> {
    let of = |&row: &u32| (table.columns().alive[row as usize] == 0).then(|| table.raw_handles()[row as usize]);
    plan.shuffle.iter().filter_map(of).collect()
}

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let races = Race::run_all(&WAYS, counts(quick), rounds);
    Sheet {
        title: "Removing a quarter",
        about: format!(
            "Removes a random quarter of the rows, of 64 bytes in ten columns. `compact_by_key` also sorts the other rows, \
             by one of eight kinds. A Vec has no handles. Medians of {rounds} interleaved rounds, nanoseconds per row \
             before the removal."
        ),
        findings: races.last().map(findings).unwrap_or_default(),
        grids: vec![grid("rows", &races)],
        curves: vec![curve("tables-removing", "removing a random quarter of rows of 64 bytes, per row", &races)],
        ..Sheet::default()
    }
}

fn findings(race: &Race) -> Vec<Finding> {
    let what = |one: &str, other: &str| format!("{} rows: {one} over {other}", race.label());
    let in_one_pass = [RETAIN, MANY].map(|one_pass| {
        Finding::new(what(ONE_BY_ONE, one_pass), race.ratio(ONE_BY_ONE, one_pass), Bound::AtLeast(4.0))
    });
    let others = [(ONE_BY_ONE, COMPACT), (RETAIN, VEC)]
        .map(|(one, other)| Finding::for_information(what(one, other), race.ratio(one, other)));
    in_one_pass.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_remove_the_same() {
        let plan = Plan::new(1_000);
        let full = table(&plan);
        let dead = dead(&plan, &full);
        let (mut kept, mut many, mut one_by_one) = (full.clone(), full.clone(), full.clone());
        kept.retain(|_, body| *body.alive != 0);
        assert_eq!(many.remove_many(dead.iter().copied()), 250);
        assert_eq!(kept, many);
        dead.iter().for_each(|&handle| _ = one_by_one.remove(handle));
        assert_eq!(one_by_one.len(), 750);
        assert!(kept.handles().all(|handle| one_by_one.contains(handle)));
    }
}
