//! Secondary maps: filling, looking up, iterating.

use std::hint::black_box;

use crate::cells::MILLION;
use crate::clock::{prepared, repeated};
use crate::plan::Plan;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Bound, Finding, Sheet};

const COUNTS: &[usize] = &[1_000, 10_000, MILLION];
const QUICK_COUNTS: &[usize] = &[1_000];

/// The same three functions for both crates.
macro_rules! ways {
    ($module:ident, $crate_name:ident, $Map:ident) => {
        mod $module {
            use super::{Plan, black_box, prepared, repeated};
            use $crate_name::{DefaultKey, SlotMap, $Map};

            fn keys(count: usize) -> Vec<DefaultKey> {
                let mut map = SlotMap::with_capacity(count);
                (0..count).map(|value| map.insert(value)).collect()
            }

            fn full(keys: &[DefaultKey]) -> $Map<DefaultKey, u64> {
                keys.iter().copied().zip(0..).collect()
            }

            #[inline(never)]
            pub fn insert(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let fill = |map: &mut $Map<DefaultKey, u64>| {
                    for (&key, value) in keys.iter().zip(0..) {
                        black_box(map.insert(key, value));
                    }
                };
                prepared(keys.len(), $Map::new, fill)
            }

            #[inline(never)]
            pub fn get(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let map = full(&keys);
                let keys = plan.shuffled(&keys);
                repeated(keys.len(), || {
                    black_box(keys.iter().map(|&key| map.get(key).copied().unwrap_or(0)).sum::<u64>());
                })
            }

            #[inline(never)]
            pub fn iterate(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let map = full(&keys);
                repeated(keys.len(), || {
                    let mut sum = 0;
                    for (key, value) in &map {
                        black_box(key);
                        sum += value;
                    }
                    black_box(sum);
                })
            }
        }
    };
}

ways!(slotmap_dense, slotmap, SecondaryMap);
ways!(tenure_dense, tenure_slotmap, SecondaryMap);
ways!(slotmap_sparse, slotmap, SparseSecondaryMap);
ways!(tenure_sparse, tenure_slotmap, SparseSecondaryMap);

const WAYS: &[(&str, [Way; 2])] = &[
    ("SecondaryMap, insert", [("slotmap", slotmap_dense::insert), ("Tenure", tenure_dense::insert)]),
    ("SecondaryMap, get at random", [("slotmap", slotmap_dense::get), ("Tenure", tenure_dense::get)]),
    ("SecondaryMap, iterate", [("slotmap", slotmap_dense::iterate), ("Tenure", tenure_dense::iterate)]),
    ("SparseSecondaryMap, insert", [("slotmap", slotmap_sparse::insert), ("Tenure", tenure_sparse::insert)]),
    ("SparseSecondaryMap, get at random", [("slotmap", slotmap_sparse::get), ("Tenure", tenure_sparse::get)]),
    ("SparseSecondaryMap, iterate", [("slotmap", slotmap_sparse::iterate), ("Tenure", tenure_sparse::iterate)]),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let counts = if quick { QUICK_COUNTS } else { COUNTS };
    let mut sheet = Sheet {
        title: "Secondary maps",
        about: format!(
            "A value for every key. Medians of {rounds} interleaved rounds: nanoseconds per value. Ratio: slotmap over Tenure."
        ),
        ..Sheet::default()
    };
    for (name, ways) in WAYS {
        let races = Race::run_all(ways, counts, rounds);
        sheet.grids.push(grid(name, &races));
        sheet.findings.extend(races.iter().map(|race| {
            Finding::new(format!("{name}, {}", race.label()), race.ratio("slotmap", "Tenure"), Bound::AtLeast(0.9))
        }));
    }
    sheet
}
