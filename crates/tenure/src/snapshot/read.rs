//! Reading a snapshot. No byte is trusted.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use bytemuck::{AnyBitPattern, pod_read_unaligned};

use super::columns::{Column, Kind};
use super::error::Label;
use super::{ALIGNMENT, BYTE_ORDER, Counts, Field, List, MAGIC, NONE, RawColumns, SnapshotError, Source, VERSION};
use crate::dense::DensePool;
use crate::key::Key;
use crate::slots::{Preamble, Tenancy, TenancyKind};
use crate::table::{SavedSlot, Table};

impl<R, H: Key, C: RawColumns<Row = R>> Table<R, H, C> {
    /// Loads a table. See [`snapshot`](crate::snapshot).
    ///
    /// # Errors
    ///
    /// If the bytes are not a snapshot of such a table.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let Parts { preamble, rows, vacant, pending, columns } = Parts::read(bytes)?;
        let empty = C::EMPTY;
        let mut list = List::default();
        empty.list(&Field::ROW, &mut list);
        let columns = C::load(&mut Source { rows: rows.len() / NAME, columns: pair_up(list, columns)?.into_iter() })?;

        let others: Vec<_> = slots(vacant, TenancyKind::Vacant).chain(slots(pending, TenancyKind::Pending)).collect();
        Self::from_saved(columns, slots(rows, TenancyKind::Live), &others, &preamble)
            .map_err(|flaw| SnapshotError::Slots { fault: flaw.to_string() })
    }
}

impl<T, H: Key> DensePool<T, H>
where
    Vec<T>: RawColumns<Row = T>,
{
    /// Loads a pool. See [`snapshot`](crate::snapshot).
    ///
    /// # Errors
    ///
    /// If the bytes are not a snapshot of such a pool.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        Table::from_snapshot(bytes).map(Self::from)
    }
}

/// The size of a slot's index and generation.
const NAME: usize = size_of::<[u32; 2]>();

fn slots(names: &[u8], kind: TenancyKind) -> impl ExactSizeIterator<Item = SavedSlot> + Clone {
    names.chunks_exact(NAME).map(move |name| {
        let [index, generation] = pod_read_unaligned(name);
        SavedSlot { index, tenancy: Tenancy { generation, kind } }
    })
}

/// Pairs each column of the table with its bytes in the snapshot, which must have no other columns.
fn pair_up<'a>(expected: List<'_>, mut found: Vec<Column<'a>>) -> Result<Vec<(String, &'a [u8])>, SnapshotError> {
    let mut pairs = Vec::new();
    for Column { name, kind, .. } in expected.columns {
        let position = found.iter().position(|column| column.name == name);
        let bytes =
            position.map(|position| found.remove(position)).map(|column| same_kind(&kind, column)).transpose()?;
        pairs.push((name, bytes.unwrap_or_default()));
    }
    match found.into_iter().next() {
        None => Ok(pairs),
        Some(Column { name, .. }) if pairs.iter().any(|(known, _)| *known == name) => {
            Err(SnapshotError::ColumnTwice { column: name })
        }
        Some(Column { name, .. }) => Err(SnapshotError::UnknownColumn { column: name }),
    }
}

fn same_kind<'a>(expected: &Kind, column: Column<'a>) -> Result<&'a [u8], SnapshotError> {
    if column.kind == *expected {
        return Ok(column.bytes);
    }
    Err(SnapshotError::Retyped {
        column: column.name,
        expected: expected.to_string(),
        found: column.kind.to_string(),
    })
}

/// A snapshot, split into its parts, which cover all bytes.
struct Parts<'a> {
    preamble: Preamble,
    rows: &'a [u8],
    vacant: &'a [u8],
    pending: &'a [u8],
    columns: Vec<Column<'a>>,
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let mut cursor = Cursor { bytes, offset: 0 };
        cursor.expect_begin()?;
        let (counts, preamble) = cursor.read_numbers()?;
        let mut columns = cursor.read_columns()?;
        let rows = cursor.take_names(counts.rows, "the slots of the rows")?;
        let vacant = cursor.take_names(counts.vacant, "the vacant slots")?;
        let pending = cursor.take_names(counts.pending, "the pending slots")?;
        for Column { name, kind, bytes, .. } in &mut columns {
            *bytes = cursor.take_aligned(u64::from(counts.rows), kind.size, &Label(name).to_string())?;
        }
        if cursor.offset < bytes.len() {
            return Err(SnapshotError::Surplus { offset: cursor.offset });
        }
        Ok(Self { preamble, rows, vacant, pending, columns })
    }
}

