//! Saving and loading: a loaded container behaves like the original, for every container, layout
//! and format; and no document is trusted.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tenure::{
    Compact, DensePool, FixedPool, Handle, Pool, Row, SideMap, StablePool, Table, Tagged, Wide, World, ZiiPool,
};
use test_support::alloc::{self, Watched};
use test_support::decode::{self, Code};
use test_support::pool::{FourTenants, TwoTenants};
use test_support::saved::{Format, from_json, reload, to_json};
use test_support::side::{self, InPool, InWorld, SideOp};
use test_support::world::{self, TrackedWorld, WorldOp};
use test_support::{effort, hostile, quiet, rig};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

fn check<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value) -> Result<(), String>) {
    let config = ProptestConfig { cases: effort::cases(cases), failure_persistence: None, ..Default::default() };
    if let Err(error) = TestRunner::new(config).run(strategy, |value| test(value).map_err(TestCaseError::fail)) {
        panic!("{error}");
    }
}

/// Saves and loads every container after every step of random histories, next to a twin that is not
/// reloaded: handles, results and everything observable stay the same (P9).
#[test]
fn loading_is_invisible_at_every_position() {
    let history = vec(any::<Code>().prop_map(decode::op), 1..80);
    for rig in rig::ALL {
        for format in Format::ALL {
            check(20, &history, |ops| {
                rig.run_reloaded(&ops, format).map_err(|error| format!("{}: {error}", rig.name))
            });
        }
    }
}

#[test]
fn loading_is_invisible_in_the_middle_of_a_frame() {
    let history = vec(any::<[u8; 2]>().prop_map(WorldOp::decode), 1..80);
    for format in Format::ALL {
        check(60, &history, |ops| world::run_reloaded::<TrackedWorld<Wide>>(&ops, format));
        check(40, &history, |ops| world::run_reloaded::<TrackedWorld<FourTenants>>(&ops, format));
    }
}

#[test]
fn loading_is_invisible_to_side_maps() {
    let history = vec(any::<[u8; 2]>().prop_map(SideOp::decode), 1..80);
    for format in Format::ALL {
        check(40, &history, |ops| side::run_reloaded::<InPool<Wide>>(&ops, format));
        check(40, &history, |ops| side::run_reloaded::<InPool<TwoTenants>>(&ops, format));
        check(20, &history, |ops| side::run_reloaded::<InPool<Tagged<4, Wide>>>(&ops, format));
        check(20, &history, |ops| side::run_reloaded::<InWorld<FourTenants>>(&ops, format));
    }
}

// ---- values ----

