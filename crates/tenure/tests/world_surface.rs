//! Methods that a world has in common with every pool, in the middle of a frame and between frames.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use tenure::{Compact, Handle, Live, Rejection, SideMap, Spawner, StablePool, Status, Tagged, World, join};
use test_support::saved::{from_json, to_json};
use test_support::{quiet, small};

/// Two committed entities, an uncommitted one, a dying one, and a staged one.
fn mid_frame() -> (World<u32>, [Handle<u32>; 4]) {
    let world = World::from([10, 20, 30]);
    let [a, b, dying] = [0, 1, 2].map(|index| world.handle_at(index).unwrap());
    let spawned = world.spawn(40);
    world.despawn(dying);
    let _ = world.stage(50);
    (world, [a, b, dying, spawned])
}

#[test]
fn status_agrees_with_get() {
    let (mut world, [a, _, dying, spawned]) = mid_frame();
    let reserved = world.reserve_handle();
    for (handle, status) in
        [(a, Status::Live), (dying, Status::Dying), (spawned, Status::Spawned), (reserved, Status::Pending)]
    {
        assert_eq!(world.status(handle), status);
        assert_eq!(world.status(handle).resolves(), world.get(handle).is_some());
        assert_eq!(world.contains(handle), world.get(handle).is_some());
    }
    world.fill(reserved, 60).unwrap();
    assert_eq!(world.status(reserved), Status::Spawned);
    world.end_frame();
    assert!([a, spawned, reserved].iter().all(|&handle| world.status(handle).is_live()));
    assert_eq!(world.status(dying), Status::Removed);
    world.validate().unwrap();
}

#[test]
fn insert_at_spawns_and_replaces() {
    let (mut world, [a, _, _, spawned]) = mid_frame();
    let id = world.id_of(a);
    assert_eq!(world.insert_at(a, 11).unwrap(), Some(10));
    assert_eq!((world[a], world.id_of(a)), (11, id), "a replaced entity keeps its id");
    assert_eq!(world.insert_at(spawned, 41).unwrap(), Some(40));
    let far = Handle::from_parts(100, 7).unwrap();
    assert_eq!(world.insert_at(far, 1).unwrap(), None);
    assert_eq!(world.status(far), Status::Spawned);
    assert_eq!(world.iter().count(), 3, "iteration does not change within a frame");
    let beyond = Handle::from_parts(1_000_000, 1).unwrap();
    assert_eq!(world.insert_at(beyond, 1).unwrap_err().reason(), Rejection::OutOfReach);
    world.validate().unwrap();
    world.end_frame();
    assert_eq!(world[far], 1);
    assert!(world.discard(far));
    assert_eq!(world.insert_at(Handle::from_parts(100, 6).unwrap(), 1).unwrap_err().reason(), Rejection::Stale);
    assert_eq!(world.insert_at(far, 2).unwrap(), None, "the last tenant is inserted again");
    world.end_frame();
    world.validate().unwrap();
}

/// The same handle is inserted, removed and inserted again before one commit.
#[test]
fn a_handle_inserted_twice_before_a_commit_is_committed_once() {
    let mut world: World<u32> = World::new();
    world.reserve(300);
    let others: Vec<_> = (0..200).map(|number| world.spawn(number)).collect();
    for &handle in &others[..70] {
        let value = world.take(handle).unwrap();
        world.fill(handle, value).unwrap();
        assert!(world.discard(handle));
        world.insert_at(handle, value).unwrap();
        world.validate().unwrap();
    }
    let report = world.end_frame();
    assert_eq!((report.spawned, world.len()), (200, 200));
    assert!(others.iter().zip(0..).all(|(&handle, number)| world[handle] == number));
    world.validate().unwrap();
}

#[test]
fn take_fill_and_discard_act_at_once() {
    let (mut world, [a, b, dying, spawned]) = mid_frame();
    assert_eq!(world.take(a), Some(10));
    assert_eq!(world.take(spawned), Some(40));
    assert_eq!(world.status(a), Status::Pending);
    assert!(world.pending_handles().eq([a, spawned]));
    assert!(world.discard(b) && !world.discard(b));
    assert!(world.discard(dying), "it was only marked");
    world.validate().unwrap();
    world.fill(spawned, 44).unwrap();
    assert_eq!(world.release_pending(), 1);
    world.end_frame();
    assert_eq!(world.len(), 2, "the filled one, and the staged one");
    assert_eq!(world[spawned], 44);
    world.validate().unwrap();
}

