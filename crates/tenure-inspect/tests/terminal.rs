//! Lines fit into a terminal of 80 columns.
#![forbid(unsafe_code)]

#[path = "support/mod.rs"]
mod support;

use support::{answer, command, file};

#[test]
fn no_line_is_wider_than_the_terminal() {
    let name = "a_rather_long_name_of_a_field_".repeat(4);
    let slot = |index: u32| {
        format!(
            r#"{{"{index}v2147483000":{{"{name}":["Creature(4294967v7)","日本語日本語日本語日本語日本語(9v9)"]}}}}"#
        )
    };
    let slots: Vec<_> = (0..200).map(slot).chain(["\"200v1\"".into(), "\"201v7 pending\"".into()]).collect();
    let pool = format!(r#"{{"version":1,"slots":[{}]}}"#, slots.join(","));
    let world = format!(r#"{{"version":1,"entities":{pool}}}"#);
    let broken =
        r#"{"version":1,"slots":["0v1","a long text that is no slot at all, with many words in it, and more"]}"#;
    let json = format!(
        r#"{{"{name}":{{"{name}":{pool}}},"w":{world},"x":{broken},"y":{{"version":1,"tag":5,"slots":["0v1#5"]}}}}"#
    );
    let path = file("wide.json", json);
    for columns in [80, 60, 100] {
        for args in [&["--details"][..], &[], &["--all"], &["--details", "--color", "always"]] {
            let output = answer(command().arg(&path).args(args).env("COLUMNS", columns.to_string())).output;
            let plain = anstream::adapter::strip_str(&output).to_string();
            // The map has 64 cells, and needs that width.
            let most = columns.max(80);
            for line in plain.lines() {
                let width = tenure_inspect::output::columns(line);
                assert!(width <= most, "{width} of {columns} columns: {line}");
                assert_eq!(line.trim_end(), line);
            }
            assert!(plain.contains("refused") && plain.contains('…'), "{plain}");
        }
    }
    // In a pipe nothing is cut.
    assert!(!answer(command().arg(&path)).output.contains('…'));
}
