//! Inspects saves that contain containers of tenure.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;
use tenure_inspect::{AFTER_HELP, Color, InspectArgs, run};

/// Inspects a save: finds the pools, tables and worlds of tenure anywhere in it, checks them, and
/// resolves the handles in their values.
///
/// Prints the path of each container, the numbers of slots in each state, the generations, the
/// containers that references resolve in, and dangling references.
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
