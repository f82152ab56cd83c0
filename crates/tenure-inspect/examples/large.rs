//! Writes a large save, to measure how long `tenure-inspect` takes.
//!
//! ```text
//! cargo run --release -p tenure-inspect --example large -- 460000 save.json
//! /usr/bin/time -v tenure-inspect save.json
//! ```
//!
//! The extension selects the format: `.json`, `.ron`, `.msgpack`, `.compact.msgpack` or `.cbor`.
//! 460,000 units are about 100 MB of JSON.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use serde::Serialize;
use tenure::{Handle, Pool, World};

#[derive(Serialize)]
struct Unit {
    name: String,
    position: [f32; 3],
    health: u32,
    target: Option<Handle<Unit>>,
    friends: Vec<Handle<Unit>>,
    inventory: Vec<Handle<Item>>,
}

#[derive(Serialize)]
struct Item {
    kind: &'static str,
    weight: f32,
    owner: Option<Handle<Unit>>,
}

#[derive(Serialize)]
struct Save {
    version: u32,
    world: World<Unit>,
    items: Pool<Item>,
    player: Handle<Unit>,
}

/// Every seventh unit is despawned, and others keep their handles to it.
fn save(count: usize) -> Save {
    let mut items: Pool<Item> = Pool::new();
    let mut world = World::new();
    let mut units: Vec<Handle<Unit>> = Vec::new();
    for nth in 0..count {
        let friends: Vec<_> =
            [1, 2, 5].iter().filter_map(|back| units.get(nth.checked_sub(*back)?).copied()).collect();
        let item = items.insert(Item { kind: "sword", weight: nth as f32 * 0.25, owner: friends.first().copied() });
        units.push(world.spawn(Unit {
            name: format!("Unit number {nth}"),
            position: [nth as f32 * 0.5, 1.5, -(nth as f32)],
            health: (nth % 100) as u32,
            target: friends.last().copied(),
            friends,
            inventory: vec![item],
        }));
    }
    world.end_frame();
    for &unit in units.iter().step_by(7) {
        let _ = world.despawn(unit);
    }
    world.end_frame();
    Save { version: 3, world, items, player: units[count / 2] }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, path] = &arguments[..] else { return Err("usage: large COUNT FILE".into()) };
    let save = save(count.parse::<usize>()?.max(1));
    let mut out = BufWriter::new(File::create(path)?);
    match path.rsplit('.').next() {
        Some("ron") => ron::Options::default().to_io_writer(&mut out, &save)?,
        Some("msgpack") if path.ends_with(".compact.msgpack") => {
            save.serialize(&mut rmp_serde::Serializer::new(&mut out))?;
        }
        Some("msgpack") => save.serialize(&mut rmp_serde::Serializer::new(&mut out).with_struct_map())?,
        Some("cbor") => ciborium::into_writer(&save, &mut out)?,
        _ => serde_json::to_writer(&mut out, &save)?,
    }
    out.flush()?;
    Ok(())
}
