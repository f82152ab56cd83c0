//! A table: rows packed without holes, in columns, each row with a handle that follows it.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod new;

mod insert;

mod look;

mod remove;

mod batch;

mod row_index;

mod sort;

mod chunks;

mod follow;

mod room;

mod check;
mod columns;
mod drain;
mod iter;
mod kept;
#[cfg(any(feature = "serde", feature = "snapshot"))]
mod load;
mod order;
mod traits;

use alloc::vec::Vec;
use core::marker::PhantomData;

pub use self::chunks::{Chunk, ChunksMut};
#[doc(hidden)]
pub use self::columns::TruncateLater;
pub use self::columns::{Columns, IntoRows, Row, RowMut, RowRef, Slices, SlicesMut, Views};
pub use self::drain::{Drain, ExtractIf};
pub use self::follow::{Follow, Following, OnMove};
pub use self::iter::{Handles, IntoIter, Iter, IterMut, PendingHandles};
pub use self::kept::{Kept, KeptRows};
#[cfg(any(feature = "serde", feature = "snapshot"))]
pub(crate) use self::load::SavedSlot;
pub use self::order::{Order, OrderError};
pub use self::row_index::RowIndex;

use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::pool::Pool;
#[doc(no_inline)]
pub use crate::pool::{InsertMany, Remainder};
use crate::stats::Stats;

/// Rows packed without holes, in columns, each row with a handle that follows it.
///
/// Iterating over a column is iterating over a slice. Rows move (the last row fills the gap of a
/// removed one, a sort moves all of them), and every handle still resolves to its own row.
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
/// herd.sort_by(|a, b| b.energy.total_cmp(a.energy)); // the fast one is now first
/// assert_eq!(herd.row_of(fast), Some(0));
/// assert_eq!(*herd.get(slow).unwrap().x, 1.0);
/// ```
///
/// `H` is the [`Key`], as in a [`Pool`]. `C` is the storage of the rows; a
/// [`DensePool`](crate::DensePool) is a table whose rows are in one `Vec`.
///
/// For a table whose rows are never removed, wrap it in a type without methods that remove:
///
/// ```
/// use tenure::{Handle, Row, Table};
///
/// #[derive(Row)]
/// struct Event { at: u64 }
///
/// /// Every handle that it has issued resolves.
/// struct Log(Table<Event>);
///
/// impl Log {
///     fn push(&mut self, event: Event) -> Handle<Event> {
///         self.0.insert(event)
///     }
///
///     fn at(&self, event: Handle<Event>) -> u64 {
///         *self.0.get(event).expect("rows are never removed").at
///     }
/// }
///
/// let mut log = Log(Table::new());
/// let first = log.push(Event { at: 7 });
/// assert_eq!(log.at(first), 7);
/// ```
///
/// # Cost
///
/// A lookup by handle takes one step more than in a pool: handle → row → value, and one more for
/// every column touched. Reading whole rows by handle takes about as long as in a
/// [`DensePool`](crate::DensePool) with two fields, and two to three times as long with eight.
/// Iterating over one column is as many times faster as the row is larger than the column. Put
/// fields that are used together into one column, as a struct of their own.
///
/// A row takes its fields, a handle, and 8¼ bytes of bookkeeping.
///
/// # When not to use it
///
/// When most accesses are by handle and touch the whole value, use a [`Pool`]. A table whose rows
/// are unique by some of their columns (suit and rank, date and ticker) needs no handles to
/// identify them: see [`find_by`](Self::find_by) and [`binary_search_by`](Self::binary_search_by).
///
/// - T1: for every column, including those of nested rows, the number of values is the number of
///   handles and of live slots; and for every row, the slot of its handle holds the number of the
///   row.
#[doc(alias("SoA", "struct of arrays", "sparse set"))]
pub struct Table<R, H: Key = Handle<R>, C = <R as Row>::Columns> {
    /// The row of every live slot.
    row_of_slot: Pool<u32, HandleOf<H>>,
    /// The handle of every row. (Not the key: a key's own code may return another handle.)
    handles: Vec<HandleOf<H>>,
    columns: C,
    about: PhantomData<fn() -> R>,
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns counts and memory. Visits all slots.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { capacity: self.capacity(), bytes: self.bytes(), holes: 0, ..self.row_of_slot.stats() }
    }

    /// Makes retired slots usable again, as if they had never been used: see
    /// [`Pool::recycle_retired`]. **The caller must make sure that no old handle of a retired slot
    /// is left anywhere.**
    pub fn recycle_retired(&mut self) -> usize {
        self.row_of_slot.recycle_retired()
    }

    /// The row of every live slot.
    pub(crate) fn row_of_slot(&self) -> &Pool<u32, HandleOf<H>> {
        &self.row_of_slot
    }

    /// The storage of all columns.
    pub(crate) fn columns_whole(&self) -> &C {
        &self.columns
    }

    /// Slots and columns, mutably. The caller upholds T1.
    pub(crate) fn parts_mut(&mut self) -> (&mut Pool<u32, HandleOf<H>>, &mut C) {
        (&mut self.row_of_slot, &mut self.columns)
    }

    /// Handles, and columns mutably.
    #[cfg(feature = "rayon")]
    pub(crate) fn handles_and_columns_mut(&mut self) -> (&[HandleOf<H>], SlicesMut<'_, C>) {
        (&self.handles, self.columns.slices_mut())
    }

    /// The same slots and handles with other columns, of the same length.
    pub(crate) fn map_columns<S, D: Columns<Row = S>>(self, convert: impl FnOnce(C) -> D) -> Table<S, H, D> {
        Table {
            columns: convert(self.columns),
            row_of_slot: self.row_of_slot,
            handles: self.handles,
            about: PhantomData,
        }
    }
}
