//! The messages of panics, and their locations: the caller's line, never a line of the library.

use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::{Mutex, MutexGuard};

use tenure::{Compact, DensePool, Handle, Order, Pool};

struct Enemy;
type Enemies = Pool<Enemy>;

/// The panic hook belongs to the process, and tests run concurrently.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Message, file and line of a panic.
fn panic_of(what: impl FnOnce()) -> (String, String, u32) {
    static SEEN: Mutex<Option<(String, String, u32)>> = Mutex::new(None);
    let _alone = alone();
    let before = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or((String::new(), 0), |place| (place.file().to_owned(), place.line()));
        let message = info.payload().downcast_ref::<String>().cloned();
        let message = message.or_else(|| info.payload().downcast_ref::<&str>().map(|text| (*text).to_owned()));
        *SEEN.lock().unwrap() = Some((message.unwrap_or_default(), place.0, place.1));
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(what));
    panic::set_hook(before);
    assert!(result.is_err(), "it did not panic");
    SEEN.lock().unwrap().take().expect("the hook has run")
}

/// The panic must come from the line after the call of this function.
#[track_caller]
fn expect_at(line: u32, seen: &(String, String, u32), message: &str) {
    assert_eq!(seen.0, message);
    assert_eq!((seen.1.as_str(), seen.2), (file!(), line), "panicked elsewhere, seen from {}", Location::caller());
}

/// A handle to tenant `generation` of slot 17, in a pool where that slot is at `current`.
fn slot_17(generation: u32, current: u32) -> (Enemies, Handle<Enemy>) {
    let mut pool = Enemies::new();
    let at = |generation| Handle::from_parts(17, generation).unwrap();
    pool.insert_at(at(current), Enemy).ok().unwrap();
    (pool, at(generation))
}

#[test]
fn indexing_with_a_stale_handle() {
    let (mut pool, stale) = slot_17(3, 5);
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[stale]);
    expect_at(line, &seen, "stale handle Enemy(17v3): slot 17 is at v5");

    let line = line!() + 1;
    let seen = panic_of(|| pool[stale] = Enemy);
    expect_at(line, &seen, "stale handle Enemy(17v3): slot 17 is at v5");

    pool.clear();
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[stale]);
    expect_at(line, &seen, "stale handle Enemy(17v3): slot 17 is vacant, v5 was its last tenant");
}

#[test]
fn indexing_with_handles_that_do_not_resolve() {
    let (mut pool, future) = slot_17(6, 5);
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[future]);
    expect_at(line, &seen, "handle Enemy(17v6) does not resolve: 17v6 was never issued by this pool");

    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[Handle::NIL]);
    expect_at(line, &seen, "handle Enemy(nil) does not resolve: the handle is nil");

    let pending = pool.reserve_handle();
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[pending]);
    expect_at(line, &seen, "handle Enemy(0v1) does not resolve: 0v1 is pending: it has no value");
}

#[test]
fn a_full_pool() {
    let mut pool: Pool<u8, Handle<u8, Compact<1>>> = Pool::default();
    pool.insert(1);
    let full = "the pool is full: its layout has no more slots (`recycle_retired` makes retired ones usable again)";
    let line = line!() + 1;
    expect_at(line, &panic_of(|| _ = pool.insert(2)), full);
    let line = line!() + 1;
    expect_at(line, &panic_of(|| _ = pool.insert_with(|_| 2)), full);
    let line = line!() + 1;
    expect_at(line, &panic_of(|| _ = pool.reserve_handle()), full);
    let line = line!() + 1;
    expect_at(line, &panic_of(|| pool.extend([2])), full);
}

#[test]
fn no_room() {
    let mut pool: Pool<u64> = Pool::new();
    let line = line!() + 1;
    let seen = panic_of(|| pool.reserve(usize::MAX));
    expect_at(line, &seen, &seen.0.clone());
    assert!(seen.0.starts_with("the pool cannot grow: "), "{}", seen.0);
    let line = line!() + 1;
    let seen = panic_of(|| drop(Pool::<u64>::with_capacity(usize::MAX)));
    expect_at(line, &seen, &seen.0.clone());
}

/// Like [`expect_at`], for a closure on the line of the call, and for the beginning of a message.
#[track_caller]
fn expect_here(message: &str, what: impl FnOnce()) {
    let seen = panic_of(what);
    assert!(seen.0.starts_with(message), "{}", seen.0);
    expect_at(Location::caller().line(), &seen, &seen.0);
}

#[test]
fn rows() {
    let mut pool: DensePool<u8, Handle<u8, Compact<1>>> = DensePool::default();
    let first = pool.insert(1);
    let full = "the pool is full: its layout has no more slots";
    expect_here(full, || _ = pool.insert(2));
    expect_here(full, || _ = pool.insert_with(|_| 2));
    expect_here(full, || pool.extend([2]));
    expect_here(full, || _ = pool.reserve_handle());
    expect_here(full, || _ = DensePool::<u8, Handle<u8, Compact<1>>>::from_iter([1, 2]));
    expect_here("index out of bounds", || pool.swap_rows(0, 1));
    expect_here("index out of bounds", || pool.as_mut_slice().swap(1, 0));
    expect_here("index out of bounds", || _ = &pool.as_mut_slice()[7]);
    expect_here("index out of bounds", || pool.as_mut_slice()[7] = 1);
    expect_here("a piece must have at least one row", || _ = pool.chunks_mut(0));
    expect_here("the pool cannot grow", || pool.reserve(9));
    expect_here("the pool cannot grow", || pool.reserve_exact(9));
    pool.remove(first);
    let stale = "stale handle u8(0v1): slot 0 is vacant, v1 was its last tenant";
    expect_here(stale, || _ = pool[first]);
    expect_here(stale, || pool[first] = 3);
    expect_here("handle u8(nil) does not resolve: the handle is nil", || _ = pool[Handle::NIL]);
    expect_here("the pool cannot grow", || _ = DensePool::<u64>::with_capacity(usize::MAX));
    let wrong = "assertion `left == right` failed: the order is for another number of rows";
    expect_here(wrong, || Order::new(vec![0]).unwrap().gather(&mut vec![1, 2]));
    assert_eq!(pool.validate(), Ok(()));
}
