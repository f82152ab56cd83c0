//! Worlds: `cargo versus --worlds`. A frame, in each way of writing it, and what a handle costs.

mod bevy;
mod by_id;
mod frame;
mod hecs;
mod slotmap;
mod unit;
mod world;

use anyhow::{Result, ensure};

use crate::cli::Cli;
use crate::kinds::{Subject, is_chosen};
use crate::report::sheet::Sheet;

const SUBJECTS: [(&str, Subject); 2] = [
    ("frame", |cli| frame::sheet(cli.quick, cli.rounds())),
    ("by id", |cli| Ok(by_id::sheet(cli.quick, cli.rounds()))),
];

/// All subjects, or those that answer to `--only`.
pub fn measure(cli: &Cli) -> Result<Vec<Sheet>> {
    let chosen: Vec<Subject> =
        SUBJECTS.iter().filter(|(name, _)| is_chosen(name, &cli.only)).map(|it| it.1).collect();
    ensure!(!chosen.is_empty(), "no subject answers to --only; there are {}", SUBJECTS.map(|it| it.0).join(", "));
    chosen.into_iter().map(|subject| subject(cli)).collect()
}
