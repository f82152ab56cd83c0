//! A pool: values that stay at their index, each with a handle of its own.

mod access;
mod drain;
mod insert;
mod insert_many;
mod iter;
mod loans;
mod remove;
mod traits;
mod unchecked;

use alloc::collections::TryReserveError;
use core::marker::PhantomData;

pub use self::drain::{Drain, ExtractIf};
pub use self::insert_many::InsertMany;
pub use self::iter::{Handles, IntoIter, IntoValues, Iter, IterMut, Values, ValuesMut};
pub use self::loans::Loans;

use crate::handle::{Handle, tag_to_mark};
use crate::layout::{Layout, Tagged, Wide};
use crate::slots::{Fault, Slots};
use crate::stats::Stats;

/// A growable pool of values that name each other by [`Handle`](crate::Handle).
///
/// A handle leads to exactly the value that it was issued for, as long as that lives, and to nothing
/// afterwards: not after reuse of the slot, `clear`, `drain`, `shrink_to_fit`, nor after any number of
/// insertions.
///
/// ```
/// use tenure::Pool;
///
/// let mut pool = Pool::new();
/// let goblin = pool.insert("goblin");
/// pool.remove(goblin);
/// let chicken = pool.insert("chicken"); // takes the same slot
///
/// assert_eq!(pool.get(chicken), Some(&"chicken"));
/// assert_eq!(pool.get(goblin), None); // and not the chicken
/// ```
///
/// `K` is what the handles are *about*: the type of the values, unless you name another one (when one type
/// of value needs two kinds of handles, or so that [`map_values`](Self::map_values) can change the values
/// and keep the handles). `L` is the [`Layout`] of the handles.
///
/// # Which slot is used next
///
/// The one that `remove` freed last; then the other free ones, word by word (64 neighbours), lowest first within a
/// word; then a new one. After [`clear`](Self::clear) and [`drain`](Self::drain) the lowest comes first. It depends on
/// the calls made and on nothing else, so the same calls give the same handles. Walks go by index, always.
///
/// # Cost
///
/// Looking up is a bounds check and one compare. Inserting and removing are O(1), amortised where the pool
/// grows. A walk costs what is alive plus one bit per slot. A slot takes 4 bytes more than the value (which
/// counts as 4 bytes at least), rounded up to the value's alignment; one bit more says that it is alive.
pub struct Pool<T, K: ?Sized = T, L: Layout = Wide> {
    slots: Slots<T, L>,
    about: PhantomData<fn() -> K>,
}

impl<T> Pool<T> {
    /// An empty pool. Allocates nothing, and is `const`.
    ///
    /// For another `K` or another layout, take [`Pool::default`] or [`Pool::with_layout`], and give the type a name:
    /// `type Conns = Pool<Conn, Conn, Compact>;`.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use tenure::Pool;
    ///
    /// static NAMES: Mutex<Pool<String>> = Mutex::new(Pool::new());
    /// let ada = NAMES.lock().unwrap().insert("Ada".into());
    /// assert_eq!(NAMES.lock().unwrap()[ada], "Ada");
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::with_layout()
    }

    /// An empty pool with room for `capacity` values. For another `K` or layout: [`Pool::default`], then
    /// [`reserve`](Self::reserve).
    ///
    /// # Panics
    ///
    /// When there is no such room, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut pool = Self::new();
        pool.reserve_exact(capacity);
        pool
    }
}

impl<T, K: ?Sized, const BITS: u32, L: Layout> Pool<T, K, Tagged<BITS, L>> {
    /// An empty pool whose handles carry a tag, so that other pools refuse them.
    ///
    /// The caller chooses the tags. Two pools with one tag cannot tell their handles apart.
    ///
    /// # Panics
    ///
    /// When the tag does not fit into `BITS` bits (and those of `L`, if that is tagged too).
    #[must_use]
    #[track_caller]
    pub const fn with_tag(tag: u32) -> Self {
        assert!(
            (tag as u64) < 1 << <Tagged<BITS, L> as Layout>::TAG_BITS,
            "the tag does not fit into the layout's tag bits"
        );
        Self::from_slots(Slots::with_floor(tag_to_mark::<Tagged<BITS, L>>(tag)))
    }
}