#[test]
fn retain_and_drain_act_at_once() {
    let (mut world, [a, _, dying, spawned]) = mid_frame();
    let mut seen = Vec::new();
    world.retain(|handle, number| {
        seen.push(handle);
        *number != 20
    });
    assert_eq!(seen.len(), 4);
    assert!(world.contains(a) && world.contains(dying) && world.contains(spawned));
    world.validate().unwrap();
    let drained: Vec<_> = world.drain().map(|(_, number)| number).collect();
    assert_eq!(drained, [10, 50, 30, 40], "the staged entity takes the slot that `retain` freed");
    assert!(world.is_empty() && world.iter_all().next().is_none());
    world.validate().unwrap();

    // Entities that a forgotten drain has not yielded are still there.
    let mut world = World::from([1, 2, 3]);
    let mut drain = world.drain();
    drain.next();
    std::mem::forget(drain);
    assert_eq!(world.len(), 2);
    world.validate().unwrap();
    let mut drain = world.drain();
    drain.next();
    drop(drain);
    assert!(world.is_empty());
    world.validate().unwrap();
}

/// Reserved and taken handles are released, in the middle of a frame and between frames, in copies
/// and after loading, and also if a destructor panics.
#[test]
fn clear_all_and_drain_release_pending_handles() {
    let (mut world, [a, _, _, spawned]) = mid_frame();
    let reserved = world.reserve_handle();
    let _ = (world.take(a), world.take(spawned), world.spawn(60));
    let loaded: World<u32> = from_json(&to_json(&world).unwrap()).unwrap();
    let mut committed = world.clone();
    committed.end_frame();
    for mut world in [world.clone(), loaded, committed, world] {
        assert_eq!(world.stats().pending, 3);
        let mut drained = world.clone();
        let mut drain = drained.drain();
        drain.next();
        drop(drain);
        world.clear_all();
        for mut empty in [drained, world] {
            assert_eq!((empty.stats().pending, empty.pending_handles().count()), (0, 0));
            assert_eq!(empty.stats().holes, 0);
            for handle in [a, spawned, reserved] {
                assert_eq!(empty.fill(handle, 1).unwrap_err().reason(), Rejection::Stale);
            }
            empty.validate().unwrap();
            empty.spawn(1);
            empty.end_frame();
            assert_eq!((empty.len(), empty.stats().pending), (1, 0));
            empty.validate().unwrap();
        }
    }

    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("a destructor");
        }
    }
    let mut world = World::from([Panics]);
    let reserved = world.reserve_handle();
    assert!(quiet::catch(|| world.clear_all()).is_err());
    assert_eq!(world.status(reserved), Status::Removed);
    world.validate().unwrap();
}

#[test]
fn clear_temporary_keeps_pending_handles() {
    let (mut world, [a, ..]) = mid_frame();
    let taken = world.take(a);
    world.clear_temporary();
    assert_eq!((taken, world.status(a)), (Some(10), Status::Pending));
    world.fill(a, 11).unwrap();
    world.end_frame();
    assert!(world.iter().eq([(a, &11)]));
}

#[test]
fn into_iter_yields_all_entities_with_a_handle() {
    let (world, _) = mid_frame();
    let all: BTreeMap<_, _> = world.into_iter().collect();
    assert!(all.into_values().eq([10, 20, 30, 40, 50]));
}

#[test]
fn into_values_yields_all_entities_with_a_handle() {
    let (world, _) = mid_frame();
    assert!(world.into_values().eq([10, 20, 30, 40, 50]));
}

