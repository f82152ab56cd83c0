//! Faults of slotmap 1.1.1 that do not occur here, each with what slotmap does.
#![allow(deprecated, reason = "hop slot maps are in the API")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use tenure_slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, Key, KeyData, SecondaryMap, SlotMap, SparseSecondaryMap};

fn key(idx: u64, version: u64) -> DefaultKey {
    KeyData::from_ffi(version << 32 | idx).into()
}

const LAST: &str = r#"[{"value":null,"version":0},{"value":1,"version":4294967295}]"#;

/// slotmap goes on with the version 1 again.
#[test]
fn versions_do_not_wrap() {
    let mut map: SlotMap<DefaultKey, i32> = serde_json::from_str(LAST).unwrap();
    let last = key(1, u64::from(u32::MAX));
    assert_eq!(map.remove(last), Some(1));
    let other = map.insert(2);
    assert_eq!(other, key(2, 1), "slot 1 is retired");
    assert_eq!(map.get(last), None);

    // Also after saving, by either crate.
    let json = serde_json::to_string(&map).unwrap();
    assert!(json.contains(r#"{"value":null,"version":4294967294}"#), "{json}");
    let mut loaded: SlotMap<DefaultKey, i32> = serde_json::from_str(&json).unwrap();
    assert_eq!((loaded.insert(3), loaded.get(last)), (key(3, 1), None));
    let orig: original::SlotMap<original::DefaultKey, i32> = serde_json::from_str(&json).unwrap();
    assert_eq!(orig.len(), 1);

    let mut map: DenseSlotMap<DefaultKey, i32> = serde_json::from_str(LAST).unwrap();
    assert_eq!((map.remove(last), map.insert(2), map.get(last)), (Some(1), key(2, 1), None));

    let mut orig: original::SlotMap<original::DefaultKey, i32> = serde_json::from_str(LAST).unwrap();
    let last = orig.keys().next().unwrap();
    orig.remove(last);
    assert_eq!(format!("{:?}", orig.insert(2)), "DefaultKey(1v1)", "slotmap has been mended");
}

/// slotmap asks for 34 GB, and aborts; a lookup by `entry` leaves memory behind.
#[test]
fn a_forged_key_costs_little() {
    let mut map = SecondaryMap::new();
    let forged = key(4_000_000_000, 1);
    assert!(map.entry(forged).is_some());
    assert_eq!(map.capacity(), 0);
    assert_eq!(map.insert(forged, "forged"), None);
    assert!(map.capacity() < 10_000);
    assert_eq!((map.get(forged), map.len()), (Some(&"forged"), 1));
    assert_eq!(map.insert(key(1, 1), "honest"), None);
    assert!(map.keys().eq([key(1, 1), forged]));
    // slotmap's form has all slots, so it is refused and does not fill the disk.
    assert!(serde_json::to_string(&map).unwrap_err().to_string().contains("far beyond"));
    assert_eq!(map.remove(forged), Some("forged"));
    assert!(serde_json::to_string(&map).is_ok());
}

/// The capacity counts slots. Values that have none (those of forged keys) do not count.
#[test]
fn capacity_with_forged_keys() {
    let mut map = SecondaryMap::new();
    for n in 0..100 {
        map.insert(key(4_000_000_000 - n * 1_000_000, 1), n);
    }
    assert_eq!((map.len(), map.capacity()), (100, 0));
    map.set_capacity(10);
    assert!((10..1_000).contains(&map.capacity()), "{}", map.capacity());
    map.set_capacity(5);
    map.try_set_capacity(10_000).unwrap();
    let capacity = map.capacity();
    assert!(capacity >= 10_000);
    map.set_capacity(capacity);
    for n in 1..=10_000 {
        map.insert(key(n, 1), n);
    }
    assert_eq!((map.capacity(), map.len()), (capacity, 10_100));
    let overflow = Vec::<u64>::new().try_reserve(usize::MAX).unwrap_err();
    assert_eq!(map.try_set_capacity(usize::MAX), Err(overflow));
    assert_eq!(map.len(), 10_100);
    assert!(catch_unwind(AssertUnwindSafe(|| map.set_capacity(usize::MAX))).is_err());

    // A key that is not forged: its slot exists as soon as there is memory for it.
    let mut map = SecondaryMap::new();
    map.insert(key(9_000, 1), "far");
    map.set_capacity(9_000);
    assert_eq!(map.get(key(9_000, 1)), Some(&"far"));
    let capacity = map.capacity();
    map.insert(key(8_999, 1), "near");
    assert_eq!((map.capacity(), map.values().count()), (capacity, 2));
}

/// After 2^30 + 1 reuses of a slot slotmap takes a live key for an old one.
#[test]
fn a_much_newer_key_is_accepted() {
    let (old, new) = (key(3, 1), key(3, (1 << 31) + 3));
    let mut map = SecondaryMap::new();
    map.insert(old, 1);
    map.insert(new, 2);
    assert_eq!((map.get(old), map.get(new)), (None, Some(&2)));
    let mut map = SparseSecondaryMap::new();
    map.insert(old, 1);
    map.insert(new, 2);
    assert_eq!((map.get(old), map.get(new)), (None, Some(&2)));

    let mut orig = original::SecondaryMap::new();
    orig.insert(to_orig(old), 1);
    orig.insert(to_orig(new), 2);
    assert_eq!(orig.get(to_orig(new)), None, "slotmap has been mended");
}

fn to_orig(key: DefaultKey) -> original::DefaultKey {
    original::KeyData::from_ffi(key.data().as_ffi()).into()
}

/// slotmap compares versions as numbers that wrap: the old key replaces the value of the live one.
/// It takes the version 0 of a slot without a value for a version, too, and has no entry for keys
/// of the upper half.
macro_rules! versions_are_compared_as_numbers {
    ($name:ident, $Map:ident, $has_entry_in_slotmap:expr) => {
        #[test]
        fn $name() {
            let (old, new) = (key(3, 1), key(3, (1 << 31) + 3));
            let mut map = $Map::new();
            assert!(map.entry(new).is_some());
            map.insert(new, 2);
            assert_eq!((map.insert(old, 1), map.entry(old).is_some()), (None, false));
            assert_eq!((map.get(old), map.get(new)), (None, Some(&2)));

            let (old, new) = (to_orig(old), to_orig(new));
            let mut orig = original::$Map::new();
            assert_eq!(orig.entry(new).is_some(), $has_entry_in_slotmap, "slotmap has been changed");
            orig.insert(new, 2);
            assert_eq!(orig.insert(old, 1), None);
            assert_eq!((orig.get(old), orig.get(new)), (Some(&1), None), "slotmap has been mended");
        }
    };
}

versions_are_compared_as_numbers!(versions_in_a_secondary_map, SecondaryMap, false);
versions_are_compared_as_numbers!(versions_in_a_sparse_secondary_map, SparseSecondaryMap, true);

/// Counts how many there are, and panics where it is told to.
struct Fragile {
    live: Rc<Cell<i32>>,
    clones_left: Rc<Cell<i32>>,
    panics_in_drop: bool,
}

impl Fragile {
    fn new(live: &Rc<Cell<i32>>, clones_left: &Rc<Cell<i32>>, panics_in_drop: bool) -> Self {
        live.set(live.get() + 1);
        Self { live: live.clone(), clones_left: clones_left.clone(), panics_in_drop }
    }
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        self.clones_left.set(self.clones_left.get() - 1);
        if self.clones_left.get() < 0 {
            std::panic::resume_unwind(Box::new("no more clones"));
        }
        Self::new(&self.live, &self.clones_left, self.panics_in_drop)
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.live.set(self.live.get() - 1);
        if self.panics_in_drop && !std::thread::panicking() {
            std::panic::resume_unwind(Box::new("dropped"));
        }
    }
}

/// slotmap aborts the process.
macro_rules! clone_from_survives {
    ($name:ident, $Map:ident) => {
        #[test]
        fn $name() {
            let (live, clones) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(3)));
            let mut source = $Map::new();
            for _ in 0..8 {
                source.insert(Fragile::new(&live, &clones, false));
            }
            let mut map = $Map::new();
            let keys: Vec<_> = (0..5).map(|_| map.insert(Fragile::new(&live, &clones, false))).collect();
            map.remove(keys[1]);
            assert!(catch_unwind(AssertUnwindSafe(|| map.clone_from(&source))).is_err());
            assert_eq!(map.iter().count(), map.len());
            assert_eq!(live.get(), (map.len() + source.len()) as i32);
            clones.set(100);
            map.clone_from(&source);
            assert_eq!(map.len(), 8);
            drop((map, source));
            assert_eq!(live.get(), 0);
        }
    };
}

