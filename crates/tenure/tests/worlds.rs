//! Worlds: the validation cases of the code base that this lifecycle comes from, its two known
//! faults, and the promises of the docs.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tenure::world::Ticket;
use tenure::{Compact, EntityId, Handle, Status, Tagged, Wide, World};
use test_support::alloc::{self, Watched};
use test_support::pool::{FourTenants, Tags, TwoTenants};
use test_support::saved::{self, Format};
use test_support::world::{self, Home, TrackedPool, TrackedWorld, WorldOp};
use test_support::{Tracked, effort, fuse, ledger, quiet, small};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// A world with `count` numbers, committed.
fn numbers(count: u32) -> (World<u32>, Vec<Handle<u32>>) {
    let mut world = World::new();
    let handles = (0..count).map(|number| world.spawn(number)).collect();
    world.end_frame();
    (world, handles)
}

// ---- the validation cases ----

#[test]
fn create_entities_get_handles_resolve() {
    let (world, handles) = numbers(1_000);
    for (number, &handle) in (0..).zip(&handles) {
        assert_eq!(world.get(handle), Some(&number));
        assert_eq!(world.status(handle), Status::Live);
    }
    world.validate().unwrap();
}

#[test]
fn end_frame_removes_marked_entities_and_no_others() {
    let (mut world, handles) = numbers(1_000);
    handles.iter().step_by(3).for_each(|&handle| assert_eq!(world.despawn(handle), Status::Live));
    let report = world.end_frame();
    assert_eq!((report.despawned, report.spawned), (334, 0));
    for (number, &handle) in (0..).zip(&handles) {
        assert_eq!(world.get(handle).copied(), (number % 3 != 0).then_some(number));
    }
    world.validate().unwrap();
}

#[test]
fn old_handles_do_not_resolve_after_reuse() {
    let (mut world, mut alive) = numbers(8);
    let mut dead = Vec::new();
    for round in 0..small::or(200, 20) {
        let old = alive.remove(0);
        world.despawn(old);
        world.end_frame();
        dead.push(old);
        alive.push(world.spawn(round));
        world.end_frame();
        assert!(dead.iter().all(|&handle| world.get(handle).is_none()));
        assert!(alive.iter().all(|&handle| world.contains(handle)));
    }
    assert!(alive.iter().all(|handle| handle.index() < 16), "slots are reused");
}

#[test]
fn compaction_breaks_no_handle() {
    let (mut world, handles) = numbers(10_000);
    for step in [2, 3, 5, 7] {
        handles.iter().step_by(step).for_each(|&handle| _ = world.despawn(handle));
        world.end_frame();
        world.validate().unwrap();
    }
    let alive = |number: u32| [2, 3, 5, 7].iter().all(|step| number % step != 0);
    for (number, &handle) in (0..).zip(&handles) {
        assert_eq!(world.get(handle).copied(), alive(number).then_some(number));
    }
    assert_eq!(world.iter().count(), world.len());
}

#[test]
fn temporaries_are_spawned_until_the_commit() {
    let mut world = World::new();
    let egg = world.spawn("egg");
    assert_eq!((world.status(egg), world.get(egg)), (Status::Spawned, Some(&"egg")));
    assert_eq!((world.iter().count(), world.iter_spawned().count(), world.iter_all().count()), (0, 1, 1));
    assert_eq!(world.commit().spawned().collect::<Vec<_>>(), [egg]);
    assert_eq!(world.status(egg), Status::Live);
    assert_eq!((world.iter().count(), world.iter_spawned().count(), world.iter_all().count()), (1, 0, 1));
}

#[test]
fn staged_entities_have_no_handle_before_the_commit() {
    let mut world = World::new();
    let spawned = world.spawn("spawned");
    let tickets: Vec<Ticket> = ["a", "b"].map(|name| world.stage(name)).to_vec();
    assert_eq!(world.iter_all().count(), 1);
    let commit = world.commit();
    let [a, b] = [0, 1].map(|nth: usize| commit.handle(tickets[nth]).unwrap());
    assert_eq!(commit.spawned().collect::<Vec<_>>(), [spawned, a, b]);
    assert_eq!((world[a], world[b]), ("a", "b"));
    let later = world.stage("c");
    assert_eq!(world.commit().handle(tickets[0]), None, "a ticket is valid for its own commit only");
    assert!(world.last_commit().handle(later).is_some());
}

