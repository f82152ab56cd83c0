//! Every container in every format, as a document of its own and inside other values.
//!
//! Formats that write lengths first, or write structs without field names, find faults that JSON
//! does not.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tenure::{
    Compact, DensePool, EntityId, FixedPool, Handle, Layout, Pool, Row, SideMap, StablePool, Table, Tagged, Wide,
    World, ZiiPool,
};

#[path = "formats/strict.rs"]
mod strict;

// ---- formats ----

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    JsonValue,
    Ron,
    Yaml,
    Toml,
    Postcard,
    Cbor,
    /// Structs as arrays.
    MessagePack,
    /// Structs as maps.
    MessagePackNamed,
    /// Structs as arrays, in a format that reports itself as human-readable.
    MessagePackReadable,
    MessagePackNamedReadable,
}

const FORMATS: [Format; 11] = [
    Format::Json,
    Format::JsonValue,
    Format::Ron,
    Format::Yaml,
    Format::Toml,
    Format::Postcard,
    Format::Cbor,
    Format::MessagePack,
    Format::MessagePackNamed,
    Format::MessagePackReadable,
    Format::MessagePackNamedReadable,
];

/// Saves and loads a value. Every byte that was written must be read.
fn reload<T: Serialize + DeserializeOwned>(value: &T, format: Format) -> Result<T, String> {
    fn say(error: impl Display) -> String {
        error.to_string()
    }
    let pack = |named: bool, readable: bool| -> Result<T, String> {
        let mut bytes = Vec::new();
        let plain = rmp_serde::Serializer::new(&mut bytes);
        match (named, readable) {
            (false, false) => value.serialize(&mut { plain }),
            (true, false) => value.serialize(&mut plain.with_struct_map()),
            (false, true) => value.serialize(&mut plain.with_human_readable()),
            (true, true) => value.serialize(&mut plain.with_struct_map().with_human_readable()),
        }
        .map_err(say)?;
        let mut rest = &bytes[..];
        let reader = rmp_serde::Deserializer::new(&mut rest);
        let value = if readable {
            T::deserialize(&mut reader.with_human_readable())
        } else {
            T::deserialize(&mut { reader })
        };
        let value = value.map_err(|error| format!("{error} in {bytes:x?}"))?;
        if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes are left over", rest.len())) }
    };
    match format {
        Format::Json => serde_json::from_str(&serde_json::to_string(value).map_err(say)?).map_err(say),
        Format::JsonValue => serde_json::from_value(serde_json::to_value(value).map_err(say)?).map_err(say),
        Format::Ron => {
            let text = ron::to_string(value).map_err(say)?;
            ron::from_str(&text).map_err(|error| format!("{error} in {text}"))
        }
        Format::Yaml => {
            let text = serde_norway::to_string(value).map_err(say)?;
            serde_norway::from_str(&text).map_err(|error| format!("{error} in {text}"))
        }
        Format::Toml => {
            let text = toml::to_string(value).map_err(say)?;
            toml::from_str(&text).map_err(|error| format!("{error} in {text}"))
        }
        Format::Postcard => {
            let bytes = postcard::to_allocvec(value).map_err(say)?;
            let (value, rest) = postcard::take_from_bytes(&bytes).map_err(say)?;
            if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes are left over", rest.len())) }
        }
        Format::Cbor => {
            let mut bytes = Vec::new();
            ciborium::into_writer(value, &mut bytes).map_err(say)?;
            let mut rest = &bytes[..];
            let value = ciborium::from_reader(&mut rest).map_err(|error| format!("{error} in {bytes:x?}"))?;
            if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes are left over", rest.len())) }
        }
        Format::MessagePack => pack(false, false),
        Format::MessagePackNamed => pack(true, false),
        Format::MessagePackReadable => pack(false, true),
        Format::MessagePackNamedReadable => pack(true, true),
    }
}

// ---- saved values ----

/// A value that is saved and loaded.
trait Saved: Serialize + DeserializeOwned {
    /// Whether TOML can write it alone: a TOML document is a table.
    const IS_TABLE: bool = true;

    /// Continues to use the value, and returns the handles that it issues.
    fn go_on(&mut self) -> Vec<String> {
        Vec::new()
    }
}

macro_rules! saved {
    ($([$($params:tt)*] $Type:ty: $value:expr;)*) => {
        $(impl<$($params)*> Saved for $Type {
            fn go_on(&mut self) -> Vec<String> {
                // More values than there are free slots, where there is room.
                let fresh = (0..70).filter_map(|_| self.try_insert($value).ok());
                let mut issued: Vec<_> = fresh.map(|handle| handle.to_string()).collect();
                if let Some((handle, _)) = self.iter().next() {
                    self.remove(handle);
                    issued.push(self.insert($value).to_string());
                }
                self.validate().expect("valid after insertions");
                issued
            }
        })*
    };
}