impl<T, K: ?Sized, L: Layout> Pool<T, K, L> {
    const fn from_slots(slots: Slots<T, L>) -> Self {
        Self { slots, about: PhantomData }
    }

    /// An empty pool of any layout. Allocates nothing, and is `const`.
    ///
    /// ```
    /// use tenure::{Compact, Pool};
    ///
    /// const EMPTY: Pool<u8, u8, Compact> = Pool::with_layout();
    /// assert!(EMPTY.is_empty());
    /// ```
    #[must_use]
    pub const fn with_layout() -> Self {
        Self::from_slots(Slots::EMPTY)
    }

    /// The tag of this pool's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        Handle::<K, L>::issued(0, self.slots.floor() | 1).tag()
    }

    /// How many values there are. Pending and retired slots do not count.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are no values.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many slots there can be before the pool must allocate.
    ///
    /// Slots that are pending or retired take up capacity and hold no value.
    #[inline]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.slots.room() as usize
    }

    /// Makes room for at least `additional` values more. Free slots count as room.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        must_reserve(self.try_reserve(additional));
    }

    /// As [`reserve`](Self::reserve), without asking for more than needed.
    ///
    /// # Panics
    ///
    /// When there is no memory, or the layout has not that many slots.
    #[track_caller]
    pub fn reserve_exact(&mut self, additional: usize) {
        must_reserve(self.try_reserve_exact(additional));
    }

    /// As [`reserve`](Self::reserve), with an error instead of a panic.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u64> = tenure::Pool::new();
    /// assert!(pool.try_reserve(100).is_ok());
    /// assert!(pool.try_reserve(usize::MAX).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, false)
    }

    /// As [`reserve_exact`](Self::reserve_exact), with an error instead of a panic.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the layout has not that many slots.
    pub fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.slots.try_reserve(additional, true)
    }

    /// Cuts off free slots at the end, and gives back the memory that is not needed.
    ///
    /// No value moves, so holes between values stay. Slots that were cut off do not begin anew when they
    /// come back: they continue above the highest generation among them, so every dead handle stays dead. For the
    /// sake of small layouts, a slot that has used up more than half of its generations is not cut off.
    ///
    /// What is cut off is forgotten one by one. Of every index above, [`status`](Self::status) then says `Removed` up to
    /// the common generation, and [`insert_at`](Self::insert_at) refuses what is older, whether it was issued or not.
    pub fn shrink_to_fit(&mut self) {
        self.slots.shrink_to_fit();
    }

    /// Brings retired slots back into use, as if they had never been used. Returns how many.
    ///
    /// A slot is retired when it has had all the tenants its layout can tell apart: 2³¹ with
    /// [`Wide`](crate::Wide), 2,048 with [`Compact`](crate::Compact). **The caller vouches that no old handle of
    /// a retired slot is left anywhere**: such a handle could lead to a new value. Walks the slots if any is
    /// retired, and is free otherwise.
    ///
    /// ```
    /// use tenure::{Compact, Pool};
    ///
    /// // 30 bits of index leave room for two tenants per slot.
    /// let mut pool: Pool<i32, i32, Compact<30>> = Pool::default();
    /// for i in 0..2 {
    ///     let handle = pool.insert(i);
    ///     pool.remove(handle);
    /// }
    /// assert_eq!(pool.stats().retired, 1);
    /// assert_eq!(pool.recycle_retired(), 1);
    /// assert_eq!(pool.insert(7).to_string(), "i32(0v1)");
    /// ```
    pub fn recycle_retired(&mut self) -> usize {
        self.slots.recycle_retired()
    }

    /// Counts, memory, and how used up the slots are. Walks all slots.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.slots.stats()
    }

    /// Checks every internal invariant and says which one is broken. Walks all slots.
    ///
    /// For tests, fuzzing and bug reports: safe code cannot make this fail.
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.slots.validate()
    }
}

#[track_caller]
fn must_reserve(result: Result<(), TryReserveError>) {
    if let Err(error) = result {
        panic!("the pool cannot grow: {error}");
    }
}
