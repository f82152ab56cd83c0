//! Sorting rows by a column.

use tenure::{DensePool, Table};

use super::body::soa::BodyVec;
use super::body::{Body, table};
use super::counts;
use crate::clock::prepared;
use crate::plan::Plan;
use crate::race::{Race, Way, curve, grid};
use crate::report::sheet::{Bound, Finding, Sheet};

const UNSTABLE: &str = "Table, unstable";
const STABLE: &str = "Table, stable";
const VEC: &str = "Vec of structs, unstable";
const SOA: &str = "soa_derive";

const WAYS: [Way; 5] = [
    (UNSTABLE, |plan| {
        sort(plan, &table(plan), |table: &mut Table<Body>| table.sort_unstable_by_key(|body| *body.id))
    }),
    (STABLE, |plan| sort(plan, &table(plan), |table: &mut Table<Body>| table.sort_by_key(|body| *body.id))),
    ("DensePool, unstable", |plan| sort(plan, &dense_pool(plan), |pool| pool.sort_unstable_by_key(|body| body.id))),
    (VEC, |plan| sort(plan, &vec(plan), |bodies| bodies.sort_unstable_by_key(|body| body.id))),
    (SOA, |plan| sort(plan, &BodyVec::shuffled(plan), |bodies| bodies.as_mut_slice().sort_by_key(|body| *body.id))),
];

/// Times a sort. Each call gets a clone of the same shuffled rows.
fn sort<C: Clone>(plan: &Plan, shuffled: &C, sort: fn(&mut C)) -> f64 {
    prepared(plan.count, || shuffled.clone(), sort)
}

fn vec(plan: &Plan) -> Vec<Body> {
    Body::shuffled(plan).collect()
}

fn dense_pool(plan: &Plan) -> DensePool<Body> {
    Body::shuffled(plan).collect()
}

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let races = Race::run_all(&WAYS, counts(quick), rounds);
    Sheet {
        title: "Sorting by a column",
        about: format!(
            "Sorts rows of 64 bytes in random order by a column of u64. Tables and dense pools keep their handles valid; \
             Vec and soa_derive have no handles. Medians of {rounds} interleaved rounds, nanoseconds per row."
        ),
        findings: races.last().map(findings).unwrap_or_default(),
        grids: vec![grid("rows", &races)],
        curves: vec![curve("tables-sorting", "sorting rows of 64 bytes by a column, per row", &races)],
        ..Sheet::default()
    }
}

fn findings(race: &Race) -> Vec<Finding> {
    let of = |one: &str, other: &str, bound| {
        Finding::new(format!("{} rows: {one} over {other}", race.label()), race.ratio(one, other), bound)
    };
    let both = [UNSTABLE, STABLE];
    let vec = both.map(|table| of(table, VEC, Bound::AtMost(1.6)));
    let soa = both.map(|table| of(SOA, table, Bound::AtLeast(5.0)));
    vec.into_iter().chain(soa).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sort_the_same() {
        let plan = Plan::new(1_000);
        let ids: Vec<u64> = (0..1_000).collect();
        let mut table = table(&plan);
        table.sort_by_key(|body| *body.id);
        assert_eq!(table.columns().id, ids);
        let mut bodies = BodyVec::shuffled(&plan);
        bodies.as_mut_slice().sort_by_key(|body| *body.id);
        assert_eq!(bodies.id, ids);
        assert_eq!(bodies.energy, table.columns().energy);
    }
}
