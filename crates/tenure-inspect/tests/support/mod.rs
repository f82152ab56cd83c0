//! Runs the program on files of its own.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the program says about a file, and its exit code.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) told: String,
    pub(crate) error: String,
}

pub(crate) const NO_ARGS: [&str; 0] = [];

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenure-inspect"));
    command.env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command
}

pub(crate) fn inspect<S: AsRef<OsStr>>(file: &Path, args: impl IntoIterator<Item = S>) -> Answer {
    answer(command().arg(file).args(args))
}

pub(crate) fn answer(command: &mut Command) -> Answer {
    let output = command.output().expect("the program starts");
    let [told, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    Answer { code: output.status.code(), told, error }
}

/// The program with bytes on standard input.
pub(crate) fn inspect_input(bytes: &[u8], args: &[&str]) -> Answer {
    let mut command = command();
    command.arg("-").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that refuses early closes the pipe.
    let _ = child.stdin.take().expect("there is a pipe").write_all(bytes);
    let output = child.wait_with_output().expect("the program ends");
    let [told, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    Answer { code: output.status.code(), told, error }
}

/// One of the files that the library keeps so that it can read them in every later version.
pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tenure/tests/saved/v1").join(name)
}

/// A file of its own for one test.
pub(crate) fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the file can be written");
    path
}

impl Answer {
    /// The block of a container: the lines from its path up to an empty one.
    #[track_caller]
    pub(crate) fn block(&self, path: &str) -> String {
        let start = format!("{path}: ");
        let mut lines = self.told.lines().skip(1).skip_while(|line| !line.starts_with(&start)).peekable();
        assert!(lines.peek().is_some(), "no {path} in {}{}", self.told, self.error);
        lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The only container says all of this.
    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.told.contains(word), "{word:?} in {}{}", self.told, self.error);
        }
    }
}
