//! slotmap's saved form: a list of all slots, `{ value, version }` each. The first one is never
//! used; an odd version has a value.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::UnitDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tenure::pool::{Builder, SlotContent};
use tenure::{Handle, Layout, Pool, Wide};

#[expect(deprecated, reason = "it is in the API")]
use crate::hop::HopSlotMap;
use crate::key::version_of;
use crate::{DenseSlotMap, Key, KeyData, SecondaryMap, SlotMap};

/// A key.
#[derive(Serialize, Deserialize)]
#[serde(rename = "SerKey")]
struct SavedKey {
    idx: u32,
    version: u32,
}

impl Serialize for KeyData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedKey { idx: self.idx(), version: self.version() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeyData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedKey { idx, version } = SavedKey::deserialize(deserializer)?;
        Ok(Self::from_parts(idx, version))
    }
}

/// A slot that is written.
#[derive(Serialize)]
#[serde(rename = "SerdeSlot")]
struct Written<'a, V> {
    value: Option<&'a V>,
    version: u32,
}

impl<V> Written<'_, V> {
    const NEVER_USED: Self = Self { value: None, version: 0 };

    /// A slot whose tenants up to this one are gone.
    ///
    /// A retired slot has no even version left. The last one that slotmap can read says it, and
    /// [`Read::content`] gives up one tenant for that.
    const fn gone(generation: u32) -> Self {
        let version = if generation >= Wide::MAX_TENANTS { LAST_VACANT } else { generation * 2 };
        Self { value: None, version }
    }
}

/// The highest even version.
const LAST_VACANT: u32 = u32::MAX - 1;

/// A slot that is read.
#[derive(Deserialize)]
#[serde(rename = "SerdeSlot", bound(deserialize = "V: Deserialize<'de>"))]
struct Read<V> {
    #[serde(default)]
    value: Found<V>,
    version: u32,
}

/// What stands where a value may be. In JSON, nothing and a value that is null look the same.
#[derive(Default)]
enum Found<V> {
    #[default]
    Null,
    Value(V),
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Found<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FoundVisitor<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for FoundVisitor<V> {
            type Value = Found<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or nothing")
            }

            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(Found::Null)
            }

            fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
                Ok(Found::Null)
            }

            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
                V::deserialize(deserializer).map(Found::Value)
            }
        }
        deserializer.deserialize_option(FoundVisitor(PhantomData))
    }
}

impl<'de, V: Deserialize<'de>> Read<V> {
    /// The value of a slot whose version says that it has one.
    fn value<E: Error>(self) -> Result<Option<V>, E> {
        match self.value {
            Found::Value(value) if self.version % 2 == 1 => Ok(Some(value)),
            Found::Null if self.version % 2 == 0 => Ok(None),
            // `()` and `None` are read from null.
            Found::Null => V::deserialize(UnitDeserializer::new()).map(Some),
            Found::Value(_) => Err(E::custom("a slot with an even version has a value")),
        }
    }

    fn content<E: Error>(self) -> Result<SlotContent<V>, E> {
        let version = self.version;
        Ok(match self.value()? {
            Some(value) => SlotContent::Live(version / 2 + 1, value),
            None if version >= LAST_VACANT => SlotContent::Vacant(Wide::MAX_TENANTS),
            None => SlotContent::Vacant(version / 2),
        })
    }
}

/// Adds a slot to a map.
type Push<M, V, E> = fn(&mut M, u32, Read<V>) -> Result<(), E>;

/// Reads the slots of a map one by one. The first one has the index 0 and no value.
fn read<'de, D: Deserializer<'de>, V: Deserialize<'de>, M>(
    deserializer: D,
    map: M,
    push: Push<M, V, D::Error>,
) -> Result<M, D::Error> {
    struct SlotsVisitor<V, M, E>(M, Push<M, V, E>);
    impl<'de, V: Deserialize<'de>, M, E: Error> Visitor<'de> for SlotsVisitor<V, M, E> {
        type Value = M;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the slots of a map")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut slots: A) -> Result<M, A::Error> {
            let mut index = 0_u32;
            while let Some(slot) = slots.next_element::<Read<V>>()? {
                (self.1)(&mut self.0, index, slot).map_err(A::Error::custom)?;
                index = index.checked_add(1).ok_or_else(|| A::Error::custom("there are too many slots"))?;
            }
            if index == 0 { Err(A::Error::custom("the first slot is missing")) } else { Ok(self.0) }
        }
    }
    deserializer.deserialize_seq(SlotsVisitor(map, push))
}

/// Refuses a first slot that is in use.
fn is_first<E: Error, V>(index: u32, slot: &Read<V>) -> Result<bool, E> {
    if index > 0 {
        return Ok(false);
    }
    match slot {
        Read { value: Found::Null, version: 0 } => Ok(true),
        _ => Err(E::custom("the first slot is in use")),
    }
}

/// The slots of a pool, with what is in them.
struct Slots<'a, T, F> {
    pool: &'a Pool<T, Handle<KeyData>>,
    value: F,
}

impl<'a, T, V: Serialize + 'a, F: Fn(&'a T) -> Option<&'a V>> Serialize for Slots<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut slots = serializer.serialize_seq(Some(self.pool.slot_count() + 1))?;
        slots.serialize_element(&Written::<V>::NEVER_USED)?;
        for content in (0..).map_while(|index| self.pool.slot(index)) {
            slots.serialize_element(&match content {
                SlotContent::Live(generation, inner) => {
                    Written { value: (self.value)(inner), version: version_of(generation) }
                }
                // A detached key has no value that could be saved: it is gone.
                SlotContent::Pending(generation) | SlotContent::Vacant(generation) => Written::gone(generation),
                _ => return Err(S::Error::custom("a slot of an unknown kind")),
            })?;
        }
        slots.end()
    }
}

