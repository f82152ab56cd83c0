//! The fields of a saved container other than its slots.

use core::any::type_name;
use core::convert::Infallible;

use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::slots::Preamble;

/// The version of all forms. It is incremented when an older library could not read what is
/// written.
const VERSION: u32 = 1;

/// The version of a document, which is one that can be read.
pub(super) struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self),
            other => Err(D::Error::custom(format_args!(
                "version {other} of the saved form: this library reads version {VERSION}"
            ))),
        }
    }
}

/// A container as a list of named fields, without its version.
///
/// The list is run twice, to count the fields and to write them, so the announced number is the
/// written number: formats like `MessagePack` and CBOR write it before the fields.
pub(super) trait Fields {
    /// The name of the form: formats that write names of structs compare them.
    const NAME: &'static str;

    fn put_all<P: Put>(&self, fields: &mut P) -> Result<(), P::Error>;
}

/// Takes the fields of a form, in their order.
pub(super) trait Put {
    type Error;

    /// A field that brief forms omit if it has its default value.
    fn put_unless<T: Serialize + ?Sized>(
        &mut self,
        is_usual: bool,
        name: &'static str,
        value: &T,
    ) -> Result<(), Self::Error>;

    /// A field that may be omitted.
    fn put<T: Serialize + Default + PartialEq>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error> {
        self.put_unless(*value == T::default(), name, value)
    }

    /// A field that is always written.
    fn put_always<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error> {
        self.put_unless(false, name, value)
    }
}

/// Counts the fields that are written.
struct Counter {
    is_brief: bool,
    count: usize,
}

impl Put for Counter {
    type Error = Infallible;

    fn put_unless<T: ?Sized>(&mut self, is_usual: bool, _: &'static str, _: &T) -> Result<(), Infallible> {
        self.count += usize::from(!(self.is_brief && is_usual));
        Ok(())
    }
}

/// Writes the fields.
struct Writer<F> {
    form: F,
    is_brief: bool,
    written: usize,
}

impl<F: SerializeStruct> Put for Writer<F> {
    type Error = F::Error;

    fn put_unless<T: Serialize + ?Sized>(
        &mut self,
        is_usual: bool,
        name: &'static str,
        value: &T,
    ) -> Result<(), F::Error> {
        if self.is_brief && is_usual {
            return self.form.skip_field(name);
        }
        self.written += 1;
        self.form.serialize_field(name, value)
    }
}

/// Returns `true` if fields may be omitted: in human-readable formats that write fields by name.
///
/// A format may be human-readable and still write structs as arrays, as `MessagePack` does
/// `with_human_readable`. There a reader finds fields by their position, and needs all of them.
/// Formats that write structs like maps, with names, use one type for both, as JSON, RON, TOML and
/// YAML do. If the types differ, all fields are written: every format can read that.
fn may_leave_out<S: Serializer>(serializer: &S) -> bool {
    serializer.is_human_readable() && type_name::<S::SerializeStruct>() == type_name::<S::SerializeMap>()
}

/// Writes the version and the fields of a container.
pub(super) fn write<S: Serializer, C: Fields>(serializer: S, container: &C) -> Result<S::Ok, S::Error> {
    let is_brief = may_leave_out(&serializer);
    let mut counter = Counter { is_brief, count: 0 };
    let Ok(()) = container.put_all(&mut counter);
    let mut form = serializer.serialize_struct(C::NAME, 1 + counter.count)?;
    form.serialize_field("version", &Version)?;
    let mut writer = Writer { form, is_brief, written: 0 };
    container.put_all(&mut writer)?;
    debug_assert_eq!(writer.written, counter.count, "the announced and the written number of fields");
    writer.form.end()
}

/// A container that consists of a preamble and slots. All of them have the same name.
struct PoolFields<'a, S> {
    preamble: &'a Preamble,
    slots: &'a S,
}

impl<S: Serialize> Fields for PoolFields<'_, S> {
    const NAME: &'static str = "Pool";

    fn put_all<P: Put>(&self, fields: &mut P) -> Result<(), P::Error> {
        let Preamble { tag, floor, reach, limit, next, word } = self.preamble;
        fields.put("tag", tag)?;
        fields.put("floor", floor)?;
        fields.put("reach", reach)?;
        fields.put("limit", limit)?;
        fields.put("next", next)?;
        fields.put("word", word)?;
        fields.put_always("slots", self.slots)
    }
}

/// Writes a container that consists of a preamble and slots.
pub(super) fn save<S: Serializer>(
    serializer: S,
    preamble: &Preamble,
    slots: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    write(serializer, &PoolFields { preamble, slots })
}

/// The data that [`save`] wrote. Nothing in it has been checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Pool")]
pub(super) struct Form<S> {
    #[expect(dead_code, reason = "it is checked when it is read")]
    version: Version,
    #[serde(default)]
    tag: u32,
    #[serde(default)]
    floor: u32,
    #[serde(default)]
    reach: u32,
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    next: Option<u32>,
    #[serde(default)]
    word: Option<u32>,
    pub(super) slots: S,
}

impl<S> Form<S> {
    pub(super) fn preamble(&self) -> Preamble {
        let &Self { tag, floor, reach, limit, next, word, .. } = self;
        Preamble { tag, floor, reach, limit, next, word }
    }
}