/// A closure that fails leaves nothing behind, also in the middle of a frame and if it has spawned
/// others.
#[test]
fn spawn_with_result_cancels_the_reservation() {
    let (mut world, _) = mid_frame();
    let mut failed = Vec::new();
    for round in 0..3 {
        let result = world.spawn_with_result(|me| {
            assert_eq!(world.status(me), Status::Pending);
            failed.push(me);
            if round == 1 {
                world.spawn(60);
            }
            Err::<u32, _>("no")
        });
        assert_eq!(result, Err("no"));
        assert_eq!((world.stats().pending, world.iter_spawned().count()), (0, if round == 0 { 1 } else { 2 }));
        world.validate().unwrap();
    }
    assert_eq!(failed[0], failed[1], "the same handle is issued again");
    let made = world.spawn_with_result(|me| Ok::<_, ()>(me.index())).unwrap();
    assert_eq!((made.generation(), world[made], world.status(made)), (1, made.index(), Status::Spawned));
    world.validate().unwrap();
    world.end_frame();
    assert_eq!((world.len(), world.stats().pending), (6, 0));

    // The closure may fill its own handle, and fail all the same.
    let mut filled = None;
    let result = world.spawn_with_result(|me| {
        world.fill(me, 70).unwrap();
        filled = Some(me);
        Err::<u32, _>(())
    });
    assert_eq!((result, filled.map(|handle| world[handle])), (Err(()), Some(70)));
    world.validate().unwrap();

    // In a stable pool, through the spawner.
    let mut pool = StablePool::from([1]);
    let (live, spawner) = pool.split();
    let mut handles = Vec::new();
    let result = spawner.spawn_with_result(|me| {
        handles.push(me);
        Err::<u32, _>(())
    });
    handles.push(spawner.spawn_with_result(|_| Ok::<_, ()>(2)).unwrap());
    drop((live, spawner));
    assert_eq!((result, handles[0]), (Err(()), handles[1]));
    assert!(pool.values().eq(&[1, 2]));
    pool.validate().unwrap();
}

#[test]
fn try_spawn_with_returns_the_closure() {
    let mut world: World<u32, Handle<u32, Compact<2>>> = World::EMPTY;
    for index in 0..3 {
        assert_eq!(world.try_spawn_with(Handle::index).unwrap().index(), index);
    }
    let make = world.try_spawn_with(|me| me.index() + 100).unwrap_err().into_inner();
    world.validate().unwrap();
    let (mut live, spawner) = world.split();
    assert!(spawner.try_spawn_with(|_| panic!("called though there is no room")).is_err());
    live.remove(Handle::from_parts(1, 1).unwrap());
    drop((live, spawner));
    world.end_frame();
    let again = world.try_spawn_with(make).unwrap();
    assert_eq!((world[again], again.generation()), (101, 2));
    world.validate().unwrap();
}

#[test]
fn two_entities_at_once() {
    let (mut world, [a, _, _, spawned]) = mid_frame();
    let [x, y] = world.get_disjoint_mut([a, spawned]).unwrap();
    std::mem::swap(x, y);
    assert_eq!((world[a], world[spawned]), (40, 10));
    assert!(world.get_disjoint_mut([a, a]).is_err());
    let loans = world.borrow_many();
    let (x, y) = (loans.get_mut(a).unwrap(), loans.get_mut(spawned).unwrap());
    std::mem::swap(x, y);
    assert!(loans.get_mut(a).is_err());

    let (mut live, spawner) = world.split();
    let new = spawner.spawn(1);
    assert!(live.get_disjoint_mut([a, new]).is_err(), "entities spawned in the split are not found");
    assert!(live.get_disjoint_mut([a, a]).is_err());
    let [x, y] = live.get_disjoint_mut([a, spawned]).unwrap();
    std::mem::swap(x, y);
    let loans = live.borrow_many();
    let first = loans.get_mut(a).unwrap();
    spawner.spawn(2);
    let second = loans.get_mut(spawned).unwrap();
    std::mem::swap(first, second);
    assert!(loans.get_mut(a).is_err() && loans.get_mut(new).is_err());
    assert_eq!(live.try_get(new).unwrap_err().status(), Status::Pending);
    drop((live, spawner));
    world.end_frame();
    world.validate().unwrap();
}

#[test]
fn next_handle_is_what_spawn_issues() {
    let mut world: World<u32> = World::new();
    let mut issued = Vec::new();
    for step in 0..500_u32 {
        let next = world.next_handle();
        issued.push(world.spawn(step));
        assert_eq!(issued.last().copied(), next);
        if step % 3 == 0 {
            world.despawn(issued[step as usize / 2]);
        }
        if step % 7 == 0 {
            world.end_frame();
        }
    }
    let mut pool: StablePool<u32> = StablePool::new();
    let next = pool.next_handle();
    assert_eq!(Some(pool.insert(1)), next);
    assert_eq!(pool.insert_with_result(|_| Err::<u32, _>("no")), Err("no"));
    let next = pool.next_handle();
    assert_eq!(pool.insert_with_result(|_| Ok::<_, ()>(2)).ok(), next);
    pool.discard(next.unwrap());
    pool.validate().unwrap();
}

