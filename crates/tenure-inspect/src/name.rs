//! The text of slots and handles.

use std::fmt::{self, Display};

/// `17v3`, or `17v3#5` with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotName {
    pub(crate) index: u32,
    /// 0 if there was no tenant yet.
    pub(crate) generation: u32,
    pub(crate) tag: u32,
}

impl Display for SlotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)?;
        if self.tag == 0 { Ok(()) } else { write!(f, "#{}", self.tag) }
    }
}

impl SlotName {
    /// Parses the text of a slot.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (place, tag) = text.split_once('#').unwrap_or((text, "0"));
        let (index, generation) = place.split_once('v')?;
        Some(Self { index: number(index)?, generation: number(generation)?, tag: number(tag)? })
    }

    /// Parses a handle, `17v3` or `Goblin(17v3)`: the slot, and the name around it.
    pub(crate) fn of_handle(text: &str) -> Option<(Option<&str>, Self)> {
        // Most texts are not handles, and end with another character.
        if !text.ends_with(|c: char| c.is_ascii_digit() || c == ')') {
            return None;
        }
        let (name, inner) = match text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
            Some((name, inner)) => (Some(name), inner),
            None => (None, text),
        };
        Some((name, Self::read(inner).filter(|slot| slot.generation > 0)?))
    }
}

fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_distinguished_from_other_words() {
        let name = |index, generation, tag| Some(SlotName { index, generation, tag });
        let handle = |text| SlotName::of_handle(text);
        assert_eq!(handle("17v3"), name(17, 3, 0).map(|slot| (None, slot)));
        assert_eq!(handle("17v3#5"), name(17, 3, 5).map(|slot| (None, slot)));
        assert_eq!(handle("Goblin(17v3#5)"), name(17, 3, 5).map(|slot| (Some("Goblin"), slot)));
        assert_eq!(SlotName::read("17v0"), name(17, 0, 0));
        for other in ["", "v", "17v", "v3", "17v0", "+1v3", "17v3#", "1 v3", "nil", "17v3 pending", "99999999999v1"] {
            assert_eq!(SlotName::of_handle(other), None, "{other}");
        }
    }
}
