//! Disjoint pieces of a table, for several threads.

use core::fmt;
use core::iter::FusedIterator;

use super::{Columns, RowIndex, SlicesMut, Table};
use crate::handle::Handle;
use crate::key::Key;

/// Neighbouring rows of a table: see [`Table::chunks_mut`].
pub struct Chunk<'a, C: Columns + 'a, H: Key> {
    /// The number of the first row.
    pub first_row: usize,
    /// The handles of the rows.
    pub handles: &'a [Handle<H::Kind, H::Layout>],
    /// Finds the row of any handle of the table, also of rows in other pieces.
    pub rows: RowIndex<'a, H>,
    /// The columns of the rows.
    pub columns: SlicesMut<'a, C>,
}

impl<C: Columns, H: Key> fmt::Debug for Chunk<'_, C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.first_row..self.first_row + self.handles.len();
        f.debug_struct("Chunk").field("rows", &rows).finish_non_exhaustive()
    }
}

/// An iterator over pieces of a table, from the first row on. See [`Table::chunks_mut`].
#[must_use = "iterators are lazy"]
pub struct ChunksMut<'a, C: Columns + 'a, H: Key> {
    first_row: usize,
    handles: &'a [Handle<H::Kind, H::Layout>],
    rows: RowIndex<'a, H>,
    columns: Option<SlicesMut<'a, C>>,
    size: usize,
}

impl<'a, C: Columns, H: Key> Iterator for ChunksMut<'a, C, H> {
    type Item = Chunk<'a, C, H>;

    fn next(&mut self) -> Option<Chunk<'a, C, H>> {
        if self.handles.is_empty() {
            return None;
        }
        let rows = self.size.min(self.handles.len());
        let (handles, other_handles) = self.handles.split_at(rows);
        let (columns, other_columns) = C::split_at(self.columns.take()?, rows);
        let chunk = Chunk { first_row: self.first_row, handles, rows: self.rows, columns };
        self.first_row += rows;
        self.handles = other_handles;
        self.columns = Some(other_columns);
        Some(chunk)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.handles.len().div_ceil(self.size);
        (left, Some(left))
    }
}

impl<C: Columns, H: Key> ExactSizeIterator for ChunksMut<'_, C, H> {}
impl<C: Columns, H: Key> FusedIterator for ChunksMut<'_, C, H> {}

impl<C: Columns, H: Key> fmt::Debug for ChunksMut<'_, C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunksMut").field("left", &self.len()).finish_non_exhaustive()
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns an iterator over pieces of `size` rows (the last one may be shorter), each with its
    /// columns mutably. They can be sent to different threads.
    ///
    /// With the feature `rayon`, [`par_chunks_mut`](Self#method.par_chunks_mut) does so.
    ///
    /// ```
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Particle { x: f32, v: f32 }
    ///
    /// let mut table: Table<Particle> = (0..100).map(|i| Particle { x: 0.0, v: i as f32 }).collect();
    /// std::thread::scope(|scope| {
    ///     for chunk in table.chunks_mut(25) {
    ///         scope.spawn(|| {
    ///             let ParticleColumnsMut { x, v } = chunk.columns;
    ///             x.iter_mut().zip(v).for_each(|(x, v)| *x += *v);
    ///         });
    ///     }
    /// });
    /// assert_eq!(table.columns().x[99], 99.0);
    /// ```
    ///
    /// # Panics
    ///
    /// If `size` is 0.
    #[track_caller]
    pub fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, C, H> {
        assert!(size != 0, "a piece must have at least one row");
        let (rows, columns) = self.split_columns_mut();
        ChunksMut { first_row: 0, handles: rows.raw_handles(), rows, columns: Some(columns), size }
    }
}
