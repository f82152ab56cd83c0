//! Tables, dense pools and side maps: `cargo versus --tables`. One file per subject.

pub mod body;
mod column;
mod dense;
mod removing;
mod side_maps;
mod sorting;

use crate::cells::MILLION;
use crate::part::Part;

pub const PART: Part = Part {
    title: "Tables, dense pools and side maps",
    file: "tables",
    subjects: &[
        ("dense", |cli| Ok(dense::sheet(cli.quick, cli.rounds()))),
        ("column", |cli| Ok(column::sheet(cli.quick, cli.rounds()))),
        ("sorting", |cli| Ok(sorting::sheet(cli.quick, cli.rounds()))),
        ("removing", |cli| Ok(removing::sheet(cli.quick, cli.rounds()))),
        ("side maps", |cli| Ok(side_maps::sheet(cli.quick, cli.rounds()))),
    ],
};

/// Returns the numbers of rows that are measured. The targets are for the last one.
fn counts(quick: bool) -> &'static [usize] {
    if quick { &[1_000, 10_000] } else { &[1_000, 30_000, MILLION] }
}
