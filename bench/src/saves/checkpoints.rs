//! Checkpoints: a copy of the whole container every frame, into memory that is reused.

use slotmap::{DefaultKey, SlotMap};
use tenure::{DensePool, Pool, StablePool, World};

use super::counts;
use crate::clock::repeated;
use crate::plan::Plan;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Finding, Sheet};
use crate::tables::body::Body;

const POOL: &str = "Pool";
const WORLD: &str = "World";
const VEC: &str = "Vec";
const SLOTMAP: &str = "SlotMap";

const WAYS: [Way; 6] = [
    (WORLD, |plan| checkpoint(plan, &world(plan))),
    (POOL, |plan| checkpoint(plan, &Body::shuffled(plan).collect::<Pool<_>>())),
    ("StablePool", |plan| checkpoint(plan, &Body::shuffled(plan).collect::<StablePool<_>>())),
    ("DensePool", |plan| checkpoint(plan, &Body::shuffled(plan).collect::<DensePool<_>>())),
    (SLOTMAP, |plan| checkpoint(plan, &slotmap(plan))),
    (VEC, |plan| checkpoint(plan, &Body::shuffled(plan).collect::<Vec<_>>())),
];

fn world(plan: &Plan) -> World<Body> {
    let mut world = World::new();
    Body::shuffled(plan).for_each(|body| _ = world.spawn(body));
    world.end_frame();
    world
}

fn slotmap(plan: &Plan) -> SlotMap<DefaultKey, Body> {
    let mut map = SlotMap::new();
    Body::shuffled(plan).for_each(|body| _ = map.insert(body));
    map
}

fn checkpoint<C: Clone>(plan: &Plan, now: &C) -> f64 {
    let mut kept = now.clone();
    repeated(plan.count, || kept.clone_from(now))
}

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let races = Race::run_all(&WAYS, counts(quick), rounds);
    let of = |race: &Race, one: &str, other: &str| {
        Finding::for_information(format!("{} bodies: {one} over {other}", race.label()), race.ratio(one, other))
    };
    Sheet {
        title: "Checkpoints",
        about: format!(
            "`clone_from` of bodies of 64 bytes into a copy of the same size: the checkpoint of every frame in \
             rollback networking. Medians of {rounds} interleaved rounds, nanoseconds per body."
        ),
        findings: races
            .iter()
            .flat_map(|race| [of(race, POOL, VEC), of(race, WORLD, VEC), of(race, SLOTMAP, POOL)])
            .collect(),
        grids: vec![grid("bodies", &races)],
        ..Sheet::default()
    }
}
