//! Names are numbers that are never reused: the reference.
//!
//! By construction no creature can be mistaken for another here. It shares no code with the pool,
//! so it cannot have the same bugs.

use std::collections::HashMap;

use super::creature::Creature;
use super::roster::Roster;

/// A map from numbers to creatures.
#[derive(Default)]
pub(crate) struct BySerial {
    creatures: HashMap<u64, Creature>,
    issued: u64,
}

impl Roster for BySerial {
    type Name = u64;

    fn insert(&mut self, creature: Creature) -> u64 {
        self.issued += 1;
        self.creatures.insert(self.issued, creature);
        self.issued
    }

    fn remove(&mut self, name: u64) -> Option<Creature> {
        self.creatures.remove(&name)
    }

    fn find(&self, name: u64) -> Option<&Creature> {
        self.creatures.get(&name)
    }

    fn find_mut(&mut self, name: u64) -> Option<&mut Creature> {
        self.creatures.get_mut(&name)
    }

    fn each(&mut self, visit: impl FnMut(&mut Creature)) {
        self.creatures.values_mut().for_each(visit);
    }
}
