//! Saving and loading, in formats of three kinds.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A format for saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Human-readable, and the most common one.
    Json,
    /// Human-readable, with types that JSON does not have.
    Ron,
    /// Binary.
    Postcard,
}

impl Format {
    /// One format of each kind.
    pub const ALL: [Self; 3] = [Self::Json, Self::Ron, Self::Postcard];
}

/// Saves and loads a value.
///
/// # Errors
///
/// The error of the format.
pub fn reload<C: Serialize + DeserializeOwned>(container: &C, format: Format) -> Result<C, String> {
    match format {
        Format::Json => from_json(&to_json(container)?),
        Format::Ron => {
            let text = ron::to_string(container).map_err(|error| error.to_string())?;
            ron::from_str(&text).map_err(|error| format!("{error} in {text}"))
        }
        Format::Postcard => {
            let bytes = postcard::to_allocvec(container).map_err(|error| error.to_string())?;
            postcard::from_bytes(&bytes).map_err(|error| format!("{error} in {bytes:?}"))
        }
    }
}

/// As JSON.
///
/// # Errors
///
/// The error of the format.
pub fn to_json<C: Serialize>(container: &C) -> Result<String, String> {
    serde_json::to_string(container).map_err(|error| error.to_string())
}

/// From JSON.
///
/// # Errors
///
/// The error of the format, and the document.
pub fn from_json<C: DeserializeOwned>(text: &str) -> Result<C, String> {
    serde_json::from_str(text).map_err(|error| format!("{error} in {text}"))
}