clone_from_survives!(clone_from_of_a_slot_map, SlotMap);
clone_from_survives!(clone_from_of_a_hop_slot_map, HopSlotMap);
clone_from_survives!(clone_from_of_a_dense_slot_map, DenseSlotMap);

#[test]
fn clone_from_of_a_secondary_map() {
    let (live, clones) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(3)));
    let value = || Fragile::new(&live, &clones, false);
    let source: SecondaryMap<DefaultKey, _> = (1..9).map(|n| (key(n * 1_000, 1), value())).collect();
    let mut map: SecondaryMap<DefaultKey, _> = (1..5).map(|n| (key(n, 1), value())).collect();
    assert!(catch_unwind(AssertUnwindSafe(|| map.clone_from(&source))).is_err());
    assert_eq!(map.iter().count(), map.len());
    drop((map, source));
    assert_eq!(live.get(), 0);
}

/// slotmap stops half-way.
macro_rules! clear_finishes {
    ($name:ident, $Map:ident $(, $detach:ident)?) => {
        #[test]
        fn $name() {
            let (live, clones) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
            let mut map = $Map::new();
            let keys: Vec<_> = (0..8).map(|n| map.insert(Fragile::new(&live, &clones, n == 3))).collect();
            assert!(catch_unwind(AssertUnwindSafe(|| map.clear())).is_err());
            assert_eq!((map.len(), live.get()), (0, 0));
            assert!(keys.iter().all(|key| !map.contains_key(*key)));
            $(
                let keys: Vec<_> = (0..8).map(|n| map.insert(Fragile::new(&live, &clones, n == 3))).collect();
                let detached = map.$detach(keys[5]);
                assert!(catch_unwind(AssertUnwindSafe(|| map.clear())).is_err());
                assert_eq!((map.len(), live.get()), (0, 1));
                map.reattach(keys[5], detached.unwrap());
                assert_eq!(map.len(), 1);
            )?
        }
    };
}

