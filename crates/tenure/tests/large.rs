//! More slots than one word of any summary covers, which small histories do not reach.

use tenure::{DensePool, FixedPool, Handle, Layout, Pool, StablePool};
use test_support::pool::{FourTenants, Tags};

/// Above 64 × 64 × 64 slots.
const MANY: u32 = 300_000;

/// Makes holes of every width, fills them again, and checks that the pool has not grown and that no
/// handle was issued twice.
macro_rules! holes_are_found_again {
    ($new:expr, $many:expr) => {{
        let many: u32 = $many;
        let mut pool = $new;
        let old: Vec<Handle<u32, _>> = pool.insert_many(0..many).collect();
        let kept = |index: u32| index % 1_000 == 7 || (100_000..100_200).contains(&index);
        pool.retain(|handle, _| kept(handle.index()));
        let left = pool.len();
        pool.validate().unwrap();
        assert!(pool.iter().all(|(handle, value)| handle.index() == *value && kept(*value)));
        assert_eq!(pool.iter_mut().rev().count(), left);

        let capacity = pool.capacity();
        let mut copy = pool.clone();
        let new: Vec<_> = pool.insert_many(left.try_into().unwrap()..many).collect();
        assert_eq!((pool.len(), pool.stats().holes, pool.capacity()), (many as usize, 0, capacity));
        assert!(new.iter().all(|handle| handle.generation() == 2));
        assert!(old.iter().all(|&handle| pool.contains(handle) == kept(handle.index())));
        pool.validate().unwrap();

        // A clone continues in the same way, and so does a pool that was overwritten with
        // `clone_from`.
        let mut overwritten = pool.clone();
        overwritten.clone_from(&copy);
        assert_eq!(copy.insert_many(0..1_000).collect::<Vec<_>>(), new[..1_000]);
        assert_eq!(overwritten.insert_many(0..1_000).collect::<Vec<_>>(), new[..1_000]);
        overwritten.validate().unwrap();

        pool.clear();
        (pool, old.into_iter().chain(new))
    }};
}

/// As above; after shrinking the empty pool no handle resolves.
macro_rules! and_shrinks {
    ($new:expr) => {{
        let (mut pool, mut handles) = holes_are_found_again!($new, MANY);
        pool.shrink_to_fit();
        pool.validate().unwrap();
        assert!(handles.all(|handle| !pool.contains(handle)));
    }};
}

#[test]
fn wide() {
    and_shrinks!(tenure::Wide::pool::<u32>());
    and_shrinks!(tenure::Wide::stable::<u32>());
    and_shrinks!(Pool::<u32>::with_fixed_capacity(MANY as usize));
}

#[test]
fn few_tenants() {
    and_shrinks!(FourTenants::pool::<u32>());
    and_shrinks!(FourTenants::stable::<u32>());
}

/// Above 64 × 64 slots: more would not fit on the stack of a test.
#[test]
fn fixed() {
    let (pool, mut handles) = holes_are_found_again!(FixedPool::<u32, 5_000>::new(), 5_000);
    assert!(handles.all(|handle| !pool.contains(handle)));
}

macro_rules! slots_in_all_states_of {
    ($Pool:ty) => {{
        let mut pool = <$Pool>::default();
        for _ in 0..FourTenants::MAX_TENANTS {
            pool.extend(0..MANY);
            pool.retain(|handle, _| handle.index() % 3 == 0);
            pool.retain(|handle, _| handle.index() % 6 != 0);
        }
        pool.validate().unwrap();
        let taken: Vec<_> = pool.handles().filter(|handle| handle.index() % 5 == 0).collect();
        for &handle in &taken {
            assert!(pool.take(handle).is_some());
        }
        pool.validate().unwrap();
        let stats = pool.stats();
        assert!(stats.retired > 0 && stats.pending == taken.len());
        let slots = stats.live + stats.free + stats.pending + stats.retired;
        pool.extend(0..u32::try_from(stats.free).unwrap());
        assert_eq!((pool.stats().free, pool.stats().pending), (0, taken.len()));
        assert_eq!(pool.stats().live + stats.pending + stats.retired, slots);
        assert_eq!(pool.recycle_retired(), stats.retired);
        assert_eq!(pool.stats().free, stats.retired);
        pool.validate().unwrap();
    }};
}

/// Retired and pending slots are between the free ones.
#[test]
fn slots_in_all_states() {
    slots_in_all_states_of!(Pool<u32, Handle<u32, FourTenants>>);
    slots_in_all_states_of!(StablePool<u32, Handle<u32, FourTenants>>);
}

/// `clone_from` between pools whose sizes differ by more than one word of a summary, both with
/// holes.
macro_rules! overwriting {
    ($Pool:ident) => {{
        let sizes = [0, 3, 100, 5_000, MANY];
        let make = |size: u32| {
            let mut pool: $Pool<u32> = (0..size).collect();
            pool.retain(|handle, _| handle.index() % 100 > 40);
            pool
        };
        for from in sizes {
            for to in sizes {
                let (mut original, mut copy) = (make(from), make(to));
                copy.clone_from(&original);
                copy.validate().unwrap();
                assert!(copy == original);
                let future: Vec<_> = original.insert_many(0..10_000).collect();
                assert_eq!(copy.insert_many(0..10_000).collect::<Vec<_>>(), future, "{from} into {to}");
                copy.validate().unwrap();
            }
        }
    }};
}

#[test]
fn overwriting_larger_and_smaller_pools() {
    overwriting!(Pool);
    overwriting!(StablePool);
}

/// More rows than one block of kept rows, and a last word that is not full. Once with values that
/// are moved and once with values that are swapped.
#[test]
fn removed_rows_and_kept_rows() {
    fn check<T: Clone + PartialEq + std::fmt::Debug>(value: impl Fn(u32) -> T, gone: impl Fn(u32) -> bool) {
        let all: Vec<T> = (0..MANY).map(&value).collect();
        let mut pool: DensePool<T> = all.iter().cloned().collect();
        let mut side: Vec<T> = all.clone();
        let handles: Vec<Handle<T>> = pool.handles().collect();
        let mut many = pool.clone();

        pool.following(&mut side).retain(|handle, _| !gone(handle.index()));
        let left: Vec<u32> = (0..MANY).filter(|&row| !gone(row)).collect();
        assert!(left.iter().map(|&row| &all[row as usize]).eq(pool.as_slice()));
        assert_eq!(side, pool.as_slice());
        assert!(left.iter().map(|&row| handles[row as usize]).eq(pool.handles()));
        assert!(left.iter().enumerate().all(|(to, &row)| pool.row_of(handles[row as usize]) == Some(to)));
        pool.validate().unwrap();

        // From the last row down, and each handle twice.
        let dead = (0..MANY).rev().filter(|&row| gone(row)).map(|row| handles[row as usize]);
        assert_eq!(many.remove_many(dead.clone().chain(dead)), MANY as usize - left.len());
        assert_eq!(many.as_slice(), pool.as_slice());
        assert!(many.handles().eq(pool.handles()));
        many.validate().unwrap();
    }

    let gone: [fn(u32) -> bool; 6] = [
        |row| row.wrapping_mul(0x9e37_79b9) >> 30 == 0,
        |row| row.wrapping_mul(0x9e37_79b9) >> 30 != 0,
        |row| row / 64 % 3 == 1,
        |row| row == MANY - 1,
        |row| row < 2 << 16,
        |_| true,
    ];
    for gone in gone {
        check(|row| row, gone);
        check(|row| row.to_string(), gone);
    }
}
