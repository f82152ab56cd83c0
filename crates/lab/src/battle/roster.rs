//! The one thing that differs between the battles: how creatures are named.

use std::fmt::Display;

use tenure::HandleError;

use super::creature::Creature;

/// A collection of creatures that gives each of them a name.
pub(crate) trait Roster: Default {
    /// What others note down to find a creature again.
    type Name: Copy + Display;

    /// Takes a creature in and names it.
    fn admit(&mut self, creature: Creature) -> Self::Name;

    /// Lets the creature of that name go, if there is one.
    fn dismiss(&mut self, name: Self::Name) -> Option<Creature>;

    /// The creature of that name, as far as the roster can tell.
    fn find(&self, name: Self::Name) -> Option<&Creature>;

    /// As [`find`](Self::find), to change it.
    fn find_mut(&mut self, name: Self::Name) -> Option<&mut Creature>;

    /// Visits all creatures, in any order.
    fn each(&mut self, visit: impl FnMut(&mut Creature));

    /// Why a name leads to nobody. Most ways of naming cannot say.
    fn why(&self, _name: Self::Name) -> Option<HandleError> {
        None
    }
}
