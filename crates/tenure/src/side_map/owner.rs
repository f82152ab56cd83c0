//! Who says which handles are live.

use crate::dense::DensePool;
use crate::fixed::FixedPool;
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::status::HandleError;
use crate::table::{Columns, Table};
use crate::zii::ZiiPool;

/// A container whose handles a [`SideMap`](crate::SideMap) has values for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not issue the handles of this side map",
    label = "its handles are about another type than `{K}`, or have another layout than `{L}`",
    note = "a `SideMap<K, V, L>` asks the container that issues `Handle<K, L>` whether a handle is live"
)]
pub trait Owner<K: ?Sized, L: Layout> {
    /// Whether a handle is live.
    ///
    /// # Errors
    ///
    /// What became of it.
    fn check(&self, handle: Handle<K, L>) -> Result<(), HandleError>;
}

impl<T, K: ?Sized, L: Layout, B: Buffer<T>> Owner<K, L> for Pool<T, K, L, B> {
    #[inline]
    fn check(&self, handle: Handle<K, L>) -> Result<(), HandleError> {
        if self.contains(handle) { Ok(()) } else { Err(self.why_not_live(handle)) }
    }
}

impl<T, K: ?Sized, L: Layout> Owner<K, L> for StablePool<T, K, L> {
    #[inline]
    fn check(&self, handle: Handle<K, L>) -> Result<(), HandleError> {
        self.try_get(handle).map(|_| ())
    }
}

impl<R, K: ?Sized, L: Layout, P, C: Columns<Row = R>> Owner<K, L> for Table<R, K, L, P, C> {
    #[inline]
    fn check(&self, handle: Handle<K, L>) -> Result<(), HandleError> {
        self.row_of_slot().check(handle)
    }
}

/// What is a pool with something more asks the pool.
macro_rules! asks_its_pool {
    ($([$($params:tt)*] $Type:ty),*) => {
        $(impl<$($params)*> Owner<K, L> for $Type {
            #[inline]
            fn check(&self, handle: Handle<K, L>) -> Result<(), HandleError> {
                (**self).check(handle)
            }
        })*
    };
}

asks_its_pool! {
    [T, K: ?Sized, L: Layout] DensePool<T, K, L>,
    [T, const N: usize, K: ?Sized, L: Layout] FixedPool<T, N, K, L>,
    [T: Default, K: ?Sized, L: Layout] ZiiPool<T, K, L>
}
