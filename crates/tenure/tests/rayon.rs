//! Parallel walks visit what sequential walks visit. Needs the feature `rayon`.
#![cfg(feature = "rayon")]

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tenure::{Compact, Pool};

/// Pools with all kinds of words: none, one that is not full, full ones, holes, pending slots, a tail that is empty.
fn pools() -> Vec<Pool<u64, u64, Compact>> {
    let mut pools = Vec::new();
    for count in [0_u64, 1, 63, 64, 65, 1_000, 10_000] {
        for modulus in [1, 2, 3, 64, 1_000] {
            let mut pool: Pool<u64, u64, Compact> = (0..count).collect();
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
fn par_iter_mut_changes_every_value_once() {
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
fn handles_lead_to_their_values() {
    for pool in pools() {
        assert!(pool.par_iter().all(|(handle, value)| std::ptr::eq(&raw const pool[handle], value)));
    }
}
