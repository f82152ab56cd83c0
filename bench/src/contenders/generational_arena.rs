//! generational-arena: unmaintained, and still widely used.

use generational_arena::{Arena, Index};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    Arenas = "generational-arena", Role::Rival, Arena<T>, handle: Index, remove: remove,
    values: |arena| arena.iter().map(|(_, value)| value), values_mut: |arena| arena.iter_mut().map(|(_, value)| value),
}
