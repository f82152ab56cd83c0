//! The program `tenure-inspect` as a user, or a script, runs it.
#![forbid(unsafe_code)]

#[path = "support/mod.rs"]
mod support;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use support::{NO_ARGS, answer, command, file, inspect, inspect_input, sample};
use tenure::{Handle, Row, Table};

#[test]
fn a_pool_is_printed() {
    let answer = inspect(&sample("pool.json"), NO_ARGS);
    assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""));
    answer.says(&["pool.json: JSON, 1 container, 2 references, 1 dangling\n", "\n/: pool, version 1\n"]);
    answer.says(&["slots        3: 1 live, 1 pending, 1 vacant, 0 retired\n", "generations  v1\n"]);
    assert!(answer.output.contains("  ·?1\n"), "{}", answer.output);
    assert!(!answer.output.contains('\x1b'), "a pipe gets plain text");
    assert!(answer.output.lines().all(|line| line == line.trim_end()), "{:?}", answer.output);
}

#[test]
fn a_table_is_printed() {
    let answer = inspect(&sample("table.json"), NO_ARGS);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.says(&["\n/: table, version 1\n", "  1·1\n", "3: 2 live, 0 pending, 1 vacant, 0 retired\n"]);
}

#[test]
fn a_world_is_printed() {
    let answer = inspect(&sample("world.json"), NO_ARGS);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.says(&["\n/: world, version 1\n", "64: 3 live, 1 pending, 60 vacant, 0 retired\n"]);
    answer.says(&["1 pending, 1 dying, 1 staged, 1 permanent, 60 reserved,", "0 freed, last id 4\n"]);
}

#[test]
fn ron_is_printed_like_json() {
    let text = r#"(version: 1, limit: Some(9), slots: ["0v1", {"1v1": Goblin(kind: Elf, target: Some("0v1"))}])"#;
    let answer = inspect(&file("goblins.ron", text), NO_ARGS);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.says(&[
        "goblins.ron: RON",
        "2: 1 live, 0 pending, 1 vacant, 0 retired, limit 9\n",
        "1v1.target  0v1  removed",
    ]);
    let broken = inspect(&file("broken.ron", text.replace("1v1", "2v1")), NO_ARGS);
    assert_eq!(broken.code, Some(1));
    broken.says(&[
        "/: pool, refused\n",
        "reason       slot 2 found where slot 1 was expected\n",
        "place        /slots/1,",
    ]);
}

#[test]
fn a_refused_container_has_a_reason_and_a_position() {
    let cases = [
        ("{\"version\": 1,\n\"slots\": [\"1v1\"]}", "slot 1 found where slot 0 was expected", "/slots/0, line 2"),
        ("{\"version\": 1, \"slots\": [{\"1v1\": 7}, {\"0v1\": 7}, \"0v1\"]}", "slot 0 occurs twice", "/, line 1"),
        ("{\"version\": 2, \"slots\": []}", "version 2 of the saved form", "/version"),
        ("{\"version\": 1, \"entities\": {\"version\": 1, \"slots\": []}, \"dying\": [\"0v1\"]}", "dying", "/"),
        ("{\"version\": 1, \"slots\": [\"0v1\"], \"\\u001b[2J\": 1}", "unknown field `\\u{1b}[2J`", "/"),
        ("{\"version\": 1, \"slots\": [], \"slots\": []}", "duplicate field `slots`", "/"),
    ];
    for (text, words, place) in cases {
        let answer = inspect(&file("broken.json", text), NO_ARGS);
        assert_eq!(answer.code, Some(1), "{text}: {answer:?}");
        answer.says(&["refused", words, &format!("place        {place}")]);
        assert!(answer.error.ends_with("broken.json: 1 container is refused\n"), "{}", answer.error);
    }
}

#[test]
fn an_unknown_format_lists_what_was_tried() {
    let cases = [
        ("half.json", "{\"version\": 1, \"slots\": [", &["JSON", "EOF while parsing", "line 1", "RON"][..]),
        ("words.txt", "These are words.", &["RON", "TOML", "line 1", "YAML", "one plain value"]),
    ];
    for (name, text, words) in cases {
        let answer = inspect(&file(name, text), NO_ARGS);
        assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{text}");
        for words in words {
            assert!(answer.error.contains(words) && answer.error.contains(name), "{words}: {}", answer.error);
        }
    }
}

