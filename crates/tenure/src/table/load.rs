//! Making a table of rows that were saved. Nothing that was saved is believed.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Columns, Table};
use crate::handle::Handle;
use crate::key::Key;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Building, Growable, LoadError, Preamble, Tenancy};

/// A slot of a table: which, and who lives in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedSlot {
    pub(crate) index: u32,
    pub(crate) tenancy: Tenancy,
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// The table, if everything fits: columns, as many slots as they have rows, and the slots that
    /// have none.
    pub(crate) fn from_saved(
        columns: C,
        rows: impl ExactSizeIterator<Item = SavedSlot> + Clone,
        others: &[SavedSlot],
        preamble: &Preamble,
    ) -> Result<Self, LoadError> {
        if preamble.limit.is_some() {
            return Err(LoadError::NoLimit);
        }
        let names = name_rows::<H::Layout>(rows.clone(), others)?.finish(preamble)?;
        // All of these exist, or there would be no names.
        let name = |SavedSlot { index, tenancy }| Handle::from_parts_and_tag(index, tenancy.generation, preamble.tag);
        let handles = rows.map(|row| name(row).unwrap_or_default()).collect();
        Ok(Self { row_of_slot: Pool::from_slots(names), handles, columns, about: PhantomData })
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// The slots that have no row, by index. When there are none, no slot is looked at.
    pub(crate) fn slots_without_rows(&self) -> impl Iterator<Item = SavedSlot> + '_ {
        let names = &self.row_of_slot.slots;
        let others = (0..names.slot_count()).filter(|&index| names.live_mark(index).is_none());
        others
            .take(names.slot_count() as usize - self.len())
            .map(|index| SavedSlot { index, tenancy: names.tenancy(index) })
    }
}

/// The engine that knows the row of every slot.
fn name_rows<L: Layout>(
    rows: impl ExactSizeIterator<Item = SavedSlot>,
    others: &[SavedSlot],
) -> Result<Building<u32, L, Growable<u32>>, LoadError> {
    let mut building = Building::new();
    let slots = by_index(rows, others)?;
    building.reserve(slots.len());
    for Found { row, about } in slots {
        match others.get(about as usize) {
            _ if row != NO_ROW => building.push_live(about, row)?,
            Some(other) => building.push_vacant(other.tenancy)?,
            // As many slots as indices, none of them twice: so none is missing.
            None => return Err(LoadError::Index { index: u32::MAX, place: building.index() }),
        }
    }
    Ok(building)
}

/// What was saved of a slot. There may be many of these: they are kept small.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    row: u32,
    /// With a row, the generation. Without, which of the others it is.
    about: u32,
}

/// There are never so many rows: an index of all ones is nil's.
const NO_ROW: u32 = u32::MAX;
const NOTHING: Found = Found { row: NO_ROW, about: u32::MAX };

/// All slots in the order of their indices.
fn by_index(rows: impl ExactSizeIterator<Item = SavedSlot>, others: &[SavedSlot]) -> Result<Vec<Found>, LoadError> {
    let count = rows.len() + others.len();
    let mut slots = alloc::vec![NOTHING; count];
    let rows = (0..NO_ROW).zip(rows).map(|(row, slot)| (slot.index, Found { row, about: slot.tenancy.generation }));
    let others = (0..NO_ROW).zip(others).map(|(about, slot)| (slot.index, Found { row: NO_ROW, about }));
    for (index, found) in rows.chain(others) {
        let place = slots.get_mut(index as usize).ok_or(LoadError::Beyond { index, count })?;
        if core::mem::replace(place, found) != NOTHING {
            return Err(LoadError::Twice(index));
        }
    }
    Ok(slots)
}
