//! A table: rows packed without holes, in columns, each row with a handle that follows it.

mod batch;
mod check;
mod chunks;
mod columns;
mod drain;
mod follow;
mod insert;
mod iter;
mod kept;
#[cfg(any(feature = "serde", feature = "bytemuck"))]
mod load;
mod look;
mod order;
mod remove;
mod room;
mod sort;
mod traits;

use alloc::vec::Vec;
use core::marker::PhantomData;

pub use self::chunks::{Chunk, ChunksMut};
#[doc(hidden)]
pub use self::columns::TruncateLater;
pub use self::columns::{Columns, IntoRows, Row, RowMut, RowRef, Slices, SlicesMut, Views};
pub use self::drain::{Drain, ExtractIf};
pub use self::follow::{Follow, Following, OnMove};
pub use self::iter::{IntoIter, Iter, IterMut};
pub use self::kept::Kept;
#[cfg(any(feature = "serde", feature = "bytemuck"))]
pub(crate) use self::load::SavedSlot;
pub use self::order::{Order, OrderError};

use crate::handle::Handle;
use crate::layout::{Layout, Tagged, Wide};
use crate::pool::Pool;
use crate::stats::Stats;

/// Rows come and go, and slots are used again: what a [`Table`] does unless told otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recycling;

/// Rows are never removed, so every handle is good for ever. A [`Table`] with this policy has no
/// method that removes.
///
/// ```
/// use tenure::table::AppendOnly;
/// use tenure::{Row, Table, Wide};
///
/// #[derive(Row)]
/// struct Event { at: u64 }
///
/// let mut log: Table<Event, Event, Wide, AppendOnly> = Table::with_layout();
/// let first = log.insert(Event { at: 7 });
/// assert!(log.contains(first)); // now and always
/// ```
///
/// ```compile_fail
/// # use tenure::table::AppendOnly;
/// # use tenure::{Row, Table, Wide};
/// # #[derive(Row)]
/// # struct Event { at: u64 }
/// # let mut log: Table<Event, Event, Wide, AppendOnly> = Table::with_layout();
/// # let first = log.insert(Event { at: 7 });
/// log.remove(first); // there is no such method
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppendOnly;

/// What may happen to the rows of a [`Table`]: [`Recycling`] or [`AppendOnly`]. Sealed.
pub trait Policy: policy::Sealed {
    /// Whether rows can be removed.
    const REMOVES: bool;
}

impl Policy for Recycling {
    const REMOVES: bool = true;
}

impl Policy for AppendOnly {
    const REMOVES: bool = false;
}

mod policy {
    pub trait Sealed {}
    impl Sealed for super::Recycling {}
    impl Sealed for super::AppendOnly {}
}

/// Rows packed without holes, in columns, each row with a handle that follows it.
///
/// Walking a column is walking a slice. Rows change places (the last row fills the gap of one that
/// is removed, a sort moves all of them), and handles lead to their own row all the same.
///
/// ```
/// use tenure::{Row, Table};
///
/// #[derive(Row)]
/// struct Creature { x: f32, energy: f32 }
///
/// let mut herd = Table::new();
/// let slow = herd.insert(Creature { x: 0.0, energy: 1.0 });
/// let fast = herd.insert(Creature { x: 0.0, energy: 9.0 });
///
/// let CreatureColumnsMut { x, energy } = herd.columns_mut();
/// for (x, energy) in x.iter_mut().zip(energy) {
///     *x += *energy;
/// }
///
/// herd.sort_by(|a, b| b.energy.total_cmp(a.energy)); // the fast one comes first now
/// assert_eq!(herd.row_of(fast), Some(0));
/// assert_eq!(*herd.get(slow).unwrap().x, 1.0);
/// ```
///
/// `K` and `L` are those of a [`Pool`]. `P` is the policy: [`Recycling`] or [`AppendOnly`]. `C` is
/// what holds the rows; a [`DensePool`](crate::DensePool) is a table whose rows are in one `Vec`.
///
/// # Cost
///
/// Looking up is one step more than in a pool: handle → row → value, and one more for every column
/// touched. Whole rows by handle are two or three times slower than in a
/// [`DensePool`](crate::DensePool), and walking one column is as many times faster as the row is
/// larger than the column. Let fields that travel together share a column, as a struct of their
/// own.
///
/// A row takes its fields, a handle, and 8⅛ bytes to find it.
///
/// # When not to use it
///
/// When most accesses are by handle and touch the whole value, take a [`Pool`]. A table whose rows
/// are unique by a column of their own (suit and rank, date and ticker) needs no handles to name
/// them: see [`find_by`](Self::find_by) and [`binary_search_by`](Self::binary_search_by).
///
/// - T1: every column, also those of nested rows, has as many values as there are handles and live
///   names; and the name of each handle is the number of its row.
#[doc(alias("SoA", "struct of arrays", "sparse set"))]
pub struct Table<R, K: ?Sized = R, L: Layout = Wide, P = Recycling, C = <R as Row>::Columns> {
    /// The row of every handle.
    row_of_slot: Pool<u32, K, L>,
    /// The handle of every row.
    handles: Vec<Handle<K, L>>,
    columns: C,
    about: PhantomData<fn() -> (R, P)>,
}

