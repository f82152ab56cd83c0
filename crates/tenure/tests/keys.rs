//! Key types: declared by `key_type!`, and written by hand, including incorrect ones.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use tenure::{
    Compact, DensePool, FixedPool, Handle, Key, Live, Pool, Relink, Row, SideMap, Spawner, StablePool, Table, Tagged,
    Wide, World, ZiiPool, join, key_type,
};
use test_support::lying::{self, Lie};
use test_support::saved::{self, Format};
use test_support::{effort, quiet, small};

key_type! {
    /// The handle of an enemy.
    pub struct EnemyKey: Enemy;
    struct BulletKey: Bullet, Compact;
    pub(crate) struct PlainKey;
    struct TaggedKey: Enemy, Tagged<8>;
}

#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
struct Enemy {
    health: i32,
    target: Option<EnemyKey>,
}

static ENEMIES: std::sync::Mutex<Pool<Enemy, EnemyKey>> = std::sync::Mutex::new(Pool::EMPTY);
const NO_ENEMY: EnemyKey = EnemyKey::NIL;
const FIFTH: Option<EnemyKey> = EnemyKey::from_parts(4, 1);
const BITS: u64 = EnemyKey::from_bits(0x0000_0004_0000_0001).to_bits();

#[test]
fn a_key_type_has_what_a_handle_has() {
    assert!(NO_ENEMY.is_nil() && EnemyKey::default() == NO_ENEMY);
    assert_eq!(FIFTH.map(|key| (key.index(), key.generation())), Some((4, 1)));
    assert_eq!(BITS, 0x0000_0004_0000_0001);
    assert_eq!(size_of::<Option<BulletKey>>(), 4);
    assert_eq!(FIFTH.unwrap().to_string(), "Enemy(4v1)");
    assert_eq!(format!("{NO_ENEMY:?}"), "Enemy(nil)");
    assert_eq!("Enemy(4v1)".parse::<EnemyKey>().ok(), FIFTH);
    assert_eq!("4v1".parse::<EnemyKey>().ok(), FIFTH);
    assert_eq!(PlainKey::from_parts(0, 1).unwrap().to_string(), "PlainKey(0v1)");
    let tagged = TaggedKey::from_parts_and_tag(4, 1, 9).unwrap();
    assert_eq!((tagged.tag(), tagged.to_string().as_str()), (9, "Enemy(4v1#9)"));
    let handle: Handle<EnemyKey> = FIFTH.unwrap().into();
    assert_eq!(EnemyKey::from(handle), FIFTH.unwrap());
    let map: HashMap<EnemyKey, i32> = [(FIFTH.unwrap(), 7)].into();
    assert_eq!(map[&FIFTH.unwrap()], 7);
    assert!(BTreeMap::from([(NO_ENEMY, 1), (FIFTH.unwrap(), 0)]).into_values().eq([0, 1]), "nil sorts last");
}

#[test]
fn a_static_pool_has_a_key_type() {
    let orc = ENEMIES.lock().unwrap().insert(Enemy { health: 3, target: None });
    assert_eq!(ENEMIES.lock().unwrap()[orc].health, 3);
    ENEMIES.lock().unwrap().remove(orc);
    let message = quiet::catch(|| ENEMIES.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[orc].health);
    assert!(message.unwrap_err().contains("stale handle Enemy(0v1)"));
}

#[derive(Row, serde::Serialize, serde::Deserialize)]
#[row(derive(serde::Serialize))]
struct Shot {
    at: u32,
    target: EnemyKey,
}

/// A row of plain data.
#[derive(Clone, Copy, Debug, PartialEq, Row)]
#[row(snapshot)]
struct Missile {
    target: EnemyKey,
    fuse: u32,
    parent: BulletKey,
}

