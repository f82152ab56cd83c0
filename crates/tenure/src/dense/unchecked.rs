//! Looking values up without checks, or with those that are needed: that a handle is live says that
//! its row exists.
#![expect(unsafe_code, reason = "declares unsafe functions, and reads rows of live names")]

use super::DensePool;
use crate::handle::Handle;
use crate::layout::Layout;

impl<T, K: ?Sized, L: Layout> DensePool<T, K, L> {
    /// The value of a handle, or `None` if the handle leads nowhere.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        let row = *self.names().get(handle)?;
        // SAFETY: T1, the name is live, so its row exists; the column is a `Vec`, and has all rows.
        Some(unsafe { self.as_slice().get_unchecked(row as usize) })
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut T> {
        let row = *self.names().get(handle)?;
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
    pub unsafe fn get_unchecked(&self, handle: Handle<K, L>) -> &T {
        // SAFETY: the caller's: the handle is live, so it has a row, which exists (T1).
        unsafe { self.as_slice().get_unchecked(*self.names().get_unchecked(handle) as usize) }
    }

    /// As [`get_unchecked`](Self::get_unchecked), to change the value.
    ///
    /// # Safety
    ///
    /// The handle leads to a value of this pool.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, handle: Handle<K, L>) -> &mut T {
        // SAFETY: the caller's: the handle is live, so it has a row, which exists (T1).
        unsafe {
            let row = *self.names().get_unchecked(handle);
            self.columns_mut().get_unchecked_mut(row as usize)
        }
    }
}
