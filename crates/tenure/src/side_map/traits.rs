//! What a side map can do as a value.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::SideMap;
use crate::handle::Handle;
use crate::iter::{IntoIter, Iter, IterMut};
use crate::layout::Layout;

impl<K: ?Sized, V, L: Layout> Index<Handle<K, L>> for SideMap<K, V, L> {
    type Output = V;

    /// # Panics
    ///
    /// When the handle has no value here, at the caller's line, with the handle.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<K, L>) -> &V {
        match self.get(handle) {
            Some(value) => value,
            None => panic_no_value(handle),
        }
    }
}

impl<K: ?Sized, V, L: Layout> IndexMut<Handle<K, L>> for SideMap<K, V, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<K, L>) -> &mut V {
        match self.get_mut(handle) {
            Some(value) => value,
            None => panic_no_value(handle),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn panic_no_value<K: ?Sized, L: Layout>(handle: Handle<K, L>) -> ! {
    panic!("the side map has no value for {handle}")
}

impl<K: ?Sized, V, L: Layout> Default for SideMap<K, V, L> {
    fn default() -> Self {
        Self::with_layout()
    }
}

impl<K: ?Sized, V: Clone, L: Layout> Clone for SideMap<K, V, L> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone() }
    }

    /// Reuses memory. See [`Pool`'s](crate::Pool#method.clone_from).
    fn clone_from(&mut self, original: &Self) {
        self.values.clone_from(&original.values);
    }
}

impl<K: ?Sized, V: PartialEq, L: Layout> PartialEq for SideMap<K, V, L> {
    /// Whether the same handles have equal values.
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<K: ?Sized, V: Eq, L: Layout> Eq for SideMap<K, V, L> {}

impl<K: ?Sized, V: fmt::Debug, L: Layout> fmt::Debug for SideMap<K, V, L> {
    /// A map from handles to values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl<K: ?Sized, V, L: Layout> IntoIterator for SideMap<K, V, L> {
    type Item = (Handle<K, L>, V);
    type IntoIter = IntoIter<V, K, L>;

    fn into_iter(self) -> IntoIter<V, K, L> {
        self.values.into_iter()
    }
}

impl<'a, K: ?Sized, V, L: Layout> IntoIterator for &'a SideMap<K, V, L> {
    type Item = (Handle<K, L>, &'a V);
    type IntoIter = Iter<'a, V, K, L>;

    fn into_iter(self) -> Iter<'a, V, K, L> {
        self.iter()
    }
}

impl<'a, K: ?Sized, V, L: Layout> IntoIterator for &'a mut SideMap<K, V, L> {
    type Item = (Handle<K, L>, &'a mut V);
    type IntoIter = IterMut<'a, V, K, L>;

    fn into_iter(self) -> IterMut<'a, V, K, L> {
        self.iter_mut()
    }
}