#[test]
fn every_container_takes_a_key_type() {
    let mut pool: Pool<u32, EnemyKey> = Pool::with_capacity_and_key(4);
    let mut stable: StablePool<u32, EnemyKey> = StablePool::EMPTY;
    let mut fixed: FixedPool<u32, 4, EnemyKey> = FixedPool::EMPTY;
    let mut dense: DensePool<u32, EnemyKey> = DensePool::EMPTY;
    let mut zii: ZiiPool<u32, EnemyKey> = ZiiPool::default();
    let mut table: Table<Shot, BulletKey> = Table::EMPTY;
    let mut world: World<u32, EnemyKey> = World::EMPTY;
    let keys = [pool.insert(1), stable.insert(1), fixed.insert(1), dense.insert(1), zii.insert(1), world.spawn(1)];
    assert!(keys.iter().all(|key| *key == keys[0]));
    let key = keys[0];
    let bullet: BulletKey = table.insert(Shot { at: 5, target: key });
    world.end_frame();
    assert_eq!([pool[key], stable[key], fixed[key], dense[key], zii[key], world[key]], [1; 6]);
    assert_eq!(table.handles().collect::<Vec<_>>(), [bullet]);
    assert_eq!(table.raw_handles()[0], bullet.handle());
    assert!(
        pool.handles()
            .chain(stable.handles())
            .chain(dense.handles())
            .chain(world.handles())
            .all(|other| other == key)
    );

    let mut gold: SideMap<EnemyKey, u32> = SideMap::with_capacity(4);
    gold.insert(&world, key, 9).unwrap();
    gold.insert(&stable, key, 9).unwrap();
    for (found, (entity, gold)) in join((&mut world, &mut gold)) {
        assert_eq!(found, key);
        *gold += *entity;
    }
    assert_eq!(gold[key], 10);
    assert_eq!(join((&stable, &gold)).count(), 1);

    assert_eq!(pool.remove(key), Some(1));
    assert_eq!(stable.take(key), Some(1));
    assert!(fixed.discard(key) && dense.discard(key) && world.discard(key));
    assert_eq!(table.remove(bullet).map(|shot| shot.at), Some(5));
}

#[test]
fn key_types_are_saved_relinked_and_cast_to_bytes() {
    let mut pool: Pool<Enemy, EnemyKey> = Pool::EMPTY;
    let first = pool.insert(Enemy { health: 1, target: None });
    pool.insert(Enemy { health: 2, target: Some(first) });
    let text = serde_json::to_string(&pool).unwrap();
    let loaded: Pool<Enemy, EnemyKey> = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded, pool);
    assert_eq!(serde_json::to_string(&first).unwrap(), "\"0v1\"");

    #[derive(Relink)]
    struct Ship {
        home: Option<ShipKey>,
        far: ShipKey,
    }
    key_type! { struct ShipKey: Ship; }
    let mut ships: Pool<Ship, ShipKey> = Pool::EMPTY;
    let one = ships.insert(Ship { home: None, far: ShipKey::NIL });
    let two = ships.insert(Ship { home: Some(one), far: one });
    ships.remove(one);
    assert_eq!(ships.audit().len(), 2);
    ships.clear_dangling();
    assert_eq!((ships[two].home, ships[two].far), (None, ShipKey::NIL));
    let mut fleet: Pool<Ship, ShipKey> = Pool::EMPTY;
    let moved: ShipKey = fleet.merge(&mut ships).unwrap().new_handle(two).unwrap();
    assert_eq!(fleet[moved].home, None);

    let bytes: &[u8] = bytemuck::bytes_of(&first);
    assert_eq!(bytemuck::checked::try_from_bytes::<EnemyKey>(bytes).ok(), Some(&first));
}