type Building<V> = Builder<V, Handle<KeyData>>;

impl<K: Key, V: Serialize> Serialize for SlotMap<K, V> {
    /// In slotmap's form. Detached keys are saved as removed ones, as slotmap does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Slots { pool: &self.slots, value: Some }.serialize(serializer)
    }
}

impl<'de, K: Key, V: Deserialize<'de>> Deserialize<'de> for SlotMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let built = read(deserializer, Building::<V>::new(), |building, index, slot| {
            if is_first(index, &slot)? { Ok(()) } else { building.push(slot.content()?).map_err(D::Error::custom) }
        })?;
        Ok(Self { slots: built.finish(), key: PhantomData })
    }
}

#[expect(deprecated, reason = "it is in the API")]
impl<K: Key, V: Serialize> Serialize for HopSlotMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[expect(deprecated, reason = "it is in the API")]
impl<'de, K: Key, V: Deserialize<'de>> Deserialize<'de> for HopSlotMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        SlotMap::deserialize(deserializer).map(Self)
    }
}

impl<K: Key, V: Serialize> Serialize for DenseSlotMap<K, V> {
    /// In slotmap's form: by slot, and not in the order of the values.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Slots { pool: &self.rows, value: |row: &u32| self.values.get(*row as usize) }.serialize(serializer)
    }
}

impl<'de, K: Key, V: Deserialize<'de>> Deserialize<'de> for DenseSlotMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let empty = (Building::<u32>::new(), Vec::<K>::new(), Vec::<V>::new());
        let (rows, keys, values) = read(deserializer, empty, |(rows, keys, values), index, slot: Read<V>| {
            if is_first(index, &slot)? {
                return Ok(());
            }
            let version = slot.version;
            let content = match slot.content()? {
                SlotContent::Live(generation, value) => {
                    values.push(value);
                    keys.push(KeyData::from_parts(index, version).into());
                    SlotContent::Live(generation, u32::try_from(values.len() - 1).map_err(D::Error::custom)?)
                }
                SlotContent::Vacant(generation) => SlotContent::Vacant(generation),
                _ => return Err(D::Error::custom("a slot of an unknown kind")),
            };
            rows.push(content).map_err(D::Error::custom)
        })?;
        Ok(Self { rows: rows.finish(), keys, values })
    }
}

/// The number of slots that are written without a value in them; for each value, 64 more. A key
/// beyond that is forged, and would fill a disk.
const MANY: usize = 1 << 26;

/// Writes values and all slots between them.
fn write_sparse<'a, S: Serializer, K: Key, V: Serialize + 'a>(
    serializer: S,
    values: impl Iterator<Item = (K, &'a V)>,
) -> Result<S::Ok, S::Error> {
    let mut values: Vec<(KeyData, &V)> = values.map(|(key, value)| (key.data(), value)).collect();
    values.sort_unstable_by_key(|(key, _)| key.idx());
    let count = values.last().map_or(1, |(key, _)| key.idx() as usize + 1);
    if count > values.len().saturating_mul(64).saturating_add(MANY) {
        return Err(S::Error::custom(
            "a key is so far beyond the others that its slot cannot be saved in slotmap's form",
        ));
    }
    let mut slots = serializer.serialize_seq(Some(count))?;
    let mut next = 0;
    for (key, value) in values {
        for _ in next..key.idx() {
            slots.serialize_element(&Written::<V>::NEVER_USED)?;
        }
        slots.serialize_element(&Written { value: Some(value), version: key.version() })?;
        next = key.idx() + 1;
    }
    if next == 0 {
        slots.serialize_element(&Written::<V>::NEVER_USED)?;
    }
    slots.end()
}

impl<K: Key, V: Serialize> Serialize for SecondaryMap<K, V> {
    /// In slotmap's form, which has all slots.
    ///
    /// # Errors
    ///
    /// When a key's index is beyond 67 million and 64 for each value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_sparse(serializer, self.iter())
    }
}

impl<'de, K: Key, V: Deserialize<'de>> Deserialize<'de> for SecondaryMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, Self::new(), |map, index, slot| {
            let version = slot.version;
            if let Some(value) = slot.value()? {
                map.insert(KeyData::from_parts(index, version).into(), value);
            }
            Ok(())
        })
    }
}

#[cfg(feature = "std")]
mod sparse {
    use core::hash::BuildHasher;

    use super::{Deserialize, Deserializer, Key, KeyData, Serialize, Serializer, read, write_sparse};
    use crate::SparseSecondaryMap;

    impl<K: Key, V: Serialize, S: BuildHasher> Serialize for SparseSecondaryMap<K, V, S> {
        /// In slotmap's form, which has all slots.
        ///
        /// # Errors
        ///
        /// When a key's index is beyond 67 million and 64 for each value.
        fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
            write_sparse(serializer, self.iter())
        }
    }

    impl<'de, K: Key, V: Deserialize<'de>, S: BuildHasher + Default> Deserialize<'de> for SparseSecondaryMap<K, V, S> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            read(deserializer, Self::default(), |map, index, slot| {
                let version = slot.version;
                if let Some(value) = slot.value()? {
                    map.insert(KeyData::from_parts(index, version).into(), value);
                }
                Ok(())
            })
        }
    }
}
