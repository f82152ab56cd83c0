//! Side maps without an owner: a model, forged handles and their memory, saving, joins.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use tenure::side_map::Entry;
use tenure::{Handle, HandleError, Pool, Rejection, SideMap, Tagged, join};
use test_support::alloc::{self, Watched};
use test_support::small;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

type Key = Handle<u32>;
type Model = BTreeMap<u32, (u32, u32)>;

fn key(index: u32, generation: u32) -> Key {
    Handle::from_parts(index, generation).unwrap()
}

/// Indices near the beginning, around the limits of what gets slots, and at the very end.
fn index(byte: u8) -> u32 {
    match byte {
        0..=99 => u32::from(byte),
        100..=149 => 4_000 + u32::from(byte) * 4,
        150..=199 => u32::from(byte) * 1_000,
        _ => u32::MAX - u32::from(byte),
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Insert(u8, u32),
    Entry(u8, u32),
    Remove(u8, u32),
    RetainOdd,
    ExtractOdd,
    Clear,
    Drain(usize),
    Clone,
    CloneFrom,
    Shrink,
    Reserve(u8),
    ReserveSlots(u8),
    Disjoint(u8, u8),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = (0_u8..40, any::<u8>(), any::<u8>(), 1_u32..4).prop_map(|(op, at, other, generation)| match op {
        0..=19 => Op::Insert(at, generation),
        20..=24 => Op::Entry(at, generation),
        25..=30 => Op::Remove(at, generation),
        31 => Op::RetainOdd,
        32 => Op::ExtractOdd,
        33 if at < 60 => Op::Clear,
        34 if at < 60 => Op::Drain(usize::from(other)),
        35 => Op::Clone,
        36 => Op::CloneFrom,
        37 => Op::Shrink,
        38 if at < 128 => Op::Reserve(other),
        38 => Op::ReserveSlots(other),
        _ => Op::Disjoint(at, other),
    });
    vec(op, 1..small::or(120, 20))
}

fn insert_model(model: &mut Model, key: Key, value: u32) -> Result<Option<u32>, u32> {
    match model.get(&key.index()) {
        Some((generation, _)) if *generation > key.generation() => Err(value),
        Some((generation, old)) if *generation == key.generation() => {
            let old = *old;
            model.insert(key.index(), (key.generation(), value));
            Ok(Some(old))
        }
        _ => {
            model.insert(key.index(), (key.generation(), value));
            Ok(None)
        }
    }
}

fn step(map: &mut SideMap<Key, u32>, model: &mut Model, op: Op, value: u32) {
    match op {
        Op::Insert(at, generation) => {
            let key = key(index(at), generation);
            let real = map.insert_unowned(key, value).map_err(|refused| {
                assert_eq!(refused.reason(), Rejection::Stale);
                refused.into_inner()
            });
            assert_eq!(real, insert_model(model, key, value));
        }
        Op::Entry(at, generation) => {
            let key = key(index(at), generation);
            match map.entry_unowned(key) {
                Ok(Entry::Occupied(entry)) => assert_eq!(model[&key.index()], (generation, *entry.get())),
                Ok(Entry::Vacant(entry)) => {
                    assert_eq!(*entry.insert(value), value);
                    assert_eq!(insert_model(model, key, value), Ok(None));
                }
                Err(error) => {
                    assert!(matches!(error, HandleError::Removed { .. }));
                    assert!(model[&key.index()].0 > generation);
                }
            }
        }
        Op::Remove(at, generation) => {
            let key = key(index(at), generation);
            let expected = model.get(&key.index()).filter(|(of, _)| *of == generation).map(|(_, value)| *value);
            assert_eq!(map.remove(key), expected);
            if expected.is_some() {
                model.remove(&key.index());
            }
        }
        Op::RetainOdd => {
            map.retain(|_, value| *value % 2 == 1);
            model.retain(|_, (_, value)| *value % 2 == 1);
        }
        Op::ExtractOdd => {
            let taken: Vec<_> = map.extract_if(|key, _| key.index() % 2 == 1).collect();
            assert!(
                taken.iter().map(|(key, _)| key.index()).eq(model.keys().copied().filter(|index| index % 2 == 1))
            );
            model.retain(|index, _| index % 2 == 0);
        }
        Op::Clear => {
            map.clear();
            model.clear();
        }
        Op::Drain(count) => {
            let drained: Vec<_> = map.drain().take(count).collect();
            let expected = model.iter().map(|(&index, &(generation, value))| (key(index, generation), value));
            assert!(drained.into_iter().eq(expected.take(count)));
            model.clear();
        }
        Op::Clone => *map = map.clone(),
        Op::CloneFrom => {
            let mut other = SideMap::new();
            other.insert_unowned(key(u32::MAX - 1, 9), 0).unwrap();
            other.clone_from(map);
            *map = other;
        }
        Op::Shrink => map.shrink_to_fit(),
        Op::Reserve(count) => map.reserve(usize::from(count) * 40),
        Op::ReserveSlots(count) => {
            let slots = usize::from(count) * 400;
            map.reserve_slots(slots);
            assert!(map.capacity() >= slots);
        }
        Op::Disjoint(first, second) => {
            let find = |at| map.handle_at(index(at));
            let (Some(first), Some(second)) = (find(first), find(second)) else { return };
            let values = (map[first], map[second]);
            match map.get_disjoint_mut([first, second]) {
                Ok([a, b]) => assert_eq!((*a, *b), values),
                Err(_) => assert_eq!(first, second),
            }
        }
    }
}

fn check(map: &mut SideMap<Key, u32>, model: &Model) {
    map.validate().unwrap();
    let expected = || model.iter().map(|(&index, &(generation, value))| (key(index, generation), value));
    assert_eq!((map.len(), map.is_empty(), map.iter().len()), (model.len(), model.is_empty(), model.len()));
    assert!(map.iter().map(|(key, value)| (key, *value)).eq(expected()));
    assert!(map.iter().rev().map(|(key, value)| (key, *value)).eq(expected().rev()));
    assert!(map.iter_mut().map(|(key, value)| (key, *value)).eq(expected()));
    assert!(map.handles().eq(expected().map(|(key, _)| key)));
    assert_eq!(map.values().sum::<u32>(), expected().map(|(_, value)| value).sum::<u32>());
    assert!(map.values_mut().rev().map(|value| *value).eq(expected().rev().map(|(_, value)| value)));
    assert!(map.clone().into_iter().rev().eq(expected().rev()));
    assert!(map.clone().into_values().eq(expected().map(|(_, value)| value)));
    assert!(join(&*map).map(|(key, value)| (key, *value)).eq(expected()));
    assert!(join(&mut *map).map(|(key, value)| (key, *value)).eq(expected()));
    for (key, value) in expected() {
        assert_eq!((map.get(key), map.handle_at(key.index())), (Some(&value), Some(key)));
        assert_eq!(map.get_mut(key).copied(), Some(value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: small::or(60, 2), failure_persistence: None, ..Default::default() })]

    #[test]
    fn like_a_tree(ops in ops()) {
        let (mut map, mut model) = (SideMap::new(), Model::new());
        for (value, op) in (0..).zip(ops) {
            step(&mut map, &mut model, op, value);
            check(&mut map, &model);
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn saved_and_loaded(ops in ops()) {
        let (mut map, mut model) = (SideMap::new(), Model::new());
        for (value, op) in (0..).zip(ops) {
            step(&mut map, &mut model, op, value);
        }
        let text = serde_json::to_string(&map).unwrap();
        let mut read: SideMap<Key, u32> = serde_json::from_str(&text).unwrap();
        check(&mut read, &model);
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        let bytes = postcard::to_allocvec(&map).unwrap();
        let mut read: SideMap<Key, u32> = postcard::from_bytes(&bytes).unwrap();
        check(&mut read, &model);
        assert_eq!(read, map);
    }
}

/// slotmap's map asks for 34 GB for the first of these.
#[test]
fn a_forged_handle_costs_little_memory() {
    let bytes = |map: &SideMap<Key, u32>| map.bytes();
    let before = alloc::bytes();
    let mut map = SideMap::new();
    map.insert_unowned(key(u32::MAX - 1, 7), 1).unwrap();
    assert!(bytes(&map) < 1_000, "{} bytes", bytes(&map));
    for forged in 0..1_000_u32 {
        map.insert_unowned(key(forged.wrapping_mul(2_654_435_761) % (u32::MAX - 1), 1), forged).unwrap();
    }
    let used = alloc::bytes() - before;
    assert!(used < (4_096 * 8 + 1_000 * 4_096) * 2 + 1_000 * 64, "{used} bytes for 1,000 values");
    map.validate().unwrap();
}

/// The limit is one of memory: large values allow fewer slots.
#[test]
fn a_forged_handle_of_a_large_value_costs_little_memory() {
    let before = alloc::bytes();
    let mut map: SideMap<Key, [u64; 64]> = SideMap::new();
    for forged in 0..100_u32 {
        map.insert_unowned(key(1_000_000 + forged * 70_000, 1), [0; 64]).unwrap();
    }
    // No slot; in the list at most twice the memory of the values.
    let used = alloc::bytes() - before;
    assert!(used < 100 * 520 * 3, "{used} bytes for 100 values");
    assert_eq!(map.capacity(), 0);
}

/// Memory that was reserved is used: the slots cost nothing more.
#[test]
fn reserved_slots_are_slots() {
    let count = small::or(100_000_u32, 6_000);
    let mut map: SideMap<Key, u32> = SideMap::with_capacity(count as usize);
    let (capacity, before) = (map.capacity(), alloc::bytes());
    for index in [count - 1, 5_000, 0] {
        map.insert_unowned(key(index, 1), index).unwrap();
    }
    assert_eq!((map.capacity(), alloc::bytes()), (capacity, before), "nothing was allocated");
    map.validate().unwrap();

    // Values that had no slot get one.
    let mut map: SideMap<Key, u32> = SideMap::new();
    for index in [count - 1, 5_000] {
        map.insert_unowned(key(index + 500_000, 1), index).unwrap();
    }
    assert_eq!(map.capacity(), 0);
    map.reserve_slots(count as usize + 500_000);
    map.validate().unwrap();
    assert_eq!(map[key(505_000, 1)], 5_000);
    let before = alloc::bytes();
    map.insert_unowned(key(500_000, 1), 1).unwrap();
    assert_eq!(alloc::bytes(), before);
    assert!(map.handles().map(Key::index).eq([500_000, 505_000, count + 499_999]));
}

/// Slots whose values were removed are no room for other slots of the owner.
#[test]
fn reserve_counts_slots_and_not_values() {
    let mut map: SideMap<Key, u32> = SideMap::new();
    for index in 0..1_000 {
        map.insert_unowned(key(index, 1), index).unwrap();
    }
    map.insert_unowned(key(4_000_000_000, 1), 0).unwrap(); // has no slot, and takes no room
    for index in 0..900 {
        map.remove(key(index, 1));
    }
    map.shrink_to_fit();
    map.reserve(500);
    assert!(map.capacity() >= 1_500, "{}", map.capacity());
    let capacity = map.capacity();
    map.reserve_slots(capacity);
    map.reserve(capacity - 1_000);
    assert_eq!(map.capacity(), capacity);
    map.reserve_slots(0);
    let before = alloc::bytes();
    for index in 0..1_500 {
        map.insert_unowned(key(index, 2), index).unwrap();
    }
    assert_eq!(alloc::bytes(), before, "nothing was allocated");

    let overflow = Vec::<u64>::new().try_reserve(usize::MAX).unwrap_err();
    assert_eq!(map.try_reserve(usize::MAX).unwrap_err(), overflow);
    assert_eq!(map.try_reserve_slots(usize::MAX).unwrap_err(), overflow);
    assert!(alloc::refuse_all(|| map.try_reserve_slots(100_000)).is_err());
    assert_eq!((map.capacity(), map.len()), (capacity, 1_501));
    map.validate().unwrap();
}

/// Whatever the order of the handles, the values of an honest owner end in slots.
#[test]
fn honest_handles_get_slots() {
    let count = small::or(200_000_u32, 9_000);
    let mut map: SideMap<Key, u32> = SideMap::new();
    for n in 0..count {
        let index = (u64::from(n) * 77_777_777 % u64::from(count)) as u32;
        map.insert_unowned(key(index, 1), index).unwrap();
    }
    assert_eq!(map.len(), count as usize);
    assert!(map.capacity() >= count as usize);
    assert!(map.bytes() < count as usize * 20, "{} bytes", map.bytes());
}

#[test]
fn an_owner_and_none_together() {
    let mut pool: Pool<u32> = (0..10_000).collect();
    let handles: Vec<_> = pool.handles().collect();
    let mut map = SideMap::new();
    map.insert_unowned(handles[9_000], 1).unwrap(); // out of reach: no slot
    map.insert_unowned(handles[8_000], 2).unwrap();
    assert!(map.capacity() < 8_000);
    assert_eq!(map.insert(&pool, handles[8_500], 3).unwrap(), None); // has one, and pulls 8,000 in
    assert!(map.capacity() >= 8_500);
    map.validate().unwrap();
    assert_eq!(map.insert(&pool, handles[9_000], 4).unwrap(), Some(1));
    let found: Vec<_> = join((&pool, &mut map)).map(|(_, (value, more))| (*value, *more)).collect();
    assert_eq!(found, [(8_000, 2), (8_500, 3), (9_000, 4)]);

    map.insert_unowned(key(4_000_000_000, 1), 5).unwrap();
    assert_eq!(join((&map, tenure::join::Maybe(&pool))).count(), 4);
    assert_eq!(join((&map, &map)).count(), 4);
    pool.remove(handles[8_000]);
    assert_eq!(map.retain_live(&pool), 2); // and the forged one
    map.validate().unwrap();
}

#[test]
fn refused_memory_gives_the_value_back() {
    let mut map = SideMap::new();
    let refused = alloc::refuse_all(|| map.insert_unowned(key(5, 1), 7).unwrap_err());
    assert_eq!((refused.reason(), refused.into_inner(), map.len()), (Rejection::Full, 7, 0));
    map.validate().unwrap();
    map.insert_unowned(key(5, 1), 7).unwrap();
    assert_eq!(map[key(5, 1)], 7);
}

/// Also beyond the slots, in a map with many values there: whatever order they come in.
#[test]
fn refused_memory_beyond_the_slots_gives_the_value_back() {
    let count = small::or(3_000_u32, 300);
    let orders: [fn(u32, u32) -> u32; 3] =
        [|number, _| number, |number, count| count - number, |number, count| number * 7_919 % count];
    for order in orders {
        let (mut map, mut refusals) = (SideMap::new(), 0);
        for number in 0..count {
            let far = key(1_000_000_000 + order(number, count) * 1_000, 1);
            if let Err(refused) = alloc::refuse_all(|| map.insert_unowned(far, number)) {
                assert_eq!((refused.reason(), refused.into_inner()), (Rejection::Full, number));
                assert!(map.get(far).is_none() && map.len() == number as usize);
                refusals += 1;
                map.validate().unwrap();
                map.insert_unowned(far, number).unwrap();
            }
            assert_eq!(map.get(far), Some(&number));
        }
        map.validate().unwrap();
        assert!(refusals > 5, "{refusals} refusals");
        alloc::refuse_all(|| map.clear());
        assert_eq!(map.bytes(), 0);
    }
}

/// Panics when it is dropped, if it is told to.
struct Fragile<'a>(&'a std::cell::Cell<u32>, bool);

impl Drop for Fragile<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
        if self.1 && !std::thread::panicking() {
            std::panic::resume_unwind(Box::new("dropped"));
        }
    }
}

