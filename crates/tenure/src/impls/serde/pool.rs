//! Pools of all kinds, and side maps.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entry::Entry;
use super::form::{Form, save};
use crate::fixed::FixedPool;
use crate::key::Key;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Buffer, Building, Inline, LoadError, Slots, Tenancy};
#[cfg(feature = "alloc")]
use crate::stable::StablePool;

/// All slots of an engine, in index order.
pub(super) struct Tenants<F> {
    pub(super) count: u32,
    pub(super) tag: u32,
    /// Returns a slot, and its value if it is live.
    pub(super) at: F,
}

impl<V: Serialize, F: Fn(u32) -> (Tenancy, Option<V>)> Serialize for Tenants<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut slots = serializer.serialize_seq(Some(self.count as usize))?;
        for index in 0..self.count {
            let (tenancy, value) = (self.at)(index);
            slots.serialize_element(&Entry::<V, false>::new(index, self.tag, tenancy, value))?;
        }
        slots.end()
    }
}

impl<P: Serialize, L: Layout, B: Buffer<P>> Serialize for Slots<P, L, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let preamble = self.preamble();
        let at = |index| (self.tenancy(index), self.live_mark(index).and_then(|mark| self.get(index, mark)));
        save(serializer, &preamble, &Tenants { count: self.slot_count(), tag: preamble.tag, at })
    }
}

impl<'de, P: Deserialize<'de>, L: Layout, B: Buffer<P>> Deserialize<'de> for Slots<P, L, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::<Building<P, L, B>>::deserialize(deserializer)?;
        let preamble = form.preamble();
        form.slots.finish(&preamble).map_err(D::Error::custom)
    }
}

impl<'de, P: Deserialize<'de>, L: Layout, B: Buffer<P>> Deserialize<'de> for Building<P, L, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(SlotsVisitor(PhantomData))
    }
}

struct SlotsVisitor<P, L, B>(PhantomData<(P, L, B)>);

impl<'de, P: Deserialize<'de>, L: Layout, B: Buffer<P>> Visitor<'de> for SlotsVisitor<P, L, B> {
    type Value = Building<P, L, B>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("slots, by index")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut building = Building::new();
        // Nothing is allocated for the claimed number of slots, which may be false.
        while let Some(entry) = entries.next_element::<Entry<P, false>>()? {
            push(&mut building, entry).map_err(A::Error::custom)?;
        }
        Ok(building)
    }
}

pub(super) fn push<P, L: Layout, B: Buffer<P>>(
    building: &mut Building<P, L, B>,
    entry: Entry<P, false>,
) -> Result<(), LoadError> {
    if entry.is_far {
        return Err(LoadError::Index { index: entry.slot.index, place: building.index() });
    }
    if entry.is_named {
        building.expect_index(entry.slot.index)?;
        building.expect_tag(entry.slot.tag)?;
    }
    let tenancy = entry.tenancy();
    match entry.value {
        Some(value) => building.push_live(tenancy.generation, value),
        None => building.push_vacant(tenancy),
    }
}

impl<T: Serialize, H: Key, B: Buffer<T>> Serialize for Pool<T, H, B> {
    /// Saves handles, dead generations and the order of future handles, too: see
    /// [`saved_form`](crate::docs::saved_form).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.slots.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>, H: Key, B: Buffer<T>> Deserialize<'de> for Pool<T, H, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Slots::deserialize(deserializer).map(Self::from_slots)
    }
}

/// Saves a container with a pool inside as that pool.
macro_rules! saved_as_pool {
    ([$($params:tt)*] [$($bounds:tt)*] $Type:ty as $Pool:ty, by $pool:expr) => {
        impl<$($params)*> Serialize for $Type where T: Serialize, $($bounds)* {
            /// Saved as a [`Pool`].
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let pool: fn(&Self) -> &$Pool = $pool;
                pool(self).serialize(serializer)
            }
        }

        impl<'de, $($params)*> Deserialize<'de> for $Type where T: Deserialize<'de>, $($bounds)* {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$Pool>::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

saved_as_pool! {
    [T, const N: usize, H: Key] [] FixedPool<T, N, H> as Pool<T, H, Inline<T, N>>, by |fixed| fixed
}

#[cfg(feature = "alloc")]
saved_as_pool! { [T, H: Key] [T: Default] crate::zii::ZiiPool<T, H> as Pool<T, H>, by |zii| zii }

#[cfg(feature = "alloc")]
impl<T: Serialize, H: Key> Serialize for StablePool<T, H> {
    /// Saved as a [`Pool`]. A value's `serialize` must not insert into the pool: that panics.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.copied(|pool| pool.serialize(serializer))
    }
}

#[cfg(feature = "alloc")]
impl<'de, T: Deserialize<'de>, H: Key> Deserialize<'de> for StablePool<T, H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Pool::deserialize(deserializer).map(Self::from_pool)
    }
}
