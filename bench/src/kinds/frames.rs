//! Frames in which all entities are changed and some are spawned: `StablePool::split` against a
//! list of entities to insert later.

use std::hint::black_box;

use slotmap::{DefaultKey, SlotMap};
use tenure::{Handle, Pool, StablePool};

use crate::cells::count_label;
use crate::clock::{repeated, undone};
use crate::contender::Contender;
use crate::plan::Plan;
use crate::race::{Race, Way, grid};
use crate::report::sheet::{Bound, Finding, Sheet};
use crate::value::{Bytes64, Value};

type Entity = Bytes64;

/// In every frame, one in this many entities spawns a child.
const ONE_IN: usize = 8;
const FRAMES: usize = 100;
const LONG: usize = 1_000;

/// A container of entities, and how to run a frame with it. Each keeps a list of all handles, to
/// choose the entities to remove.
trait World {
    fn new(count: usize) -> Self;
    /// Changes all entities, spawns children, and removes the entities at these indices of the
    /// list.
    fn frame(&mut self, dying: &[u32]);
}

/// Worlds that can run a frame without removals.
trait Spawns: World {
    /// Changes all entities, and spawns children.
    fn spawns(&mut self);
    /// Removes these children.
    fn undo(&mut self);
}

/// Children are spawned while the entities are changed.
struct Split {
    pool: StablePool<Entity>,
    all: Vec<Handle<Entity>>,
    spawned: Vec<Handle<Entity>>,
}

impl World for Split {
    fn new(count: usize) -> Self {
        let pool = StablePool::with_capacity(count);
        let all = (0..count).map(|i| pool.insert(Entity::new(i))).collect();
        Split { pool, all, spawned: Vec::new() }
    }

    #[inline(never)]
    fn frame(&mut self, dying: &[u32]) {
        let (mut live, spawner) = self.pool.split();
        for (nth, entity) in live.values_mut().enumerate() {
            entity.bump();
            if nth % ONE_IN == 0 {
                self.spawned.push(spawner.spawn(child(entity)));
            }
        }
        for (&place, spawned) in dying.iter().zip(self.spawned.drain(..)) {
            let handle = &mut self.all[place as usize];
            black_box(live.remove(*handle));
            *handle = spawned;
        }
    }
}

impl Spawns for Split {
    #[inline(never)]
    fn spawns(&mut self) {
        let (mut live, spawner) = self.pool.split();
        for (nth, entity) in live.values_mut().enumerate() {
            entity.bump();
            if nth % ONE_IN == 0 {
                self.spawned.push(spawner.spawn(child(entity)));
            }
        }
    }

    fn undo(&mut self) {
        for spawned in self.spawned.drain(..) {
            self.pool.remove(spawned);
        }
    }
}

/// Children are collected in a list, and inserted after all entities have been changed.
struct List<C: Contender<Entity>> {
    container: C,
    all: Vec<C::Handle>,
    later: Vec<Entity>,
    spawned: Vec<C::Handle>,
}

impl<C: Contender<Entity>> List<C> {
    fn new(count: usize) -> Self {
        let mut container = C::with_capacity(count);
        let all = (0..count).map(|i| container.insert(Entity::new(i))).collect();
        List { container, all, later: Vec::new(), spawned: Vec::new() }
    }

    #[inline(always)]
    fn change_all(&mut self) {
        for (nth, entity) in self.container.values_mut().enumerate() {
            entity.bump();
            if nth % ONE_IN == 0 {
                self.later.push(child(entity));
            }
        }
    }

    #[inline(always)]
    fn insert_children(&mut self) {
        self.spawned.extend(self.later.drain(..).map(|entity| self.container.insert(entity)));
    }
}

/// Spawns before removals, as in a split: no child reuses the slot of an entity that is removed in
/// the same frame.
struct SpawnsFirst<C: Contender<Entity>>(List<C>);

impl<C: Contender<Entity>> World for SpawnsFirst<C> {
    fn new(count: usize) -> Self {
        Self(List::new(count))
    }

    #[inline(never)]
    fn frame(&mut self, dying: &[u32]) {
        let list = &mut self.0;
        list.change_all();
        list.insert_children();
        for (&place, spawned) in dying.iter().zip(list.spawned.drain(..)) {
            let handle = &mut list.all[place as usize];
            black_box(list.container.remove(*handle));
            *handle = spawned;
        }
    }
}

impl<C: Contender<Entity>> Spawns for SpawnsFirst<C> {
    #[inline(never)]
    fn spawns(&mut self) {
        self.0.change_all();
        self.0.insert_children();
    }

    fn undo(&mut self) {
        for spawned in self.0.spawned.drain(..) {
            self.0.container.remove(spawned);
        }
    }
}

/// Removals before spawns: the children reuse warm slots, and there are no holes.
struct RemovalsFirst<C: Contender<Entity>>(List<C>);

impl<C: Contender<Entity>> World for RemovalsFirst<C> {
    fn new(count: usize) -> Self {
        Self(List::new(count))
    }

