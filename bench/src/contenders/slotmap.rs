//! The three maps of slotmap.

// HopSlotMap is deprecated and still the best of the peers in some cells.
#![allow(deprecated)]

use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, SlotMap};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    SlotMaps = "SlotMap", Role::Rival, SlotMap<DefaultKey, T>, handle: DefaultKey, remove: remove,
    values: |map| map.values(), values_mut: |map| map.values_mut(),
}

adapt! {
    HopSlotMaps = "HopSlotMap", Role::Rival, HopSlotMap<DefaultKey, T>, handle: DefaultKey, remove: remove,
    values: |map| map.values(), values_mut: |map| map.values_mut(),
}

// Contiguous values behind an indirection: another trade-off, so it is shown, but not compared.
adapt! {
    DenseSlotMaps = "DenseSlotMap", Role::Shown, DenseSlotMap<DefaultKey, T>, handle: DefaultKey, remove: remove,
    values: |map| map.values(), values_mut: |map| map.values_mut(),
}
