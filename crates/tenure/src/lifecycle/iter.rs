//! Iterators over a stable pool or a world that allow values to be added meanwhile: they read the
//! engine once per 64 slots, and do not borrow it in between.
#![allow(unsafe_code, reason = "returns references to values while others are added")]

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::Lifecycle;
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::{RawIter, SlotRef};

macro_rules! raw_iterator {
    ($(#[$doc:meta])* $name:ident, $borrow:ty, $item:ty, |$handle:pat_param, $pointer:pat_param| $make:expr) => {
        $(#[$doc])*
        #[must_use = "iterators are lazy"]
        pub struct $name<'a, T, H: Key = Handle<T>> {
            lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
            raw: RawIter<T>,
            /// The number of values that are left; if values can be inserted meanwhile, at least.
            left: usize,
            can_grow: bool,
            borrow: PhantomData<$borrow>,
        }

        impl<'a, T, H: Key> $name<'a, T, H> {
            /// Returns an iterator over values that stay the same while it exists.
            pub(crate) fn new(lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>) -> Self {
                let (raw, left) = lifecycle.look(|pool| (pool.raw_iter(), pool.len()));
                Self { raw, left, can_grow: false, lifecycle, borrow: PhantomData }
            }

            /// # Safety
            /// The value is not removed for `'a`, and it is borrowed as `$borrow` says.
            #[inline]
            #[allow(unused_unsafe, reason = "an iterator over handles makes no reference")]
            unsafe fn item((slot, $pointer): (SlotRef, NonNull<T>)) -> $item {
                let $handle: H = H::from_slot(slot);
                // SAFETY: the obligations are those of the caller.
                unsafe { $make }
            }
        }

        impl<'a, T, H: Key> Iterator for $name<'a, T, H> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                let found = self.raw.next(|| self.lifecycle.slots())?;
                self.left = self.left.saturating_sub(1);
                // SAFETY: by R1 the value is not removed while the container is borrowed, which is
                // for `'a`. By X1 there is no other reference to a value that is borrowed mutably:
                // a mutable iterator borrows all values mutably and yields each once.
                Some(unsafe { Self::item(found) })
            }

            /// O(1). Exact, unless values can be inserted during the iteration.
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.left, Some(if self.can_grow { self.raw.at_most() } else { self.left }))
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                // SAFETY: as in `next`.
                let mut step = |acc, found| step(acc, unsafe { Self::item(found) });
                self.raw.fold(|| self.lifecycle.slots(), acc, |acc, found| step(acc, found))
            }
        }

        impl<T, H: Key> FusedIterator for $name<'_, T, H> {}

        impl<T, H: Key> fmt::Debug for $name<'_, T, H> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("left", &self.left).finish_non_exhaustive()
            }
        }
    };
}

/// Only for iterators that yield no `&mut`.
macro_rules! cloned {
    ($($name:ident),*) => {$(
        impl<T, H: Key> Clone for $name<'_, T, H> {
            fn clone(&self) -> Self {
                Self { raw: self.raw.clone(), ..*self }
            }
        }
    )*};
}

/// Only for iterators over values that stay the same.
macro_rules! exact {
    ($($name:ident),*) => {$(
        impl<T, H: Key> ExactSizeIterator for $name<'_, T, H> {}
    )*};
}

/// For iterators of stable pools, which can be inserted into during the iteration.
macro_rules! growing {
    ($($name:ident),*) => {$(
        impl<'a, T, H: Key> $name<'a, T, H> {
            /// Returns an iterator that may also visit values that are inserted while it exists.
            pub(crate) fn growing(lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>) -> Self {
                Self { can_grow: true, ..Self::new(lifecycle) }
            }
        }
    )*};
}

/// Returns the reference that a shared iterator yields.
///
/// # Safety
/// The value is not removed for `'a`, and there is no `&mut` to it.
#[inline]
unsafe fn shared<'a, T>(value: NonNull<T>) -> &'a T {
    // SAFETY: the obligations are those of the caller.
    unsafe { &*value.as_ptr() }
}

/// Returns the reference that a mutable iterator yields, which borrows all values mutably and
/// yields each once.
///
/// # Safety
/// The value is not removed for `'a`, and there is no other reference to it.
#[inline]
unsafe fn exclusive<'a, T>(value: NonNull<T>) -> &'a mut T {
    // SAFETY: the obligations are those of the caller.
    unsafe { &mut *value.as_ptr() }
}

raw_iterator! {
    /// An iterator over the handles and values of a stable pool or a world, in index order. See
    /// [`StablePool::iter`](crate::StablePool::iter).
    Iter, &'a T, (H, &'a T), |handle, value| (handle, shared(value))
}
raw_iterator! {
    /// An iterator over the values of a stable pool or a world, in index order. See
    /// [`StablePool::values`](crate::StablePool::values).
    Values, &'a T, &'a T, |_, value| shared(value)
}
raw_iterator! {
    /// An iterator over the handles of a stable pool, a world, or a half of one, in index order.
    /// See [`StablePool::handles`](crate::StablePool::handles) and
    /// [`Live::handles`](super::Live::handles).
    Handles, &'a T, H, |handle, _| handle
}
raw_iterator! {
    /// An iterator over handles and values, in index order. See [`Live::iter`](super::Live::iter).
    LiveIter, &'a T, (H, &'a T), |handle, value| (handle, shared(value))
}
raw_iterator! {
    /// An iterator over values, in index order. See [`Live::values`](super::Live::values).
    LiveValues, &'a T, &'a T, |_, value| shared(value)
}
raw_iterator! {
    /// A mutable iterator over handles and values, in index order. See
    /// [`Live::iter_mut`](super::Live::iter_mut).
    LiveIterMut, &'a mut T, (H, &'a mut T), |handle, value| (handle, exclusive(value))
}
raw_iterator! {
    /// A mutable iterator over values, in index order. See
    /// [`Live::values_mut`](super::Live::values_mut).
    LiveValuesMut, &'a mut T, &'a mut T, |_, value| exclusive(value)
}

cloned!(Iter, Values, Handles, LiveIter, LiveValues);
exact!(LiveIter, LiveValues, LiveIterMut, LiveValuesMut);
growing!(Iter, Values, Handles);

/// An iterator over the pending handles of a stable pool or a world, in index order. See
/// [`StablePool::pending_handles`](crate::StablePool::pending_handles) and
/// [`World::pending_handles`](crate::World::pending_handles).
#[must_use = "iterators are lazy"]
pub struct PendingHandles<'a, T, H: Key = Handle<T>> {
    lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>,
    next: u32,
}

impl<'a, T, H: Key> PendingHandles<'a, T, H> {
    pub(crate) fn new(lifecycle: &'a Lifecycle<T, H::Kind, H::Layout>) -> Self {
        Self { lifecycle, next: 0 }
    }
}

impl<T, H: Key> Iterator for PendingHandles<'_, T, H> {
    type Item = H;

    fn next(&mut self) -> Option<H> {
        let slot = self.lifecycle.look(|pool| pool.next_pending(self.next))?;
        self.next = slot.index + 1;
        Some(H::from_slot(slot))
    }
}

impl<T, H: Key> FusedIterator for PendingHandles<'_, T, H> {}

impl<T, H: Key> Clone for PendingHandles<'_, T, H> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<T, H: Key> fmt::Debug for PendingHandles<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingHandles").finish_non_exhaustive()
    }
}
