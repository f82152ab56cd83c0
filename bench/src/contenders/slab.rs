//! slab: no generations, so a stale key finds whoever lives there now. Shown, not in the verdict.

use slab::Slab;

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

pub struct Slabs;

impl Family for Slabs {
    const NAME: &'static str = "slab";
    const ROLE: Role = Role::Shown;
    type Of<T: Value> = Slab<T>;
}

impl<T: Value> Contender<T> for Slab<T> {
    type Handle = usize;

    fn new() -> Self {
        Slab::new()
    }
    fn with_capacity(count: usize) -> Self {
        Slab::with_capacity(count)
    }
    fn len(&self) -> usize {
        self.len()
    }
    #[inline]
    fn insert(&mut self, value: T) -> usize {
        self.insert(value)
    }
    #[inline]
    fn get(&self, handle: usize) -> Option<&T> {
        self.get(handle)
    }
    #[inline]
    fn remove(&mut self, handle: usize) -> Option<T> {
        self.try_remove(handle)
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
    fn iter<'a>(&'a self) -> impl Iterator<Item = (usize, &'a T)>
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
