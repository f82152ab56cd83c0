//! What every container must be able to do to take part.

use crate::value::Value;

/// A container of `T` under test. Cells are written once, against this trait.
///
/// Whoever looks at values has the container alone, also where that is not needed: an ECS lends
/// values without a guard only then.
pub trait Contender<T: Value>: Clone {
    type Handle: Copy;

    /// Whether one value can be removed and every other handle stays good. If not, cells that
    /// remove are skipped.
    const REMOVES: bool = true;

    fn new() -> Self;
    fn with_capacity(count: usize) -> Self;
    fn len(&self) -> usize;
    fn insert(&mut self, value: T) -> Self::Handle;
    fn get(&mut self, handle: Self::Handle) -> Option<&T>;
    /// Panics if there is no such value.
    fn at(&mut self, handle: Self::Handle) -> &T;
    fn remove(&mut self, handle: Self::Handle) -> Option<T>;
    /// Removes a value and drops it, in the way that the container has for that.
    #[inline]
    fn discard(&mut self, handle: Self::Handle) {
        drop(self.remove(handle));
    }
    fn values<'a>(&'a mut self) -> impl Iterator<Item = &'a T>
    where
        T: 'a;
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
    where
        T: 'a;
    fn iter<'a>(&'a mut self) -> impl Iterator<Item = (Self::Handle, &'a T)>
    where
        T: 'a;
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);
    fn clear(&mut self);
}

/// A container type before its value type is chosen; named in the plural: `Pools` are all
/// `Pool<T>`.
pub trait Family {
    const NAME: &'static str;
    const ROLE: Role;
    type Of<T: Value>: Contender<T>;
}

/// What a contender's figures are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one that every ratio is about.
    Subject,
    /// How fast it could be if nothing had a name.
    Limit,
    /// Offers the same service: the best of these is what the subject is measured against.
    Rival,
    /// Shown, but another kind of container: not in the verdict.
    Shown,
}
