//! The program as a user runs it.
#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SMALL: [&str; 4] = ["--frames", "30", "--enemies", "500"];

fn lab(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(args);
    // The settings of the tester's terminal must not matter.
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(args: &[&str]) -> Output {
    lab(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is UTF-8")
}

/// The figures of the first line of the final table that begins with these words.
fn figures(output: &str, words: &str) -> Vec<u64> {
    let table = &output[output.find("The count").expect("there is a table")..];
    let line = table.lines().find(|line| line.trim_start().starts_with(words)).expect("the line is there");
    line.trim_start()[words.len()..].split_whitespace().map(|word| word.replace(',', "").parse().unwrap()).collect()
}

#[test]
fn the_story_ends_with_no_mistake_by_handle_and_many_by_index() {
    let output = run(&SMALL);
    assert!(output.status.success());
    for words in ["the wrong creature", "stale, and resolved to another creature", "jars carried by another creature"]
    {
        let counts = figures(text(&output.stdout), words);
        assert!(counts[0] > 0 && counts[1] == 0, "{words}: {counts:?}");
    }
}

#[test]
fn a_pipe_gets_plain_text() {
    let output = run(&SMALL);
    assert!(!output.stdout.contains(&0x1b));
    assert!(output.stderr.is_empty());
}

#[test]
fn colours_are_used_on_request() {
    let plain = run(&SMALL);
    let coloured = run(&[&SMALL[..], &["--color", "always"]].concat());
    assert!(coloured.stdout.contains(&0x1b));
    let never = run(&[&SMALL[..], &["--color", "never"]].concat());
    assert_eq!(never.stdout, plain.stdout);
}

#[test]
fn the_same_seed_prints_the_same_story() {
    let with_seed = |seed| run(&[&SMALL[..], &["--seed", seed]].concat()).stdout;
    assert_eq!(with_seed("1"), with_seed("1"));
    assert_ne!(with_seed("1"), with_seed("2"));
}

#[test]
fn lines_fit_on_a_screen() {
    let output = run(&SMALL);
    let longest = text(&output.stdout).lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(110), "{longest:?}");
}

#[test]
fn quiet_prints_the_table_only() {
    let output = run(&[&SMALL[..], &["--quiet"]].concat());
    assert!(text(&output.stdout).starts_with("The count"));
    assert!(!text(&output.stdout).contains("Where to go next"));
}

#[test]
fn help_lists_every_flag() {
    let output = run(&["--help"]);
    assert!(output.status.success());
    for flag in
        ["--frames", "--enemies", "--seed", "--plain", "--seconds", "--color", "--quiet", "--help", "--version"]
    {
        assert!(text(&output.stdout).contains(flag), "{flag}");
    }
}

#[test]
fn bad_arguments_are_explained() {
    let cases: [&[&str]; 12] = [
        &["--frames", "0"],
        &["--enemies", "many"],
        &["--color", "pink"],
        &["--speed"],
        &["chicken"],
        &["report", "--speed"],
        &["--seconds", "0"],
        &["--seconds", "1", "--plain"],
        &["inspect"],
        &["inspect", "a.json", "b.json"],
        &["inspect", "a.json", "--as", "goblin"],
        &["inspect", "a.json", "--layout", "narrow"],
    ];
    for args in cases {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_reader_may_close_the_pipe_early() {
    for args in [&SMALL[..], &["--help"]] {
        let mut child = lab(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{args:?}: {:?}", output.status);
        assert!(output.stderr.is_empty(), "{args:?}: {}", text(&output.stderr));
    }
}

/// The output of the program on a terminal of 80 × 24, if the command `script` exists.
#[cfg(target_os = "linux")]
fn on_a_terminal(args: &str) -> Option<String> {
    let line = format!("stty rows 24 cols 80; exec '{}' {args}", env!("CARGO_BIN_EXE_lab"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm-256color").stdin(Stdio::null());
    let output = script.output().ok()?;
    assert!(output.status.success(), "{args}: {}", text(&output.stdout));
    Some(text(&output.stdout).into())
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_the_gallery_and_is_restored() {
    let Some(output) = on_a_terminal("--seconds 1") else { return };
    let [enters, leaves] = ["\x1b[?1049h", "\x1b[?1049l"].map(|sequence| output.find(sequence));
    assert!(enters.is_some() && enters < leaves, "{output}");
    let farewell = &output[leaves.unwrap()..];
    assert!(farewell.contains("The count at frame"), "{farewell}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_plain_text_on_request() {
    for flag in ["--plain", "--quiet"] {
        let Some(output) = on_a_terminal(&format!("{} {flag}", SMALL.join(" "))) else { return };
        assert!(!output.contains("\x1b[?1049h") && output.contains("The count at frame 30"), "{output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = lab(&SMALL).stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: cannot write"));
}

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    path
}

/// The page of a quick report, with these results of `cargo versus`.
fn report(name: &str, versus: &Path) -> (Output, Option<String>) {
    let out = directory(name).join("report.html");
    let mut command = lab(&["report", "--quick"]);
    command.arg("--out").arg(&out).arg("--versus").arg(versus);
    let output = command.output().expect("the program starts");
    (output, fs::read_to_string(out).ok())
}

const GRID: &str = r#"{"machine": {"cpu": "A CPU", "os": "an os", "rustc": "rustc 1"}, "rounds": 5,
    "contenders": [{"name": "Pool", "role": "subject"}, {"name": "<SlotMap>", "role": "rival"}],
    "operations": [{"operation": "iterate for", "about": "per value", "ratio": {"middle": 1.4, "low": 1.2, "high": 1.5}, "behind": false}],
    "cells": [{"operation": "iterate for", "unit": "ns", "bytes": 8, "count": 1000000, "best_peer": "<SlotMap>", "behind": false,
        "ratio": {"middle": 1.4, "low": 1.2, "high": 1.5}, "figures": {"Pool": {"median": 1.0}, "<SlotMap>": {"median": 1.4}}}]}"#;

const SHEETS: &str = r#"{"machine": {"cpu": "A CPU", "os": "an os", "rustc": "rustc 1"}, "sheets": [{"title": "Growing", "about": "with `realloc`",
    "grids": [{"header": ["", "µs"], "rows": [{"name": "StablePool", "figures": [1.5, null]}]}],
    "findings": [{"what": "worst", "measured": {"middle": 2, "low": 2, "high": 2}, "bound": {"at_most": 1.0}, "unit": "times"}],
    "curves": [{"name": "c", "title": "worst insert", "unit": "µs", "lines": [{"name": "StablePool", "points": [[1, 0.5], [1000, 20]]}]}]}]}"#;

/// A directory with results of two parts.
fn figures_in(name: &str) -> PathBuf {
    let versus = directory(name);
    fs::write(versus.join("versus.json"), GRID).unwrap();
    fs::write(versus.join("memory.json"), SHEETS).unwrap();
    versus
}

#[test]
fn the_report_is_one_small_self_contained_page() {
    let (output, page) = report("report-whole", &figures_in("versus-whole"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = page.expect("the page is there");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    for outside in ["http:", "https:", "src=", "@import", "url(", "<script", "//"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let headings =
        ["A battle, by index", "Memory maps", "Growth", "side by side", "Against peers", "Kinds of memory"];
    for words in
        headings.into_iter().chain(["iterate for", "1.40×", "&lt;SlotMap&gt;", "1 missed", "<code>realloc</code>"])
    {
        assert!(page.contains(words), "{words:?} is not there");
    }
}

#[test]
fn the_report_is_well_formed() {
    let (_, page) = report("report-formed", &figures_in("versus-formed"));
    let page = page.expect("the page is there");
    for element in ["html", "body", "section", "table", "tr", "figure", "svg", "div", "p", "ul", "details"] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(ids.iter().filter(|id| **id == link).count(), 1, "{link}");
    }
}

#[test]
fn the_report_explains_how_to_get_missing_results() {
    let none = directory("versus-none");
    fs::write(none.join("memory.json"), SHEETS).unwrap();
    let (output, page) = report("report-without", &none);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(page.is_some_and(|page| page.contains("cargo versus --memory")));
}

#[test]
fn bad_results_are_named_and_no_page_is_written() {
    let files = directory("versus-bad");
    let [empty, broken] = ["empty", "broken.json"].map(|name| files.join(name));
    fs::create_dir(&empty).unwrap();
    fs::write(&broken, r#"{"rounds": "many"}"#).unwrap();
    let cases =
        [(files.join("none.json"), "cannot read"), (empty, "there are no results"), (broken, "is not a result")];
    for (path, words) in cases {
        let (output, page) = report("report-bad", &path);
        assert_eq!((output.status.code(), page), (Some(1), None), "{words}");
        let message = text(&output.stderr);
        assert!(message.starts_with("error: ") && message.contains(words), "{message}");
        assert!(message.contains(path.file_name().unwrap().to_str().unwrap()), "{message}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let out = directory("report-nowhere").join("no such directory").join("report.html");
    let output = lab(&["report", "--quick", "--out"]).arg(&out).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write"), "{}", text(&output.stderr));
}

/// The page does not overwrite the results that it shows.
#[test]
fn a_report_never_overwrites_its_results() {
    let folder = figures_in("versus-precious");
    let figures = folder.join("versus.json");
    let before = fs::read(&figures).expect("there are figures");
    let link = folder.join("report.html");
    let _ = fs::remove_file(&link);
    fs::hard_link(&figures, &link).expect("a link can be made");
    for out in [&figures, &link] {
        for versus in [&folder, &figures] {
            let output = lab(&["report", "--quick", "--versus"]).arg(versus).arg("--out").arg(out).output().unwrap();
            assert!(!output.status.success(), "{out:?}");
            assert!(text(&output.stderr).ends_with("it is a file of results\n"), "{}", text(&output.stderr));
            assert_eq!(fs::read(&figures).unwrap(), before, "{out:?}");
        }
    }
}
