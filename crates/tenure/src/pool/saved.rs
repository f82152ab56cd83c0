//! What is saved of a pool.

use super::Pool;
use crate::key::Key;
#[cfg(feature = "serde")]
use crate::slots::Tenancy;
use crate::slots::{Buffer, Preamble};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// What is to be saved besides the slots.
    pub(crate) fn preamble(&self) -> Preamble {
        self.slots.preamble()
    }

    /// What is to be saved of a slot that exists.
    #[cfg(feature = "serde")]
    pub(crate) fn tenancy(&self, slot: u32) -> Tenancy {
        self.slots.tenancy(slot)
    }
}
