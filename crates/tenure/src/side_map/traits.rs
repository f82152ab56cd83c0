//! Trait implementations of a side map.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::{IntoIter, Iter, IterMut, SideMap};
use crate::key::Key;

impl<H: Key, V> Index<H> for SideMap<H, V> {
    type Output = V;

    /// # Panics
    ///
    /// When the handle has no value here. The message names the handle.
    #[inline]
    #[track_caller]
    fn index(&self, handle: H) -> &V {
        match self.get(handle) {
            Some(value) => value,
            None => panic_no_value(handle),
        }
    }
}

impl<H: Key, V> IndexMut<H> for SideMap<H, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: H) -> &mut V {
        match self.get_mut(handle) {
            Some(value) => value,
            None => panic_no_value(handle),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn panic_no_value<H: Key>(handle: H) -> ! {
    panic!("the side map has no value for {handle:?}")
}

impl<H: Key, V> Default for SideMap<H, V> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<H: Key, V: Clone> Clone for SideMap<H, V> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), far: self.far.clone() }
    }

    /// Like `clone`, but reuses memory. See [`Pool`'s](crate::Pool#method.clone_from).
    fn clone_from(&mut self, original: &Self) {
        // This comes before slots are added, so that V1 holds also if a clone panics.
        self.far.clear();
        self.values.clone_from(&original.values);
        self.far = original.far.clone();
    }
}

impl<H: Key, V: PartialEq> PartialEq for SideMap<H, V> {
    /// Returns `true` if both maps have the same handles with equal values.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<H: Key, V: Eq> Eq for SideMap<H, V> {}

impl<H: Key, V: fmt::Debug> fmt::Debug for SideMap<H, V> {
    /// Formats the map as a map from handles to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<H: Key, V> IntoIterator for SideMap<H, V> {
    type Item = (H, V);
    type IntoIter = IntoIter<H, V>;

    fn into_iter(self) -> IntoIter<H, V> {
        IntoIter::new(self.values.into_iter(), self.far.into_iter())
    }
}

impl<'a, H: Key, V> IntoIterator for &'a SideMap<H, V> {
    type Item = (H, &'a V);
    type IntoIter = Iter<'a, H, V>;

    fn into_iter(self) -> Iter<'a, H, V> {
        self.iter()
    }
}

impl<'a, H: Key, V> IntoIterator for &'a mut SideMap<H, V> {
    type Item = (H, &'a mut V);
    type IntoIter = IterMut<'a, H, V>;

    fn into_iter(self) -> IterMut<'a, H, V> {
        self.iter_mut()
    }
}
