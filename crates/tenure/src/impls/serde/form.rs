//! What a saved container has beside its slots.

use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::slots::Preamble;

/// The version of all forms. It goes up when an older library could not read what is written.
const VERSION: u32 = 1;

/// The version in a document, which is one that can be read.
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

/// Writes a form field by field. What people read leaves out what is as usual.
pub(super) struct Fields<S: Serializer> {
    form: S::SerializeStruct,
    brief: bool,
}

impl<S: Serializer> Fields<S> {
    /// The form of a container, which has so many fields at most.
    pub(super) fn begin(serializer: S, name: &'static str, fields: usize) -> Result<Self, S::Error> {
        let brief = serializer.is_human_readable();
        let mut form = serializer.serialize_struct(name, fields)?;
        form.serialize_field("version", &Version)?;
        Ok(Self { form, brief })
    }

    /// A field that may be left out.
    pub(super) fn put<T: Serialize + Default + PartialEq>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        if self.brief && *value == T::default() {
            self.form.skip_field(name)
        } else {
            self.form.serialize_field(name, value)
        }
    }

    /// A field that is always there.
    pub(super) fn put_always<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.form.serialize_field(name, value)
    }

    /// A list that may be left out.
    #[cfg(feature = "alloc")]
    pub(super) fn put_list<T: Serialize>(&mut self, name: &'static str, list: &[T]) -> Result<(), S::Error> {
        if self.brief && list.is_empty() { self.form.skip_field(name) } else { self.form.serialize_field(name, list) }
    }

    pub(super) fn end(self) -> Result<S::Ok, S::Error> {
        self.form.end()
    }
}

/// Writes a container that is a preamble and slots. The form has one name for all of them: formats that write names compare them.
pub(super) fn save<S: Serializer>(
    serializer: S,
    preamble: &Preamble,
    slots: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut fields = Fields::begin(serializer, "Pool", 8)?;
    fields.put("tag", &preamble.tag)?;
    fields.put("floor", &preamble.floor)?;
    fields.put("reach", &preamble.reach)?;
    fields.put("limit", &preamble.limit)?;
    fields.put("next", &preamble.next)?;
    fields.put("word", &preamble.word)?;
    fields.put_always("slots", slots)?;
    fields.end()
}

/// What [`save`] wrote. Nothing in it has been compared yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Pool")]
pub(super) struct Form<S> {
    #[allow(dead_code, reason = "reading it is what checks it")]
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
