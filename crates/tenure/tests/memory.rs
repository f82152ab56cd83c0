//! The heap memory of a slot.

use tenure::{Compact, DensePool, FixedPool, Handle, Layout, Pool, StablePool, Table, Wide};
use test_support::alloc::{self, Watched};
use test_support::nested::Outer;
use test_support::{Tracked, ledger, quiet};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

const COUNT: usize = 1_000_000;

#[repr(align(8))]
#[derive(Clone, Copy)]
struct Aligned8([u8; 64]);

/// Heap bytes per value of a full pool that was reserved exactly.
fn per_value<T: Copy, L: Layout>(value: T) -> f64 {
    let before = alloc::bytes();
    let mut pool: Pool<T, Handle<T, L>> = Pool::default();
    pool.reserve_exact(COUNT);
    for _ in 0..COUNT {
        pool.insert(value);
    }
    let used = alloc::bytes() - before;
    assert_eq!(usize::try_from(used), Ok(pool.stats().bytes), "`stats` differs from the allocator");
    used as f64 / COUNT as f64
}

fn at_most<T: Copy>(value: T, limit: f64) {
    let used = per_value::<T, tenure::Wide>(value);
    assert!(used <= limit, "{}: {used} bytes", std::any::type_name::<T>());
    assert!((per_value::<T, Compact>(value) - used).abs() < 0.01, "the layout makes a difference");
}

#[test]
fn a_slot_takes_its_value_and_four_bytes_and_two_bits() {
    at_most((), 8.3);
    at_most(0_u8, 8.3);
    at_most(0_u32, 8.3);
    at_most(0_u64, 16.3);
    at_most([0_u32; 16], 68.3);
    at_most(Aligned8([0; 64]), 72.3);
}

/// Heap bytes per `u64` of a full dense pool that was reserved exactly.
fn per_dense_value<L: Layout>() -> f64 {
    let before = alloc::bytes();
    let mut pool: DensePool<u64, Handle<u64, L>> = DensePool::default();
    pool.reserve_exact(COUNT);
    for value in 0..COUNT {
        pool.insert(value as u64);
    }
    let used = alloc::bytes() - before;
    assert_eq!(usize::try_from(used), Ok(pool.stats().bytes), "`stats` differs from the allocator");
    used as f64 / COUNT as f64
}

#[test]
fn a_row_takes_its_value_its_handle_and_eight_bytes_and_two_bits() {
    let (wide, compact) = (per_dense_value::<Wide>(), per_dense_value::<Compact>());
    assert!(wide <= 24.3 && compact <= 20.3, "{wide} and {compact} bytes");
}

#[test]
fn removing_rows_and_reusing_them_allocates_nothing() {
    let mut pool: DensePool<u64> = (0..10_000).collect();
    let copy = pool.clone();
    let handles: Vec<_> = pool.handles().collect();
    let ((), requests) = alloc::count(|| {
        for &handle in handles.iter().rev().step_by(3) {
            pool.remove(handle);
        }
        while pool.len() < 10_000 {
            pool.insert(0);
        }
        pool.clear();
        pool.clone_from(&copy);
    });
    assert_eq!(requests, 0);
}

#[test]
fn removing_allocates_nothing() {
    let mut pool: Pool<u64> = (0..10_000).collect();
    let handles: Vec<_> = pool.handles().collect();
    let ((), requests) = alloc::count(|| {
        for &handle in handles.iter().rev().step_by(3) {
            pool.remove(handle);
        }
        pool.retain(|_, value| *value % 2 == 0);
        pool.clear();
    });
    assert_eq!(requests, 0);
}

#[test]
fn reusing_allocates_nothing() {
    let mut pool: Pool<u64> = (0..10_000).collect();
    let copy = pool.clone();
    let ((), requests) = alloc::count(|| {
        pool.clear();
        pool.extend(0..10_000);
        pool.clone_from(&copy);
    });
    assert_eq!(requests, 0);
}