saved! {
    [L: Layout] Pool<u8, Handle<u8, L>>: 9;
    [L: Layout] Pool<Goblin, Handle<Goblin, L>>: Goblin::default();
    [L: Layout] StablePool<u8, Handle<u8, L>>: 9;
    [L: Layout] FixedPool<u8, 8, Handle<u8, L>>: 9;
    [L: Layout] DensePool<u8, Handle<u8, L>>: 9;
    [L: Layout] Table<Card, Handle<Card, L>>: card(9, 'x');
}

impl Saved for ZiiPool<u8> {
    fn go_on(&mut self) -> Vec<String> {
        (0..70).map(|_| self.insert(9).to_string()).collect()
    }
}

impl<L: Layout> Saved for SideMap<Handle<u8, L>, u8> {
    fn go_on(&mut self) -> Vec<String> {
        let owner: Pool<u8, Handle<u8, L>> = (0..5).collect();
        owner.handles().for_each(|handle| _ = self.insert(&owner, handle, 9));
        self.iter().map(|(handle, value)| format!("{handle} {value}")).collect()
    }
}

impl<L: Layout> Saved for World<u8, Handle<u8, L>> {
    fn go_on(&mut self) -> Vec<String> {
        let mut issued: Vec<_> = (0..3).map(|_| self.spawn(9).to_string()).collect();
        issued.push(format!("{:?}", self.end_frame()));
        issued.extend(self.last_commit().spawned().map(|handle| handle.to_string()));
        issued.extend(self.dead().map(|handle| handle.to_string()));
        issued.extend((0..70).map(|_| self.spawn(9).to_string()));
        issued.push(format!("{:?}", self.end_frame()));
        issued.extend(self.iter_all().map(|(handle, value)| format!("{handle} {:?} {value}", self.id_of(handle))));
        self.validate().expect("valid after two frames");
        issued
    }
}

impl<L: Layout> Saved for Handle<Goblin, L> {
    const IS_TABLE: bool = false;
}

impl<L: Layout> Saved for Option<Handle<Goblin, L>> {
    const IS_TABLE: bool = false;
}

impl Saved for EntityId {
    const IS_TABLE: bool = false;
}

impl<L: Layout> Saved for BTreeMap<Handle<Goblin, L>, u8> {}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Goblin {
    name: String,
    target: Option<Handle<Goblin>>,
    friends: Vec<Handle<Goblin>>,
}

#[derive(Debug, PartialEq, Row, Deserialize)]
#[row(derive(Serialize))]
struct Card {
    rank: u8,
    suit: char,
    #[row(skip)]
    #[serde(skip)]
    scratch: u8,
}

fn card(rank: u8, suit: char) -> Card {
    Card { rank, suit, scratch: 0 }
}

/// Three values inserted; a vacant and a pending slot.
macro_rules! worn {
    ($container:expr) => {{
        let mut container = $container;
        let [first, second, _, fourth] = [1, 2, 3, 4].map(|number| container.insert(number));
        container.remove(first);
        let _ = container.take(second);
        let again = container.insert(5);
        container.remove(fourth);
        container.remove(again);
        container
    }};
}

fn goblins() -> Pool<Goblin> {
    let mut goblins = Pool::new();
    let grik = goblins.insert(Goblin { name: "Grik".into(), ..Goblin::default() });
    let friends = vec![grik, Handle::NIL];
    goblins.insert(Goblin { name: "Snag".into(), target: Some(grik), friends });
    goblins.insert(Goblin { name: String::new(), target: Some(Handle::NIL), friends: Vec::new() });
    goblins.remove(grik);
    goblins
}

fn deck<L: Layout>() -> Table<Card, Handle<Card, L>> {
    let mut deck: Table<Card, Handle<Card, L>> = Table::default();
    let handles = [card(3, 'h'), card(1, 's'), card(2, 's'), card(7, 'd')].map(|card| deck.insert(card));
    deck.remove(handles[1]);
    deck.sort_by_key(|card| *card.rank);
    deck
}

fn side_map<L: Layout>() -> SideMap<Handle<u8, L>, u8> {
    let owner: Pool<u8, Handle<u8, L>> = (0..4).collect();
    let mut map = SideMap::default();
    owner.handles().skip(1).step_by(2).for_each(|handle| _ = map.insert(&owner, handle, 7));
    map
}

