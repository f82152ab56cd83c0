//! The program whose compilation is measured: 40 types of values, six operations on each.

use std::fmt::Write;

pub const TYPES: usize = 40;

/// A container, as the program names it.
pub struct Library {
    pub name: &'static str,
    /// The line of the manifest.
    pub dependency: &'static str,
    imports: &'static str,
    /// The container and the handle of values `V`, and an empty container.
    map: &'static str,
    handle: &'static str,
    new: &'static str,
}

/// The program without a container comes first.
pub const LIBRARIES: [Library; 4] = [
    Library { name: "no container", dependency: "", imports: "", map: "", handle: "", new: "" },
    Library {
        name: "tenure",
        dependency: concat!("tenure = { path = \"", env!("CARGO_MANIFEST_DIR"), "/../crates/tenure\" }"),
        imports: "use tenure::{Handle, Pool};",
        map: "Pool<V>",
        handle: "Handle<V>",
        new: "Pool::new()",
    },
    Library {
        name: "slotmap",
        dependency: "slotmap = \"=1.1.1\"",
        imports: "use slotmap::{DefaultKey, SlotMap};",
        map: "SlotMap<DefaultKey, V>",
        handle: "DefaultKey",
        new: "SlotMap::new()",
    },
    Library {
        name: "thunderdome",
        dependency: "thunderdome = \"=0.6.1\"",
        imports: "use thunderdome::{Arena, Index};",
        map: "Arena<V>",
        handle: "Index",
        new: "Arena::new()",
    },
];

pub fn manifest(library: &Library) -> String {
    format!(
        "[workspace]\n\n[package]\nname = \"forty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n",
        library.dependency
    )
}

pub fn source(library: &Library) -> String {
    let mut text = format!("use std::hint::black_box;\n{}\n", library.imports);
    for i in 0..TYPES {
        let bits = [8, 16, 32, 64][i / 10];
        let _ = writeln!(text, "#[derive(Clone, Copy)]\npub struct V{i}(pub [u32; {}], pub u{bits});", 1 + i % 10);
        text += &if library.map.is_empty() { without_container(i) } else { with_container(library, i) };
    }
    let calls: String = (0..TYPES).map(|i| format!("    sum = sum.wrapping_add(use_{i}(seed));\n")).collect();
    let _ = writeln!(text, "fn main() {{\n    let seed = std::env::args().count() as u32;\n    let mut sum = 0_u32;");
    let _ = writeln!(text, "{calls}    println!(\"{{sum}}\");\n}}");
    text
}

fn without_container(i: usize) -> String {
    format!(
        "pub fn use_{i}(seed: u32) -> u32 {{
    let mut values: Vec<V{i}> = Vec::with_capacity(3);
    black_box(&mut values);
    values.iter().fold(seed, |sum, value| sum.wrapping_add(value.0[0]))
}}
"
    )
}

fn with_container(library: &Library, i: usize) -> String {
    let [map, handle] = [library.map, library.handle].map(|name| name.replace("V>", &format!("V{i}>")));
    let (new, length) = (library.new, 1 + i % 10);
    format!(
        "#[inline(never)]
pub fn insert_{i}(map: &mut {map}, seed: u32) -> {handle} {{
    map.insert(V{i}([seed; {length}], seed as _))
}}
#[inline(never)]
pub fn get_{i}(map: &{map}, handle: {handle}) -> u32 {{
    map.get(handle).map_or(0, |value| value.0[0])
}}
#[inline(never)]
pub fn change_{i}(map: &mut {map}, handle: {handle}) {{
    if let Some(value) = map.get_mut(handle) {{
        value.0[0] += 1;
    }}
}}
#[inline(never)]
pub fn remove_{i}(map: &mut {map}, handle: {handle}) -> u32 {{
    map.remove(handle).map_or(0, |value| value.0[0])
}}
#[inline(never)]
pub fn sum_{i}(map: &{map}) -> u32 {{
    let mut sum = 0_u32;
    for (handle, value) in map.iter() {{
        black_box(handle);
        sum = sum.wrapping_add(value.0[0]);
    }}
    sum
}}
#[inline(never)]
pub fn thin_{i}(map: &mut {map}) {{
    map.retain(|_, value| value.0[0] % 2 == 0);
}}
pub fn use_{i}(seed: u32) -> u32 {{
    let mut map: {map} = {new};
    let one = insert_{i}(&mut map, seed);
    let two = insert_{i}(&mut map, seed + 1);
    change_{i}(&mut map, one);
    let got = get_{i}(&map, two).wrapping_add(remove_{i}(&mut map, one));
    thin_{i}(&mut map);
    got.wrapping_add(sum_{i}(&map))
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_are_named_everywhere() {
        for library in &LIBRARIES[1..] {
            let text = source(library);
            assert_eq!(text.matches("pub fn thin_").count(), TYPES);
            assert!(text.contains("V39>") && !text.contains(" V>"), "{}", library.name);
        }
    }
}