    #[inline(never)]
    fn frame(&mut self, dying: &[u32]) {
        let list = &mut self.0;
        list.change_all();
        for &place in dying {
            black_box(list.container.remove(list.all[place as usize]));
        }
        for (&place, entity) in dying.iter().zip(list.later.drain(..)) {
            list.all[place as usize] = list.container.insert(entity);
        }
    }
}

#[inline]
fn child(parent: &Entity) -> Entity {
    Entity::new(parent.key() as usize)
}

/// Returns random indices to remove in each frame: as many as are spawned. After [`ONE_IN`] frames
/// all entities have been replaced.
fn removals(plan: &Plan) -> impl Iterator<Item = &[u32]> {
    plan.shuffle.chunks_exact(plan.count / ONE_IN).cycle()
}

fn frames<W: World>(plan: &Plan) -> f64 {
    let mut world = W::new(plan.count);
    let mut removals = removals(plan);
    repeated(plan.count * FRAMES, || {
        removals.by_ref().take(FRAMES).for_each(|dying| world.frame(dying));
    })
}

/// Times changes and spawns only. The first frame, which allocates, is not timed.
fn spawns<W: Spawns>(plan: &Plan) -> f64 {
    let mut world = W::new(plan.count);
    undone(plan.count, &mut world, W::spawns, W::undo)
}

/// Returns the number of slots per live entity after [`LONG`] frames.
fn slots_per_live(plan: &Plan) -> f64 {
    let mut world = Split::new(plan.count);
    removals(plan).take(LONG).for_each(|dying| world.frame(dying));
    let stats = world.pool.stats();
    (stats.live + stats.free + stats.pending + stats.retired) as f64 / plan.count as f64
}

/// The first way is compared with those of `SlotMap`.
const SPAWNS: [Way; 3] = [
    ("StablePool, split", spawns::<Split>),
    ("SlotMap, list", spawns::<SpawnsFirst<SlotMap<DefaultKey, Entity>>>),
    ("Pool, list", spawns::<SpawnsFirst<Pool<Entity>>>),
];
const WORLDS: [Way; 4] = [
    ("StablePool, split", frames::<Split>),
    ("SlotMap, spawns first", frames::<SpawnsFirst<SlotMap<DefaultKey, Entity>>>),
    ("SlotMap, removals first", frames::<RemovalsFirst<SlotMap<DefaultKey, Entity>>>),
    ("Pool, spawns first", frames::<SpawnsFirst<Pool<Entity>>>),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let counts: &[usize] = if quick { &[8_000] } else { &[10_000, 100_000] };
    let mut sheet = Sheet {
        title: "Change all entities, and spawn one per eight",
        about: format!(
            "In every frame all entities of 64 bytes are changed, and every {ONE_IN}th spawns a child. \
             StablePool::split spawns the children in the loop; the others collect them in a list and insert them \
             afterwards. In the first table the children are removed between the frames, which is not timed. In the second, \
             the same number of random entities is removed in the same frame. Medians of {rounds} interleaved rounds; \
             nanoseconds per entity and frame. Ratio: StablePool over SlotMap."
        ),
        ..Sheet::default()
    };
    for (title, ways) in [("spawns", &SPAWNS[..]), ("spawns and removals", &WORLDS)] {
        let races = Race::run_all(ways, counts, rounds);
        for race in &races {
            for (rival, _) in ways.iter().filter(|(name, _)| name.starts_with("SlotMap")) {
                let what = format!("{title}, {} entities, against {rival}", race.label());
                sheet.findings.push(Finding::new(what, race.ratio(ways[0].0, rival), Bound::AtMost(0.85)));
            }
        }
        sheet.grids.push(grid(title, &races));
    }
    for &count in counts {
        let what = format!("slots per entity after {LONG} frames, {} entities", count_label(count));
        sheet.findings.push(Finding::exact(what, slots_per_live(&Plan::new(count)), Bound::AtMost(2.0)));
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are comparable only for the same work.
    #[test]
    fn the_number_of_entities_stays_the_same() {
        let plan = Plan::new(800);
        let (mut split, mut list) = (Split::new(800), SpawnsFirst::<Pool<Entity>>::new(800));
        let mut other = RemovalsFirst::<Pool<Entity>>::new(800);
        for dying in removals(&plan).take(20) {
            split.frame(dying);
            list.frame(dying);
            other.frame(dying);
            assert_eq!((split.pool.len(), list.0.container.len(), other.0.container.len()), (800, 800, 800));
        }
        assert!(split.all.iter().all(|&handle| split.pool.contains(handle)));
        assert!(list.0.all.iter().all(|&handle| list.0.container.contains(handle)));
        assert!(other.0.all.iter().all(|&handle| other.0.container.contains(handle)));
        assert!(slots_per_live(&plan) < 2.0);
    }

    #[test]
    fn children_are_spawned_and_removed() {
        let (mut split, mut list) = (Split::new(800), SpawnsFirst::<Pool<Entity>>::new(800));
        for _ in 0..3 {
            split.spawns();
            list.spawns();
            assert_eq!((split.pool.len(), list.0.container.len()), (900, 900));
            split.undo();
            list.undo();
            assert_eq!((split.pool.len(), list.0.container.len()), (800, 800));
        }
    }
}
