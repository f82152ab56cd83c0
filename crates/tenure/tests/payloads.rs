//! Values of every shape: of size zero, large, with a large alignment, with a niche.

use std::cell::Cell;
use std::fmt::Debug;

use tenure::{DensePool, FixedPool, Handle, Pool, Row, SideMap, StablePool, Table, World, ZiiPool};
use test_support::small;

/// Fills, thins out, refills, copies and empties a pool, and checks every value.
macro_rules! exercise_in {
    ($pool:expr, $make:expr) => {{
        let (mut pool, make) = ($pool, $make);
        let mut expected: Vec<_> = (0..small::or(200, 100)).map(|n| (pool.insert(make(n)), n)).collect();
        for nth in (0..small::or(150, 75)).rev().step_by(3) {
            let (handle, n) = expected.swap_remove(nth);
            assert_eq!(pool.remove(handle), Some(make(n)));
        }
        expected.extend((200..small::or(300, 250)).map(|n| (pool.insert(make(n)), n)));
        let copy = pool.clone();
        for &(handle, n) in &expected {
            assert_eq!(pool[handle], make(n));
            assert_eq!(pool.handle_of(&pool[handle]), Some(handle));
            assert!(is_aligned(&pool[handle]));
        }
        pool.validate().unwrap();
        assert_eq!(pool, copy);
        expected.sort_unstable();
        let items: Vec<_> = copy.into_iter().collect();
        assert_eq!(items, expected.iter().map(|&(handle, n)| (handle, make(n))).collect::<Vec<_>>());
        assert_eq!(pool.drain().count(), expected.len());
    }};
}

fn is_aligned<T>(value: &T) -> bool {
    (&raw const *value).addr() % align_of::<T>() == 0
}

/// Removes every third value of a dense pool, reorders and copies the rest.
fn exercise_dense<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    let mut pool: DensePool<T> = DensePool::new();
    let mut expected: Vec<_> = (0..100).map(|n| (pool.insert(make(n)), n)).collect();
    for nth in (0..75).rev().step_by(3) {
        let (handle, n) = expected.swap_remove(nth);
        assert_eq!(pool.remove(handle), Some(make(n)));
    }
    pool.apply_order(&(0..75).map(|row| row * 37 % 75).collect::<Vec<_>>()).unwrap();
    let mut copy = pool.clone();
    copy.clone_from(&pool);
    assert!(expected.iter().all(|&(handle, n)| copy[handle] == make(n) && is_aligned(&copy[handle])));
    copy.validate().unwrap();
    assert_eq!(copy, pool);
    assert_eq!((pool.drain().count(), copy.into_iter().count()), (expected.len(), expected.len()));
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Columns<T> {
    number: u8,
    value: T,
}

/// The same with a second column.
fn exercise_table<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    let row = |n: u32| Columns { number: n.to_le_bytes()[0], value: make(n) };
    let mut table: Table<Columns<T>> = Table::new();
    let mut expected: Vec<_> = (0..100).map(|n| (table.insert(row(n)), n)).collect();
    for nth in (0..75).rev().step_by(3) {
        let (handle, n) = expected.swap_remove(nth);
        assert_eq!(table.remove(handle), Some(row(n)));
    }
    table.reserve(100);
    let copy = table.clone();
    for &(handle, n) in &expected {
        let found = copy.get(handle).unwrap();
        assert_eq!((*found.number, found.value), (row(n).number, &make(n)));
        assert!(is_aligned(found.value));
    }
    copy.validate().unwrap();
    assert_eq!((table.drain().count(), copy.into_iter().count()), (expected.len(), expected.len()));
}

