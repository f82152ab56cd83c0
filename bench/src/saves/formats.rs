//! Saving to JSON and postcard, and loading.

use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;
use slotmap::{DefaultKey, SlotMap};
use tenure::{Pool, Table, World};

use super::counts;
use crate::clock::repeated;
use crate::plan::Plan;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Finding, Grid, Row, Sheet};
use crate::tables::body::{Body, table};

const WORLD: &str = "World";
const SLOTMAP: &str = "SlotMap";

/// A format, and how to write and read it.
trait Format {
    fn write<C: Serialize>(container: &C) -> Vec<u8>;
    fn read<C: DeserializeOwned>(bytes: &[u8]) -> C;
}

struct Json;

impl Format for Json {
    fn write<C: Serialize>(container: &C) -> Vec<u8> {
        serde_json::to_vec(container).expect("plain rows")
    }

    fn read<C: DeserializeOwned>(bytes: &[u8]) -> C {
        serde_json::from_slice(bytes).expect("what was written")
    }
}

struct Postcard;

impl Format for Postcard {
    fn write<C: Serialize>(container: &C) -> Vec<u8> {
        postcard::to_allocvec(container).expect("plain rows")
    }

    fn read<C: DeserializeOwned>(bytes: &[u8]) -> C {
        postcard::from_bytes(bytes).expect("what was written")
    }
}

/// A container of bodies.
trait Holder: Serialize + DeserializeOwned {
    const NAME: &'static str;

    /// Creates a container with the bodies of a plan, and removes a quarter of them.
    fn of(plan: &Plan) -> Self;

    fn save<F: Format>(plan: &Plan) -> f64 {
        let container = Self::of(plan);
        repeated(plan.count, || drop(black_box(F::write(&container))))
    }

    fn load<F: Format>(plan: &Plan) -> f64 {
        let bytes = F::write(&Self::of(plan));
        repeated(plan.count, || drop(black_box(F::read::<Self>(&bytes))))
    }

    /// Returns bytes per body.
    fn size<F: Format>(plan: &Plan) -> f64 {
        F::write(&Self::of(plan)).len() as f64 / plan.count as f64
    }
}

impl Holder for World<Body> {
    const NAME: &'static str = WORLD;

    fn of(plan: &Plan) -> Self {
        let mut world = Self::new();
        Body::shuffled(plan).for_each(|body| _ = world.spawn(body));
        world.end_frame();
        for (handle, body) in &world {
            if body.alive == 0 {
                world.despawn(handle);
            }
        }
        world.end_frame();
        world
    }
}

impl Holder for Pool<Body> {
    const NAME: &'static str = "Pool";

    fn of(plan: &Plan) -> Self {
        let mut pool: Self = Body::shuffled(plan).collect();
        pool.retain(|_, body| body.alive != 0);
        pool
    }
}

impl Holder for Table<Body> {
    const NAME: &'static str = "Table";

    fn of(plan: &Plan) -> Self {
        let mut table = table(plan);
        table.retain(|_, body| *body.alive != 0);
        table
    }
}

impl Holder for SlotMap<DefaultKey, Body> {
    const NAME: &'static str = SLOTMAP;

    fn of(plan: &Plan) -> Self {
        let mut map = Self::new();
        Body::shuffled(plan).for_each(|body| _ = map.insert(body));
        map.retain(|_, body| body.alive != 0);
        map
    }
}

type Bodies = SlotMap<DefaultKey, Body>;

/// The same work for all containers.
macro_rules! ways {
    ($work:ident::<$format:ty>) => {
        [
            (World::<Body>::NAME, |plan| World::<Body>::$work::<$format>(plan)),
            (Pool::<Body>::NAME, |plan| Pool::<Body>::$work::<$format>(plan)),
            (Table::<Body>::NAME, |plan| Table::<Body>::$work::<$format>(plan)),
            (Bodies::NAME, |plan| Bodies::$work::<$format>(plan)),
        ]
    };
}

const SAVE_JSON: [Way; 4] = ways!(save::<Json>);
const LOAD_JSON: [Way; 4] = ways!(load::<Json>);
const SAVE_POSTCARD: [Way; 4] = ways!(save::<Postcard>);
const LOAD_POSTCARD: [Way; 4] = ways!(load::<Postcard>);

const WORK: [(&str, &[Way; 4]); 4] = [
    ("JSON, saved", &SAVE_JSON),
    ("JSON, loaded", &LOAD_JSON),
    ("postcard, saved", &SAVE_POSTCARD),
    ("postcard, loaded", &LOAD_POSTCARD),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    // Reading a million bodies takes seconds.
    let rounds = if quick { rounds } else { rounds.min(7) };
    let races = WORK.map(|(name, ways)| (name, Race::run_all(ways, counts(quick), rounds)));
    let last = |races: &[Race]| races.len() - 1;
    Sheet {
        title: "Formats",
        about: format!(
            "Bodies of 64 bytes, of which a random quarter was removed. The containers of Tenure save handles, the \
             generations of removed values, and the order of future handles; slotmap saves handles. \
             Medians of {rounds} interleaved rounds, nanoseconds per body before the removal. The first table: bytes \
             per body."
        ),
        findings: races.iter().map(|(name, races)| finding(name, &races[last(races)])).collect(),
        grids: [sizes(counts(quick))]
            .into_iter()
            .chain(races.iter().map(|(name, races)| grid(name, races)))
            .collect(),
        ..Sheet::default()
    }
}

fn finding(name: &str, race: &Race) -> Finding {
    Finding::for_information(
        format!("{} bodies, {name}: {WORLD} over {SLOTMAP}", race.label()),
        race.ratio(WORLD, SLOTMAP),
    )
}

fn sizes(counts: &[usize]) -> Grid {
    const SIZES: [(&str, [Way; 4]); 2] = [("JSON", ways!(size::<Json>)), ("postcard", ways!(size::<Postcard>))];
    let header: Vec<&str> = ["bytes per body"].into_iter().chain(SIZES[0].1.iter().map(|way| way.0)).collect();
    let plan = Plan::new(counts[counts.len() - 1]);
    let row = |(name, ways): &(&str, [Way; 4])| Row::new(*name, ways.iter().map(|way| Some(way.1(&plan))).collect());
    Grid::new(&header, SIZES.iter().map(row).collect())
}
