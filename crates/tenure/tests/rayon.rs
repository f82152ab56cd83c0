//! Parallel iterators visit what sequential iterators visit. Needs the feature `rayon`.
#![cfg(feature = "rayon")]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use tenure::{Compact, DensePool, Handle, Key, Pool, StablePool, Wide, World, dense};

/// Pools with all kinds of words: none at all, one that is not full, full ones, holes, pending
/// slots, an empty last word.
fn pools() -> Vec<Pool<u64, Handle<u64, Compact>>> {
    let mut pools = Vec::new();
    for count in [0_u64, 1, 63, 64, 65, 1_000, 10_000] {
        for modulus in [1, 2, 3, 64, 1_000] {
            let mut pool: Pool<u64, Handle<u64, Compact>> = (0..count).collect();
            pool.retain(|handle, _| u64::from(handle.index()) % modulus == 0);
            let _pending = pool.reserve_handle();
            pools.push(pool);
        }
    }
    pools
}

#[test]
fn par_iter_visits_every_value_once_in_order() {
    for pool in pools() {
        let parallel: Vec<_> = pool.par_iter().collect();
        let sequential: Vec<_> = pool.iter().collect();
        assert_eq!(parallel, sequential);
        assert_eq!((&pool).into_par_iter().count(), pool.len());
    }
}

#[test]
fn par_iter_mut_visits_every_value_once() {
    for mut pool in pools() {
        let before: Vec<u64> = pool.values().copied().collect();
        pool.par_iter_mut().for_each(|(_, value)| *value += 1);
        (&mut pool).into_par_iter().for_each(|(_, value)| *value *= 2);
        let after: Vec<u64> = pool.values().copied().collect();
        assert_eq!(after, before.iter().map(|value| (value + 1) * 2).collect::<Vec<_>>());
        pool.validate().unwrap();
    }
}

#[test]
fn handles_resolve_to_their_values() {
    for pool in pools() {
        assert!(pool.par_iter().all(|(handle, value)| std::ptr::eq(&raw const pool[handle], value)));
    }
}

/// The parallel iterators of a dense pool, in a struct.
struct Stored<'a> {
    items: dense::ParIter<'a, u64>,
    mutable: dense::ParIterMut<'a, u64>,
}

#[test]
fn parallel_iterators_of_dense_pools_have_a_name_and_an_index() {
    let pool: DensePool<u64> = (0..1_000).collect();
    let mut other = pool.clone();
    let stored = Stored { items: pool.par_iter(), mutable: other.par_iter_mut() };
    assert_eq!((stored.items.len(), stored.items.opt_len(), stored.mutable.len()), (1_000, Some(1_000), 1_000));
    assert_eq!(
        format!("{:?} {:?}", stored.items, stored.mutable),
        "ParIter { left: 1000, .. } ParIterMut { left: 1000, .. }"
    );
    let reversed: Vec<_> = stored.items.clone().rev().map(|(_, value)| *value).collect();
    assert!(reversed.iter().copied().eq((0..1_000).rev()));
    stored.mutable.zip(stored.items).for_each(|((handle, mine), (other_handle, value))| {
        assert_eq!(handle, other_handle);
        *mine += *value;
    });
    (&mut other).into_par_iter().for_each(|(_, value)| *value += 1);
    assert!((&other).into_par_iter().all(|(handle, value)| *value == 2 * u64::from(handle.index()) + 1));
    assert_eq!(other.values().sum::<u64>(), 1_000_000);
}

#[test]
fn dense_pools_iterate_by_row() {
    let mut pool: DensePool<u64> = (0..1_000).collect();
    pool.retain(|_, value| *value % 3 != 0);
    let parallel: Vec<_> = pool.par_iter().collect();
    assert_eq!(parallel, pool.iter().collect::<Vec<_>>());
    pool.par_iter_mut().for_each(|(handle, value)| *value = u64::from(handle.index()));
    assert!(pool.iter().all(|(handle, value)| *value == u64::from(handle.index())));
}

