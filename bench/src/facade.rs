//! slotmap against `tenure-slotmap`, which has its API: `cargo versus --slotmap`.

mod layout;
mod maps;
mod methods;
mod secondary;

use crate::contenders::{dense_facade, facade};
use crate::part::Part;

pub const PART: Part = Part {
    title: "slotmap against slotmap's API on Tenure",
    file: "slotmap",
    subjects: &[
        ("slot maps", |cli| Ok(maps::sheet("SlotMap", &facade(), cli.quick, cli.rounds()))),
        ("dense", |cli| Ok(maps::sheet("DenseSlotMap", &dense_facade(), cli.quick, cli.rounds()))),
        ("secondary", |cli| Ok(secondary::sheet(cli.quick, cli.rounds()))),
        ("layout", |cli| layout::sheet(cli.quick, cli.rounds())),
    ],
};
