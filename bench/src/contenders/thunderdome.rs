//! The arena of thunderdome: the generation is in both variants of its entry.

use thunderdome::{Arena, Index};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    Arenas = "thunderdome", Role::Rival, Arena<T>, handle: Index, remove: remove,
    values: |arena| arena.iter().map(|(_, value)| value), values_mut: |arena| arena.iter_mut().map(|(_, value)| value),
}
