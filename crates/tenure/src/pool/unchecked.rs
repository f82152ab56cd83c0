//! Lookup without checks.
#![expect(unsafe_code, reason = "declares unsafe functions")]

use super::Pool;
use crate::key::Key;
use crate::slots::Buffer;

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Returns the value of a handle without checking the handle.
    ///
    /// # Safety
    ///
    /// The handle resolves in this pool: [`contains`](Self::contains) returns `true`.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let handle = pool.insert(7);
    /// // SAFETY: it was inserted just now.
    /// assert_eq!(unsafe { *pool.get_unchecked(handle) }, 7);
    /// ```
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: H) -> &T {
        debug_assert!(self.contains(handle));
        // SAFETY: the slot must exist and be live (B1, S1). The caller guarantees that the handle
        // resolves.
        unsafe { self.slots.get_unchecked(handle.handle().index()) }
    }

    /// Like [`get_unchecked`](Self::get_unchecked), mutably.
    ///
    /// # Safety
    ///
    /// The handle resolves in this pool.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, handle: H) -> &mut T {
        debug_assert!(self.contains(handle));
        // SAFETY: the slot must exist and be live (B1, S1). The caller guarantees that the handle
        // resolves.
        unsafe { self.slots.get_unchecked_mut(handle.handle().index()) }
    }
}
