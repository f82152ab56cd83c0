//! Handles in maps of any crate: for a field, `#[relink(with = tenure::relink::map)]`.
//!
//! This library does not use `std`, so it has no implementation for `HashMap`. The functions of
//! this module work for every type that can be iterated, taken and extended like one:
//!
//! ```
//! use std::collections::HashMap;
//! use tenure::{Handle, Pool, Relink};
//!
//! #[derive(Relink)]
//! struct Goblin {
//!     name: String,
//!     #[relink(with = tenure::relink::map)]
//!     grudges: HashMap<Handle<Goblin>, i32>,
//! }
//!
//! let mut cave = Pool::new();
//! let grik = cave.insert(Goblin { name: "Grik".into(), grudges: HashMap::new() });
//! let snag = cave.insert(Goblin { name: "Snag".into(), grudges: HashMap::from([(grik, 7)]) });
//!
//! let mut dungeon = Pool::new();
//! dungeon.insert(Goblin { name: "Old Bones".into(), grudges: HashMap::new() });
//! let moved = dungeon.merge(&mut cave).unwrap();
//! let (grik, snag) = (moved.new_handle(grik).unwrap(), moved.new_handle(snag).unwrap());
//! assert_eq!(dungeon[snag].grudges, HashMap::from([(grik, 7)]));
//! ```
//!
//! An entry whose key has a handle that does not resolve is removed, which is reported. If a key
//! changes, the map is rebuilt from `Default` (with another hasher, if hashers have a state).

use core::fmt::Debug;

use super::{Relink, Relinker, Visitor};

/// Visits the handles in keys and values.
pub fn visit<M, K, V>(map: &M, visitor: &mut Visitor<'_>)
where
    for<'a> &'a M: IntoIterator<Item = (&'a K, &'a V)>,
    K: Relink + Debug,
    V: Relink,
{
    for (key, value) in map {
        key.visit(&mut visitor.at_key(key));
        value.visit(&mut visitor.at_key(key));
    }
}

/// Changes the handles in keys and values.
pub fn relink<M, K, V>(map: &mut M, relinker: &mut Relinker<'_>)
where
    M: Default + IntoIterator<Item = (K, V)> + Extend<(K, V)>,
    for<'a> &'a M: IntoIterator<Item = (&'a K, &'a V)>,
    for<'a> &'a mut M: IntoIterator<Item = (&'a K, &'a mut V)>,
    K: Relink + Debug,
    V: Relink,
{
    // Values first: the handles in an entry that will be removed are reported, too.
    for (key, value) in &mut *map {
        value.relink(&mut relinker.at_key(key));
    }
    let has_other_keys = (&*map).into_iter().any(|(key, _)| relinker.changes(key));
    if has_other_keys {
        for (mut key, value) in core::mem::take(map) {
            if relinker.key(&mut key) {
                map.extend([(key, value)]);
            }
        }
    }
}
