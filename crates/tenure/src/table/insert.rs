//! Putting rows in.

use super::{Columns, Row, Table};
use crate::error::{Full, FullKind, Rejected, Rejection};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::{InsertMany, Intake, issue, panic_full};
use crate::status::Status;

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// Adds a row, behind the others, and returns its handle. O(1); amortised when the table grows.
    ///
    /// # Panics
    ///
    /// When the table is full, or there is no memory, as `Vec` does.
    /// [`try_insert`](Self::try_insert) gives the row back instead.
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "spawn"))]
    pub fn insert(&mut self, row: R) -> Handle<K, L> {
        match self.admit_at_once() {
            Some(admitted) => admitted.move_in(row),
            None => self.insert_slowly(row),
        }
    }

    /// As [`insert`](Self::insert), with an error that gives the row back instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when all slots of the layout are in use or retired, or there is no memory.
    #[inline]
    pub fn try_insert(&mut self, row: R) -> Result<Handle<K, L>, Full<R>> {
        match self.admit_at_once() {
            Some(admitted) => Ok(admitted.move_in(row)),
            None => self.try_insert_slowly(row),
        }
    }

    /// Where more has to be done than to write. (It panics itself: a result that comes back would
    /// have to be looked at where the loop is.)
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn insert_slowly(&mut self, row: R) -> Handle<K, L> {
        match self.try_insert_slowly(row) {
            Ok(handle) => handle,
            Err(full) => panic_full(full.kind()),
        }
    }

    #[cold]
    #[inline(never)]
    fn try_insert_slowly(&mut self, row: R) -> Result<Handle<K, L>, Full<R>> {
        match self.admit() {
            Ok(admitted) => Ok(admitted.move_in(row)),
            Err(kind) => Err(Full::new(row, kind)),
        }
    }

    /// The number of the row to come.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "T1: there are no more rows than names")]
    pub(super) fn next_row(&self) -> u32 {
        self.handles.len() as u32
    }

    /// The name of the row is known, and there is room for it.
    #[inline]
    fn append(&mut self, handle: Handle<K, L>, row: R) {
        self.handles.push(handle);
        self.columns.push(row);
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
    pub fn insert_with(&mut self, make: impl FnOnce(Handle<K, L>) -> R) -> Handle<K, L> {
        match self.admit_with(make) {
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
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<Handle<K, L>, Full<F>>
    where
        F: FnOnce(Handle<K, L>) -> R,
    {
        self.admit_with(make).map_err(|(make, kind)| Full::new(make, kind))
    }

    fn admit_with<F: FnOnce(Handle<K, L>) -> R>(&mut self, make: F) -> Result<Handle<K, L>, (F, FullKind)> {
        if self.make_room(1).is_err() {
            return Err((make, FullKind::Memory));
        }
        let place = match self.names.slots.place() {
            Ok(place) => place,
            Err(kind) => return Err((make, kind)),
        };
        let handle = issue(place);
        let row = make(handle);
        self.names.slots.occupy(place, self.next_row());
        self.append(handle, row);
        Ok(handle)
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
    pub fn reserve_handle(&mut self) -> Handle<K, L> {
        self.names.reserve_handle()
    }

    /// As [`reserve_handle`](Self::reserve_handle), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// [`Full`] when there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<Handle<K, L>, Full<()>> {
        self.names.try_reserve_handle()
    }

    /// Adds the row of a [pending](Self::reserve_handle) handle, or brings a [taken](Self::take)
    /// row back: it becomes the last one.
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the row back when the handle is not pending, or there is no memory.
    pub fn fill(&mut self, handle: Handle<K, L>, row: R) -> Result<(), Rejected<R>> {
        // Whoever is refused needs no room.
        if self.status(handle) == Status::Pending && self.make_room(1).is_err() {
            return Err(Rejected::new(row, Rejection::Full));
        }
        match self.names.fill(handle, self.next_row()) {
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
    pub fn insert_at(&mut self, handle: Handle<K, L>, row: R) -> Result<Option<R>, Rejected<R>> {
        if let Some(place) = self.row_of(handle) {
            return Ok(self.replace(handle, place, row));
        }
        // Whoever is refused needs no room.
        if self.names.claim(handle).is_ok() && self.make_room(1).is_err() {
            return Err(Rejected::new(row, Rejection::Full));
        }
        match self.names.insert_at(handle, self.next_row()) {
            Ok(_) => {
                self.append(handle, row);
                Ok(None)
            }
            Err(rejected) => Err(Rejected::new(row, rejected.reason())),
        }
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Table<R, K, L, P, C> {
    /// Another row in the place of a handle, and the one that was there. Needs no memory: the old
    /// row makes room.
    ///
    /// Skipped fields are dropped and made at the end: if one panics, the new row is in its place.
    fn replace(&mut self, handle: Handle<K, L>, place: usize, row: R) -> Option<R> {
        self.names.take(handle)?;
        let replaced = self.close_gap(place);
        let last = self.next_row();
        // It is pending, so there is nothing to reject.
        let _ = self.names.fill(handle, last);
        self.handles.push(handle);
        let skipped = self.columns.push_parts(row);
        self.swap_rows(place, last as usize);
        drop(skipped);
        replaced.map(C::complete)
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Intake for Table<R, K, L, P, C> {
    type Value = R;
    type Handle = Handle<K, L>;

    fn expect_more(&mut self, count: usize) {
        // A hint may promise more than there is room for. Then the insertions find out.
        let _ = self.try_reserve(count);
    }

    #[inline]
    fn try_take_in(&mut self, row: R) -> Result<Handle<K, L>, Full<R>> {
        self.try_insert(row)
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Extend<R> for Table<R, K, L, P, C> {
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

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> FromIterator<R> for Table<R, K, L, P, C> {
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
