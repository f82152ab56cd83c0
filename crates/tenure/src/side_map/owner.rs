//! Owners: containers that determine which handles of a side map are live.

use crate::dense::DensePool;
use crate::fixed::FixedPool;
use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::Live;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::status::HandleError;
use crate::table::{Columns, Table};
use crate::world::World;
use crate::zii::ZiiPool;

/// A container whose handles are keys of a [`SideMap`](crate::SideMap).
///
/// Its method takes a plain handle, so that no code of a user-defined key runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not issue the handles of this side map",
    label = "it does not issue keys of the type `{H}`",
    note = "a `SideMap<H, V>` asks the container that issues `H` whether a handle is live"
)]
pub trait Owner<H: Key> {
    /// Checks that a handle is live.
    ///
    /// # Errors
    ///
    /// Why it does not resolve.
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError>;
}

impl<T, H: Key, B: Buffer<T>> Owner<H> for Pool<T, H, B> {
    #[inline]
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        self.check_raw(handle)
    }
}

impl<T, H: Key> Owner<H> for StablePool<T, H> {
    #[inline]
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        self.check_raw(handle)
    }
}

/// Accepts every handle that `get` resolves, including spawned and despawning entities.
impl<E, H: Key> Owner<H> for World<E, H> {
    #[inline]
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        self.check_raw(handle)
    }
}

/// Accepts every handle that `get` resolves.
impl<E, H: Key> Owner<H> for Live<'_, E, H> {
    #[inline]
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        self.check_raw(handle)
    }
}

impl<R, H: Key, C: Columns<Row = R>> Owner<H> for Table<R, H, C> {
    #[inline]
    fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
        self.row_of_slot().check(handle)
    }
}

/// Implements `Owner` for containers that wrap a pool.
macro_rules! asks_its_pool {
    ($([$($params:tt)*] $Type:ty),*) => {
        $(impl<$($params)*> Owner<H> for $Type {
            #[inline]
            fn check(&self, handle: Handle<H::Kind, H::Layout>) -> Result<(), HandleError> {
                (**self).check(handle)
            }
        })*
    };
}

asks_its_pool! {
    [T, H: Key] DensePool<T, H>,
    [T, const N: usize, H: Key] FixedPool<T, N, H>,
    [T: Default, H: Key] ZiiPool<T, H>
}
