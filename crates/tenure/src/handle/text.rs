//! Handles as text: `Enemy(17v3)`.

use core::fmt::{self, Debug, Display, Formatter};
use core::str::FromStr;

use super::Handle;
use crate::layout::Layout;

impl<K: ?Sized, L: Layout> Debug for Handle<K, L> {
    /// `Enemy(17v3)`: what it is about, the index, and the generation.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl<K: ?Sized, L: Layout> Display for Handle<K, L> {
    /// `Enemy(17v3)`, with `#5` behind it when the pool has the tag 5; nil is `Enemy(nil)`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = short_name::<K>();
        match (self.is_nil(), self.tag()) {
            (true, _) => write!(f, "{name}(nil)"),
            (_, 0) => write!(f, "{name}({}v{})", self.index(), self.generation()),
            (_, tag) => write!(f, "{name}({}v{}#{tag})", self.index(), self.generation()),
        }
    }
}

/// The last path segment of a type's name, with its generics cut off.
fn short_name<K: ?Sized>() -> &'static str {
    let full = core::any::type_name::<K>();
    let bare = full.split('<').next().unwrap_or(full);
    let last = bare.rsplit("::").next().unwrap_or(bare);
    last.trim_start_matches(['&', '[', '(', '*']).trim_end_matches([']', ')', ','])
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
            Self::Range => "the handle's layout has no room for this index, generation or tag",
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
