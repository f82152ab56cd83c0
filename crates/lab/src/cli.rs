//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};

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

    /// Look into a file: a saved pool, table or world, as JSON or RON.
    ///
    /// The library loads it, and so checks all of it. Shown are counts, which slots are live, how
    /// many tenants they have had, and references that lead to nothing.
    #[command(after_long_help = EXIT_CODES)]
    Inspect(InspectArgs),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  nothing is wrong
  1  the document cannot be loaded, or a reference in the fields that --refs names leads to nothing
  2  there was nothing to look into: a bad argument, a missing file, a binary format, a picture that cannot be written

Handles of the dead are no mistake by themselves: they lead to nothing, for ever. And those of another container look
the same. So without --refs they are listed, and the exit code is 0.";

/// What to look into.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// What was saved: JSON, or RON if the name ends with `.ron`. Binary formats cannot be read
    /// without the saved types.
    pub(crate) file: PathBuf,

    /// Write the map of the slots as an SVG picture, too.
    #[arg(long, value_name = "OUT")]
    pub(crate) svg: Option<PathBuf>,

    /// What it is [default: a world if it has entities, else a table if its rows are not in the
    /// order of slots, else a pool].
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub(crate) kind: Option<Kind>,

    /// The layout of its handles [default: wide].
    #[arg(long, value_enum)]
    pub(crate) layout: Option<LayoutName>,

    /// The fields that hold references to this container, with all that is in them; `*` stands for
    /// everything. A reference that leads to nothing is wrong then [default: whatever reads like a
    /// handle is listed].
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) refs: Vec<String>,

    /// List every reference that leads to nothing, however many there are.
    #[arg(long)]
    pub(crate) all: bool,
}

/// What can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// `Pool`, `StablePool`, `FixedPool`, `ZiiPool` or `SideMap`.
    Pool,
    /// `Table` or `DensePool`.
    Table,
    /// `World`.
    World,
}

/// Layouts of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutName {
    /// `Wide`.
    Wide,
    /// `Compact`, which has 20 bits of index.
    Compact,
    /// `Compact<16>`.
    #[value(name = "compact=16")]
    Compact16,
    /// `Compact<24>`.
    #[value(name = "compact=24")]
    Compact24,
    /// `Tagged<8>`; also for fewer bits, as long as no slot is retired.
    #[value(name = "tagged=8")]
    Tagged8,
    /// `Tagged<16>`; also for fewer bits, as long as no slot is retired.
    #[value(name = "tagged=16")]
    Tagged16,
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

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
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
