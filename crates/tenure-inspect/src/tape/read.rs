//! Loads values from a part of a tape.

use std::cell::Cell;
use std::fmt::{self, Display};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::{At, Other, Parts, Tape, Value};

/// Why the library refuses a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) why: String,
    /// The innermost value that was being read.
    pub(crate) at: Option<At>,
}

impl Refusal {
    fn or_at(mut self, at: At) -> Self {
        self.at.get_or_insert(at);
        self
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: Display>(why: T) -> Self {
        Self { why: why.to_string(), at: None }
    }
}

/// A value on a tape, as a deserializer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'t, 'a> {
    pub(crate) tape: &'t Tape<'a>,
    pub(crate) at: At,
    /// Whether handles and slots are text here.
    pub(crate) is_readable: bool,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn of(self, at: At) -> Self {
        Self { at, ..self }
    }

    /// Visits the parts of a list or a map. An error is attributed to the last one visited.
    fn visit_parts<T>(self, visit: impl FnOnce(Inner<'t, 'a, '_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let last = Cell::new(self.at);
        visit(Inner { reader: self, parts: self.tape.parts(self.at), last: &last })
            .map_err(|refusal| refusal.or_at(last.get()))
    }
}

impl<'de> Deserializer<'de> for Reader<'de, '_> {
    type Error = Refusal;

    fn is_human_readable(&self) -> bool {
        self.is_readable
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.tape.value(self.at) {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Uint(value) => visitor.visit_u64(value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List => self.visit_parts(|items| visitor.visit_seq(items)),
            Value::Map => self.visit_parts(|entries| visitor.visit_map(entries)),
            Value::Other(other) => Err(de::Error::invalid_type(unexpected(other), &visitor)),
        }
        .map_err(|refusal| refusal.or_at(self.at))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.tape.value(self.at) {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    /// The values of a container are skipped.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

fn unexpected(other: Other) -> Unexpected<'static> {
    Unexpected::Other(match other {
        Other::Negative => "a negative number",
        Other::Fraction => "a fraction",
        Other::Bytes => "bytes",
    })
}

/// The parts of a list or a map.
struct Inner<'t, 'a, 'l> {
    reader: Reader<'t, 'a>,
    parts: Parts<'t, 'a>,
    last: &'l Cell<At>,
}

impl<'de> Inner<'de, '_, '_> {
    fn next<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Refusal> {
        let next = self.parts.next();
        self.last.set(next.unwrap_or(self.reader.at));
        let Some(at) = next else { return Ok(None) };
        seed.deserialize(self.reader.of(at)).map(Some).map_err(|refusal| refusal.or_at(at))
    }
}

impl<'de> SeqAccess<'de> for Inner<'de, '_, '_> {
    type Error = Refusal;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Refusal> {
        self.next(seed)
    }
}

impl<'de> MapAccess<'de> for Inner<'de, '_, '_> {
    type Error = Refusal;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Refusal> {
        self.next(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Refusal> {
        self.next(seed)?.ok_or_else(|| de::Error::custom("a key without a value"))
    }
}
