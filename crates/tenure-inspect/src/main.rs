//! Looks into saves that hold containers of tenure.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tenure_inspect::{AFTER_HELP, Color, InspectArgs, run};

/// Looks into a save: finds the pools, tables and worlds of tenure anywhere in it, checks them, and
/// follows the handles in their values.
///
/// Shown are the path of each container, how many slots are live, the generations, what the
/// references refer to, and which of them dangle.
#[derive(Debug, Parser)]
#[command(name = "tenure-inspect", version, after_long_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    inspect: InspectArgs,

    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    run(&cli.inspect, cli.color)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