/// A staged entity that is dropped by a clear has no successor under the same ticket.
#[test]
fn a_ticket_never_resolves_to_another_entity() {
    let mut world = World::new();
    assert!(world.last_commit().spawned().len() == 0, "before the first commit nothing was spawned");
    let dropped = world.stage("dropped");
    world.clear_all();
    let kept = world.stage("kept");
    let commit = world.commit();
    assert_eq!(commit.handle(dropped), None);
    let kept = commit.handle(kept).unwrap();
    assert_eq!(world[kept], "kept");
}

#[test]
fn permanent_entities_stay_and_keep_their_handles() {
    let (mut world, handles) = numbers(100);
    for &handle in handles.iter().step_by(10) {
        assert!(world.make_permanent(handle));
    }
    let _pending = world.spawn(7);
    let _ticket = world.stage(8);
    assert_eq!(world.clear_temporary(), 91);
    assert_eq!(world.len(), 10);
    for (number, &handle) in (0..).zip(&handles) {
        assert_eq!(world.get(handle).copied(), (number % 10 == 0).then_some(number));
    }
    world.end_frame();
    assert_eq!(world.len(), 10, "the staged entity was dropped, too");
    assert_eq!(world.clear_all(), 10);
    assert!(handles.iter().all(|&handle| !world.contains(handle)));
    world.validate().unwrap();
}

#[test]
fn ids_are_never_reused() {
    let (mut world, handles) = numbers(100);
    let ids: Vec<EntityId> = handles.iter().map(|&handle| world.id_of(handle).unwrap()).collect();
    for (&id, &handle) in ids.iter().zip(&handles) {
        assert_eq!(world.by_id(id), Some(handle));
    }
    world.clear_all();
    let new_handles: Vec<_> = (0..100).map(|number| world.spawn(number)).collect();
    world.end_frame();
    for (&old, &new) in handles.iter().zip(&new_handles) {
        let id = world.id_of(new).unwrap();
        assert!(!ids.contains(&id), "{id} was used before");
        assert_eq!((world.id_of(old), world.by_id(id)), (None, Some(new)));
    }
    assert!(ids.iter().all(|&id| world.by_id(id).is_none()));
}

#[test]
fn repeated_churn() {
    let mut world = World::new();
    let mut alive: Vec<Handle<u64>> = Vec::new();
    for frame in 0..small::or(2_000_u64, 20) {
        alive.extend((0..5).map(|nth| world.spawn(frame * 5 + nth)));
        if alive.len() > 50 {
            alive.drain(..5).for_each(|handle| _ = world.despawn(handle));
        }
        let report = world.end_frame();
        assert_eq!(report.frame, frame + 1);
    }
    world.validate().unwrap();
    assert_eq!(world.len(), alive.len());
    assert!(alive.iter().all(|handle| handle.index() < 128), "slots are bounded by the live entities");
}

// ---- the two known faults ----

/// In that code base a handle that does not resolve is looked up by its id, which another entity
/// may have by then.
#[test]
fn a_dead_handle_never_falls_back_to_an_id() {
    let (mut world, handles) = numbers(1);
    let id = world.id_of(handles[0]).unwrap();
    world.despawn(handles[0]);
    world.end_frame();
    let new = world.spawn(99);
    world.end_frame();
    assert_eq!(new.index(), handles[0].index(), "the slot is reused");
    assert_eq!((world.get(handles[0]), world.id_of(handles[0]), world.by_id(id)), (None, None, None));
}

/// In that code base the ids of permanent entities stay in a set, and an entity that gets such an
/// id is permanent, too.
#[test]
fn permanence_is_not_inherited() {
    let (mut world, handles) = numbers(1);
    world.make_permanent(handles[0]);
    world.despawn(handles[0]);
    world.end_frame();
    let new = world.spawn(99);
    world.end_frame();
    assert_eq!(new.index(), handles[0].index());
    assert!(!world.is_permanent(new) && !world.is_permanent(handles[0]));
    assert!(!world.make_permanent(handles[0]), "a dead handle cannot be made permanent");
    assert_eq!(world.clear_temporary(), 1);
}

// ---- despawning ----

#[test]
fn repeated_despawns_and_dead_handles_are_counted() {
    let (mut world, handles) = numbers(3);
    assert_eq!(world.despawn(handles[0]), Status::Live);
    assert_eq!((world.despawn(handles[0]), world.status(handles[0])), (Status::Dying, Status::Dying));
    assert_eq!(world.despawn(Handle::NIL), Status::Nil);
    assert_eq!(world.get(handles[0]), Some(&0), "resolves until the sweep");
    assert_eq!(world.iter().count(), 3, "and is visited");
    let report = world.end_frame();
    assert_eq!((report.despawned, report.already_dying, report.already_dead), (1, 1, 1));
    assert_eq!(world.despawn(handles[0]), Status::Removed);
    let report = world.end_frame();
    assert_eq!((report.despawned, report.already_dying, report.already_dead), (0, 0, 1));
}

