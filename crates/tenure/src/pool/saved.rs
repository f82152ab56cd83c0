//! The saved form of a pool.

use super::Pool;
use crate::key::Key;
#[cfg(feature = "serde")]
use crate::slots::Tenancy;
use crate::slots::{Buffer, Preamble};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Returns the data that is saved besides the slots.
    pub(crate) fn preamble(&self) -> Preamble {
        self.slots.preamble()
    }

    /// Returns the data that is saved of an existing slot.
    #[cfg(feature = "serde")]
    pub(crate) fn tenancy(&self, slot: u32) -> Tenancy {
        self.slots.tenancy(slot)
    }
}