#[test]
fn worlds_work_with_side_maps_and_joins() {
    let (mut world, [a, b, dying, spawned]) = mid_frame();
    let mut names: SideMap<Handle<u32>, &str> = SideMap::new();
    for (handle, name) in [(a, "a"), (b, "b"), (dying, "dying"), (spawned, "spawned")] {
        names.insert(&world, handle, name).unwrap();
    }
    let joined: Vec<_> = join((&world, &names)).map(|(_, (number, name))| (*number, *name)).collect();
    assert_eq!(joined, [(10, "a"), (20, "b"), (30, "dying")], "joins visit what iteration visits");
    // Spawning while joining: the world may grow, and new entities are not visited.
    let mut count = 0;
    for (_, (number, _)) in join((&world, &names)) {
        (0..200).for_each(|extra| _ = world.spawn(*number + extra));
        count += 1;
    }
    assert_eq!(count, 3);
    let (mut live, spawner) = world.split();
    for (handle, (number, name)) in join((&mut live, &mut names)) {
        *number += 1;
        *name = "seen";
        (0..100).for_each(|extra| _ = spawner.spawn(extra));
        spawner.despawn(handle);
    }
    assert_eq!(names.insert(&live, a, "again").unwrap(), Some("seen"));
    drop((live, spawner));
    world.end_frame();
    assert_eq!(names.retain_live(&world), 3);
    world.validate().unwrap();
}

#[test]
fn others_iterate() {
    let mut world = World::from([1, 2, 4, 8]);
    let (mut live, spawner) = world.split();
    live.for_each_mut(|number, others| {
        assert_eq!(others.iter().count(), 3);
        assert!(others.iter().all(|(handle, _)| handle != others.me()));
        spawner.spawn(100);
        *number += others.values().sum::<i32>();
    });
    drop((live, spawner));
    assert!(world.values().eq(&[15, 29, 56, 108]));
}

#[test]
fn removed_entities_are_passed_to_the_closure() {
    let mut world = World::from(["orc", "goblin"].map(String::from));
    let orc = world.handle_at(0).unwrap();
    world.despawn(orc);
    let mut loot = Vec::new();
    world.sweep_with(|handle, name| loot.push((handle, name)));
    assert_eq!(loot, [(orc, "orc".into())]);
    assert_eq!(world.len(), 1);
    assert!(world.dead().eq([orc]));
    world.validate().unwrap();
}

#[test]
fn a_frame_that_panics_applies_nothing() {
    let mut world = World::from([1, 2]);
    let first = world.handle_at(0).unwrap();
    let caught = quiet::catch(|| {
        world.frame(|_, spawner| {
            spawner.spawn(3);
            spawner.despawn(first);
            panic!("in a system");
        })
    });
    assert!(caught.is_err());
    assert_eq!((world.len(), world.status(first)), (2, Status::Dying));
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned, report.frame), (1, 1, 2));
    world.validate().unwrap();
}

#[test]
fn live_remove_counts_as_despawned() {
    let (mut world, [a, _, dying, spawned]) = mid_frame();
    let (mut live, spawner) = world.split();
    let new = spawner.spawn(60);
    assert_eq!(live.remove(a), Some(10));
    assert_eq!(live.remove(dying), Some(30));
    assert_eq!(live.remove(spawned), Some(40));
    assert_eq!(live.remove(new), None, "only entities that existed at the split");
    assert_eq!(live.values().count(), 1);
    drop((live, spawner));
    world.validate().unwrap();
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned), (2, 3));
    assert_eq!(world.len(), 3);
    world.validate().unwrap();
}

