//! Iterators over the live slots of a borrowed engine.
#![allow(unsafe_code, reason = "reads slots through the buffer's view")]

use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::buffer::{Buffer, View};
use super::cursor::Cursor;
use super::slot::Slot;
use super::span::Found;
use super::{SlotRef, Slots};
use crate::layout::Layout;

macro_rules! iterator {
    ($(#[$doc:meta])* $name:ident, $value:ty, |$slot:ident| $borrow:expr) => {
        $(#[$doc])*
        pub(crate) struct $name<'a, P, V> {
            cursor: Cursor<'a, P, V>,
            borrow: PhantomData<$value>,
        }

        impl<'a, P, V: View<P>> $name<'a, P, V> {
            #[inline(always)]
            fn item((index, $slot): Found<P>) -> (SlotRef, $value) {
                // SAFETY: the pointer must be valid: by W1 the slot is live and borrowed for `'a`.
                // Only its mark is read.
                let mark = unsafe { Slot::iterated_mark($slot.as_ptr()) };
                (SlotRef { index, mark }, $borrow)
            }

            #[cfg(feature = "rayon")]
            pub(crate) fn split(self) -> (Self, Option<Self>) {
                match self.cursor.split() {
                    Some((low, high)) => {
                        (Self { cursor: low, borrow: PhantomData }, Some(Self { cursor: high, borrow: PhantomData }))
                    }
                    None => (self, None),
                }
            }
        }

        impl<'a, P, V: View<P>> Iterator for $name<'a, P, V> {
            type Item = (SlotRef, $value);

            // Not `map`, which is a call in an unoptimised build.
            #[inline(always)]
            fn next(&mut self) -> Option<Self::Item> {
                match self.cursor.next() {
                    Some(found) => Some(Self::item(found)),
                    None => None,
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.cursor.left, Some(self.cursor.left))
            }

            #[inline]
            fn fold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut step: F) -> A {
                self.cursor.fold(acc, |acc, slot| step(acc, Self::item(slot)))
            }
        }

        impl<P, V: View<P>> DoubleEndedIterator for $name<'_, P, V> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.cursor.next_back().map(Self::item)
            }

            #[inline]
            fn rfold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut step: F) -> A {
                self.cursor.rfold(acc, |acc, slot| step(acc, Self::item(slot)))
            }
        }

        impl<P, V: View<P>> ExactSizeIterator for $name<'_, P, V> {}
        impl<P, V: View<P>> FusedIterator for $name<'_, P, V> {}
    };
}

iterator! {
    /// An iterator over every live slot and its value, in index order.
    Iter, &'a P, |slot| {
        // SAFETY: the value must be initialised and borrowed for `'a`: by W1 the slot is live, so
        // by S1 it holds a value, and the engine is borrowed for `'a`.
        unsafe { &*Slot::value_ptr(slot.as_ptr()) }
    }
}

iterator! {
    /// An iterator over every live slot and a mutable reference to its value, in index order.
    IterMut, &'a mut P, |slot| {
        // SAFETY: the value must be initialised: by W1 the slot is live, so by S1 it holds a value.
        // The reference must not alias: the engine is borrowed mutably for `'a`, and a cursor
        // yields every slot once and makes no reference to the others.
        unsafe { &mut *Slot::value_ptr(slot.as_ptr()) }
    }
}

impl<P, V: View<P>> Clone for Iter<'_, P, V> {
    fn clone(&self) -> Self {
        Self { cursor: self.cursor.clone(), borrow: PhantomData }
    }
}

// SAFETY: by W1 an `Iter` is equivalent to a `&[P]` with gaps: it yields `&P`.
unsafe impl<P: Sync, V> Send for Iter<'_, P, V> {}
// SAFETY: as above.
unsafe impl<P: Sync, V> Sync for Iter<'_, P, V> {}
// SAFETY: by W1 an `IterMut` is equivalent to a `&mut [P]` with gaps: it yields `&mut P`.
unsafe impl<P: Send, V> Send for IterMut<'_, P, V> {}
// SAFETY: a shared `IterMut` gives access to no value: it has no method that takes `&self` and
// reads one.
unsafe impl<P: Sync, V> Sync for IterMut<'_, P, V> {}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    #[inline]
    pub(crate) fn iter(&self) -> Iter<'_, P, B::View> {
        Iter { cursor: self.cursor(), borrow: PhantomData }
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, P, B::View> {
        IterMut { cursor: self.cursor_mut(), borrow: PhantomData }
    }
}
