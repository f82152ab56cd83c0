//! Visiting all live slots from both ends while they are removed.

use super::buffer::Buffer;
use super::{SlotRef, Slots};
use crate::layout::Layout;

/// How far two ends have come on their way through the slots: what is outside has been visited.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    front: u32,
    back: u32,
}

impl Ends {
    /// The next live slot from the front.
    #[inline]
    pub(crate) fn next<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.occupancy.next_live(slots.buffer.bits(), self.front).filter(|&index| index < self.back)?;
        self.front = index + 1;
        Some(index)
    }

    /// The next live slot from the back.
    #[inline]
    pub(crate) fn next_back<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.last_live(self.back).filter(|&index| index >= self.front)?;
        self.back = index;
        Some(index)
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// To visit all live slots from both ends while they are removed.
    pub(crate) fn ends(&self) -> Ends {
        Ends { front: 0, back: self.slot_count() }
    }

    /// Removes a live slot's value, for an owner that does not use the slots again: nothing is
    /// listed.
    #[allow(unsafe_code, reason = "moves a value out of a live slot")]
    pub(crate) fn remove_for_good(&mut self, index: u32) -> Option<(SlotRef, P)> {
        let slot = SlotRef { index, mark: self.live_mark(index)? };
        // SAFETY: S1, the slot holds a value; it is pending from now on, with an even mark.
        let value = unsafe { self.read_out(index) };
        self.write_vacant(index, slot.mark - 1, super::Vacancy::Pending);
        self.hold_live(index);
        Some((slot, value))
    }
}
