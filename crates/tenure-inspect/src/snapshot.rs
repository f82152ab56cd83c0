//! Raw snapshots of tables, read without the types of their columns.
//!
//! What can be read without them: the slots, and the columns of handles. Both become a tape as if
//! the table had been saved in a binary format, so that the library checks it like any other. The
//! format is described in `tenure::snapshot`.

use crate::progress::Progress;
use crate::tape::build::Builder;
use crate::tape::{Face, Tape};

/// The first bytes of a snapshot.
pub(crate) const MAGIC: &[u8] = b"\x89tenure";

const WHOLE_MAGIC: &[u8] = b"\x89tenure\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const VERSION: u32 = 1;
/// No slot has this index.
const NONE: u32 = u32::MAX;
const ALIGNMENT: usize = 64;

/// Reads a snapshot.
///
/// # Errors
///
/// The error, and its byte.
pub(crate) fn read<'a>(bytes: &'a [u8], progress: &Progress) -> Result<Tape<'a>, String> {
    let snapshot = Snapshot::read(bytes)?;
    let mut builder = Builder::unlimited(bytes, Face::Snapshot, progress);
    builder.map(|tape| snapshot.write(tape));
    Ok(builder.tape)
}

struct Snapshot<'a> {
    /// Whether numbers have the other byte order than this machine.
    swapped: bool,
    tag: u32,
    floor: u32,
    reach: u32,
    next: u32,
    word: u32,
    rows: &'a [u8],
    vacant: &'a [u8],
    pending: &'a [u8],
    columns: Vec<Column<'a>>,
}

struct Column<'a> {
    name: &'a str,
    /// Of a value.
    size: usize,
    holds_handles: bool,
    values: &'a [u8],
}

impl<'a> Snapshot<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut cursor = Cursor { bytes, offset: 0, swapped: false };
        cursor.expect_begin()?;
        let mut numbers = [0; 8];
        for number in &mut numbers {
            *number = cursor.u32(HEADER)?;
        }
        let [rows, vacant, pending, tag, floor, reach, next, word] = numbers;
        let mut columns = cursor.columns()?;
        let names = |cursor: &mut Cursor<'a>, count: u32, part| cursor.aligned(count.into(), 8, part);
        let slots_of_rows = names(&mut cursor, rows, "the slots of the rows")?;
        let vacant = names(&mut cursor, vacant, "the vacant slots")?;
        let pending = names(&mut cursor, pending, "the pending slots")?;
        for column in &mut columns {
            column.values = cursor.aligned(rows.into(), column.size as u64, "a column")?;
        }
        cursor.expect_end()?;
        let swapped = cursor.swapped;
        Ok(Self { swapped, tag, floor, reach, next, word, rows: slots_of_rows, vacant, pending, columns })
    }

    /// Writes the snapshot as a table in a binary format.
    fn write(&self, tape: &mut Builder<'_, '_>) {
        let index_or_none = |tape: &mut Builder<'_, '_>, index: u32| match index {
            NONE => tape.null(),
            index => tape.uint(index.into()),
        };
        let numbers = [("version", VERSION), ("tag", self.tag), ("floor", self.floor), ("reach", self.reach)];
        for (name, number) in numbers {
            tape.copied_text(name);
            tape.uint(number.into());
        }
        for (name, index) in [("next", self.next), ("word", self.word)] {
            tape.copied_text(name);
            index_or_none(tape, index);
        }
        tape.copied_text("slots");
        tape.list(|tape| self.write_slots(tape));
    }

    fn write_slots(&self, tape: &mut Builder<'_, '_>) {
        for (row, slot) in self.rows.chunks_exact(8).enumerate() {
            tape.list(|tape| {
                self.write_slot(tape, slot, 1);
                tape.map(|tape| self.write_handles(tape, row));
            });
        }
        for (slots, kind) in [(self.vacant, 0), (self.pending, 2)] {
            for slot in slots.chunks_exact(8) {
                tape.list(|tape| self.write_slot(tape, slot, kind));
            }
        }
    }

    /// Index and code: the generation, and the kind of the slot in the two lowest bits.
    fn write_slot(&self, tape: &mut Builder<'_, '_>, slot: &[u8], kind: u64) {
        tape.uint(number(&slot[..4], self.swapped));
        tape.uint(number(&slot[4..], self.swapped) << 2 | kind);
    }

    /// The handles of a row. Nil is all ones in memory, and 0 in a document.
    fn write_handles(&self, tape: &mut Builder<'_, '_>, row: usize) {
        for column in self.columns.iter().filter(|column| column.holds_handles) {
            let bits = number(&column.values[row * column.size..][..column.size], self.swapped);
            let is_nil = bits == u64::MAX || (column.size == 4 && bits == u64::from(u32::MAX));
            tape.lent_text(column.name);
            tape.uint(if is_nil { 0 } else { bits });
        }
    }
}