/// A loaded container has the same keys, and issues the same ones.
#[test]
fn every_container_with_a_key_type_is_saved() {
    let enemy = |health, target| Enemy { health, target };
    macro_rules! check {
        ($($container:expr, $insert:ident;)*) => {$({
            let mut original = $container;
            let first: EnemyKey = original.$insert(enemy(1, None));
            let second = original.$insert(enemy(2, Some(first)));
            let gone = original.$insert(enemy(3, Some(second)));
            assert!(original.discard(gone));
            for format in Format::ALL {
                #[allow(unused_mut, reason = "worlds and stable pools insert through `&self`")]
                let mut loaded = saved::reload(&original, format).unwrap();
                assert_eq!(loaded, original);
                assert_eq!((loaded[second].target, loaded.get(gone)), (Some(first), None));
                assert_eq!(loaded.$insert(enemy(4, None)), original.clone().$insert(enemy(4, None)));
                loaded.validate().unwrap();
            }
        })*};
    }
    check! {
        Pool::<Enemy, EnemyKey>::EMPTY, insert;
        StablePool::<Enemy, EnemyKey>::EMPTY, insert;
        FixedPool::<Enemy, 4, EnemyKey>::EMPTY, insert;
        DensePool::<Enemy, EnemyKey>::EMPTY, insert;
        ZiiPool::<Enemy, EnemyKey>::default(), insert;
        World::<Enemy, EnemyKey>::EMPTY, spawn;
    }
}

#[test]
fn tables_and_side_maps_with_key_types_are_saved() {
    let mut shots: Table<Shot, BulletKey> = Table::EMPTY;
    let keys: Vec<BulletKey> = (0..4).map(|at| shots.insert(Shot { at, target: FIFTH.unwrap() })).collect();
    shots.remove(keys[0]);
    let mut gold: SideMap<EnemyKey, u32> = SideMap::EMPTY;
    for index in [0, 3, 1_000_000] {
        gold.insert_unowned(EnemyKey::from_parts(index, 2).unwrap(), index).unwrap();
    }
    for format in Format::ALL {
        let mut loaded = saved::reload(&shots, format).unwrap();
        assert!(loaded.handles().eq([keys[3], keys[1], keys[2]]));
        assert!(loaded.iter().all(|(key, shot)| key.index() == *shot.at && Some(*shot.target) == FIFTH));
        let mut original = saved::reload(&shots, format).unwrap();
        let new = || Shot { at: 9, target: NO_ENEMY };
        assert_eq!(loaded.insert(new()), original.insert(new()));
        loaded.validate().unwrap();

        let loaded = saved::reload(&gold, format).unwrap();
        assert_eq!(loaded, gold);
        assert_eq!(loaded[EnemyKey::from_parts(1_000_000, 2).unwrap()], 1_000_000);
        loaded.validate().unwrap();
    }
}

#[test]
fn key_types_are_columns_of_snapshots() {
    let mut missiles: Table<Missile, BulletKey> = Table::EMPTY;
    let first = missiles.insert(Missile { target: NO_ENEMY, fuse: 1, parent: BulletKey::NIL });
    let second = missiles.insert(Missile { target: FIFTH.unwrap(), fuse: 2, parent: first });
    missiles.remove(first);
    let saved = missiles.to_snapshot();
    let loaded = Table::<Missile, BulletKey>::from_snapshot(&saved).unwrap();
    assert!(loaded.handles().eq([second]));
    let row = loaded.get(second).unwrap();
    assert_eq!((*row.target, *row.fuse, *row.parent), (FIFTH.unwrap(), 2, first));

    // Not every integer is a key: the lowest bit of a handle is set.
    let mut broken = saved;
    let bits = BITS.to_ne_bytes();
    let place = broken.windows(8).position(|bytes| bytes == bits).unwrap();
    broken[place..place + 8].copy_from_slice(&(BITS + 1).to_ne_bytes());
    assert!(Table::<Missile, BulletKey>::from_snapshot(&broken).is_err());
}

#[test]
fn systems_take_a_key_type() {
    fn age(live: &mut Live<'_, u32, EnemyKey>, spawner: &Spawner<'_, u32, EnemyKey>) {
        for (key, age) in live.iter_mut() {
            *age += 1;
            if *age == 3 {
                spawner.despawn(key);
                spawner.spawn(0);
            }
        }
    }
    let mut world: World<u32, EnemyKey> = [1, 2].into_iter().collect();
    let report = world.frame(age);
    assert_eq!((report.spawned, report.despawned), (1, 1));
    let mut pool: StablePool<u32, EnemyKey> = [1, 2].into_iter().collect();
    let (mut live, spawner) = pool.split();
    age(&mut live, &spawner);
    drop((live, spawner));
    assert_eq!(pool.len(), 2);
}

