//! The methods of a stable pool that need `&mut self`, most of them as on `Pool`.

use alloc::collections::TryReserveError;

use super::{Drain, ExtractIf, InsertMany, IntoValues, IterMut, Loans, StablePool, ValuesMut};
use crate::error::{GetDisjointMutError, Rejected};
use crate::key::Key;
use crate::pool::Pool;
use crate::slots::Chunks;
use crate::status::HandleError;

/// Declares methods that call the method of `Pool` with the same name.
macro_rules! as_on_pool {
    ($($(#[$attribute:meta])* fn $name:ident($($arg:ident: $Type:ty),*) $(-> $Result:ty)?;)*) => {$(
        #[doc = concat!("See [`Pool::", stringify!($name), "`](crate::Pool::", stringify!($name), ").")]
        $(#[$attribute])*
        pub fn $name(&mut self, $($arg: $Type),*) $(-> $Result)? {
            self.pool().$name($($arg),*)
        }
    )*};
}

/// The exclusive phase.
impl<T, H: Key> StablePool<T, H> {
    #[inline]
    pub(crate) fn pool(&mut self) -> &mut Pool<T, H, Chunks<T>> {
        self.lifecycle.pool_mut().with_key_mut()
    }

    as_on_pool! {
        #[inline]
        #[must_use]
        fn get_mut(handle: H) -> Option<&mut T>;
        /// # Errors
        ///
        /// What became of the handle.
        fn try_get_mut(handle: H) -> Result<&mut T, HandleError>;
        #[inline]
        fn remove(handle: H) -> Option<T>;
        #[must_use = "its slot is kept for it; to let it go, call `remove`"]
        fn take(handle: H) -> Option<T>;
        /// # Errors
        ///
        /// [`Rejected`], which has the value, when the handle cannot be issued.
        fn insert_at(handle: H, value: T) -> Result<Option<T>, Rejected<T>>;
        fn allow_indices_below(count: usize);
        fn borrow_many() -> Loans<'_, T, H>;
        fn iter_mut() -> IterMut<'_, T, H>;
        fn values_mut() -> ValuesMut<'_, T>;
        #[inline]
        fn discard(handle: H) -> bool;
        fn release_pending() -> usize;
        fn shrink_to(capacity: usize);
        fn retain(keep: impl FnMut(H, &mut T) -> bool);
        fn clear();
        fn drain() -> Drain<'_, T, H>;
        fn recycle_retired() -> usize;
        /// # Panics
        ///
        /// When there is no memory, or the layout has fewer slots.
        #[track_caller]
        fn reserve(additional: usize);
        /// # Panics
        ///
        /// When there is no memory, or the layout has fewer slots.
        #[track_caller]
        fn reserve_exact(additional: usize);
        /// # Errors
        ///
        /// When there is no memory, or the layout has fewer slots.
        fn try_reserve(additional: usize) -> Result<(), TryReserveError>;
        /// # Errors
        ///
        /// When there is no memory, or the layout has fewer slots.
        fn try_reserve_exact(additional: usize) -> Result<(), TryReserveError>;
        fn warm_up();
    }

    /// Removes the free slots at the end and frees the chunks behind the last slot that is left.
    ///
    /// No value moves, so a live or pending slot keeps the memory of all slots before it. Stale
    /// handles stay stale: when a removed slot is added again, its generations continue above its
    /// highest one. See [`Pool::shrink_to_fit`](crate::Pool::shrink_to_fit).
    pub fn shrink_to_fit(&mut self) {
        self.pool().shrink_to_fit();
        self.lifecycle.shrink_lists();
    }

    /// See [`Pool::get_disjoint_mut`](crate::Pool::get_disjoint_mut).
    ///
    /// # Errors
    ///
    /// Which handle does not resolve and why, or which two are equal.
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut T; N], GetDisjointMutError> {
        self.pool().get_disjoint_mut(handles)
    }

    /// See [`Pool::insert_many`](crate::Pool::insert_many).
    pub fn insert_many<I: IntoIterator<Item = T>>(&mut self, values: I) -> InsertMany<'_, T, I::IntoIter, H> {
        self.pool().insert_many(values)
    }

    /// See [`Pool::extract_if`](crate::Pool::extract_if).
    pub fn extract_if<F>(&mut self, should_remove: F) -> ExtractIf<'_, T, F, H>
    where
        F: FnMut(H, &mut T) -> bool,
    {
        self.pool().extract_if(should_remove)
    }

    /// Converts the pool into an iterator over its values, in index order.
    pub fn into_values(self) -> IntoValues<T, H> {
        self.lifecycle.into_inner().with_key::<H>().into_values()
    }

    /// Converts every value. The handles stay the same. See
    /// [`Pool::map_values`](crate::Pool::map_values).
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> StablePool<U, H> {
        StablePool::from_pool(self.lifecycle.into_inner().map_values(convert))
    }
}
