//! generational-arena: the first of its kind, unmaintained and still much used.

use generational_arena::{Arena, Index};

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

pub struct Arenas;

impl Family for Arenas {
    const NAME: &'static str = "generational-arena";
    const ROLE: Role = Role::Rival;
    type Of<T: Value> = Arena<T>;
}

impl<T: Value> Contender<T> for Arena<T> {
    type Handle = Index;

    fn new() -> Self {
        Arena::new()
    }
    fn with_capacity(count: usize) -> Self {
        Arena::with_capacity(count)
    }
    fn len(&self) -> usize {
        self.len()
    }
    #[inline]
    fn insert(&mut self, value: T) -> Index {
        self.insert(value)
    }
    #[inline]
    fn get(&self, handle: Index) -> Option<&T> {
        self.get(handle)
    }
    #[inline]
    fn remove(&mut self, handle: Index) -> Option<T> {
        self.remove(handle)
    }
    #[inline]
    fn values<'a>(&'a self) -> impl Iterator<Item = &'a T>
    where
        T: 'a,
    {
        self.iter().map(|(_, value)| value)
    }
    #[inline]
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
    where
        T: 'a,
    {
        self.iter_mut().map(|(_, value)| value)
    }
    #[inline]
    fn iter<'a>(&'a self) -> impl Iterator<Item = (Index, &'a T)>
    where
        T: 'a,
    {
        self.iter()
    }
    #[inline]
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.retain(|_, value| keep(value));
    }
    #[inline]
    fn clear(&mut self) {
        self.clear();
    }
}
