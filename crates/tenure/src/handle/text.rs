//! Handles as text: `Enemy(17v3)`.

use core::fmt::{self, Debug, Display, Formatter, Write};
use core::str::FromStr;

use super::Handle;
use crate::layout::Layout;

impl<K: ?Sized, L: Layout> Debug for Handle<K, L> {
    /// Formats the handle as `Enemy(17v3)`: the kind, the index, and the generation.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<K: ?Sized, L: Layout> Display for Handle<K, L> {
    /// Formats the handle as `Enemy(17v3)`, followed by `#5` if the pool has the tag 5; nil is
    /// `Enemy(nil)`. For a kind without a name, such as a tuple: `17v3`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt(*self, short_name(core::any::type_name::<K>()), f)
    }
}

/// Writes a handle with a name.
#[doc(hidden)]
pub fn fmt<K: ?Sized, L: Layout>(handle: Handle<K, L>, name: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let mut slot = Short::default();
    if handle.is_nil() {
        slot.write_str("nil")?;
    } else {
        write!(slot, "{}", handle.slot_text())?;
    }
    let parentheses = if name.is_empty() { ["", ""] } else { ["(", ")"] };
    pad(f, &[name, parentheses[0], slot.as_str(), parentheses[1]])
}

impl<K: ?Sized, L: Layout> Handle<K, L> {
    /// Returns the text of the handle, which is not nil, without the name.
    pub(crate) fn slot_text(self) -> SlotText {
        SlotText { index: self.index(), generation: self.generation(), tag: self.tag() }
    }
}

/// A tenant of a slot, without a name around it: `17v3`, or `17v3#5`. No slot has a tenant 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotText {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    pub(crate) tag: u32,
}

impl Display for SlotText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)?;
        if self.tag == 0 { Ok(()) } else { write!(f, "#{}", self.tag) }
    }
}

/// Parses the text that a [`SlotText`] writes.
pub(crate) fn read_slot(text: &str) -> Result<SlotText, ParseHandleError> {
    let (slot, tag) = text.split_once('#').unwrap_or((text, "0"));
    let (index, generation) = slot.split_once('v').ok_or(ParseHandleError::Form)?;
    Ok(SlotText { index: number(index)?, generation: number(generation)?, tag: number(tag)? })
}

/// A text of up to three numbers, stored inline: formatting a handle does not allocate.
#[derive(Default)]
struct Short {
    bytes: [u8; 32],
    length: usize,
}

impl Short {
    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Writes the parts of a text with the width of the formatter, as [`Formatter::pad`] does for a
/// whole text.
fn pad(f: &mut Formatter<'_>, parts: &[&str]) -> fmt::Result {
    let length: usize = parts.iter().map(|part| part.chars().count()).sum();
    let missing = f.width().unwrap_or(0).saturating_sub(length);
    let before = match f.align() {
        Some(fmt::Alignment::Right) => missing,
        Some(fmt::Alignment::Center) => missing / 2,
        _ => 0,
    };
    let fill = f.fill();
    (0..before).try_for_each(|_| f.write_char(fill))?;
    parts.iter().try_for_each(|part| f.write_str(part))?;
    (before..missing).try_for_each(|_| f.write_char(fill))
}

/// Returns the last path segment of a type's name, without generics; empty if there is none.
pub(crate) fn short_name(full: &str) -> &str {
    let mut bare = full;
    while let Some(rest) = ["&", "mut ", "dyn "].iter().find_map(|prefix| bare.strip_prefix(prefix)) {
        bare = rest;
    }
    let end = bare.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(bare.len());
    bare[..end].rsplit("::").next().unwrap_or("")
}

/// Why a text is not a handle.
///
/// ```
/// use tenure::Handle;
///
/// let error = "17x3".parse::<Handle<str>>().unwrap_err();
/// assert_eq!(error.to_string(), "a handle reads like `17v3` or `Name(17v3)`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseHandleError {
    /// The text is not `17v3`, `17v3#5`, `nil`, or one of these with a name around it.
    Form,
    /// The layout has no such index, generation or tag.
    Range,
}

impl Display for ParseHandleError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => "a handle reads like `17v3` or `Name(17v3)`",
            Self::Range => "the handle's layout has no such index, generation (they begin at 1) or tag",
        })
    }
}

impl core::error::Error for ParseHandleError {}

impl<K: ?Sized, L: Layout> FromStr for Handle<K, L> {
    type Err = ParseHandleError;

    /// Parses the output of `Display`, with or without the name. The name is ignored.
    ///
    /// ```
    /// use tenure::Handle;
    ///
    /// let handle: Handle<str> = "17v3".parse().unwrap();
    /// assert_eq!("Enemy(17v3)".parse(), Ok(handle));
    /// assert_eq!("nil".parse(), Ok(Handle::<str>::NIL));
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseHandleError> {
        let bare = strip_name(text.trim());
        if bare == "nil" {
            return Ok(Self::NIL);
        }
        let SlotText { index, generation, tag } = read_slot(bare)?;
        Self::from_parts_and_tag(index, generation, tag).ok_or(ParseHandleError::Range)
    }
}

fn strip_name(text: &str) -> &str {
    // The last parenthesis, because a name may contain parentheses, too.
    match text.rsplit_once('(') {
        Some((_name, rest)) => rest.strip_suffix(')').unwrap_or(""),
        None => text,
    }
}

/// Parses digits only: `u32::from_str` would also accept a plus sign.
fn number(text: &str) -> Result<u32, ParseHandleError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseHandleError::Form);
    }
    text.parse().map_err(|_| ParseHandleError::Range)
}