#[test]
fn spawned_and_despawned_in_one_frame() {
    let (mut world, _) = numbers(3);
    let (brief, other) = (world.spawn(1), world.spawn(2));
    assert_eq!(world.despawn(brief), Status::Spawned);
    assert_eq!((world.status(brief), world.get(brief)), (Status::Dying, Some(&1)));
    assert_eq!(world.sweep().collect::<Vec<_>>(), [brief]);
    assert_eq!((world.get(brief), world.status(other)), (None, Status::Spawned));
    assert_eq!(world.iter_spawned().count(), 1);
    assert_eq!(world.commit().spawned().collect::<Vec<_>>(), [other]);
    world.validate().unwrap();
}

#[test]
fn dead_lists_the_handles_that_clear_stale_finds() {
    let (mut world, handles) = numbers(6);
    let mut references = handles.clone();
    world.despawn(handles[1]);
    world.despawn(handles[4]);
    world.end_frame();
    assert_eq!(world.dead().collect::<Vec<_>>(), [handles[1], handles[4]]);
    let mut lost = Vec::new();
    assert_eq!(world.clear_stale(&mut references, |position, stale| lost.push((position, stale))), 2);
    assert_eq!(lost, [(1, handles[1]), (4, handles[4])]);
    assert_eq!(world.clear_stale(references.iter_mut(), |_, _| panic!("nil is not stale")), 0);
}

// ---- splits ----

#[test]
fn spawning_and_despawning_while_everything_is_borrowed() {
    let (mut world, handles) = numbers(100);
    let early = world.spawn(1_000); // uncommitted before the split
    let (mut live, spawner) = world.split();
    let mut children = Vec::new();
    for (handle, number) in &mut live {
        children.push(spawner.spawn(*number + 10_000));
        if *number % 2 == 0 {
            assert_eq!(spawner.despawn(handle), Status::Live);
        }
        *number += 1;
    }
    assert_eq!(children.len(), 100, "new entities are not visited");
    assert_eq!(live.get(early), Some(&1_000), "entities spawned before the split resolve");
    assert!(children.iter().all(|&child| live.get(child).is_none()), "those spawned in it do not");
    assert_eq!(spawner.despawn(children[0]), Status::Spawned);
    drop((live, spawner));
    assert_eq!(world.get(children[1]), Some(&10_001));
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned), (100, 51));
    assert!(!world.contains(handles[0]) && world.contains(handles[1]));
    world.validate().unwrap();
}

#[test]
fn entities_read_each_other() {
    let (mut world, handles) = numbers(10);
    let (mut live, _spawner) = world.split();
    live.for_each_mut(|number, others| {
        assert!(others.get(others.me()).is_none());
        let next = handles[(*number as usize % 10 + 1) % 10];
        *number = others.get(next).copied().unwrap() % 10 + 10;
    });
    drop((live, _spawner));
    assert_eq!(world.values().copied().collect::<Vec<_>>(), [11, 12, 13, 14, 15, 16, 17, 18, 19, 11]);
}

#[test]
fn forgotten_halves_are_harmless() {
    let (mut world, _) = numbers(4);
    for _ in 0..3 {
        let (live, spawner) = world.split();
        let (_, entity) = spawner.spawn_mut(5);
        *entity = 6;
        std::mem::forget(live);
        std::mem::forget(spawner);
        world.end_frame();
        world.validate().unwrap();
    }
    assert_eq!(world.values().filter(|number| **number == 6).count(), 3);
}

#[test]
fn an_entity_knows_its_own_handle() {
    let mut world: World<(Handle<()>, u8), Handle<()>> = World::EMPTY;
    let handle = world.spawn_with(|me| (me, 1));
    let (live, spawner) = world.split();
    let other = spawner.spawn_with(|me| (me, 2));
    drop((live, spawner));
    assert_eq!((world[handle].0, world[other].0), (handle, other));
    world.end_frame();
    world.validate().unwrap();
}

// ---- memory ----

