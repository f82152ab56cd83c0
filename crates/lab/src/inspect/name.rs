//! How slots and handles read.

/// `17v3`, or `17v3#5` with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotName {
    pub(super) index: u32,
    /// 0 where there was no tenant yet.
    pub(super) generation: u32,
    pub(super) tag: u32,
}

impl SlotName {
    /// The slot that this text names.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (place, tag) = text.split_once('#').unwrap_or((text, "0"));
        let (index, generation) = place.split_once('v')?;
        Some(Self { index: number(index)?, generation: number(generation)?, tag: number(tag)? })
    }

    /// The slot that this text leads to, if it reads like a handle. People may write a name around
    /// it: `Goblin(17v3)`.
    pub(super) fn of_handle(text: &str) -> Option<Self> {
        let inner = text.strip_suffix(')').and_then(|text| text.split_once('(')).map_or(text, |(_, inner)| inner);
        Self::read(inner).filter(|name| name.generation > 0)
    }
}

fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_told_from_other_words() {
        let name = |index, generation, tag| Some(SlotName { index, generation, tag });
        assert_eq!(SlotName::of_handle("17v3"), name(17, 3, 0));
        assert_eq!(SlotName::of_handle("17v3#5"), name(17, 3, 5));
        assert_eq!(SlotName::of_handle("Goblin(17v3#5)"), name(17, 3, 5));
        assert_eq!(SlotName::read("17v0"), name(17, 0, 0));
        for other in ["", "v", "17v", "v3", "17v0", "+1v3", "17v3#", "1 v3", "nil", "17v3 pending", "99999999999v1"] {
            assert_eq!(SlotName::of_handle(other), None, "{other}");
        }
    }
}
