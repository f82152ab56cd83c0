//! The saved form of a container on a tape: its fields and its slots, with or without names.

use crate::args::Kind;
use crate::name::SlotName;
use crate::tape::{At, Tape, Value};

/// The fields of a pool or a table, in the order of formats without field names.
pub(crate) const POOL: [&str; 8] = ["version", "tag", "floor", "reach", "limit", "next", "word", "slots"];

/// The fields of a world.
pub(crate) const WORLD: [&str; 16] = [
    "version",
    "entities",
    "ids",
    "last_id",
    "permanent",
    "pending",
    "nursery",
    "departed",
    "dying",
    "staged",
    "born",
    "born_with_handle",
    "dead",
    "tickets",
    "first_ticket",
    "report",
];

/// A field of a container, by name or by position.
pub(crate) fn field(tape: &Tape<'_>, at: At, fields: &[&str], name: &str) -> Option<At> {
    match tape.value(at) {
        Value::Map => tape.get(at, name),
        Value::List => tape.parts(at).nth(fields.iter().position(|field| *field == name)?),
        _ => None,
    }
}

/// The slots of a container of any kind, or of the entities of a world.
pub(crate) fn slots(tape: &Tape<'_>, at: At) -> Option<At> {
    let pool = entities(tape, at).unwrap_or(at);
    field(tape, pool, &POOL, "slots").filter(|&slots| tape.value(slots) == Value::List)
}

/// The entities of a world: a pool.
pub(crate) fn entities(tape: &Tape<'_>, at: At) -> Option<At> {
    let is_world = match tape.value(at) {
        Value::List => tape.parts(at).nth(POOL.len()).is_some(),
        _ => true,
    };
    field(tape, at, &WORLD, "entities").filter(|_| is_world)
}

/// A slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) name: SlotName,
    pub(crate) kind: SlotKind,
    /// The position of its value.
    pub(crate) value: Option<At>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    Vacant,
    Live,
    Pending,
}

/// Reads a slot. `place` is its position in the list, and `tag` the tag of the container; in
/// human-readable formats the text of the slot has both.
pub(crate) fn slot(tape: &Tape<'_>, at: At, kind: Kind, place: usize, tag: u32) -> Option<Slot> {
    match tape.value(at) {
        Value::Text(text) => {
            let (name, kind) = match text.strip_suffix(" pending") {
                Some(name) => (name, SlotKind::Pending),
                None => (text, SlotKind::Vacant),
            };
            Some(Slot { name: SlotName::read(name)?, kind, value: None })
        }
        Value::Map => {
            let (key, value) = tape.entries(at).next()?;
            Some(Slot { name: SlotName::read(tape.text(key)?)?, kind: SlotKind::Live, value: Some(value) })
        }
        Value::List => numbered_slot(tape, at, kind, place, tag),
        _ => None,
    }
}

fn numbered_slot(tape: &Tape<'_>, at: At, kind: Kind, place: usize, tag: u32) -> Option<Slot> {
    let mut parts = tape.parts(at);
    let index = match kind {
        Kind::Table => tape.uint(parts.next()?)?,
        Kind::Pool | Kind::World => place as u64,
    };
    let code = tape.uint(parts.next()?)?;
    let kind = match code & 3 {
        0 => SlotKind::Vacant,
        1 => SlotKind::Live,
        2 => SlotKind::Pending,
        _ => return None,
    };
    let name = SlotName { index: index.try_into().ok()?, generation: (code >> 2).try_into().ok()?, tag };
    Some(Slot { name, kind, value: parts.next() })
}

/// The kind that a container looks like, whether it can be loaded or not.
pub(crate) fn kind(tape: &Tape<'_>, at: At) -> Kind {
    if entities(tape, at).is_some() {
        return Kind::World;
    }
    let Some(slots) = slots(tape, at) else { return Kind::Pool };
    let is_table = match tape.parts(slots).next().map(|first| tape.value(first)) {
        Some(Value::List) => is_numbered(tape, slots),
        _ => is_in_order_of_rows(tape, slots),
    };
    if is_table { Kind::Table } else { Kind::Pool }
}

/// Rows first, and not by index. (A table in the order of its slots is saved like a pool, so the
/// kind makes no difference.)
fn is_in_order_of_rows(tape: &Tape<'_>, slots: At) -> bool {
    let all = || tape.parts(slots).map(|at| slot(tape, at, Kind::Pool, 0, 0));
    let has_value = |slot: Option<Slot>| slot.is_some_and(|slot| slot.value.is_some());
    !all().is_sorted_by_key(|slot| slot.map(|slot| slot.name.index))
        && all().is_sorted_by_key(|slot| !has_value(slot))
}

/// In a binary table the index precedes each slot. A slot of a pool has one part, or two if it is
/// live, which the first part determines.
fn is_numbered(tape: &Tape<'_>, slots: At) -> bool {
    for at in tape.parts(slots) {
        let mut parts = tape.parts(at);
        let (first, second, third) = (parts.next(), parts.next(), parts.next());
        match (first.and_then(|first| tape.uint(first)), second, third) {
            (_, _, Some(_)) => return true,
            (_, None, _) => return false,
            (Some(code), _, _) if code & 3 == 1 => {}
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::tests::tape;

    #[test]
    fn kinds_are_distinguished() {
        let kind_of = |slots: &str| {
            let text = format!(r#"{{"version":1,"slots":[{slots}]}}"#);
            kind(&tape(&text), Tape::ROOT)
        };
        assert_eq!(kind_of(r#"{"0v1":1},"1v1",{"2v1":1}"#), Kind::Pool);
        assert_eq!(kind_of(r#"{"2v1":1},{"0v1":1},"1v1""#), Kind::Table);
        assert_eq!(kind_of(r#"{"0v1":1},{"2v1":1},"1v1 pending""#), Kind::Table);
        assert_eq!(kind_of(r#""1v1",{"0v1":1}"#), Kind::Pool, "an invalid pool");
        assert_eq!(kind_of(r#"{"0v1":1},"1v1""#), Kind::Pool, "a pool or a table: no difference");
        assert_eq!(kind_of(""), Kind::Pool);
        assert_eq!(kind_of("[5,7],[4]"), Kind::Pool);
        assert_eq!(kind_of("[5,7],[9,[]]"), Kind::Pool);
        assert_eq!(kind_of("[1,5,7],[0,4]"), Kind::Table);
        assert_eq!(kind_of("[0,4],[1,4]"), Kind::Table);
        assert_eq!(kind(&tape(r#"{"version":1,"entities":7}"#), Tape::ROOT), Kind::World);
    }
}
