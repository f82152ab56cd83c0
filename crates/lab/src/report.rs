//! `lab report`: what this machine makes of Tenure, as one page that needs nothing else.
//!
//! [`measure`] finds out, [`versus`] reads what `cargo versus` found out, [`page`] writes it down.

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
    /// A file of figures cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file of figures is not what `cargo versus` writes.
    Malformed(PathBuf, serde_json::Error),
    /// There are no files of figures where somebody said that there are.
    NoFigures(PathBuf),
    /// The page cannot be written.
    Unwritable(PathBuf, io::Error),
}

impl Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", output::name(path)),
            Self::Malformed(path, why) => {
                write!(f, "{} is not what `cargo versus` writes: {}", output::name(path), printable(&why.to_string()))
            }
            Self::NoFigures(path) => {
                write!(f, "there is nothing that `cargo versus` wrote in {}", output::name(path))
            }
            Self::Unwritable(path, why) => write!(f, "cannot write {}: {why}", output::name(path)),
        }
    }
}

/// Measures, writes the page, and says where it is.
pub(crate) fn write(args: &ReportArgs) -> Result<(), ReportError> {
    // First what can be wrong, then what takes time.
    let versus = Versus::find(args.versus.as_deref())?;
    check(&args.out, args.versus.as_deref())?;
    eprintln!("measuring, for a few seconds");
    let measured = Measured::now(args.quick);
    let page = page::page(&measured, &versus).into_string();
    save(&args.out, &page)?;
    eprintln!("{}: {} KB, to be opened in a browser", output::name(&args.out), page.len().div_ceil(1_000));
    Ok(())
}

/// Whether the page can be written, and is none of the files of figures. What is there stays until
/// there is something better.
fn check(out: &Path, versus: Option<&Path>) -> Result<(), ReportError> {
    let unwritable = |why| ReportError::Unwritable(out.into(), why);
    for figures in Versus::files(versus) {
        if output::overwrites(out, &figures).map_err(unwritable)? {
            return Err(unwritable(io::Error::other("it is a file of figures")));
        }
    }
    let opened = fs::OpenOptions::new().append(true).create(true).open(out);
    opened.map(drop).map_err(unwritable)
}

fn save(out: &Path, page: &str) -> Result<(), ReportError> {
    fs::write(out, page).map_err(|why| ReportError::Unwritable(out.into(), why))
}
