//! While values are copied or saved, their own code runs, and must not insert.

use core::cell::Cell;

/// Counts as one copy that is being made, as long as it is there.
pub(crate) struct Copying<'a>(&'a Cell<u32>);

impl<'a> Copying<'a> {
    pub(crate) fn of(copies: &'a Cell<u32>) -> Self {
        copies.set(copies.get() + 1);
        Self(copies)
    }
}

impl Drop for Copying<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
