//! Worlds: `cargo versus --worlds`. A frame written with several libraries, and lookups by handle
//! and by id.

mod bevy;
mod by_id;
mod frame;
mod hecs;
mod slotmap;
mod unit;
mod world;

use crate::part::Part;

pub const PART: Part = Part {
    title: "Worlds",
    file: "worlds",
    subjects: &[
        ("frame", |cli| frame::sheet(cli.quick, cli.rounds())),
        ("by id", |cli| Ok(by_id::sheet(cli.quick, cli.rounds()))),
    ],
};
