//! `SideMap` against the maps of slotmap and a hash map, and `join` against a loop written by hand.

use std::collections::HashMap;
use std::hint::black_box;

use slotmap::{DefaultKey, SecondaryMap, SlotMap, SparseSecondaryMap};
use tenure::{BuildHandleHasher, Handle, Pool, SideMap, join};

use super::counts;
use crate::clock::{prepared, repeated};
use crate::plan::Plan;
use crate::race::{Race, Way, curve, grid};
use crate::report::sheet::{Finding, Sheet};

/// A map from handles, which an owner has issued, to numbers.
trait Side {
    type Owner;
    type Key: Copy;

    /// Creates an owner with `count` values, and returns it with the handles.
    fn owner(count: usize) -> (Self::Owner, Vec<Self::Key>);
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

    fn owner(count: usize) -> (Pool<u64>, Vec<Handle<u64>>) {
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

/// Implements [`Side`] for maps without an owner.
macro_rules! side {
    ($map:ty, $owner:ty, $new_owner:ident, $key:ty) => {
        impl Side for $map {
            type Owner = $owner;
            type Key = $key;

            fn owner(count: usize) -> ($owner, Vec<$key>) {
                $new_owner(count)
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

    fn owner(count: usize) -> (Pool<u64>, Vec<Handle<u64>>) {
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

/// One in this many keys has a value in the map.
#[derive(Clone, Copy)]
struct OneIn(usize);

impl OneIn {
    /// Returns the keys that have a value, in the order in which they were issued.
    fn chosen<K: Copy>(self, plan: &Plan, keys: &[K]) -> Vec<K> {
        let alive = plan.alive(plan.count / self.0);
        keys.iter().zip(alive).filter_map(|(&key, alive)| alive.then_some(key)).collect()
    }
}

#[inline(never)]
fn insert<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::owner(plan.count);
    let keys = OneIn(ONE_IN).chosen(plan, &keys);
    let fill = |map: &mut S| keys.iter().zip(0..).for_each(|(&key, value)| map.insert(&owner, key, value));
    prepared(keys.len(), S::new, fill)
}

fn full<S: Side>(owner: &S::Owner, keys: &[S::Key]) -> S {
    let mut map = S::new();
    keys.iter().zip(0..).for_each(|(&key, value)| map.insert(owner, key, value));
    map
}

/// Looks up all keys, with and without a value.
#[inline(never)]
fn get<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::owner(plan.count);
    let map: S = full(&owner, &OneIn(ONE_IN).chosen(plan, &keys));
    let keys = plan.shuffled(&keys);
    repeated(keys.len(), || {
        let map = black_box(&map);
        black_box(keys.iter().filter_map(|&key| map.get(key)).fold(0, u64::wrapping_add));
    })
}

#[inline(never)]
fn iterate<S: Side, const ONE_IN: usize>(plan: &Plan) -> f64 {
    let (owner, keys) = S::owner(plan.count);
    let keys = OneIn(ONE_IN).chosen(plan, &keys);
    let map: S = full(&owner, &keys);
    repeated(keys.len(), || {
        black_box(black_box(&map).sum());
    })
}

/// An owner, a map with a value for all of its keys, and a map with a value for half of them.
struct Three<O, S> {
    owner: O,
    all: S,
    half: S,
}

fn three<S: Side>(plan: &Plan) -> Three<S::Owner, S> {
    let (owner, keys) = S::owner(plan.count);
    let (all, half) = (full(&owner, &keys), full(&owner, &OneIn(2).chosen(plan, &keys)));
    Three { owner, all, half }
}

#[inline(never)]
fn joined(plan: &Plan) -> f64 {
    let mut three: Three<_, SideMap<Handle<u64>, u64>> = three(plan);
    repeated(plan.count, || {
        let Three { owner, all, half } = black_box(&mut three);
        for (_, (value, one, other)) in join((&*owner, all, &*half)) {
            *one = one.wrapping_add(*value + *other);
        }
    })
}

#[inline(never)]
fn by_hand(plan: &Plan) -> f64 {
    let mut three: Three<_, SecondaryMap<DefaultKey, u64>> = three(plan);
    repeated(plan.count, || {
        let Three { owner, all, half } = black_box(&mut three);
        for (key, value) in &*owner {
            if let (Some(one), Some(other)) = (all.get_mut(key), half.get(key)) {
                *one = one.wrapping_add(*value + *other);
            }
        }
    })
}

type Ours = SideMap<Handle<u64>, u64>;
type Secondary = SecondaryMap<DefaultKey, u64>;
type Sparse = SparseSecondaryMap<DefaultKey, u64>;
type Hashed = HashMap<Handle<u64>, u64, BuildHandleHasher>;

/// The same work for all maps.
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

/// The work, the name of its plot, and the ways to do it. The first way is that of Tenure.
const WORK: [(&str, &str, &[Way]); 7] = [
    ("insert, all keys", "insert", ways!(insert, 1)),
    ("insert, one key in ten", "insert-tenth", ways!(insert, 10)),
    ("get at random, all keys have a value", "get", ways!(get, 1)),
    ("get at random, one key in ten has a value", "get-tenth", ways!(get, 10)),
    ("iterate, all keys have a value", "iterate", ways!(iterate, 1)),
    ("iterate, one key in ten has a value", "iterate-tenth", ways!(iterate, 10)),
    ("join with a full and a half-full map", "join", &[("join", joined), ("SlotMap, by hand", by_hand)]),
];

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let mut sheet = Sheet {
        title: "Side maps",
        about: format!(
            "Maps from handles to u64. A SideMap checks every insertion with the owner of the handle; the other maps accept \
             any key. Medians of {rounds} interleaved rounds, nanoseconds per value; for lookups and joins, per key. \
             Ratio: the other map over Tenure's."
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
        let (owner, keys) = S::owner(100);
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
    fn both_joins_visit_the_same() {
        let plan = Plan::new(100);
        let (ours, theirs): (Three<_, Ours>, Three<_, Secondary>) = (three(&plan), three(&plan));
        let by_join: u64 = join((&ours.owner, &ours.all, &ours.half)).map(|(_, (a, b, c))| a + b + c).sum();
        let by_hand =
            theirs.owner.iter().filter_map(|(key, a)| Some(a + theirs.all.get(key)? + theirs.half.get(key)?));
        assert_eq!(by_join, by_hand.sum::<u64>());
    }
}
