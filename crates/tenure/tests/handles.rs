//! Handles as integers, as text and as keys.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::BuildHasher;

use proptest::prelude::*;
use tenure::{BuildHandleHasher, Compact, Handle, Layout, ParseHandleError, Pool, Tagged};

struct Enemy;
type Deep = Tagged<3, Compact<18>>;

proptest! {
    #[test]
    fn bits_text_and_parts_round_trip(bits: u64) {
        round_trip::<tenure::Wide>(Handle::from_bits(bits));
        round_trip::<Tagged<8>>(Handle::from_bits(bits));
        let narrow = u32::try_from(bits >> 32).unwrap();
        round_trip::<Compact>(Handle::from_bits(narrow));
        round_trip::<Compact<1>>(Handle::from_bits(narrow));
        round_trip::<Compact<30>>(Handle::from_bits(narrow));
        round_trip::<Deep>(Handle::from_bits(narrow));
    }

    #[test]
    fn parsing_arbitrary_text_does_not_panic(text in "\\PC{0,24}") {
        let _ = text.parse::<Handle<Enemy>>();
        let _ = text.parse::<Handle<Enemy, Deep>>();
    }

    #[test]
    fn order_is_by_index_then_generation(a: (u16, u8), b: (u16, u8)) {
        let handle = |(index, generation): (u16, u8)| {
            Handle::<Enemy>::from_parts(index.into(), u32::from(generation) + 1).unwrap()
        };
        prop_assert_eq!(handle(a).cmp(&handle(b)), a.cmp(&b));
    }
}

fn round_trip<L: Layout>(handle: Handle<Enemy, L>) {
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
    assert_eq!(handle.to_string().parse(), Ok(handle));
    assert_eq!(format!("{handle:?}"), handle.to_string());
    if handle.is_nil() {
        assert_eq!((handle.generation(), handle.tag()), (0, 0));
    } else {
        assert!(handle.index() < L::MAX_SLOTS);
        assert!((1..=L::MAX_TENANTS).contains(&handle.generation()));
        assert!(handle < Handle::NIL);
        if handle.tag() == 0 {
            assert_eq!(Handle::from_parts(handle.index(), handle.generation()), Some(handle));
        }
    }
    assert_eq!(handle.cast::<str>().cast::<Enemy>(), handle);
}

#[test]
fn text_of_a_handle() {
    let handle: Handle<Enemy> = Handle::from_parts(17, 3).unwrap();
    assert_eq!(handle.to_string(), "Enemy(17v3)");
    assert_eq!(Handle::<Enemy>::NIL.to_string(), "Enemy(nil)");
    assert_eq!(handle.cast::<Option<Enemy>>().to_string(), "Option(17v3)");
    assert_eq!(handle.cast::<HashMap<String, Vec<u8>>>().to_string(), "HashMap(17v3)");
    assert_eq!(handle.cast::<&str>().to_string(), "str(17v3)");
    let mut pool: Pool<Enemy, Handle<Enemy, Tagged<4>>> = Pool::with_tag(5);
    assert_eq!(pool.insert(Enemy).to_string(), "Enemy(0v1#5)");
}

/// The text of a handle can be parsed again, whatever its kind.
#[test]
fn text_round_trips_for_kinds_with_unusual_names() {
    fn check<K: ?Sized>() {
        let handle: Handle<K> = Handle::from_parts(17, 3).unwrap();
        assert_eq!(handle.to_string().parse(), Ok(handle), "{handle}");
    }
    check::<()>();
    check::<(u8, String)>();
    check::<[u8; 4]>();
    check::<[Option<String>]>();
    check::<&'static mut u8>();
    check::<dyn std::fmt::Debug + Send>();
    check::<*const u8>();
    check::<fn(u8) -> u8>();
    check::<dyn Fn(u8) -> u8>();
    check::<Box<dyn Fn(Option<u8>)>>();
}

