//! Side maps against slotmap's and a hash map, and joins against loops written by hand.

use std::collections::HashMap;
use std::hint::black_box;

use slotmap::{DefaultKey, SecondaryMap, SlotMap, SparseSecondaryMap};
use tenure::{BuildHandleHasher, Handle, Pool, SideMap, join};

use super::counts;
use crate::clock::{prepared, repeated};
use crate::plan::Plan;
use crate::race::{Race, Way, curve, grid};
use crate::report::sheet::{Finding, Sheet};

/// A map from handles that an owner issued to numbers.
trait Side {
    type Owner;
    type Key: Copy;

    /// So many things to know more about.
    fn things(count: usize) -> (Self::Owner, Vec<Self::Key>);
    fn new() -> Self;
    fn insert(&mut self, owner: &Self::Owner, key: Self::Key, value: u64);
    fn get(&self, key: Self::Key) -> Option<u64>;
    fn sum(&self) -> u64;
}

fn pool(count: usize) -> (Pool<u64>, Vec<Handle<u64>>) {
    let pool: Pool<u64> = (0..count as u64).collect();
    let handles = pool.handles().collect();
    (pool, handles)
}

fn slot_map(count: usize) -> (SlotMap<DefaultKey, u64>, Vec<DefaultKey>) {
    let mut map = SlotMap::with_capacity(count);
    let keys = (0..count as u64).map(|value| map.insert(value)).collect();
    (map, keys)
}

impl Side for SideMap<Handle<u64>, u64> {
    type Owner = Pool<u64>;
    type Key = Handle<u64>;

    fn things(count: usize) -> (Pool<u64>, Vec<Handle<u64>>) {
        pool(count)
    }
    fn new() -> Self {
        SideMap::new()
    }
    #[inline]
    fn insert(&mut self, owner: &Pool<u64>, key: Handle<u64>, value: u64) {
        black_box(self.insert(owner, key, value).is_ok());
    }
    #[inline]
    fn get(&self, key: Handle<u64>) -> Option<u64> {
        self.get(key).copied()
    }
    #[inline]
    fn sum(&self) -> u64 {
        self.values().sum()
    }
}

/// The others know nothing of an owner.
macro_rules! side {
    ($map:ty, $owner:ty, $things:ident, $key:ty) => {
        impl Side for $map {
            type Owner = $owner;
            type Key = $key;

            fn things(count: usize) -> ($owner, Vec<$key>) {
                $things(count)
            }
            fn new() -> Self {
                <$map>::default()
            }
            #[inline]
            fn insert(&mut self, _: &$owner, key: $key, value: u64) {
                black_box(self.insert(key, value));
            }
            #[inline]
            fn get(&self, key: $key) -> Option<u64> {
                <$map>::get(self, key).copied()
            }
            #[inline]
            fn sum(&self) -> u64 {
                self.values().sum()
            }
        }
    };
}

side!(SecondaryMap<DefaultKey, u64>, SlotMap<DefaultKey, u64>, slot_map, DefaultKey);
side!(SparseSecondaryMap<DefaultKey, u64>, SlotMap<DefaultKey, u64>, slot_map, DefaultKey);

impl Side for HashMap<Handle<u64>, u64, BuildHandleHasher> {
    type Owner = Pool<u64>;
    type Key = Handle<u64>;

    fn things(count: usize) -> (Pool<u64>, Vec<Handle<u64>>) {
        pool(count)
    }
    fn new() -> Self {
        HashMap::default()
    }
    #[inline]
    fn insert(&mut self, _: &Pool<u64>, key: Handle<u64>, value: u64) {
        black_box(self.insert(key, value));
    }
    #[inline]
    fn get(&self, key: Handle<u64>) -> Option<u64> {
        self.get(&key).copied()
    }
    #[inline]
    fn sum(&self) -> u64 {
        self.values().sum()
    }
}

/// Of so many things one has more data.
#[derive(Clone, Copy)]
struct OneIn(usize);

impl OneIn {
    /// The keys that have a value, in the order in which they were issued.
    fn chosen<K: Copy>(self, plan: &Plan, keys: &[K]) -> Vec<K> {
        let alive = plan.alive(plan.count / self.0);
        keys.iter().zip(alive).filter_map(|(&key, alive)| alive.then_some(key)).collect()
    }
}

#[inline(never)]
fn insert<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::things(plan.count);
    let keys = OneIn(ONE_IN).chosen(plan, &keys);
    let fill = |map: &mut S| keys.iter().zip(0..).for_each(|(&key, value)| map.insert(&owner, key, value));
    prepared(keys.len(), S::new, fill)
}

fn full<S: Side>(owner: &S::Owner, keys: &[S::Key]) -> S {
    let mut map = S::new();
    keys.iter().zip(0..).for_each(|(&key, value)| map.insert(owner, key, value));
    map
}

/// All things are asked for, whether they have a value or not.
#[inline(never)]
fn get<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::things(plan.count);
    let map: S = full(&owner, &OneIn(ONE_IN).chosen(plan, &keys));
    let keys = plan.shuffled(&keys);
    repeated(keys.len(), || {
        let map = black_box(&map);
        black_box(keys.iter().filter_map(|&key| map.get(key)).fold(0, u64::wrapping_add));
    })
}