#[test]
#[cfg_attr(miri, ignore = "1,200 frames of 2,000 entities")]
fn the_steady_state_allocates_nothing() {
    let mut world = World::new();
    let mut alive = std::collections::VecDeque::with_capacity(4_000);
    let frame = |world: &mut World<[u64; 4]>, alive: &mut std::collections::VecDeque<Handle<[u64; 4]>>| {
        for _ in 0..20 {
            alive.push_back(world.spawn([1; 4]));
        }
        let _staged = world.stage([2; 4]);
        let (mut live, spawner) = world.split();
        live.values_mut().for_each(|value| value[0] += 1);
        (0..10).for_each(|_| alive.push_back(spawner.spawn([3; 4])));
        drop((live, spawner));
        while alive.len() > 1_000 {
            world.despawn(alive.pop_front().unwrap());
        }
        let extra = world.find(|value| value[1] == 2);
        extra.into_iter().for_each(|handle| _ = world.despawn(handle));
        world.end_frame();
    };
    // From the first lookup by id on, the table of ids is maintained.
    assert_eq!(world.by_id(EntityId::new(1).unwrap()), None);
    (0..200).for_each(|_| frame(&mut world, &mut alive));
    let ((), requests) = alloc::count(|| (0..1_000).for_each(|_| frame(&mut world, &mut alive)));
    assert_eq!(requests, 0);
}

/// Slots that are freed at the end of the frame are not reported as retired.
#[test]
fn entities_swept_in_this_frame_have_the_status_removed() {
    let mut world = World::new();
    let [dead, never] = [world.spawn(1), Handle::from_parts(0, 2).unwrap()];
    world.end_frame();
    world.spawn(2); // so that slots are reserved
    world.despawn(dead);
    let _ = world.sweep();
    assert_eq!((world.status(dead), world.status(never)), (Status::Removed, Status::NeverIssued));
    // Reserved for a later spawn.
    assert_eq!(world.status(Handle::from_parts(5, 1).unwrap()), Status::NeverIssued);
    assert!(world.try_get(dead).unwrap_err().to_string().starts_with("0v1 was removed: slot 0 is vacant"));
}

/// The closure of `spawn_with` panics: the handle does not resolve, and the world works as before.
#[test]
fn a_panicking_spawn_with_leaves_nothing_behind() {
    let mut world = World::new();
    let mut name = Handle::NIL;
    let _ = quiet::catch(|| {
        world.spawn_with(|me| -> u8 {
            name = me;
            panic!("the closure fails")
        })
    });
    assert_eq!(world.status(name), Status::Removed);
    for format in Format::ALL {
        saved::reload(&world, format).unwrap();
    }
    let mut copy = None;
    let spawned = world.spawn_with(|_| {
        copy = Some((world.clone(), saved::reload(&world, Format::Json).unwrap()));
        7
    });
    // Pending handles survive copies and saves: the copy cannot know that this one will not be
    // filled.
    let (mut clone, mut loaded) = copy.unwrap();
    assert_eq!(
        (world.status(spawned), clone.status(spawned), loaded.status(spawned)),
        (Status::Spawned, Status::Pending, Status::Pending)
    );
    assert_eq!((clone.release_pending(), loaded.release_pending()), (1, 1));
    assert_eq!((clone.status(spawned), loaded.status(spawned)), (Status::Removed, Status::Removed));
    world.end_frame();
    clone.end_frame();
    world.validate().and(clone.validate()).unwrap();
    assert_eq!((world.len(), clone.len()), (1, 0));
}

/// An entity whose closure is still running cannot be despawned, and the attempt is counted.
#[test]
fn a_handle_cannot_be_despawned_inside_its_spawn_with() {
    let mut world = World::new();
    let me = world.spawn_with(|me| {
        assert_eq!(world.despawn(me), Status::Pending);
        7
    });
    let report = world.end_frame();
    assert_eq!((report.spawned, report.despawned, report.already_dead), (1, 0, 1));
    assert_eq!(world.status(me), Status::Live);
}

/// Slots that were reserved for spawns in this frame, and those of despawned entities, are
/// available to staged entities.
#[test]
fn reserved_and_freed_slots_are_available_at_the_end_of_a_frame() {
    let mut world: World<u8, Handle<u8, Compact<6>>> = World::EMPTY;
    world.spawn(1);
    let _ticket = world.stage(2);
    assert_eq!(world.end_frame().spawned, 2);
    while world.try_spawn(3).is_ok() {}
    world.end_frame();
    let old: Vec<_> = world.handles().take(6).collect();
    assert!(world.try_spawn(4).is_err());
    old.iter().for_each(|&handle| _ = world.despawn(handle));
    (0..6).for_each(|_| _ = world.stage(5));
    assert_eq!((world.end_frame().spawned, world.len()), (6, 63));
}

