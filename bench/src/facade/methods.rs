//! Methods of slot maps that the grid of `cargo versus` does not have, and hop slot maps.
#![allow(deprecated, reason = "hop slot maps are in the API")]

use std::hint::black_box;

use super::secondary::add_race;
use crate::cells::MILLION;
use crate::clock::{prepared, repeated};
use crate::plan::Plan;
use crate::race::Way;
use crate::report::sheet::Sheet;

const COUNTS: &[usize] = &[10_000, MILLION];
const QUICK_COUNTS: &[usize] = &[1_000];

/// The same functions for one map of both crates. The last ones are for a map that is not in the
/// grid.
macro_rules! ways {
    ($module:ident, $crate_name:ident, $Map:ident $(, $detach:ident)? $(; $get:ident, $remove:ident, $iterate_half:ident)?) => {
        mod $module {
            use super::{Plan, black_box, prepared, repeated};
            use $crate_name::{DefaultKey, $Map};

            fn full(count: usize) -> ($Map<DefaultKey, u64>, Vec<DefaultKey>) {
                let mut map = $Map::with_capacity(count);
                let keys = (0..count as u64).map(|value| map.insert(value)).collect();
                (map, keys)
            }

            #[inline(never)]
            pub fn insert_with_key(plan: &Plan) -> f64 {
                prepared(plan.count, $Map::new, |map: &mut $Map<DefaultKey, (DefaultKey, u64)>| {
                    for value in 0..plan.count as u64 {
                        black_box(map.insert_with_key(|key| (key, value)));
                    }
                })
            }

            #[inline(never)]
            pub fn drain(plan: &Plan) -> f64 {
                prepared(plan.count, || full(plan.count).0, |map| {
                    let mut sum = 0;
                    for (key, value) in map.drain() {
                        black_box(key);
                        sum += value;
                    }
                    black_box(sum);
                })
            }

            #[inline(never)]
            pub fn get_disjoint_mut(plan: &Plan) -> f64 {
                let (mut map, keys) = full(plan.count);
                let keys = plan.shuffled(&keys);
                repeated(keys.len() - 1, || {
                    for pair in keys.windows(2) {
                        if let Some([a, b]) = map.get_disjoint_mut([pair[0], pair[1]]) {
                            std::mem::swap(a, b);
                        }
                    }
                })
            }

            #[inline(never)]
            pub fn iterate(plan: &Plan) -> f64 {
                let (map, keys) = full(plan.count);
                repeated(keys.len(), || {
                    black_box(map.iter().map(|(key, value)| black_box((key, *value)).1).sum::<u64>());
                })
            }

            $(
                #[inline(never)]
                pub fn $detach(plan: &Plan) -> f64 {
                    let (mut map, keys) = full(plan.count);
                    let keys = plan.shuffled(&keys);
                    repeated(keys.len(), || {
                        for &key in &keys {
                            if let Some(value) = map.detach(key) {
                                map.reattach(key, value);
                            }
                        }
                    })
                }
            )?

            $(
                #[inline(never)]
                pub fn $get(plan: &Plan) -> f64 {
                    let (map, keys) = full(plan.count);
                    let keys = plan.shuffled(&keys);
                    repeated(keys.len(), || {
                        black_box(keys.iter().map(|&key| map.get(key).copied().unwrap_or(0)).sum::<u64>());
                    })
                }

                #[inline(never)]
                pub fn $remove(plan: &Plan) -> f64 {
                    // The keys are those of every new map of this size.
                    let keys = plan.shuffled(&full(plan.count).1);
                    prepared(plan.count, || full(plan.count).0, |map| {
                        for &key in &keys {
                            black_box(map.remove(key));
                        }
                    })
                }

                #[inline(never)]
                pub fn $iterate_half(plan: &Plan) -> f64 {
                    let (mut map, keys) = full(plan.count);
                    for &key in &plan.shuffled(&keys)[keys.len() / 2..] {
                        map.remove(key);
                    }
                    repeated(map.len(), || {
                        black_box(map.iter().map(|(key, value)| black_box((key, *value)).1).sum::<u64>());
                    })
                }
            )?
        }
    };
}

ways!(slotmap_slots, slotmap, SlotMap, detach);
ways!(tenure_slots, tenure_slotmap, SlotMap, detach);
ways!(slotmap_dense, slotmap, DenseSlotMap, detach);
ways!(tenure_dense, tenure_slotmap, DenseSlotMap, detach);
ways!(slotmap_hop, slotmap, HopSlotMap; get, remove, iterate_half);
ways!(tenure_hop, tenure_slotmap, HopSlotMap; get, remove, iterate_half);

macro_rules! rows {
    ($Map:literal, $slotmap:ident, $tenure:ident, [$($name:literal $function:ident,)*]) => {
        &[$((concat!($Map, $name), [("slotmap", $slotmap::$function), ("Tenure", $tenure::$function)])),*]
    };
}

type Rows = &'static [(&'static str, [Way; 2])];

const SLOTS: Rows = rows!("SlotMap", slotmap_slots, tenure_slots, [
    "::insert_with_key" insert_with_key,
    "::drain" drain,
    "::get_disjoint_mut" get_disjoint_mut,
    "::detach and reattach" detach,
    "::iter" iterate,
]);
const DENSE: Rows = rows!("DenseSlotMap", slotmap_dense, tenure_dense, [
    "::insert_with_key" insert_with_key,
    "::drain" drain,
    "::get_disjoint_mut" get_disjoint_mut,
    "::detach and reattach" detach,
    "::iter" iterate,
]);
const HOP: Rows = rows!("HopSlotMap", slotmap_hop, tenure_hop, [
    "::insert_with_key" insert_with_key,
    "::drain" drain,
    "::get_disjoint_mut" get_disjoint_mut,
    "::iter" iterate,
    "::get at random" get,
    "::remove at random" remove,
    "::iter, half vacant" iterate_half,
]);

/// Adds the rows of the map of this name to its sheet. Hop slot maps are shown with slot maps.
pub fn add(sheet: &mut Sheet, quick: bool, rounds: usize) {
    let counts = if quick { QUICK_COUNTS } else { COUNTS };
    let rows = if sheet.title == "SlotMap" { [SLOTS, HOP] } else { [DENSE, &[]] };
    for (name, ways) in rows.into_iter().flatten() {
        add_race(sheet, name, ways, counts, rounds);
    }
}
