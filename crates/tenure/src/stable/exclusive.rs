//! What needs the whole pool: as on `Pool`.

use alloc::collections::TryReserveError;

use super::StablePool;
use crate::error::{GetDisjointMutError, Rejected};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::lifecycle::Inner;
use crate::pool::{Drain, ExtractIf, InsertMany, IntoValues, IterMut, Loans, ValuesMut};
use crate::slots::{ChunkTable, Chunks};
use crate::status::HandleError;

/// Declares methods that `Pool` has.
macro_rules! as_on_pool {
    ($($(#[$attribute:meta])* fn $name:ident($($arg:ident: $Type:ty),*) $(-> $Result:ty)?;)*) => {$(
        #[doc = concat!("As [`Pool::", stringify!($name), "`](crate::Pool::", stringify!($name), "), with the whole pool to itself.")]
        $(#[$attribute])*
        pub fn $name(&mut self, $($arg: $Type),*) $(-> $Result)? {
            self.pool().$name($($arg),*)
        }
    )*};
}

/// The exclusive phase.
impl<T, K: ?Sized, L: Layout> StablePool<T, K, L> {
    #[inline]
    pub(crate) fn pool(&mut self) -> &mut Inner<T, K, L> {
        self.lifecycle.pool_mut()
    }

    as_on_pool! {
        #[inline]
        #[must_use]
        fn get_mut(handle: Handle<K, L>) -> Option<&mut T>;
        /// # Errors
        ///
        /// What became of the handle.
        fn try_get_mut(handle: Handle<K, L>) -> Result<&mut T, HandleError>;
        #[inline]
        fn remove(handle: Handle<K, L>) -> Option<T>;
        fn take(handle: Handle<K, L>) -> Option<T>;
        /// # Errors
        ///
        /// [`Rejected`] gives the value back.
        fn insert_at(handle: Handle<K, L>, value: T) -> Result<Option<T>, Rejected<T>>;
        fn reserve_slots(count: usize);
        fn borrow_many() -> Loans<'_, T, K, L, Chunks<T>>;
        fn iter_mut() -> IterMut<'_, T, K, L, ChunkTable<T>>;
        fn values_mut() -> ValuesMut<'_, T, ChunkTable<T>>;
        fn retain(keep: impl FnMut(Handle<K, L>, &mut T) -> bool);
        fn clear();
        fn drain() -> Drain<'_, T, K, L, Chunks<T>>;
        fn recycle_retired() -> usize;
        /// # Panics
        ///
        /// When there is no memory, or the layout has not that many slots.
        #[track_caller]
        fn reserve(additional: usize);
        /// # Panics
        ///
        /// When there is no memory, or the layout has not that many slots.
        #[track_caller]
        fn reserve_exact(additional: usize);
        /// # Errors
        ///
        /// When there is no memory, or the layout has not that many slots.
        fn try_reserve(additional: usize) -> Result<(), TryReserveError>;
        /// # Errors
        ///
        /// When there is no memory, or the layout has not that many slots.
        fn try_reserve_exact(additional: usize) -> Result<(), TryReserveError>;
        fn warm_up();
    }

    /// Cuts off the free slots at the end and gives back the chunks behind the last slot that is
    /// left.
    ///
    /// No value moves, so a live or pending slot keeps the memory of all slots before it. Every
    /// dead handle stays dead: slots that were cut off continue above their highest generation when
    /// they are used again. See [`Pool::shrink_to_fit`](crate::Pool::shrink_to_fit).
    pub fn shrink_to_fit(&mut self) {
        self.pool().shrink_to_fit();
        self.lifecycle.shrink_lists();
    }

    /// As [`Pool::get_disjoint_mut`](crate::Pool::get_disjoint_mut).
    ///
    /// # Errors
    ///
    /// Which handle leads nowhere and why, or which two are the same.
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<K, L>; N],
    ) -> Result<[&mut T; N], GetDisjointMutError> {
        self.pool().get_disjoint_mut(handles)
    }

    /// As [`Pool::insert_many`](crate::Pool::insert_many).
    pub fn insert_many<I: IntoIterator<Item = T>>(
        &mut self,
        values: I,
    ) -> InsertMany<'_, Inner<T, K, L>, I::IntoIter> {
        self.pool().insert_many(values)
    }

    /// As [`Pool::extract_if`](crate::Pool::extract_if).
    #[must_use = "it removes nothing unless it is iterated over"]
    pub fn extract_if<F>(&mut self, should_remove: F) -> ExtractIf<'_, T, F, K, L, Chunks<T>>
    where
        F: FnMut(Handle<K, L>, &mut T) -> bool,
    {
        self.pool().extract_if(should_remove)
    }

    /// The values alone, by index.
    pub fn into_values(self) -> IntoValues<T, K, L, Chunks<T>> {
        self.lifecycle.into_inner().into_values()
    }

    /// The same handles, leading to other values. See
    /// [`Pool::map_values`](crate::Pool::map_values).
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> StablePool<U, K, L> {
        StablePool::from_pool(self.lifecycle.into_inner().map_values(convert))
    }
}
