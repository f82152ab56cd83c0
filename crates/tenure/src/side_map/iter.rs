//! Iterators of a side map: first over its slots, then over the values beyond them. Each part is in
//! the order of indices, and so is the whole (V1).

use core::fmt;
use core::iter::FusedIterator;
use core::panic::UnwindSafe;

use super::SideMap;
use super::far;
use crate::key::{Key, KeyExt};
use crate::pool;
use crate::slots::{Ends, SlotRef};

/// An iterator over handles and values of a side map, in index order. See [`SideMap::iter`].
#[must_use = "iterators are lazy"]
pub struct Iter<'a, H: Key, V> {
    near: pool::Iter<'a, V, H>,
    far: far::Iter<'a, V>,
}

/// A mutable iterator over handles and values of a side map, in index order. See
/// [`SideMap::iter_mut`].
#[must_use = "iterators are lazy"]
pub struct IterMut<'a, H: Key, V> {
    near: pool::IterMut<'a, V, H>,
    far: far::IterMut<'a, V>,
}

/// An iterator over handles of a side map, in index order. See [`SideMap::handles`].
#[must_use = "iterators are lazy"]
pub struct Handles<'a, H: Key, V> {
    near: pool::Handles<'a, V, H>,
    far: far::Iter<'a, V>,
}

/// An iterator over values of a side map, in index order. See [`SideMap::values`].
#[must_use = "iterators are lazy"]
pub struct Values<'a, V> {
    near: pool::Values<'a, V>,
    far: far::Iter<'a, V>,
}

/// A mutable iterator over values of a side map, in index order. See [`SideMap::values_mut`].
#[must_use = "iterators are lazy"]
pub struct ValuesMut<'a, V> {
    near: pool::ValuesMut<'a, V>,
    far: far::IterMut<'a, V>,
}

/// An owning iterator over handles and values of a side map, in index order. See its `into_iter`.
#[must_use = "iterators are lazy"]
pub struct IntoIter<H: Key, V> {
    near: pool::IntoIter<V, H>,
    far: far::IntoIter<V>,
}

/// An owning iterator over values of a side map, in index order. See [`SideMap::into_values`].
#[must_use = "iterators are lazy"]
pub struct IntoValues<H: Key, V> {
    near: pool::IntoValues<V, H>,
    far: far::IntoIter<V>,
}

macro_rules! iterator {
    ($name:ident [$($params:tt)*] [$($args:tt)*], $Near:ty, $Far:ty, $item:ty, |$far:ident| $make:expr) => {
        impl<$($params)*> $name<$($args)*> {
            #[inline]
            pub(super) fn new(near: $Near, far: $Far) -> Self {
                Self { near, far }
            }

            fn far_item($far: <$Far as Iterator>::Item) -> $item {
                $make
            }
        }

        impl<$($params)*> Iterator for $name<$($args)*> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                match self.near.next() {
                    Some(item) => Some(item),
                    None => self.far.next().map(Self::far_item),
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.near.len() + self.far.len();
                (left, Some(left))
            }

            #[inline]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                let acc = self.near.fold(acc, &mut step);
                self.far.map(Self::far_item).fold(acc, step)
            }
        }

        impl<$($params)*> DoubleEndedIterator for $name<$($args)*> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                match self.far.next_back() {
                    Some(item) => Some(Self::far_item(item)),
                    None => self.near.next_back(),
                }
            }

            #[inline]
            fn rfold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut step: F) -> A {
                let acc = self.far.map(Self::far_item).rfold(acc, &mut step);
                self.near.rfold(acc, step)
            }
        }

        impl<$($params)*> ExactSizeIterator for $name<$($args)*> {}
        impl<$($params)*> FusedIterator for $name<$($args)*> {}

        impl<$($params)*> fmt::Debug for $name<$($args)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("left", &self.len()).finish_non_exhaustive()
            }
        }
    };
}

iterator!(Iter ['a, H: Key, V] ['a, H, V], pool::Iter<'a, V, H>, far::Iter<'a, V>, (H, &'a V),
    |far| (H::from_slot(far.slot), &far.value));
iterator!(IterMut ['a, H: Key, V] ['a, H, V], pool::IterMut<'a, V, H>, far::IterMut<'a, V>, (H, &'a mut V),
    |far| (H::from_slot(far.slot), &mut far.value));
iterator!(Handles ['a, H: Key, V] ['a, H, V], pool::Handles<'a, V, H>, far::Iter<'a, V>, H,
    |far| H::from_slot(far.slot));
iterator!(Values ['a, V] ['a, V], pool::Values<'a, V>, far::Iter<'a, V>, &'a V, |far| &far.value);
iterator!(ValuesMut ['a, V] ['a, V], pool::ValuesMut<'a, V>, far::IterMut<'a, V>, &'a mut V,
    |far| &mut far.value);
iterator!(IntoIter [H: Key, V] [H, V], pool::IntoIter<V, H>, far::IntoIter<V>, (H, V),
    |far| (H::from_slot(far.slot), far.value));
iterator!(IntoValues [H: Key, V] [H, V], pool::IntoValues<V, H>, far::IntoIter<V>, V, |far| far.value);

impl<H: Key, V> Clone for Iter<'_, H, V> {
    fn clone(&self) -> Self {
        Self { near: self.near.clone(), far: self.far.clone() }
    }
}

impl<H: Key, V> Clone for Handles<'_, H, V> {
    fn clone(&self) -> Self {
        Self { near: self.near.clone(), far: self.far.clone() }
    }
}

impl<V> Clone for Values<'_, V> {
    fn clone(&self) -> Self {
        Self { near: self.near.clone(), far: self.far.clone() }
    }
}

