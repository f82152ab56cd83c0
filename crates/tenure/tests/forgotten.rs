//! Splits whose halves were forgotten, and splits without memory: unfinished values are never read,
//! reused or lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tenure::{Handle, StablePool, Status};
use test_support::alloc::{self, Watched};
use test_support::small;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// A pool of one value, and the handle of a second one that was spawned in a split whose halves
/// were both forgotten.
fn forgotten() -> (StablePool<u32>, Handle<u32>) {
    let mut pool: StablePool<u32> = StablePool::new();
    pool.insert(7);
    let (live, spawner) = pool.split();
    // The value has the bits of a vacancy, so that code that reads the slot as one is detected.
    let spawned = spawner.spawn(1);
    std::mem::forget((live, spawner));
    (pool, spawned)
}

type Use = fn(&mut StablePool<u32>, Handle<u32>);

/// Each use must find the spawned value in its slot.
#[test]
fn every_use_of_the_pool_finishes_the_split() {
    let uses: [Use; 14] = [
        |pool, spawned| assert_eq!(pool.get(spawned), Some(&1)),
        |pool, spawned| assert!(pool.fill(spawned, 9).is_err()),
        |pool, _| assert_eq!(pool.len(), 2),
        |pool, spawned| assert_eq!(pool.status(spawned), Status::Live),
        |pool, _| assert_eq!(pool.values().sum::<u32>(), 8),
        |pool, spawned| assert_ne!(pool.insert(5), spawned),
        |pool, spawned| assert_ne!(pool.reserve_handle(), spawned),
        |pool, spawned| assert_eq!(pool.remove(spawned), Some(1)),
        |pool, spawned| assert_eq!(pool.take(spawned), Some(1)),
        |pool, spawned| assert_eq!(pool.insert_at(spawned, 3).unwrap(), Some(1)),
        |pool, spawned| assert_eq!(pool.clone().get(spawned), Some(&1)),
        |pool, spawned| assert_eq!(pool.split().0.get(spawned), Some(&1)),
        |pool, _| assert_eq!(pool.drain().count(), 2),
        |pool, spawned| assert_eq!(pool.handle_of(&pool[spawned]), Some(spawned)),
    ];
    for (nth, use_it) in uses.iter().enumerate() {
        let (mut pool, spawned) = forgotten();
        use_it(&mut pool, spawned);
        assert_eq!(pool.validate(), Ok(()), "use {nth}");
    }
}

#[test]
fn removed_values_stay_removed() {
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
fn removing_dead_and_uncommitted_handles_leaks_nothing() {
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
fn without_memory_no_value_is_returned_twice() {
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

/// Slots that are freed at once, for lack of memory, in one word with uncommitted ones: the two are
/// not confused.
#[test]
fn without_memory_spawned_and_freed_slots_share_words() {
    let mut pool: StablePool<u32> = StablePool::new();
    let old: Vec<_> = (0..100).map(|n| pool.insert(n)).collect();
    for &handle in old[10..20].iter().chain(&old[70..75]).chain(&old[30..31]) {
        pool.remove(handle);
    }
    let (mut live, spawner) = pool.split();
    let mut spawned: Vec<(Handle<u32>, &mut u32)> = (0..12).map(|n| spawner.spawn_mut(1_000 + n)).collect();
    alloc::refuse_all(|| {
        for &handle in old[..10].iter().chain(&old[60..70]) {
            assert!(live.remove(handle).is_some());
        }
    });
    spawned.extend((12..60).map(|n| spawner.spawn_mut(1_000 + n)));
    assert!(spawned.iter().zip(1_000..).all(|((_, value), right)| **value == right));
    let handles: Vec<_> = spawned.into_iter().map(|(handle, _)| handle).collect();
    assert_eq!(live.values().count(), 64);
    drop((live, spawner));
    assert_eq!((pool.len(), pool.validate()), (124, Ok(())));
    assert!(handles.iter().zip(1_000..).all(|(&handle, right)| pool[handle] == right));
}

#[test]
fn a_closure_that_removes_its_own_handle_is_rejected() {
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
fn lists_are_counted_in_bytes_and_released() {
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