/// A copy that was not finished issues no handle twice.
#[test]
fn a_panic_in_clone_from_revives_no_handle() {
    let (mut world, mut other) = (World::new(), World::new());
    let dead = world.spawn(Tracked::new(1));
    world.end_frame();
    world.despawn(dead);
    world.end_frame();
    (0..80).for_each(|id| _ = other.spawn(Tracked::new(id)));
    other.end_frame();
    other.spawn(Tracked::new(99));
    for fuse in 0..81 {
        fuse::arm(fuse);
        let result = quiet::catch(|| world.clone_from(&other));
        assert!(fuse::disarm() && result.is_err());
        world.validate().unwrap();
        assert!(world.is_empty() && !world.contains(dead));
        let next = world.spawn(Tracked::new(2));
        assert!(next != dead && world.id_of(next).unwrap().get() > 81, "{next}");
        world.end_frame();
        world.clear_all();
    }
}

/// A checkpoint of every frame, and a rollback now and then.
#[test]
#[cfg_attr(miri, ignore = "600 frames, each with a copy")]
fn checkpoints_allocate_nothing_in_the_steady_state() {
    let (mut world, mut checkpoint) = (World::new(), World::new());
    let mut frame = |number: u64| {
        checkpoint.clone_from(&world);
        for _ in 0..2 {
            (0..30).for_each(|_| _ = world.spawn([number; 4]));
            let old: Vec<_> = alloc::pause(|| {
                world.iter().filter(|(_, values)| values[0] + 9 < number).map(|(it, _)| it).collect()
            });
            old.iter().for_each(|&handle| _ = world.despawn(handle));
            if number % 5 != 0 {
                break;
            }
            alloc::pause(|| drop(old));
            world.clone_from(&checkpoint);
        }
        world.end_frame();
    };
    (0..100).for_each(&mut frame);
    let ((), requests) = alloc::count(|| (100..600).for_each(&mut frame));
    assert_eq!(requests, 0);
}

#[test]
fn spawning_while_copying_panics() {
    thread_local! {
        static WORLD: World<Adds> = const { World::new() };
    }
    #[derive(Debug)]
    struct Adds;
    impl Clone for Adds {
        fn clone(&self) -> Self {
            WORLD.with(|world| world.spawn(Self));
            Self
        }
    }
    WORLD.with(|world| {
        world.spawn(Adds);
        let message = quiet::catch(|| world.clone()).unwrap_err();
        assert!(message.contains("the world is being copied"), "{message}");
        world.spawn(Adds); // allowed again afterwards
    });
}

/// The table of ids is built while several calls of `spawn_with`, which reserved their room before
/// it existed, are still running.
#[test]
fn ids_of_nested_spawns_are_found() {
    fn nest(world: &World<u32>, depth: u32) -> Handle<u32> {
        world.spawn_with(|_| {
            if depth == 0 {
                assert_eq!(world.by_id(EntityId::new(1).unwrap()), None);
            } else {
                nest(world, depth - 1);
            }
            depth
        })
    }
    let mut world = World::new();
    nest(&world, 40);
    let found = (1..=41).map(|id| world[world.by_id(EntityId::new(id).unwrap()).unwrap()]);
    assert!(found.eq(0..=40));
    assert_eq!(world.by_id(EntityId::new(42).unwrap()), None);
    world.end_frame();
    world.validate().unwrap();
}

/// A billion spawns would make 24 GB of ids if they were never removed; scaled down, the bound is
/// the same.
#[test]
#[cfg_attr(miri, ignore = "300,000 rounds")]
fn memory_of_ids_is_bounded_by_the_live_entities() {
    let mut world: World<u32> = World::new();
    let mut alive = std::collections::VecDeque::new();
    let mut most = 0;
    // From the first lookup on, the table is maintained.
    assert_eq!((world.by_id(EntityId::new(1).unwrap()), world.id_table().1), (None, 0));
    for round in 0..300_000 {
        alive.push_back(world.spawn(round));
        if alive.len() > 1_000 {
            world.despawn(alive.pop_front().unwrap());
        }
        if round % 100 == 0 {
            world.end_frame();
            most = most.max(world.id_table().0);
        }
    }
    assert!(most <= 4 * 1_200, "{most} entries for 1,000 entities");
    alive.drain(10..).for_each(|handle| _ = world.despawn(handle));
    world.end_frame();
    assert!(world.id_table().0 <= 4 * 16, "{:?}", world.id_table());
    world.validate().unwrap();
}

// ---- panics ----

