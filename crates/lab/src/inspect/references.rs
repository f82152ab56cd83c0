//! References inside values: which of them lead to nothing.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use serde_json::Value;

use super::contents::Contents;
use super::name::SlotName;
use crate::heat::SlotState;
use crate::output::printable;

/// What was found out about the references in a container.
#[derive(Debug, Default)]
pub(super) struct References {
    /// How many read like a handle.
    pub(super) count: usize,
    /// Those that lead to nothing here.
    pub(super) dangling: Vec<Dangling>,
    /// Names of fields that were asked for, and that no value has.
    pub(super) unknown: BTreeSet<String>,
}

/// A reference that leads to nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dangling {
    /// Like `4v2.friends[3]`.
    pub(super) place: String,
    /// As it is written.
    pub(super) handle: String,
    pub(super) why: Why,
}

/// Why a reference leads to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Whom it led to is gone.
    Gone,
    /// It has never led to anybody.
    NeverThere,
    /// Its tag is not that of the container.
    Foreign,
}

impl Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "gone",
            Self::NeverThere => "was never there",
            Self::Foreign => "has another tag",
        })
    }
}

/// The name that stands for all fields, and for values that are references themselves.
const EVERYTHING: &str = "*";

impl References {
    /// Looks at everything in these fields; without any, at everything.
    pub(super) fn of(contents: &Contents, fields: &[String]) -> Self {
        let everywhere = fields.is_empty() || fields.iter().any(|field| field == EVERYTHING);
        let unknown = fields.iter().filter(|field| *field != EVERYTHING).cloned().collect();
        let mut walk = Walk { contents, fields, place: String::new(), found: Self { unknown, ..Self::default() } };
        for (place, value) in contents.values() {
            walk.place = place;
            walk.visit(value, everywhere);
        }
        walk.found
    }
}

struct Walk<'a> {
    contents: &'a Contents,
    fields: &'a [String],
    /// Where it is now.
    place: String,
    found: References,
}

impl Walk<'_> {
    /// `wanted`: whether a reference may stand here.
    fn visit(&mut self, value: &Value, wanted: bool) {
        match value {
            Value::String(text) if wanted => self.check(text),
            Value::Array(items) => {
                for (nth, item) in items.iter().enumerate() {
                    self.step(&format!("[{nth}]"), |walk| walk.visit(item, wanted));
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.step(&format!(".{}", printable(name)), |walk| walk.visit_field(name, value, wanted));
                }
            }
            _ => {}
        }
    }

    /// Handles may be the keys of a map, too.
    fn visit_field(&mut self, name: &str, value: &Value, wanted: bool) {
        if wanted {
            self.check(name);
        }
        self.found.unknown.remove(name);
        self.visit(value, wanted || self.fields.iter().any(|field| field == name));
    }

    fn step(&mut self, step: &str, go: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        self.place.push_str(step);
        go(self);
        self.place.truncate(length);
    }

    fn check(&mut self, text: &str) {
        let Some(name) = SlotName::of_handle(text) else { return };
        self.found.count += 1;
        if let Some(why) = why_nowhere(self.contents, name) {
            self.found.dangling.push(Dangling { place: self.place.clone(), handle: printable(text), why });
        }
    }
}

fn why_nowhere(contents: &Contents, name: SlotName) -> Option<Why> {
    if name.tag != contents.tag {
        return Some(Why::Foreign);
    }
    match contents.states.get(name.index as usize) {
        Some(SlotState::Live(current) | SlotState::Pending(current)) if *current == name.generation => None,
        Some(state) if name.generation <= state.generation() => Some(Why::Gone),
        _ => Some(Why::NeverThere),
    }
}

#[cfg(test)]
mod tests {
    use super::super::load;
    use super::*;
    use crate::cli::{Kind, LayoutName};

    const DOCUMENT: &str = r#"{"version": 1, "tag": 5, "slots": [
        {"0v1#5": {"target": "1v1#5", "friends": ["0v1#5", "2v2#5", {"who": "Goblin(7v1#5)"}], "name": "1v1", "hp": 3}},
        "1v1#5", {"2v3#5": {"seen": {"1v1#5": 7, "2v4#5": "3v1#5"}}}, "3v1#5 pending"]}"#;

    fn find(fields: &[&str]) -> References {
        let loaded = load::check(DOCUMENT, Kind::Pool, LayoutName::Tagged8).unwrap();
        let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
        References::of(&Contents::of(loaded).unwrap(), &fields)
    }

    fn places(found: &References) -> Vec<(&str, Why)> {
        found.dangling.iter().map(|dangling| (dangling.place.as_str(), dangling.why)).collect()
    }

    #[test]
    fn everything_that_reads_like_a_handle_is_followed() {
        let found = find(&[]);
        let expected = [
            ("0v1#5.friends[1]", Why::Gone),
            ("0v1#5.friends[2].who", Why::NeverThere),
            ("0v1#5.name", Why::Foreign),
            ("0v1#5.target", Why::Gone),
            ("2v3#5.seen.1v1#5", Why::Gone),
            ("2v3#5.seen.2v4#5", Why::NeverThere),
        ];
        assert_eq!((places(&found), found.count), (expected.into(), 8));
        assert_eq!(places(&find(&["*"])), expected);
    }

    #[test]
    fn fields_are_followed_when_they_are_named() {
        let found = find(&["target", "who", "mother"]);
        assert_eq!(places(&found), [("0v1#5.friends[2].who", Why::NeverThere), ("0v1#5.target", Why::Gone)]);
        assert_eq!((found.count, found.unknown), (2, ["mother".to_owned()].into()));
        assert_eq!(find(&["friends"]).count, 3);
    }
}
