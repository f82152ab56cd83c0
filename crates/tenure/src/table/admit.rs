//! A row that has its name and its room already: neither is looked at again when it moves in.
#![expect(unsafe_code, reason = "pushes without looking at the room")]

use alloc::vec::Vec;

use super::{Columns, Table};
use crate::error::FullKind;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::issue;

/// The next row of a table: it has a handle and room, and no values yet. Whoever makes one lets it
/// [move in](Self::move_in).
///
/// - T2: there was room for one row more in the handles and in the columns when this was made, and
///   since then the table is borrowed.
pub(super) struct Admitted<'a, R, K: ?Sized, L: Layout, P, C> {
    table: &'a mut Table<R, K, L, P, C>,
    handle: Handle<K, L>,
}

/// The row itself stays out of both: it would be copied once more.
impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// A name for the row to come, and room for it.
    pub(super) fn admit(&mut self) -> Result<Admitted<'_, R, K, L, P, C>, FullKind> {
        if !self.has_room() && self.grow(1).is_err() {
            return Err(FullKind::Memory);
        }
        match self.names.slots.insert(self.next_row()) {
            Ok(place) => Ok(Admitted { handle: issue(place), table: self }),
            Err((_, kind)) => Err(kind),
        }
    }

    /// The same, if there is room and a name at hand.
    #[inline]
    pub(super) fn admit_at_once(&mut self) -> Option<Admitted<'_, R, K, L, P, C>> {
        if !self.has_room() {
            return None;
        }
        let place = self.names.slots.insert_at_once(self.next_row()).ok()?;
        Some(Admitted { handle: issue(place), table: self })
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.handles.len() < self.handles.capacity() && self.columns.len() < self.columns.capacity()
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Admitted<'_, R, K, L, P, C> {
    /// Adds the row, and then drops its skipped fields.
    #[inline]
    pub(super) fn move_in(self, row: R) -> Handle<K, L> {
        // SAFETY: T2.
        let skipped = unsafe {
            push_within(&mut self.table.handles, self.handle);
            self.table.columns.push_parts_within(row)
        };
        drop(skipped);
        self.handle
    }
}

/// `Vec::push` that does not look at the room.
///
/// # Safety
/// There is room for one value more.
#[inline]
pub(super) unsafe fn push_within<T>(list: &mut Vec<T>, value: T) {
    // SAFETY: the caller's.
    unsafe { core::hint::assert_unchecked(list.len() < list.capacity()) };
    list.push(value);
}
