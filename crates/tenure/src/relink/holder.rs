//! The containers whose values can refer to each other: pools and worlds.

use super::AnyHandle;
use crate::dense::DensePool;
use crate::error::Full;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::status::HandleError;

pub(crate) mod sealed {
    #[expect(unnameable_types, reason = "seals `Holder`")]
    pub trait Sealed {}
}

/// A container whose values can refer to each other: [`Pool`], [`StablePool`], [`DensePool`] and
/// [`World`](crate::World). (A [`FixedPool`](crate::FixedPool) and a [`ZiiPool`](crate::ZiiPool)
/// dereference to a pool: pass `&mut *pool`.)
pub trait Holder: sealed::Sealed {
    /// The type of its values.
    type Value;
    /// The kind of its handles.
    type Kind: ?Sized + 'static;
    /// The layout of its handles.
    type Layout: Layout;
    /// Its key.
    type Key: Key<Kind = Self::Kind, Layout = Self::Layout>;

    /// Returns a handle for reports, which show it as the key does.
    #[doc(hidden)]
    fn shown(handle: HandleIn<Self>) -> AnyHandle;

    /// Applies all deferred changes.
    #[doc(hidden)]
    fn flush(&mut self) {}

    /// Returns the number of values.
    #[doc(hidden)]
    fn count(&self) -> usize;

    /// Makes room for `count` more values. On an error, nothing has changed.
    #[doc(hidden)]
    fn make_room(&mut self, count: usize) -> Result<(), Full<()>>;

    /// Reserves a handle.
    #[doc(hidden)]
    fn new_name(&mut self) -> Result<HandleIn<Self>, Full<()>>;

    /// Releases a reserved handle, if it has no value.
    #[doc(hidden)]
    fn release_name(&mut self, handle: HandleIn<Self>);

    /// Gives a reserved handle its value. The caller has made room for it.
    #[doc(hidden)]
    fn move_in(&mut self, handle: HandleIn<Self>, moved: Moved<Self::Value>);

    /// Returns the value of a handle.
    #[doc(hidden)]
    fn find(&self, handle: HandleIn<Self>) -> Result<&Self::Value, HandleError>;

    /// Passes every value to a closure, in the order of iteration.
    #[doc(hidden)]
    fn each(&self, see: &mut dyn FnMut(HandleIn<Self>, &Self::Value));

    /// Passes every value to a closure, mutably, in the same order.
    #[doc(hidden)]
    fn each_mut(&mut self, change: &mut dyn FnMut(HandleIn<Self>, &mut Self::Value));

    /// Removes every value and passes it to a closure, in the same order.
    #[doc(hidden)]
    fn take_all(&mut self, take: &mut dyn FnMut(HandleIn<Self>, Moved<Self::Value>));

    /// Returns why a handle is dangling. `None` if it resolves, or is pending and may still get a
    /// value.
    #[doc(hidden)]
    fn why_dead(&self, handle: HandleIn<Self>) -> Option<HandleError> {
        self.find(handle).err().filter(|error| !matches!(error, HandleError::Pending { .. }))
    }
}

/// The handle type of a holder.
pub(crate) type HandleIn<H> = Handle<<H as Holder>::Kind, <H as Holder>::Layout>;

/// A value that is moved from one holder to another.
#[doc(hidden)]
#[derive(Debug)]
#[expect(unnameable_types, reason = "in hidden methods of a sealed trait only")]
pub struct Moved<T> {
    pub(crate) value: T,
    /// Whether a world had made it permanent.
    pub(crate) permanent: bool,
}

impl<T> From<T> for Moved<T> {
    fn from(value: T) -> Self {
        Self { value, permanent: false }
    }
}

