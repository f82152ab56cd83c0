//! Values that use their container while it runs their code: `clone`, `drop`, `eq`, `fmt`,
//! `serialize`, `deserialize`, closures, and a panic hook. Every method with `&self` is called from
//! each of them. In debug builds the cell of stable pools and worlds checks that no `&mut` begins
//! while a `&` is open (N4), so that undefined behaviour becomes a panic.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tenure::{DensePool, FixedPool, Handle, Pool, Row, SideMap, StablePool, Table, World, ZiiPool};
use test_support::quiet;
use test_support::reentry::{Reentrant, call, with_hook};

/// Operations of a container, by name.
type Operations<C> = Vec<(&'static str, fn(&C))>;

/// Panics that the documentation lists.
const NAMED: [&str; 4] = [
    "the pool is being copied or saved",
    "the world is being copied",
    "the world is being saved",
    "the world was changed while it was saved", // an error, unwrapped by the tests
];

/// An index that panics, so that a panic hook runs. A panic in a panic hook aborts.
const STALE_INDEX: &str = "stale index";

/// Runs each of `outer`, and each of `inner` from within every piece of user code that `outer`
/// runs.
fn reenter<C: 'static>(make: fn() -> C, check: fn(&mut C), outer: &Operations<C>, inner: &Operations<C>) {
    for (outside, outer) in outer {
        for &(inside, inner) in inner.iter().filter(|(inside, _)| (*inside, *outside) != (STALE_INDEX, STALE_INDEX)) {
            let container = Rc::new(make());
            let own = Rc::clone(&container);
            let (result, calls) = with_hook(move || inner(&own), || quiet::catch(|| outer(&container)));
            if let Err(message) = result {
                assert!(NAMED.iter().any(|named| message.contains(named)), "{inside} in {outside}: {message}");
            }
            assert!(calls > 0, "{outside} runs no user code");
            let mut container = Rc::into_inner(container).expect("the hook was dropped");
            check(&mut container);
        }
    }
}

fn value() -> Reentrant {
    Reentrant(7)
}

fn json<T: Serialize>(container: &T) -> String {
    serde_json::to_string(container).unwrap()
}

/// Operations of all containers that run a value's own code.
macro_rules! common {
    ($Container:ty) => {
        vec![
            ("clone", |it: &$Container| drop(it.clone())),
            ("clone_from", |it| {
                let mut other: $Container = it.clone();
                other.clone_from(it);
            }),
            ("fmt", |it| drop(format!("{it:?}"))),
            ("serialize", |it| drop(json(it))),
            ("serialize, postcard", |it| _ = postcard::to_allocvec(it)),
            ("deserialize", |it| drop(serde_json::from_str::<$Container>(&json(it)).unwrap())),
        ]
    };
}

macro_rules! also_equal {
    ($Container:ty) => {{
        let mut deeds: Operations<$Container> = common!($Container);
        deeds.push(("eq", |it| assert!(it == it)));
        deeds
    }};
}

/// Reads everything in a pool.
macro_rules! looks {
    ($Container:ty) => {
        vec![
            ("len", |it: &$Container| _ = (it.len(), it.is_empty())),
            ("iterate", |it| _ = (it.iter().count(), it.values().count())),
            ("look up", |it| {
                let found: Vec<_> = it.iter().map(|(handle, _)| handle).collect();
                for handle in found {
                    assert!(it.get(handle).is_some() && it.try_get(handle).is_ok() && it.contains(handle));
                    _ = it.status(handle);
                }
                assert!(it.get(Handle::NIL).is_none() && it.try_get(Handle::NIL).is_err());
            }),
        ]
    };
}

fn five() -> impl Iterator<Item = Reentrant> {
    (0..5).map(Reentrant)
}

#[test]
fn pools() {
    type Subject = Pool<Reentrant>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.extend(also_equal!(Subject));
    inner.push(("census", |pool| _ = (pool.stats(), pool.validate())));
    reenter(|| five().collect(), |pool| pool.validate().unwrap(), &also_equal!(Subject), &inner);
}

#[test]
fn fixed_pools() {
    type Subject = FixedPool<Reentrant, 8>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.extend(also_equal!(Subject));
    let make = || {
        let mut pool = FixedPool::new();
        five().for_each(|value| _ = pool.insert(value));
        pool
    };
    reenter(make, |pool| pool.validate().unwrap(), &also_equal!(Subject), &inner);
}