clear_finishes!(clear_of_a_slot_map, SlotMap, detach);
clear_finishes!(clear_of_a_hop_slot_map, HopSlotMap);
clear_finishes!(clear_of_a_dense_slot_map, DenseSlotMap, detach);

/// slotmap answers `Ok`.
#[test]
fn impossible_room_is_an_error() {
    assert!(SlotMap::<DefaultKey, u64>::new().try_reserve(usize::MAX).is_err());
    assert!(HopSlotMap::<DefaultKey, u64>::new().try_reserve(usize::MAX).is_err());
    assert!(DenseSlotMap::<DefaultKey, u64>::new().try_reserve(usize::MAX).is_err());
    assert!(SecondaryMap::<DefaultKey, u64>::new().try_set_capacity(usize::MAX).is_err());
    assert!(SparseSecondaryMap::<DefaultKey, u64>::new().try_reserve(usize::MAX).is_err());
    let mut map = SlotMap::new();
    map.insert(1);
    assert!(map.try_reserve(usize::MAX).is_err());
    let mut orig = original::SlotMap::new();
    orig.insert(1);
    // With overflow checks it panics.
    let answer = catch_unwind(AssertUnwindSafe(|| orig.try_reserve(usize::MAX)));
    assert!(!matches!(answer, Ok(Err(_))), "slotmap has been mended");
}

/// slotmap cannot read them back from JSON.
#[test]
fn values_that_are_null_in_json() {
    let mut map: SlotMap<DefaultKey, ()> = SlotMap::new();
    let keys = [map.insert(()), map.insert(())];
    map.remove(keys[0]);
    let json = serde_json::to_string(&map).unwrap();
    let loaded: SlotMap<DefaultKey, ()> = serde_json::from_str(&json).unwrap();
    assert_eq!((loaded.len(), loaded.get(keys[0]), loaded.get(keys[1])), (1, None, Some(&())));
    assert!(serde_json::from_str::<original::SlotMap<original::DefaultKey, ()>>(&json).is_err());

    let mut map: DenseSlotMap<DefaultKey, Option<u8>> = DenseSlotMap::new();
    let keys = [map.insert(None), map.insert(Some(7))];
    let loaded: DenseSlotMap<_, _> = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    assert_eq!((loaded[keys[0]], loaded[keys[1]]), (None, Some(7)));

    let map: SecondaryMap<DefaultKey, Option<u8>> = [(keys[0], None), (keys[1], Some(1))].into_iter().collect();
    let loaded = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    assert_eq!(map, loaded);
    let map: SparseSecondaryMap<DefaultKey, ()> = [(keys[1], ())].into_iter().collect();
    let loaded = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    assert_eq!(map, loaded);
}

