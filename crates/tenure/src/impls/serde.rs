//! Saving and loading. The forms are described in [`saved_form`](crate::docs::saved_form).
//!
//! There are two forms. Human-readable formats get text (`"17v3"`) and omit fields with default
//! values; the others get numbers, and every field. No document is trusted: slots go through
//! [`Building`](crate::slots::Building), which rejects everything that the API could not have
//! built.

mod entry;
mod form;
mod handle;
mod pool;
#[cfg(feature = "alloc")]
mod side_map;
#[cfg(feature = "alloc")]
mod table;
#[cfg(feature = "alloc")]
mod world;
