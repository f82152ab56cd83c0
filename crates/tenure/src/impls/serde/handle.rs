//! Handles and ids.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::handle::Handle;
use crate::layout::{Layout, Word};

impl<K: ?Sized, L: Layout> Serialize for Handle<K, L> {
    /// Writes `"17v3"` in human-readable formats, else the number that [`to_bits`](Handle::to_bits)
    /// returns. Nil is 0 in both.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && !self.is_nil() {
            return serializer.collect_str(&self.slot_text());
        }
        let bits: u64 = self.to_bits().into();
        match u32::try_from(bits) {
            Ok(bits) if L::Bits::BITS == 32 => serializer.serialize_u32(bits),
            _ => serializer.serialize_u64(bits),
        }
    }
}

impl<'de, K: ?Sized, L: Layout> Deserialize<'de> for Handle<K, L> {
    /// Human-readable formats also accept `"nil"`, and a type name: `"Enemy(17v3)"`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = HandleVisitor(PhantomData);
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(visitor)
        } else if L::Bits::BITS == 32 {
            deserializer.deserialize_u32(visitor)
        } else {
            deserializer.deserialize_u64(visitor)
        }
    }
}

struct HandleVisitor<K: ?Sized, L: Layout>(PhantomData<Handle<K, L>>);

impl<K: ?Sized, L: Layout> Visitor<'_> for HandleVisitor<K, L> {
    type Value = Handle<K, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a handle, like \"17v3\", or 0 for nil")
    }

    fn visit_u64<E: Error>(self, bits: u64) -> Result<Self::Value, E> {
        let word = L::Bits::try_from(bits).ok();
        // If the constructor changes the bits, they are another handle, or nil.
        word.map(|word| (word, Handle::from_bits(word)))
            .filter(|(word, handle)| handle.to_bits() == *word)
            .map(|(_, handle)| handle)
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(bits), &self))
    }

    /// Formats like TOML have signed integers only.
    fn visit_i64<E: Error>(self, bits: i64) -> Result<Self::Value, E> {
        match u64::try_from(bits) {
            Ok(bits) => self.visit_u64(bits),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(bits), &self)),
        }
    }

    fn visit_u128<E: Error>(self, bits: u128) -> Result<Self::Value, E> {
        match u64::try_from(bits) {
            Ok(bits) => self.visit_u64(bits),
            Err(_) => Err(E::invalid_value(Unexpected::Other("a number of more than 64 bits"), &self)),
        }
    }

    fn visit_i128<E: Error>(self, bits: i128) -> Result<Self::Value, E> {
        match u64::try_from(bits) {
            Ok(bits) => self.visit_u64(bits),
            Err(_) => {
                Err(E::invalid_value(Unexpected::Other("a negative number, or one of more than 64 bits"), &self))
            }
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        // A key of a map is text, even where nil is a number.
        if text == "0" {
            return Ok(Handle::NIL);
        }
        text.parse().map_err(|error| E::custom(format_args!("{text:?}: {error}")))
    }
}

#[cfg(feature = "alloc")]
mod id {
    use super::{Deserialize, Deserializer, Error, Serialize, Serializer, Unexpected};
    use crate::world::EntityId;

    impl Serialize for EntityId {
        /// Writes its number.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_u64(self.get())
        }
    }

    impl<'de> Deserialize<'de> for EntityId {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let number = u64::deserialize(deserializer)?;
            Self::new(number).ok_or_else(|| Error::invalid_value(Unexpected::Unsigned(number), &"an id, from 1 up"))
        }
    }
}
