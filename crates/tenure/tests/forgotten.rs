//! Halves of a split that were forgotten, and splits without memory: what is unfinished must never
//! be read, reused or lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tenure::{Handle, StablePool, Status};
use test_support::alloc::{self, Watched};
use test_support::small;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// A pool of one value, and the handle of a second one, born in a split whose halves were both
/// forgotten.
fn forgotten() -> (StablePool<u32>, Handle<u32>) {
    let mut pool: StablePool<u32> = StablePool::new();
    pool.insert(7);
    let (live, spawner) = pool.split();
    // The value has the bits of a vacancy: whoever takes it for one is found out.
    let born = spawner.spawn(1);
    std::mem::forget((live, spawner));
    (pool, born)
}

type Use = fn(&mut StablePool<u32>, Handle<u32>);

/// Each use must find the newborn in its place.
#[test]
fn every_use_of_the_pool_finishes_the_split() {
    let uses: [Use; 14] = [
        |pool, born| assert_eq!(pool.get(born), Some(&1)),
        |pool, born| assert!(pool.fill(born, 9).is_err()),
        |pool, _| assert_eq!(pool.len(), 2),
        |pool, born| assert_eq!(pool.status(born), Status::Live),
        |pool, _| assert_eq!(pool.values().sum::<u32>(), 8),
        |pool, born| assert_ne!(pool.insert(5), born),
        |pool, born| assert_ne!(pool.reserve_handle(), born),
        |pool, born| assert_eq!(pool.remove(born), Some(1)),
        |pool, born| assert_eq!(pool.take(born), Some(1)),
        |pool, born| assert_eq!(pool.insert_at(born, 3).unwrap(), Some(1)),
        |pool, born| assert_eq!(pool.clone().get(born), Some(&1)),
        |pool, born| assert_eq!(pool.split().0.get(born), Some(&1)),
        |pool, _| assert_eq!(pool.drain().count(), 2),
        |pool, born| assert_eq!(pool.handle_of(&pool[born]), Some(born)),
    ];
    for (nth, use_it) in uses.iter().enumerate() {
        let (mut pool, born) = forgotten();
        use_it(&mut pool, born);
        assert_eq!(pool.validate(), Ok(()), "use {nth}");
    }
}

#[test]
fn what_was_removed_stays_dead() {
    let mut pool: StablePool<u32> = StablePool::new();
    let handle = pool.insert(7);
    let (mut live, spawner) = pool.split();
    assert_eq!(live.remove(handle), Some(7));
    std::mem::forget((live, spawner));
    assert!(pool.fill(handle, 99).is_err());
    assert_eq!(pool.get(handle), None);
    assert_eq!(pool.validate(), Ok(()));
}

#[test]
fn removing_the_dead_and_the_unborn_leaves_nothing_behind() {
    let mut pool: StablePool<u32> = StablePool::new();
    let (mut live, spawner) = pool.split();
    let future: Handle<u32> = Handle::from_parts(0, 1).unwrap();
    for _ in 0..small::or(1_000, 100) {
        assert_eq!(live.remove(future), None);
    }
    std::mem::forget((live, spawner));
    let reserved = pool.reserve_handle();
    assert_eq!(reserved, future);
    assert_eq!(pool.status(reserved), Status::Pending);
}

#[test]
fn without_memory_no_value_is_given_out_twice() {
    let mut pool: StablePool<u32> = StablePool::new();
    pool.reserve(64);
    let other = pool.insert(3);
    let (mut live, spawner) = pool.split();
    let (handle, first) = spawner.spawn_mut(1);
    let removed = alloc::refuse_all(|| (live.remove(handle), live.remove(other)));
    assert_eq!(removed, (None, Some(3)));
    let (_, second) = spawner.spawn_mut(2);
    assert!(!std::ptr::eq(first, second));
    drop((live, spawner));
    assert_eq!(pool.get(handle), Some(&1));
    assert_eq!(pool.validate(), Ok(()));
}

/// Slots that are freed at once, for want of memory, among newborn ones: nobody takes the one for
/// the other.
#[test]
fn without_memory_births_and_deaths_share_words() {
    let mut pool: StablePool<u32> = StablePool::new();
    let old: Vec<_> = (0..100).map(|n| pool.insert(n)).collect();
    for &handle in old[10..20].iter().chain(&old[70..75]).chain(&old[30..31]) {
        pool.remove(handle);
    }
    let (mut live, spawner) = pool.split();
    let mut born: Vec<(Handle<u32>, &mut u32)> = (0..12).map(|n| spawner.spawn_mut(1_000 + n)).collect();
    alloc::refuse_all(|| {
        for &handle in old[..10].iter().chain(&old[60..70]) {
            assert!(live.remove(handle).is_some());
        }
    });
    born.extend((12..60).map(|n| spawner.spawn_mut(1_000 + n)));
    assert!(born.iter().zip(1_000..).all(|((_, value), right)| **value == right));
    let handles: Vec<_> = born.into_iter().map(|(handle, _)| handle).collect();
    assert_eq!(live.values().count(), 64);
    drop((live, spawner));
    assert_eq!((pool.len(), pool.validate()), (124, Ok(())));
    assert!(handles.iter().zip(1_000..).all(|(&handle, right)| pool[handle] == right));
}

#[test]
fn a_closure_that_removes_its_own_handle_is_refused() {
    let mut pool: StablePool<u32> = StablePool::new();
    pool.reserve(64);
    let (mut live, spawner) = pool.split();
    let result = catch_unwind(AssertUnwindSafe(|| {
        spawner.spawn_with(|me| {
            alloc::refuse_all(|| live.remove(me));
            5
        })
    }));
    assert!(result.is_err());
    drop((live, spawner));
    assert_eq!(pool.validate(), Ok(()));
    assert!(pool.is_empty());
}

#[test]
fn lists_are_counted_and_given_back() {
    let mut pool: StablePool<u32> = StablePool::new();
    let before = alloc::bytes();
    let (live, spawner) = pool.split();
    for i in 0..small::or(1_000, 200) {
        spawner.spawn(i);
    }
    drop((live, spawner));
    assert_eq!(usize::try_from(alloc::bytes() - before), Ok(pool.stats().bytes));
    pool.clear();
    pool.shrink_to_fit();
    assert_eq!((alloc::bytes(), pool.stats().bytes), (before, 0));
}