fn world_between_frames<L: Layout>() -> World<u8, Handle<u8, L>> {
    let mut world: World<u8, Handle<u8, L>> = World::default();
    let [old, king, _] = [1, 2, 3].map(|number| world.spawn(number));
    world.end_frame();
    world.make_permanent(king);
    world.despawn(old);
    world.end_frame();
    world
}

/// Entities that are uncommitted, dying, both, and staged; permanent ones; dead ones.
fn busy_world<L: Layout>() -> World<u8, Handle<u8, L>> {
    let world = world_between_frames();
    let first = world.handles().next().expect("it has entities");
    let early = world.spawn(4);
    world.spawn(5);
    world.despawn(early);
    world.despawn(first);
    world.despawn(first);
    let _ = (world.stage(6), world.stage(7));
    world
}

/// After a split of which one half, or both halves, were forgotten.
fn forgotten_world(both: bool) -> World<u8> {
    let mut world = busy_world();
    let (live, spawner) = world.split();
    spawner.spawn(8);
    let early = spawner.spawn(9);
    spawner.despawn(early);
    std::mem::forget(spawner);
    if both {
        std::mem::forget(live);
    } else {
        drop(live);
    }
    world
}

/// With slots that were reserved for jobs, and entities that jobs have spawned.
fn worked_world() -> World<u8> {
    let mut world = busy_world();
    world.with_jobs(64, 3, |jobs| {
        for mut job in jobs {
            job.spawner.spawn(8);
        }
    });
    world
}

fn forgotten_pool() -> StablePool<u8> {
    let mut pool = worn!(StablePool::<u8>::new());
    let (live, spawner) = pool.split();
    spawner.spawn(8);
    std::mem::forget((live, spawner));
    pool
}

/// A check that runs on every value.
trait Check {
    fn check<C: Saved>(&mut self, name: &str, make: impl Fn() -> C);
}

/// Every container, in every state in which it can be saved.
fn all_containers(check: &mut impl Check) {
    check.check("an empty pool", Pool::<u8>::new);
    check.check("a pool", || worn!(Pool::<u8>::new()));
    check.check("a pool that has shrunk", || {
        let mut pool = worn!(Pool::<u8>::new());
        pool.retain(|handle, _| handle.index() == 0);
        pool.shrink_to_fit();
        pool.allow_indices_below(9);
        pool
    });
    check.check("a pool of fixed capacity", || worn!(Pool::<u8>::with_fixed_capacity(8)));
    check.check("a compact pool", || worn!(Pool::<u8, Handle<u8, Compact>>::default()));
    check.check("a tagged pool", || worn!(Pool::<u8, Handle<u8, Tagged<4, Wide>>>::with_tag(5)));
    check.check("goblins", goblins);
    check.check("a stable pool", || worn!(StablePool::<u8>::new()));
    check.check("a stable pool after a forgotten split", forgotten_pool);
    check.check("a compact fixed pool", || worn!(FixedPool::<u8, 8, Handle<u8, Compact>>::default()));
    check.check("a tagged dense pool", || worn!(DensePool::<u8, Handle<u8, Tagged<4, Wide>>>::with_tag(5)));
    check.check("an empty table", Table::<Card>::new);
    check.check("a table", deck::<Wide>);
    check.check("a ZII pool", || ZiiPool::<u8>::from_iter([1, 2, 3]));
    check.check("a compact side map", side_map::<Compact>);
    check.check("an empty world", World::<u8>::new);
    check.check("a world between frames", world_between_frames::<Wide>);
    check.check("a busy world", busy_world::<Wide>);
    check.check("a compact busy world", busy_world::<Compact>);
    check.check("a world after a forgotten half of a split", || forgotten_world(false));
    check.check("a world after a forgotten split", || forgotten_world(true));
    check.check("a world after jobs", worked_world);
}

/// Handles as documents, and as keys of a map. `0xFFFF_FFFE_FFFF_FFFF` does not fit an `i64`.
fn all_handles(check: &mut impl Check) {
    fn layout<L: Layout>(check: &mut impl Check, name: &str) {
        for bits in [0, 1, 5, 0x0001_0007, 0xFFFE_FFFF, 0xFFFF_FFFE_FFFF_FFFF_u64] {
            let Ok(bits) = L::Bits::try_from(bits) else { continue };
            let handle = Handle::<Goblin, L>::from_bits(bits);
            let name = format!("{name} {handle}");
            check.check(&name, || handle);
            check.check(&format!("some {name}"), || Some(handle));
            check.check(&format!("a map with the key {name}"), || {
                BTreeMap::from([(handle, 1), (Handle::from_parts(3, 2).expect("it exists"), 2)])
            });
        }
    }
    layout::<Wide>(check, "wide");
    layout::<Compact>(check, "compact");
    layout::<Tagged<3, Compact<16>>>(check, "compact and tagged");
    check.check("an id", || EntityId::new(7).expect("not 0"));
    check.check("the largest id", || EntityId::new(u64::MAX).expect("not 0"));
}

