//! `lab report`: measurements of Tenure on this machine, as one self-contained page.
//!
//! [`measure`] measures, [`versus`] reads the results of `cargo versus`, [`page`] writes the page.

mod figures;
mod machine;
mod measure;
mod page;
mod plot;
mod versus;

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::{fs, io};

use self::measure::Measured;
use self::versus::Versus;
use crate::cli::ReportArgs;
use crate::output::{self, printable};

/// Why there is no report.
#[derive(Debug)]
pub(crate) enum ReportError {
    /// A file of results cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file is not a result of `cargo versus`.
    Malformed(PathBuf, serde_json::Error),
    /// The given directory has no results.
    NoFigures(PathBuf),
    /// The page cannot be written.
    Unwritable(PathBuf, io::Error),
}

impl Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", output::name(path)),
            Self::Malformed(path, why) => {
                write!(f, "{} is not a result of `cargo versus`: {}", output::name(path), printable(&why.to_string()))
            }
            Self::NoFigures(path) => {
                write!(f, "there are no results of `cargo versus` in {}", output::name(path))
            }
            Self::Unwritable(path, why) => write!(f, "cannot write {}: {why}", output::name(path)),
        }
    }
}

/// Measures, writes the page, and prints its path.
pub(crate) fn write(args: &ReportArgs) -> Result<(), ReportError> {
    // First the steps that can fail, then those that take time.
    let versus = Versus::find(args.versus.as_deref())?;
    check(&args.out, args.versus.as_deref())?;
    eprintln!("measuring, for a few seconds");
    let measured = Measured::now(args.quick);
    let page = page::page(&measured, &versus).into_string();
    save(&args.out, &page)?;
    eprintln!("{}: {} KB, to be opened in a browser", output::name(&args.out), page.len().div_ceil(1_000));
    Ok(())
}

/// Checks that the page can be written, and does not overwrite a file of results. An existing page
/// stays until the new one is written.
fn check(out: &Path, versus: Option<&Path>) -> Result<(), ReportError> {
    let unwritable = |why| ReportError::Unwritable(out.into(), why);
    for figures in Versus::files(versus) {
        if output::overwrites(out, &figures).map_err(unwritable)? {
            return Err(unwritable(io::Error::other("it is a file of results")));
        }
    }
    let opened = fs::OpenOptions::new().append(true).create(true).open(out);
    opened.map(drop).map_err(unwritable)
}

fn save(out: &Path, page: &str) -> Result<(), ReportError> {
    fs::write(out, page).map_err(|why| ReportError::Unwritable(out.into(), why))
}
