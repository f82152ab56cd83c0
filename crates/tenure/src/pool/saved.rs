//! What is saved of a pool.

use super::Pool;
use crate::layout::Layout;
use crate::slots::{Buffer, Preamble, Tenancy};

impl<T, K: ?Sized, L: Layout, B: Buffer<T>> Pool<T, K, L, B> {
    /// What is to be saved besides the slots.
    pub(crate) fn preamble(&self) -> Preamble {
        self.slots.preamble()
    }

    /// What is to be saved of a slot that exists.
    pub(crate) fn tenancy(&self, slot: u32) -> Tenancy {
        self.slots.tenancy(slot)
    }
}
