//! Finding containers in a document.
//!
//! Where fields have names, a container is a map with its fields. In `MessagePack` without names it
//! is a list with its shape, which is a guess.

use crate::form::{self, POOL, WORLD};
use crate::name::SlotName;
use crate::pointer;
use crate::tape::{At, Tape, Value};

/// A value that looks like a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) at: At,
    /// A JSON pointer.
    pub(crate) path: String,
    /// Whether it was recognised by its shape only.
    pub(crate) is_guess: bool,
    /// Whether its key occurs twice.
    pub(crate) is_twice: bool,
}

/// All candidates.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) found: Vec<Candidate>,
    /// Whether there are more than these.
    pub(crate) are_more: bool,
}

/// The highest number of containers that are inspected. A file of 100 MB can have 10,000,000.
const MOST: usize = 100_000;

/// Returns all candidates of a document, in its order. A container comes before those in its
/// values.
pub(crate) fn find(tape: &Tape<'_>) -> Candidates {
    let mut finder = Finder { tape, path: String::new(), candidates: Candidates::default() };
    finder.visit(Tape::ROOT, false);
    finder.candidates
}

struct Finder<'t, 'a> {
    tape: &'t Tape<'a>,
    path: String,
    candidates: Candidates,
}

impl Finder<'_, '_> {
    fn visit(&mut self, at: At, is_twice: bool) {
        if self.candidates.are_more {
            return;
        }
        if !looks_like_container(self.tape, at) {
            return self.visit_parts(at);
        }
        if self.candidates.found.len() == MOST {
            self.candidates.are_more = true;
            return;
        }
        let is_guess = self.tape.value(at) == Value::List;
        self.candidates.found.push(Candidate { at, path: self.path.clone(), is_guess, is_twice });
        // Within a container only values can contain others: the other fields are known.
        self.visit_values(at);
    }

    fn visit_values(&mut self, at: At) {
        let tape = self.tape;
        let pool = form::entities(tape, at);
        let staged = form::field(tape, at, &WORLD, "staged").filter(|_| pool.is_some());
        for list in [form::slots(tape, at), staged].into_iter().flatten() {
            let (pointer, length) = (tape.pointer_within(at, list), self.path.len());
            self.path.push_str(&pointer);
            for (nth, item) in tape.parts(list).enumerate() {
                self.step(&nth.to_string(), |finder| finder.visit_parts(item));
            }
            self.path.truncate(length);
        }
    }

    fn visit_parts(&mut self, at: At) {
        let tape = self.tape;
        match tape.value(at) {
            Value::List => {
                for (nth, item) in tape.parts(at).enumerate().filter(|&(_, item)| tape.has_parts(item)) {
                    self.step(&nth.to_string(), |finder| finder.visit(item, false));
                }
            }
            Value::Map => {
                for (key, value) in tape.entries(at).filter(|&(_, value)| tape.has_parts(value)) {
                    let name = tape.key(key);
                    let is_twice = looks_like_container(tape, value) && self.is_twice(at, key);
                    self.step(&name, |finder| finder.visit(value, is_twice));
                }
            }
            _ => {}
        }
    }

    fn is_twice(&self, map: At, key: At) -> bool {
        let name = self.tape.value(key);
        // A map of very many containers is not searched for duplicates.
        self.tape.entries(map).take(1_000).filter(|&(other, _)| self.tape.value(other) == name).count() > 1
    }

    fn step(&mut self, step: &str, go: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        pointer::push(&mut self.path, step);
        go(self);
        self.path.truncate(length);
    }
}

/// Returns `true` if the library should try to load this as a container.
pub(crate) fn looks_like_container(tape: &Tape<'_>, at: At) -> bool {
    match tape.value(at) {
        Value::Map => looks_like_world(tape, at) || looks_like_pool(tape, at),
        Value::List => has_shape_of_world(tape, at) || has_shape_of_pool(tape, at),
        _ => false,
    }
}

/// A struct of the program may have a version and slots or entities of its own. So all fields must
/// be known, or some of the slots must read like slots.
fn looks_like_pool(tape: &Tape<'_>, at: At) -> bool {
    let version = tape.get(at, "version").and_then(|version| tape.uint(version));
    let slots = tape.get(at, "slots").filter(|&slots| tape.value(slots) == Value::List);
    let (Some(_), Some(slots)) = (version, slots) else { return false };
    let mut first = tape.parts(slots).take(64).peekable();
    if first.peek().is_none() { has_only(tape, at, &POOL) } else { first.any(|slot| looks_like_slot(tape, slot)) }
}

fn looks_like_world(tape: &Tape<'_>, at: At) -> bool {
    let entities = tape.get(at, "entities").filter(|&entities| looks_like_pool(tape, entities));
    let version = tape.get(at, "version").and_then(|version| tape.uint(version));
    version.is_some() && entities.is_some() && has_only(tape, at, &WORLD)
}