impl<R: Row> Table<R> {
    /// An empty table. Allocates nothing, and is `const`.
    ///
    /// For another `K`, layout or policy: [`Table::default`] or [`Table::with_layout`].
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// An empty table with room for `capacity` rows.
    ///
    /// # Panics
    ///
    /// When there is no such room, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut table = Self::new();
        table.reserve_exact(capacity);
        table
    }
}

impl<R: Row, K: ?Sized, L: Layout, P> Table<R, K, L, P> {
    /// An empty table of any layout and policy. Allocates nothing, and is `const`.
    #[must_use]
    pub const fn with_layout() -> Self {
        Self::EMPTY
    }
}

impl<R, K: ?Sized, const BITS: u32, L: Layout, P, C: Columns<Row = R>> Table<R, K, Tagged<BITS, L>, P, C> {
    /// An empty table whose handles carry a tag, so that others refuse them. See
    /// [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// When the tag does not fit into `BITS` bits (and those of `L`, if that is tagged too).
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self { row_of_slot: Pool::with_tag(tag), handles: Vec::new(), columns: C::EMPTY, about: PhantomData }
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    pub(crate) const EMPTY: Self =
        Self { row_of_slot: Pool::with_layout(), handles: Vec::new(), columns: C::EMPTY, about: PhantomData };

    /// How many rows there are. Pending handles have none.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Whether there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// The tag of this table's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.row_of_slot.tag()
    }

    /// Counts and memory. Walks all slots.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { capacity: self.capacity(), bytes: self.bytes(), holes: 0, ..self.row_of_slot.stats() }
    }

    /// Brings retired slots back into use, as if they had never been used: see
    /// [`Pool::recycle_retired`]. **The caller vouches that no old handle of a retired slot is left
    /// anywhere.**
    pub fn recycle_retired(&mut self) -> usize {
        self.row_of_slot.recycle_retired()
    }

    /// The row of every handle, by slot.
    pub(crate) fn row_of_slot(&self) -> &Pool<u32, K, L> {
        &self.row_of_slot
    }

    /// All columns, as they are.
    pub(crate) fn columns_whole(&self) -> &C {
        &self.columns
    }

    /// Names and columns, both to change: the caller keeps T1.
    pub(crate) fn parts_mut(&mut self) -> (&mut Pool<u32, K, L>, &mut C) {
        (&mut self.row_of_slot, &mut self.columns)
    }

    /// Handles to look at and columns to change.
    #[cfg(feature = "rayon")]
    pub(crate) fn handles_and_columns_mut(&mut self) -> (&[Handle<K, L>], SlicesMut<'_, C>) {
        (&self.handles, self.columns.slices_mut())
    }

    /// The same names for other columns, of the same length.
    pub(crate) fn map_columns<S, D: Columns<Row = S>>(self, convert: impl FnOnce(C) -> D) -> Table<S, K, L, P, D> {
        Table {
            columns: convert(self.columns),
            row_of_slot: self.row_of_slot,
            handles: self.handles,
            about: PhantomData,
        }
    }
}
