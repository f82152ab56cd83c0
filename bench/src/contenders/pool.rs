//! Tenure's `Pool`: the subject of every ratio.

use tenure::{Handle, Pool};

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

pub struct Pools;

impl Family for Pools {
    const NAME: &'static str = "Pool";
    const ROLE: Role = Role::Subject;
    type Of<T: Value> = Pool<T>;
}

impl<T: Value> Contender<T> for Pool<T> {
    type Handle = Handle<T>;

    fn new() -> Self {
        Pool::new()
    }
    fn with_capacity(count: usize) -> Self {
        Pool::with_capacity(count)
    }
    fn len(&self) -> usize {
        self.len()
    }
    #[inline]
    fn insert(&mut self, value: T) -> Handle<T> {
        self.insert(value)
    }
    #[inline]
    fn get(&self, handle: Handle<T>) -> Option<&T> {
        self.get(handle)
    }
    #[inline]
    fn remove(&mut self, handle: Handle<T>) -> Option<T> {
        self.remove(handle)
    }
    #[inline]
    fn values<'a>(&'a self) -> impl Iterator<Item = &'a T>
    where
        T: 'a,
    {
        self.values()
    }
    #[inline]
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
    where
        T: 'a,
    {
        self.values_mut()
    }
    #[inline]
    fn iter<'a>(&'a self) -> impl Iterator<Item = (Handle<T>, &'a T)>
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
