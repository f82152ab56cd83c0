//! A side map: additional data, keyed by the handles of another container.

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

/// A map from the handles of another container, the owner, to values.
///
/// A lookup is an index and one comparison, as in a [`Pool`]. The map has a slot for every slot of
/// its owner up to the highest one that has had an entry here, so it suits data that most values of
/// the owner have. For data that few of them have, use a `HashMap` with the
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
/// - A value is never readable through the handle of a later tenant of the slot, however often the
///   slot is reused.
/// - A handle that is live in the owner is always accepted, whatever the map has held before. A
///   handle that is not live is rejected, and the value is returned in the error.
/// - Memory is bounded by the owner's slots: a forged handle cannot make the map grow. Lookups
///   never allocate.
///
/// Where the owner is not at hand, [`insert_unowned`](Self::insert_unowned) does not ask for it. A
/// forged handle then costs O(1) memory: an index far beyond those in use gets no slot, and its
/// value is found by a search in O(log n).
///
/// All iterators yield values in the order of their index.
///
/// The map is not notified when the owner removes a value. The entry of a removed value stays
/// readable through its own handle, and through no other, until [`retain_live`](Self::retain_live),
/// [`remove`](Self::remove), or an insertion for the next tenant of the slot.
/// [Joins](crate::join()) skip it.
#[doc(alias("SecondaryMap", "component"))]
pub struct SideMap<H: Key, V> {
    values: Pool<V, H>,
    /// V1: for every value in `far`: its index is at least the number of slots of `values`, and its
    /// mark is that of a tenant, with the tag of `values`. It is sorted (V2).
    far: Far<V>,
}
