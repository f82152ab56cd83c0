//! Iterators of a pool: an iterator of the engine, and a conversion of its items.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::Pool;
use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::{self, Buffer, Ends, Flat, Growable, Slots, View};

/// An iterator over handles and values of a pool, in index order. See [`Pool::iter`].
#[must_use = "iterators are lazy"]
pub struct Iter<'a, T, H: Key = Handle<T>, V: View<T> = Flat<T>> {
    inner: slots::Iter<'a, T, V>,
    about: PhantomData<H>,
}

/// A mutable iterator over handles and values of a pool, in index order. See [`Pool::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct IterMut<'a, T, H: Key = Handle<T>, V: View<T> = Flat<T>> {
    inner: slots::IterMut<'a, T, V>,
    about: PhantomData<H>,
}

/// An iterator over handles of a pool, in index order. See [`Pool::handles`].
#[must_use = "iterators are lazy"]
pub struct Handles<'a, T, H: Key = Handle<T>, V: View<T> = Flat<T>> {
    inner: slots::Iter<'a, T, V>,
    about: PhantomData<H>,
}

/// An iterator over values of a pool, in index order. See [`Pool::values`].
#[must_use = "iterators are lazy"]
pub struct Values<'a, T, V: View<T> = Flat<T>> {
    inner: slots::Iter<'a, T, V>,
    about: PhantomData<()>,
}

/// A mutable iterator over values of a pool, in index order. See [`Pool::values_mut`].
#[must_use = "iterators are lazy"]
pub struct ValuesMut<'a, T, V: View<T> = Flat<T>> {
    inner: slots::IterMut<'a, T, V>,
    about: PhantomData<()>,
}

macro_rules! iterator {
    ($name:ident [$($params:tt)*] [$($args:tt)*], $Inner:ident, $item:ty, |$slot:pat_param, $value:pat_param| $make:expr) => {
        impl<'a, T, $($params)*> $name<'a, T, $($args)*> {
            #[inline]
            pub(crate) fn new(inner: slots::$Inner<'a, T, V>) -> Self {
                Self { inner, about: PhantomData }
            }

            #[inline(always)]
            fn item(($slot, $value): <slots::$Inner<'a, T, V> as Iterator>::Item) -> $item {
                $make
            }
        }

        impl<'a, T, $($params)*> Iterator for $name<'a, T, $($args)*> {
            type Item = $item;

            // Not `map`, which is not inlined in an unoptimised build.
            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                match self.inner.next() {
                    Some(item) => Some(Self::item(item)),
                    None => None,
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.inner.size_hint()
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                self.inner.fold(acc, |acc, item| step(acc, Self::item(item)))
            }
        }

        impl<'a, T, $($params)*> DoubleEndedIterator for $name<'a, T, $($args)*> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.inner.next_back().map(Self::item)
            }

            #[inline]
            fn rfold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                self.inner.rfold(acc, |acc, item| step(acc, Self::item(item)))
            }
        }

        impl<T, $($params)*> ExactSizeIterator for $name<'_, T, $($args)*> {}
        impl<T, $($params)*> FusedIterator for $name<'_, T, $($args)*> {}

        impl<T, $($params)*> fmt::Debug for $name<'_, T, $($args)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("left", &self.inner.len()).finish_non_exhaustive()
            }
        }
    };
}

iterator!(Iter [H: Key, V: View<T>] [H, V], Iter, (H, &'a T),
    |slot, value| (H::from_slot(slot), value));
iterator!(IterMut [H: Key, V: View<T>] [H, V], IterMut, (H, &'a mut T),
    |slot, value| (H::from_slot(slot), value));
iterator!(Handles [H: Key, V: View<T>] [H, V], Iter, H,
    |slot, _| H::from_slot(slot));
iterator!(Values [V: View<T>] [V], Iter, &'a T, |_, value| value);
iterator!(ValuesMut [V: View<T>] [V], IterMut, &'a mut T, |_, value| value);

impl<T, H: Key, V: View<T>> Clone for Iter<'_, T, H, V> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), about: PhantomData }
    }
}

impl<T, H: Key, V: View<T>> Clone for Handles<'_, T, H, V> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), about: PhantomData }
    }
}

impl<T, V: View<T>> Clone for Values<'_, T, V> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), about: PhantomData }
    }
}

#[cfg(feature = "rayon")]
impl<T, H: Key, V: View<T>> Iter<'_, T, H, V> {
    /// Splits the iterator for two threads, if at least two words remain. Only before the first
    /// item.
    pub(crate) fn split(self) -> (Self, Option<Self>) {
        let (low, high) = self.inner.split();
        (Self::new(low), high.map(Self::new))
    }
}

#[cfg(feature = "rayon")]
impl<T, H: Key, V: View<T>> IterMut<'_, T, H, V> {
    /// Splits the iterator for two threads, if at least two words remain. Only before the first
    /// item.
    pub(crate) fn split(self) -> (Self, Option<Self>) {
        let (low, high) = self.inner.split();
        (Self::new(low), high.map(Self::new))
    }
}

