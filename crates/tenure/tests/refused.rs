//! Every call that returns an error for lack of memory, on every container: the n-th request is
//! refused, and then all requests from the n-th on, for every n. The call returns its error, the
//! container is as before, and the same call succeeds when there is memory again. (An error path
//! that allocates would abort.)

use tenure::{DensePool, Handle, Pool, Row, SideMap, StablePool, Table, World};
use test_support::alloc::{self, Watched};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Two ways to refuse memory.
type Refuse = fn(u64, &mut dyn FnMut());
const WAYS: [(&str, Refuse); 2] = [
    ("one request", |nth, call| alloc::refuse_nth(nth, call)),
    ("all requests from", |nth, call| alloc::refuse_from(nth, call)),
];

/// Runs `call` on the result of `make`, with more and more memory. `call` returns whether it
/// succeeded; `state` returns what must not change when it fails.
fn refuse<C, S: PartialEq + std::fmt::Debug>(
    name: &str,
    make: impl Fn() -> C,
    call: impl Fn(&mut C) -> bool,
    state: impl Fn(&mut C) -> S,
) {
    for (way, refuse) in WAYS {
        let mut failures = 0;
        for nth in 0.. {
            let mut container = make();
            let before = state(&mut container);
            let mut succeeded = false;
            let ((), asked) = alloc::count(|| refuse(nth, &mut || succeeded = call(&mut container)));
            if !succeeded {
                assert!(asked > nth, "{name}: failed, though nothing was refused");
                assert_eq!(state(&mut container), before, "{name}, {way} {nth}");
                assert!(call(&mut container), "{name}, {way} {nth}: fails although there is memory");
                failures += 1;
            }
            state(&mut container);
            if asked <= nth {
                break;
            }
        }
        assert!(failures > 0, "{name}: never fails");
    }
}

/// Empty, full, and with slots released at the end.
fn sizes() -> [u32; 3] {
    [0, 64, 300]
}

/// Pools of all kinds on the heap, which share their methods.
macro_rules! pools {
    ($name:ident, $Pool:ty, $value:expr) => {
        #[test]
        fn $name() {
            for size in sizes() {
                let make = || {
                    let mut pool = <$Pool>::with_capacity(0);
                    for number in 0..size {
                        _ = pool.insert($value(number));
                    }
                    while pool.capacity() > pool.len() {
                        _ = pool.insert($value(0));
                    }
                    let handle = pool.handle_at(0);
                    pool.shrink_to_fit();
                    (pool, handle)
                };
                let state = |(pool, _): &mut ($Pool, _)| {
                    pool.validate().unwrap();
                    (pool.len(), pool.stats().pending, pool.stats().retired, pool.iter().count())
                };
                refuse(
                    "try_insert",
                    make,
                    |(pool, _)| match pool.try_insert($value(7)) {
                        Ok(handle) => pool.contains(handle),
                        Err(full) => full.into_inner() != $value(7),
                    },
                    state,
                );
                refuse("try_insert_with", make, |(pool, _)| pool.try_insert_with(|_| $value(7)).is_ok(), state);
                refuse("try_reserve", make, |(pool, _)| pool.try_reserve(500).is_ok(), state);
                refuse("try_reserve_exact", make, |(pool, _)| pool.try_reserve_exact(500).is_ok(), state);
                refuse("try_reserve_handle", make, |(pool, _)| pool.try_reserve_handle().is_ok(), state);
                for beyond in [0, 70, 1_000] {
                    refuse(
                        "insert_at",
                        make,
                        |(pool, _)| {
                            let handle = Handle::from_parts(size * 2 + 200 + beyond, 3).unwrap();
                            match pool.insert_at(handle, $value(7)) {
                                Ok(_) => pool.contains(handle),
                                Err(rejected) => rejected.into_inner() != $value(7),
                            }
                        },
                        state,
                    );
                }
            }
        }
    };
}

pools!(in_pools, Pool<u32>, |number: u32| number);
pools!(in_stable_pools, StablePool<u32>, |number: u32| number);
pools!(in_dense_pools, DensePool<u32>, |number: u32| number);
pools!(in_tables, Table<Pair>, |number: u32| Pair { first: number, inner: Inner { second: u64::from(number) } });

#[derive(Row, Clone, Debug, PartialEq)]
struct Pair {
    first: u32,
    #[row(nested)]
    inner: Inner,
}

#[derive(Row, Clone, Debug, PartialEq)]
struct Inner {
    second: u64,
}

/// A pending handle has a slot, but no row yet.
#[test]
fn filling_a_row() {
    let make = || {
        let mut pool: DensePool<u32> = DensePool::with_capacity(0);
        let handle = pool.reserve_handle();
        (pool, handle)
    };
    refuse(
        "fill",
        make,
        |(pool, handle)| match pool.fill(*handle, 7) {
            Ok(()) => true,
            Err(rejected) => rejected.into_inner() != 7,
        },
        |(pool, _)| {
            pool.validate().unwrap();
            (pool.len(), pool.stats().pending)
        },
    );
}

