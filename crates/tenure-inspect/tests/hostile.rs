//! Malicious documents: refused with a reason, or shown without harm.
#![forbid(unsafe_code)]

#[path = "support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use support::{NO_ARGS, file, inspect, inspect_input};
use tenure::Pool;

#[test]
fn deep_nesting_is_refused_in_every_format() {
    let deep = 1_000_000;
    for bytes in [vec![b'['; deep], vec![0x91; deep], vec![0x81; deep], b"[(".repeat(deep / 2)] {
        let answer = inspect_input(&bytes, &[]);
        assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{answer:?}");
    }
    for format in ["json", "ron", "toml", "yaml", "messagepack", "cbor"] {
        for byte in [b'[', b'{', b'(', 0x81, 0x91, 0xc1] {
            let answer = inspect_input(&vec![byte; 100_000], &["--format", format]);
            assert_eq!(answer.code, Some(2), "{format} {byte}: {answer:?}");
        }
    }
    let nested = "[".repeat(100) + r#"{"version":1,"slots":[]}"# + &"]".repeat(100);
    assert_eq!(inspect_input(nested.as_bytes(), &[]).code, Some(0));
}

const SAVE: &str = r#"{"world":{"version":1,"slots":[{"0v1":{"name":"Grik","hp":[1,2.5,-3]}},"1v1 pending"]}}"#;

#[test]
fn truncated_files_are_refused() {
    let value: serde_json::Value = serde_json::from_str(SAVE).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(&value, &mut cbor).unwrap();
    let pool: Pool<(&str, [u8; 3])> = Pool::from([("Grik", [1, 2, 3]), ("Snag", [4, 5, 6])]);
    let documents = [
        SAVE.as_bytes().to_vec(),
        ron::to_string(&pool).unwrap().into_bytes(),
        rmp_serde::to_vec(&value).unwrap(),
        rmp_serde::to_vec(&(pool, "the end")).unwrap(), // no field has a name
        cbor,
    ];
    for whole in documents {
        assert_eq!(inspect_input(&whole, &[]).code, Some(0));
        for length in (1..whole.len()).step_by(7) {
            let answer = inspect_input(&whole[..length], &[]);
            assert!(answer.code == Some(2) && answer.output.is_empty(), "{length}: {answer:?}");
            assert!(answer.error.starts_with("error: -: "), "{answer:?}");
        }
    }
}

/// A text in lines has no end mark, so a part of it may be a whole document. Then its slots are
/// shown, and no others.
#[test]
fn truncated_lines_are_refused_or_shown() {
    let value: serde_json::Value = serde_json::from_str(SAVE).unwrap();
    for (format, whole) in
        [("yaml", serde_norway::to_string(&value).unwrap()), ("toml", toml::to_string(&value).unwrap())]
    {
        let args = ["--format", format];
        assert!(inspect_input(whole.as_bytes(), &args).output.contains("2: 1 live, 1 pending"), "{whole}");
        for length in 1..whole.len() {
            let answer = inspect_input(&whole.as_bytes()[..length], &args);
            match answer.code {
                Some(0) => answer.says(&[" 1 live, "]),
                code => assert!(matches!(code, Some(1 | 2)), "{format} {length}: {answer:?}"),
            }
            assert!(!answer.error.contains("panicked"), "{format} {length}: {answer:?}");
        }
    }
}

#[test]
fn duplicate_keys_are_noted() {
    let pool = r#"{"version":1,"slots":[{"0v1":1}]}"#;
    let path = file("twice.json", format!(r#"{{"world":{pool},"world":{pool}}}"#));
    let answer = inspect(&path, NO_ARGS);
    assert!(answer.code == Some(0) && answer.output.contains("note: /world: the key occurs twice"), "{answer:?}");
    let at = inspect(&path, ["--at", "world"]);
    assert!(at.code == Some(2) && at.error.contains("the key `world` occurs twice"), "{at:?}");
}

#[test]
fn very_many_containers_are_counted_and_not_all_printed() {
    let pool = r#"{"version":1,"slots":[{"0v1":"0v1"}]}"#;
    let path = file("many.json", format!("[{}]", vec![pool; 110_000].join(",")));
    let begin = Instant::now();
    let answer = inspect(&path, NO_ARGS);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert_eq!(answer.code, Some(0), "{}", answer.error);
    answer.says(&[
        "100,000 containers",
        "and 99,980 more containers: --all lists them",
        "note: only the first 100,000",
    ]);
    assert!(answer.output.lines().count() < 250, "{}", answer.output.lines().count());
}

#[test]
fn a_map_of_dangling_references_stays_short() {
    let many = vec!["\"7v1\""; 300_000].join(",");
    let path = file("dangling.json", format!(r#"{{"a":{{"version":1,"slots":[{{"0v1":[{many}]}}]}}}}"#));
    let answer = inspect(&path, NO_ARGS);
    answer.says(&["300,000 dangling", "and 299,980 more"]);
}

#[test]
fn numbers_at_the_limits_do_not_panic() {
    for slots in [
        r#""4294967295v1""#,
        r#"{"0v4294967295":1}"#,
        r#""0v99999999999""#,
        r#"[18446744073709551615]"#,
        r#"[0,18446744073709551615,1]"#,
        r#"[-1]"#,
        r#"[1.5]"#,
        r#""0v1#4294967295""#,
        r#"{"0v1":{"a":18446744073709551615}}"#,
    ] {
        for extra in ["", r#","next":4294967295"#, r#","tag":4294967295"#, r#","limit":0"#, r#","floor":4294967295"#]
        {
            let json = format!(r#"{{"version":1,"slots":[{slots}]{extra}}}"#);
            let answer = inspect_input(json.as_bytes(), &["--refs", "*"]);
            assert!(matches!(answer.code, Some(0 | 1)), "{json}: {answer:?}");
        }
    }
}

/// Changes every byte of a valid document, in each format. The program must print a result or an
/// error.
#[test]
fn flipped_bytes_do_not_panic() {
    let save = r#"{"w":{"version":1,"entities":{"version":1,"slots":[{"0v1":"0v1"},"1v1"]},"ids":[1]}}"#;
    let value: serde_json::Value = serde_json::from_str(save).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(&value, &mut cbor).unwrap();
    for whole in [save.as_bytes().to_vec(), rmp_serde::to_vec(&value).unwrap(), cbor] {
        for place in (0..whole.len()).step_by(3) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            let answer = inspect_input(&bytes, &[]);
            assert!(matches!(answer.code, Some(0..=2)), "{place}: {answer:?}");
            assert!(!answer.error.contains("panicked"), "{answer:?}");
        }
    }
}
