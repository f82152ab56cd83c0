//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};
pub(crate) use tenure_inspect::{Color, InspectArgs};

/// The same battle fought twice: with raw indices, and with Tenure's handles. Live on a terminal,
/// told in a pipe.
///
/// Missiles home on goblins, goblins carry jars, and the slots of the dead go to the newborn. By
/// index, missiles end up in chickens that happen to live in the slot of a dead goblin. By handle
/// they never do. Every hit is counted.
#[derive(Debug, Parser)]
#[command(name = "lab", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// Something other than the battle.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The battle, which is what runs when nothing else is asked for.
    #[command(flatten)]
    pub(crate) battle: BattleArgs,

    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
}

/// Something other than the battle.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine for some seconds, and write one HTML page that needs nothing else.
    Report(ReportArgs),

    /// Look into a save: finds pools, tables and worlds anywhere in it, and checks them. The same
    /// as `tenure-inspect`.
    #[command(after_long_help = tenure_inspect::AFTER_HELP)]
    Inspect(InspectArgs),
}

/// What the report is made of, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Where the page goes.
    #[arg(long, value_name = "FILE", default_value = "tenure-report.html")]
    pub(crate) out: PathBuf,

    /// Figures that `cargo versus` wrote: the directory, or one of its JSON files [default:
    /// bench/out, if there].
    #[arg(long, value_name = "PATH")]
    pub(crate) versus: Option<PathBuf>,

    /// Measure less. The figures prove nothing.
    #[arg(long)]
    pub(crate) quick: bool,
}

/// How large and how long the battle is.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BattleArgs {
    /// How many frames to fight. Live, the battle goes on until you leave.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: u32,

    /// How many goblins there are; they draw the fire [default: 20000; live, as many as the screen
    /// shows].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) enemies: Option<u32>,

    /// The seed of all chance: the same seed gives the same battle.
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub(crate) seed: u64,

    /// Tell the battle in plain text, also on a terminal.
    #[arg(long)]
    pub(crate) plain: bool,

    /// Live, leave after so many seconds.
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
    fn nothing_needs_to_be_given() {
        let cli = Cli::parse_from(["lab"]);
        assert_eq!((cli.battle.quiet, cli.color), (false, Color::Auto));
    }
}
