//! The lab: a demo of Tenure.
#![forbid(unsafe_code)]

mod battle;
mod cli;
mod gallery;
mod heat;
mod report;
mod story;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::Parser;
use tenure_inspect::{output, paint};

use crate::cli::{BattleArgs, Cli, Color, Command, ReportArgs};
use crate::story::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Some(Command::Report(args)) => report(args),
        Some(Command::Inspect(args)) => tenure_inspect::run(args, cli.color),
        None => battle(&cli.battle, cli.color),
    }
}

fn report(args: &ReportArgs) -> ExitCode {
    match report::write(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn battle(args: &BattleArgs, color: Color) -> ExitCode {
    let live = !args.plain && !args.quiet && gallery::is_possible();
    exit_code(if live { gallery::run(args, color) } else { story::run(args, &mut paint::stdout(color)) })
}

/// A reader that closes the pipe early (`| head`) is not an error; a wrong hit by handle is.
fn exit_code(result: io::Result<Verdict>) -> ExitCode {
    match result {
        Ok(Verdict::AsPromised) => ExitCode::SUCCESS,
        Ok(Verdict::PromiseBroken) => ExitCode::FAILURE,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the story: {error}");
            ExitCode::FAILURE
        }
    }
}
