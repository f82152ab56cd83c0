//! The arguments of the command line.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, value_parser};

/// The file to inspect, and what to show of it.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct InspectArgs {
    /// The save: JSON, RON, TOML, YAML, `MessagePack`, CBOR, or a raw snapshot. `-` is standard
    /// input.
    pub file: PathBuf,

    /// The path of the container: a JSON pointer (`/world/pools/2`) or a path with dots
    /// (`world.pools[2]`) [default: containers are found anywhere in the document].
    #[arg(long, value_name = "PATH")]
    pub at: Option<String>,

    /// Show the map of the slots, the generations and the dangling references of every container
    /// [default: if there is only one].
    #[arg(long, short)]
    pub details: bool,

    /// Write everything as JSON, for scripts.
    #[arg(long, conflicts_with = "details")]
    pub json: bool,

    /// Also write the map of the slots as an SVG picture: of the largest container, or of the one
    /// at --at.
    #[arg(long, value_name = "OUT")]
    pub svg: Option<PathBuf>,

    /// The fields that hold references, including everything nested in them; `*` stands for all
    /// fields. A dangling reference is then an error. `FIELD=PATH` names the container that the
    /// field refers to [default: everything that reads like a handle is listed].
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub refs: Vec<String>,

    /// List every container and every dangling reference, however many there are.
    #[arg(long)]
    pub all: bool,

    /// The format [default: determined by the name of the file and its first bytes].
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// The kind of the containers [default: a world if it has entities, else a table if its rows
    /// are not in the order of slots, else a pool].
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub kind: Option<Kind>,

    /// The layout of the handles [default: wide, or else the first one that fits].
    #[arg(long, value_enum)]
    pub layout: Option<LayoutName>,

    /// Reject larger files, in MB. Memory is usually about 3 times the size of a file, and up to 20
    /// times if every byte is a value.
    #[arg(long, value_name = "MB", default_value_t = 1_000, value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub max_size: u64,
}

impl InspectArgs {
    /// Returns `true` if standard input is inspected.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON.
    Json,
    /// Rusty Object Notation.
    Ron,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// `MessagePack`, with or without the names of fields.
    #[value(name = "messagepack", alias = "msgpack")]
    MessagePack,
    /// CBOR.
    Cbor,
    /// A raw snapshot of a table, as `to_snapshot` writes it.
    Snapshot,
}

impl Format {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Ron => "RON",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::MessagePack => "MessagePack",
            Self::Cbor => "CBOR",
            Self::Snapshot => "raw snapshot",
        }
    }
}

/// The kinds of saved containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// `Pool`, `StablePool`, `FixedPool`, `ZiiPool` or `SideMap`.
    Pool,
    /// `Table` or `DensePool`.
    Table,
    /// `World`.
    World,
}

impl Kind {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pool => "pool",
            Self::Table => "table",
            Self::World => "world",
        }
    }
}

/// Layouts of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutName {
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

impl LayoutName {
    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The text of `--help` after the options.
pub const AFTER_HELP: &str = "\
Examples:
  tenure-inspect save.json                       the containers in a save
  tenure-inspect save.ron --at world --details   one container, with the map of its slots
  tenure-inspect save.cbor --refs target,owner   exit code 1 if one of these dangles
  tenure-inspect save.json --refs owner=/world   the same, and `owner` refers to /world
  tenure-inspect save.json --svg map.svg         a picture of the memory
  zcat save.json.gz | tenure-inspect - --json    for scripts

Paths are JSON pointers, with `~1` for `/` and `~0` for `~` in a name, or names and
numbers with dots. The document itself is `/`. MessagePack without names of fields
has numbers: /0/2. There, containers are found by their shape, which is a guess.

A stale handle alone is not an error. Handles of a container in another file look
the same. So without --refs dangling references are listed, and the exit code is 0.
In MessagePack and CBOR a handle is a number. Without --refs, numbers count as
references if a container has issued them, and are above 32 bits.

Exit codes:
  0  no error
  1  a container is refused, there is none, or a reference that --refs names dangles
  2  nothing was read: a bad argument, a missing file, an unknown format, a picture
     that cannot be written";
