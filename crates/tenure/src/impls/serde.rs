//! Saving and loading. What the forms look like is told in [`saved_form`](crate::docs::saved_form).
//!
//! Forms have two faces. Formats that people read get names (`"17v3"`) and leave out what is as
//! usual; the others get numbers, and every field. Nothing in here believes what it reads: slots go
//! through [`Building`](crate::slots::Building), which refuses what the API could not have built.

mod entry;
mod form;
mod handle;
mod pool;
#[cfg(feature = "alloc")]
mod table;
#[cfg(feature = "alloc")]
mod world;
