//! Saves as programs write them: containers anywhere in a document, in every format.
#![forbid(unsafe_code)]

#[allow(dead_code, reason = "only its save is inspected")]
#[path = "../../tenure/examples/asteroids.rs"]
mod asteroids;
#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use support::{NO_ARGS, file, inspect, inspect_input, sample};
use tenure::{Compact, DensePool, Handle, Pool, Row, SideMap, Table, World};

#[derive(Serialize, Deserialize)]
struct Unit {
    name: String,
    target: Option<Handle<Unit>>,
    weapon: Option<Handle<Item>>,
    bag: Pool<u32>,
}

#[derive(Serialize, Deserialize)]
struct Item {
    power: f32,
    owner: Handle<Unit>,
}

#[derive(Row, Deserialize)]
#[row(derive(serde::Serialize))]
struct Particle {
    x: f32,
    emitter: Handle<Unit>,
}

/// The save of a game.
#[derive(Serialize, Deserialize)]
struct Save {
    version: u32,
    level: String,
    world: World<Unit>,
    items: Pool<Item>,
    names: SideMap<Handle<Item>, String>,
    particles: Table<Particle>,
    scores: DensePool<u64>,
    rooms: Vec<Pool<u8>>,
    tiles: BTreeMap<String, Pool<(), Handle<(), Compact>>>,
    player: Handle<Unit>,
}

/// Slot 0 of the world is removed, and its handle is kept; slots 1 to 3 are live. Slots 20 to 89 of
/// the items are live, so that handles to them resolve nowhere else.
fn save() -> Save {
    let mut world = World::new();
    let unit = |name: &str, target| Unit { name: name.into(), target, weapon: None, bag: Pool::new() };
    let first = world.spawn(unit("Grik", None));
    let second = world.spawn(unit("Snag", Some(first)));
    let third = world.spawn(unit("Zog", Some(second)));
    let player = world.spawn(unit("Eve", Some(third)));
    world.end_frame();
    let mut items: Pool<Item> = (0..90).map(|nth| Item { power: 0.5 * nth as f32, owner: player }).collect();
    let handles: Vec<_> = items.handles().collect();
    for &handle in &handles[..20] {
        items.remove(handle);
    }
    world[player].weapon = Some(handles[77]);
    world[player].bag = [1, 2, 3].into_iter().collect();
    world.despawn(first);
    world.end_frame();
    let mut names = SideMap::new();
    names.insert(&items, handles[55], "Foehammer".to_owned()).unwrap();
    let mut particles: Table<Particle> = (0..5).map(|x| Particle { x: x as f32, emitter: third }).collect();
    particles.sort_by(|a, b| b.x.total_cmp(a.x));
    Save {
        version: 7,
        level: "caves".into(),
        world,
        items,
        names,
        particles,
        scores: DensePool::from([10, 20, 30]),
        rooms: vec![Pool::new(), [1, 2].into_iter().collect()],
        tiles: [("a/b".to_owned(), [()].into_iter().collect())].into(),
        player,
    }
}

/// The save in all formats with field names.
fn named(test: &str) -> Vec<(&'static str, PathBuf)> {
    formats(test, &save())
}

/// A save in all formats with field names.
fn formats(test: &str, save: &impl Serialize) -> Vec<(&'static str, PathBuf)> {
    let mut cbor = Vec::new();
    ciborium::into_writer(save, &mut cbor).unwrap();
    let file = |name: &str, bytes: Vec<u8>| file(&format!("{test}-{name}"), bytes);
    let pretty = ron::ser::PrettyConfig::new().struct_names(true);
    vec![
        ("JSON", file("save.json", serde_json::to_vec(save).unwrap())),
        ("JSON", file("pretty.json", serde_json::to_vec_pretty(save).unwrap())),
        ("RON", file("save.ron", ron::to_string(save).unwrap().into())),
        ("RON", file("pretty.ron", ron::ser::to_string_pretty(save, pretty).unwrap().into())),
        ("MessagePack", file("save.msgpack", rmp_serde::to_vec_named(save).unwrap())),
        ("CBOR", file("save.cbor", cbor)),
        ("YAML", file("save.yaml", serde_norway::to_string(save).unwrap().into())),
    ]
}

const PATHS: [&str; 8] =
    ["/world", "/items", "/names", "/particles", "/scores", "/rooms/0", "/rooms/1", "/tiles/a~1b"];

