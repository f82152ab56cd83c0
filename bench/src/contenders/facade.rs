//! `tenure-slotmap`: slotmap's maps on Tenure's engine.

use tenure_slotmap::{DefaultKey, DenseSlotMap, SlotMap};

use super::adapt::adapt;
use crate::contender::Role;

adapt! {
    SlotMaps = "SlotMap on Tenure", Role::Subject, SlotMap<DefaultKey, T>, handle: DefaultKey, remove: remove,
    values: |map| map.values(), values_mut: |map| map.values_mut(),
}

adapt! {
    DenseSlotMaps = "DenseSlotMap on Tenure", Role::Subject, DenseSlotMap<DefaultKey, T>, handle: DefaultKey,
    remove: remove, values: |map| map.values(), values_mut: |map| map.values_mut(),
}
