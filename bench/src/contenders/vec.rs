//! A plain `Vec`: no handles, only indices. A lower bound for the times of a container of values.

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

pub struct Vecs;

impl Family for Vecs {
    const NAME: &'static str = "Vec";
    const ROLE: Role = Role::Limit;
    type Of<T: Value> = Vec<T>;
}

impl<T: Value> Contender<T> for Vec<T> {
    type Handle = usize;

    const REMOVES: bool = false;

    fn new() -> Self {
        Vec::new()
    }
    fn with_capacity(count: usize) -> Self {
        Vec::with_capacity(count)
    }
    fn len(&self) -> usize {
        self.len()
    }
    #[inline]
    fn insert(&mut self, value: T) -> usize {
        self.push(value);
        self.len() - 1
    }
    #[inline]
    fn get(&mut self, handle: usize) -> Option<&T> {
        self.as_slice().get(handle)
    }
    #[inline]
    fn at(&mut self, handle: usize) -> &T {
        &self[handle]
    }
    /// Never called: see `REMOVES`.
    fn remove(&mut self, _: usize) -> Option<T> {
        None
    }
    #[inline]
    fn values<'a>(&'a mut self) -> impl Iterator<Item = &'a T>
    where
        T: 'a,
    {
        self.as_slice().iter()
    }
    #[inline]
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
    where
        T: 'a,
    {
        self.as_mut_slice().iter_mut()
    }
    #[inline]
    fn iter<'a>(&'a mut self) -> impl Iterator<Item = (usize, &'a T)>
    where
        T: 'a,
    {
        self.as_slice().iter().enumerate()
    }
    #[inline]
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool) {
        self.retain_mut(keep);
    }
    #[inline]
    fn clear(&mut self) {
        self.clear();
    }
}
