//! Saving, loading and checkpoints: `cargo versus --saves`. One file per subject.

mod checkpoints;
mod formats;
mod raw;

use crate::cells::MILLION;
use crate::part::Part;

pub const PART: Part = Part {
    title: "Saving, loading and checkpoints",
    file: "saves",
    subjects: &[
        ("formats", |cli| Ok(formats::sheet(cli.quick, cli.rounds()))),
        ("raw", |cli| Ok(raw::sheet(cli.quick, cli.rounds()))),
        ("checkpoints", |cli| Ok(checkpoints::sheet(cli.quick, cli.rounds()))),
    ],
};

/// Returns the numbers of bodies that are measured.
fn counts(quick: bool) -> &'static [usize] {
    if quick { &[1_000] } else { &[10_000, MILLION] }
}
