//! A side map: more data about things that another container named.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod methods;

mod unowned;

mod entry;
mod far;
mod iter;
mod owner;
mod traits;

pub use self::entry::{Entry, OccupiedEntry, VacantEntry};
pub(crate) use self::far::Far;
pub use self::iter::{Drain, ExtractIf, Handles, IntoIter, IntoValues, Iter, IterMut, Values, ValuesMut};
pub use self::owner::Owner;

use crate::key::Key;
use crate::pool::Pool;

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
/// Where the owner is out of reach, [`insert_unowned`](Self::insert_unowned) asks none. A forged
/// handle then costs O(1) memory: an index far beyond those in use gets no slot, and its value is
/// found by a search in O(log n).
///
/// Iterators go by index, always.
///
/// The map does not notice that something dies. What it holds about the dead is readable through
/// their own handles, and no others, until [`retain_live`](Self::retain_live),
/// [`remove`](Self::remove), or an insertion for the next tenant of the slot.
/// [Joins](crate::join()) step over it.
#[doc(alias("SecondaryMap", "component"))]
pub struct SideMap<H: Key, V> {
    values: Pool<V, H>,
    /// V1: for every value here, the index is not below the number of slots of `values`; its mark
    /// is a tenant's, and carries the tag of `values`.
    far: Far<V>,
}
