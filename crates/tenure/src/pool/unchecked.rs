//! Looking values up without checks.
#![expect(unsafe_code, reason = "declares unsafe functions")]

use super::Pool;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::Buffer;

impl<T, K: ?Sized, L: Layout, B: Buffer<T>> Pool<T, K, L, B> {
    /// The value of a handle that is known to be live.
    ///
    /// # Safety
    ///
    /// The handle leads to a value of this pool: [`contains`](Self::contains) would say `true`.
    ///
    /// ```
    /// let mut pool = tenure::Pool::new();
    /// let handle = pool.insert(7);
    /// // SAFETY: it was inserted just now.
    /// assert_eq!(unsafe { *pool.get_unchecked(handle) }, 7);
    /// ```
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked(&self, handle: Handle<K, L>) -> &T {
        debug_assert!(self.contains(handle));
        // SAFETY: the caller's: the slot exists and is live (B1, S1).
        unsafe { self.slots.get_unchecked(handle.index()) }
    }

    /// As [`get_unchecked`](Self::get_unchecked), to change the value.
    ///
    /// # Safety
    ///
    /// The handle leads to a value of this pool.
    #[inline]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, handle: Handle<K, L>) -> &mut T {
        debug_assert!(self.contains(handle));
        // SAFETY: the caller's: the slot exists and is live (B1, S1).
        unsafe { self.slots.get_unchecked_mut(handle.index()) }
    }
}
