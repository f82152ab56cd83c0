//! The only difference between the battles: how creatures are referred to.

use std::fmt::Display;

use tenure::HandleError;

use super::creature::Creature;

/// A collection of creatures that gives each of them a name.
pub(crate) trait Roster: Default {
    /// A key by which others find a creature again.
    type Name: Copy + Display;

    /// Inserts a creature and returns its name.
    fn insert(&mut self, creature: Creature) -> Self::Name;

    /// Removes the creature of that name, if there is one.
    fn remove(&mut self, name: Self::Name) -> Option<Creature>;

    /// The creature that the name resolves to, right or wrong.
    fn find(&self, name: Self::Name) -> Option<&Creature>;

    /// Like [`find`](Self::find), mutably.
    fn find_mut(&mut self, name: Self::Name) -> Option<&mut Creature>;

    /// Visits all creatures, in any order.
    fn each(&mut self, visit: impl FnMut(&mut Creature));

    /// Why a name does not resolve. Most kinds of names cannot report it.
    fn why(&self, _name: Self::Name) -> Option<HandleError> {
        None
    }
}