#[test]
fn dense_pools() {
    type Subject = DensePool<Reentrant>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.extend(also_equal!(Subject));
    inner.push(("slice", |pool| _ = (pool.as_slice().len(), pool.handles().count())));
    reenter(|| five().collect(), |pool| pool.validate().unwrap(), &also_equal!(Subject), &inner);
}

#[test]
fn zii_pools() {
    type Subject = ZiiPool<Reentrant>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.push(("resolve", |pool| _ = pool.resolve(Handle::NIL)));
    inner.push(("clone", |pool| drop(pool.clone())));
    let make = || {
        let mut pool = ZiiPool::new();
        five().for_each(|value| _ = pool.insert(value));
        pool
    };
    let outer: Operations<Subject> =
        vec![("clone", |pool| drop(pool.clone())), ("fmt", |pool| drop(format!("{pool:?}")))];
    reenter(make, |pool| pool.validate().unwrap(), &outer, &inner);
}

#[derive(Row, Clone, Debug, PartialEq, Deserialize)]
#[row(derive(Serialize))]
struct Pair {
    first: Reentrant,
    #[row(nested)]
    second: Inner,
}

#[derive(Row, Clone, Debug, PartialEq, Deserialize)]
#[row(derive(Serialize))]
struct Inner {
    value: Reentrant,
}

#[test]
fn tables() {
    type Subject = Table<Pair>;
    let deeds = || -> Operations<Subject> {
        vec![
            ("clone", |table| drop(table.clone())),
            ("fmt", |table| drop(format!("{table:?}"))),
            ("serialize", |table| drop(json(table))),
            ("deserialize", |table| drop(serde_json::from_str::<Subject>(&json(table)).unwrap())),
        ]
    };
    let mut inner = deeds();
    inner.push(("look", |table| {
        assert_eq!((table.len(), table.columns().first.len(), table.handles().len()), (5, 5, 5));
        assert!(table.handles().all(|handle| table.get(handle).is_some() && table.row_of(handle).is_some()));
    }));
    let make = || {
        let mut table = Table::new();
        five().for_each(|first| _ = table.insert(Pair { first, second: Inner { value: value() } }));
        table
    };
    reenter(make, |table| table.validate().unwrap(), &deeds(), &inner);
}

#[test]
fn side_maps() {
    type Subject = SideMap<Handle<u8>, Reentrant>;
    let make = || {
        let owner: Pool<u8> = (0..5).collect();
        let mut map = SideMap::new();
        for (handle, &number) in &owner {
            map.insert(&owner, handle, Reentrant(number.into())).unwrap();
        }
        map
    };
    let mut inner: Operations<Subject> = also_equal!(Subject);
    inner.push(("look", |map| assert!(map.iter().all(|(handle, _)| map.contains(handle)))));
    reenter(make, |map| map.validate().unwrap(), &also_equal!(Subject), &inner);
}

/// All operations that a stable pool has through `&self`.
fn operations_of_stable_pools() -> Operations<StablePool<Reentrant>> {
    let mut deeds: Operations<StablePool<Reentrant>> = also_equal!(StablePool<Reentrant>);
    deeds.extend([
        ("insert_with", (|pool| _ = pool.insert_with(|_| pass_on(value()))) as fn(&StablePool<Reentrant>)),
        ("try_insert_with", |pool| _ = pool.try_insert_with(|_| pass_on(value()))),
        (STALE_INDEX, |pool| {
            // The panic hook runs.
            let panicked = quiet::catch(|| pool[Handle::NIL].0);
            assert!(panicked.is_err());
        }),
    ]);
    deeds
}

/// Calls the hook, as the code of a closure.
fn pass_on<T>(value: T) -> T {
    call();
    value
}

