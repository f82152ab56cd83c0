#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
// slotmap has no `#[must_use]`, and programs that deny warnings compile against it: a statement
// such as `entry.and_modify(f);` must stay silent. `iterators_and_entries_as_statements` in
// `tests/calls.rs` has such statements.
#![allow(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "slotmap has no `#[must_use]`")]
#![deny(unnameable_types)]

extern crate alloc;

pub mod basic;
pub mod dense;
pub mod hop;
mod iterators;
mod key;
#[cfg(feature = "serde")]
mod saved;
pub mod secondary;
#[cfg(feature = "std")]
pub mod sparse_secondary;

#[doc(inline)]
pub use crate::basic::SlotMap;
#[doc(inline)]
pub use crate::dense::DenseSlotMap;
#[doc(inline)]
#[expect(deprecated, reason = "it is in the API")]
pub use crate::hop::HopSlotMap;
pub use crate::key::{DefaultKey, Key, KeyData};
#[doc(inline)]
pub use crate::secondary::SecondaryMap;
#[cfg(feature = "std")]
#[doc(inline)]
pub use crate::sparse_secondary::SparseSecondaryMap;

/// A marker that slotmap has had since before its version 1. Every type has it.
#[doc(hidden)]
#[deprecated(since = "0.1.0", note = "every type has it")]
pub trait Slottable {}

#[doc(hidden)]
#[expect(deprecated, reason = "it is in the API")]
impl<T> Slottable for T {}

/// What the macros name, whatever these names mean where a macro is used. Hidden in slotmap, too;
/// programs that write a key type by hand use the module under this name.
#[doc(hidden)]
pub mod __impl {
    pub use core::{convert::From, result::Result};
    #[cfg(feature = "serde")]
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};
}
