//! Several `&mut` at once, whose handles are not known beforehand.

use core::fmt;
use core::marker::PhantomData;

use crate::error::LoanError;
use crate::handle::Handle;
use crate::key::Key;
use crate::slots::{Buffer, Growable, LoanBook, NoLoan, Slots};
use crate::status::{HandleError, diagnose};

/// Borrows values of a pool, each handle once. See [`Pool::borrow_many`](crate::Pool::borrow_many).
#[must_use = "it lends nothing unless it is asked"]
pub struct Loans<'a, T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    book: LoanBook<'a, T, B::View, B::Ledger>,
    about: PhantomData<H>,
}

impl<'a, T, H: Key, B: Buffer<T>> Loans<'a, T, H, B> {
    pub(super) fn new(slots: &'a mut Slots<T, H::Layout, B>) -> Self {
        Self { book: slots.lend(), about: PhantomData }
    }

    /// Returns the value of a handle, mutably. It can be held together with the values of other
    /// handles.
    ///
    /// # Errors
    ///
    /// When the value was returned before, or the handle does not resolve.
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "each value is lent once, which the book sees to")]
    pub fn get_mut(&self, handle: H) -> Result<&'a mut T, LoanError> {
        let handle = handle.handle();
        self.book.get_mut(handle.index(), handle.slot().mark).map_err(|no| match no {
            NoLoan::Lent => LoanError::AlreadyLent,
            NoLoan::NotLive => LoanError::NotLive(self.why_not_live(handle)),
        })
    }

    #[cold]
    fn why_not_live(&self, handle: Handle<H::Kind, H::Layout>) -> HandleError {
        diagnose(handle, self.book.base_mark(), self.book.state(handle.index())).unwrap_or(HandleError::Nil)
    }
}

impl<T, H: Key, B: Buffer<T>> fmt::Debug for Loans<'_, T, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loans").finish_non_exhaustive()
    }
}
