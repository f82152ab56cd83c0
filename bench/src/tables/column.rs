//! Iterating over one column: adds up one `f32` of every row of 64 bytes.

use std::hint::black_box;

use slotmap::{DefaultKey, SlotMap};
use tenure::DensePool;

use super::body::{Body, table};
use super::counts;
use crate::clock::repeated;
use crate::plan::Plan;
use crate::race::{Race, Way, curve, grid};
use crate::report::sheet::{Finding, Sheet};

const TABLE: &str = "Table, column";

const WAYS: [Way; 6] = [
    (TABLE, |plan| time(plan, &table(plan), |table| sum(table.columns().energy))),
    ("Vec of f32", |plan| time(plan, &energies(plan), |column| sum(column))),
    ("Table, rows", |plan| time(plan, &table(plan), |table| table.values().map(|body| *body.energy).sum())),
    ("Vec of structs", |plan| time(plan, &vec(plan), |bodies| sum_of(bodies))),
    ("DensePool", |plan| time(plan, &dense_pool(plan), |pool| pool.values().map(|body| body.energy).sum())),
    ("SlotMap", |plan| time(plan, &slot_map(plan), |map| map.values().map(|body| body.energy).sum())),
];

fn time<C>(plan: &Plan, container: &C, sum: fn(&C) -> f32) -> f64 {
    repeated(plan.count, || {
        black_box(sum(black_box(container)));
    })
}

#[inline]
fn sum(column: &[f32]) -> f32 {
    column.iter().sum()
}

#[inline]
fn sum_of(bodies: &[Body]) -> f32 {
    bodies.iter().map(|body| body.energy).sum()
}

fn vec(plan: &Plan) -> Vec<Body> {
    Body::shuffled(plan).collect()
}

fn energies(plan: &Plan) -> Vec<f32> {
    Body::shuffled(plan).map(|body| body.energy).collect()
}

fn dense_pool(plan: &Plan) -> DensePool<Body> {
    Body::shuffled(plan).collect()
}

fn slot_map(plan: &Plan) -> SlotMap<DefaultKey, Body> {
    let mut map = SlotMap::with_capacity(plan.count);
    Body::shuffled(plan).for_each(|body| _ = map.insert(body));
    map
}

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let races = Race::run_all(&WAYS, counts(quick), rounds);
    let against = |race: &Race| {
        let finding = |&(other, _): &Way| {
            let what = format!("{} rows: {other} over Table, column", race.label());
            Finding::for_information(what, race.ratio(other, TABLE))
        };
        WAYS[1..].iter().map(finding).collect::<Vec<_>>()
    };
    Sheet {
        title: "Iterating over one column",
        about: format!(
            "Adds up one f32 of every row of 64 bytes, in order. Medians of {rounds} interleaved rounds, nanoseconds per \
             row. Each float addition depends on the one before: where rows are in the cache, this latency dominates."
        ),
        findings: races.last().map(against).unwrap_or_default(),
        grids: vec![grid("rows", &races)],
        curves: vec![curve("tables-column", "adding up one f32 of rows of 64 bytes, per row", &races)],
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sums_are_equal() {
        let plan = Plan::new(1_000);
        let is_right = |sum: f32| assert_eq!(sum, 499_500.0);
        is_right(sum(table(&plan).columns().energy));
        is_right(sum(&energies(&plan)));
        is_right(sum_of(&vec(&plan)));
        is_right(dense_pool(&plan).values().map(|body| body.energy).sum());
        is_right(slot_map(&plan).values().map(|body| body.energy).sum());
    }
}
