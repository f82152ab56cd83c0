//! A serializer that writes nothing and compares every announced length with what follows.

use std::fmt::{self, Display};

use serde::ser::{self, Serialize};

/// Serializes a value as a human-readable or a binary format would.
///
/// Returns how many structs, tuples, lists and maps were closed.
///
/// # Errors
///
/// If a length that was announced differs from the number of elements that were written.
pub(crate) fn count<T: Serialize>(value: &T, human_readable: bool) -> Result<usize, Miscounted> {
    value.serialize(Strict { human_readable })
}

#[derive(Clone, Copy)]
struct Strict {
    human_readable: bool,
}

#[derive(Debug)]
pub(crate) struct Miscounted(String);

impl Display for Miscounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Miscounted {}

impl ser::Error for Miscounted {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

struct Compound {
    strict: Strict,
    name: &'static str,
    announced: usize,
    written: usize,
    closed: usize,
}

impl Strict {
    fn open(self, name: &'static str, announced: Option<usize>) -> Result<Compound, Miscounted> {
        let announced = announced.ok_or_else(|| Miscounted(format!("{name}: no length is announced")))?;
        Ok(Compound { strict: self, name, announced, written: 0, closed: 0 })
    }
}

impl Compound {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miscounted> {
        self.written += 1;
        self.closed += value.serialize(self.strict)?;
        Ok(())
    }

    fn close(self) -> Result<usize, Miscounted> {
        let Self { name, announced, written, closed, .. } = self;
        if announced == written {
            Ok(closed + 1)
        } else {
            Err(Miscounted(format!("{name}: {announced} announced, {written} written")))
        }
    }
}

macro_rules! scalars {
    ($($method:ident: $Type:ty,)*) => {
        $(fn $method(self, _: $Type) -> Result<usize, Miscounted> {
            Ok(0)
        })*
    };
}

impl ser::Serializer for Strict {
    type Ok = usize;
    type Error = Miscounted;
    type SerializeSeq = Compound;
    type SerializeTuple = Compound;
    type SerializeTupleStruct = Compound;
    type SerializeTupleVariant = Compound;
    type SerializeMap = Compound;
    type SerializeStruct = Compound;
    type SerializeStructVariant = Compound;

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    scalars! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64, serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Result<usize, Miscounted> {
        Ok(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, Miscounted> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<usize, Miscounted> {
        Ok(0)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<usize, Miscounted> {
        Ok(0)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<usize, Miscounted> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<usize, Miscounted> {
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Compound, Miscounted> {
        self.open("a list", len)
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound, Miscounted> {
        self.open("a tuple", Some(len))
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound, Miscounted> {
        self.open(name, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<Compound, Miscounted> {
        self.open(name, Some(len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Compound, Miscounted> {
        self.open("a map", len)
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound, Miscounted> {
        self.open(name, Some(len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<Compound, Miscounted> {
        self.open(name, Some(len))
    }
}

macro_rules! compounds {
    ($($Trait:ident::$method:ident($($key:ident)?),)*) => {
        $(impl ser::$Trait for Compound {
            type Ok = usize;
            type Error = Miscounted;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), Miscounted> {
                $(let _ = $key;)?
                self.element(value)
            }

            fn end(self) -> Result<usize, Miscounted> {
                self.close()
            }
        })*
    };
}

compounds! {
    SerializeSeq::serialize_element(),
    SerializeTuple::serialize_element(),
    SerializeTupleStruct::serialize_field(),
    SerializeTupleVariant::serialize_field(),
    SerializeStruct::serialize_field(key),
    SerializeStructVariant::serialize_field(key),
}

impl ser::SerializeMap for Compound {
    type Ok = usize;
    type Error = Miscounted;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Miscounted> {
        key.serialize(self.strict).map(drop)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Miscounted> {
        self.element(value)
    }

    fn end(self) -> Result<usize, Miscounted> {
        self.close()
    }
}
