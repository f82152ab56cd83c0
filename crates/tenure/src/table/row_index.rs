//! Lookups by handle while the columns are borrowed mutably.

use core::fmt;

use super::{Columns, SlicesMut, Table};
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::pool::Pool;

/// Finds the rows of a table's handles while its columns are borrowed mutably. See
/// [`Table::split_columns_mut`]. `Copy`, and `Sync`: several threads can use it.
pub struct RowIndex<'a, H: Key> {
    row_of_slot: &'a Pool<u32, HandleOf<H>>,
    handles: &'a [HandleOf<H>],
}

impl<'a, H: Key> RowIndex<'a, H> {
    /// Returns the row of a handle.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([1, 2]);
    /// let second = pool.handle_at(1).unwrap();
    /// let (rows, values) = pool.split_columns_mut();
    /// values[rows.row_of(second).unwrap()] += values[0];
    /// assert_eq!(pool[second], 3);
    /// ```
    #[inline]
    #[must_use]
    pub fn row_of(&self, handle: H) -> Option<usize> {
        self.row_of_slot.get(handle.handle()).map(|&row| row as usize)
    }

    /// Returns `true` if the handle resolves to a row.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([1, 2]);
    /// let [first, second] = [0, 1].map(|index| pool.handle_at(index).unwrap());
    /// pool.remove(first);
    /// let (rows, _values) = pool.split_columns_mut();
    /// assert!(!rows.contains(first) && rows.contains(second));
    /// ```
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: H) -> bool {
        self.row_of_slot.contains(handle.handle())
    }

    /// Returns the handle of a row.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([5, 9]);
    /// let second = pool.handle_at(1).unwrap();
    /// let (rows, values) = pool.split_columns_mut();
    /// let row = values.iter().position(|&value| value == 9).unwrap();
    /// assert_eq!(rows.handle_of_row(row), Some(second));
    /// ```
    #[inline]
    #[must_use]
    pub fn handle_of_row(&self, row: usize) -> Option<H> {
        self.handles.get(row).map(|&handle| H::from_handle(handle))
    }

    /// Returns the handle of every row, in the order of the rows, as a slice.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([0, 0]);
    /// let (rows, values) = pool.split_columns_mut();
    /// for (value, handle) in values.iter_mut().zip(rows.raw_handles()) {
    ///     *value = handle.index();
    /// }
    /// assert_eq!(pool.as_slice(), [0, 1]);
    /// ```
    #[inline]
    #[must_use]
    pub fn raw_handles(&self) -> &'a [Handle<H::Kind, H::Layout>] {
        self.handles
    }
}

impl<H: Key> Clone for RowIndex<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Key> Copy for RowIndex<'_, H> {}

impl<H: Key> fmt::Debug for RowIndex<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowIndex").field("rows", &self.handles.len()).finish_non_exhaustive()
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns all columns as mutable slices, and an index that finds the row of a handle
    /// meanwhile.
    ///
    /// ```
    /// use tenure::{Handle, Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Creature { x: f32, mate: Option<Handle<Creature>> }
    ///
    /// let mut herd = Table::new();
    /// let first = herd.insert(Creature { x: 8.0, mate: None });
    /// herd.insert(Creature { x: 0.0, mate: Some(first) });
    ///
    /// let (rows, CreatureColumnsMut { x, mate }) = herd.split_columns_mut();
    /// for row in 0..x.len() {
    ///     if let Some(target) = mate[row].and_then(|mate| rows.row_of(mate)) {
    ///         x[row] += (x[target] - x[row]) / 2.0;
    ///     }
    /// }
    /// assert_eq!(herd.columns().x, [8.0, 4.0]);
    /// ```
    #[inline]
    #[must_use]
    pub fn split_columns_mut(&mut self) -> (RowIndex<'_, H>, SlicesMut<'_, C>) {
        let rows = RowIndex { row_of_slot: &self.row_of_slot, handles: &self.handles };
        (rows, self.columns.slices_mut())
    }
}
