//! Saving, loading and going back: `cargo versus --saves`.

mod checkpoints;
mod formats;
mod raw;

use crate::cells::MILLION;
use crate::part::Part;

pub const PART: Part = Part {
    title: "Saving, loading and going back",
    file: "saves",
    subjects: &[
        ("formats", |cli| Ok(formats::sheet(cli.quick, cli.rounds()))),
        ("raw", |cli| Ok(raw::sheet(cli.quick, cli.rounds()))),
        ("checkpoints", |cli| Ok(checkpoints::sheet(cli.quick, cli.rounds()))),
    ],
};

/// Of entities.
fn counts(quick: bool) -> &'static [usize] {
    if quick { &[1_000] } else { &[10_000, MILLION] }
}
