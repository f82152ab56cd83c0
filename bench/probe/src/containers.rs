//! The containers: one adapter each, and the list of all tasks.

use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use tenure::{DensePool, Handle, Pool, StablePool};
use thunderdome::{Arena, Index};

use crate::operations::{self, Timed, Value};

/// What the operations need of a container.
pub trait Container<T>: Sized {
    const NAME: &'static str;
    type Handle: Copy;

    fn with_capacity(count: usize) -> Self;
    fn insert(&mut self, value: T) -> Self::Handle;
    fn get(&self, handle: Self::Handle) -> Option<&T>;
    fn at(&self, handle: Self::Handle) -> &T;
    fn remove(&mut self, handle: Self::Handle) -> Option<T>;
    fn discard(&mut self, handle: Self::Handle);
    fn visit(&self, visit: impl FnMut(&T));
    fn fold(&self, visit: impl FnMut(&T));
}

/// Adapters are inlined in unoptimised builds, too: what is measured is the container.
macro_rules! container {
    ($Type:ty, $name:literal, $Handle:ty, $new:expr, $values:ident, |$map:ident, $handle:ident| $discard:expr) => {
        impl<T> Container<T> for $Type {
            const NAME: &'static str = $name;
            type Handle = $Handle;

            fn with_capacity(count: usize) -> Self {
                $new(count)
            }
            #[inline(always)]
            fn insert(&mut self, value: T) -> $Handle {
                <$Type>::insert(self, value)
            }
            #[inline(always)]
            fn get(&self, handle: $Handle) -> Option<&T> {
                <$Type>::get(self, handle)
            }
            #[inline(always)]
            fn at(&self, handle: $Handle) -> &T {
                &self[handle]
            }
            #[inline(always)]
            fn remove(&mut self, handle: $Handle) -> Option<T> {
                <$Type>::remove(self, handle)
            }
            #[inline(always)]
            fn discard(&mut self, $handle: $Handle) {
                let $map = self;
                $discard;
            }
            #[inline(always)]
            fn visit(&self, mut visit: impl FnMut(&T)) {
                for item in self.$values() {
                    visit(Item::value(item));
                }
            }
            #[inline(always)]
            fn fold(&self, mut visit: impl FnMut(&T)) {
                self.$values().for_each(|item| visit(Item::value(item)));
            }
        }
    };
}

/// A value, or a value with its handle.
trait Item<'a, T> {
    fn value(self) -> &'a T;
}

impl<'a, T> Item<'a, T> for &'a T {
    #[inline(always)]
    fn value(self) -> &'a T {
        self
    }
}

impl<'a, T, H> Item<'a, T> for (H, &'a T) {
    #[inline(always)]
    fn value(self) -> &'a T {
        self.1
    }
}

container!(Pool<T>, "Pool", Handle<T>, Pool::with_capacity, values, |map, handle| map.discard(handle));
container!(DensePool<T>, "DensePool", Handle<T>, DensePool::with_capacity, values, |map, handle| map.remove(handle));
container!(StablePool<T>, "StablePool", Handle<T>, StablePool::with_capacity, values, |map, handle| map
    .discard(handle));
container!(SlotMap<DefaultKey, T>, "SlotMap", DefaultKey, SlotMap::with_capacity, values, |map, handle| map
    .remove(handle));
container!(DenseSlotMap<DefaultKey, T>, "DenseSlotMap", DefaultKey, DenseSlotMap::with_capacity, values, |map, handle| map
    .remove(handle));
container!(Arena<T>, "thunderdome", Index, Arena::with_capacity, iter, |map, handle| map.remove(handle));

/// One operation on one container.
#[derive(Clone, Copy)]
pub struct Task {
    pub container: &'static str,
    pub operation: &'static str,
    pub run: fn() -> Timed,
}

/// The operations on values of 8 bytes (and some of 640), for counting instructions.
pub fn counted() -> Vec<Task> {
    all::<[u64; 1]>()
}

/// The operations on values of 32 bytes (and some of 640), for measuring time.
pub fn timed() -> Vec<Task> {
    all::<[u64; 4]>()
}

/// All tasks, the containers of one operation side by side.
fn all<V: Value>() -> Vec<Task> {
    macro_rules! task {
        ($name:literal, $operation:ident, $Container:ty, $Value:ty) => {
            Task {
                container: <$Container as Container<$Value>>::NAME,
                operation: $name,
                run: operations::$operation::<$Container, $Value>,
            }
        };
    }
    macro_rules! tasks {
        ($($name:literal, $operation:ident, $Value:ty;)*) => {
            vec![$(
                task!($name, $operation, Pool<$Value>, $Value),
                task!($name, $operation, StablePool<$Value>, $Value),
                task!($name, $operation, SlotMap<DefaultKey, $Value>, $Value),
                task!($name, $operation, Arena<$Value>, $Value),
                task!($name, $operation, DensePool<$Value>, $Value),
                task!($name, $operation, DenseSlotMap<DefaultKey, $Value>, $Value),
            )*]
        };
    }
    tasks! {
        "insert", insert, V;
        "get", get, V;
        "index", index, V;
        "remove+insert", remove_insert, V;
        "quarters", quarters, V;
        "remove in order", remove_in_order, V;
        "iterate for", iterate_for, V;
        "iterate fold", iterate_fold, V;
        "discard 640 B", discard, [u64; 80];
        "drop(remove) 640 B", drop_removed, [u64; 80];
    }
}
