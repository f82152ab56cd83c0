//! Building a table from saved rows. No saved data is trusted.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Columns, Table};
use crate::handle::Handle;
use crate::key::Key;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Building, Growable, LoadError, Preamble, Tenancy};

/// A saved slot of a table: its index, and its state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedSlot {
    pub(crate) index: u32,
    pub(crate) tenancy: Tenancy,
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the table, if everything is consistent: columns, as many slots as they have rows,
    /// and the slots without a row.
    pub(crate) fn from_saved(
        columns: C,
        rows: impl ExactSizeIterator<Item = SavedSlot> + Clone,
        others: &[SavedSlot],
        preamble: &Preamble,
    ) -> Result<Self, LoadError> {
        if preamble.limit.is_some() {
            return Err(LoadError::NoLimit);
        }
        let row_of_slot = Pool::from_slots(build_rows::<H::Layout>(rows.clone(), others)?.finish(preamble)?);
        // All of these exist, because the slots were built.
        let handle_of =
            |SavedSlot { index, tenancy }| Handle::from_parts_and_tag(index, tenancy.generation, preamble.tag);
        let handles = rows.map(|row| handle_of(row).unwrap_or_default()).collect();
        Ok(Self { row_of_slot, handles, columns, about: PhantomData })
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the slots without a row, in index order. If there are none, no slot is visited.
    pub(crate) fn slots_without_rows(&self) -> impl Iterator<Item = SavedSlot> + '_ {
        let slots = &self.row_of_slot.slots;
        let others = (0..slots.slot_count()).filter(|&index| slots.live_mark(index).is_none());
        others
            .take(slots.slot_count() as usize - self.len())
            .map(|index| SavedSlot { index, tenancy: slots.tenancy(index) })
    }
}

/// Builds the engine that maps slots to rows.
fn build_rows<L: Layout>(
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
            // There are as many slots as indices, and no index occurs twice: so none is missing.
            None => return Err(LoadError::Index { index: u32::MAX, place: building.index() }),
        }
    }
    Ok(building)
}

/// The saved data of a slot. There may be many of these, so they are small.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    row: u32,
    /// With a row, the generation. Without, the position in `others`.
    about: u32,
}

/// No row has this number: an index of all ones is that of nil.
const NO_ROW: u32 = u32::MAX;
const NOTHING: Found = Found { row: NO_ROW, about: u32::MAX };

/// Returns all slots in the order of their indices.
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
