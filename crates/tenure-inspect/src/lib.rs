//! Inspects saves that contain containers of [tenure](https://docs.rs/tenure): the library behind
//! the program `tenure-inspect`.
//!
//! ```text
//! cargo install --path crates/tenure-inspect
//! tenure-inspect save.json
//! ```
//!
//! A file becomes a *tape*, which is a compact tree; values in it that look like a container are
//! loaded by tenure itself, which checks them; handles in values are resolved in all containers of
//! the document.
//!
//! The library is shared by the program and the demo of tenure's repository. [`inspect`] is its
//! entry point; [`heat`], [`mod@output`] and [`paint`] draw and write. Only the command line is
//! stable.
#![forbid(unsafe_code)]
#![deny(unnameable_types)]

mod args;
mod contents;
mod error;
mod find;
mod form;
mod format;
pub mod heat;
mod input;
mod json;
mod load;
mod name;
pub mod output;
pub mod paint;
mod pointer;
mod progress;
mod references;
mod report;
mod snapshot;
mod survey;
mod tape;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

pub use crate::args::{AFTER_HELP, Color, Format, InspectArgs, Kind, LayoutName};
pub use crate::error::InspectError;
use crate::heat::picture::picture;
use crate::output::printable;
use crate::progress::Progress;
use crate::survey::{Document, Survey};

/// Inspects a file, prints the results, and prints errors to standard error.
#[must_use]
pub fn run(args: &InspectArgs, color: Color) -> ExitCode {
    match inspect(args, color) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Inspects a file and prints the results to standard output.
///
/// # Errors
///
/// If the file cannot be read, has no container, or has one that tenure refuses; if a reference
/// dangles in a field that [`InspectArgs::refs`] names; if something cannot be written.
pub fn inspect(args: &InspectArgs, color: Color) -> Result<(), InspectError> {
    let bytes = input::read(args)?;
    let progress = Progress::new(bytes.len() as u64);
    let survey = Survey::of(args, Document::open(args, &bytes, &progress)?, &progress)?;
    drop((bytes, progress));
    warn(args, &survey);
    if let Some(svg) = &args.svg {
        save_picture(svg, args, &survey).map_err(|why| InspectError::Unwritable(svg.clone(), why))?;
    }
    let out = &mut paint::stdout(color);
    let written = if args.json { json::write(out, args, &survey) } else { report::write(out, args, color, &survey) };
    finish(written)?;
    verdict(args, &survey)
}

fn warn(args: &InspectArgs, survey: &Survey) {
    let name = output::name(&args.file);
    for field in &survey.references.unknown {
        eprintln!("warning: {name}: no value has a field `{}`", printable(field));
    }
}

/// Writes the picture of the largest container. Never overwrites the inspected file.
fn save_picture(svg: &Path, args: &InspectArgs, survey: &Survey) -> io::Result<()> {
    let containers = survey.shown.iter().map(|&number| &survey.containers[number]);
    // The first one among equals.
    let largest = containers.rev().max_by_key(|container| container.contents.states.len());
    let Some(container) = largest else {
        return Err(io::Error::other("there is no container to draw"));
    };
    if !args.is_standard_input() && output::overwrites(svg, &args.file)? {
        return Err(io::Error::other("it is the file to inspect"));
    }
    fs::write(svg, picture(&container.contents.states, &report::picture_title(&args.file, container)))
}

/// A reader that closes the pipe early (`| head`) is not an error.
fn finish(written: io::Result<()>) -> Result<(), InspectError> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(InspectError::Unwritable("standard output".into(), error))
        }
        _ => Ok(()),
    }
}

fn verdict(args: &InspectArgs, survey: &Survey) -> Result<(), InspectError> {
    let refused = survey.refused.iter().filter(|refused| !refused.is_guess).count();
    if refused > 0 {
        return Err(InspectError::Refused(args.file.clone(), refused));
    }
    match survey.references.total().dangling {
        count if count > 0 && !args.refs.is_empty() => Err(InspectError::Dangling(args.file.clone(), count)),
        _ => Ok(()),
    }
}
