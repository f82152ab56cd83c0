//! A document as a tape: one word for most values, in the order of the document.
//!
//! A tree of values takes 30 to 100 bytes for a number. A tape takes 8, and 16 for a text, which
//! stays in the file's buffer. [`build`] writes a tape from any format of serde; [`read`] lets the
//! library load a container from a part of one.

pub(crate) mod build;
pub(crate) mod read;

/// A document.
#[derive(Debug)]
pub(crate) struct Tape<'a> {
    /// Kind in the top four bits, payload in the others.
    words: Vec<u64>,
    /// The file.
    source: &'a [u8],
    /// Texts that the file has in another form, such as with escapes.
    copied: String,
    /// How the format writes handles.
    pub(crate) face: Face,
}

/// How a document writes handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// As text.
    Readable,
    /// As numbers, which cannot be distinguished from others.
    Binary,
    /// As numbers, and the document has no others: a raw snapshot.
    Snapshot,
}

/// The position of a value on the tape.
pub(crate) type At = usize;

/// A value. The parts of lists and maps follow on the tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'t> {
    Null,
    Bool(bool),
    Uint(u64),
    Text(&'t str),
    List,
    Map,
    /// A negative number, a fraction, or bytes: not part of any container.
    Other(Other),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Negative,
    Fraction,
    Bytes,
}

const KIND_SHIFT: u32 = 60;
const PAYLOAD: u64 = (1 << KIND_SHIFT) - 1;

const NULL: u64 = 0;
const BOOL: u64 = 1;
const UINT: u64 = 2;
/// A number that does not fit the payload: it is in the next word.
const WIDE_UINT: u64 = 3;
/// The payload is the length, the next word the start.
const TEXT: u64 = 4;
/// As `TEXT`, in `copied`.
const COPIED_TEXT: u64 = 5;
/// The payload is the end of the list.
const LIST: u64 = 6;
/// As `LIST`; keys and values alternate.
const MAP: u64 = 7;
const OTHER: u64 = 8;

const fn word(kind: u64, payload: u64) -> u64 {
    kind << KIND_SHIFT | (payload & PAYLOAD)
}

impl<'a> Tape<'a> {
    /// The position of the document itself.
    pub(crate) const ROOT: At = 0;

