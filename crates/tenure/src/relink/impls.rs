//! `Relink` for types of `core` and `alloc`, and for pools.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};
use core::fmt::Debug;
use core::marker::PhantomData;
use core::num;

use super::{Relink, Relinker, Visitor, map, set};
use crate::dense::DensePool;
use crate::key::Key;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::world::EntityId;

/// Types without handles.
macro_rules! without_handles {
    ($([$($parameters:tt)*] $Type:ty),* $(,)?) => {$(
        impl<$($parameters)*> Relink for $Type {
            fn visit(&self, _visitor: &mut Visitor<'_>) {}
            fn relink(&mut self, _relinker: &mut Relinker<'_>) {}
        }
    )*};
}

without_handles! {
    [] (), [] bool, [] char, [] f32, [] f64, [] str, [] &str, [] String, [T: ?Sized] PhantomData<T>,
    [] u8, [] u16, [] u32, [] u64, [] u128, [] usize, [] i8, [] i16, [] i32, [] i64, [] i128, [] isize,
    [] num::NonZeroU8, [] num::NonZeroU16, [] num::NonZeroU32, [] num::NonZeroU64, [] num::NonZeroU128, [] num::NonZeroUsize,
    [] num::NonZeroI8, [] num::NonZeroI16, [] num::NonZeroI32, [] num::NonZeroI64, [] num::NonZeroI128, [] num::NonZeroIsize,
    [] core::time::Duration, [] core::cmp::Ordering, [] core::ops::RangeFull, [] EntityId,
}

/// Sequences.
macro_rules! sequences {
    ($([$($parameters:tt)*] $Type:ty),*) => {$(
        impl<T: Relink, $($parameters)*> Relink for $Type {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                for (index, element) in self.iter().enumerate() {
                    element.visit(&mut visitor.at_index(index));
                }
            }

            fn relink(&mut self, relinker: &mut Relinker<'_>) {
                for (index, element) in self.iter_mut().enumerate() {
                    element.relink(&mut relinker.at_index(index));
                }
            }
        }
    )*};
}

sequences! { [] [T], [const N: usize] [T; N], [] Vec<T>, [] VecDeque<T>, [] LinkedList<T> }

/// Pools as fields. Their own handles stay as they are; the handles in their values are visited.
macro_rules! pools {
    ($([$($parameters:tt)*] $Type:ty),*) => {$(
        impl<T: Relink, H: Key, $($parameters)*> Relink for $Type {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                for (handle, value) in self {
                    value.visit(&mut visitor.at_key(&handle));
                }
            }

            fn relink(&mut self, relinker: &mut Relinker<'_>) {
                for (handle, value) in self {
                    value.relink(&mut relinker.at_key(&handle));
                }
            }
        }
    )*};
}

pools! { [B: Buffer<T>] Pool<T, H, B>, [] StablePool<T, H>, [] DensePool<T, H> }

impl<T: Relink> Relink for Option<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(value) = self {
            value.visit(visitor);
        }
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        T::relink_option(self, relinker);
    }
}

impl<T: Relink, E: Relink> Relink for Result<T, E> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        match self {
            Ok(value) => value.visit(&mut visitor.at_variant("Ok")),
            Err(error) => error.visit(&mut visitor.at_variant("Err")),
        }
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        match self {
            Ok(value) => value.relink(&mut relinker.at_variant("Ok")),
            Err(error) => error.relink(&mut relinker.at_variant("Err")),
        }
    }
}

impl<T: Relink + ?Sized> Relink for Box<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        (**self).relink(relinker);
    }
}

/// A borrowed value becomes owned only if a handle in it changes.
impl<T: ToOwned + Relink + ?Sized> Relink for Cow<'_, T>
where
    T::Owned: Relink,
{
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        if relinker.changes(&**self) {
            self.to_mut().relink(relinker);
        }
    }
}

impl<T: Relink + Copy> Relink for Cell<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.get().visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        self.get_mut().relink(relinker);
    }
}

/// `visit` panics while the cell is borrowed mutably, as `RefCell::borrow` does.
impl<T: Relink> Relink for RefCell<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.borrow().visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        self.get_mut().relink(relinker);
    }
}

impl<T: Relink> Relink for OnceCell<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(value) = self.get() {
            value.visit(visitor);
        }
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        if let Some(value) = self.get_mut() {
            value.relink(relinker);
        }
    }
}

/// See [`map`].
impl<K: Relink + Ord + Debug, V: Relink> Relink for BTreeMap<K, V> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        map::visit(self, visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        map::relink(self, relinker);
    }
}

/// See [`set`].
impl<T: Relink + Ord + Debug> Relink for BTreeSet<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        set::visit(self, visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        set::relink(self, relinker);
    }
}

impl<T: Relink + Ord> Relink for BinaryHeap<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.as_slice().visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        let mut elements = core::mem::take(self).into_vec();
        elements.relink(relinker);
        *self = elements.into();
    }
}

/// Tuples.
macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        impl<$($name: Relink),+> Relink for ($($name,)+) {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                $(self.$index.visit(&mut visitor.at_field(stringify!($index)));)+
            }

            fn relink(&mut self, relinker: &mut Relinker<'_>) {
                $(self.$index.relink(&mut relinker.at_field(stringify!($index)));)+
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

/// Ranges with public fields.
macro_rules! with_fields {
    ($($Type:ident { $($field:ident),+ })*) => {$(
        impl<T: Relink> Relink for core::ops::$Type<T> {
            fn visit(&self, visitor: &mut Visitor<'_>) {
                $(self.$field.visit(&mut visitor.at_field(stringify!($field)));)+
            }

            fn relink(&mut self, relinker: &mut Relinker<'_>) {
                $(self.$field.relink(&mut relinker.at_field(stringify!($field)));)+
            }
        }
    )*};
}

with_fields! { Range { start, end } RangeFrom { start } RangeTo { end } RangeToInclusive { end } }

/// The range is rebuilt only if a handle in it changes.
impl<T: Relink + Clone> Relink for core::ops::RangeInclusive<T> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.start().visit(&mut visitor.at_field("start"));
        self.end().visit(&mut visitor.at_field("end"));
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        if relinker.changes(self.start()) || relinker.changes(self.end()) {
            let (mut start, mut end) = self.clone().into_inner();
            start.relink(&mut relinker.at_field("start"));
            end.relink(&mut relinker.at_field("end"));
            *self = start..=end;
        }
    }
}