/// The rest is returned, and the inserted values stay.
#[test]
fn inserting_many() {
    for (way, refuse) in WAYS {
        let mut failures = 0;
        for nth in 0.. {
            let mut pool: StablePool<u32> = StablePool::new();
            let mut left = 0;
            let ((), asked) = alloc::count(|| {
                refuse(nth, &mut || {
                    if let Err(full) = pool.insert_many(0..300).finish() {
                        left = full.into_inner().count();
                    }
                });
            });
            assert_eq!(pool.len() + left, 300, "{way} {nth}");
            pool.validate().unwrap();
            failures += usize::from(left > 0);
            if asked <= nth {
                break;
            }
        }
        // Where only one request is refused, a later one succeeds.
        assert!(failures > 0 || way == "one request");
    }
}

fn world(size: u32, in_mid_frame: bool) -> World<u32> {
    let mut world = World::new();
    let handles: Vec<_> = (0..size).map(|number| world.spawn(number)).collect();
    world.end_frame();
    if in_mid_frame {
        handles.iter().step_by(3).for_each(|&handle| _ = world.despawn(handle));
        world.end_frame();
        _ = world.stage(1);
        for number in 0..70 {
            world.spawn(number);
        }
        assert_eq!(world.by_id(tenure::EntityId::new(1_000_000).unwrap()), None);
    }
    world
}

fn state_of_world(world: &mut World<u32>) -> (usize, usize, usize) {
    world.validate().unwrap();
    (world.len(), world.iter_spawned().count(), world.iter_all().count())
}

#[test]
fn in_worlds() {
    for (size, in_mid_frame) in [(0, false), (64, false), (64, true), (300, false), (300, true)] {
        // The lists have some spare room: it takes enough spawns until they allocate.
        let spawn_many = |world: &mut World<u32>| (0..400).all(|number| world.try_spawn(number).is_ok());
        let make = || world(size, in_mid_frame);
        for (way, refuse) in WAYS {
            for nth in 0.. {
                let mut world = make();
                let before = world.iter_all().count();
                let mut spawned = 0;
                let ((), asked) = alloc::count(|| {
                    refuse(nth, &mut || {
                        spawned = (0..400)
                            .take_while(|&number| match world.try_spawn(number) {
                                Ok(handle) => world.contains(handle),
                                Err(full) => full.into_inner() != number,
                            })
                            .count();
                    });
                });
                assert_eq!(world.iter_all().count(), before + spawned, "{way} {nth}");
                state_of_world(&mut world);
                assert!(spawn_many(&mut world), "{way} {nth}: fails although there is memory");
                world.end_frame();
                state_of_world(&mut world);
                if asked <= nth {
                    assert_eq!(spawned, 400);
                    break;
                }
            }
        }
        refuse("try_reserve", make, |world| world.try_reserve(500).is_ok(), state_of_world);
        refuse("try_reserve_exact", make, |world| world.try_reserve_exact(500).is_ok(), state_of_world);
        refuse(
            "try_spawn_with",
            make,
            |world| (0..100).all(|number| world.try_spawn_with(|_| number).is_ok()),
            |world| {
                world.validate().unwrap();
                world.len()
            },
        );
        for beyond in [0, 70, 1_000] {
            refuse(
                "insert_at",
                make,
                |world| {
                    let handle = Handle::from_parts(size * 2 + 200 + beyond, 3).unwrap();
                    match world.insert_at(handle, 7) {
                        Ok(_) => world.contains(handle),
                        Err(rejected) => rejected.into_inner() != 7,
                    }
                },
                |world| (state_of_world(world), world.stats().pending),
            );
        }
        refuse(
            "try_stage",
            make,
            |world| (0..100).all(|number| world.try_stage(number).is_ok()),
            |world| {
                world.validate().unwrap();
                world.len()
            },
        );
    }
}

/// `reserve(n)` makes all the room that `n` spawns need: in the slots, and in the frame's lists.
#[test]
fn spawns_that_a_world_has_room_for_need_no_memory() {
    type Reserve = fn(&mut World<u32>, usize);
    let ways: [Reserve; 4] = [
        World::reserve,
        World::reserve_exact,
        |world, count| world.try_reserve(count).unwrap(),
        |world, count| world.try_reserve_exact(count).unwrap(),
    ];
    for (nth, reserve) in ways.into_iter().enumerate() {
        for (size, in_mid_frame) in [(0, false), (1, false), (63, true), (64, false), (64, true), (300, true)] {
            for count in [1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 500] {
                let mut world = world(size, in_mid_frame);
                reserve(&mut world, count);
                let numbers = 0..u32::try_from(count).unwrap();
                let spawned = alloc::refuse_all(|| numbers.take_while(|&n| world.try_spawn(n).is_ok()).count());
                assert_eq!(spawned, count, "way {nth}, {size} entities, in mid-frame: {in_mid_frame}");
                state_of_world(&mut world);
            }
        }
    }
}