#[test]
fn failed_growth_keeps_no_memory() {
    let mut pool: Pool<[u64; 64]> = Pool::new();
    let before = alloc::bytes();
    assert!(alloc::refuse_nth(0, || pool.try_reserve_exact(100_000)).is_err());
    assert!(pool.try_reserve(u32::MAX as usize - 1).is_err(), "two terabytes");
    pool.allow_indices_below(usize::MAX);
    let far = tenure::Handle::from_parts(u32::MAX - 2, 1).unwrap();
    assert!(pool.insert_at(far, [0; 64]).is_err());
    assert_eq!(alloc::bytes(), before);
    assert_eq!(pool.capacity(), 0);
}

#[test]
fn failed_growth_of_a_stable_pool_keeps_no_memory() {
    for nth in 0..40 {
        let mut pool: StablePool<[u64; 8]> = StablePool::new();
        let before = alloc::bytes();
        if alloc::refuse_nth(nth, || pool.try_reserve_exact(10_000)).is_ok() {
            assert!(nth > 20, "only {nth} requests");
            return;
        }
        assert_eq!((alloc::bytes(), pool.capacity()), (before, 0), "request {nth}");
    }
    panic!("more requests than expected");
}

#[test]
fn printing_a_handle_allocates_nothing() {
    use std::fmt::Write;

    struct Sink;
    impl Write for Sink {
        fn write_str(&mut self, _: &str) -> std::fmt::Result {
            Ok(())
        }
    }
    let handle = tenure::Handle::<Aligned8>::from_parts(u32::MAX - 1, 1 << 31).unwrap();
    let (printed, requests) = alloc::count(|| write!(Sink, "{handle} {handle:>40?}"));
    assert!(printed.is_ok());
    assert_eq!(requests, 0);
}

#[test]
fn a_stable_pool_grows_without_copying_values() {
    let ((pool, early), growth) = alloc::growth(|| {
        let pool = StablePool::new();
        let early = pool.insert(Aligned8([7; 64]));
        let address = std::ptr::from_ref(&pool[early]);
        for _ in 1..COUNT {
            pool.insert(Aligned8([0; 64]));
        }
        assert!(std::ptr::eq(address, &raw const pool[early]), "a value has moved");
        (pool, early)
    });
    let slots = COUNT * 72;
    assert!((growth.peak as f64) <= 1.3 * slots as f64, "{growth:?}");
    assert!(growth.copied <= slots / 100, "tables and bits only: {growth:?}");
    assert_eq!(pool[early].0, [7; 64]);
}

#[test]
fn stats_of_a_stable_pool_count_heap_bytes() {
    let before = alloc::bytes();
    let mut pool: StablePool<u64> = (0..10_000).collect();
    assert_eq!(usize::try_from(alloc::bytes() - before), Ok(pool.stats().bytes));
    let handles: Vec<_> = pool.handles().collect();
    for &handle in &handles[1_000..] {
        pool.remove(handle);
    }
    let full = pool.stats().bytes;
    drop(handles);
    pool.shrink_to_fit();
    assert!(pool.stats().bytes < full / 2, "{} of {full} bytes are left", pool.stats().bytes);
    assert_eq!(usize::try_from(alloc::bytes() - before), Ok(pool.stats().bytes));
}

#[test]
fn a_fixed_pool_is_at_most_as_large_as_documented() {
    assert!(size_of::<FixedPool<[u8; 24], 256>>() <= 256 * 33 + 96);
    assert!(size_of::<FixedPool<(), 1>>() <= 33 + 96);
    let (pool, requests) = alloc::count(FixedPool::<[u8; 24], 256>::new);
    assert_eq!((pool.stats().bytes, requests), (0, 0));
}