#[test]
fn capacity_stats_and_equality() {
    let mut world: World<u32> = World::with_capacity(100);
    assert!(world.capacity() >= 100);
    let before = world.capacity();
    world.spawn(0);
    world.warm_up();
    world.validate().unwrap();
    world.extend(1..100);
    world.end_frame();
    assert_eq!((world.len(), world.capacity()), (100, before));
    assert!(world.values().copied().eq(0..100));
    let (mut world, [a, _, _, _]) = mid_frame();
    let stats = world.stats();
    assert_eq!((stats.live, stats.pending), (4, 0));
    let copy = world.clone();
    assert_eq!(copy, world);
    world.despawn(a);
    assert_ne!(copy, world, "the states differ");
    world.clear_all();
    world.shrink_to_fit();
    assert_eq!(world.stats().live, 0);
    assert_eq!(world.handle_of(&5), None);

    let tagged: World<u32, Handle<u32, Tagged<4>>> = World::with_tag(3);
    let handle = tagged.spawn(1);
    assert_eq!((tagged.tag(), handle.tag()), (3, 3));
    let text = serde_json::to_string(&tagged).unwrap();
    let loaded: World<u32, Handle<u32, Tagged<4>>> = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded, tagged);
}

/// One function serves both containers.
#[test]
fn a_system_takes_both_halves() {
    fn grow(live: &mut Live<'_, u32>, spawner: &Spawner<'_, u32>) {
        for (handle, age) in live.iter_mut() {
            *age += 1;
            if *age > 2 {
                spawner.despawn(handle);
            } else {
                spawner.spawn(0);
            }
        }
    }
    let mut world = World::from([0, 5]);
    let mut pool = StablePool::from([0, 5]);
    for _ in 0..5 {
        world.frame(grow);
        let (mut live, spawner) = pool.split();
        grow(&mut live, &spawner);
        drop((live, spawner));
        pool.validate().unwrap();
        assert!(world.values().eq(pool.values()));
    }
}

/// In every state of an entity, all lookups of `Live` agree.
#[test]
fn the_lookups_of_live_agree() {
    let (mut world, [a, b, dying, spawned]) = mid_frame();
    let reserved = world.reserve_handle();
    let (mut live, spawner) = world.split();
    let (new, new_value) = spawner.spawn_mut(60);
    spawner.despawn(b);
    let expected = [
        (a, Status::Live, Some(10)),
        (b, Status::Dying, Some(20)),
        (dying, Status::Dying, Some(30)),
        (spawned, Status::Spawned, Some(40)),
        (reserved, Status::Pending, None),
        (new, Status::Pending, None),
        (Handle::NIL, Status::Nil, None),
    ];
    for (handle, status, value) in expected {
        assert_eq!((live.status(handle), live.get(handle).copied()), (status, value), "{handle}");
        assert_eq!(live.status(handle).resolves(), live.contains(handle));
        assert_eq!(live.try_get(handle).copied().map_err(|error| error.status()), value.ok_or(status));
        assert_eq!(live.try_get_mut(handle).copied().map_err(|error| error.status()), value.ok_or(status));
        let at = live.handle_at(handle.index()).filter(|&found| found == handle);
        assert_eq!(at.is_some(), value.is_some());
        if value.is_some() {
            live[handle] += 1;
            assert_eq!(live.handle_of(&live[handle]), Some(handle));
            live[handle] -= 1;
        }
    }
    assert_eq!(live.handle_of(new_value), None, "spawned by this split");
    assert_eq!(live.handle_of(&10), None, "an equal value, elsewhere");
    assert!(live.handles().eq([a, b, dying]), "those that iteration visits");
    assert_eq!((live.len(), live.is_empty()), (3, false));
    assert_eq!(live.find(|&number| number >= 20), Some(b));
    assert_eq!(live.find(|&number| number >= 40), None);
    assert_eq!(live.remove(a), Some(10));
    assert_eq!((live.len(), live.status(a), live.handle_at(a.index())), (2, Status::Removed, None));
    let message = quiet::catch(|| live[a]).unwrap_err();
    assert_eq!(message, "stale handle u32(0v1): slot 0 is vacant, v1 was its last tenant");
    let message = quiet::catch(|| live[new] = 1).unwrap_err();
    assert_eq!(message, format!("handle {new:?} does not resolve: {}v1 is pending: it has no value", new.index()));
    drop((live, spawner));
    world.validate().unwrap();
}