#[test]
fn stable_pools() {
    type Subject = StablePool<Reentrant>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.extend(operations_of_stable_pools());
    inner.extend([
        ("insert", (|pool| _ = pool.insert(value())) as fn(&Subject)),
        ("try_insert", |pool| _ = pool.try_insert(value())),
        ("insert many", |pool| five().for_each(|value| _ = pool.insert(value))),
        ("reserve_handle", |pool| _ = pool.reserve_handle()),
        ("try_reserve_handle and fill", |pool| {
            let handle = pool.try_reserve_handle().unwrap();
            pool.fill(handle, value()).unwrap();
        }),
        ("fill nothing", |pool| assert!(pool.fill(Handle::NIL, value()).is_err())),
        ("census", |pool| {
            _ = (pool.stats(), pool.capacity(), pool.tag(), pool.handles().count());
            pool.validate().unwrap();
        }),
        ("addresses", |pool| {
            let first = pool.handle_at(0).unwrap();
            assert_eq!(pool.handle_of(&pool[first]), Some(first));
        }),
    ]);
    reenter(|| five().collect(), |pool| pool.validate().unwrap(), &operations_of_stable_pools(), &inner);
}

/// A world in the middle of a frame: committed, uncommitted, staged and dying entities, and slots
/// reserved for spawns.
fn world() -> World<Reentrant> {
    let mut world = World::new();
    let old: Vec<_> = five().map(|entity| world.spawn(entity)).collect();
    world.end_frame();
    world.despawn(old[1]);
    world.end_frame();
    world.despawn(old[2]);
    world.spawn(value());
    let spawned = world.spawn(value());
    world.despawn(spawned);
    _ = world.stage(value());
    assert!(world.by_id(world.id_of(old[0]).unwrap()).is_some());
    world
}

/// All operations that a world has through `&self` and that run the caller's code.
fn operations_of_worlds() -> Operations<World<Reentrant>> {
    let mut deeds: Operations<World<Reentrant>> = common!(World<Reentrant>);
    deeds.extend([
        ("spawn_with", (|world| _ = world.spawn_with(|_| pass_on(value()))) as fn(&World<Reentrant>)),
        ("find", |world| _ = world.find(|_| pass_on(false))),
        ("clear_stale", |world| {
            let mut stale = [Handle::from_parts(1, 1).unwrap()];
            assert_eq!(world.clear_stale(&mut stale, |_, _| call()), 1);
        }),
        (STALE_INDEX, |world| {
            let panicked = quiet::catch(|| world[Handle::NIL].0);
            assert!(panicked.is_err());
        }),
    ]);
    deeds
}

#[test]
fn worlds() {
    type Subject = World<Reentrant>;
    let mut inner: Operations<Subject> = looks!(Subject);
    inner.extend(operations_of_worlds());
    inner.extend([
        ("spawn", (|world| _ = world.spawn(value())) as fn(&Subject)),
        ("spawn many", |world| (0..200).for_each(|_| _ = world.spawn(value()))),
        ("try_spawn", |world| _ = world.try_spawn(value())),
        ("stage", |world| _ = world.stage(value())),
        ("try_stage", |world| _ = world.try_stage(value())),
        ("despawn", |world| {
            world.iter_all().for_each(|(handle, _)| _ = world.despawn(handle));
            world.despawn(Handle::NIL);
        }),
        ("ids", |world| {
            for (handle, _) in world.iter_all() {
                assert_eq!(world.id_of(handle).and_then(|id| world.by_id(id)), Some(handle));
            }
            _ = (world.id_table(), world.is_permanent(Handle::NIL));
        }),
        ("iterate over all", |world| {
            _ = (world.iter_all().count(), world.iter_spawned().count(), world.handles().count());
        }),
    ]);
    let check = |world: &mut Subject| {
        world.validate().unwrap();
        world.end_frame();
        world.end_frame();
        world.validate().unwrap();
        assert_eq!(world.iter_spawned().count(), 0);
    };
    reenter(world, check, &operations_of_worlds(), &inner);
}

/// The halves of a split, used from within each other's closures.
#[test]
fn halves_of_a_split() {
    let mut world = world();
    let before = world.len();
    let (mut live, spawner) = world.split();
    let mut spawned = Vec::new();
    live.for_each_mut(|entity, others| {
        entity.0 += 1;
        let first = spawner.spawn_with(|me| {
            let (_, inner) = spawner.spawn_mut(value());
            inner.0 = spawner.spawn_with(|_| value()).index();
            assert!(!others.contains(me));
            value()
        });
        assert!(others.get(first).is_none());
        spawner.despawn(others.me());
        spawned.push(first);
    });
    assert!(spawned.iter().all(|&handle| !live.contains(handle)));
    drop((live, spawner));
    assert_eq!(spawned.len(), before);
    world.end_frame();
    world.validate().unwrap();
    assert!(spawned.iter().all(|&handle| world[handle].0 == 7));
}
