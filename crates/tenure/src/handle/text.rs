//! Handles as text: `Enemy(17v3)`.

use core::fmt::{self, Debug, Display, Formatter};
use core::str::FromStr;

use alloc::format;
use alloc::string::String;

use super::Handle;
use crate::layout::Layout;

impl<K: ?Sized, L: Layout> Debug for Handle<K, L> {
    /// `Enemy(17v3)`: what it is about, the index, and the generation.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<K: ?Sized, L: Layout> Display for Handle<K, L> {
    /// `Enemy(17v3)`, with `#5` behind it when the pool has the tag 5; nil is `Enemy(nil)`. A type without a name of
    /// its own, as a tuple, shows none: `17v3`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = match (self.is_nil(), self.tag()) {
            (true, _) => String::from("nil"),
            (_, 0) => format!("{}v{}", self.index(), self.generation()),
            (_, tag) => format!("{}v{}#{tag}", self.index(), self.generation()),
        };
        match short_name(core::any::type_name::<K>()) {
            "" => f.pad(&place),
            name => f.pad(&format!("{name}({place})")),
        }
    }
}

/// The last path segment of a type's name, with its generics cut off; empty if there is none.
fn short_name(full: &str) -> &str {
    let bare = full.trim_start_matches("&mut ").trim_start_matches('&').trim_start_matches("dyn ");
    let end = bare.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(bare.len());
    bare[..end].rsplit("::").next().unwrap_or("")
}

/// Why a text is no handle.
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
    /// It does not look like `17v3`, `17v3#5`, `nil`, or one of these with a name around it.
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

    /// Reads what `Display` writes, with or without the name. The name itself is not looked at.
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
        let (place, tag) = bare.split_once('#').unwrap_or((bare, "0"));
        let (index, generation) = place.split_once('v').ok_or(ParseHandleError::Form)?;
        Self::from_parts_and_tag(number(index)?, number(generation)?, number(tag)?).ok_or(ParseHandleError::Range)
    }
}

fn strip_name(text: &str) -> &str {
    // The last one: a name may have parentheses of its own.
    match text.rsplit_once('(') {
        Some((_name, rest)) => rest.strip_suffix(')').unwrap_or(""),
        None => text,
    }
}

/// Digits only: `u32::from_str` would also take a plus sign.
fn number(text: &str) -> Result<u32, ParseHandleError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseHandleError::Form);
    }
    text.parse().map_err(|_| ParseHandleError::Range)
}
