//! How much memory loading a document takes (P11): per byte, at most twice the size of a slot and
//! 64 bytes.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tenure::{DensePool, FixedPool, Handle, Pool, Row, SideMap, StablePool, Table, World, ZiiPool};
use test_support::alloc::{self, Watched};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// A value of `N` bytes in memory, and of no bytes in a binary document.
#[derive(Clone, Debug, PartialEq)]
struct Free<const N: usize>([u8; N]);

impl<const N: usize> Default for Free<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Serialize for Free<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de, const N: usize> Deserialize<'de> for Free<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self::default())
    }
}

#[derive(Row, Deserialize)]
#[row(derive(Serialize))]
struct Pair {
    large: Free<1_000>,
    small: Free<8>,
}

/// The promised limit. Memory grows by doubling, and for 64 slots at least.
fn most(bytes: usize, value: usize) -> usize {
    let slot = (value + 4).next_multiple_of(4);
    (2 * slot + 64) * (bytes + 64)
}

/// Numbers of slots just above the sizes to which memory grows.
const COUNTS: [usize; 6] = [0, 1, 65, 129, 1_025, 2_049];

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push((number % 128) as u8 | 128);
        number /= 128;
    }
    bytes.push(number as u8);
    bytes
}

/// A pool of `slots` slots in postcard: version, preamble, the length, and a code for each slot.
fn pool(slots: usize, code: u8) -> Vec<u8> {
    [vec![1, 0, 0, 0, 0, 0, 0], varint(slots), vec![code; slots]].concat()
}

/// The same for a table, where the index precedes each code.
fn table(slots: usize, code: u8) -> Vec<u8> {
    let slots_with_index = (0..slots).flat_map(|index| [varint(index), vec![code]].concat());
    [vec![1, 0, 0, 0, 0, 0, 0], varint(slots)].concat().into_iter().chain(slots_with_index).collect()
}

/// A world: its entities, no ids, and empty lists.
fn world(slots: usize, code: u8) -> Vec<u8> {
    [vec![1], pool(slots, code), vec![0; 13], vec![1, 0, 0, 0, 0]].concat()
}

/// Codes: a vacant slot without a tenant, a live one with its first tenant, a vacant one whose
/// first tenant was removed.
const CODES: [u8; 3] = [0, 5, 4];

#[track_caller]
fn load<C: DeserializeOwned>(bytes: &[u8], value: usize, what: fmt::Arguments<'_>) {
    let (loaded, growth) = alloc::growth(|| postcard::from_bytes::<C>(bytes));
    if let Err(error) = loaded {
        panic!("{what}: {error}");
    }
    let peak = usize::try_from(growth.peak).unwrap_or(0);
    assert!(peak <= most(bytes.len(), value), "{what}: {peak} bytes for {} of {value}", bytes.len());
}

fn all<const N: usize>() {
    for count in COUNTS {
        for code in CODES {
            let what = |name: &str| format!("{count} slots of a {name}, code {code}");
            let pool = pool(count, code);
            load::<Pool<Free<N>>>(&pool, N, format_args!("{}", what("pool")));
            load::<StablePool<Free<N>>>(&pool, N, format_args!("{}", what("stable pool")));
            load::<ZiiPool<Free<N>>>(&pool, N, format_args!("{}", what("ZII pool")));
            load::<SideMap<Handle<u8>, Free<N>>>(&pool, N, format_args!("{}", what("side map")));
            load::<DensePool<Free<N>>>(&table(count, code), N, format_args!("{}", what("dense pool")));
            load::<World<Free<N>>>(&world(count, code), N, format_args!("{}", what("world")));
        }
    }
}

#[test]
fn memory_per_byte_is_bounded_by_the_size_of_a_value() {
    all::<0>();
    all::<8>();
    all::<1_000>();
}

#[test]
fn memory_of_a_table_is_bounded() {
    for count in COUNTS {
        for code in CODES {
            load::<Table<Pair>>(&table(count, code), size_of::<Pair>(), format_args!("{count} rows, code {code}"));
        }
    }
}

#[test]
fn a_fixed_pool_is_loaded_without_memory() {
    let bytes = pool(65, 0);
    let (loaded, growth) = alloc::growth(|| postcard::from_bytes::<FixedPool<Free<64>, 70>>(&bytes).is_ok());
    assert_eq!((loaded, growth.peak), (true, 0));
}

/// The lists of a world, each with handles of all its entities.
#[test]
fn memory_of_the_lists_of_a_world_is_bounded() {
    for count in COUNTS {
        let mut world: World<Free<8>> = World::new();
        let entities: Vec<_> = (0..count).map(|_| world.spawn(Free::default())).collect();
        let load_it = |world: &World<Free<8>>, what: &str| {
            load::<World<Free<8>>>(&postcard::to_allocvec(world).unwrap(), 8, format_args!("{count} {what}"));
        };
        load_it(&world, "pending");
        entities.iter().for_each(|&entity| _ = world.despawn(entity));
        load_it(&world, "pending and dying");
        world.commit();
        entities.iter().for_each(|&entity| _ = world.make_permanent(entity));
        load_it(&world, "permanent and dying");
        world.end_frame();
        load_it(&world, "dead");
        (0..count).for_each(|_| _ = world.stage(Free::default()));
        load_it(&world, "staged");
    }
}

/// A claimed length allocates nothing. (`MessagePack` passes the claim on to `Deserialize`;
/// postcard does not.)
#[test]
fn false_lengths_allocate_nothing() {
    fn check<C: Serialize + DeserializeOwned>(empty: &C, lists: usize) {
        let honest = rmp_serde::to_vec(empty).unwrap();
        let places = (0..honest.len()).filter(|&place| honest[place] == 0x90).collect::<Vec<_>>();
        assert_eq!(places.len(), lists, "empty lists in {honest:x?}");
        for place in places {
            let mut bytes = honest.clone();
            bytes.splice(place..=place, [0xDD, 0xFF, 0xFF, 0xFF, 0xFF]);
            let (loaded, growth) = alloc::growth(|| rmp_serde::from_slice::<C>(&bytes).map(drop));
            assert!(loaded.is_err(), "a claim at byte {place}");
            assert!(growth.peak < 2_048, "{} bytes for a claim at byte {place} of {bytes:x?}", growth.peak);
        }
    }
    check(&Pool::<Free<8>>::new(), 1);
    check(&StablePool::<Free<8>>::new(), 1);
    check(&DensePool::<Free<8>>::new(), 1);
    check(&Table::<Pair>::new(), 1);
    check(&SideMap::<Handle<u8>, Free<8>>::new(), 1);
    check(&World::<Free<8>>::new(), 10);
}

/// A pool that was full and is now empty can be loaded.
#[test]
fn many_vacant_slots_are_loaded() {
    let mut pool: Pool<Free<64>> = (0..50_000).map(|_| Free::default()).collect();
    let last = pool.handles().next_back().unwrap();
    pool.retain(|handle, _| handle == last);
    let bytes = postcard::to_allocvec(&pool).unwrap();
    let mut loaded: Pool<Free<64>> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!((loaded.len(), loaded.contains(last)), (1, true));
    for _ in 0..100 {
        assert_eq!(loaded.insert(Free::default()), pool.insert(Free::default()));
    }
}
