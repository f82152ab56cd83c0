//! Zero is initialised: a `ZiiPool` against a model, with values that panic, and with forged
//! handles.

use std::collections::HashMap;

use tenure::{Handle, Layout, Tagged, Wide, ZiiPool};
use test_support::{Tracked, forge, fuse, ledger, small};

/// A value whose `default` burns the fuse, too. The default has the id 0.
#[derive(Clone, Debug, PartialEq)]
struct Item(Tracked);

impl Default for Item {
    fn default() -> Self {
        fuse::burn();
        Self(Tracked::new(0))
    }
}

fn item(id: u32) -> Item {
    Item(Tracked::new(id))
}

/// The id of nil and scratch.
const NONE: u32 = 0;

type Name<L> = Handle<Item, L>;

/// A pool, the ids that its live handles resolve to, and handles that do not resolve.
struct Model<L: Layout> {
    pool: ZiiPool<Item, Name<L>>,
    live: HashMap<Name<L>, u32>,
    dead: Vec<Name<L>>,
    noise: Box<dyn Iterator<Item = u64>>,
    next_id: u32,
}

impl<L: Layout> Model<L> {
    fn new(pool: ZiiPool<Item, Name<L>>, seed: u64) -> Self {
        Self { pool, live: HashMap::new(), dead: vec![Handle::NIL], noise: Box::new(forge::noise(seed)), next_id: 1 }
    }

    fn below(&mut self, limit: usize) -> usize {
        let noise = self.noise.next().unwrap();
        usize::try_from(noise % limit as u64).unwrap()
    }

    fn new_item(&mut self) -> (u32, Item) {
        self.next_id += 1;
        (self.next_id, item(self.next_id))
    }

    /// A live handle, if there is one.
    fn some_live(&mut self) -> Option<Name<L>> {
        let nth = self.below(self.live.len().max(1));
        self.pool.handles().nth(nth)
    }

    fn some_dead(&mut self) -> Name<L> {
        let nth = self.below(self.dead.len());
        self.dead[nth]
    }

    fn kill(&mut self, handle: Name<L>) {
        self.live.remove(&handle);
        self.dead.push(handle);
    }

    fn step(&mut self) {
        let (id, value) = self.new_item();
        match (self.below(14), self.some_live()) {
            (0..=3, _) => {
                let handle = self.pool.insert(value);
                assert_eq!(self.live.insert(handle, id), None);
            }
            (4, Some(handle)) => {
                assert_eq!(self.pool.remove(handle).map(|it| it.0.id()), self.live.get(&handle).copied());
                self.kill(handle);
            }
            (5, Some(handle)) => {
                assert!(self.pool.discard(handle) && !self.pool.discard(handle));
                self.kill(handle);
            }
            // A taken handle resolves to nil until it is filled.
            (6, Some(handle)) => {
                drop(self.pool.take(handle));
                assert_eq!(self.pool.resolve(handle).0.id(), NONE);
                self.pool.resolve_mut(handle).0.change();
                self.pool.fill(handle, value).unwrap();
                self.live.insert(handle, id);
            }
            (7, Some(handle)) => {
                assert_eq!(
                    self.pool.insert_at(handle, value).unwrap().map(|it| it.0.id()),
                    self.live.insert(handle, id)
                );
            }
            (8, Some(handle)) => {
                let changed = self.pool.resolve_mut(handle).0.change();
                self.live.insert(handle, changed);
            }
            // What is written to a dead handle is seen by no later lookup.
            (9 | 10, _) => {
                let handle = self.some_dead();
                let scratch = self.pool.resolve_mut(handle);
                assert_eq!(scratch.0.id(), NONE);
                *scratch = value;
            }
            (11, _) => {
                let copy = self.pool.clone();
                assert_eq!(copy, self.pool);
                let mut kept = std::mem::replace(&mut self.pool, copy);
                kept.clear();
                kept.clone_from(&self.pool);
                assert_eq!(kept, self.pool);
                self.pool = kept;
            }
            (12, _) if id % 4 == 0 => {
                let pool = std::mem::take(&mut self.pool).map_values(|it| it);
                self.pool = pool;
            }
            (13, _) if id % 8 == 0 => {
                self.pool.retain(|handle, _| handle.index() % 3 != 0);
                let gone: Vec<_> = self.live.keys().copied().filter(|handle| handle.index() % 3 == 0).collect();
                gone.into_iter().for_each(|handle| self.kill(handle));
            }
            _ => {}
        }
    }