#[inline(never)]
fn walk<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::things(plan.count);
    let keys = OneIn(ONE_IN).chosen(plan, &keys);
    let map: S = full(&owner, &keys);
    repeated(keys.len(), || {
        black_box(black_box(&map).sum());
    })
}

/// The things, one value for each, and one for half of them: ours and theirs.
struct Three<O, S> {
    things: O,
    all: S,
    half: S,
}

fn three<S: Side>(plan: &Plan) -> Three<S::Owner, S> {
    let (things, keys) = S::things(plan.count);
    let (all, half) = (full(&things, &keys), full(&things, &OneIn(2).chosen(plan, &keys)));
    Three { things, all, half }
}

#[inline(never)]
fn joined(plan: &Plan) -> f64 {
    let mut three: Three<_, SideMap<Handle<u64>, u64>> = three(plan);
    repeated(plan.count, || {
        let Three { things, all, half } = black_box(&mut three);
        for (_, (thing, one, other)) in join((&*things, all, &*half)) {
            *one = one.wrapping_add(*thing + *other);
        }
    })
}

#[inline(never)]
fn by_hand(plan: &Plan) -> f64 {
    let mut three: Three<_, SecondaryMap<DefaultKey, u64>> = three(plan);
    repeated(plan.count, || {
        let Three { things, all, half } = black_box(&mut three);
        for (key, thing) in &*things {
            if let (Some(one), Some(other)) = (all.get_mut(key), half.get(key)) {
                *one = one.wrapping_add(*thing + *other);
            }
        }
    })
}

type Ours = SideMap<Handle<u64>, u64>;
type Secondary = SecondaryMap<DefaultKey, u64>;
type Sparse = SparseSecondaryMap<DefaultKey, u64>;
type Hashed = HashMap<Handle<u64>, u64, BuildHandleHasher>;

/// One kind of work with every map.
macro_rules! ways {
    ($work:ident, $one_in:literal) => {
        &[
            ("SideMap", $work::<Ours, $one_in>),
            ("SecondaryMap", $work::<Secondary, $one_in>),
            ("SparseSecondaryMap", $work::<Sparse, $one_in>),
            ("HashMap", $work::<Hashed, $one_in>),
        ]
    };
}

/// What is done, the name of its plot, and how. The first way is ours.
const WORK: [(&str, &str, &[Way]); 7] = [
    ("insert, all have a value", "insert", ways!(insert, 1)),
    ("insert, one in ten has", "insert-tenth", ways!(insert, 10)),
    ("get at random, all have a value", "get", ways!(get, 1)),
    ("get at random, one in ten has", "get-tenth", ways!(get, 10)),
    ("walk, all have a value", "walk", ways!(walk, 1)),
    ("walk, one in ten has", "walk-tenth", ways!(walk, 10)),
    ("join with two, one of which half have", "join", &[("join", joined), ("SlotMap, by hand", by_hand)]),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let mut sheet = Sheet {
        title: "Side maps",
        about: format!(
            "Maps from handles to u64. A SideMap asks the owner of the handle at every insertion; the others take any key. \
             Medians of {rounds} interleaved rounds, nanoseconds per value; of look-ups and joins, per thing. Ratio: theirs over ours."
        ),
        ..Sheet::default()
    };
    for (what, name, ways) in WORK {
        let races = Race::run_all(ways, counts(quick), rounds);
        sheet.findings.extend(races.last().into_iter().flat_map(|race| findings(what, race, ways)));
        sheet.grids.push(grid(what, &races));
        sheet.curves.push(curve(format!("tables-side-maps-{name}"), format!("side maps: {what}"), &races));
    }
    sheet
}

fn findings(what: &str, race: &Race, ways: &[Way]) -> Vec<Finding> {
    let ours = ways[0].0;
    let finding = |&(theirs, _): &Way| {
        let what = format!("{what}, {}: {theirs} over {ours}", race.label());
        Finding::for_information(what, race.ratio(theirs, ours))
    };
    ways[1..].iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn works<S: Side>() {
        let plan = Plan::new(100);
        let (owner, keys) = S::things(100);
        let chosen = OneIn(10).chosen(&plan, &keys);
        let map: S = full(&owner, &chosen);
        assert_eq!((chosen.len(), map.sum()), (10, 45));
        assert_eq!(map.get(chosen[7]), Some(7));
        assert_eq!(keys.iter().filter(|&&key| map.get(key).is_some()).count(), 10);
    }

    #[test]
    fn all_maps_do_the_same() {
        works::<Ours>();
        works::<Secondary>();
        works::<Sparse>();
        works::<Hashed>();
    }

    #[test]
    fn both_joins_meet_the_same() {
        let plan = Plan::new(100);
        let (ours, theirs): (Three<_, Ours>, Three<_, Secondary>) = (three(&plan), three(&plan));
        let by_join: u64 = join((&ours.things, &ours.all, &ours.half)).map(|(_, (a, b, c))| a + b + c).sum();
        let by_hand =
            theirs.things.iter().filter_map(|(key, a)| Some(a + theirs.all.get(key)? + theirs.half.get(key)?));
        assert_eq!(by_join, by_hand.sum::<u64>());
    }
}
