//! slotmap's three maps. They share one interface, so one macro writes the three adapters.

// HopSlotMap is deprecated and still the best of the peers in some cells.
#![allow(deprecated)]

use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, SlotMap};

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

macro_rules! adapt {
    ($family:ident, $map:ident, $role:expr) => {
        pub struct $family;

        impl Family for $family {
            const NAME: &'static str = stringify!($map);
            const ROLE: Role = $role;
            type Of<T: Value> = $map<DefaultKey, T>;
        }

        impl<T: Value> Contender<T> for $map<DefaultKey, T> {
            type Handle = DefaultKey;

            fn new() -> Self {
                $map::new()
            }
            fn with_capacity(count: usize) -> Self {
                $map::with_capacity(count)
            }
            fn len(&self) -> usize {
                self.len()
            }
            #[inline]
            fn insert(&mut self, value: T) -> DefaultKey {
                self.insert(value)
            }
            #[inline]
            fn get(&self, handle: DefaultKey) -> Option<&T> {
                self.get(handle)
            }
            #[inline]
            fn remove(&mut self, handle: DefaultKey) -> Option<T> {
                self.remove(handle)
            }
            #[inline]
            fn values<'a>(&'a self) -> impl Iterator<Item = &'a T>
            where
                T: 'a,
            {
                self.values()
            }
            #[inline]
            fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
            where
                T: 'a,
            {
                self.values_mut()
            }
            #[inline]
            fn iter<'a>(&'a self) -> impl Iterator<Item = (DefaultKey, &'a T)>
            where
                T: 'a,
            {
                self.iter()
            }
            #[inline]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                self.retain(|_, value| keep(value));
            }
            #[inline]
            fn clear(&mut self) {
                self.clear();
            }
        }
    };
}

adapt!(SlotMaps, SlotMap, Role::Rival);
adapt!(HopSlotMaps, HopSlotMap, Role::Rival);
// Packed values behind an indirection: another trade, so not in the verdict.
adapt!(DenseSlotMaps, DenseSlotMap, Role::Shown);
