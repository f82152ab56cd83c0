//! slab: no generations, so a stale key resolves to the value that reuses its slot. Shown, but not
//! compared.

use slab::Slab;

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    Slabs = "slab", Role::Shown, Slab<T>, handle: usize, remove: try_remove,
    values: |slab| slab.iter().map(|(_, value)| value), values_mut: |slab| slab.iter_mut().map(|(_, value)| value),
}
