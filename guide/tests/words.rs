//! Tasks in the words of users: each has a heading in the guide with an example that runs, and is
//! found by the search of the reference.
//!
//! The search knows the names of items and the words in `#[doc(alias)]`. Both are read from the
//! sources here, so no documentation has to be built.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use guide::CHAPTERS;

/// A task, as in the heading and the search; the heading, where it is longer; and the item that the
/// search finds.
const TASKS: &[(&str, &str, &str)] = &[
    ("keep a reference across frames", "", "Handle"),
    ("spawn while iterating", "", "split"),
    ("remove while iterating", "", "retain"),
    ("get two &mut at once", "", "get_disjoint_mut"),
    ("save and load", "", "saved_form"),
    ("name a thing before it exists", "", "reserve_handle"),
    ("undo", "undo a removal", "take"),
    ("find out why a handle failed", "", "try_get"),
    ("use 4-byte handles", "", "Compact"),
    ("tell two pools' handles apart", "", "Tagged"),
    ("run without an allocator", "", "FixedPool"),
    ("upload to a GPU", "", "as_slice"),
    ("iterate in parallel", "", "par_iter"),
];

/// Items, and the words of other libraries by which the search finds them.
const WORDS: &[(&str, &[&str])] = &[
    ("Pool", &["SlotMap", "HopSlotMap", "Arena", "generational arena", "Slab", "Handle_Map", "object pool", "ABA"]),
    ("StablePool", &["stable addresses", "colony", "hive", "arena"]),
    ("FixedPool", &["heapless", "no_alloc", "embedded", "Static_Handle_Map"]),
    ("DensePool", &["DenseSlotMap", "sparse set"]),
    ("Table", &["SoA", "struct of arrays"]),
    ("SideMap", &["SecondaryMap", "component"]),
    ("BuildHandleHasher", &["SparseSecondaryMap"]),
    ("World", &["ecs", "entities", "registry", "scene"]),
    ("saved_form", &["save", "serialize", "load"]),
    ("Relink", &["remap"]),
    ("copy_group", &["prefab"]),
    ("audit", &["dangling"]),
    ("ZiiPool", &["zero is initialised", "null object"]),
    ("Spawner", &["CommandBuffer"]),
    ("Handle", &["Key", "DefaultKey", "new_key_type", "Entity", "weak reference", "ABA"]),
    ("NIL", &["null", "DANGLING"]),
    ("generation", &["version"]),
    ("to_bits", &["as_ffi", "save", "serialize", "to_integral"]),
    ("from_bits", &["from_ffi", "load", "deserialize"]),
    ("from_parts", &["from_raw_parts"]),
    ("HandleError", &["stale handle", "dangling"]),
    ("insert", &["push", "add", "alloc", "spawn", "create", "emplace"]),
    ("insert_with", &["insert_with_key", "vacant_entry"]),
    ("insert_at", &["undo", "restore", "spawn_at", "load"]),
    ("reserve_handle", &["vacant_entry", "vacant_key", "reserve_entity"]),
    ("reserve", &["reserve"]),
    ("fill", &["reattach"]),
    ("take", &["detach"]),
    ("remove", &["despawn", "delete", "free", "erase", "destroy", "kill", "try_remove"]),
    ("retain", &["iterate and remove"]),
    ("extract_if", &["iterate and remove", "drain_filter"]),
    ("contains", &["contains_key", "is_valid", "valid", "alive", "is_alive"]),
    ("get", &["resolve", "upgrade"]),
    ("get_disjoint_mut", &["get2_mut", "get_many_mut", "get_disjoint_mut"]),
    ("handles", &["keys"]),
    ("handle_at", &["get_by_slot", "get_unknown_gen"]),
    ("iter_mut", &["query_mut", "each"]),
    ("join", &["query", "view"]),
    ("split", &["insert while iterating", "command buffer", "deferred"]),
    ("end_frame", &["flush", "merge"]),
    ("with_jobs", &["threads", "spawn in parallel"]),
    ("clone_from", &["rollback", "checkpoint", "snapshot"]),
    ("shrink_to_fit", &["compact", "trim"]),
    ("as_slice", &["GPU", "values_as_slice"]),
    ("par_iter", &["par_iter"]),
];

