//! Raw snapshots of a table, against copying the same number of bytes.

use std::hint::black_box;

use tenure::Table;

use super::counts;
use crate::clock::repeated;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Bound, Finding, Sheet};
use crate::tables::body::{Body, table};

const SAVE: &str = "to_snapshot";
const AGAIN: &str = "write_snapshot";
const LOAD: &str = "from_snapshot";
const COPY: &str = "Vec of bytes, to_vec";
const COPY_AGAIN: &str = "Vec of bytes, clone_from";

const WAYS: [Way; 5] = [
    (SAVE, |plan| {
        let table = table(plan);
        repeated(plan.count, || drop(black_box(table.to_snapshot())))
    }),
    (AGAIN, |plan| {
        let table = table(plan);
        let mut bytes = table.to_snapshot();
        repeated(plan.count, || table.write_snapshot(black_box(&mut bytes)))
    }),
    (LOAD, |plan| {
        let bytes = table(plan).to_snapshot();
        repeated(plan.count, || drop(black_box(Table::<Body>::from_snapshot(&bytes).expect("what was written"))))
    }),
    (COPY, |plan| {
        let bytes = table(plan).to_snapshot();
        repeated(plan.count, || drop(black_box(bytes.to_vec())))
    }),
    (COPY_AGAIN, |plan| {
        let bytes = table(plan).to_snapshot();
        let mut copy = bytes.clone();
        repeated(plan.count, || black_box(&mut copy).clone_from(&bytes))
    }),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let races = Race::run_all(&WAYS, counts(quick), rounds);
    Sheet {
        title: "Raw snapshots",
        about: format!(
            "Writes a table of bodies of 64 bytes in ten columns to bytes, and reads it from bytes, against copying \
             these bytes: into new memory, and into memory that is reused. \
             Medians of {rounds} interleaved rounds, nanoseconds per row."
        ),
        findings: races.last().map(findings).unwrap_or_default(),
        grids: vec![grid("rows", &races)],
        ..Sheet::default()
    }
}

fn findings(race: &Race) -> Vec<Finding> {
    let of = |ours: &str, copy: &str| {
        Finding::new(
            format!("{} rows: {copy} over {ours}", race.label()),
            race.ratio(copy, ours),
            Bound::AtLeast(0.5),
        )
    };
    vec![of(SAVE, COPY), of(AGAIN, COPY_AGAIN), of(LOAD, COPY)]
}
