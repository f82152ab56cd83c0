//! The lab: see what Tenure is for, on something alive.
#![forbid(unsafe_code)]

mod battle;
mod cli;
mod gallery;
mod heat;
mod inspect;
mod output;
mod paint;
mod report;
mod story;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{BattleArgs, Cli, Color, Command, InspectArgs, ReportArgs};
use crate::story::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Some(Command::Report(args)) => report(args),
        Some(Command::Inspect(args)) => inspect(args, cli.color),
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

/// Nothing to say is good news; what is wrong is said once more where scripts let it through.
fn inspect(args: &InspectArgs, color: Color) -> ExitCode {
    match inspect::inspect(args, color) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn battle(args: &BattleArgs, color: Color) -> ExitCode {
    let live = !args.plain && !args.quiet && gallery::is_possible();
    exit_code(if live { gallery::run(args, color) } else { story::tell(args, &mut paint::stdout(color)) })
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
