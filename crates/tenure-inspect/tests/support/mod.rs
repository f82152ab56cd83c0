//! Runs the program on test files.
#![allow(dead_code, reason = "not every test uses every function")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The output of the program, and its exit code.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
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
    let result = command.output().expect("the program starts");
    let [output, error] = [result.stdout, result.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    Answer { code: result.status.code(), output, error }
}

/// Runs the program with bytes on standard input.
pub(crate) fn inspect_input(bytes: &[u8], args: &[&str]) -> Answer {
    let mut command = command();
    command.arg("-").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that fails early closes the pipe.
    let _ = child.stdin.take().expect("there is a pipe").write_all(bytes);
    let result = child.wait_with_output().expect("the program ends");
    let [output, error] = [result.stdout, result.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    Answer { code: result.status.code(), output, error }
}

/// One of the library's golden files.
pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tenure/tests/saved/v1").join(name)
}

/// Writes a file for one test.
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
        let mut lines = self.output.lines().skip(1).skip_while(|line| !line.starts_with(&start)).peekable();
        assert!(lines.peek().is_some(), "no {path} in {}{}", self.output, self.error);
        lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Checks that the output for the only container contains all of this.
    #[track_caller]
    pub(crate) fn says(&self, words: &[&str]) {
        for word in words {
            assert!(self.output.contains(word), "{word:?} in {}{}", self.output, self.error);
        }
    }
}