fn has_only(tape: &Tape<'_>, at: At, fields: &[&str]) -> bool {
    // At most as many keys are read as there are fields.
    tape.entries(at).take(fields.len() + 1).all(|(key, _)| tape.text(key).is_some_and(|key| fields.contains(&key)))
}

fn looks_like_slot(tape: &Tape<'_>, at: At) -> bool {
    let reads_like_slot = |text: &str| SlotName::read(text.trim_end_matches(" pending")).is_some();
    match tape.value(at) {
        Value::Text(text) => reads_like_slot(text),
        Value::Map => tape.entries(at).next().and_then(|(key, _)| tape.text(key)).is_some_and(reads_like_slot),
        Value::List => has_shape_of_slot(tape, at),
        _ => false,
    }
}

/// One to three parts, the first of which is a number.
fn has_shape_of_slot(tape: &Tape<'_>, at: At) -> bool {
    let mut parts = tape.parts(at);
    parts.next().is_some_and(|first| tape.uint(first).is_some()) && parts.nth(2).is_none()
}

/// Eight parts: seven numbers, the last three of which may be absent, and slots.
fn has_shape_of_pool(tape: &Tape<'_>, at: At) -> bool {
    let mut parts = tape.parts(at);
    let is_number = |part: At| tape.uint(part).is_some_and(|number| u32::try_from(number).is_ok());
    let is_number_or_none = |part: At| is_number(part) || tape.value(part) == Value::Null;
    parts.next().is_some_and(|version| tape.uint(version) == Some(1))
        && parts.by_ref().take(3).filter(|&part| is_number(part)).count() == 3
        && parts.by_ref().take(3).filter(|&part| is_number_or_none(part)).count() == 3
        && parts.next().is_some_and(|slots| has_shape_of_slots(tape, slots))
        && parts.next().is_none()
}

fn has_shape_of_slots(tape: &Tape<'_>, at: At) -> bool {
    tape.value(at) == Value::List && tape.parts(at).take(64).all(|slot| looks_like_slot(tape, slot))
}

/// Sixteen parts, the second of which has the shape of a pool.
fn has_shape_of_world(tape: &Tape<'_>, at: At) -> bool {
    let mut parts = tape.parts(at);
    parts.next().is_some_and(|version| tape.uint(version) == Some(1))
        && parts.next().is_some_and(|pool| tape.value(pool) == Value::List && has_shape_of_pool(tape, pool))
        && parts.count() == WORLD.len() - 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::tests::tape;

    fn paths(json: &str) -> Vec<String> {
        find(&tape(json)).found.into_iter().map(|candidate| candidate.path).collect()
    }

    const POOL: &str = r#"{"version":1,"slots":[{"0v1":7}]}"#;

    #[test]
    fn containers_are_found_anywhere() {
        assert_eq!(paths(POOL), [""]);
        assert_eq!(paths(&format!(r#"{{"level":3,"a/b":[{POOL},{{"x":{POOL}}}]}}"#)), ["/a~1b/0", "/a~1b/1/x"]);
        let world = format!(r#"{{"version":1,"entities":{POOL},"ids":[1]}}"#);
        assert_eq!(paths(&format!(r#"{{"world":{world},"version":2}}"#)), ["/world"]);
        assert_eq!(paths(&format!(r#"{{"version":2,"entities":{world}}}"#)), ["/entities"]);
        assert_eq!(paths(&format!(r#"{{"version":2,"entities":{POOL},"name":"x"}}"#)), ["/entities"]);
    }

    #[test]
    fn containers_in_values_are_found() {
        let nested = format!(r#"{{"version":1,"slots":["0v1",{{"1v1":{{"bag":{POOL}}}}}]}}"#);
        assert_eq!(paths(&nested), ["", "/slots/1/1v1/bag"]);
    }

    #[test]
    fn other_structs_are_not_containers() {
        for other in [
            r#"{"version":1,"slots":["sword","shield"]}"#,
            r#"{"slots":[]}"#,
            r#"{"version":"1.2","slots":[]}"#,
            r#"{"version":1,"slots":[],"owner":"Grik"}"#,
            r#"[1,0,0,0,null,null,null,["sword"]]"#,
            r#"[1,0,0,0,null,null,[]]"#,
            r#"[2,0,0,0,null,null,null,[]]"#,
        ] {
            assert!(paths(other).is_empty(), "{other}");
        }
        assert_eq!(paths(r#"[0,[1,0,0,0,null,null,null,[[5,7]]]]"#), ["/1"]);
    }

    #[test]
    fn duplicate_keys_are_noticed() {
        let json = format!(r#"{{"a":{POOL},"b":{POOL},"a":{POOL}}}"#);
        let found: Vec<_> = find(&tape(&json)).found.into_iter().map(|found| (found.path, found.is_twice)).collect();
        assert_eq!(found, [("/a".into(), true), ("/b".into(), false), ("/a".into(), true)]);
    }

    #[test]
    fn the_number_of_containers_is_limited() {
        let many = vec![POOL; MOST + 1].join(",");
        let found = find(&tape(&format!("[{many}]"))).found.len();
        assert_eq!(found, MOST);
    }
}
