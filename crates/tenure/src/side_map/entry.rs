//! The place of a handle in a side map, to look at and fill in one step.

use core::fmt;

use super::SideMap;
use crate::error::FullKind;
use crate::handle::Handle;
use crate::layout::{Layout, Wide};
use crate::pool::panic_full;

/// The place of a live handle. See [`SideMap::entry`].
pub enum Entry<'a, K: ?Sized, V, L: Layout = Wide> {
    /// The handle has a value.
    Occupied(OccupiedEntry<'a, K, V, L>),
    /// The handle has none.
    Vacant(VacantEntry<'a, K, V, L>),
}

/// The place of a handle that has a value.
pub struct OccupiedEntry<'a, K: ?Sized, V, L: Layout = Wide> {
    map: &'a mut SideMap<K, V, L>,
    handle: Handle<K, L>,
}

/// The place of a handle that has no value.
pub struct VacantEntry<'a, K: ?Sized, V, L: Layout = Wide> {
    map: &'a mut SideMap<K, V, L>,
    handle: Handle<K, L>,
}

impl<'a, K: ?Sized, V, L: Layout> Entry<'a, K, V, L> {
    pub(super) fn new(map: &'a mut SideMap<K, V, L>, handle: Handle<K, L>) -> Self {
        if map.contains(handle) {
            Self::Occupied(OccupiedEntry { map, handle })
        } else {
            Self::Vacant(VacantEntry { map, handle })
        }
    }

    /// The value, or this one.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value, or the one that the closure makes.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// The value, or its default.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    #[expect(clippy::unwrap_or_default, reason = "this is that method")]
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value, if there is one.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Whose place it is.
    #[must_use]
    pub fn handle(&self) -> Handle<K, L> {
        match self {
            Self::Occupied(entry) => entry.handle,
            Self::Vacant(entry) => entry.handle,
        }
    }
}

impl<'a, K: ?Sized, V, L: Layout> OccupiedEntry<'a, K, V, L> {
    /// The value.
    #[must_use]
    pub fn get(&self) -> &V {
        &self.map[self.handle]
    }

    /// The value, to change it.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map[self.handle]
    }

    /// The value, for as long as the map is borrowed.
    #[must_use]
    pub fn into_mut(self) -> &'a mut V {
        &mut self.map[self.handle]
    }

    /// Sets the value, and returns the old one.
    pub fn insert(&mut self, value: V) -> V {
        core::mem::replace(self.get_mut(), value)
    }

    /// Takes the value out.
    pub fn remove(self) -> Option<V> {
        self.map.remove(self.handle)
    }
}

impl<'a, K: ?Sized, V, L: Layout> VacantEntry<'a, K, V, L> {
    /// Sets the value.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn insert(self, value: V) -> &'a mut V {
        // What comes back is the value of a tenant that is dead.
        match self.map.values.slots.put(self.handle.index(), self.handle.mark(), value) {
            Ok(_) => &mut self.map[self.handle],
            Err(_) => panic_full(FullKind::Memory),
        }
    }
}

impl<K: ?Sized, V: fmt::Debug, L: Layout> fmt::Debug for Entry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied(entry) => entry.fmt(f),
            Self::Vacant(entry) => entry.fmt(f),
        }
    }
}

impl<K: ?Sized, V: fmt::Debug, L: Layout> fmt::Debug for OccupiedEntry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("handle", &self.handle).field("value", self.get()).finish()
    }
}

impl<K: ?Sized, V, L: Layout> fmt::Debug for VacantEntry<'_, K, V, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VacantEntry").field("handle", &self.handle).finish()
    }
}
