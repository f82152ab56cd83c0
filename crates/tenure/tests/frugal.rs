//! Pools that never grow make no request for memory, whatever is done to them.

use tenure::{FixedPool, Pool};
use test_support::alloc::{self, Watched};
use test_support::rig::{BUDGET, FIXED, FIXED_SMALL, FIXED_SMALL_TWO_TENANTS, FIXED_TWO_TENANTS, Rig};
use test_support::{decode, effort};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

fn long_histories(rig: &Rig) {
    for seed in 0..effort::cases(16) {
        let ops = decode::random(seed, 1_500);
        rig.never_asks(&ops).unwrap_or_else(|error| panic!("{}, seed {seed}: {error}", rig.name));
    }
}

#[test]
fn a_fixed_pool() {
    long_histories(&FIXED);
    long_histories(&FIXED_TWO_TENANTS);
}

#[test]
fn a_fixed_pool_that_is_always_full() {
    long_histories(&FIXED_SMALL);
    long_histories(&FIXED_SMALL_TWO_TENANTS);
}

#[test]
fn a_pool_with_a_fixed_capacity() {
    long_histories(&BUDGET);
}

/// The same without the rig: making the pool does not allocate either.
#[test]
fn a_fixed_pool_never_allocates() {
    let ((), asked) = alloc::count(live_without_memory);
    assert_eq!(asked, 0);
}

fn live_without_memory() {
    let mut pool: FixedPool<u32, 100> = FixedPool::new();
    assert_eq!((pool.capacity(), pool.stats().capacity), (100, 100));
    let first = pool.insert(0);
    pool.extend(1..100);
    assert_eq!(pool.try_insert(100).unwrap_err().into_inner(), 100);
    pool.retain(|_, value| *value % 3 == 0);
    assert_eq!(pool.drain().count(), 34);
    assert!(!pool.contains(first));
    let (left, right) = (pool.insert(1), pool.insert(2));
    {
        let loans = pool.borrow_many();
        let (left, right) = (loans.get_mut(left).unwrap(), loans.get_mut(right).unwrap());
        std::mem::swap(left, right);
    }
    let copy = pool.clone();
    assert_eq!(copy, pool);
    assert_eq!(copy.map_values(u64::from).values().sum::<u64>(), 3);
    assert_eq!(pool.extract_if(|_, value| *value == 2).count(), 1);
    assert_eq!(pool.into_values().sum::<u32>(), 1);
}

#[test]
fn a_fixed_capacity_is_allocated_once() {
    let (mut pool, asked) = alloc::count(|| Pool::with_fixed_capacity(1_000));
    assert_eq!((asked, pool.capacity()), (1, 1_000));
    let before = pool.stats().bytes;
    let ((), asked) = alloc::count(|| {
        for round in 0..5 {
            pool.extend(0..1_000);
            assert_eq!(pool.try_insert(round).unwrap_err().into_inner(), round);
            pool.clear();
            pool.shrink_to_fit();
        }
    });
    assert_eq!(asked, 0);
    assert_eq!((pool.capacity(), pool.stats().bytes), (1_000, before));
    let mut copy = pool.clone();
    copy.extend(0..1_000);
    assert!(copy.try_insert(0).is_err());
    assert!(copy.map_values(i64::from).try_insert(0).is_err());
}