/// Spawning and despawning have made all the room that ending the frame needs.
#[test]
fn ending_a_frame_without_staged_entities_needs_no_memory() {
    for size in (0..400).step_by(7) {
        let mut world = world(size, false);
        let handles: Vec<_> = world.handles().collect();
        (0..size % 90).for_each(|number| _ = world.spawn(number));
        handles.iter().step_by(3).for_each(|&handle| _ = world.despawn(handle));
        let report = alloc::refuse_all(|| world.end_frame());
        assert_eq!((report.spawned, report.despawned), (size as usize % 90, handles.len().div_ceil(3)), "{size}");
        state_of_world(&mut world);
    }
}

/// Room that a world counts on exists, whatever it was made from: without memory, spawning returns
/// an error and does not abort, and despawning and sweeping need none.
#[test]
fn in_worlds_of_every_origin() {
    type Origin = (&'static str, fn(World<u32>) -> World<u32>);
    let origins: [Origin; 7] = [
        ("new", |world| world),
        ("cloned", |world| world.clone()),
        ("cloned over a smaller one", |original| {
            let mut copy = world(3, false);
            copy.clone_from(&original);
            copy
        }),
        ("cloned over a larger one", |original| {
            let mut copy = world(1_000, false);
            copy.clone_from(&original);
            copy
        }),
        ("shrunk", |mut world| {
            world.shrink_to_fit();
            world
        }),
        ("committed", |mut world| {
            _ = world.commit();
            world
        }),
        ("loaded", |world| serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap()),
    ];
    for (origin, convert) in origins {
        for (size, in_mid_frame) in [(0, false), (64, false), (64, true), (300, false), (300, true)] {
            let mut world = convert(world(size, in_mid_frame));
            alloc::refuse_all(|| while world.try_spawn(7).is_ok() {});
            state_of_world(&mut world);
            let handles: Vec<_> = world.iter_all().map(|(handle, _)| handle).collect();
            let swept = alloc::refuse_all(|| {
                handles.iter().for_each(|&handle| _ = world.despawn(handle));
                world.sweep().len()
            });
            assert_eq!((swept, world.iter_all().count()), (handles.len(), 0), "{origin}, {size}");
            state_of_world(&mut world);
        }
    }
}

/// The spawner of a split, in a pool and in a world.
#[test]
fn in_splits() {
    let spawn = |world: &mut World<u32>| {
        let (_live, spawner) = world.split();
        (0..500).all(|number| match spawner.try_spawn(number) {
            Ok(_) => true,
            Err(full) => full.into_inner() != number,
        })
    };
    refuse(
        "try_spawn in a world",
        || world(10, true),
        spawn,
        |world| {
            world.validate().unwrap();
            world.len()
        },
    );
    let make = || (0..64).collect::<StablePool<u32>>();
    for (way, refuse) in WAYS {
        for nth in 0.. {
            let mut pool = make();
            let mut spawned = 0;
            let ((), asked) = alloc::count(|| {
                refuse(nth, &mut || {
                    let (mut live, spawner) = pool.split();
                    spawned = (0..500).take_while(|&number| spawner.try_spawn(number).is_ok()).count();
                    let handle = live.iter().next().map(|(handle, _)| handle).unwrap();
                    assert!(live.remove(handle).is_some());
                });
            });
            assert_eq!(pool.len(), 63 + spawned, "{way} {nth}");
            pool.validate().unwrap();
            if asked <= nth {
                assert_eq!(spawned, 500);
                break;
            }
        }
    }
}

/// A value that a job cannot store is returned.
#[test]
fn in_jobs() {
    for (_, refuse) in WAYS {
        for nth in 0..4 {
            let mut world = world(1, false);
            let mut back = 0;
            world.with_jobs(64, 200, |jobs| {
                for mut job in jobs {
                    refuse(nth, &mut || {
                        back = (0..200).filter(|&number| job.spawner.try_spawn(number).is_err()).count();
                    });
                }
            });
            world.end_frame();
            assert_eq!(world.len() + back, 201);
            world.validate().unwrap();
        }
    }
}

#[test]
fn in_side_maps() {
    let owner: Pool<u32> = (0..200).collect();
    let handles: Vec<_> = owner.handles().collect();
    for filled in [0, 1, 64] {
        let make = || {
            let mut map: SideMap<Handle<u32>, u32> = SideMap::new();
            handles[..filled].iter().for_each(|&handle| _ = map.insert(&owner, handle, 1));
            map.shrink_to_fit();
            map
        };
        refuse(
            "insert",
            make,
            |map| match map.insert(&owner, handles[199], 7) {
                Ok(_) => map.contains(handles[199]),
                Err(rejected) => rejected.into_inner() != 7,
            },
            |map| {
                map.validate().unwrap();
                map.len()
            },
        );
    }
}