#[test]
fn a_panicking_destructor_loses_no_entity() {
    for call in 0..5 {
        ledger::reset();
        let mut world: World<Tracked, Handle<Tracked, Wide>> = World::EMPTY;
        let handles: Vec<_> = (0..5).map(|id| world.spawn(Tracked::new(id))).collect();
        world.end_frame();
        let pending = world.spawn(Tracked::new(9));
        handles.iter().chain([&pending]).for_each(|&handle| _ = world.despawn(handle));
        fuse::arm(call);
        assert!(quiet::catch(|| world.end_frame()).is_err());
        assert!(fuse::disarm());
        world.validate().unwrap();
        world.end_frame();
        world.validate().unwrap();
        assert!(handles.iter().all(|&handle| !world.contains(handle)) && !world.contains(pending));
        ledger::expect(0).unwrap();
    }
}

/// Uncommitted entities stay so when the sweep of another entity panics.
#[test]
fn a_panicking_destructor_keeps_others_uncommitted() {
    ledger::reset();
    let mut world: World<Tracked, Handle<Tracked, Wide>> = World::EMPTY;
    let [first, second] = [1, 2].map(|id| world.spawn(Tracked::new(id)));
    world.despawn(first);
    fuse::arm(0);
    assert!(quiet::catch(|| world.end_frame()).is_err());
    assert!(fuse::disarm());
    assert_eq!(world.iter_spawned().map(|(handle, _)| handle).collect::<Vec<_>>(), [second]);
    world.validate().unwrap();
    assert_eq!(world.commit().spawned().collect::<Vec<_>>(), [second]);
}

/// Each call reserves room for one spawn before its closure runs, and the closure uses it.
#[test]
fn nested_spawns_have_room() {
    fn nest(world: &World<u32>, depth: u32) {
        world.spawn_with(|_| {
            if depth > 0 {
                nest(world, depth - 1);
            }
            depth
        });
    }
    for before in 0..40 {
        let (mut world, _) = numbers(before);
        nest(&world, 20);
        assert_eq!(world.by_id(EntityId::new(1_000).unwrap()), None, "a lookup of an unknown id terminates");
        world.validate().unwrap();
        world.end_frame();
        world.validate().unwrap();
    }
}

// ---- the rig ----

