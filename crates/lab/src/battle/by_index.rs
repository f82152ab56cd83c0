//! Names are indices: they resolve to the current creature of the slot.
//!
//! This is written with care, as a good programmer would without handles: a vacant slot is `None`,
//! and no slot is freed twice. It cannot know whether the creature is still the one that was meant.

use std::fmt::{self, Display};

use super::creature::Creature;
use super::roster::Roster;

/// Slots, and a list of those that are free.
#[derive(Default)]
pub(crate) struct ByIndex {
    slots: Vec<Option<Creature>>,
    free: Vec<Index>,
}

/// The number of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Index(usize);

impl Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Roster for ByIndex {
    type Name = Index;

    fn insert(&mut self, creature: Creature) -> Index {
        if let Some(index) = self.free.pop() {
            self.slots[index.0] = Some(creature);
            return index;
        }
        self.slots.push(Some(creature));
        Index(self.slots.len() - 1)
    }

    fn remove(&mut self, name: Index) -> Option<Creature> {
        let creature = self.slots[name.0].take()?;
        self.free.push(name);
        Some(creature)
    }

    fn find(&self, name: Index) -> Option<&Creature> {
        self.slots[name.0].as_ref()
    }

    fn find_mut(&mut self, name: Index) -> Option<&mut Creature> {
        self.slots[name.0].as_mut()
    }

    fn each(&mut self, visit: impl FnMut(&mut Creature)) {
        self.slots.iter_mut().flatten().for_each(visit);
    }
}
