//! Frames in which all are changed and some are born: `StablePool::split` against a list of things
//! to do later.

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

/// Every so many-th has a child in every frame.
const ONE_IN: usize = 8;
const FRAMES: usize = 100;
const LONG: usize = 1_000;

/// Entities that live through frames. All keep a list of all handles, to know whom to let die.
trait World {
    fn new(count: usize) -> Self;
    /// Changes all, lets some have children, and lets those at these places of the list die.
    fn frame(&mut self, dying: &[u32]);
}

/// Worlds in which nobody need die in the same frame.
trait Births: World {
    /// Changes all, and lets some have children.
    fn births(&mut self);
    /// Lets these children die.
    fn undo(&mut self);
}

/// Children are born while their parents are changed.
struct Split {
    pool: StablePool<Entity>,
    all: Vec<Handle<Entity>>,
    born: Vec<Handle<Entity>>,
}

impl World for Split {
    fn new(count: usize) -> Self {
        let pool = StablePool::with_capacity(count);
        let all = (0..count).map(|i| pool.insert(Entity::new(i))).collect();
        Split { pool, all, born: Vec::new() }
    }

    #[inline(never)]
    fn frame(&mut self, dying: &[u32]) {
        let (mut live, spawner) = self.pool.split();
        for (nth, entity) in live.values_mut().enumerate() {
            entity.bump();
            if nth % ONE_IN == 0 {
                self.born.push(spawner.spawn(child(entity)));
            }
        }
        for (&place, born) in dying.iter().zip(self.born.drain(..)) {
            let handle = &mut self.all[place as usize];
            black_box(live.remove(*handle));
            *handle = born;
        }
    }
}

impl Births for Split {
    #[inline(never)]
    fn births(&mut self) {
        let (mut live, spawner) = self.pool.split();
        for (nth, entity) in live.values_mut().enumerate() {
            entity.bump();
            if nth % ONE_IN == 0 {
                self.born.push(spawner.spawn(child(entity)));
            }
        }
    }

    fn undo(&mut self) {
        for born in self.born.drain(..) {
            self.pool.remove(born);
        }
    }
}

/// Children are noted in a list, and born when all are changed.
struct List<C: Contender<Entity>> {
    container: C,
    all: Vec<C::Handle>,
    later: Vec<Entity>,
    born: Vec<C::Handle>,
}

impl<C: Contender<Entity>> List<C> {
    fn new(count: usize) -> Self {
        let mut container = C::with_capacity(count);
        let all = (0..count).map(|i| container.insert(Entity::new(i))).collect();
        List { container, all, later: Vec::new(), born: Vec::new() }
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
    fn give_birth(&mut self) {
        self.born.extend(self.later.drain(..).map(|entity| self.container.insert(entity)));
    }
}

/// Births before deaths, as in a split: nobody is born into the slot of one who dies in the same
/// frame.
struct BirthsFirst<C: Contender<Entity>>(List<C>);

impl<C: Contender<Entity>> World for BirthsFirst<C> {
    fn new(count: usize) -> Self {
        Self(List::new(count))
    }

    #[inline(never)]
    fn frame(&mut self, dying: &[u32]) {
        let list = &mut self.0;
        list.change_all();
        list.give_birth();
        for (&place, born) in dying.iter().zip(list.born.drain(..)) {
            let handle = &mut list.all[place as usize];
            black_box(list.container.remove(*handle));
            *handle = born;
        }
    }
}

impl<C: Contender<Entity>> Births for BirthsFirst<C> {
    #[inline(never)]
    fn births(&mut self) {
        self.0.change_all();
        self.0.give_birth();
    }

    fn undo(&mut self) {
        for born in self.0.born.drain(..) {
            self.0.container.remove(born);
        }
    }
}

/// Deaths before births: the children find warm slots, and there are no holes.
struct DeathsFirst<C: Contender<Entity>>(List<C>);

impl<C: Contender<Entity>> World for DeathsFirst<C> {
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

/// Random places of which as many die as are born; after so many frames all have been replaced.
fn deaths(plan: &Plan) -> impl Iterator<Item = &[u32]> {
    plan.shuffle.chunks_exact(plan.count / ONE_IN).cycle()
}

fn frames<W: World>(plan: &Plan) -> f64 {
    let mut world = W::new(plan.count);
    let mut deaths = deaths(plan);
    repeated(plan.count * FRAMES, || {
        deaths.by_ref().take(FRAMES).for_each(|dying| world.frame(dying));
    })
}

/// Only what changes and is born is timed. The first frame is not: the memory is there.
fn births<W: Births>(plan: &Plan) -> f64 {
    let mut world = W::new(plan.count);
    undone(plan.count, &mut world, W::births, W::undo)
}

/// Slots for every living one after a thousand frames.
fn slots_per_live(plan: &Plan) -> f64 {
    let mut world = Split::new(plan.count);
    deaths(plan).take(LONG).for_each(|dying| world.frame(dying));
    let stats = world.pool.stats();
    (stats.live + stats.free + stats.pending + stats.retired) as f64 / plan.count as f64
}

/// The first is compared with all of `SlotMap`.
const BIRTHS: [Way; 3] = [
    ("StablePool, split", births::<Split>),
    ("SlotMap, list", births::<BirthsFirst<SlotMap<DefaultKey, Entity>>>),
    ("Pool, list", births::<BirthsFirst<Pool<Entity>>>),
];
const WORLDS: [Way; 4] = [
    ("StablePool, split", frames::<Split>),
    ("SlotMap, births first", frames::<BirthsFirst<SlotMap<DefaultKey, Entity>>>),
    ("SlotMap, deaths first", frames::<DeathsFirst<SlotMap<DefaultKey, Entity>>>),
    ("Pool, births first", frames::<BirthsFirst<Pool<Entity>>>),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let counts: &[usize] = if quick { &[8_000] } else { &[10_000, 100_000] };
    let mut sheet = Sheet {
        title: "Change all, and let one in eight have a child",
        about: format!(
            "Frames in which every entity of 64 bytes is changed and every {ONE_IN}th has a child. \
             StablePool::split lets them be born in the loop; the others note them in a list and insert them \
             afterwards. In the first table the children die between the frames, which is not timed. In the second, as many \
             random ones die in the same frame. Medians of {rounds} interleaved rounds; nanoseconds per entity \
             and frame. Ratio: StablePool over SlotMap."
        ),
        ..Sheet::default()
    };
    for (title, ways) in [("births", &BIRTHS[..]), ("births and deaths", &WORLDS)] {
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

    /// All worlds must do the same, or their times mean nothing.
    #[test]
    fn as_many_die_as_are_born() {
        let plan = Plan::new(800);
        let (mut split, mut list) = (Split::new(800), BirthsFirst::<Pool<Entity>>::new(800));
        let mut other = DeathsFirst::<Pool<Entity>>::new(800);
        for dying in deaths(&plan).take(20) {
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
    fn children_are_born_and_gone() {
        let (mut split, mut list) = (Split::new(800), BirthsFirst::<Pool<Entity>>::new(800));
        for _ in 0..3 {
            split.births();
            list.births();
            assert_eq!((split.pool.len(), list.0.container.len()), (900, 900));
            split.undo();
            list.undo();
            assert_eq!((split.pool.len(), list.0.container.len()), (800, 800));
        }
    }
}
