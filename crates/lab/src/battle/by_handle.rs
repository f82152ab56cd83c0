//! Names are handles: they resolve to their own creature or to none.

use tenure::{Handle, HandleError, Pool, Stats};

use super::creature::Creature;
use super::roster::Roster;

/// A pool of creatures.
#[derive(Default)]
pub(crate) struct ByHandle(Pool<Creature>);

impl ByHandle {
    /// The statistics of the pool.
    pub(crate) fn stats(&self) -> Stats {
        self.0.stats()
    }

    /// The pool itself.
    pub(crate) fn pool(&self) -> &Pool<Creature> {
        &self.0
    }

    /// The pool itself, to try invalid handles. The creatures in it must not change.
    pub(crate) fn pool_mut(&mut self) -> &mut Pool<Creature> {
        &mut self.0
    }

    #[cfg(test)]
    pub(crate) fn validate(&self) -> Result<(), tenure::Fault> {
        self.0.validate()
    }
}

impl Roster for ByHandle {
    type Name = Handle<Creature>;

    fn insert(&mut self, creature: Creature) -> Self::Name {
        self.0.insert(creature)
    }

    fn remove(&mut self, name: Self::Name) -> Option<Creature> {
        self.0.remove(name)
    }

    fn find(&self, name: Self::Name) -> Option<&Creature> {
        self.0.get(name)
    }

    fn find_mut(&mut self, name: Self::Name) -> Option<&mut Creature> {
        self.0.get_mut(name)
    }

    fn each(&mut self, visit: impl FnMut(&mut Creature)) {
        self.0.values_mut().for_each(visit);
    }

    fn why(&self, name: Self::Name) -> Option<HandleError> {
        self.0.try_get(name).err()
    }
}