/// A hop slot map of slotmap forgets free slots when it is loaded.
#[test]
fn free_slots_are_used_after_loading() {
    let mut map = HopSlotMap::new();
    let keys: Vec<DefaultKey> = (0..10).map(|n| map.insert(n)).collect();
    for key in [0, 2, 3, 7] {
        map.remove(keys[key]);
    }
    let mut loaded: HopSlotMap<DefaultKey, i32> =
        serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    let new: Vec<u32> = (0..4).map(|n| loaded.insert(n).data().as_ffi() as u32).collect();
    assert_eq!(new, [1, 3, 4, 8]);
}

#[test]
fn hostile_documents_are_refused() {
    for json in [
        "[]",
        r#"[{"value":1,"version":1}]"#,
        r#"[{"value":null,"version":2}]"#,
        r#"[{"value":null,"version":0},{"value":1,"version":2}]"#,
        r#"[{"value":null,"version":0},{"value":null,"version":3}]"#,
        r#"[{"value":null,"version":0},{"value":1}]"#,
    ] {
        assert!(serde_json::from_str::<SlotMap<DefaultKey, i32>>(json).is_err(), "{json}");
        assert!(serde_json::from_str::<HopSlotMap<DefaultKey, i32>>(json).is_err(), "{json}");
        assert!(serde_json::from_str::<DenseSlotMap<DefaultKey, i32>>(json).is_err(), "{json}");
    }
}

fn message<R>(what: impl FnOnce() -> R) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(what)) else { unreachable!("it panics") };
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().map(ToString::to_string).unwrap(),
    }
}

/// slotmap says `invalid SlotMap key used`, with the name of the map, and no more.
#[test]
fn messages_name_the_key_and_the_reason() {
    let mut map = SlotMap::new();
    let removed = map.insert(1);
    map.remove(removed);
    let detached = map.insert(2);
    map.detach(detached);
    for (key, reason) in [
        (removed, "DefaultKey(1v1): its value was removed"),
        (detached, "DefaultKey(1v3): it is detached"),
        (DefaultKey::null(), "DefaultKey(null): it is null"),
    ] {
        let expected = format!("invalid SlotMap key used: {reason}");
        assert_eq!(message(|| map[key]), expected);
        assert_eq!(message(|| map[key] = 1), expected);
    }

    macro_rules! names_its_type {
        ($($Map:ident, $reason:literal;)*) => {$(
            let mut map = $Map::new();
            map.clear();
            let expected = concat!("invalid ", stringify!($Map), " key used: DefaultKey(1v1)", $reason);
            assert_eq!(message(|| map[key(1, 1)]), expected);
            assert_eq!(message(|| map[key(1, 1)] = 1), expected);
        )*};
    }
    names_its_type! {
        SlotMap, ": it was never issued";
        DenseSlotMap, ": it was never issued";
        HopSlotMap, ": it was never issued";
        SecondaryMap, " has no value";
        SparseSecondaryMap, " has no value";
    }

    let phrase = "key is not detached: DefaultKey(1v1)";
    assert!(message(|| map.reattach(removed, 3)).starts_with(phrase));
    let mut dense = DenseSlotMap::new();
    let attached = dense.insert(1);
    assert!(message(|| dense.reattach(attached, 3)).starts_with(phrase));
}

/// In slotmap their behaviour is undefined.
#[test]
#[expect(unsafe_code, reason = "slotmap's signatures")]
fn unchecked_lookups_of_wrong_keys_panic() {
    macro_rules! check {
        ($($Map:ident: |$map:ident| $insert:expr;)*) => {$(
            let mut $map = $Map::new();
            let (_, right, wrong) = ($insert, key(1, 1), key(1, 3));
            let expected = concat!("invalid ", stringify!($Map), " key used");
            // SAFETY: these functions require nothing.
            let found = unsafe {
                [
                    message(|| *$map.get_unchecked(wrong)),
                    message(|| *$map.get_unchecked_mut(wrong)),
                ]
            };
            assert!(found.iter().all(|message| message.starts_with(expected)), "{found:?}");
            let expected = concat!("invalid ", stringify!($Map), " keys used");
            // SAFETY: as above.
            let found = unsafe {
                [
                    message(|| $map.get_disjoint_unchecked_mut([right, wrong]).map(|value| *value)),
                    message(|| $map.get_disjoint_unchecked_mut([right, right]).map(|value| *value)),
                ]
            };
            assert!(found.iter().all(|message| message.starts_with(expected)), "{found:?}");
        )*};
    }
    check! {
        SlotMap: |map| map.insert(5);
        HopSlotMap: |map| map.insert(5);
        DenseSlotMap: |map| map.insert(5);
        SecondaryMap: |map| map.insert(key(1, 1), 5);
        SparseSecondaryMap: |map| map.insert(key(1, 1), 5);
    }
}
