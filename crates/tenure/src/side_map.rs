//! A side map: more data about things that another container named.

mod entry;
mod owner;
mod traits;

pub use self::entry::{Entry, OccupiedEntry, VacantEntry};
pub use self::owner::Owner;

use crate::error::{GetDisjointMutError, Rejected, Rejection};
use crate::handle::Handle;
use crate::key::Key;
use crate::pool::{Drain, ExtractIf, Handles, IntoValues, Iter, IterMut, Pool, Values, ValuesMut};
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
/// let mut health: SideMap<Handle<Goblin>, u32> = SideMap::new(); // every goblin has some
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
pub struct SideMap<H: Key, V> {
    values: Pool<V, H>,
}

impl<H: Key, V> SideMap<H, V> {
    /// An empty map. Allocates nothing, and is `const`.
    #[must_use]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// An empty map with room for the first `capacity` slots of its owner.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut map = Self::EMPTY;
        map.reserve(capacity);
        map
    }

    /// An empty map, with any key. Allocates nothing; a `const`, so that it can stand in a
    /// `static`.
    pub const EMPTY: Self = Self { values: Pool::EMPTY };

    /// Of what was saved: no slot is pending.
    #[cfg(feature = "serde")]
    pub(crate) const fn from_values(values: Pool<V, H>) -> Self {
        Self { values }
    }

    pub(crate) fn values_pool(&self) -> &Pool<V, H> {
        &self.values
    }

    pub(crate) fn values_pool_mut(&mut self) -> &mut Pool<V, H> {
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

    /// Makes room for `additional` more slots of the owner, beyond those that the map knows.
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        self.values.reserve(additional);
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
    pub fn insert(&mut self, owner: &impl Owner<H>, handle: H, value: V) -> Result<Option<V>, Rejected<V>> {
        let handle = handle.handle();
        if let Err(error) = owner.check(handle) {
            return Err(Rejected::new(value, Rejection::of_dead(error)));
        }
        if !self.takes_tag_of(handle) {
            return Err(Rejected::new(value, Rejection::Foreign));
        }
        let had = self.values.check_raw(handle).is_ok();
        match self.values.put(handle, value) {
            Ok(older) => Ok(older.filter(|_| had)),
            Err((value, _)) => Err(Rejected::new(value, Rejection::Full)),
        }
    }

    /// All values are of one pool: a map that holds none takes the tag of the first.
    fn takes_tag_of(&mut self, handle: Handle<H::Kind, H::Layout>) -> bool {
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
    pub fn entry(&mut self, owner: &impl Owner<H>, handle: H) -> Result<Entry<'_, H, V>, HandleError> {
        let raw = handle.handle();
        owner.check(raw)?;
        if !self.takes_tag_of(raw) {
            return Err(HandleError::Foreign { tag: raw.tag(), expected: self.values.tag() });
        }
        Ok(Entry::new(self, raw, handle))
    }

    /// The value of a handle. An index and one compare; never panics, never allocates.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<&V> {
        self.values.get(handle)
    }

    /// As [`get`](Self::get), to change the value.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut V> {
        self.values.get_mut(handle)
    }

    /// Whether the handle has a value.
    #[inline]
    #[must_use]
    #[doc(alias = "contains_key")]
    pub fn contains(&self, handle: H) -> bool {
        self.values.contains(handle)
    }

    /// Returns the value of a handle without checking that it has one.
    ///
    /// # Safety
    ///
    /// The handle has a value: [`contains`](Self::contains) returns `true`.
    #[inline]
    #[must_use]
    #[expect(unsafe_code, reason = "declares get_unchecked")]
    pub unsafe fn get_unchecked(&self, handle: H) -> &V {
        // SAFETY: the caller's.
        unsafe { self.values.get_unchecked(handle) }
    }

    /// Returns the values of several handles at once, mutably.
    ///
    /// # Errors
    ///
    /// Which handle has no value and why, or which two are the same.
    pub fn get_disjoint_mut<const N: usize>(&mut self, handles: [H; N]) -> Result<[&mut V; N], GetDisjointMutError> {
        self.values.get_disjoint_mut(handles)
    }

    /// Returns the handle of the value at an index, if there is one.
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.values.handle_at(index)
    }

    /// Takes the value of a handle out, whether the handle is live or not.
    #[inline]
    pub fn remove(&mut self, handle: H) -> Option<V> {
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
    pub fn retain_live(&mut self, owner: &impl Owner<H>) -> usize {
        let before = self.len();
        self.values.retain_raw(|handle, _| owner.check(handle).is_ok());
        before - self.len()
    }

    /// Keeps the values for which the closure says `true`, and drops the others. Goes by index.
    pub fn retain(&mut self, keep: impl FnMut(H, &mut V) -> bool) {
        self.values.retain(keep);
    }

    /// Drops all values. Keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Removes the values for which the closure returns `true`, one by one, and yields them with
    /// their handles. Lazy: what the iterator has not reached when it is dropped stays.
    #[must_use = "it removes nothing unless it is iterated over"]
    pub fn extract_if<F: FnMut(H, &mut V) -> bool>(&mut self, should_remove: F) -> ExtractIf<'_, V, F, H> {
        self.values.extract_if(should_remove)
    }

    /// An iterator over the values of a map that is used up, by index.
    pub fn into_values(self) -> IntoValues<V, H> {
        self.values.into_values()
    }

    /// Takes all values out, with handles, by index.
    pub fn drain(&mut self) -> Drain<'_, V, H> {
        self.values.drain()
    }

    /// Handles and values, by index, those of the dead included.
    #[inline]
    pub fn iter(&self) -> Iter<'_, V, H> {
        self.values.iter()
    }

    /// Handles and values, by index, to change the values.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, V, H> {
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
    pub fn handles(&self) -> Handles<'_, V, H> {
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
