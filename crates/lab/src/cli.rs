//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};
pub(crate) use tenure_inspect::{Color, InspectArgs};

/// The same battle fought twice: with raw indices, and with Tenure's handles. Live on a terminal,
/// as text in a pipe.
///
/// Missiles home on goblins, goblins carry jars, and new creatures reuse the slots of dead ones. By
/// index, missiles hit chickens that happen to have the slot of a dead goblin. By handle they never
/// do. Every hit is counted.
#[derive(Debug, Parser)]
#[command(name = "lab", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// A command other than the battle.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The battle, which is the default.
    #[command(flatten)]
    pub(crate) battle: BattleArgs,

    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
}

/// Commands other than the battle.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine for some seconds, and write one self-contained HTML page.
    Report(ReportArgs),

    /// Inspect a save: finds pools, tables and worlds anywhere in it, and checks them. The same as
    /// `tenure-inspect`.
    #[command(after_long_help = tenure_inspect::AFTER_HELP)]
    Inspect(InspectArgs),
}

/// The input and output of the report.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The file of the page.
    #[arg(long, value_name = "FILE", default_value = "tenure-report.html")]
    pub(crate) out: PathBuf,

    /// Results of `cargo versus`: the directory, or one of its JSON files [default: bench/out, if
    /// it exists].
    #[arg(long, value_name = "PATH")]
    pub(crate) versus: Option<PathBuf>,

    /// Measure less. The figures are not reliable.
    #[arg(long)]
    pub(crate) quick: bool,
}

/// The size and the length of the battle.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BattleArgs {
    /// The number of frames. Live, the battle continues until you quit.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: u32,

    /// The number of goblins, which are the targets [default: 20000; live, as many as the screen
    /// shows].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) enemies: Option<u32>,

    /// The seed of all random numbers: the same seed gives the same battle.
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub(crate) seed: u64,

    /// Print the battle as plain text, also on a terminal.
    #[arg(long)]
    pub(crate) plain: bool,

    /// Live, quit after this many seconds.
    #[arg(long, value_name = "N", conflicts_with = "plain", value_parser = value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: Option<u32>,

    /// Print the final table only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn all_arguments_are_optional() {
        let cli = Cli::parse_from(["lab"]);
        assert_eq!((cli.battle.quiet, cli.color), (false, Color::Auto));
    }
}
