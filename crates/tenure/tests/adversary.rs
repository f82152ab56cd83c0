//! Call sequences that an adversary would try: each of them once broke an invariant.

use std::cell::Cell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tenure::relink::{Relinker, Visitor};
use tenure::side_map::Owner;
use tenure::{
    Compact, DensePool, FixedPool, Handle, HandleError, Key, Pool, Relink, SideMap, StablePool, Status, Tagged, Wide,
    World,
};
use test_support::alloc::{self, Watched};
use test_support::quiet;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// `recycle_retired` makes handles that are still listed as spawned valid again: a value was
/// committed twice.
#[test]
fn recycled_slots_are_committed_once() {
    type Two = Handle<Box<u64>, Compact<30>>;
    let mut world: World<Box<u64>, Two> = World::EMPTY;
    let first = world.spawn(Box::new(0));
    let others: Vec<Two> = (1..64).map(|number| world.spawn(Box::new(number))).collect();
    world.discard(first);
    let last_tenant = world.spawn(Box::new(64));
    (64..128).for_each(|number| _ = world.spawn(Box::new(number)));
    world.discard(last_tenant);
    assert_eq!(world.recycle_retired(), 1);
    assert_eq!(world.spawn(Box::new(999)), first);
    world.end_frame();
    world.validate().unwrap();
    assert_eq!((world.len(), world.iter().count()), (128, 128));

    world.discard(others[4]);
    let next = world.spawn(Box::new(42));
    world.despawn(others[2]);
    world.sweep();
    world.shrink_to_fit();
    world.spawn(Box::new(43));
    world.validate().unwrap();
    assert_eq!(*world[next], 42);
}

/// The same handle is spawned, removed and spawned again in one frame, in every way.
#[test]
fn a_handle_that_returns_in_its_frame_is_committed_once() {
    let mut world = World::new();
    let orc = world.spawn(1);
    for round in 0..3 {
        assert_eq!(world.take(orc), Some(1));
        world.fill(orc, 1).unwrap();
        if round == 1 {
            world.discard(orc);
            world.insert_at(orc, 1).unwrap();
        }
        let other = world.spawn_with(|_| 2);
        world.discard(other);
        world.validate().unwrap();
        assert_eq!(world.iter_spawned().count(), 1);
    }
    assert_eq!(world.end_frame().spawned, 1);
    assert!(world.handles().eq([orc]));
}

thread_local! {
    static POOL: Cell<Option<Rc<StablePool<Reentrant>>>> = const { Cell::new(None) };
    static WORLD: Cell<Option<Rc<World<u64, Spawning>>>> = const { Cell::new(None) };
    static LIE: Cell<bool> = const { Cell::new(false) };
}

/// Asks the pool for its length while it is copied.
struct Reentrant(u32);

impl Clone for Reentrant {
    fn clone(&self) -> Self {
        let pool = POOL.take().unwrap();
        assert_eq!((pool.len(), pool.iter().count()), (1, 1));
        POOL.set(Some(pool));
        Self(self.0)
    }
}

#[test]
fn a_forgotten_split_is_not_flushed_by_a_clone_of_a_value() {
    let mut pool = StablePool::new();
    let value = pool.insert(Reentrant(7));
    let (live, spawner) = pool.split();
    spawner.despawn(value);
    std::mem::forget((live, spawner));
    let pool = Rc::new(pool);
    POOL.set(Some(pool.clone()));
    assert_eq!(StablePool::clone(&pool).iter().map(|(_, value)| value.0).collect::<Vec<_>>(), [7]);
    POOL.set(None);
}

/// A key that spawns into the world when it is asked for its handle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Spawning(Handle<Spawning>);

impl Key for Spawning {
    type Kind = Self;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        Self(handle)
    }

    fn handle(self) -> Handle<Self> {
        if let Some(world) = WORLD.take() {
            (0..3).for_each(|number| _ = world.spawn(number));
            WORLD.set(Some(world));
        }
        if LIE.get() { Handle::from_parts(9, 1).unwrap() } else { self.0 }
    }
}

