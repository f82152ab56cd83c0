//! Draining a table, and extracting rows one by one.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;

use super::{Columns, Follow, Following, Row, RowMut, Table};
use crate::handle::Handle;
use crate::key::{HandleOf, Key};

/// An iterator that removes all rows of a table, in their order. See [`Table::drain`].
///
/// No handle resolves from the start of the drain on, so the table is valid even if the iterator is
/// leaked (`mem::forget`); the remaining rows leak with it.
pub struct Drain<'a, R, H: Key = Handle<R>, C: Columns<Row = R> = <R as Row>::Columns> {
    table: &'a mut Table<R, H, C>,
    /// Both reversed, so that the first row is at the end.
    handles: Vec<HandleOf<H>>,
    rows: C,
}

impl<'a, R, H: Key, C: Columns<Row = R>> Drain<'a, R, H, C> {
    pub(super) fn new(table: &'a mut Table<R, H, C>) -> Self {
        let mut handles = core::mem::take(&mut table.handles);
        let mut rows = core::mem::replace(&mut table.columns, C::EMPTY);
        table.row_of_slot.clear();
        let len = handles.len();
        (0..len / 2).for_each(|row| rows.swap(row, len - 1 - row));
        handles.reverse();
        Self { table, handles, rows }
    }
}

impl<R, H: Key, C: Columns<Row = R>> Drain<'_, R, H, C> {
    /// The next row with its plain handle. The two leave together, before a key is made: its code
    /// may panic.
    #[inline]
    pub(crate) fn next_raw(&mut self) -> Option<(HandleOf<H>, R)> {
        let (handle, parts) = (self.handles.pop()?, self.rows.pop_parts());
        parts.map(|parts| (handle, C::complete(parts)))
    }
}

impl<R, H: Key, C: Columns<Row = R>> Iterator for Drain<'_, R, H, C> {
    type Item = (H, R);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.next_raw().map(|(handle, row)| (H::from_handle(handle), row))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.handles.len(), Some(self.handles.len()))
    }
}

impl<R, H: Key, C: Columns<Row = R>> ExactSizeIterator for Drain<'_, R, H, C> {}
impl<R, H: Key, C: Columns<Row = R>> FusedIterator for Drain<'_, R, H, C> {}

impl<R, H: Key, C: Columns<Row = R>> Drop for Drain<'_, R, H, C> {
    /// Returns the memory to the table, and then drops the remaining rows.
    fn drop(&mut self) {
        self.handles.clear();
        self.table.handles = core::mem::take(&mut self.handles);
        self.table.columns = core::mem::replace(&mut self.rows, C::EMPTY);
        self.table.columns.truncate(0);
    }
}

impl<R, H: Key, C: Columns<Row = R>> fmt::Debug for Drain<'_, R, H, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("left", &self.handles.len()).finish_non_exhaustive()
    }
}

/// An iterator that removes some rows of a table. See [`Table::extract_if`].
#[must_use = "it removes nothing unless it is iterated over"]
pub struct ExtractIf<'a, G, F = (), R = (), H: Key = Handle<R>, C: Columns<Row = R> = Vec<R>> {
    rows: Following<'a, F, R, H, C>,
    next: usize,
    should_remove: G,
}

impl<'a, G, F: Follow, R, H: Key, C: Columns<Row = R>> ExtractIf<'a, G, F, R, H, C> {
    pub(super) fn new(rows: Following<'a, F, R, H, C>, should_remove: G) -> Self {
        Self { rows, next: 0, should_remove }
    }
}

impl<G, F: Follow, R, H: Key, C: Columns<Row = R>> Iterator for ExtractIf<'_, G, F, R, H, C>
where
    G: FnMut(H, RowMut<'_, C>) -> bool,
{
    type Item = (H, R);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&handle) = self.rows.table.handles.get(self.next) {
            let row = self.next;
            // Before the closure runs: if it panics, it is not called for this row again.
            self.next += 1;
            if (self.should_remove)(H::from_handle(handle), self.rows.table.columns.row_mut(row)?) {
                self.next = row;
                let removed = self.rows.remove_raw(handle)?;
                return Some((H::from_handle(handle), removed));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.rows.table.len() - self.next))
    }
}

impl<G, F: Follow, R, H: Key, C: Columns<Row = R>> FusedIterator for ExtractIf<'_, G, F, R, H, C> where
    G: FnMut(H, RowMut<'_, C>) -> bool
{
}

impl<G, F, R, H: Key, C: Columns<Row = R>> fmt::Debug for ExtractIf<'_, G, F, R, H, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").finish_non_exhaustive()
    }
}