/// An iterator over the pending handles of a pool, in index order. See [`Pool::pending_handles`].
#[must_use = "iterators are lazy"]
pub struct PendingHandles<'a, T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    pub(super) pool: &'a Pool<T, H, B>,
    pub(super) next: u32,
}

impl<T, H: Key, B: Buffer<T>> Iterator for PendingHandles<'_, T, H, B> {
    type Item = H;

    fn next(&mut self) -> Option<H> {
        let slot = self.pool.next_pending(self.next)?;
        self.next = slot.index + 1;
        Some(H::from_slot(slot))
    }
}

impl<T, H: Key, B: Buffer<T>> FusedIterator for PendingHandles<'_, T, H, B> {}

impl<T, H: Key, B: Buffer<T>> Clone for PendingHandles<'_, T, H, B> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<T, H: Key, B: Buffer<T>> fmt::Debug for PendingHandles<'_, T, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingHandles").finish_non_exhaustive()
    }
}

/// An owning iterator over handles and values of a pool, in index order. Made by `for … in pool`.
#[must_use = "iterators are lazy"]
pub struct IntoIter<T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    slots: Slots<T, H::Layout, B>,
    ends: Ends,
    about: PhantomData<H>,
}

impl<T, H: Key, B: Buffer<T>> IntoIter<T, H, B> {
    fn remove(&mut self, index: u32) -> Option<(H, T)> {
        let (slot, value) = self.slots.remove_for_good(index)?;
        Some((H::from_slot(slot), value))
    }
}

/// Clones the remaining values.
impl<T: Clone, H: Key, B: Buffer<T>> Clone for IntoIter<T, H, B> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), ends: self.ends.clone(), about: PhantomData }
    }
}

impl<T, H: Key, B: Buffer<T>> Iterator for IntoIter<T, H, B> {
    type Item = (H, T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let index = self.ends.next(&self.slots)?;
        self.remove(index)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.slots.len(), Some(self.slots.len()))
    }
}

impl<T, H: Key, B: Buffer<T>> DoubleEndedIterator for IntoIter<T, H, B> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let index = self.ends.next_back(&self.slots)?;
        self.remove(index)
    }
}

impl<T, H: Key, B: Buffer<T>> ExactSizeIterator for IntoIter<T, H, B> {}
impl<T, H: Key, B: Buffer<T>> FusedIterator for IntoIter<T, H, B> {}

impl<T, H: Key, B: Buffer<T>> fmt::Debug for IntoIter<T, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("left", &self.slots.len()).finish_non_exhaustive()
    }
}

/// An owning iterator over values of a pool, in index order. See [`Pool::into_values`].
#[must_use = "iterators are lazy"]
pub struct IntoValues<T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>>(IntoIter<T, H, B>);

impl<T, H: Key, B: Buffer<T>> IntoValues<T, H, B> {
    pub(super) fn new(items: IntoIter<T, H, B>) -> Self {
        Self(items)
    }
}

impl<T, H: Key, B: Buffer<T>> fmt::Debug for IntoValues<T, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoValues").field("left", &self.len()).finish_non_exhaustive()
    }
}

impl<T, H: Key, B: Buffer<T>> Iterator for IntoValues<T, H, B> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.next().map(|(_, value)| value)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T, H: Key, B: Buffer<T>> DoubleEndedIterator for IntoValues<T, H, B> {
    fn next_back(&mut self) -> Option<T> {
        self.0.next_back().map(|(_, value)| value)
    }
}

impl<T, H: Key, B: Buffer<T>> ExactSizeIterator for IntoValues<T, H, B> {}
impl<T, H: Key, B: Buffer<T>> FusedIterator for IntoValues<T, H, B> {}

impl<T, H: Key, B: Buffer<T>> IntoIterator for Pool<T, H, B> {
    type Item = (H, T);
    type IntoIter = IntoIter<T, H, B>;

    fn into_iter(self) -> IntoIter<T, H, B> {
        IntoIter { ends: self.slots.ends(), slots: self.slots, about: PhantomData }
    }
}

impl<'a, T, H: Key, B: Buffer<T>> IntoIterator for &'a Pool<T, H, B> {
    type Item = (H, &'a T);
    type IntoIter = Iter<'a, T, H, B::View>;

    fn into_iter(self) -> Iter<'a, T, H, B::View> {
        self.iter()
    }
}

impl<'a, T, H: Key, B: Buffer<T>> IntoIterator for &'a mut Pool<T, H, B> {
    type Item = (H, &'a mut T);
    type IntoIter = IterMut<'a, T, H, B::View>;

    fn into_iter(self) -> IterMut<'a, T, H, B::View> {
        self.iter_mut()
    }
}