/// Implements `Holder` for pools that have their values in their slots. All calls go to the pool
/// with plain handles: a transfer runs no code of a key, which may return another handle, or panic
/// when half of the values have moved.
macro_rules! pools {
    ($([$($parameters:tt)*] $Pool:ty:
        |$pool:ident| $plain:expr, |$shared:ident| $iter:expr, |$handle:ident| $find:expr;)*) => {$(
        impl<T, H: Key, $($parameters)*> sealed::Sealed for $Pool {}

        impl<T, H: Key<Kind: 'static>, $($parameters)*> Holder for $Pool {
            type Value = T;
            type Kind = H::Kind;
            type Layout = H::Layout;
            type Key = H;

            fn shown(handle: HandleOf<H>) -> AnyHandle {
                AnyHandle::of::<H>(handle)
            }

            fn count(&self) -> usize {
                self.len()
            }

            fn make_room(&mut self, count: usize) -> Result<(), Full<()>> {
                let $pool = self;
                $plain.try_make_room(count)
            }

            fn new_name(&mut self) -> Result<HandleOf<H>, Full<()>> {
                let $pool = self;
                $plain.try_reserve_handle()
            }

            fn release_name(&mut self, handle: HandleOf<H>) {
                let $pool = self;
                $plain.release(handle);
            }

            fn move_in(&mut self, handle: HandleOf<H>, moved: Moved<T>) {
                let $pool = self;
                let filled = $plain.fill(handle, moved.value);
                debug_assert!(filled.is_ok(), "there is room, and the handle was reserved");
            }

            fn find(&self, $handle: HandleOf<H>) -> Result<&T, HandleError> {
                let $shared = self;
                $find
            }

            fn each(&self, see: &mut dyn FnMut(HandleOf<H>, &T)) {
                let $shared = self;
                $iter.for_each(|(handle, value)| see(handle, value));
            }

            fn each_mut(&mut self, change: &mut dyn FnMut(HandleOf<H>, &mut T)) {
                let $pool = self;
                $plain.iter_mut().for_each(|(handle, value)| change(handle, value));
            }

            fn take_all(&mut self, take: &mut dyn FnMut(HandleOf<H>, Moved<T>)) {
                let $pool = self;
                $plain.drain().for_each(|(handle, value)| take(handle, value.into()));
            }
        }
    )*};
}

pools! {
    [B: Buffer<T>] Pool<T, H, B>:
        |pool| pool.with_key_mut::<HandleOf<H>>(),
        |shared| shared.with_key_ref::<HandleOf<H>>().iter(),
        |handle| shared.with_key_ref::<HandleOf<H>>().try_get(handle);
    [] StablePool<T, H>:
        |pool| pool.pool().with_key_mut::<HandleOf<H>>(),
        |shared| shared.iter_raw(),
        |handle| shared.try_get_raw(handle);
}

impl<T, H: Key> sealed::Sealed for DensePool<T, H> {}

/// With plain handles, as for the other pools.
impl<T, H: Key<Kind: 'static>> Holder for DensePool<T, H> {
    type Value = T;
    type Kind = H::Kind;
    type Layout = H::Layout;
    type Key = H;

    fn shown(handle: HandleOf<H>) -> AnyHandle {
        AnyHandle::of::<H>(handle)
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn make_room(&mut self, count: usize) -> Result<(), Full<()>> {
        self.try_reserve(count).map_err(|_| Full::new((), self.row_of_slot().why_full(count)))
    }

    fn new_name(&mut self) -> Result<HandleOf<H>, Full<()>> {
        self.parts_mut().0.try_reserve_handle()
    }

    fn release_name(&mut self, handle: HandleOf<H>) {
        self.parts_mut().0.release(handle);
    }

    fn move_in(&mut self, handle: HandleOf<H>, moved: Moved<T>) {
        let filled = self.fill_raw(handle, moved.value);
        debug_assert!(filled.is_ok(), "there is room, and the handle was reserved");
    }

    fn find(&self, handle: HandleOf<H>) -> Result<&T, HandleError> {
        let row = *self.row_of_slot().try_get(handle)?;
        self.as_slice().get(row as usize).ok_or(HandleError::Nil)
    }

    fn each(&self, see: &mut dyn FnMut(HandleOf<H>, &T)) {
        self.raw_handles().iter().zip(self.as_slice()).for_each(|(&handle, value)| see(handle, value));
    }

    fn each_mut(&mut self, change: &mut dyn FnMut(HandleOf<H>, &mut T)) {
        let (rows, values) = self.split_columns_mut();
        rows.raw_handles().iter().zip(values).for_each(|(&handle, value)| change(handle, value));
    }

    fn take_all(&mut self, take: &mut dyn FnMut(HandleOf<H>, Moved<T>)) {
        let mut rows = self.drain();
        while let Some((handle, value)) = rows.next_raw() {
            take(handle, value.into());
        }
    }
}
