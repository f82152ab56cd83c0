//! `lab inspect`: what is in a saved pool, table or world.
//!
//! [`load`] lets the library load it, which checks it; [`contents`] reads what the library makes of
//! it; [`references`] follows the handles in the values; [`tell`] writes it down.

mod contents;
mod load;
mod name;
mod references;
mod tell;

use std::fmt::{self, Display};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use self::references::References;
use self::tell::Manner;
use crate::cli::{Color, InspectArgs, LayoutName};
use crate::heat::picture::picture;
use crate::output::{self, printable};
use crate::paint;

/// What is wrong.
#[derive(Debug)]
pub(crate) enum InspectError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file is not text.
    Binary(PathBuf),
    /// The library refuses the document. Another layout may fit.
    Malformed { path: PathBuf, why: String, fits: Option<LayoutName> },
    /// So many references lead to nothing, and they should not.
    Dangling(PathBuf, usize),
    /// The picture or the text cannot be written.
    Unwritable(PathBuf, io::Error),
}

impl InspectError {
    /// 1 if the document is wrong, and 2 if it could not be looked at.
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Malformed { .. } | Self::Dangling(..) => 1,
            Self::Unreadable(..) | Self::Binary(_) | Self::Unwritable(..) => 2,
        }
    }
}

impl Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", output::name(path)),
            Self::Binary(path) => write!(
                f,
                "{} is not text: binary formats like postcard can be read only with the types that were saved. \
                 Save it as JSON or RON to look into it.",
                output::name(path)
            ),
            Self::Malformed { path, why, fits } => {
                write!(f, "{}: {}", output::name(path), printable(why))?;
                match fits.and_then(|layout| layout.to_possible_value()) {
                    Some(layout) => write!(f, "\nhint: it can be loaded with --layout {}", layout.get_name()),
                    None => Ok(()),
                }
            }
            Self::Dangling(path, 1) => write!(f, "{}: 1 reference leads to nothing", output::name(path)),
            Self::Dangling(path, count) => write!(f, "{}: {count} references lead to nothing", output::name(path)),
            Self::Unwritable(path, why) => write!(f, "cannot write {}: {why}", output::name(path)),
        }
    }
}

/// Looks into a file and tells what is there.
pub(crate) fn inspect(args: &InspectArgs, color: Color) -> Result<(), InspectError> {
    let path = &args.file;
    let contents = load::load(path, args.kind, args.layout)?;
    let references = References::of(&contents, &args.refs);
    for field in &references.unknown {
        eprintln!("warning: {}: no value has a field `{}`", output::name(path), printable(field));
    }
    if let Some(svg) = &args.svg {
        let picture = picture(&contents.states, &tell::picture_title(path, &contents));
        save(svg, &picture, path).map_err(|why| InspectError::Unwritable(svg.clone(), why))?;
    }
    let manner = Manner { colours: paint::colours_wanted(color), all: args.all };
    finish(tell::tell(&mut paint::stdout(color), path, &contents, &references, manner))?;
    match references.dangling.len() {
        count if count > 0 && !args.refs.is_empty() => Err(InspectError::Dangling(path.clone(), count)),
        _ => Ok(()),
    }
}

/// What was looked into is never lost.
fn save(svg: &Path, picture: &str, saved: &Path) -> io::Result<()> {
    if output::overwrites(svg, saved)? {
        return Err(io::Error::other("it is the file to look into"));
    }
    fs::write(svg, picture)
}

/// A reader that has seen enough (`| head`) is no failure.
fn finish(told: io::Result<()>) -> Result<(), InspectError> {
    match told {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(InspectError::Unwritable("what was found".into(), error))
        }
        _ => Ok(()),
    }
}