#[test]
fn containers_are_found_in_every_format() {
    for (format, path) in named("found") {
        let answer = inspect(&path, ["--all"]);
        assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""), "{answer:?}");
        assert!(
            answer.output.lines().next().unwrap().contains(&format!(": {format}, 11 containers, ")),
            "{answer:?}"
        );
        let blocks = PATHS.map(|path| answer.block(path));
        let slots = [
            "world, version 1|4: 3 live, 0 pending, 1 vacant, 0 retired",
            "pool, version 1|90: 70 live, 0 pending, 20 vacant, 0 retired",
            "pool, version 1|56: 1 live, 0 pending, 55 vacant, 0 retired",
            "table, version 1|5: 5 live",
            "version 1|3: 3 live",
            "pool, version 1|0: 0 live",
            "pool, version 1|2: 2 live",
            "pool, version 1|1: 1 live",
        ];
        for (block, words) in blocks.iter().zip(slots) {
            assert!(words.split('|').all(|word| block.contains(word)), "{path:?} {words}: {block}");
        }
        assert!(blocks[0].contains("last id 4"), "{}", blocks[0]);
        assert!(!answer.output.contains("a guess: no field"), "{answer:?}");
        // In a value of the world.
        assert!(answer.output.contains("/bag: pool") && answer.output.contains("3: 3 live"), "{answer:?}");
    }
}

/// The save of an example of the library: a world in the middle of a frame, and two side maps.
#[test]
fn the_save_of_a_game_is_inspected() {
    let game = asteroids::in_the_middle_of_a_frame();
    let json = serde_json::to_value(&game).unwrap();
    let count = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
    let values =
        |pool: &serde_json::Value| pool["slots"].as_array().unwrap().iter().filter(|slot| slot.is_object()).count();
    let (world, entities) = (&json["world"], &json["world"]["entities"]);
    let [pending, dying, freed] = ["pending", "dying", "departed"].map(|name| count(&world[name]));
    assert!(pending > 0 && dying > 0 && freed > 0, "the frame is not over: {world}");
    for (format, path) in formats("asteroids", &game) {
        let answer = inspect(&path, ["--refs", "target=/world,by=/world"]);
        assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""), "{format}: every reference resolves");
        assert!(answer.output.contains(&format!(": {format}, 3 containers, ")), "{format}: {answer:?}");
        let block = answer.block("/world");
        for words in [
            format!("{}: {} live, {pending} pending", count(&entities["slots"]), values(entities) - pending),
            format!("{pending} pending, {dying} dying, 0 staged, 0 permanent, 0 reserved, {freed} freed"),
        ] {
            assert!(block.contains(&words), "{format} {words}: {block}");
        }
        for name in ["heat", "names"] {
            let (map, block) = (&json[name], answer.block(&format!("/{name}")));
            assert!(
                block.contains(&format!("{}: {} live, ", count(&map["slots"]), values(map))),
                "{format}: {block}"
            );
        }
    }
}

#[test]
fn references_between_containers_are_resolved() {
    for (format, path) in named("between") {
        let answer = inspect(&path, ["--refs", "target=/world,weapon=items,owner=world,emitter=world,player=world"]);
        assert_eq!(answer.code, Some(1), "{format}: {answer:?}");
        assert!(answer.error.ends_with("1 reference dangles\n"), "{format}: {}", answer.error);
        let world = answer.block("/world");
        assert!(world.contains("4: 2 here, 1 in /items, 1 dangling"), "{format}: {world}");
        assert!(world.contains("1v1.target  ") && world.contains("  removed"), "{format}: {world}");
        assert!(
            answer.block("/items").contains("70: 70 in /world, 0 dangling"),
            "{format}: {}",
            answer.block("/items")
        );
        let particles = answer.block("/particles");
        assert!(particles.contains("5: 5 in /world, 0 dangling"), "{format}: {particles}");
        assert!(
            answer.output.contains("outside of containers\n  references   1: 1 in /world"),
            "{format}: {answer:?}"
        );
    }
}

#[test]
fn references_in_text_are_found_without_naming_fields() {
    let (_, path) = named("text").remove(0);
    let answer = inspect(&path, NO_ARGS);
    // 77v1 is live only in the items; 1v1 to 3v1 also in other containers.
    assert!(answer.block("/world").contains("4: 1 in /items, "), "{}", answer.block("/world"));
    answer.says(&["note: a reference is ambiguous if several containers have issued the same handle"]);
}

