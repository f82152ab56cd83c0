//! What the iterators of all maps have in common.

/// Implements the traits of an iterator whose field `inner` knows its length, and yields what
/// `$make` turns into an item.
macro_rules! iterator {
    ([$($params:tt)*] $Type:ty, $Item:ty, |$inner:pat_param| $make:expr) => {
        impl<$($params)*> Iterator for $Type {
            type Item = $Item;

            #[inline]
            fn next(&mut self) -> Option<$Item> {
                self.inner.next().map(|$inner| $make)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.inner.size_hint()
            }

            #[inline]
            fn fold<A, F: FnMut(A, $Item) -> A>(self, start: A, mut step: F) -> A {
                self.inner.fold(start, |so_far, $inner| step(so_far, $make))
            }
        }

        impl<$($params)*> ExactSizeIterator for $Type {}
        impl<$($params)*> core::iter::FusedIterator for $Type {}
        $crate::iterators::debug_left! { [$($params)*] $Type }
    };
}

/// `Debug` says how many items are left.
macro_rules! debug_left {
    ([$($params:tt)*] $Type:ty) => {
        impl<$($params)*> core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("Iterator").field("left", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

/// Implements `Clone` for an iterator over shared references.
macro_rules! cloned {
    ([$($params:tt)*] $Type:ty) => {
        impl<$($params)*> Clone for $Type {
            fn clone(&self) -> Self {
                Self { inner: self.inner.clone(), key: core::marker::PhantomData }
            }
        }
    };
}

/// Implements `IntoIterator` for a map and for references to it.
macro_rules! into_iterator {
    ([$($params:tt)*] $Map:ty) => {
        impl<'a, $($params)*> IntoIterator for &'a $Map {
            type Item = (K, &'a V);
            type IntoIter = Iter<'a, K, V>;

            #[inline]
            fn into_iter(self) -> Iter<'a, K, V> {
                self.iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a mut $Map {
            type Item = (K, &'a mut V);
            type IntoIter = IterMut<'a, K, V>;

            #[inline]
            fn into_iter(self) -> IterMut<'a, K, V> {
                self.iter_mut()
            }
        }
    };
}

pub(crate) use {cloned, debug_left, into_iterator, iterator};
