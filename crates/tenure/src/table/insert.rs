//! Putting rows in.

use super::{Columns, Row, Table};
use crate::error::{Full, Rejected, Rejection};
use crate::key::{HandleOf, Key};
use crate::pool::{InsertMany, Intake, panic_full};
use crate::slots::FullKind;
use crate::status::Status;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Adds a row, behind the others, and returns its handle. O(1); amortised when the table grows.
    ///
    /// # Panics
    ///
    /// When the table is full, or there is no memory, as `Vec` does.
    /// [`try_insert`](Self::try_insert) gives the row back instead.
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "spawn"))]
    pub fn insert(&mut self, row: R) -> H {
        match self.name_next_row() {
            Ok(handle) => self.append(handle, row),
            Err(kind) => panic_full(kind),
        }
    }

    /// Like [`insert`](Self::insert), but returns the row in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    #[inline]
    pub fn try_insert(&mut self, row: R) -> Result<H, Full<R>> {
        match self.name_next_row() {
            Ok(handle) => Ok(self.append(handle, row)),
            Err(kind) => Err(Full::new(row, kind)),
        }
    }

    /// Makes room for one more row, and gives it a handle. (The row itself is not passed in: it
    /// would be copied once more.)
    #[inline]
    fn name_next_row(&mut self) -> Result<HandleOf<H>, FullKind> {
        self.make_room(1).map_err(|_| FullKind::Memory)?;
        self.row_of_slot.try_insert(self.next_row()).map_err(|full| full.kind())
    }

    /// The number of the row to come.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "T1: there are no more rows than names")]
    pub(super) fn next_row(&self) -> u32 {
        self.handles.len() as u32
    }

    /// Adds a row that has its handle, and for which there is room. Its skipped fields are dropped
    /// at the end: if one of them panics, the row is there.
    #[inline]
    fn append(&mut self, handle: HandleOf<H>, row: R) -> H {
        self.handles.push(handle);
        self.columns.push(row);
        H::from_handle(handle)
    }

    /// Adds a row that may hold its own handle.
    ///
    /// The closure runs before anything changes: if it panics, nothing has happened.
    ///
    /// # Panics
    ///
    /// When the table is full, or there is no memory.
    #[track_caller]
    #[doc(alias = "insert_with_key")]
    pub fn insert_with(&mut self, make: impl FnOnce(H) -> R) -> H {
        match self.insert_named(make) {
            Ok(handle) => handle,
            Err((_, kind)) => panic_full(kind),
        }
    }

    /// As [`insert_with`](Self::insert_with), with an error that gives the closure back instead of
    /// a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room. The closure has not been called then.
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<H, Full<F>>
    where
        F: FnOnce(H) -> R,
    {
        self.insert_named(make).map_err(|(make, kind)| Full::new(make, kind))
    }

    fn insert_named<F: FnOnce(H) -> R>(&mut self, make: F) -> Result<H, (F, FullKind)> {
        if self.make_room(1).is_err() {
            return Err((make, FullKind::Memory));
        }
        // The row is made before anything changes: the closure may panic.
        let handle = match self.row_of_slot.make_next_handle() {
            Ok(handle) => handle,
            Err(kind) => return Err((make, kind)),
        };
        let row = make(H::from_handle(handle));
        self.row_of_slot.insert(self.next_row());
        Ok(self.append(handle, row))
    }

    /// Like [`insert_with`](Self::insert_with), for a closure that may fail. On `Err` nothing has
    /// happened, and the next insertion issues the same handle.
    ///
    /// # Errors
    ///
    /// The closure's.
    ///
    /// # Panics
    ///
    /// When the table is full, or there is no memory.
    #[track_caller]
    pub fn insert_with_result<E>(&mut self, make: impl FnOnce(H) -> Result<R, E>) -> Result<H, E> {
        if self.make_room(1).is_err() {
            panic_full(FullKind::Memory);
        }
        let handle = match self.row_of_slot.make_next_handle() {
            Ok(handle) => handle,
            Err(kind) => panic_full(kind),
        };
        let row = make(H::from_handle(handle))?;
        self.row_of_slot.insert(self.next_row());
        Ok(self.append(handle, row))
    }

    /// Returns the handle that the next insertion will issue. `None` when the table is full.
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.row_of_slot.next_handle().map(H::from_handle)
    }

    /// Adds all rows of an iterator, and yields their handles. See
    /// [`Pool::insert_many`](crate::Pool::insert_many).
    ///
    /// Dropping what this returns inserts the rest; [`InsertMany::finish`] gives back what does not
    /// fit.
    pub fn insert_many<I: IntoIterator<Item = R>>(&mut self, rows: I) -> InsertMany<'_, Self, I::IntoIter> {
        InsertMany::new(self, rows.into_iter())
    }

    /// Names a row now that [`fill`](Self::fill) adds later. See
    /// [`Pool::reserve_handle`](crate::Pool::reserve_handle).
    ///
    /// # Panics
    ///
    /// When the table is full, or there is no memory.
    #[track_caller]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    #[doc(alias = "name a thing before it exists")]
    pub fn reserve_handle(&mut self) -> H {
        H::from_handle(self.row_of_slot.reserve_handle())
    }

    /// As [`reserve_handle`](Self::reserve_handle), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<H, Full<()>> {
        self.row_of_slot.try_reserve_handle().map(H::from_handle)
    }

    /// Adds the row of a [pending](Self::reserve_handle) handle, or brings a [taken](Self::take)
    /// row back: it becomes the last one.
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the row back when the handle is not pending, or there is no memory.
    pub fn fill(&mut self, handle: H, row: R) -> Result<(), Rejected<R>> {
        let handle = handle.handle();
        // A row that is refused needs no room.
        if self.row_of_slot.status(handle) == Status::Pending && self.make_room(1).is_err() {
            return Err(Rejected::new(row, Rejection::Full));
        }
        match self.row_of_slot.fill(handle, self.next_row()) {
            Ok(()) => {
                self.append(handle, row);
                Ok(())
            }
            Err(rejected) => Err(Rejected::new(row, rejected.reason())),
        }
    }

    /// Adds a row under this very handle: for undo, and for handles that come from a file or a
    /// server. See [`Pool::insert_at`](crate::Pool::insert_at). A live handle keeps its place among
    /// the rows.
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the row back when the handle cannot be had.
    #[doc(alias("undo", "restore"))]
    pub fn insert_at(&mut self, handle: H, row: R) -> Result<Option<R>, Rejected<R>> {
        let handle = handle.handle();
        if let Some(&place) = self.row_of_slot.get(handle) {
            return Ok(self.replace(handle, place as usize, row));
        }
        // A row that is refused needs no room.
        if self.row_of_slot.claim(handle).is_ok() && self.make_room(1).is_err() {
            return Err(Rejected::new(row, Rejection::Full));
        }
        match self.row_of_slot.insert_at(handle, self.next_row()) {
            Ok(_) => {
                self.append(handle, row);
                Ok(None)
            }
            Err(rejected) => Err(Rejected::new(row, rejected.reason())),
        }
    }
}

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Another row in the place of a handle, and the one that was there. Needs no memory: the old
    /// row makes room.
    ///
    /// Skipped fields are dropped and made at the end: if one panics, the new row is in its place.
    fn replace(&mut self, handle: HandleOf<H>, place: usize, row: R) -> Option<R> {
        self.row_of_slot.take(handle)?;
        let replaced = self.close_gap(place);
        let last = self.next_row();
        // It is pending, so there is nothing to reject.
        let _ = self.row_of_slot.fill(handle, last);
        self.handles.push(handle);
        let skipped = self.columns.push_parts(row);
        self.swap_rows(place, last as usize);
        drop(skipped);
        replaced.map(C::complete)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Intake for Table<R, H, C> {
    type Value = R;
    type Handle = H;

    fn expect_more(&mut self, count: usize) {
        // A hint may promise more than there is room for. Then the insertions find out.
        let _ = self.try_reserve(count);
    }

    #[inline]
    fn try_take_in(&mut self, row: R) -> Result<H, Full<R>> {
        self.try_insert(row)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Extend<R> for Table<R, H, C> {
    /// # Panics
    ///
    /// When the table is full; [`insert_many`](Table::insert_many) gives the remainder back
    /// instead.
    #[track_caller]
    fn extend<I: IntoIterator<Item = R>>(&mut self, rows: I) {
        if let Err(full) = self.insert_many(rows).finish() {
            panic!("{full}");
        }
    }
}

impl<R, H: Key, C: Columns<Row = R>> FromIterator<R> for Table<R, H, C> {
    /// The rows get the indices 0, 1, 2, …; the table has the tag 0.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut table = Self::EMPTY;
        table.extend(rows);
        table
    }
}

impl<R: Row, const N: usize> From<[R; N]> for Table<R> {
    /// The rows get the indices 0, 1, 2, ….
    #[track_caller]
    fn from(rows: [R; N]) -> Self {
        Self::from_iter(rows)
    }
}