// ---- the matrix ----

fn state<C: Serialize>(container: &C) -> String {
    serde_json::to_string(container).expect("it can be saved as JSON")
}

/// The loaded container equals the original, and issues the same handles from then on.
#[track_caller]
fn same<C: Saved>(make: impl Fn() -> C, mut loaded: C, place: &dyn Display) {
    let mut original = make();
    assert_eq!(state(&loaded), state(&original), "{place}");
    assert_eq!(loaded.go_on(), original.go_on(), "{place}: handles issued after loading");
    assert_eq!(state(&loaded), state(&original), "{place}: afterwards");
}

/// A value in a struct, in lists and in a map, with other values before and after each.
#[derive(Serialize, Deserialize)]
struct Everywhere<C> {
    before: (u8, String),
    field: C,
    between: Vec<u16>,
    mixed: (C, u8, C, String),
    list: Vec<C>,
    number: u64,
    map: BTreeMap<String, C>,
    last: bool,
}

impl<C> Everywhere<C> {
    fn of(make: impl Fn() -> C) -> Self {
        Self {
            before: (7, "before".into()),
            field: make(),
            between: vec![1, 2, 65_535],
            mixed: (make(), 7, make(), "end".into()),
            list: vec![make(), make()],
            number: 1 << 40,
            map: BTreeMap::from([("a".into(), make()), ("b".into(), make())]),
            last: true,
        }
    }
}

struct Matrix(Format);

impl Check for Matrix {
    fn check<C: Saved>(&mut self, name: &str, make: impl Fn() -> C) {
        let format = self.0;
        let at = |place: &str| format!("{name} {place} in {format:?}");
        let must = |place: &str, error: String| -> ! { panic!("{}: {error}", at(place)) };

        match reload(&make(), format) {
            Ok(loaded) => same(&make, loaded, &at("alone")),
            // A TOML document is a table.
            Err(_) if format == Format::Toml && !C::IS_TABLE => {}
            Err(error) => must("alone", error),
        }

        let loaded = reload(&Everywhere::of(&make), format).unwrap_or_else(|error| must("inside", error));
        assert_eq!(loaded.before, (7, "before".into()), "{}", at("inside"));
        assert_eq!((loaded.between.as_slice(), loaded.number), (&[1, 2, 65_535][..], 1 << 40), "{}", at("inside"));
        let (first, seven, second, end) = loaded.mixed;
        assert_eq!((seven, end.as_str(), loaded.last), (7, "end", true), "{}", at("inside"));
        assert!(loaded.list.len() == 2 && loaded.map.keys().eq(["a", "b"]), "{}", at("inside"));
        same(&make, loaded.field, &at("in a struct"));
        same(&make, first, &at("first in a list"));
        same(&make, second, &at("second in a list"));
        loaded.list.into_iter().for_each(|loaded| same(&make, loaded, &at("in a list")));
        loaded.map.into_values().for_each(|loaded| same(&make, loaded, &at("in a map")));

        // Two values in sequence, without a struct around them.
        if format != Format::Toml {
            let (first, second) = reload(&(make(), make()), format).unwrap_or_else(|error| must("in a pair", error));
            [first, second].into_iter().for_each(|loaded| same(&make, loaded, &at("in a pair")));
        }
    }
}

#[test]
fn containers_survive_in_every_format_and_place() {
    FORMATS.iter().for_each(|&format| all_containers(&mut Matrix(format)));
}

#[test]
fn handles_survive_in_every_format_and_place() {
    FORMATS.iter().for_each(|&format| all_handles(&mut Matrix(format)));
}

// ---- lengths ----

struct Lengths;

impl Check for Lengths {
    fn check<C: Saved>(&mut self, name: &str, make: impl Fn() -> C) {
        for human_readable in [false, true] {
            let counted = strict::count(&make(), human_readable);
            assert!(counted.as_ref().is_ok_and(|closed| !C::IS_TABLE || *closed > 0), "{name}: {counted:?}");
        }
    }
}

/// The announced number of fields is the number that is written.
#[test]
fn announced_lengths_are_right() {
    all_containers(&mut Lengths);
    all_handles(&mut Lengths);
}