    /// Compares everything with the model. Nil and scratch are the only values besides the live
    /// ones.
    fn check(&mut self) {
        self.pool.validate().unwrap();
        assert_eq!(self.pool.len(), self.live.len());
        for (&handle, &id) in &self.live {
            assert_eq!((self.pool.resolve(handle).0.id(), self.pool.contains(handle)), (id, true));
        }
        for &handle in &self.dead {
            assert_eq!((self.pool.resolve(handle).0.id(), self.pool.get(handle)), (NONE, None));
        }
        ledger::expect(self.live.len() + 2).unwrap();
    }

    /// Handles of all bit patterns resolve to the value that was issued under them, or to nil.
    fn forge(&mut self, forged: Name<L>) {
        let expected = self.live.get(&forged).copied().unwrap_or(NONE);
        assert_eq!(self.pool.resolve(forged).0.id(), expected);
        assert_eq!(self.pool.resolve_mut(forged).0.id(), expected);
    }

    fn play(mut self, steps: u32) {
        for _ in 0..steps {
            self.step();
            self.check();
            let (index, generation) = (self.below(40), self.below(6));
            let parts = Handle::from_parts(u32::try_from(index).unwrap(), u32::try_from(generation).unwrap());
            self.forge(parts.unwrap_or_default());
        }
        let values: Vec<_> = self.pool.values().map(|it| it.0.id()).collect();
        assert!(self.pool.into_values().map(|it| it.0.id()).eq(values));
        ledger::expect(0).unwrap();
    }
}

#[test]
fn random_operations_against_a_model() {
    let (seeds, steps) = small::or((20, 400), (1, 30));
    for seed in 0..seeds {
        ledger::reset();
        Model::<Wide>::new(ZiiPool::with_capacity_and_key(5), seed).play(steps);
        ledger::reset();
        Model::<Tagged<4>>::new(ZiiPool::default(), seed).play(steps);
    }
}

#[test]
fn forged_bits_resolve_to_nil_or_to_their_own_value() {
    ledger::reset();
    let mut model = Model::<Wide>::new(ZiiPool::default(), 1);
    for _ in 0..small::or(300, 30) {
        model.step();
    }
    for _ in 0..small::or(20_000, 200) {
        let bits = model.noise.next().unwrap();
        // Random bits, and bits close to those of handles that were issued.
        model.forge(Handle::from_bits(bits));
        model.forge(Handle::from_bits(bits & 0x3f_0000_000f));
    }
    for bits in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, u64::from(u32::MAX)] {
        model.forge(Handle::from_bits(bits));
    }
    model.check();
}

fn five() -> ZiiPool<Item> {
    (1..=5).map(item).collect()
}

/// Checks a pool after a panic: it is valid, and nil and scratch are as they were.
fn look(mut pool: ZiiPool<Item>) {
    pool.validate().unwrap();
    assert!(pool.values().all(|it| (1..=5).contains(&it.0.id())));
    assert_eq!(pool.resolve(Handle::NIL).0.id(), NONE);
    assert_eq!(pool.resolve_mut(Handle::NIL).0.id(), NONE);
    let handle = pool.insert(item(3));
    assert_eq!(pool.resolve_mut(handle).0.id(), 3);
    ledger::expect(pool.len() + 2).unwrap();
}

#[test]
fn panics_of_default_clone_and_drop_leave_a_valid_pool() {
    let at_every_step = |act: fn(&mut ZiiPool<Item>)| fuse::at_every_step(five, act, |pool, _| look(pool));
    // One default, and one drop of the scratch value before.
    assert_eq!(at_every_step(|pool| _ = pool.resolve_mut(Handle::NIL)), 2);
    assert_eq!(at_every_step(|pool| pool.clear()), 5);
    // Five clones, nil and scratch, and seven drops.
    assert_eq!(at_every_step(|pool| drop(pool.clone())), 14);
    assert!(at_every_step(|pool| pool.clone_from(&five())) > 5);
    assert!(at_every_step(|pool| pool.retain(|handle, _| handle.index() % 2 == 0)) >= 2);
    // Two defaults of the pool that is left behind, and of the new one.
    assert!(at_every_step(|pool| *pool = std::mem::take(pool).map_values(|it| it)) >= 4);
    assert!(at_every_step(|pool| *pool = ZiiPool::from(std::mem::take(pool).into_inner())) >= 6);
    assert_eq!(at_every_step(|pool| drop(std::mem::take(pool))), 9);
    // A destructor of nil or scratch that panics must not leak the values.
    assert_eq!(at_every_step(|pool| std::mem::take(pool).into_iter().for_each(drop)), 9);
    assert_eq!(at_every_step(|pool| std::mem::take(pool).into_values().for_each(drop)), 9);
    assert_eq!(at_every_step(|pool| drop(std::mem::take(pool).into_inner())), 9);
}
