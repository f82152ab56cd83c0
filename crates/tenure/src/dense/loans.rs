//! Several `&mut` at once, found as you go.
#![expect(unsafe_code, reason = "lends values of a borrowed slice, each once")]

use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Column;
use crate::error::LoanError;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool;

/// Lends values of a dense pool, each handle once. See
/// [`DensePool::borrow_many`](crate::DensePool::borrow_many).
#[must_use = "it lends nothing unless it is asked"]
pub struct Loans<'a, T, K: ?Sized = T, L: Layout = Wide> {
    /// Lends the row of every handle, once.
    rows: pool::Loans<'a, u32, K, L>,
    values: NonNull<T>,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: it gives out `&mut T` of values that nobody else has, and nothing else; `rows` is `Send`
// too.
unsafe impl<T: Send, K: ?Sized, L: Layout> Send for Loans<'_, T, K, L> {}

impl<'a, T, K: ?Sized, L: Layout> Loans<'a, T, K, L> {
    pub(super) fn new(table: &'a mut Column<T, K, L>) -> Self {
        let (names, column) = table.parts_mut();
        let values = NonNull::from(column.as_mut_slice()).cast();
        Self { rows: names.borrow_many(), values, borrow: PhantomData }
    }

    /// The value of a handle that was not lent yet. It can be held together with all others.
    ///
    /// # Errors
    ///
    /// When the value was lent before, or the handle leads nowhere.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "each value is lent once, which the loans of the rows see to")]
    pub fn get_mut(&self, handle: Handle<K, L>) -> Result<&'a mut T, LoanError> {
        let row = self.rows.get_mut(handle)?;
        // SAFETY: T1, the row exists, and no other handle has it; L2, this handle has had it once,
        // now. The table is borrowed alone for `'a`.
        Ok(unsafe { self.values.add(*row as usize).as_mut() })
    }
}

impl<T, K: ?Sized, L: Layout> fmt::Debug for Loans<'_, T, K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loans").finish_non_exhaustive()
    }
}