#[test]
fn a_fixed_capacity_is_allocated_once() {
    let mut pool: Pool<u64> = Pool::with_fixed_capacity(1_000);
    let ((), requests) = alloc::count(|| {
        pool.warm_up();
        for round in 0..3 {
            while pool.try_insert(round).is_ok() {}
            assert_eq!(pool.len(), 1_000);
            pool.shrink_to_fit();
            pool.retain(|handle, _| handle.index() % 3 == 0);
            pool.clear();
            pool.shrink_to_fit();
        }
    });
    assert_eq!((requests, pool.capacity()), (0, 1_000));
}

#[test]
fn a_fixed_capacity_survives_copies() {
    let original: Pool<u64> = (0..5).collect();
    let mut fixed: Pool<u64> = Pool::with_fixed_capacity(5);
    let ((), requests) = alloc::count(|| fixed.clone_from(&original));
    assert_eq!((requests, &fixed), (0, &original));
    for mut pool in [fixed.clone(), fixed] {
        assert!(pool.try_insert(6).is_err());
        assert!(pool.try_reserve(1).is_err());
        assert_eq!(
            pool.try_insert(6).unwrap_err().to_string(),
            "the pool is full: its capacity is fixed, and all slots are in use"
        );
    }
}

#[test]
fn clone_from_of_another_tag_keeps_the_memory() {
    type Tagged = Pool<u64, Handle<u64, tenure::Tagged<4>>>;
    let mut original: Tagged = Pool::with_tag(3);
    let handle = original.insert(1);
    let mut copy: Tagged = Pool::with_tag(5);
    copy.extend(0..100);
    let ((), requests) = alloc::count(|| copy.clone_from(&original));
    assert_eq!((requests, copy.get(handle), copy.len()), (0, Some(&1), 1));
    assert_eq!(copy.validate(), Ok(()));
    assert_eq!(copy.insert(2), original.insert(2));
}

/// Copies an original with many slots into a copy whose rows have room. Memory is refused at every
/// request in turn.
fn refuse_slots<C>(make: impl Fn(bool) -> C, copy_from: impl Fn(&mut C, &C), check: impl Fn(&C, bool)) -> u64 {
    quiet::install();
    let refused = |&nth: &u64| {
        ledger::reset();
        ledger::reserve(1_000);
        let (original, mut copy) = (make(true), make(false));
        let (result, asked) =
            alloc::count(|| alloc::refuse_nth(nth, || quiet::catch(|| copy_from(&mut copy, &original))));
        assert_eq!(result.is_err(), asked > nth, "request {nth}: {result:?}");
        check(&original, false);
        check(&copy, result.is_err());
        drop((original, copy));
        ledger::expect(0).unwrap();
        result.is_err()
    };
    (0..).take_while(refused).count() as u64
}

#[test]
fn a_copy_without_memory_for_its_slots_is_empty() {
    const fn last_slot(has_many: bool) -> u32 {
        if has_many { 1_000 } else { 5 }
    }
    let refused = refuse_slots(
        |has_many| {
            let mut pool: DensePool<Tracked> = (0..5).map(Tracked::new).collect();
            pool.allow_indices_below(2_000);
            pool.insert_at(Handle::from_parts(last_slot(has_many), 1).unwrap(), Tracked::new(5)).unwrap();
            pool
        },
        DensePool::clone_from,
        |pool, is_empty| {
            assert_eq!(pool.validate(), Ok(()));
            assert_eq!((pool.len(), pool.as_slice().len()), if is_empty { (0, 0) } else { (6, 6) });
        },
    );
    assert!(refused > 0);
    let refused = refuse_slots(
        |has_many| {
            let mut table: Table<Outer> = (0..5).map(Outer::new).collect();
            table.allow_indices_below(2_000);
            table.insert_at(Handle::from_parts(last_slot(has_many), 1).unwrap(), Outer::new(5)).unwrap();
            table
        },
        Table::clone_from,
        |table, is_empty| {
            assert_eq!(table.validate(), Ok(()));
            assert_eq!((table.len(), table.values().len()), if is_empty { (0, 0) } else { (6, 6) });
        },
    );
    assert!(refused > 0);
}
