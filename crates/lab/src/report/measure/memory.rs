//! The memory of a pool after most values were removed, and how much `shrink_to_fit` releases.

use fastrand::Rng;
use tenure::{DensePool, Handle, Pool, StablePool, Stats};

use super::Subject;
use crate::heat::{SlotState, probe};

/// One value of this many stays.
const ONE_IN: usize = 100;
/// The number of slots that are drawn.
const DRAWN: usize = 4_096;
const SEED: u64 = 7;

/// The results.
pub(in crate::report) struct Memory {
    /// The same pool, drawn several times.
    pub(in crate::report) maps: Vec<Map>,
    /// The number of values of the pools in the table.
    pub(in crate::report) count: usize,
    /// Bytes, one row for each container.
    pub(in crate::report) rows: Vec<Row>,
}

/// A pool at one point in time.
pub(in crate::report) struct Map {
    /// What has happened before.
    pub(in crate::report) title: &'static str,
    /// The slots.
    pub(in crate::report) states: Vec<SlotState>,
    pub(in crate::report) stats: Stats,
}

/// Bytes on the heap.
pub(in crate::report) struct Row {
    /// The container.
    pub(in crate::report) name: &'static str,
    /// With all values.
    pub(in crate::report) full: usize,
    /// After 99 % were removed.
    pub(in crate::report) sparse: usize,
    /// After shrinking, with the remaining values at random positions.
    pub(in crate::report) scattered: usize,
    /// After shrinking, with the oldest values remaining.
    pub(in crate::report) gathered: usize,
}

type Value = [u64; 8];

/// Maps and bytes.
pub(super) fn measure(quick: bool) -> Memory {
    let count = if quick { 10_000 } else { 200_000 };
    let rows = vec![row::<Pool<Value>>(count), row::<StablePool<Value>>(count), row::<DensePool<Value>>(count)];
    Memory { maps: maps(), count, rows }
}

fn row<P: Subject<Value>>(count: usize) -> Row {
    let mut rng = Rng::with_seed(SEED);
    let [full, sparse, scattered] = bytes::<P>(count, |handles| rng.shuffle(handles));
    let [_, _, gathered] = bytes::<P>(count, |_| ());
    Row { name: P::NAME, full, sparse, scattered, gathered }
}

/// Bytes when it is full, when all but the first in this order were removed, and after shrinking.
fn bytes<P: Subject<Value>>(count: usize, order: impl FnOnce(&mut [Handle<Value>])) -> [usize; 3] {
    let mut pool = P::default();
    let mut handles: Vec<_> = (0..count).map(|_| pool.add([1; 8])).collect();
    let full = pool.bytes();
    order(&mut handles);
    handles[count / ONE_IN..].iter().for_each(|&handle| pool.take_out(handle));
    let sparse = pool.bytes();
    pool.shrink();
    [full, sparse, pool.bytes()]
}

/// A pool after some traffic, after most values were removed, after others were inserted, and after
/// the remaining old ones were removed, too.
fn maps() -> Vec<Map> {
    let mut rng = Rng::with_seed(SEED);
    let mut pool = StablePool::new();
    add(&pool, DRAWN);
    let mut maps = Vec::new();
    (0..12).for_each(|_| change_some(&mut pool, &mut rng));
    maps.push(map("after some traffic", &pool));
    pool.retain(|_, _| rng.usize(..ONE_IN) == 0);
    maps.push(map("99 % removed", &pool));
    let old: Vec<_> = pool.handles().collect();
    add(&pool, DRAWN / 4);
    maps.push(map("a quarter inserted", &pool));
    old.iter().for_each(|&handle| pool.take_out(handle));
    pool.shrink_to_fit();
    maps.push(map("old values removed, shrunk", &pool));
    maps
}

fn add(pool: &StablePool<Value>, count: usize) {
    for _ in 0..count {
        pool.insert([0; 8]);
    }
}

/// Removes some values and inserts as many. Values at the end of the pool are removed more often.
fn change_some(pool: &mut StablePool<Value>, rng: &mut Rng) {
    let before = pool.len();
    pool.retain(|handle, _| rng.usize(..2 * DRAWN) > handle.index() as usize);
    add(pool, before - pool.len());
}

fn map(title: &'static str, pool: &StablePool<Value>) -> Map {
    let stats = pool.stats();
    Map { title, states: probe::states(&stats, |handle| pool.try_get(handle).err()), stats }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_is_released_if_the_oldest_remain() {
        let memory = measure(true);
        for row in &memory.rows {
            assert!(row.full >= row.sparse && row.sparse >= row.scattered, "{}", row.name);
            assert!(row.gathered * 10 < row.full, "{}: {} of {}", row.name, row.gathered, row.full);
        }
    }

    #[test]
    fn maps_show_the_pool() {
        for map in maps() {
            let live = map.states.iter().filter(|state| matches!(state, SlotState::Live(_))).count();
            assert_eq!(live, map.stats.live, "{}", map.title);
        }
    }
}
