//! A pool: values that stay at their index, each with its own handle.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod new;

mod insert;

mod access;

mod remove;

#[cfg(feature = "alloc")]
mod room;

mod unchecked;

#[cfg(feature = "alloc")]
mod build;
#[cfg(feature = "alloc")]
mod deferred;
mod drain;
mod insert_many;
mod iter;
mod loans;
#[cfg(all(feature = "alloc", any(feature = "serde", feature = "snapshot")))]
mod saved;
mod traits;
mod wrap;

use core::marker::PhantomData;

#[cfg(feature = "alloc")]
pub use self::build::{Builder, SlotContent, SlotError};
pub use self::drain::{Drain, ExtractIf};
#[cfg(feature = "alloc")]
pub(crate) use self::insert::panic_full;
#[cfg(feature = "alloc")]
pub(crate) use self::insert_many::Intake;
pub use self::insert_many::{InsertMany, Remainder};
pub use self::iter::{Handles, IntoIter, IntoValues, Iter, IterMut, PendingHandles, Values, ValuesMut};
pub use self::loans::Loans;
#[cfg(feature = "alloc")]
pub(crate) use self::room::must_reserve;
pub(crate) use self::wrap::{as_on_wrapped, wraps_pool};
#[cfg(feature = "rayon")]
pub use crate::impls::{ParIter, ParIterMut};
pub use crate::slots::{Buffer, Flat, Growable, Inline, View};
#[cfg(feature = "alloc")]
pub use crate::slots::{ChunkTable, Chunks};

use crate::handle::{Handle, mark_to_tag};
use crate::key::Key;
use crate::slots::{Fault, Slots};
use crate::stats::Stats;

/// A growable pool of values that refer to each other by [`Handle`].
///
/// A handle resolves to the value that it was issued for until that value is removed, and to `None`
/// afterwards: also after reuse of the slot, `clear`, `drain`, `shrink_to_fit`, and after
/// any number of insertions.
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
/// `H` is the [`Key`], `Handle<T>` by default. `Handle<T, Compact>` has 4 bytes. With
/// `Handle<Tag>`, or a type made by [`key_type!`](crate::key_type), one type of value can have two
/// kinds of handles, and [`map_values`](Self::map_values) changes the type of the values but not
/// that of the handles.
///
/// # Which slot is used next
///
/// The slot that `remove` freed last; then the other free slots, word by word (64 neighbours),
/// lowest first within a word; then a new slot. After [`clear`](Self::clear) and
/// [`drain`](Self::drain) the lowest slot is first. The order depends only on the calls made, so
/// the same calls issue the same handles. All iterators yield values in the order of their index.
///
/// # Cost
///
/// A lookup is a bounds check and one comparison. Insertion and removal are O(1), amortised where
/// the pool grows. Iteration is O(live values) plus one bit per slot. A slot takes 4 bytes more
/// than the value (which counts as at least 4 bytes), rounded up to the value's alignment, and two
/// bits.
///
/// # Where the values are
///
/// `B` is the kind of memory. By default it is one block on the heap, and values move when the
/// block grows. A [`StablePool`](crate::StablePool) never moves values, and a
/// [`FixedPool`](crate::FixedPool) needs no allocator: each is a pool with another `B`.
#[repr(transparent)]
pub struct Pool<T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    pub(crate) slots: Slots<T, H::Layout, B>,
    key: PhantomData<fn() -> H>,
}

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    pub(crate) const fn from_slots(slots: Slots<T, H::Layout, B>) -> Self {
        Self { slots, key: PhantomData }
    }

    /// Removes all slots, and takes the tag of a handle. Keeps the memory.
    #[cfg(feature = "alloc")]
    pub(crate) fn reset_to_tag_of(&mut self, handle: Handle<H::Kind, H::Layout>) {
        use crate::layout::Marks;
        self.slots.reset(handle.slot().mark & <H::Layout as Marks>::TAG);
    }

    /// Returns the tag of this pool's handles; 0 in layouts without tags.
    #[must_use]
    pub fn tag(&self) -> u32 {
        mark_to_tag::<H::Layout>(self.slots.base_mark())
    }

    /// Makes retired slots usable again, as if they had never been used. Returns their number.
    ///
    /// A slot is retired when it has used up its generations: after 2³¹ tenants (successive values
    /// of the slot) with [`Wide`](crate::Wide), 2,048 with [`Compact`](crate::Compact). **The
    /// caller guarantees that no handle of a retired slot still exists**: such a handle could
    /// resolve to a new value. Visits all slots if one is retired; O(1) otherwise.
    ///
    /// ```
    /// use tenure::{Compact, Handle, Pool};
    ///
    /// // 30 bits of index leave room for two tenants per slot.
    /// let mut pool: Pool<i32, Handle<i32, Compact<30>>> = Pool::default();
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

    /// Returns the number of slots by state, the memory, and the use of generations. Visits all
    /// slots.
    ///
    /// ```
    /// let mut pool = tenure::Pool::from(["orc", "elf"]);
    /// pool.remove(pool.handle_at(0).unwrap());
    /// let stats = pool.stats();
    /// assert_eq!((stats.live, stats.free, stats.highest_generation), (1, 1, 1));
    /// ```
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.slots.stats()
    }

    /// Checks every internal invariant and reports the first one that does not hold. Visits all
    /// slots.
    ///
    /// For tests, fuzzing and bug reports: safe code cannot make this fail.
    ///
    /// # Errors
    ///
    /// The first [`Fault`] found.
    pub fn validate(&self) -> Result<(), Fault> {
        self.slots.validate(0)
    }
}
