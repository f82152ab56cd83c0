//! Writing a snapshot.

use alloc::vec::Vec;

use bytemuck::{bytes_of, cast_slice};

use super::columns::Column;
use super::{ALIGNMENT, BYTE_ORDER, Counts, Field, LENGTH_AT, List, MAGIC, NONE, RawColumns, VERSION};
use crate::key::Key;
use crate::slots::Preamble;
use crate::table::{SavedSlot, Table};

impl<R, H: Key, C: RawColumns<Row = R>> Table<R, H, C> {
    /// Returns the table as bytes, including handles and the order of future handles. See
    /// [`snapshot`](crate::snapshot).
    #[must_use]
    pub fn to_snapshot(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_snapshot(&mut out);
        out
    }

    /// Like [`to_snapshot`](Self::to_snapshot), but reuses the memory of `out`, whose content is
    /// replaced.
    pub fn write_snapshot(&self, out: &mut Vec<u8>) {
        let mut list = List::default();
        self.columns_whole().list(&Field::ROW, &mut list);
        let (mut vacant, mut pending) = (Vec::new(), Vec::new());
        for SavedSlot { index, tenancy } in self.slots_without_rows() {
            let slots = if tenancy.is_pending() { &mut pending } else { &mut vacant };
            slots.push([index, tenancy.generation]);
        }
        let rows = self.columns_whole().len();
        let counts = Counts { rows: rows as u32, vacant: vacant.len() as u32, pending: pending.len() as u32 };

        out.clear();
        out.reserve(room_for(&list.columns, rows + vacant.len() + pending.len()));
        write_header(out, counts, &self.row_of_slot().preamble(), &list.columns);
        align(out);
        write_names(out, self.raw_handles().iter().map(|handle| [handle.index(), handle.generation()]));
        for slots in [vacant, pending] {
            align(out);
            out.extend_from_slice(cast_slice(&slots));
        }
        for column in &list.columns {
            align(out);
            out.extend_from_slice(column.bytes);
        }
        let length = out.len() as u64;
        out[LENGTH_AT..LENGTH_AT + 8].copy_from_slice(bytes_of(&length));
    }
}

/// The size of everything, including the gaps.
fn room_for(columns: &[Column<'_>], slots: usize) -> usize {
    let texts = columns.iter().map(|column| column.name.len() + column.kind.name.len());
    let bytes = columns.iter().map(|column| column.bytes.len() + size_of::<[u64; 4]>() + ALIGNMENT);
    5 * ALIGNMENT + slots * 8 + texts.sum::<usize>() + bytes.sum::<usize>()
}

fn write_header(out: &mut Vec<u8>, counts: Counts, preamble: &Preamble, columns: &[Column<'_>]) {
    let Counts { rows, vacant, pending } = counts;
    let Preamble { tag, floor, reach, next, word, .. } = *preamble;
    let (next, word) = (next.unwrap_or(NONE), word.unwrap_or(NONE));
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(bytes_of(&[BYTE_ORDER, VERSION]));
    // The length, which is not known yet.
    out.extend_from_slice(bytes_of(&0_u64));
    out.extend_from_slice(bytes_of(&[rows, vacant, pending, tag, floor, reach, next, word]));
    out.extend_from_slice(bytes_of(&(columns.len() as u64)));
    for Column { name, kind, alignment, .. } in columns {
        out.extend_from_slice(bytes_of(&[name.len() as u64, kind.name.len() as u64, kind.size, *alignment]));
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(kind.name.as_bytes());
    }
}

/// The room is reserved at once, not one by one: so it is as fast as copying.
fn write_names(out: &mut Vec<u8>, names: impl ExactSizeIterator<Item = [u32; 2]>) {
    let start = out.len();
    out.resize(start + names.len() * size_of::<[u32; 2]>(), 0);
    for (place, name) in out[start..].chunks_exact_mut(size_of::<[u32; 2]>()).zip(names) {
        place.copy_from_slice(bytes_of(&name));
    }
}

fn align(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
}
