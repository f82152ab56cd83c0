//! Slots as a heat map: the lab's additions to [`tenure_inspect::heat`].
//!
//! [`probe`] reads the states of a pool's slots, and [`terminal`] is a widget.

pub(crate) mod probe;
pub(crate) mod terminal;

pub(crate) use tenure_inspect::heat::{Levels, SlotState, gather, look, svg};