/// The chapters, their headings in lower case, and whether code that runs follows before the next
/// one.
fn headings() -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for chapter in CHAPTERS {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(chapter)).unwrap();
        let mut in_code = false;
        for line in text.lines() {
            if line == "```rust" {
                found.last_mut().expect("a chapter begins with a heading").1 = true;
            }
            in_code ^= line.starts_with("```");
            if !in_code && line.starts_with('#') {
                found.push((line.trim_start_matches('#').trim().replace('`', "").to_lowercase(), false));
            }
        }
    }
    found
}

/// What the search knows: words, and the items that it finds by them.
#[derive(Default)]
struct Index {
    found: BTreeSet<(String, String)>,
    /// Types with aliases that are lost: rustdoc shows them in another module than they are in.
    lost: Vec<String>,
}

impl Index {
    fn of_reference() -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/tenure/src");
        let crate_page = fs::read_to_string(sources.join("lib.rs")).unwrap();
        let mut index = Self::default();
        index.read_source(&crate_page, true);
        for path in rust_files(&sources) {
            let module = path.strip_prefix(&sources).unwrap().with_extension("");
            // What is in a folder is part of a private module, and is shown in the one above, but
            // for the pages.
            let is_public =
                module.starts_with("docs") || crate_page.contains(&format!("pub mod {};", module.display()));
            if module != Path::new("lib") {
                index.read_source(&fs::read_to_string(&path).unwrap(), is_public);
            }
        }
        index
    }

    fn read_source(&mut self, source: &str, is_public: bool) {
        let mut aliases: Vec<String> = Vec::new();
        let mut in_alias = false;
        for line in source.lines() {
            in_alias |= line.trim_start().starts_with("#[doc(alias");
            if in_alias {
                aliases.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
                in_alias = !line.ends_with(")]");
            } else if let Some(name) = item(line.trim_start()) {
                self.found.insert((name.to_owned(), name.to_owned()));
                let is_method = line.starts_with(' ');
                if is_method || is_public {
                    self.found.extend(aliases.drain(..).map(|alias| (alias, name.to_owned())));
                } else if !aliases.is_empty() {
                    aliases.clear();
                    self.lost.push(name.to_owned());
                }
            }
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The name of the item that a line declares, or shows in another module.
fn item(line: &str) -> Option<&str> {
    let kinds = ["const fn ", "fn ", "struct ", "enum ", "trait ", "type ", "const ", "mod "];
    // It is part of a trait, so it does not say `pub`.
    let declared = line.strip_prefix("pub ").or_else(|| line.starts_with("fn clone_from(").then_some(line))?;
    if let Some(path) = declared.strip_prefix("use ") {
        return path.strip_suffix(';')?.rsplit("::").next();
    }
    let declared = kinds.iter().find_map(|kind| declared.strip_prefix(kind))?;
    declared.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn every_task_has_a_heading_with_an_example_that_runs() {
    let headings = headings();
    for (task, heading, _) in TASKS {
        let wanted = if heading.is_empty() { task } else { heading }.to_lowercase();
        assert!(headings.contains(&(wanted, true)), "no heading with an example that runs: {task}");
    }
}

#[test]
fn every_task_is_in_the_list_of_tasks() {
    let list =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tasks.md")).unwrap().replace('`', "");
    for (task, ..) in TASKS {
        assert!(list.contains(&format!("\n| {task} |")), "tasks.md has no line: {task}");
    }
}

#[test]
fn the_search_of_the_reference_knows_every_task_and_every_word() {
    let index = Index::of_reference();
    let tasks = TASKS.iter().map(|(task, _, item)| (*task, *item));
    let words = WORDS.iter().flat_map(|(item, words)| words.iter().map(move |word| (*word, *item)));
    // The compiler takes no apostrophe in an alias, and the search no hyphen.
    let wanted = tasks.chain(words).map(|(word, item)| (word.replace('\'', "").replace('-', " "), item.to_owned()));
    let missing: Vec<_> = wanted.filter(|word| !index.found.contains(word)).collect();
    assert_eq!(missing, [], "words, and items that the search does not find by them");
}

#[test]
fn no_alias_is_lost() {
    assert_eq!(Index::of_reference().lost, [""; 0], "put the aliases of these types where lib.rs says `pub use`");
}
