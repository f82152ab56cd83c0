//! The program as its user meets it.
#![forbid(unsafe_code)]

use std::process::{Command, Output, Stdio};

const SMALL: [&str; 4] = ["--frames", "30", "--enemies", "500"];

fn lab(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(args);
    // What the tester's own terminal asks for must not matter.
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
    for words in ["the wrong one", "stale, and led to somebody else", "jars with one who never picked them up"] {
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
fn colours_come_when_asked_for() {
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
fn help_names_every_flag() {
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
    let cases: [&[&str]; 7] = [
        &["--frames", "0"],
        &["--enemies", "many"],
        &["--color", "pink"],
        &["--speed"],
        &["chicken"],
        &["--seconds", "0"],
        &["--seconds", "1", "--plain"],
    ];
    for args in cases {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_reader_may_leave_early() {
    for args in [&SMALL[..], &["--help"]] {
        let mut child = lab(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{args:?}: {:?}", output.status);
        assert!(output.stderr.is_empty(), "{args:?}: {}", text(&output.stderr));
    }
}

/// What the program writes to a terminal of 80 × 24, if there is the command that makes one.
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
fn a_terminal_gets_the_gallery_and_is_given_back() {
    let Some(output) = on_a_terminal("--seconds 1") else { return };
    let [enters, leaves] = ["\x1b[?1049h", "\x1b[?1049l"].map(|sequence| output.find(sequence));
    assert!(enters.is_some() && enters < leaves, "{output}");
    let farewell = &output[leaves.unwrap()..];
    assert!(farewell.contains("The count at frame"), "{farewell}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_plain_text_when_asked_for() {
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
