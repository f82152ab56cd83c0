//! Releasing memory.

use super::{Model, State, Tenancy};
use crate::name::Shape;

impl Model {
    /// Truncates free slots at the end until there are `count` slots, but only slots that a new one
    /// would not differ from.
    pub(super) fn trim(&mut self, count: usize) {
        let unused = Tenancy { newest: self.floor, state: State::Free };
        while self.slots.len() > count && self.slots.last() == Some(&unused) {
            self.slots.pop();
        }
    }

    /// Applies `shrink_to_fit`, after which there are `count` slots. Only free slots may be
    /// truncated, and slots that are added later must continue with higher generations.
    pub(super) fn shrink_to(&mut self, count: usize) -> Result<(), String> {
        while self.slots.len() > count {
            match self.slots.pop() {
                Some(slot) if slot.state == State::Free => self.floor = self.floor.max(slot.newest),
                slot => return Err(format!("shrink_to_fit truncated {slot:?}")),
            }
        }
        match self.slots.last() {
            Some(last) if self.supports.cuts_tail && last.may_be_forgotten(&self.shape) => {
                Err(format!("shrink_to_fit left {last:?} at the end"))
            }
            _ if self.slots.len() < count => Err(format!("shrink_to_fit added slots: {count}")),
            _ => Ok(()),
        }
    }
}

impl Tenancy {
    /// Returns `true` if the slot is free and has enough generations left to continue from another
    /// slot's.
    fn may_be_forgotten(&self, shape: &Shape) -> bool {
        let used_up = u64::from(self.newest) * 4 > (1 << shape.generation_bits) - 2;
        self.state == State::Free && !used_up
    }
}