#[test]
fn text_that_is_not_a_handle() {
    let parse = |text: &str| text.parse::<Handle<Enemy, Compact>>().map(|handle| handle.to_string());
    for text in ["", "17", "v", "17v", "v3", "17x3", "+1v1", "1v-1", "Enemy(17v3", "17v3)", "17v3#", "1v1v1", "() "] {
        assert_eq!(parse(text), Err(ParseHandleError::Form), "{text}");
    }
    for text in ["1048575v1", "0v0", "0v2049", "0v1#1", "99999999999v1"] {
        assert_eq!(parse(text), Err(ParseHandleError::Range), "{text}");
    }
    assert_eq!(parse(" 17v3 "), Ok("Enemy(17v3)".into()));
    assert_eq!(parse("Anything(17v3)"), Ok("Enemy(17v3)".into()));
}

#[test]
fn handles_sort_by_index() {
    let mut pool: Pool<u32> = (0..10).collect();
    let mut handles: Vec<_> = pool.drain().map(|(handle, _)| handle).collect();
    handles.extend(pool.insert_many(0..10));
    handles.push(Handle::NIL);
    handles.sort();
    assert!(handles.is_sorted_by_key(|handle| handle.index()));
    assert!(handles.last().unwrap().is_nil());
}

/// Sequential handles are the usual keys: they must not collide in a hash table whose size is a
/// power of two.
#[test]
fn the_hasher_spreads_sequential_handles() {
    const BUCKETS: usize = 1 << 12;
    let hasher = BuildHandleHasher::default();
    for shift in [0, 52] {
        let mut load = vec![0_u32; BUCKETS];
        for index in 0..u32::try_from(BUCKETS).unwrap() {
            let handle: Handle<Enemy> = Handle::from_parts(index, 1).unwrap();
            let hash = hasher.hash_one(handle) >> shift;
            load[usize::try_from(hash % BUCKETS as u64).unwrap()] += 1;
        }
        let used = load.iter().filter(|&&count| count > 0).count();
        // Random hashes would leave 37 % of the buckets empty, and fill none with more than about
        // ten.
        assert!(used > BUCKETS / 2, "bits from {shift}: {used} of {BUCKETS} buckets used");
        assert!(load.iter().all(|&count| count <= 12), "bits from {shift}: {:?} in one bucket", load.iter().max());
    }
}

/// Generations of one slot, and 4-byte handles, are spread, too.
#[test]
fn the_hasher_spreads_generations_and_compact_handles() {
    let hasher = BuildHandleHasher::default();
    let low = |hash: u64| hash % 4_096;
    let generations: HashSet<u64> =
        (1..=2_048).map(|tenant| low(hasher.hash_one(Handle::<Enemy>::from_parts(7, tenant)))).collect();
    let compact: HashSet<u64> =
        (0..2_048).map(|index| low(hasher.hash_one(Handle::<Enemy, Compact>::from_parts(index, 1)))).collect();
    assert!(generations.len() > 1_400, "{} of 2048 differ", generations.len());
    assert!(compact.len() > 1_400, "{} of 2048 differ", compact.len());
}

#[test]
fn the_hasher_is_the_same_in_every_run() {
    let handle: Handle<Enemy> = Handle::from_parts(17, 3).unwrap();
    let first = BuildHandleHasher::default().hash_one(handle);
    assert_eq!(first, BuildHandleHasher::default().hash_one(handle));
    assert_eq!(first, FIRST_HASH, "the hash of a handle has changed");
}

/// The hash of 17v3, recorded when the hasher was written. It may change, but not by accident.
const FIRST_HASH: u64 = 10_018_149_683_334_707_517;

#[test]
fn handles_are_keys() {
    let mut pool: Pool<u32> = (0..1_000).collect();
    let old: Vec<_> = pool.drain().map(|(handle, _)| handle).collect();
    let all: Vec<_> = old.into_iter().chain(pool.insert_many(0..1_000)).collect();
    let map: HashMap<_, _, BuildHandleHasher> = all.iter().copied().zip(0..).collect();
    assert_eq!(map.len(), 2_000);
    assert!((0..).zip(&all).all(|(nth, handle)| map[handle] == nth));
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 2_000);
}
