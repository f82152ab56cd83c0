//! Writes a tape while a format is read.

use std::fmt;

use serde::de::{DeserializeSeed, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{BOOL, COPIED_TEXT, Face, LIST, MAP, NULL, OTHER, Other, PAYLOAD, TEXT, Tape, UINT, WIDE_UINT, word};
use crate::progress::Progress;

/// Reads a whole document. Texts that the format borrows from `source` are not copied.
pub(crate) fn build<'de, 'a, D: Deserializer<'de>>(
    deserializer: D,
    source: &'a [u8],
    face: Face,
    progress: &Progress,
) -> Result<Tape<'a>, D::Error> {
    let mut builder = Builder::new(source, face, progress);
    Build(&mut builder).deserialize(deserializer)?;
    Ok(builder.tape)
}

/// A tape, and the limit of its length.
pub(crate) struct Builder<'a, 'p> {
    pub(crate) tape: Tape<'a>,
    /// A document of `n` bytes has at most `n` values, of two words each. Only a YAML document with
    /// aliases expands to more.
    most_words: usize,
    progress: &'p Progress,
}

impl<'a, 'p> Builder<'a, 'p> {
    pub(crate) fn new(source: &'a [u8], face: Face, progress: &'p Progress) -> Self {
        let tape = Tape { words: Vec::new(), source, copied: String::new(), face };
        Self { tape, most_words: source.len().saturating_mul(2).saturating_add(1024), progress }
    }

    /// For documents without aliases.
    pub(crate) fn unlimited(source: &'a [u8], face: Face, progress: &'p Progress) -> Self {
        Self { most_words: usize::MAX, ..Self::new(source, face, progress) }
    }

    fn push(&mut self, word: u64) {
        self.tape.words.push(word);
        if self.tape.words.len() & 0xffff == 0 {
            self.progress.tick();
        }
    }

    pub(crate) fn uint(&mut self, number: u64) {
        if number <= PAYLOAD {
            self.push(word(UINT, number));
        } else {
            self.push(word(WIDE_UINT, 0));
            self.push(number);
        }
    }

    pub(crate) fn copied_text(&mut self, text: &str) {
        let start = self.tape.copied.len() as u64;
        self.tape.copied.push_str(text);
        self.push(word(COPIED_TEXT, text.len() as u64));
        self.push(start);
    }

    /// A text that may be borrowed from the file: it is copied only if it is not.
    pub(crate) fn lent_text(&mut self, text: &str) {
        match offset_in(self.tape.source, text) {
            Some(start) => {
                self.progress.at(start as u64);
                self.push(word(TEXT, text.len() as u64));
                self.push(start as u64);
            }
            None => self.copied_text(text),
        }
    }

    /// Begins a list or a map; [`end`](Self::end) ends it.
    fn begin(&mut self, kind: u64) -> usize {
        self.push(word(kind, 0));
        self.tape.words.len() - 1
    }

    fn end(&mut self, begin: usize) {
        self.tape.words[begin] |= self.tape.words.len() as u64;
    }

    pub(crate) fn list(&mut self, fill: impl FnOnce(&mut Self)) {
        let begin = self.begin(LIST);
        fill(self);
        self.end(begin);
    }

    pub(crate) fn map(&mut self, fill: impl FnOnce(&mut Self)) {
        let begin = self.begin(MAP);
        fill(self);
        self.end(begin);
    }

    pub(crate) fn null(&mut self) {
        self.push(word(NULL, 0));
    }

    fn check_room<E: Error>(&self) -> Result<(), E> {
        if self.tape.words.len() <= self.most_words && self.tape.copied.len() <= self.most_words {
            return Ok(());
        }
        Err(E::custom("the document expands to far more than its size, because aliases repeat its parts"))
    }
}

/// For formats that do not borrow, and have no aliases.
impl<'de> Deserialize<'de> for Tape<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let progress = Progress::none();
        let mut builder = Builder::unlimited(&[], Face::Binary, &progress);
        Build(&mut builder).deserialize(deserializer)?;
        Ok(builder.tape)
    }
}

/// The position in the source of a text that was borrowed from it.
fn offset_in(source: &[u8], text: &str) -> Option<usize> {
    let offset = (text.as_ptr() as usize).checked_sub(source.as_ptr() as usize)?;
    (offset.checked_add(text.len())? <= source.len()).then_some(offset)
}

/// Writes one value.
struct Build<'b, 'a, 'p>(&'b mut Builder<'a, 'p>);

impl<'de> DeserializeSeed<'de> for Build<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.push(word(BOOL, value.into()));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.uint(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_i128(value.into())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<(), E> {
        match u64::try_from(value) {
            Ok(value) => self.0.uint(value),
            Err(_) => self.0.push(word(OTHER, Other::Fraction as u64)),
        }
        Ok(())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<(), E> {
        match u128::try_from(value) {
            Ok(value) => self.visit_u128(value),
            Err(_) => {
                self.0.push(word(OTHER, Other::Negative as u64));
                Ok(())
            }
        }
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.0.push(word(OTHER, Other::Fraction as u64));
        Ok(())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<(), E> {
        self.0.push(word(OTHER, Other::Bytes as u64));
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.copied_text(text);
        self.0.check_room()
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        self.0.lent_text(text);
        self.0.check_room()
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        self.deserialize(inner)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        self.deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let begin = self.0.begin(LIST);
        while items.next_element_seed(Build(self.0))?.is_some() {
            self.0.check_room::<A::Error>()?;
        }
        self.0.end(begin);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let begin = self.0.begin(MAP);
        while entries.next_key_seed(Build(self.0))?.is_some() {
            entries.next_value_seed(Build(self.0))?;
            self.0.check_room::<A::Error>()?;
        }
        self.0.end(begin);
        Ok(())
    }

    /// A tag of CBOR or YAML is ignored; the tagged value counts.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let (name, inner) = access.variant::<String>()?;
        match name.as_str() {
            CBOR_TAGGED => inner.tuple_variant(2, Tagged(self)),
            _ => inner.newtype_variant_seed(self),
        }
    }
}

/// The name that `ciborium` gives to a tagged value.
const CBOR_TAGGED: &str = "@@TAGGED@@";

/// A pair of a tag and a value.
struct Tagged<'b, 'a, 'p>(Build<'b, 'a, 'p>);

impl<'de> Visitor<'de> for Tagged<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag and a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<(), A::Error> {
        let _: Option<IgnoredAny> = pair.next_element()?;
        pair.next_element_seed(self.0)?.ok_or_else(|| A::Error::custom("a tag without a value"))
    }
}
