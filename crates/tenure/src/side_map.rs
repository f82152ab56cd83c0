//! A side map: more data about things that another container named.

mod entry;
mod owner;
mod traits;

pub use self::entry::{Entry, OccupiedEntry, VacantEntry};
pub use self::owner::Owner;

use crate::error::{Rejected, Rejection};
use crate::handle::Handle;
use crate::iter::{Drain, Handles, Iter, IterMut, Values, ValuesMut};
use crate::layout::{Layout, Wide};
use crate::pool::Pool;
use crate::slots::Fault;
use crate::status::HandleError;

/// More data about things that another container named: a map from its handles to values.
///
/// Looking up is an index and one compare, as in a [`Pool`]. The map has a slot for every slot of
/// its owner up to the highest one in use here, so it is meant for data that many of the things
/// have. For data that few have, take a `HashMap` with the
/// [`BuildHandleHasher`](crate::BuildHandleHasher):
///
/// ```
/// use std::collections::HashMap;
/// use tenure::{BuildHandleHasher, Handle, Pool, SideMap};
///
/// struct Goblin;
/// let mut goblins = Pool::new();
/// let grik = goblins.insert(Goblin);
///
/// let mut health: SideMap<Goblin, u32> = SideMap::new(); // every goblin has some
/// health.insert(&goblins, grik, 10).unwrap();
/// assert_eq!(health.get(grik), Some(&10));
///
/// let mut curses: HashMap<Handle<Goblin>, &str, BuildHandleHasher> = HashMap::default(); // hardly any goblin has one
/// curses.insert(grik, "itches");
/// ```
///
/// # What it promises
///
/// - A value is never readable through the handle of a later tenant, however often the slot was
///   used again.
/// - A handle that is live in the owner is never refused, whatever the map has seen before; one
///   that is not is refused, and the value comes back.
/// - Memory is bounded by the owner's slots: a forged handle cannot make the map grow. Looking up
///   never allocates.
///
/// The map does not notice that something dies. What it holds about the dead is readable through
/// their own handles, and no others, until [`retain_live`](Self::retain_live),
/// [`remove`](Self::remove), or an insertion for the next tenant of the slot.
/// [Joins](crate::join()) step over it.
#[doc(alias("SecondaryMap", "component"))]
pub struct SideMap<K: ?Sized, V, L: Layout = Wide> {
    values: Pool<V, K, L>,
}

impl<K: ?Sized, V> SideMap<K, V> {
    /// An empty map. Allocates nothing, and is `const`. For another layout: [`SideMap::default`] or
    /// [`SideMap::with_layout`].
    #[must_use]
    pub const fn new() -> Self {
        Self::with_layout()
    }
}

impl<K: ?Sized, V, L: Layout> SideMap<K, V, L> {
    /// An empty map for handles of any layout. Allocates nothing, and is `const`.
    #[must_use]
    pub const fn with_layout() -> Self {
        Self { values: Pool::with_layout() }
    }

    /// Of what was saved: no slot is pending.
    #[cfg(feature = "serde")]
    pub(crate) const fn from_values(values: Pool<V, K, L>) -> Self {
        Self { values }
    }

    pub(crate) fn values_pool(&self) -> &Pool<V, K, L> {
        &self.values
    }

    pub(crate) fn values_pool_mut(&mut self) -> &mut Pool<V, K, L> {
        &mut self.values
    }