#[test]
fn issued_numbers_in_binary_formats_are_references() {
    for (format, path) in named("numbers").into_iter().filter(|(format, _)| matches!(*format, "MessagePack" | "CBOR"))
    {
        let answer = inspect(&path, ["--json"]);
        let json: serde_json::Value = serde_json::from_str(&answer.output).unwrap();
        let world = &json["containers"][0];
        assert_eq!(world["path"], "/world", "{format}");
        // Slot 0 is below 32 bits, and cannot be distinguished from other numbers.
        assert_eq!(world["references"]["count"], 3, "{format}: {world}");
        assert_eq!(world["references"]["elsewhere"][0]["path"], "/items", "{format}: {world}");
        let items = json["containers"].as_array().unwrap().iter().find(|container| container["path"] == "/items");
        assert_eq!(items.unwrap()["references"]["count"], 70, "{format}");
    }
}

#[test]
fn message_pack_without_names_is_recognised_by_its_shape() {
    let path = file("compact.msgpack", rmp_serde::to_vec(&save()).unwrap());
    let answer = inspect(&path, ["--all"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let world = answer.block("/2");
    assert!(world.contains("by its shape, which is a guess") && world.contains("4: 3 live"), "{world}");
    for (path, slots) in [("/3", "90: 70 live"), ("/4", "56: 1 live"), ("/5", "5: 5 live"), ("/7/1", "2: 2 live")] {
        assert!(answer.block(path).contains(slots), "{path}: {answer:?}");
    }
    let at = inspect(&path, ["--at", "[3]"]);
    assert!(at.code == Some(0) && at.output.contains("\n/3: pool") && !at.output.contains("\n/2: "), "{at:?}");
    let wrong = inspect(&path, ["--at", "/1"]);
    assert!(wrong.code == Some(1) && wrong.output.contains("/1: pool, refused"), "{wrong:?}");
    // Human-readable text, and still no names.
    let mut bytes = Vec::new();
    save().serialize(&mut rmp_serde::Serializer::new(&mut bytes).with_human_readable()).unwrap();
    let readable = inspect(&file("readable.msgpack", bytes), ["--all"]);
    assert!(readable.block("/3").contains("90: 70 live"), "{readable:?}");
}

#[test]
fn toml_is_read() {
    let mut pool: Pool<u8> = [1, 2, 3].into_iter().collect();
    pool.remove(pool.handle_at(1).unwrap());
    let save = BTreeMap::from([("pool", pool)]);
    let answer = inspect(&file("save.toml", toml::to_string(&save).unwrap()), NO_ARGS);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.block("/pool").contains("3: 2 live, 0 pending, 1 vacant"), "{answer:?}");
}

#[test]
fn the_format_is_detected_without_an_extension() {
    let save = save();
    let mut cbor = Vec::new();
    ciborium::into_writer(&save, &mut cbor).unwrap();
    let documents: [(&str, Vec<u8>); 5] = [
        ("JSON", serde_json::to_vec(&save).unwrap()),
        ("RON", ron::to_string(&save).unwrap().into_bytes()),
        ("MessagePack", rmp_serde::to_vec_named(&save).unwrap()),
        ("CBOR", cbor),
        ("YAML", serde_norway::to_string(&save).unwrap().into_bytes()),
    ];
    for (format, bytes) in documents {
        let answer = inspect_input(&bytes, &[]);
        assert_eq!(answer.code, Some(0), "{format}: {answer:?}");
        assert!(answer.output.starts_with(&format!("-: {format}, 11 containers")), "{format}: {}", answer.output);
        let wrong = inspect(&file("save.dat.json", &bytes), NO_ARGS);
        assert!(wrong.output.contains(&format!(": {format}, 11 containers")), "{format}: {wrong:?}");
    }
}

#[test]
fn a_path_can_be_selected() {
    let path = file("at.json", serde_json::to_vec(&save()).unwrap());
    for at in ["/rooms/1", "rooms[1]", "rooms.1"] {
        let answer = inspect(&path, ["--at", at]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.says(&["JSON, 1 container", "\n/rooms/1: pool", "\n  slots\n", "\n  generations\n"]);
    }
    let rooms = inspect(&path, ["--at", "rooms"]);
    rooms.says(&["2 containers", "\n/rooms/0: pool", "\n/rooms/1: pool"]);
    assert_eq!(inspect(&path, ["--at", "/tiles/a~1b"]).code, Some(0));
    for (at, words) in [
        ("rooms[7]", "/rooms: a list of 2: it has no item 7"),
        ("wrld", "/: no `wrld` here: there are `version`, `level`, `world`,"),
        ("level.x", "/level: neither a list nor a map"),
    ] {
        let answer = inspect(&path, ["--at", at]);
        assert!(answer.code == Some(2) && answer.error.contains(words), "{answer:?}");
    }
}

#[test]
fn the_type_name_of_a_handle_selects_the_container() {
    let pool = |values: &str| format!(r#"{{"version":1,"slots":[{{"0v1":{values}}}]}}"#);
    let json = format!(
        r#"{{"enemies":{},"items":{},"boxes":{}}}"#,
        pool(r#"["Enemy(0v1)","Item(0v1)","game::Box(0v1)","Item(1v1)","0v1","Other(0v1)"]"#),
        pool("1"),
        pool("2")
    );
    let answer = inspect(&file("names.json", json), NO_ARGS);
    let enemies = answer.block("/enemies");
    assert!(enemies.contains("6: 1 here, 1 in /items, 1 in /boxes, 2 ambiguous, 1 dangling"), "{enemies}");
    assert!(enemies.contains("0v1[3]  Item(1v1)  never issued in /items"), "{enemies}");
}

#[test]
fn raw_snapshots_are_read() {
    for name in ["sparks.x86.snapshot", "sparks.x86_64.snapshot", "sparks.s390x.snapshot"] {
        let answer = inspect(&sample(name), NO_ARGS);
        assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""), "{name}: {answer:?}");
        answer.says(&[": raw snapshot, 1 container", "\n/: table, version 1\n", " live, "]);
    }
    let [little, big] =
        ["sparks.x86_64.snapshot", "sparks.s390x.snapshot"].map(|name| inspect(&sample(name), ["--json"]));
    let containers = |output: &str| serde_json::from_str::<serde_json::Value>(output).unwrap()["containers"].take();
    let [little, big] = [little, big].map(|answer| containers(&answer.output));
    assert_eq!(little, big, "both byte orders give the same result");
}

#[derive(Row)]
#[row(snapshot)]
struct Spark {
    x: f32,
    parent: Handle<Spark>,
}

#[test]
fn handles_in_raw_snapshots_are_followed() {
    let mut sparks = Table::new();
    let first = sparks.insert(Spark { x: 0.0, parent: Handle::NIL });
    let second = sparks.insert(Spark { x: 1.0, parent: first });
    sparks.insert(Spark { x: 2.0, parent: second });
    sparks.remove(first);
    let bytes = sparks.to_snapshot();
    let answer = inspect(&file("own.snapshot", &bytes), NO_ARGS);
    answer.says(&["3: 2 live, 0 pending, 1 vacant", "2: 1 here, 1 dangling", "1v1.parent  1 (0v1)  removed"]);
    assert_eq!(inspect_input(&bytes, &["--refs", "parent"]).code, Some(1));
    for (cut, words) in [(20, "the header"), (70, "should have"), (bytes.len() - 1, "should have")] {
        let answer = inspect_input(&bytes[..cut], &[]);
        assert!(answer.code == Some(2) && answer.error.contains(words), "{cut}: {answer:?}");
    }
    let mut longer = bytes.clone();
    longer[56..64].fill(0xff);
    assert!(inspect_input(&longer, &[]).error.contains("would end after the end of the file"));
}

#[test]
fn scripts_get_json() {
    let (_, path) = named("json").remove(0);
    let answer = inspect(&path, ["--json", "--refs", "target=/world"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let json: serde_json::Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!(json["format"], "JSON");
    let containers = json["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 11);
    let world = &containers[0];
    assert_eq!((&world["path"], &world["kind"], &world["live"]), (&"/world".into(), &"world".into(), &3.into()));
    assert_eq!(world["frame"]["last_id"], 4);
    assert_eq!(world["generations"], serde_json::json!([1, 1]));
    assert_eq!(world["references"]["listed"][0]["why"], "removed");
    assert_eq!(json["refused"], serde_json::json!([]));
}