/// A wrong handle panics at the caller's line, not at one of the library.
#[test]
fn indexing_panics_at_the_callers_line() {
    static PLACE: Mutex<Option<(String, u32)>> = Mutex::new(None);
    // Other tests set no hook after this.
    quiet::install();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref::<String>().is_some_and(|message| message.contains("Nowhere(nil)")) {
            *PLACE.lock().unwrap() = info.location().map(|place| (place.file().to_owned(), place.line()));
        } else {
            hook(info);
        }
    }));
    struct Nowhere(u32);
    let mut world = World::from([Nowhere(1)]);
    let (mut live, _spawner) = world.split();
    let line = line!() + 1;
    assert!(std::panic::catch_unwind(AssertUnwindSafe(|| live[Handle::NIL].0)).is_err());
    assert_eq!(PLACE.lock().unwrap().take(), Some((file!().to_owned(), line)));
    let line = line!() + 1;
    assert!(std::panic::catch_unwind(AssertUnwindSafe(|| live[Handle::NIL].0 = 1)).is_err());
    assert_eq!(PLACE.lock().unwrap().take(), Some((file!().to_owned(), line)));
}

/// Despawned values of a stable pool are dropped when both halves are dropped, even if a half is
/// forgotten.
#[test]
fn despawns_of_a_stable_pool_end_with_the_split() {
    let mut pool = StablePool::from([1, 2, 3].map(|number| vec![number]));
    let [a, b, c] = [0, 1, 2].map(|index| pool.handle_at(index).unwrap());
    let (live, spawner) = pool.split();
    assert_eq!(spawner.despawn(a), Status::Live);
    assert_eq!(spawner.despawn(a), Status::Dying);
    let new = spawner.spawn(vec![4]);
    assert_eq!(spawner.despawn(new), Status::Spawned);
    assert!(live.contains(a));
    drop(spawner);
    assert!(live.contains(a), "until both halves are dropped");
    drop(live);
    assert_eq!((pool.len(), pool.contains(a), pool.contains(new)), (2, false, false));
    pool.validate().unwrap();

    // Forgotten halves: the next exclusive use removes the marked values.
    let (live, spawner) = pool.split();
    spawner.despawn(b);
    std::mem::forget(spawner);
    std::mem::forget(live);
    let held = pool.get(b);
    pool.insert(vec![5]);
    assert_eq!(held, Some(&vec![2]), "a shared use removes nothing");
    assert!(pool.get_mut(b).is_none());
    assert_eq!(pool.status(c), Status::Live);
    pool.validate().unwrap();
}

/// The slot of a dying entity that is removed at once can be reused within the frame. The mark of
/// the removed entity does not concern its next tenant.
#[test]
fn a_removed_entity_is_not_swept_in_place_of_the_next_tenant() {
    let mut world = World::from([1]);
    let first = world.handle_at(0).unwrap();
    world.despawn(first);
    assert!(world.discard(first));
    let kept = world.spawn(2);
    assert_eq!(kept.index(), first.index());
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned, world.get(kept)), (1, 1, Some(&2)));

    world.despawn(kept);
    assert!(world.discard(kept));
    let swept = world.spawn(3);
    assert_eq!(swept.index(), first.index());
    world.despawn(swept);
    let report = world.end_frame();
    assert_eq!((report.despawned, world.get(swept)), (2, None));
    assert!(world.dead().eq([swept]));
    world.validate().unwrap();
}

/// A copy continues where the original is, also with the slots that are reserved for spawning.
#[test]
fn a_copy_in_the_middle_of_a_frame_issues_the_same_handles() {
    let (mut world, _) = mid_frame();
    let mut over_another = World::from([1]);
    over_another.clone_from(&world);
    for mut copy in [world.clone(), over_another] {
        let spawned: Vec<_> = (4..104).map(|number| copy.spawn(number)).collect();
        assert!(spawned.iter().zip(4..).all(|(handle, index)| handle.index() == index));
        copy.end_frame();
        assert_eq!((copy.len(), copy.stats().pending), (104, 0));
        copy.validate().unwrap();
    }
    assert_eq!(world.next_handle().map(Handle::index), Some(4));
    world.end_frame();
    assert_eq!((world.len(), world.stats().pending), (4, 0));
}

/// `fill` removes the handles of removed entities from the list that `iter_spawned` reads.
#[test]
fn iter_spawned_visits_the_same_entities_while_others_are_filled() {
    let mut world = World::new();
    let [a, b, c] = [1, 2, 3].map(|number| world.spawn(number));
    let _ = world.take(a);
    let mut visited = Vec::new();
    let mut spawned = world.iter_spawned();
    assert_eq!((spawned.size_hint(), spawned.clone().count()), ((0, Some(2)), 2));
    for (handle, _) in spawned.by_ref() {
        visited.push(handle);
        let _ = world.fill(a, 10);
        world.spawn(20);
    }
    assert!(visited == [b, c] && spawned.next().is_none());
    assert_eq!(world.iter_spawned().count(), 5);
    world.validate().unwrap();
}

