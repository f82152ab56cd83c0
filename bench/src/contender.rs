//! The interface that the benchmark needs of every container.

use crate::value::Value;

/// A container of `T` in the comparison. The work of a cell is written once, against this trait.
///
/// Methods that read values take `&mut self` also where `&self` would do: an ECS returns plain
/// references, without a guard, only from `&mut self`.
pub trait Contender<T: Value>: Clone {
    type Handle: Copy;

    /// Whether a value can be removed while all other handles stay valid. If not, operations that
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

/// A container type without its value type. Named in the plural: `Pools` stands for all `Pool<T>`.
pub trait Family {
    const NAME: &'static str;
    const ROLE: Role;
    type Of<T: Value>: Contender<T>;
}

/// The role of a contender in the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The container that all ratios compare with the others.
    Subject,
    /// A lower bound: a container without handles.
    Limit,
    /// Has the same guarantees. The subject is compared with the best rival.
    Rival,
    /// Another kind of container: shown, but not part of the comparison.
    Shown,
}