/// Where field names are written, fields with their default value are omitted; elsewhere a reader
/// needs all of them.
#[test]
fn text_omits_default_fields() {
    let pool = || Pool::from([1_u8]);
    let everywhere = Everywhere::of(pool);
    let texts = [
        serde_json::to_string(&everywhere).unwrap(),
        serde_json::to_value(&everywhere).unwrap().to_string(),
        ron::to_string(&everywhere).unwrap(),
        toml::to_string(&everywhere).unwrap(),
        toml::to_string(&pool()).unwrap(),
        serde_norway::to_string(&everywhere).unwrap(),
        serde_json::to_string(&world_between_frames::<Wide>()).unwrap(),
        toml::to_string(&world_between_frames::<Wide>()).unwrap(),
    ];
    for text in texts {
        assert!(!text.contains("floor") && text.contains("version"), "{text}");
    }
    let mut bytes = Vec::new();
    pool().serialize(&mut rmp_serde::Serializer::new(&mut bytes).with_human_readable()).unwrap();
    assert_eq!(bytes[0], 0x98, "an array of 8 fields: {bytes:x?}");
}

// ---- documents of a version that announced 15 fields of a world, and wrote 16 ----

/// As documents of their own they can be read, without the 16th field, the report.
#[test]
fn worlds_that_announce_a_field_too_few_can_be_read() {
    let mut world: World<u8> = busy_world();
    let plain = rmp_serde::to_vec(&world).unwrap();
    let named = rmp_serde::to_vec_named(&world).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(&world, &mut cbor).unwrap();
    assert_eq!((&plain[..3], &named[..3], cbor[0]), (&[0xDC, 0, 16][..], &[0xDE, 0, 16][..], 0xB0));

    let plain = [&[0x9F], &plain[3..]].concat();
    let named = [&[0x8F], &named[3..]].concat();
    cbor[0] = 0xAF;
    let loaded: [World<u8>; 3] = [
        rmp_serde::from_slice(&plain).unwrap(),
        rmp_serde::from_slice(&named).unwrap(),
        ciborium::from_reader(&cbor[..]).unwrap(),
    ];
    world.end_frame();
    for mut loaded in loaded {
        loaded.end_frame();
        assert!(loaded.iter_all().eq(world.iter_all()));
    }
}

// ---- integers ----

/// Every kind of integer that a format may use for nil, and integers that are not handles.
#[test]
fn nil_is_nil_in_every_kind_of_integer() {
    use serde::de::IntoDeserializer;
    use serde::de::value::Error;

    fn read<'de, L: Layout>(number: impl IntoDeserializer<'de, Error>) -> Result<Handle<Goblin, L>, String> {
        Handle::deserialize(number.into_deserializer()).map_err(|error| error.to_string())
    }
    assert_eq!(read::<Wide>(0_u8), Ok(Handle::NIL));
    assert_eq!(read::<Wide>(0_i8), Ok(Handle::NIL));
    assert_eq!(read::<Wide>(0_u64), Ok(Handle::NIL));
    assert_eq!(read::<Wide>(0_i64), Ok(Handle::NIL));
    assert_eq!(read::<Wide>(0_u128), Ok(Handle::NIL));
    assert_eq!(read::<Wide>(0_i128), Ok(Handle::NIL));
    assert_eq!(read::<Compact>(0_i64), Ok(Handle::NIL));
    let bits = 0x7_0000_0005_i64;
    assert_eq!(read::<Wide>(bits).unwrap().to_bits(), bits.unsigned_abs());
    assert_eq!(read::<Wide>(i128::from(bits)).unwrap().to_bits(), bits.unsigned_abs());
    for error in [
        read::<Wide>(-1_i64),
        read::<Wide>(2_i64),
        read::<Wide>(-1_i128),
        read::<Wide>(1_i128 << 64),
        read::<Wide>(1_u128 << 64),
    ] {
        assert!(error.as_ref().is_err_and(|error| error.contains("expected a handle")), "{error:?}");
    }
    assert!(read::<Compact>(1_i64 << 32).is_err());
}

/// What TOML cannot represent: a document that is not a table, and null.
#[test]
fn the_limits_of_toml_are_errors() {
    let pool = worn!(Pool::<u8>::new());
    assert!(toml::to_string(&[&pool]).is_err(), "a list alone");
    assert!(toml::to_string(&Handle::<Goblin>::NIL).is_err(), "a number alone");
    assert!(toml::to_string(&BTreeMap::from([("list", [Some(1), None])])).is_err(), "null in a list");
    // A live slot whose value is null has no value in the document, and is rejected when it is
    // read.
    let text = toml::to_string(&Pool::from([Some(1_u8), None])).unwrap();
    assert!(toml::from_str::<Pool<Option<u8>>>(&text).is_err(), "{text}");
}
