//! The entry of a handle in a side map: looked up once, then read or filled.

use core::fmt;

use super::SideMap;
use crate::handle::Handle;
use crate::key::Key;
use crate::pool::panic_full;
use crate::slots::FullKind;

/// The entry of a handle. See [`SideMap::entry`] and [`SideMap::entry_unowned`].
pub enum Entry<'a, H: Key, V> {
    /// The handle has a value.
    Occupied(OccupiedEntry<'a, H, V>),
    /// The handle has no value.
    Vacant(VacantEntry<'a, H, V>),
}

/// The entry of a handle that has a value.
pub struct OccupiedEntry<'a, H: Key, V> {
    map: &'a mut SideMap<H, V>,
    /// The result of `Key::handle`, which is not called again.
    raw: Handle<H::Kind, H::Layout>,
    handle: H,
}

#[cold]
fn no_value() -> ! {
    unreachable!("an occupied entry has a value")
}

/// The entry of a handle that has no value.
pub struct VacantEntry<'a, H: Key, V> {
    map: &'a mut SideMap<H, V>,
    /// Whether an owner has confirmed that the handle is live.
    is_owned: bool,
    /// The result of `Key::handle`, which is not called again.
    raw: Handle<H::Kind, H::Layout>,
    handle: H,
}

impl<'a, H: Key, V> Entry<'a, H, V> {
    /// Returns the entry of a handle that has a value.
    #[inline]
    pub(super) fn occupied(map: &'a mut SideMap<H, V>, raw: Handle<H::Kind, H::Layout>, handle: H) -> Self {
        Self::Occupied(OccupiedEntry { map, raw, handle })
    }

    /// Returns the entry of a handle that has no value.
    #[inline]
    pub(super) fn vacant(
        map: &'a mut SideMap<H, V>,
        raw: Handle<H::Kind, H::Layout>,
        handle: H,
        is_owned: bool,
    ) -> Self {
        Self::Vacant(VacantEntry { map, is_owned, raw, handle })
    }

    /// Returns the value, after inserting the given one if there is none.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    #[inline]
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns the value, after inserting the result of the closure if there is none.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    #[inline]
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(make()),
        }
    }

    /// Returns the value, after inserting the default if there is none.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Calls the closure with the value, mutably, if there is one.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut kills = tenure::SideMap::new();
    /// for _ in 0..3 {
    ///     kills.entry(&goblins, grik).unwrap().and_modify(|kills| *kills += 1).or_insert(1);
    /// }
    /// assert_eq!(kills[grik], 3);
    /// ```
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Returns the handle of the entry.
    ///
    /// ```
    /// let goblins = tenure::Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold: tenure::SideMap<_, u32> = tenure::SideMap::new();
    /// assert_eq!(gold.entry(&goblins, grik).unwrap().handle(), grik);
    /// ```
    #[must_use]
    pub fn handle(&self) -> H {
        match self {
            Self::Occupied(entry) => entry.handle,
            Self::Vacant(entry) => entry.handle,
        }
    }
}

impl<'a, H: Key, V> OccupiedEntry<'a, H, V> {
    /// Returns the value.
    #[must_use]
    #[inline]
    pub fn get(&self) -> &V {
        self.map.get_raw(self.raw).unwrap_or_else(|| no_value())
    }

    /// Returns the value, mutably.
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self) -> &mut V {
        self.map.get_mut_raw(self.raw).unwrap_or_else(|| no_value())
    }

    /// Returns the value, mutably, for as long as the map is borrowed.
    #[must_use]
    #[inline]
    pub fn into_mut(self) -> &'a mut V {
        self.map.get_mut_raw(self.raw).unwrap_or_else(|| no_value())
    }

    /// Replaces the value and returns the old one.
    #[inline]
    pub fn insert(&mut self, value: V) -> V {
        core::mem::replace(self.get_mut(), value)
    }

    /// Removes the value and returns it.
    ///
    /// ```
    /// use tenure::{Pool, SideMap, side_map::Entry};
    ///
    /// let goblins = Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut lives = SideMap::new();
    /// lives.insert(&goblins, grik, 1).unwrap();
    /// if let Entry::Occupied(entry) = lives.entry(&goblins, grik).unwrap() {
    ///     assert_eq!(entry.remove(), 1);
    /// }
    /// assert!(!lives.contains(grik));
    /// ```
    #[inline]
    pub fn remove(self) -> V {
        self.map.remove_raw(self.raw).unwrap_or_else(|| no_value())
    }

    /// Returns the handle.
    ///
    /// ```
    /// use tenure::{Pool, SideMap, side_map::Entry};
    ///
    /// let goblins = Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold = SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// let Entry::Occupied(entry) = gold.entry(&goblins, grik).unwrap() else { panic!("it has gold") };
    /// assert_eq!((entry.handle(), entry.get()), (grik, &5));
    /// ```
    #[must_use]
    pub fn handle(&self) -> H {
        self.handle
    }
}

impl<'a, H: Key, V> VacantEntry<'a, H, V> {
    /// Returns the handle.
    ///
    /// ```
    /// use tenure::{Pool, SideMap, side_map::Entry};
    ///
    /// let goblins = Pool::from(["Grik"]);
    /// let grik = goblins.handle_at(0).unwrap();
    /// let mut gold = SideMap::new();
    /// let Entry::Vacant(entry) = gold.entry(&goblins, grik).unwrap() else { panic!("it has none") };
    /// assert_eq!(entry.handle(), grik);
    /// entry.insert(5);
    /// ```
    #[must_use]
    pub fn handle(&self) -> H {
        self.handle
    }

    /// Inserts a value and returns it, mutably.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    #[inline]
    pub fn insert(self, value: V) -> &'a mut V {
        // A value that `put` returns belongs to an earlier tenant.
        let put = if self.is_owned { self.map.put(self.raw, value) } else { self.map.put_unowned(self.raw, value) };
        match put {
            Ok(_) => self.map.get_mut_raw(self.raw).unwrap_or_else(|| no_value()),
            Err(_) => panic_full(FullKind::Memory),
        }
    }
}

impl<H: Key, V: fmt::Debug> fmt::Debug for Entry<'_, H, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied(entry) => entry.fmt(f),
            Self::Vacant(entry) => entry.fmt(f),
        }
    }
}

impl<H: Key, V: fmt::Debug> fmt::Debug for OccupiedEntry<'_, H, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OccupiedEntry").field("handle", &self.handle).field("value", self.get()).finish()
    }
}

impl<H: Key, V> fmt::Debug for VacantEntry<'_, H, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VacantEntry").field("handle", &self.handle).finish()
    }
}
