//! Kinds of memory: `cargo versus --memory`. One file per subject.

mod against_pool;
mod blocks;
mod frames;
mod growing;
mod growth;
mod shrinking;

use anyhow::Result;

pub use growing::child;
pub use growth::{Growth, grow};

use crate::cli::Cli;
use crate::report::sheet::Sheet;

/// Growing comes first: its processes shall have the machine for themselves, before this one has grown.
pub fn measure(cli: &Cli) -> Result<Vec<Sheet>> {
    Ok(vec![
        growing::sheet(cli.quick)?,
        against_pool::sheet(cli.quick, cli.rounds()),
        frames::sheet(cli.quick, cli.rounds()),
        shrinking::sheet(cli.quick),
    ])
}
