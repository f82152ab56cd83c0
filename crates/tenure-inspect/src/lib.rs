//! Looks into saves that hold containers of [tenure](https://docs.rs/tenure): the library behind
//! the program `tenure-inspect`.
//!
//! ```text
//! cargo install tenure-inspect
//! tenure-inspect save.json
//! ```
//!
//! A file becomes a *tape*, which is a compact tree; places in it that look like a container are
//! loaded by tenure itself, and so checked; handles in values are resolved in all containers of the
//! document.
//!
//! The library is what the program and the demo of tenure's repository share. [`inspect`] is its
//! entry; [`heat`], [`mod@output`] and [`paint`] draw and write. It makes no promise of stability
//! beyond the command line.
#![forbid(unsafe_code)]

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
mod snapshot;
mod survey;
mod tape;
mod tell;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

pub use crate::args::{AFTER_HELP, Color, Format, InspectArgs, Kind, LayoutName};
pub use crate::error::InspectError;
use crate::heat::picture::picture;
use crate::output::printable;
use crate::survey::{Document, Survey};

/// Looks into a file, tells what is there, and says on standard error what is wrong.
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

/// Looks into a file and tells what is there, on standard output.
///
/// # Errors
///
/// If the file cannot be read, has no container, or has one that tenure refuses; if a reference
/// dangles in a field that [`InspectArgs::refs`] names; if something cannot be written.
pub fn inspect(args: &InspectArgs, color: Color) -> Result<(), InspectError> {
    let bytes = input::read(args)?;
    let survey = Survey::of(args, Document::open(args, &bytes)?)?;
    drop(bytes);
    warn(args, &survey);
    if let Some(svg) = &args.svg {
        save_picture(svg, args, &survey).map_err(|why| InspectError::Unwritable(svg.clone(), why))?;
    }
    let out = &mut paint::stdout(color);
    let told = if args.json { json::write(out, args, &survey) } else { tell::tell(out, args, color, &survey) };
    finish(told)?;
    verdict(args, &survey)
}

fn warn(args: &InspectArgs, survey: &Survey) {
    let name = output::name(&args.file);
    for field in &survey.references.unknown {
        eprintln!("warning: {name}: no value has a field `{}`", printable(field));
    }
}

/// The picture of the largest container. What was looked into is never overwritten.
fn save_picture(svg: &Path, args: &InspectArgs, survey: &Survey) -> io::Result<()> {
    let containers = survey.shown.iter().map(|&number| &survey.containers[number]);
    // The first one among equals.
    let largest = containers.rev().max_by_key(|container| container.contents.states.len());
    let Some(container) = largest else {
        return Err(io::Error::other("there is no container to draw"));
    };
    if !args.is_standard_input() && output::overwrites(svg, &args.file)? {
        return Err(io::Error::other("it is the file to look into"));
    }
    fs::write(svg, picture(&container.contents.states, &tell::picture_title(&args.file, container)))
}

/// A reader that has seen enough (`| head`) is no failure.
fn finish(told: io::Result<()>) -> Result<(), InspectError> {
    match told {
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