#[test]
fn a_document_without_a_container_is_an_error() {
    for text in ["[]", "{}", "{\"version\": 1, \"slots\": [\"sword\"]}", "{\"slots\": []}", "7 "] {
        let answer = inspect(&file("none.json", text), NO_ARGS);
        assert_eq!((answer.code, answer.output.as_str()), (Some(1), ""), "{text}: {answer:?}");
        assert!(
            answer.error.contains("read as JSON, and there is no pool, table or world in it"),
            "{}",
            answer.error
        );
    }
    let near = inspect(&file("near.json", "{\"slots\": []}"), NO_ARGS);
    assert!(near.error.contains("The document itself is not a container: missing field `version`"), "{}", near.error);
    let control = inspect(&file("control.json", "{\"name\": \"Gr\u{1}\"}"), NO_ARGS);
    assert!(control.code == Some(1) && control.error.contains("It cannot be read as JSON: control"), "{control:?}");
    let manifest = inspect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"), NO_ARGS);
    assert!(manifest.code == Some(1) && manifest.error.contains("read as TOML"), "{manifest:?}");
}

#[test]
fn the_kind_can_be_named() {
    let answer = inspect(&sample("table.json"), ["--as", "pool"]);
    assert_eq!(answer.code, Some(1));
    answer.says(&["pool, refused", "slot 2 found where slot 0 was expected"]);
    let answer = inspect(&file("either.json", r#"{"version":1,"slots":[{"0v1":7}]}"#), ["--as", "table"]);
    assert!(answer.code == Some(0) && answer.output.contains("/: table"), "{answer:?}");
}

#[test]
fn a_layout_that_fits_is_used_and_can_be_given() {
    let worn = file("worn.json", r#"{"version":1,"next":1,"slots":["0v2048","1v1"]}"#);
    let tagged = file("tagged.json", r#"{"version":1,"tag":5,"slots":[{"0v1#5":["0v1#5","0v1"]}]}"#);
    for (file, layout) in [(&worn, "compact"), (&tagged, "tagged=8")] {
        let answer = inspect(file, NO_ARGS);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.says(&[&format!("layout       {layout} (a guess: it fits, and wide does not,")]);
        assert_eq!(inspect(file, ["--layout", layout]).code, Some(0));
        assert_eq!(inspect(file, ["--layout", "wide"]).code, Some(1));
    }
    inspect(&worn, NO_ARGS)
        .says(&["2: 0 live, 0 pending, 1 vacant, 1 retired\n", "word: missing, although slots are free"]);
    let answer = inspect(&tagged, ["--refs", "*"]);
    assert_eq!(answer.code, Some(1));
    answer.says(&["0v1#5[1]  0v1  has another tag"]);
}

#[test]
fn dangling_references_are_listed_and_errors_with_refs() {
    let path = sample("pool.json");
    let free = inspect(&path, NO_ARGS);
    assert_eq!(free.code, Some(0), "a stale handle alone is not an error");
    assert!(free.output.contains("1 dangling\n  2v1.friends[0]  0v1  removed\n"), "{}", free.output);
    for fields in ["friends", "target,friends", "*"] {
        let strict = inspect(&path, ["--refs", fields]);
        assert_eq!((strict.code, strict.output.as_str()), (Some(1), free.output.as_str()), "{fields}");
        assert!(strict.error.ends_with("pool.json: 1 reference dangles\n"), "{}", strict.error);
    }
    let other = inspect(&path, ["--refs", "target"]);
    assert_eq!((other.code, other.error.as_str()), (Some(0), ""));
    let unknown = inspect(&path, ["--refs", "taget"]);
    assert!(unknown.error.starts_with("warning: ") && unknown.error.contains("no value has a field `taget`"));
}

#[test]
fn many_dangling_references_are_listed_on_request() {
    let goblins = vec!["7v1"; 30];
    let text = format!(r#"{{"version":1,"slots":[{{"0v1":{goblins:?}}}]}}"#);
    let path = file("lost.json", &text);
    let answer = inspect(&path, NO_ARGS);
    assert!(answer.output.contains("30 dangling") && answer.output.contains("and 10 more"), "{}", answer.output);
    assert!(!answer.output.contains("0v1[29]"));
    assert!(inspect(&path, ["--all"]).output.contains("0v1[29]  7v1  never issued"));
}

#[test]
fn a_picture_is_written() {
    let svg = Path::new(env!("CARGO_TARGET_TMPDIR")).join("world.svg");
    let _ = fs::remove_file(&svg);
    let answer = inspect(&sample("world.json"), [OsStr::new("--svg"), svg.as_os_str()]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let picture = fs::read_to_string(&svg).expect("the picture was written");
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>"), "{picture}");
    for words in [">world.json: a world, version 1", ">v1</text>", ">vacant</text>", ">pending</text>"] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
}

#[test]
fn a_picture_never_overwrites_the_file() {
    let text = r#"{"version":1,"slots":[{"0v1":7}]}"#;
    let path = file("precious.json", text);
    let answer = inspect(&path, [OsStr::new("--svg"), path.as_os_str()]);
    assert!(answer.code == Some(2) && answer.error.starts_with("error: cannot write"), "{answer:?}");
    assert_eq!(fs::read_to_string(path).unwrap(), text);
    let nowhere = inspect(&sample("pool.json"), ["--svg", "no such directory/pool.svg"]);
    assert!(nowhere.code == Some(2) && nowhere.error.contains("pool.svg"), "{nowhere:?}");
}

/// Other names of the file: a hard link, a symbolic link, a path with a detour.
#[cfg(unix)]
#[test]
fn a_picture_never_overwrites_the_file_by_another_name() {
    let text = r#"{"version":1,"slots":[{"0v1":7}]}"#;
    let path = file("precious-too.json", text);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [hard, symbolic, chained] = ["hard.svg", "symbolic.svg", "chained.svg"].map(|name| folder.join(name));
    for link in [&hard, &symbolic, &chained] {
        let _ = fs::remove_file(link);
    }
    fs::hard_link(&path, &hard).unwrap();
    std::os::unix::fs::symlink(&path, &symbolic).unwrap();
    std::os::unix::fs::symlink(&symbolic, &chained).unwrap();
    let detour = folder.join("..").join(folder.file_name().unwrap()).join("precious-too.json");
    for svg in [&hard, &symbolic, &chained, &detour] {
        let answer = inspect(&path, [OsStr::new("--svg"), svg.as_os_str()]);
        assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{svg:?}");
        assert!(answer.error.ends_with("it is the file to inspect\n"), "{answer:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{svg:?}");
    }
    // The inspected file may be a link itself, and another file may be overwritten.
    let answer = inspect(&symbolic, [OsStr::new("--svg"), hard.as_os_str()]);
    assert_eq!((answer.code, fs::read_to_string(&path).unwrap().as_str()), (Some(2), text));
    let other = file("other.svg", "a picture");
    assert_eq!(inspect(&path, [OsStr::new("--svg"), other.as_os_str()]).code, Some(0));
    assert!(fs::read_to_string(other).unwrap().starts_with("<svg"));
}

/// Changes colour or direction, is invisible, or ends a line.
const STEERING: &str = "\u{1b}[31m\u{202e}\u{200b}\u{2066}\u{feff}\u{2028}\u{85}\u{ad}\u{7}";

#[track_caller]
fn controls_nothing(text: &str) {
    let bad = text.chars().find(|c| STEERING.contains(*c) && !c.is_ascii_graphic());
    assert_eq!(bad, None, "{text:?}");
}

/// Neither a document nor the name of a file can control the terminal.
#[cfg(unix)]
#[test]
fn nothing_controls_the_terminal() {
    let check = |path: &Path, args: &[&OsStr], code: i32| {
        let answer = inspect(path, args);
        assert_eq!(answer.code, Some(code), "{answer:?}");
        controls_nothing(&answer.output);
        controls_nothing(&answer.error);
        assert!(
            format!("{}{}", answer.output, answer.error).contains(r"\u{1b}[31m\u{202e}\u{200b}\u{2066}"),
            "{answer:?}"
        );
    };
    // A file with control characters is not text, so they are escaped in it.
    let escape = |c: char| if c.is_ascii_graphic() { c.to_string() } else { format!("\\u{:04x}", c as u32) };
    let inner: String = STEERING.chars().map(escape).collect();
    let json = format!("\"{inner}\"");
    let named = |kind: &str, text: &str| file(&format!("{kind}{STEERING}.json"), text);
    let good = named("good", r#"{"version":1,"slots":[{"0v1":7}]}"#);
    check(&good, &[], 0);
    check(&good, &["--refs".as_ref(), STEERING.as_ref()], 0);
    let svg = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("picture{STEERING}.svg"));
    check(&good, &["--svg".as_ref(), svg.as_ref()], 0);
    let picture = fs::read_to_string(&svg).unwrap();
    controls_nothing(&picture);
    assert!(picture.contains(r"good\u{1b}[31m\u{202e}"), "{picture}");
    check(&good, &["--svg".as_ref(), good.as_ref()], 2);
    check(&good, &["--svg".as_ref(), format!("no such folder/{STEERING}").as_ref()], 2);
    check(Path::new(&format!("no such file{STEERING}")), &[], 2);
    check(&named("bytes", "\u{1}"), &[], 2);
    check(&named("broken", "{"), &[], 2);
    check(&good, &["--at".as_ref(), STEERING.as_ref()], 2);
    check(&good, &["--json".as_ref(), "--at".as_ref(), STEERING.as_ref()], 2);

    let friend = format!(r#"{{"version":1,"slots":[{{"0v1":{{{json}:["X(7v1)"]}}}}]}}"#);
    check(&file("field.json", &friend), &[], 0);
    check(&named("dangling", &friend), &["--refs".as_ref(), "*".as_ref()], 1);
    check(&file("handle.json", friend.replace("X(", &format!("{inner}("))), &[], 0);
    check(&file("unknown.json", format!(r#"{{"version":1,"slots":["0v1"],{json}:1}}"#)), &[], 1);
    check(&file("value.json", format!(r#"{{"version":1,"slots":["0v1",{json}]}}"#)), &[], 1);
    check(&file("path.json", format!(r#"{{{json}:{{"version":1,"slots":[]}}}}"#)), &[], 0);
    let ron = format!(r#"(version:1,slots:["0v1","{}"])"#, r"\u{1b}[31m\u{202e}\u{200b}\u{2066}");
    check(&file("value.ron", &ron), &[], 1);
    let twice = format!(r#"{{{json}:{{"version":1,"slots":[]}},{json}:{{"version":1,"slots":[]}}}}"#);
    check(&file("twice.json", &twice), &[], 0);
}

/// The same for documents in other formats: names of fields and columns, and texts.
#[test]
fn no_format_controls_the_terminal() {
    let check = |path: &Path, code: i32| {
        let answer = inspect(path, NO_ARGS);
        assert_eq!(answer.code, Some(code), "{answer:?}");
        controls_nothing(&answer.output);
        assert!(answer.output.contains(r"\u{1b}[31m\u{202e}\u{200b}\u{2066}"), "{answer:?}");
    };
    let formats = |name: &str, value: serde_json::Value, code: i32| {
        let mut cbor = Vec::new();
        ciborium::into_writer(&value, &mut cbor).unwrap();
        check(&file(&format!("steering-{name}.cbor"), cbor), code);
        check(&file(&format!("steering-{name}.msgpack"), rmp_serde::to_vec(&value).unwrap()), code);
        check(&file(&format!("steering-{name}.yaml"), serde_norway::to_string(&value).unwrap()), code);
        check(&file(&format!("steering-{name}.toml"), toml::to_string(&value).unwrap()), code);
    };
    let pool = json!({"version": 1, "slots": [{"0v1": 7}]});
    formats("path", json!({STEERING: pool}), 0);
    formats("field", json!({"version": 1, "slots": [{"0v1": {STEERING: ["X(7v1)"]}}]}), 0);
    formats("handle", json!({"version": 1, "slots": [{"0v1": [format!("{STEERING}(7v1)")]}]}), 0);
    formats("slot", json!({"version": 1, "slots": ["0v1", STEERING]}), 1);
    formats("unknown", json!({"version": 1, "slots": ["0v1"], STEERING: 1}), 1);

    let mut rows = Table::new();
    let first = rows.insert(Named { a_name_as_long_as_the_text: Handle::NIL });
    rows.insert(Named { a_name_as_long_as_the_text: first });
    rows.remove(first);
    let mut snapshot = rows.to_snapshot();
    let name = b"a_name_as_long_as_the_text";
    let start = snapshot.windows(name.len()).position(|part| part == name).unwrap();
    snapshot[start..start + name.len()].copy_from_slice(format!("_{STEERING}").as_bytes());
    check(&file("steering.snapshot", &snapshot), 0);
}

#[derive(Row)]
#[row(snapshot)]
struct Named {
    a_name_as_long_as_the_text: Handle<Named>,
}

/// JSON for scripts is ASCII, and has the names of the document.
#[test]
fn json_keeps_names_and_controls_nothing() {
    let name = format!("Größe日本🐉\u{7f}{STEERING}");
    let document = json!({name.as_str(): {"version": 1, "slots": [{"0v1": {"größte": ["7v1"]}}]}});
    let answer = inspect(&file("größe.json", document.to_string()), ["--json"]);
    assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""));
    assert!(answer.output.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()), "{}", answer.output);
    let json: serde_json::Value = serde_json::from_str(&answer.output).unwrap();
    let container = &json["containers"][0];
    assert_eq!(container["path"], format!("/{name}"));
    assert_eq!(container["references"]["listed"][0]["place"], "0v1.größte[0]");
    assert!(json["file"].as_str().unwrap().ends_with("größe.json"), "{}", json["file"]);
}

#[test]
fn unreadable_inputs_have_errors_of_their_own() {
    let missing = inspect(Path::new("no such file.json"), NO_ARGS);
    assert_eq!((missing.code, missing.output.as_str()), (Some(2), ""));
    assert!(missing.error.starts_with("error: cannot read no such file.json: "), "{}", missing.error);
    let folder = inspect(Path::new(env!("CARGO_MANIFEST_DIR")), NO_ARGS);
    assert!(folder.code == Some(2) && folder.error.contains("it is a directory, not a file"), "{folder:?}");
    let empty = inspect(&file("empty", ""), NO_ARGS);
    assert!(empty.code == Some(2) && empty.error.contains("is empty"), "{empty:?}");
    let large = inspect(&file("large.json", vec![b' '; 1_000_001]), ["--max-size", "1"]);
    assert!(large.code == Some(2) && large.error.contains("--max-size allows more"), "{large:?}");
    for path in [sample("pool.postcard"), sample("world.postcard"), file("chance.postcard", "AB")] {
        let binary = inspect(&path, NO_ARGS);
        assert_eq!((binary.code, binary.output.as_str()), (Some(2), ""));
        assert!(binary.error.contains("can be read only with the types that were saved"), "{}", binary.error);
    }
    let unnamed = file("unnamed", fs::read(sample("world.postcard")).unwrap());
    let unnamed = inspect(&unnamed, NO_ARGS);
    assert!(matches!(unnamed.code, Some(1 | 2)) && unnamed.output.is_empty(), "{unnamed:?}");
}

#[test]
fn standard_input_is_read() {
    let bytes = fs::read(sample("pool.json")).unwrap();
    let answer = inspect_input(&bytes, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    answer.says(&["-: JSON, 1 container", "3: 1 live, 1 pending"]);
    assert_eq!(inspect_input(&bytes, &["--refs", "friends"]).code, Some(1));
    assert!(inspect_input(b"", &[]).error.contains("is empty"));
    let endless = inspect_input(&vec![b'['; 1_500_000], &["--max-size", "1"]);
    assert!(endless.code == Some(2) && endless.error.contains("more than 1 MB"), "{endless:?}");
}

#[test]
fn an_empty_pool_is_fine() {
    let answer = inspect(&file("empty.json", r#"{"version":1,"slots":[]}"#), ["--refs", "*"]);
    assert_eq!((answer.code, answer.error.as_str()), (Some(0), ""));
    answer.says(&["slots        0: 0 live", "generations  none", "references   none"]);
}

#[test]
fn colours_are_used_on_request() {
    assert!(inspect(&sample("pool.json"), ["--color", "always"]).output.contains("\x1b[38;5;62m■"));
}

#[test]
fn a_reader_may_close_the_pipe_early() {
    let mut command = command();
    command.arg(sample("pool.json")).args(["--refs", "friends"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(1), "the exit code stays 1");
}

#[test]
fn help_has_examples_and_fits_into_80_columns() {
    let help = answer(command().arg("--help"));
    for words in
        ["--svg", "--as", "--layout", "--refs", "--all", "--at", "--json", "Examples:", "Exit codes:", "tagged=8"]
    {
        assert!(help.output.contains(words), "{words}");
    }
    let after = &help.output[help.output.find("Examples:").unwrap()..];
    assert!(after.lines().all(|line| line.chars().count() <= 90), "{after}");
}
