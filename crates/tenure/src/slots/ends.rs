//! Visiting all live slots from both ends while they are being removed.

use super::buffer::Buffer;
use super::{SlotRef, Slots};
use crate::layout::Layout;

/// The positions of a double-ended iteration. Slots below `front` and from `back` on have been
/// visited.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    front: u32,
    back: u32,
}

impl Ends {
    /// Returns the next live slot from the front.
    #[inline]
    pub(crate) fn next<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.occupancy.next_live(slots.buffer.bits(), self.front).filter(|&index| index < self.back)?;
        self.front = index + 1;
        Some(index)
    }

    /// Returns the next live slot from the back.
    #[inline]
    pub(crate) fn next_back<P, L: Layout, B: Buffer<P>>(&mut self, slots: &Slots<P, L, B>) -> Option<u32> {
        let index = slots.last_live(self.back).filter(|&index| index >= self.front)?;
        self.back = index;
        Some(index)
    }
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Returns the ends of an iteration over all live slots that may remove them.
    pub(crate) fn ends(&self) -> Ends {
        Ends { front: 0, back: self.slot_count() }
    }

    /// Removes the value of a live slot without listing the slot as free, for an owner that does
    /// not use the slots again.
    #[allow(unsafe_code, reason = "moves a value out of a live slot")]
    pub(crate) fn remove_for_good(&mut self, index: u32) -> Option<(SlotRef, P)> {
        let slot = SlotRef { index, mark: self.live_mark(index)? };
        // SAFETY: the slot must hold a value, which must not be read out again: its mark is odd, so
        // S1 holds. The next lines make the slot pending, with an even mark.
        let value = unsafe { self.read_out(index) };
        self.write_vacant(index, slot.mark - 1, super::Vacancy::Pending);
        self.hold_live(index);
        Some((slot, value))
    }
}
