//! slotmap's name for [`tenure_slotmap`].
#![no_std]

pub use tenure_slotmap::*;
