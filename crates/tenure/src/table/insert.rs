//! Inserting rows.

use super::{Columns, Row, Table};
use crate::error::{Full, Rejected, Rejection};
use crate::key::{HandleOf, Key};
use crate::pool::{InsertMany, Intake, panic_full};
use crate::slots::FullKind;
use crate::status::Status;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Appends a row and returns its handle. O(1); amortised when the table grows.
    ///
    /// # Panics
    ///
    /// If the table is full, or there is not enough memory.
    /// [`try_insert`](Self::try_insert) returns the row instead.
    #[inline]
    #[track_caller]
    #[doc(alias("push", "add", "spawn"))]
    pub fn insert(&mut self, row: R) -> H {
        match self.take_row_slot() {
            Ok(handle) => {
                self.append(handle, row);
                H::from_handle(handle)
            }
            Err(kind) => panic_full(kind),
        }
    }

    /// Like [`insert`](Self::insert), but returns the row in the error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] if all slots of the layout are in use or retired, or there is not enough memory.
    #[inline]
    pub fn try_insert(&mut self, row: R) -> Result<H, Full<R>> {
        self.try_take_in(row).map(H::from_handle)
    }

    /// Issues the handle of the next row, for which there is room afterwards. (The row itself is
    /// not passed in: it would be copied once more.)
    #[inline]
    fn take_row_slot(&mut self) -> Result<HandleOf<H>, FullKind> {
        if self.has_room() {
            if let Some(handle) = self.row_of_slot.insert_if_ready(self.next_row()) {
                return Ok(handle);
            }
        }
        self.grow_and_take()
    }

    /// All that grows is out of line, so that insertions are inlined into loops (row `insert
    /// reserved` of the dense pool).
    #[cold]
    #[inline(never)]
    fn grow_and_take(&mut self) -> Result<HandleOf<H>, FullKind> {
        self.make_room(1).map_err(|_| FullKind::Memory)?;
        self.row_of_slot.try_insert(self.next_row()).map_err(|full| full.kind())
    }

    #[inline]
    fn has_room(&self) -> bool {
        self.handles.len() < self.handles.capacity() && self.columns.len() < self.columns.capacity()
    }

    /// Returns the number of the next row.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "T1: there are as many rows as live slots")]
    pub(super) fn next_row(&self) -> u32 {
        self.handles.len() as u32
    }

    /// Appends a row that has its handle, and for which there is room. Its skipped fields are
    /// dropped at the end: if a destructor panics, the row is in the table.
    #[inline]
    fn append(&mut self, handle: HandleOf<H>, row: R) {
        self.handles.push(handle);
        self.columns.push(row);
    }

    /// Inserts a row that may contain its own handle.
    ///
    /// The closure runs before anything changes: if it panics, the table is unchanged.
    ///
    /// # Panics
    ///
    /// If the table is full, or there is not enough memory.
    #[track_caller]
    #[doc(alias = "insert_with_key")]
    pub fn insert_with(&mut self, make: impl FnOnce(H) -> R) -> H {
        match self.insert_made(make) {
            Ok(handle) => handle,
            Err((_, kind)) => panic_full(kind),
        }
    }

    /// Like [`insert_with`](Self::insert_with), but returns the closure in the error instead of
    /// panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room. The closure has not been called.
    pub fn try_insert_with<F>(&mut self, make: F) -> Result<H, Full<F>>
    where
        F: FnOnce(H) -> R,
    {
        self.insert_made(make).map_err(|(make, kind)| Full::new(make, kind))
    }

    fn insert_made<F: FnOnce(H) -> R>(&mut self, make: F) -> Result<H, (F, FullKind)> {
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
        self.append(handle, row);
        Ok(H::from_handle(handle))
    }

    /// Like [`insert_with`](Self::insert_with), for a closure that may fail. On `Err` the table is
    /// unchanged, and the next insertion issues the same handle.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::new();
    /// assert!(pool.insert_with_result(|_| "x".parse::<i32>()).is_err());
    /// let seven = pool.insert_with_result(|_| "7".parse::<i32>()).unwrap();
    /// assert_eq!((pool[seven], seven.index()), (7, 0));
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure.
    ///
    /// # Panics
    ///
    /// If the table is full, or there is not enough memory.
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
        self.append(handle, row);
        Ok(H::from_handle(handle))
    }

    /// Returns the handle that the next insertion will issue. `None` if the table is full.
    #[must_use]
    pub fn next_handle(&self) -> Option<H> {
        self.row_of_slot.next_handle().map(H::from_handle)
    }

    /// Inserts all rows of an iterator, and yields their handles. See
    /// [`Pool::insert_many`](crate::Pool::insert_many).
    ///
    /// Dropping the returned iterator inserts the rest; [`InsertMany::finish`] returns the rows
    /// that do not fit.
    pub fn insert_many<I: IntoIterator<Item = R>>(&mut self, rows: I) -> InsertMany<'_, Self, I::IntoIter> {
        InsertMany::new(self, rows.into_iter())
    }

    /// Issues the handle of a row that [`fill`](Self::fill) inserts later. See
    /// [`Pool::reserve_handle`](crate::Pool::reserve_handle).
    ///
    /// # Panics
    ///
    /// If the table is full, or there is not enough memory.
    #[track_caller]
    #[must_use = "without its handle, a pending slot cannot be filled or released"]
    #[doc(alias = "name a thing before it exists")]
    pub fn reserve_handle(&mut self) -> H {
        H::from_handle(self.row_of_slot.reserve_handle())
    }

    /// Like [`reserve_handle`](Self::reserve_handle), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no room.
    pub fn try_reserve_handle(&mut self) -> Result<H, Full<()>> {
        self.row_of_slot.try_reserve_handle().map(H::from_handle)
    }

    /// Inserts the row of a [pending](Self::reserve_handle) handle, or of a [taken](Self::take)
    /// one. It becomes the last row.
    ///
    /// # Errors
    ///
    /// [`Rejected`], with the row, if the handle is not pending, or there is not enough memory.
    pub fn fill(&mut self, handle: H, row: R) -> Result<(), Rejected<R>> {
        self.fill_raw(handle.handle(), row)
    }

    pub(crate) fn fill_raw(&mut self, handle: HandleOf<H>, row: R) -> Result<(), Rejected<R>> {
        // A rejected row needs no room.
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

    /// Inserts a row under a given handle: for undo, and for handles from a file or a server. See
    /// [`Pool::insert_at`](crate::Pool::insert_at). The row of a live handle is replaced in place.
    ///
    /// # Errors
    ///
    /// [`Rejected`], with the row, if the handle cannot be issued.
    #[doc(alias("undo", "restore"))]
    pub fn insert_at(&mut self, handle: H, row: R) -> Result<Option<R>, Rejected<R>> {
        let handle = handle.handle();
        if let Some(&number) = self.row_of_slot.get(handle) {
            return Ok(self.replace(handle, number as usize, row));
        }
        // A rejected row needs no room.
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
    /// Replaces the row of a handle, and returns the former one. Needs no memory: the former row
    /// makes room.
    ///
    /// Skipped fields are dropped and created at the end: if that panics, the new row is in its
    /// place.
    fn replace(&mut self, handle: HandleOf<H>, position: usize, row: R) -> Option<R> {
        self.row_of_slot.take(handle)?;
        let replaced = self.close_gap(position);
        let last = self.next_row();
        // It is pending, so `fill` cannot fail.
        let _ = self.row_of_slot.fill(handle, last);
        self.handles.push(handle);
        let skipped = self.columns.push_parts(row);
        self.swap_rows(position, last as usize);
        drop(skipped);
        replaced.map(C::complete)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Intake for Table<R, H, C> {
    type Value = R;
    type Handle = H;
    type Plain = HandleOf<H>;

    fn expect_more(&mut self, count: usize) {
        // The hint may be larger than the room. Then the insertions fail.
        let _ = self.try_reserve(count);
    }

    #[inline]
    fn try_take_in(&mut self, row: R) -> Result<HandleOf<H>, Full<R>> {
        match self.take_row_slot() {
            Ok(handle) => {
                self.append(handle, row);
                Ok(handle)
            }
            Err(kind) => Err(Full::new(row, kind)),
        }
    }

    #[inline]
    fn handle(plain: HandleOf<H>) -> H {
        H::from_handle(plain)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Extend<R> for Table<R, H, C> {
    /// # Panics
    ///
    /// If the table is full; [`insert_many`](Table::insert_many) returns the remainder instead.
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