/// Whether the value that panics has a slot or not.
#[test]
fn clear_finishes_when_a_destructor_panics() {
    for fragile in 0..6 {
        let dropped = std::cell::Cell::new(0);
        let mut map: SideMap<Key, Fragile<'_>> = SideMap::new();
        for n in 0..6 {
            let index = if n < 3 { n } else { u32::MAX - 10 + n };
            assert!(map.insert_unowned(key(index, 1), Fragile(&dropped, n == fragile)).is_ok());
        }
        let cleared = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| map.clear()));
        assert!(cleared.is_err());
        assert_eq!((map.len(), dropped.get()), (0, 6));
        map.validate().unwrap();
    }
}

#[test]
fn nil_and_foreign_handles_are_refused() {
    let mut map = SideMap::new();
    assert_eq!(map.insert_unowned(Key::NIL, 1).unwrap_err().reason(), Rejection::Nil);
    assert!(matches!(map.entry_unowned(Key::NIL), Err(HandleError::Nil)));
    assert!(map.is_empty());

    type Tags = Handle<u32, Tagged<4>>;
    let mut map: SideMap<Tags, u32> = SideMap::new();
    let tagged = |index, tag| Tags::from_parts_and_tag(index, 1, tag).unwrap();
    map.insert_unowned(tagged(1_000_000, 3), 1).unwrap();
    assert_eq!(map.insert_unowned(tagged(0, 4), 1).unwrap_err().reason(), Rejection::Foreign);
    assert!(map.entry_unowned(tagged(0, 4)).is_err());
    map.insert_unowned(tagged(0, 3), 1).unwrap();
    map.validate().unwrap();
    #[cfg(feature = "serde")]
    {
        let read: SideMap<Tags, u32> = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
        assert_eq!(read, map);
        read.validate().unwrap();
        let read: SideMap<Tags, u32> = postcard::from_bytes(&postcard::to_allocvec(&map).unwrap()).unwrap();
        assert_eq!(read, map);
    }
}

#[cfg(feature = "serde")]
#[test]
fn values_out_of_place_are_refused() {
    let read = |slots: &str| {
        let map: Result<SideMap<Key, u32>, _> =
            serde_json::from_str(&format!(r#"{{"version":1,"slots":[{slots}]}}"#));
        if let Ok(map) = &map {
            map.validate().unwrap();
        }
        map.map(|map| map.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read(r#"{"0v1":1},{"7v1":2},{"9v3":3}"#), Ok(3));
    for (slots, name) in [
        (r#"{"0v1":1},{"7v1":2},{"7v2":3}"#, "7v2"),
        (r#"{"0v1":1},{"7v1":2},{"3v1":3}"#, "3v1"),
        (r#"{"0v1":1},{"7v1":2},{"0v1":3}"#, "0v1"),
        (r#"{"7v1":2},"8v1""#, "8v1"),
        (r#"{"7v0":2}"#, "7v0"),
        (r#"{"4294967295v1":2}"#, "4294967295v1"),
    ] {
        assert!(read(slots).unwrap_err().contains(&format!("slot {name}")), "{slots}: {:?}", read(slots));
    }
}
