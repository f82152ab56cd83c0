//! Jobs: spawning and despawning from several threads, with the same result for every number of
//! threads.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use tenure::world::Job;
use tenure::{Compact, Handle, World};
use test_support::{quiet, small};

#[derive(Clone, Hash)]
struct Cell {
    energy: u32,
    parent: Option<Handle<Cell>>,
    children: Vec<Handle<Cell>>,
}

/// A simulation: cells use up energy, spawn others when they have much of it, and despawn at zero.
fn live(job: &mut Job<'_, Cell>, frame: u32) {
    for (handle, cell) in job.live.iter_mut() {
        let luck = (handle.index().wrapping_mul(2_654_435_761) ^ frame.wrapping_mul(40_503)) >> 7;
        cell.energy = (cell.energy + luck % 6).saturating_sub(2);
        // Cells far out get no energy, which bounds the number of cells.
        if handle.index() > 2_500 || luck % 61 == 0 {
            cell.energy = 0;
        }
        if cell.energy > 12 {
            let child = Cell { energy: 5, parent: Some(handle), children: Vec::new() };
            if let Ok(child) = job.spawner.try_spawn(child) {
                cell.energy -= 6;
                cell.children.push(child);
            }
        }
        if cell.energy == 0 {
            job.spawner.despawn(handle);
            cell.parent.into_iter().filter(|_| luck % 3 == 0).for_each(|parent| job.spawner.despawn(parent));
        }
    }
}

/// Each thread takes the next job when it has finished one.
fn run_on(threads: usize, world: &mut World<Cell>, frame: u32) {
    world.with_jobs(128, 12, |jobs| {
        let jobs = Mutex::new(jobs);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let Some(mut job) = jobs.lock().unwrap().next() else { break };
                        live(&mut job, frame);
                    }
                });
            }
        });
    });
}

fn hash(world: &World<Cell>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (handle, cell) in world {
        (handle.to_bits(), world.id_of(handle).map(tenure::EntityId::get)).hash(&mut hasher);
        let bits: Vec<u64> = cell.children.iter().chain(&cell.parent).map(|handle| handle.to_bits()).collect();
        (cell.energy, bits).hash(&mut hasher);
    }
    hasher.finish()
}

fn history(threads: usize) -> Vec<u64> {
    let mut world = World::new();
    for energy in 0..small::or(600, 200) {
        world.spawn(Cell { energy: energy % 13 + 1, parent: None, children: Vec::new() });
    }
    world.end_frame();
    let mut hashes = Vec::new();
    let (frames, pause) = small::or((1_000, 100), (6, 2));
    for frame in 0..frames {
        run_on(threads, &mut world, frame);
        let report = world.end_frame();
        if frame % pause == pause - 1 {
            world.validate().unwrap();
            hashes.push(hash(&world) ^ report.spawned as u64);
        }
        world.values_mut().for_each(|cell| cell.children.retain(|child| child.index() % 2 == 0));
    }
    assert!(world.len() > 50, "{} are left", world.len());
    hashes
}

#[test]
fn the_same_world_with_any_number_of_threads() {
    let alone = history(1);
    assert!(alone.windows(2).all(|pair| pair[0] != pair[1]), "the world changes in every frame");
    for &threads in small::or(&[1, 2, 3, 8][..], &[3]) {
        assert_eq!(history(threads), alone, "with {threads} threads");
    }
}

#[test]
fn a_spawn_above_the_declared_number_returns_the_value() {
    let mut world: World<u32> = World::new();
    (0..200).for_each(|number| _ = world.spawn(number));
    world.end_frame();
    let mut spawned = Vec::new();
    world.with_jobs(64, 2, |jobs| {
        assert_eq!(jobs.len(), 4);
        for mut job in jobs {
            spawned.extend((0..2).map(|_| job.spawner.try_spawn(7).unwrap()));
            assert_eq!(job.spawner.try_spawn(8).unwrap_err().into_inner(), 8);
        }
    });
    assert!(spawned.iter().all(|&handle| world.get(handle) == Some(&7)), "they resolve when the jobs are done");
    assert_eq!(world.end_frame().spawned, 8);
    world.validate().unwrap();
}

/// Slots that were reserved and not used are free again, and no generation was used up.
#[test]
fn unused_spawns_cost_no_generation() {
    let mut world: World<u8, Handle<u8, Compact<30>>> = World::EMPTY; // two tenants per slot
    (0..100).for_each(|number| _ = world.spawn(number));
    world.end_frame();
    for _ in 0..small::or(50, 5) {
        world.with_jobs(64, 5, |jobs| assert_eq!(jobs.len(), world_jobs(100)));
        world.end_frame();
    }
    let next = world.spawn(1);
    assert_eq!((next.index(), next.generation()), (100, 1));
    world.validate().unwrap();
}

fn world_jobs(slots: usize) -> usize {
    slots.div_ceil(64)
}

#[test]
fn a_panic_in_a_job_loses_nothing() {
    let mut world: World<u32> = World::new();
    let handles: Vec<_> = (0..100).map(|number| world.spawn(number)).collect();
    world.end_frame();
    let mut child = Handle::NIL;
    let result = quiet::catch(|| {
        world.with_jobs(64, 2, |jobs| {
            for mut job in jobs {
                child = job.spawner.spawn(5);
                job.spawner.despawn(handles[0]);
                job.spawner.despawn(handles[0]);
                assert!(job.number == 0, "the second job fails");
            }
        });
    });
    assert!(result.is_err());
    assert_eq!(world.get(child), Some(&5));
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned, report.already_dying), (2, 1, 3));
    world.validate().unwrap();
}

#[test]
fn jobs_may_be_dropped_without_running() {
    let mut world: World<String> = World::new();
    (0..100).for_each(|number: u32| _ = world.spawn(number.to_string()));
    world.end_frame();
    world.with_jobs(64, 3, |mut jobs| {
        let mut first = jobs.next().unwrap();
        first.spawner.spawn("spawned".into());
    });
    assert_eq!(world.end_frame().spawned, 1);
    world.validate().unwrap();
}

/// As many spawns as slots are declared and none happens: neither slots nor jobs become more.
#[test]
fn declared_spawns_do_not_add_jobs() {
    let mut world: World<u32> = World::new();
    (0..1_000).for_each(|number| _ = world.spawn(number));
    world.end_frame();
    for _ in 0..small::or(20, 3) {
        world.with_jobs(64, 64, |jobs| assert_eq!(jobs.len(), 16));
        world.end_frame();
    }
    assert!(world.spawn(1).index() < 1_100);
}

/// In the order in which `despawn` was called.
#[test]
fn despawns_are_applied_in_the_order_of_jobs() {
    let mut world: World<u32> = World::new();
    let handles: Vec<_> = (0..200).map(|number| world.spawn(number)).collect();
    world.end_frame();
    world.with_jobs(64, 0, |jobs| {
        for mut job in jobs {
            let first = job.number * 64;
            job.spawner.despawn(handles[first + 3]);
            job.spawner.despawn(handles[first + 1]);
        }
    });
    let right = [3, 1, 67, 65, 131, 129, 195, 193].map(|number| handles[number]);
    assert_eq!(world.sweep().collect::<Vec<_>>(), right);
}
