//! Slots as a heat map: what the pages and the terminal of the lab add to [`tenure_inspect::heat`].
//!
//! [`probe`] asks a pool for the states of its slots, and [`terminal`] is a widget.

pub(crate) mod probe;
pub(crate) mod terminal;

pub(crate) use tenure_inspect::heat::{Levels, SlotState, gather, look, svg};
