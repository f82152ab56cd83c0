//! Checks the invariant of a table.

use super::{Columns, Table};
use crate::key::Key;
use crate::slots::Fault;

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Checks every internal invariant and reports which one is violated. Visits everything.
    ///
    /// For tests, fuzzing and bug reports: safe code cannot make this fail, unless it implements
    /// [`Columns`] by hand and breaks its rules.
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.row_of_slot.validate()?;
        if self.handles.len() != self.row_of_slot.len() || self.handles.len() != self.columns.len() {
            return Err(Fault::of_container("T1: handles, live slots and rows differ in number"));
        }
        if !self.columns.has_len(self.len()) {
            return Err(Fault::of_container("T1: a column has another length than the number of rows"));
        }
        if self
            .handles
            .iter()
            .enumerate()
            .all(|(row, &handle)| self.row_of_slot.get(handle).is_some_and(|&at| at as usize == row))
        {
            Ok(())
        } else {
            Err(Fault::of_container("T1: a slot holds the number of another row"))
        }
    }
}
