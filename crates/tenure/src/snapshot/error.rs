//! Why a snapshot cannot be loaded.

use alloc::string::String;
use core::fmt;

/// Why bytes are not a snapshot of a table: the reason, and the position.
///
/// ```
/// use tenure::DensePool;
/// use tenure::snapshot::SnapshotError;
///
/// let saved = DensePool::from([1.5_f32, 2.5]).to_snapshot();
/// let error = DensePool::<[u8; 3]>::from_snapshot(&saved).unwrap_err();
/// assert_eq!(error.to_string(), "the column is of 3 bytes, and in the snapshot of 4 bytes");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The first bytes are not those of a snapshot.
    NotASnapshot,
    /// The snapshot was written on a machine with the other byte order. It can be loaded only on
    /// such a machine: the library does not know where the numbers in a value are, so it cannot
    /// convert them.
    ByteOrder,
    /// The snapshot has a version that this library does not know.
    Version {
        /// The version in the snapshot.
        found: u32,
    },
    /// The number of bytes differs from the length in the snapshot.
    Length {
        /// The length in the snapshot.
        claimed: u64,
        /// The number of bytes.
        found: usize,
    },
    /// A part does not fit into the remaining bytes.
    CutShort {
        /// The part.
        part: String,
        /// Where it begins.
        offset: usize,
    },
    /// There are bytes after the last part.
    Surplus {
        /// Where they begin.
        offset: usize,
    },
    /// A byte between two parts is not zero.
    Padding {
        /// Where the gap begins.
        offset: usize,
    },
    /// The name of a column, or of its type, is not UTF-8.
    Text {
        /// Where it begins.
        offset: usize,
    },
    /// The slots are not those of any table.
    Slots {
        /// The reason, and the slot.
        fault: String,
    },
    /// The rows have no column of this name.
    UnknownColumn {
        /// Its name in the snapshot.
        column: String,
    },
    /// The snapshot has this column twice.
    ColumnTwice {
        /// Its name.
        column: String,
    },
    /// A column has another type than in the snapshot.
    Retyped {
        /// Its name.
        column: String,
        /// The type in the table, and its size.
        expected: String,
        /// The type in the snapshot, and its size.
        found: String,
    },
    /// The bytes of a value are invalid for its type.
    Value {
        /// The name of the column.
        column: String,
        /// The number of the row.
        row: usize,
    },
    /// There is not enough memory for a column.
    Memory {
        /// Its name.
        column: String,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASnapshot => f.write_str("not a snapshot of a table: the first bytes differ"),
            Self::ByteOrder => {
                f.write_str("the snapshot was written on a machine with the other byte order (endianness)")
            }
            Self::Version { found } => {
                write!(f, "version {found} of snapshots: this library reads version {}", super::VERSION)
            }
            Self::Length { claimed, found } => write!(f, "the snapshot should have {claimed} bytes, and has {found}"),
            Self::CutShort { part, offset } => {
                write!(f, "at byte {offset}: {part} would end after the end of the snapshot")
            }
            Self::Surplus { offset } => write!(f, "at byte {offset}: the snapshot should end here"),
            Self::Padding { offset } => write!(f, "at byte {offset}: the gap before the next part is not zero"),
            Self::Text { offset } => {
                write!(f, "at byte {offset}: the name of a column, or of its type, is not UTF-8")
            }
            Self::Slots { fault } => f.write_str(fault),
            Self::UnknownColumn { column } => write!(f, "{} is in the snapshot only", Label(column)),
            Self::ColumnTwice { column } => write!(f, "{} occurs twice", Label(column)),
            Self::Retyped { column, expected, found } => {
                write!(f, "{} is {expected}, and in the snapshot {found}", Label(column))
            }
            Self::Value { column, row } => {
                write!(f, "{}, row {row}: these bytes are not a valid value", Label(column))
            }
            Self::Memory { column } => write!(f, "{}: there is no memory for it", Label(column)),
        }
    }
}

impl core::error::Error for SnapshotError {}

/// The name of a column in a message. The only column of a dense pool has no name.
pub(super) struct Label<'a>(pub(super) &'a str);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("the column"),
            name => write!(f, "column `{name}`"),
        }
    }
}
