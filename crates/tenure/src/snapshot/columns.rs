//! Columns as bytes.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::{self, Vec};
use core::fmt;

use bytemuck::checked::try_pod_read_unaligned;
use bytemuck::{CheckedBitPattern, NoUninit, cast_slice};

use super::SnapshotError;
use crate::table::Columns;

/// Columns of plain data. `#[row(snapshot)]` with `#[derive(Row)]` implements it.
///
/// A `Vec<T>` is one column, if `T` is [`NoUninit`] (it has no padding), [`CheckedBitPattern`] (its
/// bytes can be checked) and `Default` (for rows that were saved before the column existed):
/// numbers, `bool`, `char`, arrays of up to 32 of them, [handles](crate::Handle), and structs that
/// derive these traits.
#[diagnostic::on_unimplemented(
    message = "there are no raw snapshots of `{Self}`",
    note = "a row needs `#[row(snapshot)]`; so do the rows nested in it",
    note = "a value must be `bytemuck::NoUninit`, `bytemuck::CheckedBitPattern` and `Default`"
)]
pub trait RawColumns: Columns {
    /// Adds every column to the list.
    fn list<'a>(&'a self, field: &Field<'_>, list: &mut List<'a>);

    /// Loads the columns of a snapshot, in the order of [`list`](Self::list).
    ///
    /// # Errors
    ///
    /// If the bytes of a value are invalid, or there is not enough memory.
    fn load(source: &mut Source<'_>) -> Result<Self, SnapshotError>;
}

/// A field that is one column, or several.
#[derive(Clone, Debug)]
pub struct Field<'t> {
    path: String,
    type_name: &'t str,
}

impl<'t> Field<'t> {
    /// The whole row.
    pub(super) const ROW: Self = Self { path: String::new(), type_name: "" };

    /// Returns a field of this one.
    #[must_use]
    pub fn of<'u>(&self, name: &str, type_name: &'u str) -> Field<'u> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Field { path, type_name }
    }
}

/// All columns of a table, to be written.
#[derive(Debug, Default)]
pub struct List<'a> {
    pub(super) columns: Vec<Column<'a>>,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column<'a> {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The alignment of a value on the writing machine. Only written: it differs between machines,
    /// and values are copied.
    pub(super) alignment: u64,
    pub(super) bytes: &'a [u8],
}

/// The identity of a column's type: two types are the same if this is equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// The spelling in the struct.
    pub(super) name: String,
    pub(super) size: u64,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, size } = self;
        match &**name {
            "" => write!(f, "of {size} bytes"),
            _ => write!(f, "a `{name}` of {size} bytes"),
        }
    }
}

/// All columns of a snapshot, to be read.
#[derive(Debug)]
pub struct Source<'a> {
    pub(super) rows: usize,
    /// The names of the table's columns, and the bytes of each in the snapshot: none, or all.
    pub(super) columns: vec::IntoIter<(String, &'a [u8])>,
}

impl<T: NoUninit + CheckedBitPattern + Default> RawColumns for Vec<T> {
    fn list<'a>(&'a self, field: &Field<'_>, list: &mut List<'a>) {
        let name = field.type_name.to_owned();
        let kind = Kind { name, size: size_of::<T>() as u64 };
        let alignment = align_of::<T>() as u64;
        list.columns.push(Column { name: field.path.clone(), kind, alignment, bytes: cast_slice(self) });
    }

    fn load(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let (column, bytes) = source.columns.next().unwrap_or_default();
        let Some(mut values) = with_room(source.rows) else {
            return Err(SnapshotError::Memory { column });
        };
        if let Err(row) = extend_from_bytes(&mut values, bytes) {
            return Err(SnapshotError::Value { column, row });
        }
        // Columns that the snapshot does not have, and zero-sized values.
        values.resize(source.rows, T::default());
        Ok(values)
    }
}

fn with_room<T>(rows: usize) -> Option<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(rows).ok()?;
    Some(values)
}

/// Appends the values with these bytes, which need no alignment. Returns the position of the first
/// invalid value, if there is one.
fn extend_from_bytes<T: CheckedBitPattern + Default>(values: &mut Vec<T>, bytes: &[u8]) -> Result<(), usize> {
    let all = bytes.chunks_exact(size_of::<T>().max(1)).map(try_pod_read_unaligned::<T>);
    // Compiles to nothing for types that accept all bit patterns, and the rest to a copy.
    if let Some(row) = all.clone().position(|value| value.is_err()) {
        return Err(row);
    }
    values.extend(all.map(Result::unwrap_or_default));
    Ok(())
}
