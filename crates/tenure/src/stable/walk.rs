//! Walks over a stable pool while others are added: the engine is looked at once per 64 slots, and
//! not borrowed in between.
#![expect(unsafe_code, reason = "gives out references to values while others are added")]

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::shared::Shared;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::slots::Roam;

macro_rules! roaming {
    ($(#[$doc:meta])* $name:ident, $borrow:ty, $item:ty, |$handle:pat_param, $pointer:pat_param| $make:expr) => {
        $(#[$doc])*
        #[must_use = "iterators are lazy"]
        pub struct $name<'a, T, K: ?Sized = T, L: Layout = Wide> {
            shared: &'a Shared<T, K, L>,
            roam: Roam<T>,
            borrow: PhantomData<$borrow>,
        }

        impl<'a, T, K: ?Sized, L: Layout> $name<'a, T, K, L> {
            pub(crate) fn new(shared: &'a Shared<T, K, L>) -> Self {
                Self { roam: shared.look(|pool| pool.slots.roam()), shared, borrow: PhantomData }
            }

            #[inline]
            fn item((index, mark, $pointer): (u32, u32, NonNull<T>)) -> $item {
                let $handle: Handle<K, L> = Handle::issued(index, mark);
                $make
            }
        }

        impl<'a, T, K: ?Sized, L: Layout> Iterator for $name<'a, T, K, L> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.roam.next(|| self.shared.slots()).map(Self::item)
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                self.roam.fold(|| self.shared.slots(), acc, |acc, found| step(acc, Self::item(found)))
            }
        }

        impl<T, K: ?Sized, L: Layout> FusedIterator for $name<'_, T, K, L> {}

        impl<T, K: ?Sized, L: Layout> fmt::Debug for $name<'_, T, K, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

/// A value that a walk has met.
#[inline]
fn shared<'a, T>(value: NonNull<T>) -> &'a T {
    // SAFETY: R1, the value is there as long as the pool is borrowed, which is for `'a` in the
    // walks below; nobody changes it meanwhile.
    unsafe { &*value.as_ptr() }
}

/// A value that a walk has met, which borrows all values alone (X1) and gives each out once.
#[inline]
fn alone<'a, T>(value: NonNull<T>) -> &'a mut T {
    // SAFETY: R1 and X1, as above, and nobody else has it.
    unsafe { &mut *value.as_ptr() }
}

roaming! {
    /// Handles and values of a stable pool, by index. See
    /// [`StablePool::iter`](super::StablePool::iter).
    Iter, &'a T, (Handle<K, L>, &'a T), |handle, value| (handle, shared(value))
}
roaming! {
    /// Values of a stable pool, by index. See [`StablePool::values`](super::StablePool::values).
    Values, &'a T, &'a T, |_, value| shared(value)
}
roaming! {
    /// Handles of a stable pool, by index. See [`StablePool::handles`](super::StablePool::handles).
    Handles, &'a T, Handle<K, L>, |handle, _| handle
}
roaming! {
    /// Handles and values, by index. See [`Live::iter`](super::Live::iter).
    LiveIter, &'a T, (Handle<K, L>, &'a T), |handle, value| (handle, shared(value))
}
roaming! {
    /// Values, by index. See [`Live::values`](super::Live::values).
    LiveValues, &'a T, &'a T, |_, value| shared(value)
}
roaming! {
    /// Handles and values, by index, to change the values. See
    /// [`Live::iter_mut`](super::Live::iter_mut).
    LiveIterMut, &'a mut T, (Handle<K, L>, &'a mut T), |handle, value| (handle, alone(value))
}
roaming! {
    /// Values, by index, to change them. See [`Live::values_mut`](super::Live::values_mut).
    LiveValuesMut, &'a mut T, &'a mut T, |_, value| alone(value)
}