    /// The number of words: a document of `n` bytes has at most `2 * n`.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    fn kind_and_payload(&self, at: At) -> (u64, u64) {
        let word = self.words.get(at).copied().unwrap_or(0);
        (word >> KIND_SHIFT, word & PAYLOAD)
    }

    /// The value at a position.
    pub(crate) fn value(&self, at: At) -> Value<'_> {
        let (kind, payload) = self.kind_and_payload(at);
        let next = || self.words.get(at + 1).copied().unwrap_or(0);
        match kind {
            NULL => Value::Null,
            BOOL => Value::Bool(payload != 0),
            UINT => Value::Uint(payload),
            WIDE_UINT => Value::Uint(next()),
            TEXT => Value::Text(part(self.source, next(), payload)),
            COPIED_TEXT => Value::Text(part(self.copied.as_bytes(), next(), payload)),
            LIST => Value::List,
            MAP => Value::Map,
            _ => Value::Other(match payload {
                0 => Other::Negative,
                1 => Other::Fraction,
                _ => Other::Bytes,
            }),
        }
    }

    /// The position of the next value.
    pub(crate) fn after(&self, at: At) -> At {
        match self.kind_and_payload(at) {
            (WIDE_UINT | TEXT | COPIED_TEXT, _) => at + 2,
            (LIST | MAP, end) => (end as usize).max(at + 1),
            _ => at + 1,
        }
    }

    /// The items of a list, or the keys and values of a map in turn.
    pub(crate) fn parts(&self, at: At) -> Parts<'_, 'a> {
        let end = match self.kind_and_payload(at) {
            (LIST | MAP, end) => end as usize,
            _ => at + 1,
        };
        Parts { tape: self, next: at + 1, end }
    }

    /// The keys and values of a map.
    pub(crate) fn entries(&self, at: At) -> impl Iterator<Item = (At, At)> + '_ {
        let mut parts = self.parts(at);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// The value of a key that is a text.
    pub(crate) fn get(&self, at: At, key: &str) -> Option<At> {
        if self.value(at) != Value::Map {
            return None;
        }
        self.entries(at).find(|&(name, _)| self.value(name) == Value::Text(key)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self, at: At) -> Option<&str> {
        match self.value(at) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn uint(&self, at: At) -> Option<u64> {
        match self.value(at) {
            Value::Uint(number) => Some(number),
            _ => None,
        }
    }

    /// The line of the first text at or after the position, if there is one soon after.
    pub(crate) fn line(&self, at: At) -> Option<usize> {
        if self.face != Face::Readable {
            return None;
        }
        let mut place = at;
        for _ in 0..8 {
            place = match self.kind_and_payload(place) {
                (TEXT, _) => {
                    let offset = usize::try_from(*self.words.get(place + 1)?).ok()?;
                    return Some(1 + self.source.get(..offset)?.iter().filter(|&&byte| byte == b'\n').count());
                }
                (LIST | MAP, _) => place + 1,
                _ => self.after(place),
            };
        }
        None
    }

    /// Returns `true` for a list or a map that is not empty.
    pub(crate) fn has_parts(&self, at: At) -> bool {
        self.parts(at).next().is_some()
    }

    /// The JSON pointer to a value.
    pub(crate) fn pointer_to(&self, target: At) -> String {
        self.pointer_within(Self::ROOT, target)
    }

    /// The same, relative to a value that contains it.
    pub(crate) fn pointer_within(&self, outer: At, target: At) -> String {
        let (mut at, mut pointer) = (outer, String::new());
        while at != target {
            let Some((step, inner)) = self.step_towards(at, target) else { break };
            crate::pointer::push(&mut pointer, &step);
            at = inner;
        }
        pointer
    }

    fn step_towards(&self, at: At, target: At) -> Option<(String, At)> {
        let holds = |inner: At| (inner..self.after(inner)).contains(&target);
        match self.value(at) {
            Value::List => {
                self.parts(at).enumerate().find(|&(_, item)| holds(item)).map(|(nth, item)| (nth.to_string(), item))
            }
            Value::Map => {
                let (key, value) = self.entries(at).find(|&(key, value)| holds(key) || holds(value))?;
                Some((self.key(key), if holds(value) { value } else { target }))
            }
            _ => None,
        }
    }

    /// A key as a step of a path. Formats other than JSON have keys that are not text.
    pub(crate) fn key(&self, at: At) -> String {
        match self.value(at) {
            Value::Text(text) => text.to_owned(),
            Value::Uint(number) => number.to_string(),
            Value::Bool(bool) => bool.to_string(),
            _ => "?".to_owned(),
        }
    }
}

fn part(source: &[u8], start: u64, length: u64) -> &str {
    let range = start as usize..(start as usize).saturating_add(length as usize);
    source.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The positions of successive values.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'t, 'a> {
    tape: &'t Tape<'a>,
    next: At,
    end: At,
}

impl Iterator for Parts<'_, '_> {
    type Item = At;

    fn next(&mut self) -> Option<At> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next = self.tape.after(at);
        Some(at)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::progress::Progress;

    pub(crate) fn tape(json: &str) -> Tape<'_> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        build::build(&mut deserializer, json.as_bytes(), Face::Readable, &Progress::none()).unwrap()
    }

    #[test]
    fn values_are_read_back() {
        let tape = tape(r#"{"a":[1,18446744073709551615,-1,0.5,true,null,"x\n"],"b":{}}"#);
        let list = tape.get(Tape::ROOT, "a").unwrap();
        let items: Vec<_> = tape.parts(list).map(|at| tape.value(at)).collect();
        let expected = [
            Value::Uint(1),
            Value::Uint(u64::MAX),
            Value::Other(Other::Negative),
            Value::Other(Other::Fraction),
            Value::Bool(true),
            Value::Null,
            Value::Text("x\n"),
        ];
        assert_eq!(items, expected);
        assert_eq!(tape.entries(tape.get(Tape::ROOT, "b").unwrap()).count(), 0);
        assert_eq!(tape.get(Tape::ROOT, "c"), None);
    }

    #[test]
    fn a_value_has_a_pointer_and_a_line() {
        let tape = tape("{\"a/b\": [1,\n {\"c\": \"d\"}]}");
        let list = tape.get(Tape::ROOT, "a/b").unwrap();
        let map = tape.parts(list).nth(1).unwrap();
        let inner = tape.get(map, "c").unwrap();
        assert_eq!(tape.pointer_to(inner), "/a~1b/1/c");
        assert_eq!((tape.line(map), tape.line(Tape::ROOT)), (Some(2), Some(1)));
        assert_eq!(tape.pointer_to(Tape::ROOT), "");
    }

    #[test]
    fn a_number_takes_eight_bytes() {
        let json = format!("[{}0]", "0,".repeat(999));
        assert_eq!(tape(&json).words.len(), 1_001);
    }
}
