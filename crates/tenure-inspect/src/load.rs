//! Loads containers with the library, which checks them.

use clap::ValueEnum;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tenure::{Compact, DensePool, Handle, Layout, Pool, Tagged, Wide, World};

use crate::args::{Kind, LayoutName};
use crate::form;
use crate::name::SlotName;
use crate::tape::read::{Reader, Refusal};
use crate::tape::{At, Face, Tape, Value};

/// The layout of a container, and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChosenLayout {
    pub(crate) name: LayoutName,
    pub(crate) reason: Reason,
}

/// Why a layout was chosen. A document does not contain the layout of its handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was given on the command line.
    Given,
    /// It is the default, and fits.
    Usual,
    /// The default does not fit, for this reason.
    Fits(String),
}

/// Loads a container with the library.
///
/// # Errors
///
/// Why the default layout, or the given one, does not fit, if no layout fits.
pub(crate) fn load(tape: &Tape<'_>, at: At, kind: Kind, given: Option<LayoutName>) -> Result<ChosenLayout, Refusal> {
    if let Some(name) = given {
        return check(tape, at, kind, name).map(|()| ChosenLayout { name, reason: Reason::Given });
    }
    let usual = LayoutName::Wide;
    let Err(refusal) = check(tape, at, kind, usual) else {
        return Ok(ChosenLayout { name: usual, reason: Reason::Usual });
    };
    let fits = LayoutName::value_variants().iter().copied().find(|&other| check(tape, at, kind, other).is_ok());
    match fits {
        Some(name) => Ok(ChosenLayout { name, reason: Reason::Fits(refusal.why) }),
        None => Err(refusal),
    }
}

pub(crate) fn check(tape: &Tape<'_>, at: At, kind: Kind, layout: LayoutName) -> Result<(), Refusal> {
    let reader = Reader { tape, at, is_readable: is_readable(tape, at) };
    match layout {
        LayoutName::Wide => check_as::<Wide>(reader, kind),
        LayoutName::Compact => check_as::<Compact>(reader, kind),
        LayoutName::Compact16 => check_as::<Compact<16>>(reader, kind),
        LayoutName::Compact24 => check_as::<Compact<24>>(reader, kind),
        LayoutName::Tagged8 => check_as::<Tagged<8>>(reader, kind),
        LayoutName::Tagged16 => check_as::<Tagged<16>>(reader, kind),
    }
}

/// Values are not loaded, only their slots.
fn check_as<L: Layout>(reader: Reader<'_, '_>, kind: Kind) -> Result<(), Refusal> {
    match kind {
        Kind::Pool => Pool::<IgnoredAny, Handle<(), L>>::deserialize(reader).map(drop),
        Kind::Table => DensePool::<IgnoredAny, Handle<(), L>>::deserialize(reader).map(drop),
        Kind::World => World::<IgnoredAny, Handle<(), L>>::deserialize(reader).map(drop),
    }
}

/// Returns `true` if slots and handles are text. `MessagePack` supports both.
pub(crate) fn is_readable(tape: &Tape<'_>, at: At) -> bool {
    let first = form::slots(tape, at).and_then(|slots| tape.parts(slots).next());
    match first.map(|slot| tape.value(slot)) {
        Some(Value::Text(_) | Value::Map) => true,
        Some(Value::List) => false,
        _ => tape.face == Face::Readable,
    }
}

/// The number of tenants of a slot before it is retired.
pub(crate) const fn most_tenants(layout: LayoutName) -> u32 {
    match layout {
        LayoutName::Wide => Wide::MAX_TENANTS,
        LayoutName::Compact => <Compact>::MAX_TENANTS,
        LayoutName::Compact16 => Compact::<16>::MAX_TENANTS,
        LayoutName::Compact24 => Compact::<24>::MAX_TENANTS,
        LayoutName::Tagged8 => Tagged::<8>::MAX_TENANTS,
        LayoutName::Tagged16 => Tagged::<16>::MAX_TENANTS,
    }
}

/// The slot of a handle with these bits.
pub(crate) fn slot_of_bits(bits: u64, layout: LayoutName) -> Option<SlotName> {
    match layout {
        LayoutName::Wide => slot_as::<Wide>(bits),
        LayoutName::Compact => slot_as::<Compact>(bits),
        LayoutName::Compact16 => slot_as::<Compact<16>>(bits),
        LayoutName::Compact24 => slot_as::<Compact<24>>(bits),
        LayoutName::Tagged8 => slot_as::<Tagged<8>>(bits),
        LayoutName::Tagged16 => slot_as::<Tagged<16>>(bits),
    }
}

fn slot_as<L: Layout>(bits: u64) -> Option<SlotName> {
    let handle = Handle::<(), L>::from_bits(L::Bits::try_from(bits).ok()?);
    let name = || SlotName { index: handle.index(), generation: handle.generation(), tag: handle.tag() };
    (!handle.is_nil()).then(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::tests::tape;

    #[test]
    fn a_layout_that_fits_is_found() {
        let layout = |json: &str| load(&tape(json), Tape::ROOT, Kind::Pool, None).map(|chosen| chosen.name);
        assert_eq!(layout(r#"{"version":1,"slots":[{"0v1":1}]}"#), Ok(LayoutName::Wide));
        assert_eq!(layout(r#"{"version":1,"tag":5,"slots":[{"0v1#5":1}]}"#), Ok(LayoutName::Tagged8));
        // A retired slot is not free.
        assert_eq!(layout(r#"{"version":1,"next":1,"slots":["0v2048","1v1"]}"#), Ok(LayoutName::Compact));
        let refusal = layout(r#"{"version":1,"slots":[{"0v1":1},{"7v1":1}]}"#).unwrap_err();
        assert_eq!(refusal.why, "slot 7 found where slot 1 was expected");
    }

    #[test]
    fn a_refusal_has_a_position() {
        let tape = tape(r#"{"version":1,"slots":["0v1","sword"]}"#);
        let refusal = load(&tape, Tape::ROOT, Kind::Pool, None).unwrap_err();
        assert_eq!(tape.pointer_to(refusal.at.unwrap()), "/slots/1");
    }

    #[test]
    fn bits_depend_on_the_layout() {
        let handle: Handle<(), Compact> = Handle::from_parts(17, 3).unwrap();
        let slot = slot_of_bits(handle.to_bits().into(), LayoutName::Compact).unwrap();
        assert_eq!((slot.index, slot.generation, slot.tag), (17, 3, 0));
        assert_eq!(slot_of_bits(0, LayoutName::Wide), None);
        assert_eq!(slot_of_bits(u64::MAX, LayoutName::Compact), None);
    }
}