/// Saves and loads a container in all formats.
#[track_caller]
fn survives<C: Serialize + DeserializeOwned + PartialEq + Debug>(container: &C) {
    for format in Format::ALL {
        assert_eq!(reload(container, format).as_ref(), Ok(container), "{format:?}");
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Goblin {
    #[serde(rename = "called")]
    name: String,
    target: Option<Handle<Goblin>>,
    friends: Vec<Handle<Goblin>>,
    #[serde(skip)]
    scratch: u8,
}

#[test]
fn all_values_survive() {
    survives(&Pool::from([(), (), ()]));
    survives(&Pool::from([Some(1), None, Some(3)]));
    survives(&DensePool::from([(), ()]));
    survives(&StablePool::from(["one".to_owned(), String::new()]));
    survives(&FixedPool::<Option<u8>, 3>::from_iter([None, Some(7)]));
    let mut goblins = Pool::new();
    let grik = goblins.insert(Goblin { name: "Grik".into(), ..Goblin::default() });
    goblins.insert(Goblin { target: Some(grik), friends: vec![grik, Handle::NIL], ..Goblin::default() });
    survives(&goblins);
    survives(&goblins.handles().map(|handle| (handle, 1)).collect::<BTreeMap<_, _>>());
    goblins[grik].scratch = 9;
    assert_eq!(reload(&goblins, Format::Postcard).unwrap()[grik].scratch, 0, "skipped fields get their default");
}

#[test]
fn zii_pools_survive() {
    let mut pool = ZiiPool::new();
    let handle = pool.insert(7);
    let mut loaded = reload(&pool, Format::Json).unwrap();
    assert_eq!((*loaded.resolve(handle), *loaded.resolve(Handle::NIL), *loaded.resolve_mut(Handle::NIL)), (7, 0, 0));
}

#[test]
fn handles_of_all_layouts_survive() {
    fn check<L: tenure::Layout>(bits: u64) {
        let handle: Handle<Goblin, L> = Handle::from_bits(L::Bits::try_from(bits).unwrap_or_default());
        survives(&handle);
        survives(&Some(handle));
        survives(&BTreeMap::from([(handle, ())]));
    }
    for bits in [0, 1, 3, 0x0001_0007, 0xFFFF_FFFE_FFFF_FFFF, u64::MAX] {
        check::<Wide>(bits);
        check::<Compact>(bits & 0xFFFF_FFFF);
        check::<Tagged<3, Compact<16>>>(bits & 0xFFFF_FFFF);
    }
    assert_eq!(to_json(&Handle::<Goblin>::NIL).unwrap(), "0");
    assert_eq!(
        from_json::<[Handle<Goblin>; 3]>(r#"["Goblin(1v2)", "nil", "1v2"]"#).unwrap()[0].to_string(),
        "Goblin(1v2)"
    );
}

#[derive(Debug, PartialEq, Row, Deserialize)]
#[row(derive(Serialize))]
#[serde(rename_all = "UPPERCASE")]
struct Card {
    rank: u8,
    #[serde(default)]
    suit: char,
    #[row(skip)]
    #[serde(skip)]
    scratch: u8,
}

fn card(rank: u8, suit: char) -> Card {
    Card { rank, suit, scratch: 0 }
}

#[test]
fn tables_survive() {
    let mut deck: Table<Card> = [card(3, 'h'), card(1, 's'), card(2, 's')].into_iter().collect();
    let three = deck.raw_handles()[0];
    deck.sort_by_key(|card| *card.rank);
    for format in Format::ALL {
        let loaded = reload(&deck, format).unwrap();
        assert_eq!(loaded.columns().rank, [1, 2, 3]);
        assert_eq!((loaded.row_of(three), loaded.raw_handles()), (Some(2), deck.raw_handles()));
    }
}

/// RON writes the names of structs if configured so, and compares them when it reads.
#[test]
fn names_of_structs_survive() {
    fn check<C: Serialize + DeserializeOwned>(container: &C) {
        let named = ron::ser::PrettyConfig::new().struct_names(true);
        let text = ron::ser::to_string_pretty(container, named).unwrap();
        let loaded: C = ron::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
        assert_eq!(to_json(&loaded), to_json(container));
    }
    check(&golden_pool());
    check(&golden_table());
    check(&golden_world());
}

/// The documentation of the saved form shows the same text.
#[test]
fn text_of_the_saved_form() {
    let mut pool = Pool::new();
    let [gone, _, waits] = ["gone", "here", "waits"].map(|name| pool.insert(name));
    pool.remove(gone);
    let _ = pool.take(waits);
    assert_eq!(to_json(&pool).unwrap(), r#"{"version":1,"next":0,"slots":["0v1",{"1v1":"here"},"2v1 pending"]}"#);

    let mut deck: Table<Card> = [card(3, 'h'), card(1, 's')].into_iter().collect();
    deck.sort_by_key(|card| *card.rank);
    let rows = r#"{"1v1":{"RANK":1,"SUIT":"s"}},{"0v1":{"RANK":3,"SUIT":"h"}}"#;
    assert_eq!(to_json(&deck).unwrap(), format!(r#"{{"version":1,"slots":[{rows}]}}"#));

    let mut world = World::new();
    world.spawn("old");
    world.end_frame();
    world.spawn("new");
    let entities = r#"{"version":1,"slots":[{"0v1":"old"},{"1v1":"new"}"#;
    let text = to_json(&world).unwrap();
    assert!(text.starts_with(&format!(r#"{{"version":1,"entities":{entities}"#)), "{text}");
    assert!(text.contains(r#""ids":[1,2],"last_id":2,"pending":["1v1"]"#), "{text}");
}

/// A document that is edited by hand may omit fields.
#[test]
fn omitted_fields_get_their_defaults() {
    let mut pool: Pool<u8> = from_json(r#"{"version": 1, "slots": ["0v3", {"1v1": 5}, "2v0"]}"#).unwrap();
    assert_eq!(pool.insert(7).to_string(), "u8(0v4)");
    assert_eq!(pool.insert(8).to_string(), "u8(2v1)");
    let world: World<u8> =
        from_json(r#"{"version": 1, "entities": {"version": 1, "slots": [{"0v1": 5}, {"1v1": 6}]}}"#).unwrap();
    assert_eq!(world.handles().map(|handle| world.id_of(handle).unwrap().get()).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn the_next_id_is_above_the_highest_loaded() {
    let entities = r#""entities": {"version": 1, "slots": [{"0v1": 5}]}"#;
    let mut world: World<u8> = from_json(&format!(r#"{{"version": 1, {entities}, "ids": [41]}}"#)).unwrap();
    let fresh = world.spawn(6);
    world.end_frame();
    assert_eq!(world.id_of(fresh).unwrap().get(), 42);
}

// ---- limits ----

#[test]
fn a_fixed_capacity_survives() {
    let mut pool = Pool::with_fixed_capacity(3);
    pool.insert(1);
    for format in Format::ALL {
        let mut loaded = reload(&pool, format).unwrap();
        let mut copy = loaded.clone();
        for pool in [&mut loaded, &mut copy] {
            pool.extend([2, 3]);
            assert_eq!(pool.try_insert(4).unwrap_err().into_inner(), 4);
        }
    }
}

#[test]
fn a_fixed_pool_rejects_more_slots_than_its_capacity() {
    let five: Pool<u8> = (0..5).collect();
    let text = to_json(&five).unwrap();
    assert_eq!(from_json::<FixedPool<u8, 5>>(&text).unwrap().len(), 5);
    let error = from_json::<FixedPool<u8, 4>>(&text).unwrap_err();
    assert!(error.starts_with("slot 4: the pool is full: its capacity is fixed"), "{error}");
}

// ---- rejected documents ----

#[track_caller]
fn refused<C: DeserializeOwned>(text: &str, why: &str) {
    match serde_json::from_str::<C>(text).map(drop) {
        Ok(()) => panic!("{text} was loaded"),
        Err(error) => assert!(error.to_string().contains(why), "{text}: {error}"),
    }
}

#[test]
fn invalid_pools_are_rejected_with_a_reason() {
    let pool = |rest: &str, why: &str| {
        refused::<Pool<u8, Handle<u8, FourTenants>>>(&format!(r#"{{"version":1,{rest}}}"#), why);
    };
    refused::<Pool<u8>>(r#"{"version":2,"slots":[]}"#, "version 2 of the saved form: this library reads version 1");
    refused::<Pool<u8>>(r#"{"slots":[]}"#, "missing field `version`");
    pool(r#""slot":[]"#, "unknown field `slot`");
    pool(r#""slots":["1v0"]"#, "slot 1 found where slot 0 was expected");
    pool(r#""slots":["0v0","0v0"]"#, "slot 0 found where slot 1 was expected");
    pool(r#""slots":[{"0v0":1}]"#, "slot 0: the layout of the handles has no tenant v0");
    pool(r#""slots":["0v5"]"#, "slot 0: the layout of the handles has no tenant v5");
    pool(r#""slots":["0v0 pending"]"#, "slot 0: the layout of the handles has no tenant v0");
    pool(r#""slots":["0v1#1"]"#, "slot 0: the tag is 1, and not 0");
    pool(r#""slots":["x"]"#, "slot \"x\": a handle reads like `17v3`");
    pool(r#""slots":[{"0v1":1,"1v1":2}]"#, "slot 1v1 is inside of slot 0v1");
    pool(r#""slots":[{}]"#, "invalid length 0, expected a slot");
    pool(r#""slots":[{"0v1":300}]"#, "invalid value: integer `300`, expected u8");
    pool(r#""slots":[],"tag":1"#, "tag: the layout of the handles has no tag 1");
    pool(r#""slots":[],"floor":4"#, "floor: slots cannot begin after v4");
    pool(r#""slots":[{"0v1":1}],"limit":0"#, "limit: 1 slots are more than 0");
    pool(r#""slots":[{"0v1":1}],"next":0"#, "next: slot 0 is not free");
    pool(r#""slots":["0v4"],"next":0"#, "next: slot 0 is not free");
    pool(r#""slots":["0v1"],"next":7"#, "next: slot 7 is not free");
    pool(r#""slots":["0v1","1v1"],"next":0"#, "word: missing, although slots are free");
    pool(r#""slots":["0v1"],"next":0,"word":0"#, "word: no slot of word 0 comes after the next one");
    pool(r#""slots":["0v1"],"word":0"#, "word: no slot of word 0");
    refused::<StablePool<u8>>(r#"{"version":1,"limit":4,"slots":[]}"#, "limit: this kind of container has none");
    refused::<SideMap<Handle<u8>, u8>>(r#"{"version":1,"slots":["0v1 pending"]}"#, "a side map has no pending slots");
}

#[test]
fn invalid_tables_and_handles_are_rejected_with_a_reason() {
    let table =
        |slots: &str, why: &str| refused::<DensePool<u8>>(&format!(r#"{{"version":1,"slots":[{slots}]}}"#), why);
    table(r#"{"1v1":1}"#, "slot 1: there are only 1 slots");
    table(r#"{"0v1":1},{"0v2":2}"#, "slot 0 occurs twice");
    table(r#"{"0v1":1},"0v1""#, "slot 0 occurs twice");
    refused::<DensePool<u8>>(r#"{"version":1,"limit":4,"slots":[]}"#, "limit: this kind of container has none");
    table(r#"{"0v1#1":1}"#, "slot 0: the tag is 1, and not 0");
    refused::<Handle<u8>>("2", "invalid value: integer `2`, expected a handle, like \"17v3\", or 0 for nil");
    refused::<Handle<u8>>("\"1v0\"", "generation (they begin at 1)");
    refused::<Handle<u8, Compact<1>>>("\"1v1\"", "no such index");
}

#[test]
fn invalid_worlds_are_rejected_with_a_reason() {
    let world = |rest: &str, why: &str| {
        let slots = r#"[{"0v1":1},{"1v1":2},"2v1 pending"]"#;
        let text = format!(r#"{{"version":1,"entities":{{"version":1,"slots":{slots}}},{rest}}}"#);
        refused::<World<u8>>(&text, why);
    };
    world(r#""ids":[1]"#, "ids: there are 1 for 2 entities");
    world(r#""ids":[1,1]"#, "ids: #1 occurs twice");
    world(r#""ids":[1,0]"#, "expected an id, from 1 up");
    world(r#""pending":["0v2"]"#, "pending: u8(0v2) does not resolve");
    world(r#""pending":["0v1","0v1"]"#, "pending: u8(0v1) occurs twice");
    world(r#""dying":["0v1","0v1"]"#, "dying: u8(0v1) occurs twice");
    world(r#""permanent":["7v1"]"#, "permanent: u8(7v1) does not resolve");
    world(r#""departed":[0]"#, "departed: slot 0 is not reserved, or occurs twice");
    world(r#""nursery":[2,2]"#, "nursery: slot 2 is not reserved, or occurs twice");
    world(r#""nursery":[9]"#, "nursery: slot 9 is not reserved");
    world(r#""ids":[1,18446744073709551615]"#, "ids: the number does not fit");
    world(r#""born":["0v1"],"tickets":5,"first_ticket":5"#, "first_ticket: the number does not fit");
    world(r#""last_id":18446744073709551615"#, "last_id: the number does not fit");
    world(r#""staged":[7]"#, "tickets: the number does not fit");
    world(r#""born_with_handle":1"#, "born_with_handle: the number does not fit");
    world(r#""first_ticket":1"#, "first_ticket: the number does not fit");
    // The slots of a spawn block belong to one word.
    let pending: Vec<_> = (0..70).map(|slot| format!("\"{slot}v1 pending\"")).collect();
    let two_words =
        format!(r#"{{"version":1,"entities":{{"version":1,"slots":[{}]}},"nursery":[2,67]}}"#, pending.join(","));
    refused::<World<u8>>(&two_words, "nursery: slot 67 is not reserved");
    let tagged = r#"{"version":1,"entities":{"version":1,"tag":16,"slots":[]}}"#;
    refused::<World<u8, Handle<u8, Tagged<4, Wide>>>>(tagged, "tag: the layout of the handles has no tag 16");
}

/// A length that a document claims allocates nothing (P11). `load_memory.rs` tests how much memory
/// a document may take for its actual content.
#[test]
fn false_lengths_allocate_nothing() {
    fn load<C: DeserializeOwned>(bytes: &[u8]) {
        let (result, growth) = alloc::growth(|| postcard::from_bytes::<C>(bytes).map(drop));
        assert!(result.is_err());
        assert!(growth.peak < 4_096, "{} bytes for a document of {}", growth.peak, bytes.len());
    }
    // Version, tag, floor, limit, three empty fields, and the largest number of slots that a varint
    // holds.
    let mut pool = vec![1, 0, 0, 0, 0, 0, 0];
    pool.extend([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 5]);
    load::<Pool<()>>(&pool);
    load::<Pool<[u8; 32]>>(&pool);
    load::<StablePool<u8>>(&pool);
    load::<DensePool<u8>>(&pool);
    load::<SideMap<Handle<u8>, u8>>(&pool);
    let mut world = vec![1];
    world.extend(&pool);
    load::<World<u8>>(&world);
    for text in [
        r#"{"version":1,"slots":["4294967294v1"]}"#,
        r#"{"version":1,"reach":4294967295,"limit":4294967294,"slots":[]}"#,
    ] {
        let (_, growth) = alloc::growth(|| from_json::<Pool<[u64; 32]>>(text).is_ok());
        assert!(growth.peak < 4_096, "{} bytes for {text}", growth.peak);
    }
}

#[test]
fn noise_is_rejected_or_valid() {
    check(3_000, &vec(any::<u8>(), 0..120), |bytes| {
        hostile::fuzz_json(&bytes);
        hostile::fuzz_postcard(&bytes);
        Ok(())
    });
}

/// The seeds of the fuzzer, and its findings.
#[test]
fn seeds_are_rejected_or_valid() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut count = 0;
    for (folder, fuzz) in [("load_json", hostile::fuzz_json as fn(&[u8])), ("load_postcard", hostile::fuzz_postcard)]
    {
        for file in std::fs::read_dir(seeds.join(folder)).unwrap() {
            fuzz(&std::fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
    }
    assert!(count >= 16, "seeds are missing");
}

/// Staged values of size zero take a byte each, so that a short document cannot claim many.
#[test]
fn staged_values_take_a_byte_each() {
    let world: World<()> = World::new();
    let mut bytes = postcard::to_allocvec(&world).unwrap();
    let place = (0..bytes.len()).find(|&place| {
        let mut other = bytes.clone();
        other[place] = 1;
        other.insert(place + 1, 0);
        let tickets = other.len() - 7;
        other[tickets] = 1;
        postcard::from_bytes::<World<()>>(&other).is_ok_and(|world| to_json(&world).unwrap().contains("staged"))
    });
    let place = place.expect("one byte is the number of staged values");
    bytes.splice(place..=place, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]);
    let (result, growth) = alloc::growth(|| postcard::from_bytes::<World<()>>(&bytes).map(drop));
    assert!(result.is_err() && growth.peak < 4_096, "{} bytes", growth.peak);
}

/// Ids that all have the same hash: the world works as usual, and allocates nothing in the steady
/// state.
#[test]
fn ids_with_the_same_hash_work_as_usual() {
    const COUNT: u32 = 3_000;
    let ids = (1..=COUNT).map(|upper| {
        let lower = upper.wrapping_mul(0x85EB_CA6B) ^ 12_345;
        u64::from(upper) << 32 | u64::from(lower)
    });
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    let slots: Vec<String> = (0..COUNT).map(|slot| format!(r#"{{"{slot}v1":0}}"#)).collect();
    let entities = format!(r#""entities":{{"version":1,"slots":[{}]}}"#, slots.join(","));
    let text = format!(r#"{{"version":1,{entities},"ids":[{}]}}"#, ids.join(","));
    let mut world: World<u8> = from_json(&text).unwrap();
    world.validate().unwrap();
    assert!(world.handles().all(|handle| world.id_of(handle).and_then(|id| world.by_id(id)) == Some(handle)));

    let mut copy = World::new();
    copy.clone_from(&world);
    copy.validate().unwrap();
    copy.clear_all();
    copy.validate().unwrap();

    let mut alive: std::collections::VecDeque<_> = world.handles().collect();
    let mut frame = |world: &mut World<u8>| {
        for _ in 0..100 {
            world.despawn(alive.pop_front().unwrap());
            alive.push_back(world.spawn(1));
        }
        world.end_frame();
    };
    (0..100).for_each(|_| frame(&mut world));
    let ((), requests) = alloc::count(|| (0..200).for_each(|_| frame(&mut world)));
    assert_eq!(requests, 0);
    world.validate().unwrap();
    assert!(world.id_table().0 <= 4 * COUNT as usize, "{:?}", world.id_table());
}

// ---- user code in `serialize` ----

/// A value's `serialize` may read the container that is saved, and must not insert into it.
#[test]
fn inserting_while_saving_is_rejected() {
    thread_local! {
        static POOL: StablePool<Adds> = const { StablePool::new() };
        static WORLD: World<Adds> = const { World::new() };
    }
    struct Adds;
    impl Serialize for Adds {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            WORLD.with(|world| world.spawn(Self));
            POOL.with(|pool| {
                if !pool.is_empty() {
                    pool.insert(Self);
                }
            });
            serializer.serialize_unit()
        }
    }
    WORLD.with(|world| {
        world.spawn(Adds);
        let error = to_json(world).unwrap_err();
        assert_eq!(error, "the world was changed while it was saved");
    });
    WORLD.with(|world| {
        world.spawn(Adds);
        assert!(to_json(world).is_err());
    });
    POOL.with(|pool| {
        pool.insert(Adds);
        let message = quiet::catch(|| to_json(pool)).unwrap_err();
        assert!(message.contains("the pool is being copied or saved"), "{message}");
        assert_eq!(pool.len(), 1);
    });
}

// ---- files of earlier versions ----

fn golden_pool() -> Pool<Goblin> {
    let mut goblins = Pool::new();
    let grik = goblins.insert(Goblin { name: "Grik".into(), ..Goblin::default() });
    let snag = goblins.insert(Goblin { name: "Snag".into(), target: Some(grik), ..Goblin::default() });
    goblins.insert(Goblin { name: "Zog".into(), friends: vec![grik, snag, Handle::NIL], ..Goblin::default() });
    goblins.remove(grik);
    let _ = goblins.take(snag);
    goblins
}

fn golden_table() -> Table<Card> {
    let mut deck: Table<Card> = [card(3, 'h'), card(1, 's'), card(2, 's')].into_iter().collect();
    deck.remove(deck.raw_handles()[1]);
    deck.sort_by_key(|card| *card.rank);
    deck
}

fn golden_world() -> World<u8> {
    let mut world = World::new();
    let [old, king, _] = [1, 2, 3].map(|number| world.spawn(number));
    world.end_frame();
    world.make_permanent(king);
    world.spawn(4);
    world.despawn(old);
    let _ticket = world.stage(5);
    world
}

/// Compares a container with its golden files. `UPDATE_SAVED=1` writes those of a new version;
/// those of an old version are never written again.
fn golden<C: Serialize + DeserializeOwned>(name: &str, container: &C) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/saved/v1");
    let (text, bytes) = (serde_json::to_string_pretty(container).unwrap(), postcard::to_allocvec(container).unwrap());
    let [json, binary] = ["json", "postcard"].map(|format| folder.join(name).with_extension(format));
    if std::env::var_os("UPDATE_SAVED").is_some() {
        std::fs::write(&json, &text).unwrap();
        std::fs::write(&binary, &bytes).unwrap();
    }
    let from_text: C = from_json(&std::fs::read_to_string(json).unwrap()).unwrap();
    let from_bytes: C = postcard::from_bytes(&std::fs::read(binary).unwrap()).unwrap();
    for loaded in [from_text, from_bytes] {
        assert_eq!(serde_json::to_string_pretty(&loaded).unwrap(), text, "{name}");
    }
}

#[test]
fn files_of_version_1_can_be_read() {
    golden("pool", &golden_pool());
    golden("table", &golden_table());
    golden("world", &golden_world());
}

/// A loaded world has reserved room to record all despawns, and counts the spawns it has room for.
#[test]
fn a_loaded_world_despawns_and_spawns_without_memory() {
    let mut world = World::new();
    let entities: Vec<_> = (0..100).map(|number| world.spawn(number)).collect();
    world.end_frame();
    let mut world: World<i32> = from_json(&to_json(&world).unwrap()).unwrap();
    let died = alloc::refuse_all(|| {
        while world.try_spawn(-1).is_ok() {}
        entities.iter().for_each(|&entity| _ = world.despawn(entity));
        world.sweep().len()
    });
    assert_eq!(died, 100);
}
