//! Constructors and sizes of a table.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Columns, Row, Table};
use crate::key::Key;
use crate::pool::Pool;

impl<R: Row> Table<R> {
    /// Returns an empty table. Allocates nothing, and is `const`.
    ///
    /// For other keys: [`Table::default`] or [`Table::EMPTY`].
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Returns an empty table with room for `capacity` rows.
    ///
    /// # Panics
    ///
    /// If there is not enough memory, as with `Vec`.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut table = Self::new();
        table.reserve_exact(capacity);
        table
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// An empty table, with any key. Does not allocate; a constant, so that it can initialize a
    /// `static`.
    pub const EMPTY: Self =
        Self { row_of_slot: Pool::EMPTY, handles: Vec::new(), columns: C::EMPTY, about: PhantomData };

    /// Like [`with_capacity`](Table::with_capacity), with any key.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has fewer slots.
    #[must_use]
    #[track_caller]
    pub fn with_capacity_and_key(capacity: usize) -> Self {
        let mut table = Self::EMPTY;
        table.reserve_exact(capacity);
        table
    }

    /// Returns an empty table whose handles carry a tag, so that other tables reject them. See
    /// [`Pool::with_tag`].
    ///
    /// # Panics
    ///
    /// If the tag does not fit into the tag bits of the layout.
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        Self { row_of_slot: Pool::with_tag(tag), handles: Vec::new(), columns: C::EMPTY, about: PhantomData }
    }

    /// Returns the number of rows. Pending handles have none.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Returns `true` if there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// Returns the tag of this table's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.row_of_slot.tag()
    }
}