/// A number of four or eight bytes, in the byte order of this machine or the other one.
fn number(bytes: &[u8], swapped: bool) -> u64 {
    let reversed = swapped != cfg!(target_endian = "big");
    let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if reversed { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) }
}

const HEADER: &str = "the header";

/// Bytes, and how many of them have been read.
struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    swapped: bool,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: Option<u64>, part: &str) -> Result<&'a [u8], String> {
        let rest = &self.bytes[self.offset..];
        let taken = length.and_then(|length| rest.get(..usize::try_from(length).ok()?));
        let taken =
            taken.ok_or_else(|| format!("at byte {}: {part} would end after the end of the file", self.offset))?;
        self.offset += taken.len();
        Ok(taken)
    }

    fn u32(&mut self, part: &str) -> Result<u32, String> {
        let bytes = self.take(Some(4), part)?;
        Ok(number(bytes, self.swapped) as u32)
    }

    fn u64(&mut self, part: &str) -> Result<u64, String> {
        let bytes = self.take(Some(8), part)?;
        Ok(number(bytes, self.swapped))
    }

    /// Reads the magic bytes, the byte order, and the length.
    fn expect_begin(&mut self) -> Result<(), String> {
        if self.take(Some(8), HEADER)? != WHOLE_MAGIC {
            return Err("the first bytes are not those of a snapshot".into());
        }
        match self.u32(HEADER)? {
            BYTE_ORDER => {}
            other if other.swap_bytes() == BYTE_ORDER => self.swapped = true,
            _ => return Err("at byte 8: unknown byte order".into()),
        }
        match self.u32(HEADER)? {
            VERSION => {}
            other => return Err(format!("version {other} of snapshots: this program reads version {VERSION}")),
        }
        let (claimed, found) = (self.u64(HEADER)?, self.bytes.len());
        if claimed == found as u64 {
            return Ok(());
        }
        Err(format!("the snapshot should have {claimed} bytes, and the file has {found}"))
    }

    /// Reads the columns, without their values. Allocates nothing for the claimed number.
    fn columns(&mut self) -> Result<Vec<Column<'a>>, String> {
        let (count, mut columns) = (self.u64(HEADER)?, Vec::new());
        for nth in 0..count {
            let part = format!("the description of column {nth}");
            let [name, type_name, size, _alignment] =
                [self.u64(&part)?, self.u64(&part)?, self.u64(&part)?, self.u64(&part)?];
            let (name, type_name) = (self.text(name, &part)?, self.text(type_name, &part)?);
            let size = usize::try_from(size).map_err(|_| format!("{part}: a value of {size} bytes"))?;
            columns.push(Column { name, size, holds_handles: is_handle(type_name, size), values: &[] });
        }
        Ok(columns)
    }

    fn text(&mut self, length: u64, part: &str) -> Result<&'a str, String> {
        let offset = self.offset;
        std::str::from_utf8(self.take(Some(length), part)?)
            .map_err(|_| format!("at byte {offset}: a name is not UTF-8"))
    }

    /// Reads `count` values, after the gap.
    fn aligned(&mut self, count: u64, size: u64, part: &str) -> Result<&'a [u8], String> {
        let offset = self.offset;
        let gap = offset.next_multiple_of(ALIGNMENT) - offset;
        if self.take(Some(gap as u64), part)?.iter().any(|&byte| byte != 0) {
            return Err(format!("at byte {offset}: the gap before {part} is not zero"));
        }
        self.take(count.checked_mul(size), part)
    }

    fn expect_end(&self) -> Result<(), String> {
        if self.offset == self.bytes.len() {
            Ok(())
        } else {
            Err(format!("at byte {}: the snapshot should end here", self.offset))
        }
    }
}

/// By the spelling of the type in the struct: `Handle<Enemy>`, `tenure::Handle<Enemy, Compact>`.
fn is_handle(type_name: &str, size: usize) -> bool {
    let path = type_name.split('<').next().unwrap_or_default();
    matches!(size, 4 | 8) && path.trim().rsplit("::").next() == Some("Handle")
}