#[test]
fn a_key_may_spawn_while_the_world_is_asked() {
    let mut world: World<u64, Spawning> = World::EMPTY;
    let key = world.spawn(7);
    world.end_frame();
    world.make_permanent(key);
    let world = Rc::new(world);
    WORLD.set(Some(world.clone()));
    assert!(world.is_permanent(key));
    assert!(world.contains(key) && world.get(key).is_some() && world.try_get(key).is_ok());
    assert!(world.id_of(key).is_some() && world.status(key) == Status::Live);
    world.despawn(key);
    WORLD.set(None);
    world.validate().unwrap();
}

#[test]
fn clearing_a_world_asks_no_key() {
    let mut world: World<u64, Spawning> = World::EMPTY;
    world.spawn(7);
    world.end_frame();
    world.spawn(8);
    LIE.set(true);
    assert_eq!(world.clear_all(), 2);
    LIE.set(false);
    world.validate().unwrap();
    let keys: Vec<_> = (0..20).map(|number| world.spawn(number)).collect();
    world.end_frame();
    assert!(keys.iter().all(|&key| world.status(key) == Status::Live));
}

/// An owner that accepts every handle.
struct Yes;

impl Owner<Handle<u8>> for Yes {
    fn check(&self, _: Handle<u8>) -> Result<(), HandleError> {
        Ok(())
    }
}

#[test]
fn a_side_map_refuses_nil_whatever_its_owner_says() {
    let mut map: SideMap<Handle<u8>, u32> = SideMap::new();
    assert_eq!(map.insert(&Yes, Handle::NIL, 5).unwrap_err().into_inner(), 5);
    assert!(matches!(map.entry(&Yes, Handle::NIL), Err(HandleError::Nil)));
    assert!(map.is_empty() && map.get(Handle::NIL).is_none());
}

/// An entity whose destructor panics, for which there is no memory.
struct Panics {
    now: bool,
    _counted: Rc<()>,
}

impl Drop for Panics {
    fn drop(&mut self) {
        if self.now {
            alloc::pause(|| panic!("dropped"));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of spawns")]
fn jobs_release_their_handles_when_an_entity_panics_for_lack_of_memory() {
    let counted = Rc::new(());
    let entity = |now| Panics { now, _counted: counted.clone() };
    let mut world = World::new();
    world.spawn(entity(false));
    world.end_frame();
    // What the preparation requests is granted here, and all later requests are refused.
    let mut twin = World::from([entity(false)]);
    let ((), prepared) = alloc::count(|| twin.with_jobs(64, 4_000, |_| {}));
    drop(twin);
    let finished = quiet::catch(|| {
        alloc::refuse_from(prepared, || {
            world.with_jobs(64, 4_000, |jobs| {
                alloc::pause(|| {
                    for mut job in jobs {
                        (0..3_998).for_each(|number| _ = job.spawner.spawn(entity(number == 0)));
                    }
                });
            });
        });
    });
    assert_eq!(finished.unwrap_err(), "dropped");
    world.validate().unwrap();
    assert_eq!(world.pending_handles().count(), 0);
    world.with_jobs(64, 10, |_| {});
    world.validate().unwrap();
    let handles: std::collections::BTreeSet<_> = (0..9_000).map(|_| world.spawn(entity(false))).collect();
    assert_eq!(handles.len(), 9_000);
    world.end_frame();
    drop(world);
    assert_eq!(Rc::strong_count(&counted), 1);
}

thread_local!(static LOADED: Cell<i32> = const { Cell::new(0) });

#[derive(Debug)]
struct Counted;

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer)?;
        LOADED.set(LOADED.get() + 1);
        Ok(Self)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LOADED.set(LOADED.get() - 1);
    }
}

