//! What holds values that refer to each other: pools and worlds.

use crate::dense::DensePool;
use crate::error::Full;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::status::{HandleError, Status};

pub(crate) mod sealed {
    #[expect(unnameable_types, reason = "seals `Holder`")]
    pub trait Sealed {}
}

/// What holds values that refer to each other: [`Pool`], [`StablePool`], [`DensePool`] and
/// [`World`](crate::World). (A [`FixedPool`](crate::FixedPool) and a [`ZiiPool`](crate::ZiiPool)
/// are pools with something more: pass `&mut *pool`.)
pub trait Holder: sealed::Sealed {
    /// What it holds.
    type Value;
    /// What its handles are about.
    type Kind: ?Sized + 'static;
    /// The layout of its handles.
    type Layout: Layout;

    /// Everything that is to come or to go has done so.
    #[doc(hidden)]
    fn settle(&mut self) {}

    /// How many there are.
    #[doc(hidden)]
    fn count(&self) -> usize;

    /// Room for so many more; or nothing has happened.
    #[doc(hidden)]
    fn make_room(&mut self, count: usize) -> Result<(), Full<()>>;

    /// A handle without a value.
    #[doc(hidden)]
    fn new_name(&mut self) -> Result<HandleIn<Self>, Full<()>>;

    /// A handle that still has no value is dead.
    #[doc(hidden)]
    fn release_name(&mut self, handle: HandleIn<Self>);

    /// The value of a reserved handle, for which room was made.
    #[doc(hidden)]
    fn move_in(&mut self, handle: HandleIn<Self>, newcomer: Newcomer<Self::Value>);

    /// The value of a handle.
    #[doc(hidden)]
    fn find(&self, handle: HandleIn<Self>) -> Result<&Self::Value, HandleError>;

    /// All, in the order of walks.
    #[doc(hidden)]
    fn each(&self, see: &mut dyn FnMut(HandleIn<Self>, &Self::Value));

    /// All, in the same order, to change them.
    #[doc(hidden)]
    fn each_mut(&mut self, change: &mut dyn FnMut(HandleIn<Self>, &mut Self::Value));

    /// All, in the same order, to have them.
    #[doc(hidden)]
    fn take_all(&mut self, take: &mut dyn FnMut(HandleIn<Self>, Newcomer<Self::Value>));

    /// Why a handle is none to keep: one without a value that may still get it is.
    #[doc(hidden)]
    fn why_dead(&self, handle: HandleIn<Self>) -> Option<HandleError> {
        self.find(handle).err().filter(|error| !matches!(error, HandleError::Pending { .. }))
    }
}

/// A handle of what a holder holds.
pub(crate) type HandleIn<H> = Handle<<H as Holder>::Kind, <H as Holder>::Layout>;

/// A value on its way from one holder to another.
#[doc(hidden)]
#[derive(Debug)]
#[expect(unnameable_types, reason = "in hidden methods of a sealed trait only")]
pub struct Newcomer<T> {
    pub(crate) value: T,
    /// Worlds know such.
    pub(crate) permanent: bool,
}

impl<T> From<T> for Newcomer<T> {
    fn from(value: T) -> Self {
        Self { value, permanent: false }
    }
}

/// What pools have in common. They differ in how they make room, and in where their names are.
macro_rules! pools {
    ($([$($parameters:tt)*] $Pool:ty: |$pool:ident, $count:ident| $try_reserve:expr, $pool_of_slots:expr;)*) => {$(
        impl<T, H: Key, $($parameters)*> sealed::Sealed for $Pool {}

        impl<T, H: Key<Kind: 'static>, $($parameters)*> Holder for $Pool {
            type Value = T;
            type Kind = H::Kind;
            type Layout = H::Layout;

            fn count(&self) -> usize {
                self.len()
            }

            fn make_room(&mut self, $count: usize) -> Result<(), Full<()>> {
                let $pool = self;
                $try_reserve.map_err(|_| Full::new((), $pool_of_slots.why_full($count)))
            }

            fn new_name(&mut self) -> Result<HandleOf<H>, Full<()>> {
                self.try_reserve_handle().map(Key::handle)
            }

            fn release_name(&mut self, handle: HandleOf<H>) {
                if self.status(H::from_handle(handle)) == Status::Pending {
                    self.remove(H::from_handle(handle));
                }
            }

            fn move_in(&mut self, handle: HandleOf<H>, newcomer: Newcomer<T>) {
                let filled = self.fill(H::from_handle(handle), newcomer.value);
                debug_assert!(filled.is_ok(), "there is room, and the handle was reserved");
            }

            fn find(&self, handle: HandleOf<H>) -> Result<&T, HandleError> {
                self.try_get(H::from_handle(handle))
            }

            fn each(&self, see: &mut dyn FnMut(HandleOf<H>, &T)) {
                self.iter().for_each(|(key, value)| see(key.handle(), value));
            }

            fn each_mut(&mut self, change: &mut dyn FnMut(HandleOf<H>, &mut T)) {
                self.iter_mut().for_each(|(key, value)| change(key.handle(), value));
            }

            fn take_all(&mut self, take: &mut dyn FnMut(HandleOf<H>, Newcomer<T>)) {
                self.drain().for_each(|(key, value)| take(key.handle(), value.into()));
            }
        }
    )*};
}

pools! {
    [B: Buffer<T>] Pool<T, H, B>: |pool, count| pool.try_make_room(count), pool;
    [] StablePool<T, H>: |pool, count| pool.try_reserve(count), pool.pool();
    [] DensePool<T, H>: |pool, count| pool.try_reserve(count), pool.row_of_slot();
}