/// Values of a side map whose owner reuses its slots.
fn exercise_side_map<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    let mut owner: Pool<u32> = Pool::new();
    let mut map: SideMap<Handle<u32>, T> = SideMap::new();
    let old: Vec<_> = owner.insert_many(0..100).collect();
    old.iter().zip(0..).for_each(|(&handle, n)| assert_eq!(map.insert(&owner, handle, make(n)).unwrap(), None));
    old.iter().step_by(2).for_each(|&handle| _ = owner.remove(handle));
    let new: Vec<_> = owner.insert_many(100..120).collect();
    new.iter().zip(100..).for_each(|(&handle, n)| _ = map.insert(&owner, handle, make(n)).unwrap());
    assert_eq!(map.retain_live(&owner), 30);
    assert!(new.iter().zip(100..).all(|(&handle, n)| map[handle] == make(n) && is_aligned(&map[handle])));
    assert_eq!((map.remove(old[1]), map.remove(old[0])), (Some(make(1)), None));
    let copy = map.clone();
    copy.validate().unwrap();
    assert_eq!((map.drain().count(), copy.iter().count()), (69, 69));
}

/// Entities that are spawned in a frame, in a split and in jobs.
fn exercise_world<T: Clone + PartialEq + Debug + Send>(make: impl Fn(u32) -> T) {
    let mut world: World<T> = World::new();
    let old: Vec<_> = (0..100).map(|n| world.spawn(make(n))).collect();
    world.end_frame();
    let (mut live, spawner) = world.split();
    let mut new = Vec::new();
    for (n, value) in (0..10).zip(live.values_mut()) {
        assert!(is_aligned(value));
        *value = make(n + 1);
        new.push((spawner.spawn(make(n + 200)), n + 200));
    }
    drop((live, spawner));
    old[90..].iter().for_each(|&handle| _ = world.despawn(handle));
    world.end_frame();
    world.with_jobs(64, 2, |jobs| {
        for mut job in jobs {
            let n = 300 + u32::try_from(job.number).unwrap();
            new.push((job.spawner.spawn(make(n)), n));
        }
    });
    world.end_frame();
    let copy = world.clone();
    copy.validate().unwrap();
    assert!(new.iter().all(|&(handle, n)| copy[handle] == make(n) && is_aligned(&copy[handle])));
    assert!(old[..10].iter().zip(1..).all(|(&handle, n)| copy[handle] == make(n)));
    assert_eq!(copy.len(), 90 + new.len());
    world.clear_all();
    assert!(world.is_empty());
}

/// Resolves nil, and the handle of a removed value.
fn exercise_zii<T: Clone + Default + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    let mut pool: ZiiPool<T> = ZiiPool::new();
    let handles: Vec<_> = (0..100).map(|n| pool.insert(make(n))).collect();
    handles.iter().step_by(3).for_each(|&handle| _ = pool.remove(handle));
    for (n, &handle) in (0..).zip(&handles) {
        let right = if n % 3 == 0 { T::default() } else { make(n) };
        assert_eq!(*pool.resolve(handle), right);
        assert!(is_aligned(pool.resolve(handle)));
        *pool.resolve_mut(handle) = make(n + 1);
    }
    assert_eq!(*pool.resolve(handles[0]), T::default());
    assert_eq!(pool.clone().into_inner().len(), 66);
}

#[test]
fn zero_sized_values_in_rows_maps_and_worlds() {
    exercise_dense(|_| ());
    exercise_table(|_| ());
    exercise_side_map(|_| ());
    exercise_world(|_| ());
    exercise_zii(|_| ());
}

#[test]
fn strictly_aligned_values_in_rows_maps_and_worlds() {
    #[derive(Clone, Debug, Default, PartialEq)]
    #[repr(align(128))]
    struct Lines(u32);
    #[derive(Clone, Debug, Default, PartialEq)]
    #[repr(align(64))]
    struct Nothing;
    exercise_dense(Lines);
    exercise_table(Lines);
    exercise_side_map(Lines);
    exercise_world(Lines);
    exercise_zii(Lines);
    exercise_dense(|_| Nothing);
    exercise_table(|_| Nothing);
    exercise_side_map(|_| Nothing);
    exercise_world(|_| Nothing);
    exercise_zii(|_| Nothing);
}

#[test]
fn values_that_own_memory_in_rows_maps_and_worlds() {
    let text = |n: u32| n.to_string();
    exercise_dense(text);
    exercise_table(text);
    exercise_side_map(text);
    exercise_world(text);
    exercise_zii(text);
}