// ---- keys that do more than they should ----

/// A key that returns nil when it is asked for the first time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Fickle(Handle<Fickle>);

thread_local! {
    static ASKED: Cell<bool> = const { Cell::new(true) };
    static QUESTIONS: Cell<u32> = const { Cell::new(0) };
}

impl Key for Fickle {
    type Kind = Fickle;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        Self(handle)
    }

    fn handle(self) -> Handle<Self> {
        QUESTIONS.set(QUESTIONS.get() + 1);
        if ASKED.replace(true) { self.0 } else { Handle::NIL }
    }
}

/// The handle is released when there is no value for it, whatever its key says.
#[test]
fn insert_with_releases_the_handle_and_not_what_the_key_returns() {
    let pool: StablePool<u32, Fickle> = StablePool::EMPTY;
    ASKED.set(false);
    assert!(quiet::catch(|| pool.insert_with(|_| panic!("there is no value"))).is_err());
    assert_eq!(pool.insert_with_result(|_| Err(())), Err(()));
    ASKED.set(false);
    pool.insert_with(|_| 1);
    assert_eq!((pool.len(), pool.stats().pending), (1, 0));
    pool.validate().unwrap();
}

/// A clear removes the entities, and not what their keys return.
#[test]
fn clear_does_not_ask_keys() {
    let mut world: World<u32, Fickle> = [1, 2].into_iter().collect();
    world.spawn(3);
    ASKED.set(false);
    assert_eq!(world.clear_temporary(), 3);
    assert!(!ASKED.replace(true));
    world.validate().unwrap();
}

#[test]
fn clear_stale_asks_each_key_once() {
    let mut world: World<u32, Fickle> = [1, 2].into_iter().collect();
    let keys: Vec<_> = world.handles().collect();
    world.discard(keys[1]);
    let mut targets = [keys[0], keys[1], Fickle(Handle::NIL)];
    QUESTIONS.set(0);
    assert_eq!(world.clear_stale(&mut targets, |position, lost| assert_eq!((position, lost), (1, keys[1]))), 1);
    assert_eq!((targets, QUESTIONS.get()), ([keys[0], Fickle(Handle::NIL), Fickle(Handle::NIL)], 3));
}

/// It is about the world, and not about what its keys return.
#[test]
fn validate_does_not_ask_keys() {
    let world: World<u32, Fickle> = [1, 2].into_iter().collect();
    world.spawn(3);
    ASKED.set(false);
    QUESTIONS.set(0);
    world.validate().unwrap();
    assert_eq!((ASKED.replace(true), QUESTIONS.get()), (false, 0));
}

/// A key that spawns an entity whenever it is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Busy(Handle<Busy>);

thread_local! {
    static WORLD: World<u32, Busy> = const { World::EMPTY };
}

impl Key for Busy {
    type Kind = Busy;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        Self(handle)
    }

    fn handle(self) -> Handle<Self> {
        WORLD.with(|world| world.spawn(0));
        self.0
    }
}

/// N4: every method that takes a key asks it before the lists are borrowed.
#[test]
fn keys_may_use_the_world_that_asks_them() {
    WORLD.with(|world| {
        let key = world.spawn(1);
        assert!(!world.is_permanent(key));
        assert!(world.contains(key) && world.id_of(key).is_some() && world.status(key).resolves());
        assert!(world.despawn(key).resolves() && world.fill(key, 2).is_err());
        assert_eq!(world.iter_all().count(), 7);
    });
}

/// Containers stay valid, whatever a key's methods do, and every value is dropped once.
#[test]
fn keys_that_lie_or_panic_leave_containers_valid() {
    for lie in Lie::ALL {
        for seed in 0..small::or(effort::cases(400), 2) {
            lying::every_container(lie, seed, 80).unwrap();
        }
    }
}
