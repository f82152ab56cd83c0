//! Lookups by handle, by id, and by a linear search for an id, which handles replace.

use std::hint::black_box;

use tenure::{EntityId, Handle, World};

use crate::cells::{MILLION, count_label};
use crate::clock::repeated;
use crate::plan::Plan;
use crate::report::curve::{Curve, Line};
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::run::order;
use crate::stats::{Ratio, median};
use crate::value::{Bytes64, Value};

type Entity = Bytes64;

/// The most lookups of one timing.
const LOOKUPS: usize = 100_000;
/// The number of scans in one timing is this divided by the number of entities: at least
/// [`LEAST_SCANS`], and at most one per entity.
const SCANNED: usize = 2_000_000;
const LEAST_SCANS: usize = 4;

const WAYS: [&str; 3] = ["handle", "id, then handle", "scan by id"];

/// The same entities in a world and in a list, and the handles and ids to look up.
struct Entities {
    world: World<Entity>,
    list: Vec<(u64, Entity)>,
    handles: Vec<Handle<Entity>>,
    ids: Vec<EntityId>,
    scanned: Vec<u64>,
}

impl Entities {
    fn new(count: usize) -> Self {
        let mut world = World::new();
        let all: Vec<_> = (0..count).map(|i| world.spawn(Entity::new(i))).collect();
        world.end_frame();
        let list: Vec<_> = world.iter().filter_map(|(handle, it)| Some((world.id_of(handle)?.get(), *it))).collect();
        let handles: Vec<_> = Plan::new(count).shuffled(&all).into_iter().take(LOOKUPS).collect();
        let ids = handles.iter().filter_map(|&handle| world.id_of(handle)).collect();
        Entities { scanned: evenly(&list), world, list, handles, ids }
    }

    /// Returns nanoseconds per lookup. `way` is an index into [`WAYS`].
    fn measure(&self, way: usize) -> f64 {
        match way {
            0 => each(&self.handles, |handle| self.by_handle(handle)),
            1 => each(&self.ids, |id| self.by_handle(self.world.by_id(id)?)),
            _ => each(&self.scanned, |id| self.by_scan(id)),
        }
    }

    #[inline]
    fn by_handle(&self, handle: Handle<Entity>) -> Option<u64> {
        self.world.get(handle).map(Value::key)
    }

    #[inline]
    fn by_scan(&self, id: u64) -> Option<u64> {
        self.list.iter().find(|(other, _)| *other == id).map(|(_, entity)| entity.key())
    }
}

/// Returns ids at equal distances in the list: on average, a scan compares half of the entries.
fn evenly(list: &[(u64, Entity)]) -> Vec<u64> {
    let scans = (SCANNED / list.len()).clamp(LEAST_SCANS, list.len());
    (0..scans).map(|nth| list[(2 * nth + 1) * list.len() / (2 * scans)].0).collect()
}

#[inline]
fn each<K: Copy>(keys: &[K], look_up: impl Fn(K) -> Option<u64>) -> f64 {
    repeated(keys.len(), || {
        black_box(keys.iter().fold(0_u64, |sum, &key| sum.wrapping_add(look_up(key).unwrap_or(0))));
    })
}

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let counts: &[usize] = if quick { &[100, 10_000] } else { &[100, 10_000, MILLION] };
    let figures: Vec<_> = counts.iter().map(|&count| measure(count, rounds)).collect();
    let row = |(&count, of): (&usize, &Vec<Vec<f64>>)| {
        Row::new(count_label(count), of.iter().map(|rounds| Some(median(rounds))).collect())
    };
    let finding = |(&count, of): (&usize, &Vec<Vec<f64>>)| {
        let ratio = Ratio::of_rounds(&ratios(&of[2], &of[0]));
        Finding::new(format!("{} entities, scan over handle", count_label(count)), ratio, Bound::AtLeast(1.0))
    };
    let header: Vec<&str> = ["entities"].into_iter().chain(WAYS).collect();
    Sheet {
        title: "Lookup by handle, and the scan by id that it replaces",
        about: format!(
            "Looks up one of the entities, of 64 bytes: by World::get of its handle; by World::by_id, and then get; and by a \
             linear search for its id in a Vec of ids and values. Medians of {rounds} interleaved rounds; nanoseconds \
             per lookup."
        ),
        grids: vec![Grid::new(&header, counts.iter().zip(&figures).map(row).collect())],
        findings: counts.iter().zip(&figures).map(finding).collect(),
        curves: vec![curve(counts, &figures)],
        ..Sheet::default()
    }
}

fn measure(count: usize, rounds: usize) -> Vec<Vec<f64>> {
    let entities = Entities::new(count);
    let mut figures = vec![Vec::new(); WAYS.len()];
    for round in 0..rounds {
        for way in order(WAYS.len(), round) {
            figures[way].push(entities.measure(way));
        }
    }
    figures
}

fn curve(counts: &[usize], figures: &[Vec<Vec<f64>>]) -> Curve {
    let points = |way: usize| counts.iter().zip(figures).map(move |(&count, of)| (count as f64, median(&of[way])));
    let line = |(way, name): (usize, &&str)| Line { name: (*name).into(), points: points(way).collect() };
    Curve {
        name: "worlds-by-id".into(),
        title: "lookup of an entity, by number of entities".into(),
        unit: "nanoseconds",
        lines: WAYS.iter().enumerate().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_find_the_same() {
        let entities = Entities::new(100);
        for (&handle, &id) in entities.handles.iter().zip(&entities.ids) {
            let found = entities.by_handle(handle);
            assert_eq!((entities.world.by_id(id), entities.by_scan(id.get())), (Some(handle), found));
            assert!(found.is_some());
        }
        assert_eq!(entities.handles.len(), 100);
    }

    #[test]
    fn scanned_ids_are_evenly_distributed() {
        let list: Vec<_> = (0..1_000_000).map(|id| (id, Entity::new(0))).collect();
        assert_eq!(evenly(&list), [125_000, 375_000, 625_000, 875_000]);
        assert_eq!(evenly(&list[..100]).len(), 100);
    }
}
