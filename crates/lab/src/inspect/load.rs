//! Files, as far as the library: it loads them, and so checks them.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tenure::{Compact, DensePool, Layout, Pool, Tagged, Wide, World};

use super::InspectError;
use super::contents::Contents;
use super::name::SlotName;
use crate::cli::{Kind, LayoutName};

/// A document that the library has loaded.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) kind: Kind,
    /// What the library saves after it has loaded the document: the same, with all that was left
    /// out.
    pub(super) document: Value,
    /// How many tenants a slot can have before it is retired.
    pub(super) most_tenants: u32,
}

/// Loads what is in a file.
pub(super) fn load(path: &Path, kind: Option<Kind>, layout: Option<LayoutName>) -> Result<Contents, InspectError> {
    let malformed = |why, fits| InspectError::Malformed { path: path.into(), why, fits };
    let text = read(path)?;
    let json = Json::from_file(path, text).map_err(|why| malformed(why, None))?;
    let kind = kind.map_or_else(|| guess(&json.text), Ok).map_err(|error| malformed(json.say(&error), None))?;
    let loaded = check(&json.text, kind, layout.unwrap_or(LayoutName::Wide));
    loaded.and_then(Contents::of).map_err(|error| {
        // Whoever has named a layout need not be told about others.
        let others = LayoutName::value_variants().iter().filter(|_| layout.is_none());
        let fits = others.copied().find(|&other| check(&json.text, kind, other).is_ok());
        malformed(json.say(&error), fits)
    })
}

/// The text of a file that is text.
fn read(path: &Path) -> Result<String, InspectError> {
    let bytes = fs::read(path).map_err(|why| InspectError::Unreadable(path.into(), why))?;
    let is_text = |text: &String| !text.chars().any(|c| c.is_control() && !c.is_ascii_whitespace());
    let text = String::from_utf8(bytes).ok().filter(is_text);
    text.filter(|_| !has_extension(path, &BINARY)).ok_or_else(|| InspectError::Binary(path.into()))
}

/// A few bytes can look like text by chance, so the name counts too.
const BINARY: [&str; 7] = ["postcard", "bincode", "bin", "msgpack", "mpk", "cbor", "bitcode"];

fn has_extension(path: &Path, any: &[&str]) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    any.iter().any(|other| extension.eq_ignore_ascii_case(other))
}

/// A document as JSON.
struct Json {
    text: String,
    /// Whether the file has it like this, so that lines and columns mean something.
    is_original: bool,
}

impl Json {
    /// RON becomes JSON, so that there is one way on.
    fn from_file(path: &Path, text: String) -> Result<Self, String> {
        if !has_extension(path, &["ron"]) {
            return Ok(Self { text, is_original: true });
        }
        let document: Value = ron::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Self { text: document.to_string(), is_original: false })
    }

    fn say(&self, error: &serde_json::Error) -> String {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        if self.is_original { text } else { text.strip_suffix(&place).unwrap_or(&text).into() }
    }
}

/// What a document looks like, whether it can be loaded or not.
fn guess(text: &str) -> Result<Kind, serde_json::Error> {
    let document: Value = serde_json::from_str(text)?;
    if document.get("entities").is_some() {
        return Ok(Kind::World);
    }
    let slots = document.get("slots").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    Ok(if is_in_order_of_rows(slots) { Kind::Table } else { Kind::Pool })
}

/// Rows first, and not by index. (A table in the order of its slots reads like a pool, and there is
/// no difference.)
fn is_in_order_of_rows(slots: &[Value]) -> bool {
    let index = |slot: &Value| match slot {
        Value::Object(fields) => fields.keys().next().and_then(|name| SlotName::read(name)),
        other => other.as_str().and_then(|name| SlotName::read(name.trim_end_matches(" pending"))),
    };
    let indices: Vec<_> = slots.iter().map(|slot| index(slot).map(|name| name.index)).collect();
    !indices.is_sorted() && slots.is_sorted_by_key(|slot| !slot.is_object())
}

pub(super) fn check(text: &str, kind: Kind, layout: LayoutName) -> Result<Loaded, serde_json::Error> {
    match layout {
        LayoutName::Wide => check_as::<Wide>(text, kind),
        LayoutName::Compact => check_as::<Compact>(text, kind),
        LayoutName::Compact16 => check_as::<Compact<16>>(text, kind),
        LayoutName::Compact24 => check_as::<Compact<24>>(text, kind),
        LayoutName::Tagged8 => check_as::<Tagged<8>>(text, kind),
        LayoutName::Tagged16 => check_as::<Tagged<16>>(text, kind),
    }
}

fn check_as<L: Layout>(text: &str, kind: Kind) -> Result<Loaded, serde_json::Error> {
    let document = match kind {
        Kind::Pool => load_and_save::<Pool<Value, Value, L>>(text),
        Kind::Table => load_and_save::<DensePool<Value, Value, L>>(text),
        Kind::World => load_and_save::<World<Value, Value, L>>(text),
    };
    Ok(Loaded { kind, document: document?, most_tenants: L::MAX_TENANTS })
}

fn load_and_save<C: Serialize + DeserializeOwned>(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str::<C>(text).and_then(serde_json::to_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        let guess = |slots: &str| guess(&format!(r#"{{"version":1,"slots":[{slots}]}}"#)).unwrap();
        assert_eq!(guess(r#"{"0v1":1},"1v1",{"2v1":1}"#), Kind::Pool);
        assert_eq!(guess(r#"{"2v1":1},{"0v1":1},"1v1""#), Kind::Table);
        assert_eq!(guess(r#"{"0v1":1},{"2v1":1},"1v1 pending""#), Kind::Table);
        assert_eq!(guess(r#""1v1",{"0v1":1}"#), Kind::Pool, "a pool that is broken");
        assert_eq!(guess(r#"{"0v1":1},"1v1""#), Kind::Pool, "either, and it makes no difference");
        assert_eq!(guess(""), Kind::Pool);
        assert_eq!(super::guess(r#"{"version":1,"entities":7}"#).unwrap(), Kind::World);
    }

    #[test]
    fn layouts_differ_in_what_they_can_load() {
        let tagged = r#"{"version":1,"tag":5,"slots":[{"0v1#5":1}]}"#;
        assert!(check(tagged, Kind::Pool, LayoutName::Wide).is_err());
        assert!(check(tagged, Kind::Pool, LayoutName::Tagged8).is_ok());
        // A slot that is retired is not free.
        let worn = r#"{"version":1,"next":1,"slots":["0v2048","1v1"]}"#;
        assert!(check(worn, Kind::Pool, LayoutName::Wide).is_err());
        assert_eq!(check(worn, Kind::Pool, LayoutName::Compact).unwrap().most_tenants, 2048);
    }
}