fn exercise<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    exercise_on_the_heap(&make);
    exercise_in!(FixedPool::<T, 250>::new(), &make);
}

/// For values that are too large for the stack.
fn exercise_on_the_heap<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    exercise_in!(Pool::<T>::new(), &make);
    exercise_in!(StablePool::<T>::new(), &make);
    exercise_in!(Pool::<T>::with_fixed_capacity(250), &make);
}

#[test]
fn zero_sized_values() {
    exercise(|_| ());
    exercise(|_| [0_u64; 0]);
}

#[test]
fn small_values() {
    exercise(|n| n.to_le_bytes()[0]);
    exercise(|n| n % 2 == 0);
    exercise(|n| (n % 3 == 0).then_some(n));
    exercise(|n| std::num::NonZeroU32::new(n + 1));
}

#[test]
fn values_that_own_memory() {
    exercise(|n| n.to_string());
    exercise(|n| vec![n; 3]);
    exercise(Box::new);
}

#[test]
fn large_and_strictly_aligned_values() {
    #[derive(Clone, Debug, PartialEq)]
    #[repr(align(64))]
    struct Line(u32);
    #[derive(Clone, Debug, PartialEq)]
    #[repr(align(4096))]
    struct Page(u8);
    exercise(|n| [u64::from(n); 33]);
    exercise(Line);
    exercise_on_the_heap(|n| Page(n.to_le_bytes()[0]));
}

#[test]
fn destructors_of_values_without_size_run_once_each() {
    thread_local! { static DROPS: Cell<u32> = const { Cell::new(0) }; }
    struct Nothing;
    impl Drop for Nothing {
        fn drop(&mut self) {
            DROPS.set(DROPS.get() + 1);
        }
    }
    let mut pool: Pool<Nothing> = (0..10).map(|_| Nothing).collect();
    let first = pool.handle_at(0).unwrap();
    drop(pool.remove(first));
    assert_eq!(DROPS.get(), 1);
    pool.retain(|handle, _| handle.index() > 3);
    assert_eq!(DROPS.get(), 4);
    std::mem::forget(pool.drain().next());
    assert_eq!(DROPS.get(), 9);
    drop(pool);
    assert_eq!(DROPS.get(), 9);
}

#[test]
fn extend_by_reference() {
    let mut pool = Pool::new();
    pool.extend(&[1, 2, 3]);
    pool.extend(vec![4, 5]);
    assert_eq!(pool.values().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

#[test]
fn an_iterator_with_a_wrong_size_hint_is_harmless() {
    struct Liar(u32);
    impl Iterator for Liar {
        type Item = u32;
        fn next(&mut self) -> Option<u32> {
            self.0 = self.0.checked_sub(1)?;
            Some(self.0)
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (usize::MAX, Some(0))
        }
    }
    let mut pool = Pool::new();
    assert_eq!(pool.insert_many(Liar(5)).count(), 5);
    pool.extend(Liar(5));
    assert_eq!(pool.len(), 10);
}

#[test]
fn iterators_can_be_cloned_half_way() {
    let pool: Pool<u32> = (0..200).collect();
    let mut items = pool.iter();
    let mut values = pool.values();
    let mut handles = pool.handles();
    for _ in 0..70 {
        items.next();
        values.next_back();
        handles.next();
    }
    assert!(items.clone().eq(items));
    assert!(values.clone().rev().eq(values.rev()));
    assert!(handles.clone().eq(handles));
}

/// Nil and scratch are two values, and scratch is reset to the default each time.
#[test]
fn zii_pools_resolve_dead_handles_to_defaults() {
    let mut pool: ZiiPool<u32> = ZiiPool::new();
    let handle = pool.insert(7);
    assert_eq!(*pool.resolve(handle), 7);
    pool.remove(handle);
    *pool.resolve_mut(handle) = 9;
    assert_eq!((*pool.resolve(handle), *pool.resolve_mut(handle)), (0, 0));
    assert_eq!(pool.insert(1).index(), 0);
    let mut copy = pool.clone();
    copy.clone_from(&pool);
    assert_eq!(copy.into_inner(), pool.into_inner());
}
