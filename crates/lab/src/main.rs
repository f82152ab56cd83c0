//! The lab: see what Tenure is for, on something alive.
#![forbid(unsafe_code)]

mod battle;
mod cli;
mod gallery;
mod heat;
mod paint;
mod story;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::story::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let args = &cli.battle;
    let live = !args.plain && !args.quiet && gallery::is_possible();
    exit_code(if live { gallery::run(args, cli.color) } else { story::tell(args, &mut paint::stdout(cli.color)) })
}

/// A reader that has seen enough (`| head`) is no failure; a wrong hit by handle is.
fn exit_code(told: io::Result<Verdict>) -> ExitCode {
    match told {
        Ok(Verdict::AsPromised) => ExitCode::SUCCESS,
        Ok(Verdict::PromiseBroken) => ExitCode::FAILURE,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the story: {error}");
            ExitCode::FAILURE
        }
    }
}
