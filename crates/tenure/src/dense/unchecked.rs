//! Lookups without bounds checks: a live handle implies that its row exists.
#![expect(unsafe_code, reason = "declares unsafe functions, and reads rows of live handles")]

use super::DensePool;
use crate::key::Key;
use crate::status::HandleError;

impl<T, H: Key> DensePool<T, H> {
    /// Returns the value of a handle. `None` if the handle does not resolve. O(1).
    ///
    /// ```
    /// let mut pool = tenure::DensePool::new();
    /// let orc = pool.insert("orc");
    /// assert_eq!(pool.get(orc), Some(&"orc"));
    /// pool.remove(orc);
    /// assert_eq!(pool.get(orc), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&T> {
        let row = *self.row_of_slot().get(handle.handle())?;
        // SAFETY: the handle is live, so its row exists by T1; the column is a `Vec` with all rows.
        Some(unsafe { self.as_slice().get_unchecked(row as usize) })
    }

    /// Like [`get`](Self::get), but returns an error that says why the handle does not resolve.
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    #[inline]
    pub fn try_get(&self, handle: H) -> Result<&T, HandleError> {
        let row = *self.row_of_slot().try_get(handle.handle())?;
        // SAFETY: the handle is live, so its row exists by T1; the column is a `Vec` with all rows.
        Ok(unsafe { self.as_slice().get_unchecked(row as usize) })
    }

    /// Like [`get`](Self::get), but returns the value mutably.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        let row = *self.row_of_slot().get(handle.handle())?;
        // SAFETY: the handle is live, so its row exists by T1; the column is a `Vec` with all rows.
        Some(unsafe { self.columns_mut().get_unchecked_mut(row as usize) })
    }

    /// Returns the value of a handle that is known to be live.
    ///
    /// # Safety
    ///
    /// The handle must resolve to a value of this pool: [`contains`](crate::Table::contains)
    /// returns `true` for it.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: H) -> &T {
        // SAFETY: the caller guarantees that the handle is live, so its row exists by T1.
        unsafe { self.as_slice().get_unchecked(*self.row_of_slot().get_unchecked(handle.handle()) as usize) }
    }

    /// Like [`get_unchecked`](Self::get_unchecked), but returns the value mutably.
    ///
    /// # Safety
    ///
    /// The handle must resolve to a value of this pool.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, handle: H) -> &mut T {
        // SAFETY: the caller guarantees that the handle is live, so its row exists by T1.
        unsafe {
            let row = *self.row_of_slot().get_unchecked(handle.handle());
            self.columns_mut().get_unchecked_mut(row as usize)
        }
    }
}
