//! Secondary maps: filling, looking up, removing, iterating.

use std::hint::black_box;

use crate::cells::MILLION;
use crate::clock::{prepared, repeated};
use crate::plan::Plan;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Bound, Finding, Sheet};

const COUNTS: &[usize] = &[1_000, 10_000, MILLION];
const QUICK_COUNTS: &[usize] = &[1_000];

/// The share of the keys that have a value in a map with few values.
const FEW: usize = 200;

/// The same functions for both crates.
macro_rules! ways {
    ($module:ident, $crate_name:ident, $Map:ident) => {
        mod $module {
            use super::{FEW, Plan, black_box, prepared, repeated};
            use $crate_name::{DefaultKey, SlotMap, $Map};

            fn keys(count: usize) -> Vec<DefaultKey> {
                let mut map = SlotMap::with_capacity(count);
                (0..count).map(|value| map.insert(value)).collect()
            }

            fn full(keys: &[DefaultKey]) -> $Map<DefaultKey, u64> {
                keys.iter().copied().zip(0..).collect()
            }

            fn fill(map: &mut $Map<DefaultKey, u64>, keys: &[DefaultKey]) {
                for (&key, value) in keys.iter().zip(0..) {
                    black_box(map.insert(key, value));
                }
            }

            #[inline(never)]
            pub fn insert(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                prepared(keys.len(), $Map::new, |map| fill(map, &keys))
            }

            #[inline(never)]
            pub fn insert_descending(plan: &Plan) -> f64 {
                let mut keys = keys(plan.count);
                keys.reverse();
                prepared(keys.len(), $Map::new, |map| fill(map, &keys))
            }

            #[inline(never)]
            pub fn insert_at_random(plan: &Plan) -> f64 {
                let keys = plan.shuffled(&keys(plan.count));
                prepared(keys.len(), $Map::new, |map| fill(map, &keys))
            }

            #[inline(never)]
            pub fn overwrite(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let mut map = full(&keys);
                repeated(keys.len(), || fill(&mut map, &keys))
            }

            #[inline(never)]
            pub fn remove(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                prepared(
                    keys.len(),
                    || full(&keys),
                    |map| {
                        for &key in &keys {
                            black_box(map.remove(key));
                        }
                    },
                )
            }

            #[inline(never)]
            pub fn entry(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let mut map = full(&keys);
                repeated(keys.len(), || {
                    for &key in &keys {
                        if let Some(entry) = map.entry(key) {
                            *entry.or_insert(0) += 1;
                        }
                    }
                })
            }

            #[inline(never)]
            pub fn get_few(plan: &Plan) -> f64 {
                let keys = keys(plan.count);
                let few: Vec<DefaultKey> = keys.iter().step_by(FEW).copied().collect();
                let map = full(&few);
                let keys = plan.shuffled(&keys);
                repeated(keys.len(), || {
                    black_box(keys.iter().map(|&key| map.get(key).copied().unwrap_or(0)).sum::<u64>());
                })
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

/// The row of a function in all modules.
macro_rules! rows {
    ($Map:literal, $slotmap:ident, $tenure:ident, [$($name:literal $function:ident,)*]) => {
        &[$((concat!($Map, ", ", $name), [("slotmap", $slotmap::$function), ("Tenure", $tenure::$function)])),*]
    };
}

const DENSE: &[(&str, [Way; 2])] = rows!(
    "SecondaryMap",
    slotmap_dense,
    tenure_dense,
    [
        "insert" insert,
        "insert in descending order" insert_descending,
        "insert at random" insert_at_random,
        "overwrite" overwrite,
        "entry" entry,
        "remove" remove,
        "get at random" get,
        "get with 1 in 200" get_few,
        "iterate" iterate,
    ]
);

const SPARSE: &[(&str, [Way; 2])] = rows!(
    "SparseSecondaryMap",
    slotmap_sparse,
    tenure_sparse,
    [
        "insert" insert,
        "insert in descending order" insert_descending,
        "insert at random" insert_at_random,
        "overwrite" overwrite,
        "entry" entry,
        "remove" remove,
        "get at random" get,
        "get with 1 in 200" get_few,
        "iterate" iterate,
    ]
);

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let counts = if quick { QUICK_COUNTS } else { COUNTS };
    let mut sheet = Sheet {
        title: "Secondary maps",
        about: format!(
            "A value for every key, or for 1 in 200. Medians of {rounds} interleaved rounds: nanoseconds per value. Ratio: slotmap over Tenure."
        ),
        ..Sheet::default()
    };
    for (name, ways) in DENSE.iter().chain(SPARSE) {
        add_race(&mut sheet, name, ways, counts, rounds);
    }
    sheet
}

/// Adds a table and the findings of one row.
pub(super) fn add_race(sheet: &mut Sheet, name: &str, ways: &[Way], counts: &[usize], rounds: usize) {
    let races = Race::run_all(ways, counts, rounds);
    sheet.grids.push(grid(name, &races));
    sheet.findings.extend(races.iter().map(|race| {
        Finding::new(format!("{name}, {}", race.label()), race.ratio("slotmap", "Tenure"), Bound::AtLeast(0.9))
    }));
}
