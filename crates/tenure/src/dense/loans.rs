//! Several `&mut` at once, whose handles are not known beforehand.
#![allow(unsafe_code, reason = "lends values of a borrowed slice, each once")]

use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Column;
use crate::error::LoanError;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::pool;

/// Lends values of a dense pool, each handle once. See
/// [`DensePool::borrow_many`](crate::DensePool::borrow_many).
#[must_use = "values are lent by `get_mut`"]
pub struct Loans<'a, T, H: Key = Handle<T>> {
    /// Lends the row of each handle once.
    rows: pool::Loans<'a, u32, HandleOf<H>>,
    values: NonNull<T>,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: `values` is a mutable borrow of a slice for `'a`, so sending it is sending `&mut [T]`,
// which is `Send` if `T` is. The other fields are `Send`.
unsafe impl<T: Send, H: Key> Send for Loans<'_, T, H> {}

impl<'a, T, H: Key> Loans<'a, T, H> {
    pub(super) fn new(table: &'a mut Column<T, H>) -> Self {
        let (row_of_slot, column) = table.parts_mut();
        let values = NonNull::from(column.as_mut_slice()).cast();
        Self { rows: row_of_slot.borrow_many(), values, borrow: PhantomData }
    }

    /// Lends the value of a handle that was not lent before. It can be held together with the
    /// values of all other handles.
    ///
    /// # Errors
    ///
    /// When the value was lent before, or the handle does not resolve.
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "each value is lent once, which the loans of the rows ensure")]
    pub fn get_mut(&self, handle: H) -> Result<&'a mut T, LoanError> {
        let row = self.rows.get_mut(handle.handle())?;
        // SAFETY: by T1 the row exists, and no other handle has it. By L2 this row has not been
        // lent before. The table is borrowed mutably for `'a`, so no other reference aliases.
        Ok(unsafe { self.values.add(*row as usize).as_mut() })
    }
}

impl<T, H: Key> fmt::Debug for Loans<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loans").finish_non_exhaustive()
    }
}
