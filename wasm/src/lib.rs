//! Tenure on WebAssembly. `run.mjs` calls these functions in Node: each returns 0, or the line of
//! the check that failed.

use serde::{Deserialize, Serialize};
use tenure::{Handle, Pool, Row, Table, World};

macro_rules! check {
    ($what:expr) => {
        if !$what {
            return line!();
        }
    };
}

#[derive(Serialize, Deserialize)]
struct Entity {
    health: i32,
    target: Option<Handle<Entity>>,
}

fn entity(health: i32) -> Entity {
    Entity { health, target: None }
}

/// Insertion, removal, and a handle that is stale after its slot is reused.
#[unsafe(no_mangle)]
pub extern "C" fn pools() -> u32 {
    let mut pool: Pool<u64> = Pool::new();
    let handles: Vec<_> = (0..1_000).map(|number| pool.insert(number)).collect();
    check!(pool.remove(handles[500]) == Some(500));
    let reused = pool.insert(7);
    check!(reused.index() == handles[500].index());
    check!(pool.get(handles[500]).is_none() && pool[reused] == 7);
    check!(
        pool.try_get(handles[500]).is_err_and(|error| error.to_string() == "500v1 was removed: slot 500 is at v2")
    );
    check!(pool.values().sum::<u64>() == 999 * 1_000 / 2 - 500 + 7);
    // More than 32 bits can address.
    check!(pool.try_reserve(usize::MAX).is_err() && pool.try_reserve(usize::MAX / 8).is_err());
    check!(pool.validate().is_ok());
    0
}

/// A frame: spawning and despawning while entities are borrowed.
#[unsafe(no_mangle)]
pub extern "C" fn worlds() -> u32 {
    let mut world = World::new();
    let goblin = world.spawn(entity(1));
    let tower = world.spawn(Entity { health: 9, target: Some(goblin) });
    world.end_frame();
    let (mut live, spawner) = world.split();
    for (handle, entity) in &mut live {
        if let Some(target) = entity.target {
            spawner.spawn(Entity { health: 1, target: Some(target) });
        }
        entity.health -= 1;
        if entity.health == 0 {
            spawner.despawn(handle);
        }
    }
    drop((live, spawner));
    let report = world.end_frame();
    check!((report.spawned, report.despawned) == (1, 1));
    check!(world.len() == 2 && world[tower].health == 8 && world.get(goblin).is_none());
    check!(world.validate().is_ok());
    0
}

/// Saving and loading in the middle of a frame: the loaded world issues the same handles, too.
#[unsafe(no_mangle)]
pub extern "C" fn saves() -> u32 {
    let mut world = World::new();
    let [first, second] = [1, 2].map(|health| world.spawn(entity(health)));
    world.end_frame();
    world.despawn(first);
    world.spawn(Entity { health: 3, target: Some(second) });
    let Ok(text) = serde_json::to_string(&world) else { return line!() };
    let Ok(mut loaded) = serde_json::from_str::<World<Entity>>(&text) else { return line!() };
    world.end_frame();
    loaded.end_frame();
    check!(loaded.get(first).is_none() && loaded[second].health == 2);
    check!(loaded.spawn(entity(4)) == world.spawn(entity(4)));
    check!(serde_json::to_string(&loaded).ok() == serde_json::to_string(&world).ok());
    // A small document does not allocate a large container.
    check!(serde_json::from_str::<Pool<u8>>(r#"{"version":1,"next":4294967294,"slots":[]}"#).is_err());
    0
}

#[derive(Row)]
#[row(snapshot)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Row)]
#[row(snapshot)]
struct Spark {
    #[row(nested)]
    at: Point,
    burns: bool,
    parent: Handle<Spark>,
}

/// A snapshot that was written on x86-64.
#[unsafe(no_mangle)]
pub extern "C" fn snapshots() -> u32 {
    let saved = include_bytes!("../../crates/tenure/tests/saved/v1/sparks.x86_64.snapshot");
    let Ok(sparks) = Table::<Spark>::from_snapshot(saved) else { return line!() };
    check!(sparks.len() == 2 && sparks.validate().is_ok());
    let mut xs = sparks.columns().at.x.to_vec();
    xs.sort_by(f32::total_cmp);
    check!(xs == [4.0, 5.0]);
    let Ok(again) = Table::<Spark>::from_snapshot(&sparks.to_snapshot()) else { return line!() };
    check!(again.raw_handles() == sparks.raw_handles() && again.columns().parent == sparks.columns().parent);
    0
}
