//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;

const ROUNDS: usize = 21;
/// Fewer rounds, so that all subjects together take a few minutes.
const TABLES_ROUNDS: usize = 9;
const QUICK_ROUNDS: usize = 5;
/// The default of `--out`: next to the manifest, whatever the working directory is.
const OUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/out");

/// Runs the same work on Tenure's Pool, its peers and a plain Vec, and compares the times.
///
/// In every round every contender does the work of a cell once, in an order that changes from round
/// to round. A ratio is a peer's time divided by Pool's in the same round: above 1, Pool is faster.
/// The best peer of a cell is the one with the lowest median among those with the same guarantees
/// (`SlotMap`, `HopSlotMap`, `thunderdome`, `generational-arena`). A cell is behind if its whole
/// 90 % interval is below 0.95.
#[derive(Parser, Debug)]
#[command(name = "cargo versus", bin_name = "cargo versus", after_help = EXAMPLES)]
pub struct Cli {
    /// Run only cells that match WORD: part of an operation's name, a size (4B, 8B, 24B, 64B) or a
    /// count (1k, 10k, 1M). Commas inside one --only mean "or", several --only mean "and".
    #[arg(long, value_name = "WORD[,WORD]")]
    pub only: Vec<String>,

    /// A smoke test of less than half a minute: 5 rounds, no cells of a million. The figures are
    /// not reliable.
    #[arg(long)]
    pub quick: bool,

    /// The number of rounds of every cell [default: 21, with --tables, --saves and --slotmap 9,
    /// with --quick 5]. With fewer than 15 the intervals are wide.
    #[arg(long, value_name = "N", value_parser = rounds)]
    rounds: Option<usize>,

    /// The directory of the reports: Markdown, JSON and plots [default: bench/out]. `cargo run
    /// --release -- report` shows them on one page.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace the text between `<!-- versus:begin -->` and `<!-- versus:end -->` in this Markdown
    /// file with the table for 1M × 8 bytes.
    #[arg(long, value_name = "PATH")]
    pub readme: Option<PathBuf>,

    /// Exit with 1 if an operation, over all its sizes and counts, is behind (2 is for errors).
    #[arg(long)]
    pub check: bool,

    /// Measure `Pool<()>`, which allocates handles without values, against an allocator written by
    /// hand, and exit.
    #[arg(long)]
    pub names: bool,

    /// Measure kinds of memory, and exit: growing one by one with several allocators, `StablePool`
    /// against `Pool`, spawning while iterating, and the memory that shrinking frees. Writes
    /// memory.md, memory.json and plots. With --only: growing, against pool, frames, shrinking.
    #[arg(long)]
    pub memory: bool,

    /// Measure tables, dense pools and side maps, and exit: `DensePool` on the whole grid against
    /// its peers, iterating over one column, sorting, removing many, and side maps. Writes
    /// tables.md, tables.json and plots. With --only: dense, column, sorting, removing, side maps.
    #[arg(long, conflicts_with = "memory")]
    pub tables: bool,

    /// Measure worlds, and exit: a frame with spawns and despawns against the same frame written
    /// with slotmap, hecs and `bevy_ecs`, and handles against the scan by id that they replace.
    /// Writes worlds.md, worlds.json and plots. With --only: frame, by id.
    #[arg(long, conflicts_with_all = ["memory", "tables"])]
    pub worlds: bool,

    /// Measure saving, loading and checkpoints, and exit: JSON, postcard and raw snapshots against
    /// slotmap and against copying the bytes, and a checkpoint of every frame. Writes saves.md and
    /// saves.json. With --only: formats, checkpoints, raw.
    #[arg(long, conflicts_with_all = ["memory", "tables", "worlds"])]
    pub saves: bool,

    /// Measure slotmap against `tenure-slotmap`, which has its API, and stop: slot maps and dense
    /// slot maps on the grid at two sizes, secondary maps, and taffy's layout, in two programs.
    /// Writes slotmap.md and slotmap.json. With --only: slot maps, dense, secondary, layout.
    #[arg(long, conflicts_with_all = ["memory", "tables", "worlds", "saves"])]
    pub slotmap: bool,

    /// Measure an unoptimised build, and stop: the small program in `bench/probe`, as `cargo run`
    /// builds it. Writes debug.md and debug.json.
    #[arg(long, conflicts_with_all = ["memory", "tables", "worlds", "saves", "slotmap"])]
    pub debug: bool,

    /// Measure what the containers cost to compile, and stop: a program with 40 types of values and
    /// six operations on each, compiled again after a change. Writes build.md and build.json.
    #[arg(long, conflicts_with_all = ["memory", "tables", "worlds", "saves", "slotmap", "debug"])]
    pub build: bool,

    /// Measure this build, too, and show both side by side: `lto` is thin link-time optimisation
    /// with one codegen unit. Its files go to a folder of that name; profiles.md has both.
    #[arg(long, value_name = "PROFILE", value_parser = ["lto"], conflicts_with_all = ["debug", "build"])]
    pub profile: Option<String>,

    /// Grow one container once and print the figures. --memory runs this in a process per
    /// container.
    #[arg(long, hide = true, value_name = "SITUATION/CONTENDER")]
    pub grow: Option<String>,

    /// Show the operations that would run and their number of cells, and exit.
    #[arg(long)]
    pub list: bool,
}

const EXAMPLES: &str = "\
Examples:
  cargo versus                                  everything
  cargo versus --only iterate --only 8B,64B     all iterations, at two sizes
  cargo versus --only 'get at random' --only 1M one operation at a million
  cargo versus --readme README.md               everything, and the README's table
  cargo versus --memory                         kinds of memory
  cargo versus --tables --only sorting          one subject of the tables
  cargo versus --worlds                         frames of a world
  cargo versus --saves                          files and checkpoints
  cargo versus --slotmap                        slotmap's API on Tenure
  cargo versus --profile lto                    everything, also with link-time optimisation
  cargo versus --debug                          unoptimised builds
  cargo versus --build                          compile time and code size
  cargo versus --quick --check                  a smoke test for CI";

impl Cli {
    pub fn rounds(&self) -> usize {
        let usual = if self.tables || self.saves || self.slotmap { TABLES_ROUNDS } else { ROUNDS };
        self.rounds.unwrap_or(if self.quick { QUICK_ROUNDS } else { usual })
    }

    pub fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(OUT))
    }

    /// Returns the directory for messages: a short name instead of the absolute path of the
    /// default.
    pub fn out_name(&self) -> String {
        self.out.as_ref().map_or("bench/out".into(), |out| out.display().to_string())
    }
}

fn rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("there must be at least one round".into()),
        Ok(rounds) => Ok(rounds),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_default_directory_has_a_short_name() {
        let cli = Cli::parse_from(["versus", "--quick"]);
        assert_eq!((cli.rounds(), cli.out_name().as_str()), (QUICK_ROUNDS, "bench/out"));
        assert!(cli.out().ends_with("out"));
    }

    #[test]
    fn rounds_override_the_default() {
        let rounds = |words: &[&str]| Cli::parse_from([&["versus"], words].concat()).rounds();
        assert_eq!([rounds(&[]), rounds(&["--tables"]), rounds(&["--tables", "--rounds", "41"])], [21, 9, 41]);
    }
}