fn histories<C: Home>(cases: u32) {
    let (cases, length) = small::or((effort::cases(cases), 200), (2, 60));
    let config = ProptestConfig { cases, max_shrink_iters: 2_000, failure_persistence: None, ..Default::default() };
    let ops = vec(any::<[u8; 2]>().prop_map(WorldOp::decode), 1..length);
    let result = TestRunner::new(config).run(&ops, |ops| world::run::<C>(&ops).map_err(TestCaseError::fail));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn random_frames() {
    histories::<TrackedWorld<Wide>>(150);
    histories::<TrackedWorld<Compact<20>>>(80);
    histories::<TrackedWorld<FourTenants>>(150);
    histories::<TrackedWorld<TwoTenants>>(100);
    histories::<TrackedWorld<Tagged<4, Wide>>>(50);
}

#[test]
fn random_splits_of_a_stable_pool() {
    histories::<TrackedPool<Wide>>(80);
    histories::<TrackedPool<Compact<20>>>(40);
    histories::<TrackedPool<FourTenants>>(80);
    histories::<TrackedPool<TwoTenants>>(80);
    histories::<TrackedPool<Tagged<4, Wide>>>(40);
}

/// Live entities (one permanent), dying ones, uncommitted and staged ones, and pending handles:
/// that of a taken entity, and the newest one.
fn setup() -> Vec<WorldOp> {
    let mut ops = vec![WorldOp::Spawn; 12];
    ops.extend([WorldOp::EndFrame, WorldOp::Permanent(0), WorldOp::Despawn(3), WorldOp::Despawn(4)]);
    ops.extend([WorldOp::Spawn, WorldOp::Spawn, WorldOp::Despawn(1), WorldOp::Stage, WorldOp::Stage]);
    ops.extend([WorldOp::Take(8), WorldOp::ReserveHandle]);
    ops
}

const OPS: [WorldOp; 58] = [
    WorldOp::Spawn,
    WorldOp::SpawnWith(0),
    WorldOp::SpawnWith(1),
    WorldOp::SpawnWith(2),
    WorldOp::Extend(3),
    WorldOp::Extend(70),
    WorldOp::Stage,
    WorldOp::Despawn(0),
    WorldOp::Despawn(7),
    WorldOp::Split(0),
    WorldOp::Split(1),
    WorldOp::Jobs(0),
    WorldOp::Jobs(1),
    WorldOp::Sweep,
    WorldOp::Commit,
    WorldOp::EndFrame,
    WorldOp::ClearTemporary,
    WorldOp::ClearAll,
    WorldOp::Copy(true),
    WorldOp::Copy(false),
    WorldOp::ReserveHandle,
    WorldOp::Fill(0),
    WorldOp::Fill(1),
    WorldOp::InsertAt(0),
    WorldOp::InsertAt(3),
    WorldOp::Take(3),
    WorldOp::Discard(0),
    WorldOp::Discard(3),
    WorldOp::Retain(1),
    WorldOp::Drain(4),
    WorldOp::Drain(5),
    WorldOp::Frame(0),
    WorldOp::Frame(1),
    WorldOp::ForEachMut(0),
    WorldOp::LiveRemove(3),
    WorldOp::LiveDisjoint(3),
    WorldOp::LiveLoans(3),
    WorldOp::SpawnMut,
    WorldOp::SpawnerWith(0),
    WorldOp::SpawnerWith(1),
    WorldOp::SpawnerWith(2),
    WorldOp::LiveLook(0),
    WorldOp::LiveLook(1),
    WorldOp::Disjoint(3),
    WorldOp::Loans(3),
    WorldOp::ClearStale,
    WorldOp::Compare,
    // Reserves room for 69 entities, in each of the four ways.
    WorldOp::Room(184),
    WorldOp::Room(185),
    WorldOp::Room(186),
    WorldOp::Room(187),
    WorldOp::Room(17),
    WorldOp::Room(4),
    WorldOp::Room(45),
    WorldOp::Room(6),
    WorldOp::Room(7),
    WorldOp::Recycle,
    WorldOp::ReleasePending,
];

#[test]
fn panics_everywhere() {
    for op in OPS {
        let panics = world::every_panic::<TrackedWorld<Wide>>(&setup(), op).unwrap();
        let least = match op {
            WorldOp::Sweep | WorldOp::EndFrame => 3,
            WorldOp::SweepWith => 6,
            WorldOp::ClearTemporary => 14,
            WorldOp::ClearAll | WorldOp::Drain(4) => 15,
            WorldOp::Drain(_) => 2,
            WorldOp::Copy(_) => 17,
            WorldOp::Retain(_) => 19,
            WorldOp::Frame(_) | WorldOp::ForEachMut(_) => 11,
            WorldOp::Fill(1) | WorldOp::InsertAt(3) | WorldOp::Take(_) | WorldOp::Discard(3) => 1,
            WorldOp::LiveRemove(_) | WorldOp::SpawnMut | WorldOp::SpawnWith(_) | WorldOp::SpawnerWith(_) => 1,
            WorldOp::Extend(3) => 3,
            WorldOp::ClearStale => 2,
            WorldOp::Compare => 30,
            WorldOp::LiveLook(_) => 1,
            _ => 0,
        };
        assert!(panics >= least, "{op:?} panics {panics} times");
        world::every_panic::<TrackedWorld<FourTenants>>(&setup(), op).unwrap();
        world::every_panic::<TrackedWorld<TwoTenants>>(&setup(), op).unwrap();
    }
}

/// Operations that also a stable pool has. The others are in the rig of containers.
fn ops_of_splits() -> impl Iterator<Item = WorldOp> {
    OPS.into_iter().filter(|op| {
        let name = format!("{op:?}");
        ["Spawn", "Split", "Live", "ForEach", "Take", "Discard", "Compare"].iter().any(|part| name.contains(part))
            && !name.starts_with("SpawnWith")
    })
}

#[test]
fn panics_in_splits_of_a_stable_pool() {
    fn check<L: Tags>() {
        for op in ops_of_splits() {
            let panics = world::every_panic::<TrackedPool<L>>(&setup(), op).unwrap();
            let least = match op {
                WorldOp::Split(_) | WorldOp::ForEachMut(_) => 11,
                WorldOp::LiveRemove(_) | WorldOp::LiveLook(_) | WorldOp::SpawnMut | WorldOp::SpawnerWith(_) => 1,
                _ => 0,
            };
            assert!(panics >= least, "{op:?} panics {panics} times");
        }
    }
    check::<Wide>();
    check::<FourTenants>();
    check::<TwoTenants>();
    check::<Tagged<4, Wide>>();
}

#[test]
#[cfg_attr(miri, ignore = "thousands of worlds")]
fn refused_memory_everywhere() {
    // Full tables, so that much has to grow.
    for extra in [0, 1, 46, 51, 52, 114] {
        let spawned = vec![WorldOp::Spawn; extra];
        let setups =
            [spawned.clone(), [spawned.clone(), vec![WorldOp::EndFrame]].concat(), [spawned, setup()].concat()];
        for setup in &setups {
            let mut refusals = 0;
            // A copy without memory aborts, as that of a `Vec` does.
            for op in OPS.into_iter().filter(|op| !matches!(op, WorldOp::Copy(_))) {
                refusals += world::every_refusal::<TrackedWorld<Wide>>(setup, op).unwrap();
                if matches!(extra, 0 | 51) {
                    world::every_refusal::<TrackedWorld<TwoTenants>>(setup, op).unwrap();
                }
            }
            assert!(refusals > 3, "only {refusals} requests for memory after {extra}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of pools")]
fn refused_memory_in_splits_of_a_stable_pool() {
    for extra in [0, 1, 50, 51, 52, 114] {
        let setup = [vec![WorldOp::Spawn; extra], setup()].concat();
        let mut refusals = 0;
        for op in ops_of_splits() {
            refusals += world::every_refusal::<TrackedPool<Wide>>(&setup, op).unwrap();
            world::every_refusal::<TrackedPool<TwoTenants>>(&setup, op).unwrap();
        }
        assert!(refusals > 10, "only {refusals} requests for memory after {extra}");
    }
}

/// A handle that does not resolve needs no room in the list of freed slots.
#[test]
fn removing_a_stale_handle_in_a_split_allocates_nothing() {
    let (mut world, handles) = numbers(3);
    let pending = world.reserve_handle();
    let (mut live, spawner) = world.split();
    let (removed, requests) = alloc::count(|| [Handle::NIL, pending].map(|handle| live.remove(handle)));
    assert_eq!((removed, requests), ([None; 2], 0));
    assert_eq!(live.remove(handles[1]), Some(1));
    drop((live, spawner));
    assert_eq!(world.status(pending), Status::Removed);
    world.validate().unwrap();
}

/// P2, for the methods of splits, and of worlds in the middle of a frame.
#[test]
fn forged_handles_everywhere() {
    fn check<C: Home>() {
        for setup in [setup(), Vec::new(), [setup(), vec![WorldOp::ClearAll]].concat()] {
            assert!(world::every_forgery::<C>(&setup).unwrap() > 300);
        }
    }
    check::<TrackedWorld<Wide>>();
    check::<TrackedWorld<TwoTenants>>();
    check::<TrackedWorld<Tagged<4, Wide>>>();
    check::<TrackedPool<Wide>>();
    check::<TrackedPool<TwoTenants>>();
    check::<TrackedPool<Tagged<4, Wide>>>();
}

/// Every input of a fuzz target is a history.
#[test]
fn fuzz_target() {
    for seed in 0..small::or(effort::cases(30) as u8, 1) {
        let bytes: Vec<u8> =
            (0..300_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 11) as u8 ^ seed).collect();
        world::fuzz::<TrackedWorld<FourTenants>>(&bytes);
        world::fuzz::<TrackedPool<FourTenants>>(&bytes);
    }
}

#[test]
fn a_loop_over_uncommitted_entities_may_spawn_others() {
    let world = World::new();
    world.spawn(1);
    for (_, number) in world.iter_spawned() {
        world.spawn(number + 1);
    }
    for (_, number) in world.iter_all() {
        world.spawn(number * 10);
    }
    assert_eq!(world.iter_spawned().map(|(_, number)| *number).collect::<Vec<_>>(), [1, 2, 10, 20]);
}

#[test]
fn an_entity_that_is_taken_and_filled_in_its_first_frame_is_listed_once() {
    let mut world = World::new();
    let orc = world.spawn("orc");
    let taken = world.take(orc).unwrap();
    world.fill(orc, taken).unwrap();
    assert!(world.iter_spawned().map(|(handle, _)| handle).eq([orc]));
    let report = world.end_frame();
    assert_eq!(report.spawned, 1);
    assert!(world.last_commit().spawned().eq([orc]));
}

#[test]
fn a_sweep_frees_slots_at_once_where_nothing_is_uncommitted() {
    let mut world = World::new();
    let orc = world.spawn("orc");
    world.despawn(orc);
    assert!(world.sweep().eq([orc]));
    assert_eq!(world.spawn("elf").index(), orc.index());

    // The elf is uncommitted, so the slot of the goblin is kept until the commit.
    let goblin = world.spawn("goblin");
    world.despawn(goblin);
    assert!(world.sweep().eq([goblin]));
    assert_ne!(world.spawn("dwarf").index(), goblin.index());
}