    /// How many values there are, those of the dead included.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many slots the map has memory for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// Heap memory, in bytes, without what the values themselves own.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values.stats().bytes
    }

    /// Gives back the memory that is not needed.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
    }

    /// Sets the value of a live handle, and returns the one that it had.
    ///
    /// ```
    /// use tenure::{Pool, Rejection, SideMap};
    ///
    /// let mut goblins = Pool::new();
    /// let grik = goblins.insert("Grik");
    /// let mut gold = SideMap::new();
    /// assert_eq!(gold.insert(&goblins, grik, 5).unwrap(), None);
    /// assert_eq!(gold.insert(&goblins, grik, 7).unwrap(), Some(5));
    ///
    /// goblins.remove(grik);
    /// let refused = gold.insert(&goblins, grik, 9).unwrap_err();
    /// assert_eq!((refused.reason(), refused.into_inner()), (Rejection::Stale, 9));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Rejected`] gives the value back when the handle is not live in `owner`, when the map holds
    /// values of a pool with another tag, or when there is no memory.
    pub fn insert(
        &mut self,
        owner: &impl Owner<K, L>,
        handle: Handle<K, L>,
        value: V,
    ) -> Result<Option<V>, Rejected<V>> {
        if let Err(error) = owner.check(handle) {
            return Err(Rejected::new(value, Rejection::of_dead(error)));
        }
        if !self.takes_tag_of(handle) {
            return Err(Rejected::new(value, Rejection::Foreign));
        }
        let had = self.contains(handle);
        match self.values.put(handle, value) {
            Ok(older) => Ok(older.filter(|_| had)),
            Err((value, _)) => Err(Rejected::new(value, Rejection::Full)),
        }
    }

    /// All values are of one pool: a map that holds none takes the tag of the first.
    fn takes_tag_of(&mut self, handle: Handle<K, L>) -> bool {
        if !self.values.is_foreign(handle) {
            return true;
        }
        let is_free = self.is_empty();
        if is_free {
            self.values = Pool::with_tag_of(handle);
        }
        is_free
    }

    /// The entry of a live handle, to look at and fill in one step.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::new();
    /// let grik = goblins.insert("Grik");
    /// let mut kills = tenure::SideMap::new();
    /// *kills.entry(&goblins, grik).unwrap().or_insert(0) += 1;
    /// assert_eq!(kills[grik], 1);
    /// ```
    ///
    /// # Errors
    ///
    /// What became of the handle, when it is not live in `owner`.
    pub fn entry(
        &mut self,
        owner: &impl Owner<K, L>,
        handle: Handle<K, L>,
    ) -> Result<Entry<'_, K, V, L>, HandleError> {
        owner.check(handle)?;
        if !self.takes_tag_of(handle) {
            return Err(HandleError::Foreign { tag: handle.tag(), expected: self.values.tag() });
        }
        Ok(Entry::new(self, handle))
    }

    /// The value of a handle. An index and one compare; never panics, never allocates.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<K, L>) -> Option<&V> {
        self.values.get(handle)
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<K, L>) -> Option<&mut V> {
        self.values.get_mut(handle)
    }

    /// Whether the handle has a value.
    #[inline]
    #[must_use]
    #[doc(alias = "contains_key")]
    pub fn contains(&self, handle: Handle<K, L>) -> bool {
        self.values.contains(handle)
    }

    /// Takes the value of a handle out, whether the handle is live or not.
    #[inline]
    pub fn remove(&mut self, handle: Handle<K, L>) -> Option<V> {
        self.values.remove(handle)
    }

    /// Drops the values of all handles that are not live any more, and returns how many there were.
    ///
    /// ```
    /// let mut goblins = tenure::Pool::new();
    /// let (grik, snag) = (goblins.insert("Grik"), goblins.insert("Snag"));
    /// let mut gold = tenure::SideMap::new();
    /// gold.insert(&goblins, grik, 5).unwrap();
    /// gold.insert(&goblins, snag, 7).unwrap();
    ///
    /// goblins.remove(grik);
    /// assert_eq!(gold.retain_live(&goblins), 1);
    /// assert_eq!(gold.len(), 1);
    /// ```
    pub fn retain_live(&mut self, owner: &impl Owner<K, L>) -> usize {
        let before = self.len();
        self.retain(|handle, _| owner.check(handle).is_ok());
        before - self.len()
    }

    /// Keeps the values for which the closure says `true`, and drops the others. Goes by index.
    pub fn retain(&mut self, keep: impl FnMut(Handle<K, L>, &mut V) -> bool) {
        self.values.retain(keep);
    }

    /// Drops all values. Keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Takes all values out, with handles, by index.
    pub fn drain(&mut self) -> Drain<'_, V, K, L> {
        self.values.drain()
    }

    /// Handles and values, by index, those of the dead included.
    #[inline]
    pub fn iter(&self) -> Iter<'_, V, K, L> {
        self.values.iter()
    }

    /// Handles and values, by index, to change the values.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, V, K, L> {
        self.values.iter_mut()
    }

    /// Values, by index.
    #[inline]
    pub fn values(&self) -> Values<'_, V> {
        self.values.values()
    }

    /// Values, by index, to change them.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, V> {
        self.values.values_mut()
    }

    /// Handles that have a value, by index.
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, V, K, L> {
        self.values.handles()
    }

    /// Checks every internal invariant and says which one is broken: see [`Pool::validate`].
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.values.validate()
    }
}
