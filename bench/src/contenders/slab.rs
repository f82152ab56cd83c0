//! slab: no generations, so a stale key finds whoever lives there now. Shown, not in the verdict.

use slab::Slab;

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    Slabs = "slab", Role::Shown, Slab<T>, handle: usize, remove: try_remove,
    values: |slab| slab.iter().map(|(_, value)| value), values_mut: |slab| slab.iter_mut().map(|(_, value)| value),
}
