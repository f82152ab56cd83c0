//! One slot of a saved container.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::handle::{SlotText, read_slot};
use crate::slots::{Tenancy, TenancyKind};

/// A slot, and its value if it has one.
///
/// ```text
///               live                    dead     pending
/// to be read    {"17v3": value}         "17v3"   "17v3 pending"
/// else          (code, value)           (code)   (code)            where code is the generation · 4 + 0 if dead, 1 if live, 2 if pending
/// numbered      (index, code, value)    …
/// ```
///
/// In a pool, the index of a slot is its position, so only those of tables are `NUMBERED`. A value
/// beyond the slots of a side map is written by [`FarEntry`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<V, const NUMBERED: bool> {
    pub(super) slot: SlotText,
    /// Whether the document contains the index.
    pub(super) is_named: bool,
    pub(super) kind: TenancyKind,
    /// For live slots only.
    pub(super) value: Option<V>,
    /// Whether it was written as a value beyond the slots.
    pub(super) is_far: bool,
}

/// A value beyond the slots of a side map. To be read it is like any other; else it is `(code,
/// (index, value))`, where the code is the generation · 4 + 3.
#[cfg(feature = "alloc")]
pub(super) struct FarEntry<'a, V>(pub(super) SlotText, pub(super) &'a V);

#[cfg(feature = "alloc")]
impl<V: Serialize> Serialize for FarEntry<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_map([(Text(self.0), self.1)]);
        }
        (u64::from(self.0.generation) << 2 | FAR, (self.0.index, self.1)).serialize(serializer)
    }
}

/// The kind in the code of a value beyond the slots.
#[cfg(feature = "alloc")]
const FAR: u64 = 3;

impl<V, const NUMBERED: bool> Entry<V, NUMBERED> {
    pub(super) fn tenancy(&self) -> Tenancy {
        Tenancy { generation: self.slot.generation, kind: self.kind }
    }

    pub(super) fn new(index: u32, tag: u32, Tenancy { generation, kind }: Tenancy, value: Option<V>) -> Self {
        Self { slot: SlotText { index, generation, tag }, is_named: true, kind, value, is_far: false }
    }

    fn code(&self) -> u64 {
        let kind = match self.kind {
            TenancyKind::Vacant => 0,
            TenancyKind::Live => 1,
            TenancyKind::Pending => 2,
        };
        u64::from(self.slot.generation) << 2 | kind
    }
}

impl<V: Serialize, const NUMBERED: bool> Serialize for Entry<V, NUMBERED> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return match &self.value {
                Some(value) => serializer.collect_map([(Text(self.slot), value)]),
                None if self.kind == TenancyKind::Pending => {
                    serializer.collect_str(&format_args!("{}{PENDING}", self.slot))
                }
                None => serializer.collect_str(&self.slot),
            };
        }
        let length = 1 + usize::from(NUMBERED) + usize::from(self.value.is_some());
        let mut tuple = serializer.serialize_tuple(length)?;
        if NUMBERED {
            tuple.serialize_element(&self.slot.index)?;
        }
        tuple.serialize_element(&self.code())?;
        if let Some(value) = &self.value {
            tuple.serialize_element(value)?;
        }
        tuple.end()
    }
}

const PENDING: &str = " pending";

/// The text of a slot, as the key of a map.
struct Text(SlotText);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the text of a slot, like \"17v3\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                read_text(text).map(Text)
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

fn read_text<E: Error>(text: &str) -> Result<SlotText, E> {
    read_slot(text).map_err(|error| E::custom(format_args!("slot {text:?}: {error}")))
}

impl<'de, V: Deserialize<'de>, const NUMBERED: bool> Deserialize<'de> for Entry<V, NUMBERED> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = EntryVisitor::<V, NUMBERED>(PhantomData);
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(visitor)
        } else {
            deserializer.deserialize_tuple(2 + usize::from(NUMBERED), visitor)
        }
    }
}

struct EntryVisitor<V, const NUMBERED: bool>(PhantomData<V>);

impl<'de, V: Deserialize<'de>, const NUMBERED: bool> Visitor<'de> for EntryVisitor<V, NUMBERED> {
    type Value = Entry<V, NUMBERED>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slot: {\"17v3\": value}, \"17v3\" if its tenant was removed, or \"17v3 pending\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let (name, kind) = match text.strip_suffix(PENDING) {
            Some(name) => (name, TenancyKind::Pending),
            None => (text, TenancyKind::Vacant),
        };
        Ok(Entry { slot: read_text(name)?, is_named: true, kind, value: None, is_far: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some(Text(slot)) = map.next_key()? else {
            return Err(A::Error::invalid_length(0, &self));
        };
        let value = Some(map.next_value()?);
        match map.next_key()? {
            Some(Text(other)) => Err(A::Error::custom(format_args!("slot {other} is inside of slot {slot}"))),
            None => Ok(Entry { slot, is_named: true, kind: TenancyKind::Live, value, is_far: false }),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tuple: A) -> Result<Self::Value, A::Error> {
        let index = if NUMBERED { part(&mut tuple, &self)? } else { 0 };
        let code: u64 = part(&mut tuple, &self)?;
        let generation = u32::try_from(code >> 2).map_err(|_| bad_code(code))?;
        let kind = match code & 3 {
            0 => TenancyKind::Vacant,
            1 => TenancyKind::Live,
            2 => TenancyKind::Pending,
            _ if NUMBERED => return Err(bad_code(code)),
            _ => {
                let (index, value) = part(&mut tuple, &self)?;
                let slot = SlotText { index, generation, tag: 0 };
                return Ok(Entry {
                    slot,
                    is_named: false,
                    kind: TenancyKind::Live,
                    value: Some(value),
                    is_far: true,
                });
            }
        };
        let value = if kind == TenancyKind::Live { Some(part(&mut tuple, &self)?) } else { None };
        Ok(Entry { slot: SlotText { index, generation, tag: 0 }, is_named: false, kind, value, is_far: false })
    }
}

fn part<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    tuple: &mut A,
    expected: &dyn serde::de::Expected,
) -> Result<T, A::Error> {
    tuple.next_element()?.ok_or_else(|| A::Error::invalid_length(0, expected))
}

#[cold]
fn bad_code<E: Error>(code: u64) -> E {
    E::custom(format_args!("{code} is not the code of a slot"))
}