#[test]
fn chunks_of_a_table_cover_every_row_once() {
    for (rows, size) in [(0, 1), (1, 1), (1_000, 64), (1_000, 999), (64, 64), (10, 100)] {
        let mut pool: DensePool<u64> = (0..rows).collect();
        let handles: Vec<_> = pool.handles().collect();
        let chunks: Vec<_> = pool
            .par_chunks_mut(size)
            .map(|chunk| {
                chunk.columns.iter_mut().for_each(|value| *value += 1);
                (chunk.first_row, chunk.handles.to_vec())
            })
            .collect();
        assert_eq!(pool.as_slice(), (1..=rows).collect::<Vec<_>>());
        assert_eq!(chunks.iter().flat_map(|(_, handles)| handles.clone()).collect::<Vec<_>>(), handles);
        assert!(chunks.iter().enumerate().all(|(nth, (first_row, _))| *first_row == nth * size));
    }
}

/// Each value becomes the row of the one that it refers to, which may be in the chunk of another
/// thread.
#[test]
fn chunks_find_the_rows_of_all_chunks() {
    let mut pool: DensePool<u64> = (0..1_000).collect();
    pool.retain(|_, value| *value % 3 != 0);
    let handles: Vec<_> = pool.handles().collect();
    let (count, removed) = (handles.len(), pool.handle_at(1).unwrap());
    pool.remove(removed);
    pool.par_chunks_mut(64).for_each(|chunk| {
        assert!(!chunk.rows.contains(removed) && chunk.rows.row_of(removed).is_none());
        for (handle, value) in chunk.handles.iter().zip(chunk.columns) {
            let opposite = handles[count - 1 - handles.iter().position(|other| other == handle).unwrap()];
            *value = chunk.rows.row_of(opposite).map_or(u64::MAX, |row| row as u64);
        }
    });
    for (nth, &handle) in handles.iter().enumerate().skip(1) {
        let opposite = pool.row_of(handles[count - 1 - nth]);
        assert_eq!(pool[handle], opposite.map_or(u64::MAX, |row| row as u64));
    }
}

/// A key that returns other handles than it was made from, on every thread, and on demand panics
/// for one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Shifty(Handle<Shifty>);

static PANICS: AtomicBool = AtomicBool::new(false);

impl Key for Shifty {
    type Kind = Shifty;
    type Layout = Wide;

    fn from_handle(handle: Handle<Self>) -> Self {
        assert!(handle.index() != 777 || !PANICS.load(Relaxed), "no key for this handle");
        Self(Handle::from_parts(handle.index() / 2, 1 + handle.index() % 2).unwrap())
    }

    fn handle(self) -> Handle<Self> {
        Handle::from_parts(self.0.index() ^ 1, 1).unwrap()
    }
}

/// Every value is visited once, whatever its key is, and at most once if a key panics.
#[test]
fn keys_that_lie_or_panic_do_not_change_what_is_visited() {
    macro_rules! check {
        ($($Pool:ty;)*) => {$({
            let mut pool: $Pool = (0..2_000).collect();
            for panics in [false, true] {
                PANICS.store(panics, Relaxed);
                let add = || pool.par_iter_mut().for_each(|(_, value)| *value += 10_000);
                assert_eq!(test_support::quiet::catch(add).is_err(), panics);
                PANICS.store(false, Relaxed);
                // Without a panic once; then at most once more.
                let times = 1..=1 + u32::from(panics);
                assert!(pool.values().all(|value| times.contains(&(*value / 10_000))));
                assert_eq!(pool.par_iter().map(|(_, value)| *value % 10_000).sum::<u32>(), (0..2_000).sum::<u32>());
                assert_eq!(pool.len(), 2_000);
                pool.validate().unwrap();
            }
        })*};
    }
    check! { Pool<u32, Shifty>; StablePool<u32, Shifty>; DensePool<u32, Shifty>; World<u32, Shifty>; }
}