/// Bytes, and how many of them have been read.
struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: Option<u64>, part: &str) -> Result<&'a [u8], SnapshotError> {
        let rest = &self.bytes[self.offset..];
        let taken = length.and_then(|length| rest.get(..usize::try_from(length).ok()?));
        let taken = taken.ok_or_else(|| SnapshotError::CutShort { part: part.to_owned(), offset: self.offset })?;
        self.offset += taken.len();
        Ok(taken)
    }

    fn number<N: AnyBitPattern>(&mut self, part: &str) -> Result<N, SnapshotError> {
        self.take(Some(size_of::<N>() as u64), part).map(pod_read_unaligned)
    }

    /// Reads the magic bytes, the byte order, the version and the length.
    fn expect_begin(&mut self) -> Result<(), SnapshotError> {
        if self.take(Some(MAGIC.len() as u64), HEADER).map_err(|_| SnapshotError::NotASnapshot)? != MAGIC {
            return Err(SnapshotError::NotASnapshot);
        }
        let [byte_order, version]: [u32; 2] = self.number(HEADER)?;
        if byte_order != BYTE_ORDER {
            return Err(if byte_order.swap_bytes() == BYTE_ORDER {
                SnapshotError::ByteOrder
            } else {
                SnapshotError::NotASnapshot
            });
        }
        if version != VERSION {
            return Err(SnapshotError::Version { found: version });
        }
        let claimed: u64 = self.number(HEADER)?;
        let found = self.bytes.len();
        if claimed == found as u64 { Ok(()) } else { Err(SnapshotError::Length { claimed, found }) }
    }

    fn read_numbers(&mut self) -> Result<(Counts, Preamble), SnapshotError> {
        let [rows, vacant, pending, tag, floor, reach, next, word]: [u32; 8] = self.number(HEADER)?;
        let [next, word] = [next, word].map(|index| Some(index).filter(|&index| index != NONE));
        Ok((Counts { rows, vacant, pending }, Preamble { tag, floor, reach, limit: None, next, word }))
    }

    /// The columns, without their values.
    fn read_columns(&mut self) -> Result<Vec<Column<'a>>, SnapshotError> {
        let count: u64 = self.number(HEADER)?;
        let mut columns = Vec::new();
        // Nothing is allocated for the claimed number, which may be false.
        for column in 0..count {
            let part = format!("the description of column {column}");
            let [name_length, type_length, size, alignment]: [u64; 4] = self.number(&part)?;
            let name = self.text(name_length, &part)?;
            let kind = Kind { name: self.text(type_length, &part)?, size };
            columns.push(Column { name, kind, alignment, bytes: &[] });
        }
        Ok(columns)
    }

    fn text(&mut self, length: u64, part: &str) -> Result<String, SnapshotError> {
        let offset = self.offset;
        let text = core::str::from_utf8(self.take(Some(length), part)?);
        text.map(ToOwned::to_owned).map_err(|_| SnapshotError::Text { offset })
    }

    fn take_names(&mut self, count: u32, part: &str) -> Result<&'a [u8], SnapshotError> {
        self.take_aligned(u64::from(count), NAME as u64, part)
    }

    /// Takes `count` values, after the gap.
    fn take_aligned(&mut self, count: u64, size: u64, part: &str) -> Result<&'a [u8], SnapshotError> {
        let offset = self.offset;
        let gap = offset.next_multiple_of(ALIGNMENT) - offset;
        if self.take(Some(gap as u64), part)?.iter().any(|&byte| byte != 0) {
            return Err(SnapshotError::Padding { offset });
        }
        self.take(count.checked_mul(size), part)
    }
}

const HEADER: &str = "the header";