#[test]
fn iterators_of_a_world_announce_how_many_entities_are_left() {
    let mut world: World<u32> = (0..200).collect();
    let handles: Vec<_> = world.handles().collect();
    for &handle in &handles[60..140] {
        world.despawn(handle);
    }
    world.end_frame();
    let mut left = 120;
    assert_eq!(world.values_mut().len(), 120);
    assert_eq!(world.iter_mut().len(), 120);
    let mut items = world.iter();
    loop {
        assert_eq!(items.size_hint(), (left, Some(left)));
        assert_eq!(items.clone().count(), left);
        let Some((handle, _)) = items.next() else { break };
        left -= 1;
        world.spawn(1);
        world.despawn(handle);
    }
    assert_eq!(world.iter_all().size_hint(), (120, Some(240)));
    assert_eq!((world.values().size_hint().1, world.handles().size_hint().1), (Some(120), Some(120)));
    assert!(world.handles().clone().eq(world.handles()) && world.values().clone().eq(world.values()));
    assert_eq!(format!("{:?}", world.values()), "Values { left: 120, .. }");
}

/// Q5, and the list of the last sweep, which moves when there must be room for more.
#[test]
fn what_was_committed_and_swept_is_read_while_others_are_spawned() {
    let mut world = World::from([1, 2]);
    let first = world.handle_at(0).unwrap();
    world.despawn(first);
    let third = world.spawn(3);
    let ticket = world.stage(4);
    world.end_frame();

    let (commit, dead) = (world.last_commit(), world.dead());
    for number in 0..small::or(1_000, 100) {
        let spawned = world.spawn(number);
        world.despawn(spawned);
    }
    let _reserved = world.reserve_handle();
    let _ = world.stage(5);
    assert!(commit.spawned().eq([third, commit.handle(ticket).unwrap()]));
    assert!(dead.eq([first]));
    assert!(World::<u32>::new().last_commit().spawned().eq([]) && World::<u32>::new().dead().eq([]));
    world.validate().unwrap();
}

/// Copies and saves have the freed slots, and not the handles of entities that were removed before
/// their commit.
#[test]
fn entities_that_a_split_has_removed_are_not_in_copies_and_saves() {
    let mut world = World::from([10, 20, 30]);
    let committed = world.handle_at(1).unwrap();
    let (uncommitted, kept) = (world.spawn(40), world.spawn(50));
    let (mut live, spawner) = world.split();
    assert_eq!((live.remove(committed), live.remove(uncommitted)), (Some(20), Some(40)));
    drop((live, spawner));
    let mut over_another = World::from([1]);
    over_another.clone_from(&world);
    let loaded: World<u32> = from_json(&to_json(&world).unwrap()).unwrap();
    for mut copy in [world.clone(), over_another, loaded, world] {
        copy.validate().unwrap();
        let report = copy.end_frame();
        assert_eq!((report.spawned, report.despawned, copy.len()), (1, 2, 3));
        assert_eq!((copy.get(kept), copy.get(committed), copy.get(uncommitted)), (Some(&50), None, None));
        assert_eq!((copy.stats().pending, copy.stats().free), (0, 2));
        copy.validate().unwrap();
    }
}

/// P9: slots that are reserved for the next spawns are saved, also where nothing is uncommitted.
#[test]
fn a_loaded_world_issues_the_same_handles_as_the_saved_one() {
    let mut world = World::new();
    let first = world.spawn(1);
    assert!(world.discard(first));
    let loaded: World<u32> = from_json(&to_json(&world).unwrap()).unwrap();
    loaded.validate().unwrap();
    assert_eq!(loaded.next_handle(), world.next_handle());
    for number in 0..3 {
        assert_eq!(loaded.spawn(number), world.spawn(number));
    }

    let mut world = World::from([1, 2]);
    let first = world.handle_at(0).unwrap();
    assert_eq!(world.split().0.remove(first), Some(1));
    let loaded: World<u32> = from_json(&to_json(&world).unwrap()).unwrap();
    assert_eq!(loaded.spawn(3), world.spawn(3), "the slot is not free before the end of the frame");
}
