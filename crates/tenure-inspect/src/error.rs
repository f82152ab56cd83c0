//! Why a file could not be inspected, or what is wrong with it.

use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

use crate::args::Format;
use crate::output::{self, printable};

/// An error.
#[derive(Debug)]
#[non_exhaustive]
pub enum InspectError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file is a directory.
    Directory(PathBuf),
    /// There are no bytes.
    Empty(PathBuf),
    /// There are more bytes than `--max-size` allows, in MB.
    TooLarge(PathBuf, u64),
    /// No format fits: the formats that were tried, and why each failed.
    NoFormat(PathBuf, Vec<(Format, String)>),
    /// The file is in a format that can be read only with the saved types.
    NeedsTypes(PathBuf),
    /// There is no such path as `--at`.
    NoPlace(PathBuf, String),
    /// `--refs` names a container that does not exist.
    NoTarget(PathBuf, String),
    /// The file was read, and has no container. With details, if there are any.
    NoContainer(PathBuf, Format, Option<String>),
    /// The library refuses this many containers, which were listed.
    Refused(PathBuf, usize),
    /// This many references in the fields of `--refs` dangle.
    Dangling(PathBuf, u64),
    /// The picture or the text cannot be written.
    Unwritable(PathBuf, io::Error),
}

impl InspectError {
    /// 1 if the document is wrong, and 2 if it could not be inspected.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoContainer(..) | Self::Refused(..) | Self::Dangling(..) => 1,
            _ => 2,
        }
    }
}

impl Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = output::name;
        match self {
            Self::Unreadable(path, why) => write!(f, "cannot read {}: {why}", name(path)),
            Self::Directory(path) => write!(f, "cannot read {}: it is a directory, not a file", name(path)),
            Self::Empty(path) => write!(f, "{} is empty: there is nothing to inspect", name(path)),
            Self::TooLarge(path, most) => {
                write!(f, "{} has more than {most} MB\nhint: --max-size allows more", name(path))
            }
            Self::NoFormat(path, tried) => no_format(f, &name(path), tried),
            Self::NeedsTypes(path) => write!(f, "{}: {NEEDS_TYPES}", name(path)),
            Self::NoPlace(path, why) => write!(f, "{}: --at: {}", name(path), printable(why)),
            Self::NoTarget(path, field) => {
                write!(f, "{}: --refs {}: there is no container at this path", name(path), printable(field))
            }
            Self::NoContainer(path, format, more) => no_container(f, &name(path), *format, more.as_deref()),
            Self::Refused(path, 1) => write!(f, "{}: 1 container is refused", name(path)),
            Self::Refused(path, count) => write!(f, "{}: {count} containers are refused", name(path)),
            Self::Dangling(path, 1) => write!(f, "{}: 1 reference dangles", name(path)),
            Self::Dangling(path, count) => write!(f, "{}: {count} references dangle", name(path)),
            Self::Unwritable(path, why) => write!(f, "cannot write {}: {why}", name(path)),
        }
    }
}

impl std::error::Error for InspectError {}

const NEEDS_TYPES: &str = "postcard, bincode and bitcode can be read only with the types that were saved: \
     a file has neither names nor types of values.\n\
     hint: save as JSON, RON, MessagePack or CBOR to inspect it";

fn no_format(f: &mut fmt::Formatter<'_>, name: &str, tried: &[(Format, String)]) -> fmt::Result {
    match tried {
        [(format, why)] => write!(f, "{name}: cannot be read as {}: {}", format.name(), printable(why))?,
        _ => {
            write!(f, "{name}: no format fits. Tried:")?;
            for (format, why) in tried {
                write!(f, "\n  {:<12} {}", format.name(), printable(why))?;
            }
        }
    }
    let is_binary = tried.iter().any(|(format, _)| matches!(format, Format::MessagePack | Format::Cbor));
    if is_binary { write!(f, "\nhint: {NEEDS_TYPES}") } else { Ok(()) }
}

fn no_container(f: &mut fmt::Formatter<'_>, name: &str, format: Format, more: Option<&str>) -> fmt::Result {
    write!(f, "{name}: read as {}, and there is no pool, table or world in it.", format.name())?;
    if let Some(more) = more {
        write!(f, "\n{}", printable(more))?;
    }
    write!(f, "\nhint: a container has the fields `version` and `slots`, or `version` and `entities`")
}
