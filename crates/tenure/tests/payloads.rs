//! Values of every shape: without size, with a large one, with a large alignment, with a niche.

use std::cell::Cell;
use std::fmt::Debug;

use tenure::{FixedPool, Pool, StablePool, ZiiPool};

/// Fills, thins out, refills, copies and empties a pool, and finds every value where it belongs.
macro_rules! exercise_in {
    ($pool:expr, $make:expr) => {{
        let (mut pool, make) = ($pool, $make);
        let mut expected: Vec<_> = (0..200).map(|n| (pool.insert(make(n)), n)).collect();
        for nth in (0..150).rev().step_by(3) {
            let (handle, n) = expected.swap_remove(nth);
            assert_eq!(pool.remove(handle), Some(make(n)));
        }
        expected.extend((200..300).map(|n| (pool.insert(make(n)), n)));
        let copy = pool.clone();
        for &(handle, n) in &expected {
            assert_eq!(pool[handle], make(n));
            assert_eq!(pool.handle_of(&pool[handle]), Some(handle));
            assert_eq!((&raw const pool[handle]).addr() % align_of::<T>(), 0);
        }
        pool.validate().unwrap();
        assert_eq!(pool, copy);
        expected.sort_unstable();
        let walked: Vec<_> = copy.into_iter().collect();
        assert_eq!(walked, expected.iter().map(|&(handle, n)| (handle, make(n))).collect::<Vec<_>>());
        assert_eq!(pool.drain().count(), expected.len());
    }};
}

fn exercise<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    exercise_on_the_heap(&make);
    exercise_in!(FixedPool::<T, 250>::new(), &make);
}

/// What is too large for the stack.
fn exercise_on_the_heap<T: Clone + PartialEq + Debug>(make: impl Fn(u32) -> T) {
    exercise_in!(Pool::<T>::new(), &make);
    exercise_in!(StablePool::<T>::new(), &make);
    exercise_in!(Pool::<T>::with_fixed_capacity(250), &make);
}

#[test]
fn nothing_at_all() {
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
fn an_iterator_that_lies_about_its_length_is_no_harm() {
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
fn walks_can_be_cloned_half_way() {
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

/// Nil and scratch are two values, and both are fresh.
#[test]
fn zero_is_initialised() {
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
