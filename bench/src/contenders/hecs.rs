//! hecs: an entity-component-system, here a world in which every entity has one component, the
//! value.

use std::marker::PhantomData;

use hecs::{ColumnBatchType, Entity, World};

use crate::contender::{Contender, Family, Role};
use crate::value::Value;

pub struct Worlds;

impl Family for Worlds {
    const NAME: &'static str = "hecs";
    const ROLE: Role = Role::Rival;
    type Of<T: Value> = Single<T>;
}

pub struct Single<T> {
    world: World,
    component: PhantomData<T>,
}

impl<T: Value> Contender<T> for Single<T> {
    type Handle = Entity;

    fn new() -> Self {
        Single { world: World::new(), component: PhantomData }
    }
    fn with_capacity(count: usize) -> Self {
        let mut single = Self::new();
        single.world.reserve::<(T,)>(count as u32);
        single
    }
    fn len(&self) -> usize {
        self.world.len() as usize
    }
    #[inline]
    fn insert(&mut self, value: T) -> Entity {
        self.world.spawn((value,))
    }
    #[inline]
    fn get(&mut self, handle: Entity) -> Option<&T> {
        self.world.query_one_mut::<&T>(handle).ok()
    }
    #[inline]
    fn at(&mut self, handle: Entity) -> &T {
        self.get(handle).expect("a live entity")
    }
    /// Copies the value and despawns the entity: faster than removing the component first.
    #[inline]
    fn remove(&mut self, handle: Entity) -> Option<T> {
        let value = self.get(handle)?.clone();
        self.world.despawn(handle).ok()?;
        Some(value)
    }
    #[inline]
    fn values<'a>(&'a mut self) -> impl Iterator<Item = &'a T>
    where
        T: 'a,
    {
        self.world.query_mut::<&T>().into_iter()
    }
    #[inline]
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
    where
        T: 'a,
    {
        self.world.query_mut::<&mut T>().into_iter()
    }
    #[inline]
    fn iter<'a>(&'a mut self) -> impl Iterator<Item = (Entity, &'a T)>
    where
        T: 'a,
    {
        self.world.query_mut::<(Entity, &T)>().into_iter()
    }
    /// hecs has no such method: collects the entities to despawn, and despawns them afterwards.
    fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        let all = self.world.query_mut::<(Entity, &mut T)>().into_iter();
        let dead: Vec<Entity> = all.filter_map(|(entity, value)| (!keep(value)).then_some(entity)).collect();
        for entity in dead {
            let _ = self.world.despawn(entity);
        }
    }
    fn clear(&mut self) {
        self.world.clear();
    }
}

/// hecs has no such method: spawns all entities in one batch, with the same handles.
impl<T: Value> Clone for Single<T> {
    fn clone(&self) -> Self {
        let mut kind = ColumnBatchType::new();
        kind.add::<T>();
        let batch = kind.into_batch(self.world.len());
        let mut entities = Vec::with_capacity(self.len());
        let mut values = batch.writer::<T>().expect("the batch has this column");
        for (entity, value) in &mut self.world.query::<(Entity, &T)>() {
            entities.push(entity);
            assert!(values.push(value.clone()).is_ok(), "the batch has room");
        }
        drop(values);
        let batch = batch.build().expect("the column is full");
        let mut copy = Self::new();
        copy.world.spawn_column_batch_at(&entities, batch);
        copy
    }
}
