//! Disjoint pieces of a table, for several threads.

use core::fmt;
use core::iter::FusedIterator;

use super::{Columns, SlicesMut, Table};
use crate::handle::Handle;
use crate::layout::{Layout, Wide};

/// Neighbouring rows of a table: see [`Table::chunks_mut`].
pub struct Chunk<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    /// The number of the first row.
    pub first_row: usize,
    /// The handles of the rows.
    pub handles: &'a [Handle<K, L>],
    /// The columns of the rows.
    pub columns: SlicesMut<'a, C>,
}

impl<C: Columns, K: ?Sized, L: Layout> fmt::Debug for Chunk<'_, C, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.first_row..self.first_row + self.handles.len();
        f.debug_struct("Chunk").field("rows", &rows).finish_non_exhaustive()
    }
}

/// Pieces of a table, from the first row on. See [`Table::chunks_mut`].
#[must_use = "iterators are lazy"]
pub struct ChunksMut<'a, C: Columns + 'a, K: ?Sized, L: Layout = Wide> {
    first_row: usize,
    handles: &'a [Handle<K, L>],
    columns: Option<SlicesMut<'a, C>>,
    size: usize,
}

impl<'a, C: Columns, K: ?Sized, L: Layout> Iterator for ChunksMut<'a, C, K, L> {
    type Item = Chunk<'a, C, K, L>;

    fn next(&mut self) -> Option<Chunk<'a, C, K, L>> {
        if self.handles.is_empty() {
            return None;
        }
        let rows = self.size.min(self.handles.len());
        let (handles, other_handles) = self.handles.split_at(rows);
        let (columns, other_columns) = C::split_at(self.columns.take()?, rows);
        let chunk = Chunk { first_row: self.first_row, handles, columns };
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

impl<C: Columns, K: ?Sized, L: Layout> ExactSizeIterator for ChunksMut<'_, C, K, L> {}
impl<C: Columns, K: ?Sized, L: Layout> FusedIterator for ChunksMut<'_, C, K, L> {}

impl<C: Columns, K: ?Sized, L: Layout> fmt::Debug for ChunksMut<'_, C, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunksMut").field("left", &self.len()).finish_non_exhaustive()
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// Pieces of `size` rows (the last one may be shorter), each with its columns to change: they
    /// can go to different threads.
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
    /// When `size` is 0.
    #[track_caller]
    pub fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, C, K, L> {
        assert!(size != 0, "a piece must have at least one row");
        ChunksMut { first_row: 0, handles: &self.handles, columns: Some(self.columns.slices_mut()), size }
    }
}