// A `vec::IntoIter`, inside, asks for `RefUnwindSafe`, which a `Cell` is not.
impl<H: Key + UnwindSafe, V: UnwindSafe> UnwindSafe for IntoIter<H, V> {}
impl<H: Key + UnwindSafe, V: UnwindSafe> UnwindSafe for IntoValues<H, V> {}

/// A draining iterator over a side map, in index order. See [`SideMap::drain`].
pub struct Drain<'a, H: Key, V> {
    near: pool::Drain<'a, V, H>,
    far: FarDrain<'a, V>,
}

/// Removes the remaining values when it is dropped, also if a destructor of the other part panics.
struct FarDrain<'a, V>(&'a mut far::Far<V>);

impl<V> Drop for FarDrain<'_, V> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl<'a, H: Key, V> Drain<'a, H, V> {
    pub(super) fn new(near: pool::Drain<'a, V, H>, far: &'a mut far::Far<V>) -> Self {
        Self { near, far: FarDrain(far) }
    }
}

impl<H: Key, V> Iterator for Drain<'_, H, V> {
    type Item = (H, V);

    #[inline]
    fn next(&mut self) -> Option<(H, V)> {
        match self.near.next() {
            Some(item) => Some(item),
            None => self.far.0.pop_first().map(|far| (H::from_slot(far.slot), far.value)),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.near.len() + self.far.0.len();
        (left, Some(left))
    }
}

impl<H: Key, V> DoubleEndedIterator for Drain<'_, H, V> {
    fn next_back(&mut self) -> Option<(H, V)> {
        match self.far.0.pop_last() {
            Some(far) => Some((H::from_slot(far.slot), far.value)),
            None => self.near.next_back(),
        }
    }
}

impl<H: Key, V> ExactSizeIterator for Drain<'_, H, V> {}
impl<H: Key, V> FusedIterator for Drain<'_, H, V> {}

impl<H: Key, V> fmt::Debug for Drain<'_, H, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("left", &self.len()).finish_non_exhaustive()
    }
}

/// Removes the values that match a predicate, in index order. See [`SideMap::extract_if`].
#[must_use = "it removes nothing unless it is iterated over"]
pub struct ExtractIf<'a, H: Key, V, F> {
    map: &'a mut SideMap<H, V>,
    ends: Ends,
    /// The lowest index beyond the slots that has not been visited; `None` at the end.
    next_far: Option<u32>,
    should_remove: F,
}

impl<'a, H: Key, V, F> ExtractIf<'a, H, V, F> {
    pub(super) fn new(map: &'a mut SideMap<H, V>, should_remove: F) -> Self {
        Self { ends: map.values.slots.ends(), map, next_far: Some(0), should_remove }
    }
}

impl<H: Key, V, F: FnMut(H, &mut V) -> bool> ExtractIf<'_, H, V, F> {
    /// Advances before the closure runs: if it panics, it is not called for this value again.
    fn next_near(&mut self) -> Option<(H, V)> {
        let slots = &mut self.map.values.slots;
        while let Some(index) = self.ends.next(slots) {
            let should_remove =
                |mark, value: &mut V| (self.should_remove)(H::from_slot(SlotRef { index, mark }), value);
            if let Some((mark, value)) = slots.remove_unlisted_if(index, should_remove) {
                return Some((H::from_slot(SlotRef { index, mark }), value));
            }
        }
        None
    }

    fn next_far(&mut self) -> Option<(H, V)> {
        loop {
            let far = self.map.far.starting_at(self.next_far?).next()?;
            let slot = far.slot;
            self.next_far = slot.index.checked_add(1);
            if (self.should_remove)(H::from_slot(slot), &mut far.value) {
                return self.map.far.remove(slot).map(|value| (H::from_slot(slot), value));
            }
        }
    }
}

impl<H: Key, V, F: FnMut(H, &mut V) -> bool> Iterator for ExtractIf<'_, H, V, F> {
    type Item = (H, V);

    fn next(&mut self) -> Option<(H, V)> {
        self.next_near().or_else(|| self.next_far())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.map.len()))
    }
}

impl<H: Key, V, F: FnMut(H, &mut V) -> bool> FusedIterator for ExtractIf<'_, H, V, F> {}

impl<H: Key, V, F> fmt::Debug for ExtractIf<'_, H, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").finish_non_exhaustive()
    }
}