#[test]
fn a_refused_document_leaks_no_entity() {
    for (lists, loads) in [
        (r#""departed":[]"#, true),
        (r#""departed":[7]"#, false),
        (r#""nursery":[7]"#, false),
        (r#""departed":[2],"nursery":[2]"#, false),
    ] {
        let slots = r#"[{"0v1":5},{"1v1":6},"2v1 pending"]"#;
        let document = format!(
            r#"{{"version":1,"entities":{{"version":1,"slots":{slots}}},"ids":[1,2],"last_id":2,"pending":["0v1"],{lists}}}"#
        );
        let world = serde_json::from_str::<World<Counted>>(&document);
        assert_eq!(world.is_ok(), loads, "{lists}: {:?}", world.err());
        drop(world);
        assert_eq!(LOADED.get(), 0, "{lists}");
    }
}

#[test]
fn a_floor_that_shrinking_never_writes_is_refused() {
    let load = |floor: u32| {
        serde_json::from_str::<Pool<u8>>(&format!(r#"{{"version":1,"floor":{floor},"slots":[]}}"#)).map(drop)
    };
    load(u32::MAX / 4).unwrap();
    assert!(load(u32::MAX / 4 + 1).unwrap_err().to_string().contains("floor"));
    // The highest one that shrinking writes is accepted.
    let mut pool: Pool<u8> = Pool::new();
    let highest = Handle::from_parts(0, u32::MAX / 4).unwrap();
    pool.insert_at(highest, 1).unwrap();
    pool.remove(highest);
    pool.shrink_to_fit();
    let text = serde_json::to_string(&pool).unwrap();
    assert_eq!(serde_json::from_str::<Pool<u8>>(&text).unwrap(), pool, "{text}");
}

/// Under Miri: the slot of a removed handle and the bits are borrowed together.
#[test]
fn a_fixed_pool_releases_and_retains() {
    let mut pool: FixedPool<u8, 70> = FixedPool::new();
    let handles: Vec<_> = (0..70).map(|number| pool.insert(number)).collect();
    pool.remove(handles[3]);
    assert_eq!(pool.remove(handles[3]), None);
    let pending = pool.reserve_handle();
    assert_eq!(pool.remove(pending), None);
    pool.retain(|_, number| *number % 2 == 0);
    pool.validate().unwrap();
    assert_eq!(pool.len(), 35);
}

/// A handle that was marked for despawn, removed, and inserted again is swept in the order of its
/// second mark, also in a loaded copy (P9).
#[test]
fn a_handle_that_returns_is_swept_in_the_order_of_its_last_mark() {
    let mut world: World<u32> = World::from([0, 1, 2]);
    let handles: Vec<_> = world.handles().collect();
    world.despawn(handles[0]);
    world.discard(handles[0]);
    world.insert_at(handles[0], 0).unwrap();
    world.despawn(handles[1]);
    assert_eq!(world.take(handles[1]), Some(1));
    world.fill(handles[1], 1).unwrap();
    let text = serde_json::to_string(&world).unwrap();
    for mut world in [world, serde_json::from_str(&text).unwrap()] {
        [2, 1, 0].into_iter().for_each(|one| _ = world.despawn(handles[one]));
        world.end_frame();
        assert!(world.dead().eq([handles[2], handles[1], handles[0]]));
    }
}

thread_local! {
    /// How often a key of the type [`Fickle`] is asked before it panics.
    static PANICS_AFTER: Cell<Option<u32>> = const { Cell::new(None) };
    static SAVED: Cell<Option<Rc<World<Reserving>>>> = const { Cell::new(None) };
}

/// A key that panics when it is told to, and names another value when it is told to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Fickle(Handle<Fickle>);

impl Fickle {
    fn count() {
        let left = PANICS_AFTER.get();
        PANICS_AFTER.set(left.and_then(|left| left.checked_sub(1)));
        assert!(left != Some(0), "asked");
    }
}

impl Key for Fickle {
    type Kind = Self;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        Self::count();
        Self(handle)
    }

    fn handle(self) -> Handle<Self> {
        Self::count();
        if LIE.get() { Handle::from_parts(0, 1).unwrap() } else { self.0 }
    }
}

/// A value without handles.
#[derive(Clone)]
struct Plain(u32);

impl Relink for Plain {
    fn visit(&self, _: &mut Visitor<'_>) {}

    fn relink(&mut self, _: &mut Relinker<'_>) {}
}

/// Merges two containers with 3 values each, after the keys were told what to do.
macro_rules! merge_all_values {
    ($tell:expr, $Pool:ty, $insert:ident, |$pool:ident| $commit:expr) => {{
        let fill = |first: u32| {
            let mut $pool = <$Pool>::EMPTY;
            (first..first + 3).for_each(|number| _ = $pool.$insert(Plain(number)));
            $commit;
            $pool
        };
        let (mut $pool, mut other) = (fill(0), fill(3));
        $tell();
        let merged = quiet::catch(|| $pool.merge(&mut other).map(drop).unwrap());
        LIE.set(false);
        PANICS_AFTER.set(None);
        merged.unwrap();
        $commit;
        $pool.validate().unwrap();
        assert!($pool.values().map(|value| value.0).eq(0..6));
        assert_eq!((other.len(), $pool.pending_handles().count()), (0, 0));
    }};
}

/// A key that lied made a merge drop values, and a key that panicked stopped it half-way.
#[test]
fn a_merge_asks_no_key() {
    let tells: [fn(); 2] = [|| LIE.set(true), || PANICS_AFTER.set(Some(0))];
    for tell in tells {
        merge_all_values!(tell, Pool<Plain, Fickle>, insert, |pool| pool.shrink_to_fit());
        merge_all_values!(tell, StablePool<Plain, Fickle>, insert, |pool| pool.shrink_to_fit());
        merge_all_values!(tell, DensePool<Plain, Fickle>, insert, |pool| pool.shrink_to_fit());
        merge_all_values!(tell, World<Plain, Fickle>, spawn, |world| _ = world.end_frame());
    }
}

/// Each row was saved as the one that the key named.
#[test]
fn saving_a_world_asks_no_key() {
    let mut world: World<u64, Spawning> = World::EMPTY;
    (7..10).for_each(|number| _ = world.spawn(number));
    world.end_frame();
    let honest = serde_json::to_string(&world).unwrap();
    LIE.set(true);
    let saved = serde_json::to_string(&world);
    LIE.set(false);
    assert_eq!(saved.unwrap(), honest);
}

/// The handle had left and the row had not: every later row came with the handle of another one.
#[test]
fn a_key_that_panics_does_not_shift_drained_rows() {
    let mut pool: DensePool<u32, Fickle> = DensePool::EMPTY;
    let keys: Vec<_> = (0..4).map(|number| pool.insert(number)).collect();
    let mut drain = pool.drain();
    PANICS_AFTER.set(Some(0));
    assert_eq!(quiet::catch(|| drain.next()).unwrap_err(), "asked");
    assert!(drain.eq([(keys[1], 1), (keys[2], 2), (keys[3], 3)]));
}

/// Reserves a handle of the world while it is saved.
#[derive(Deserialize)]
struct Reserving(u32);

impl Serialize for Reserving {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(world) = SAVED.take() {
            let _ = world.reserve_handle();
        }
        serializer.serialize_u32(self.0)
    }
}

/// The document had a free slot that was pending, so it could not be loaded.
#[test]
fn a_handle_that_is_reserved_while_a_world_is_saved_is_an_error() {
    let mut world = World::from([Reserving(0), Reserving(1), Reserving(2)]);
    let last = world.handle_at(2).unwrap();
    world.despawn(last);
    world.end_frame();
    let world = Rc::new(world);
    for _ in 0..2 {
        // The first time it takes the free slot, the second time a new one.
        SAVED.set(Some(world.clone()));
        assert!(serde_json::to_string(&*world).unwrap_err().to_string().contains("changed"));
    }
    let text = serde_json::to_string(&*world).unwrap();
    assert_eq!(serde_json::from_str::<World<Reserving>>(&text).unwrap().pending_handles().count(), 2);
}

/// An empty map adopts the tag of the first handle. It released the memory that was reserved.
#[test]
fn a_side_map_that_adopts_a_tag_keeps_its_memory() {
    type Tags = Handle<u8, Tagged<8>>;
    let owners: Vec<Pool<u8, Tags>> = (1..4)
        .map(|tag| {
            let mut owner = Pool::with_tag(tag);
            owner.extend(0..100);
            owner
        })
        .collect();
    let mut map: SideMap<Tags, u32> = SideMap::with_capacity(1_000);
    let capacity = map.capacity();
    for owner in &owners {
        let ((), requests) = alloc::count(|| {
            owner.handles().for_each(|handle| _ = map.insert(owner, handle, handle.index()).unwrap());
        });
        assert_eq!((map.len(), map.capacity(), requests), (100, capacity, 0));
        map.validate().unwrap();
        assert!(map.handles().eq(owner.handles()));
        map.clear();
    }
}

/// A key that panics whenever it is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Broken(Handle<Broken>);

impl Key for Broken {
    type Kind = Broken;
    type Layout = Wide;
    fn from_handle(_: Handle<Broken>) -> Self {
        panic!("broken")
    }
    fn handle(self) -> Handle<Broken> {
        self.0
    }
}

/// The rest was inserted while the panic unwound, and asked the key again: the process aborted.
#[test]
fn inserting_many_asks_no_key_while_it_is_dropped() {
    let mut pool: Pool<u32, Broken> = Pool::EMPTY;
    pool.extend([1, 2]);
    assert_eq!(quiet::catch(|| pool.insert_many([3, 4]).next()).unwrap_err(), "broken");
    assert!(pool.insert_many([5, 6]).finish().is_ok());
    assert!(pool.values().eq(&[1, 2, 3, 4, 5, 6]));

    let mut table: DensePool<u32, Broken> = DensePool::EMPTY;
    assert_eq!(quiet::catch(|| table.insert_many([3, 4]).next()).unwrap_err(), "broken");
    table.extend([5]);
    assert_eq!(table.as_slice(), [3, 4, 5]);
}

/// Entities that were marked and then removed used up the room in the list of marked ones. Without
/// memory a despawn was lost.
#[test]
fn despawning_needs_no_memory_after_marked_entities_were_removed() {
    for clear in [false, true] {
        let mut world: World<u32> = World::new();
        let keep = world.spawn(0);
        for number in 0..64 {
            let handle = world.spawn(number);
            world.despawn(handle);
            world.discard(handle);
        }
        alloc::refuse_all(|| {
            if clear {
                assert_eq!(world.clear_all(), 1);
            } else {
                assert_eq!(world.despawn(keep), Status::Spawned);
                assert_eq!(world.status(keep), Status::Dying);
            }
        });
        world.end_frame();
        assert!(world.is_empty() && !world.contains(keep));
        world.validate().unwrap();
    }
}

/// The lists grew with every entity that was spawned and removed in one frame.
#[test]
fn entities_that_come_and_go_in_one_frame_take_no_memory() {
    let mut world: World<u32> = (0..100).collect();
    let turn = |world: &mut World<u32>| {
        for number in 0..10_000 {
            let handle = world.spawn(number);
            world.despawn(handle);
            world.discard(handle);
        }
    };
    turn(&mut world);
    let before = alloc::bytes();
    turn(&mut world);
    assert_eq!(alloc::bytes(), before);
    assert_eq!(world.end_frame().spawned, 0);
    world.validate().unwrap();
}
