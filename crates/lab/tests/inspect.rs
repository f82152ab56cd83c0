//! `lab inspect` is `tenure-inspect`.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::Command;

#[test]
fn a_saved_world_is_printed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tenure/tests/saved/v1/world.json");
    let output = Command::new(env!("CARGO_BIN_EXE_lab")).arg("inspect").arg(file).output().expect("it starts");
    let printed = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(output.status.success() && printed.contains("\n/: world, version 1\n"), "{printed}");
}

#[test]
fn errors_have_their_exit_codes() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_lab")).args(["inspect", "no such file"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
}
