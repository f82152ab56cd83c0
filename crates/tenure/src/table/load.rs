//! Making a table of rows that were saved. Nothing that was saved is believed.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Columns, Policy, Table};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Building, Flaw, Growable, Preamble, Tenancy, TenancyKind};

/// Rows, the slot of each, and the slots that have none.
#[derive(Debug)]
pub(crate) struct SavedRows<C> {
    pub(crate) columns: C,
    /// As many as there are rows.
    pub(crate) rows: Vec<SavedSlot>,
    pub(crate) others: Vec<SavedSlot>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SavedSlot {
    pub(crate) index: u32,
    pub(crate) tenancy: Tenancy,
}

impl<R, K: ?Sized, L: Layout, P: Policy, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// The table, if everything fits.
    pub(crate) fn from_saved(saved: SavedRows<C>, preamble: &Preamble) -> Result<Self, Flaw> {
        let SavedRows { columns, rows, others } = saved;
        if preamble.limit.is_some() {
            return Err(Flaw::NoLimit);
        }
        if !P::REMOVES {
            others.iter().try_for_each(never_removed)?;
        }
        let names = name_rows::<L>(&rows, &others)?.finish(preamble)?;
        let handle_of = |slot: &SavedSlot| names.live_mark(slot.index).map(|mark| Handle::issued(slot.index, mark));
        let handles = rows.iter().filter_map(handle_of).collect();
        Ok(Self { names: Pool::from_slots(names), handles, columns, about: PhantomData })
    }
}

/// Where handles are good for ever, no slot has lost a tenant.
fn never_removed(slot: &SavedSlot) -> Result<(), Flaw> {
    match slot.tenancy {
        Tenancy { generation: 1.., kind: TenancyKind::Vacant } => Err(Flaw::Removed(slot.index)),
        _ => Ok(()),
    }
}

/// The engine that knows the row of every slot.
fn name_rows<L: Layout>(rows: &[SavedSlot], others: &[SavedSlot]) -> Result<BuildingNames<L>, Flaw> {
    let mut building = Building::new();
    for found in by_index(rows, others)? {
        match found {
            Some((tenancy, Some(row))) => building.push_live(tenancy.generation, row)?,
            Some((tenancy, None)) => building.push_vacant(tenancy)?,
            // As many slots as indices, none of them twice: so none is missing.
            None => return Err(Flaw::Index { index: u32::MAX, place: building.index() }),
        }
    }
    Ok(building)
}

type BuildingNames<L> = Building<u32, L, Growable<u32>>;
type Found = Option<(Tenancy, Option<u32>)>;

/// All slots in the order of their indices, each with its row.
fn by_index(rows: &[SavedSlot], others: &[SavedSlot]) -> Result<Vec<Found>, Flaw> {
    let count = rows.len() + others.len();
    let mut slots = alloc::vec![None; count];
    let numbered = (0..).zip(rows).map(|(row, slot)| (slot, Some(row)));
    for (slot, row) in numbered.chain(others.iter().map(|slot| (slot, None))) {
        let place: &mut Found =
            slots.get_mut(slot.index as usize).ok_or(Flaw::Beyond { index: slot.index, count })?;
        if place.replace((slot.tenancy, row)).is_some() {
            return Err(Flaw::Twice(slot.index));
        }
    }
    Ok(slots)
}
