//! Looking values up without checks, or with those that are needed: that a handle is live says that
//! its row exists.
#![expect(unsafe_code, reason = "declares unsafe functions, and reads rows of live names")]

use super::DensePool;
use crate::key::Key;

impl<T, H: Key> DensePool<T, H> {
    /// The value of a handle, or `None` if the handle leads nowhere.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        let row = *self.row_of_slot().get(handle.handle())?;
        // SAFETY: T1, the name is live, so its row exists; the column is a `Vec`, and has all rows.
        Some(unsafe { self.as_slice().get_unchecked(row as usize) })
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        let row = *self.row_of_slot().get(handle.handle())?;
        // SAFETY: T1, the name is live, so its row exists; the column is a `Vec`, and has all rows.
        Some(unsafe { self.columns_mut().get_unchecked_mut(row as usize) })
    }

    /// The value of a handle that is known to be live.
    ///
    /// # Safety
    ///
    /// The handle leads to a value of this pool: [`contains`](crate::Table::contains) would say
    /// `true`.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: H) -> &T {
        // SAFETY: the caller's: the handle is live, so it has a row, which exists (T1).
        unsafe { self.as_slice().get_unchecked(*self.row_of_slot().get_unchecked(handle.handle()) as usize) }
    }

    /// As [`get_unchecked`](Self::get_unchecked), to change the value.
    ///
    /// # Safety
    ///
    /// The handle leads to a value of this pool.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, handle: H) -> &mut T {
        // SAFETY: the caller's: the handle is live, so it has a row, which exists (T1).
        unsafe {
            let row = *self.row_of_slot().get_unchecked(handle.handle());
            self.columns_mut().get_unchecked_mut(row as usize)
        }
    }
}
