//! Kinds of memory: `cargo versus --memory`. One file per subject.

mod against_pool;
mod blocks;
mod frames;
mod growing;
mod growth;
mod shrinking;

pub use growing::child;
pub use growth::{Growth, grow};

use crate::part::Part;

/// Growing comes first: its processes run before this one has allocated much memory.
pub const PART: Part = Part {
    title: "Kinds of memory",
    file: "memory",
    subjects: &[
        ("growing", |cli| growing::sheet(cli.quick)),
        ("against pool", |cli| Ok(against_pool::sheet(cli.quick, cli.rounds()))),
        ("frames", |cli| Ok(frames::sheet(cli.quick, cli.rounds()))),
        ("shrinking", |cli| Ok(shrinking::sheet(cli.quick))),
    ],
};
