//! What a panic says, and where it points: at the caller's line, never into the library.

use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::{Mutex, MutexGuard};

use tenure::{Compact, Handle, Pool};

struct Enemy;
type Enemies = Pool<Enemy>;

/// The panic hook belongs to the process, and tests run at the same time.
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
    SEEN.lock().unwrap().take().expect("the hook has seen it")
}

/// The panic must come from the line after the one where this was called.
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
fn indexing_with_handles_that_lead_nowhere() {
    let (mut pool, future) = slot_17(6, 5);
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[future]);
    expect_at(line, &seen, "handle Enemy(17v6) leads nowhere: 17v6 was never issued by this pool");

    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[Handle::NIL]);
    expect_at(line, &seen, "handle Enemy(nil) leads nowhere: the handle is nil");

    let pending = pool.reserve_handle();
    let line = line!() + 1;
    let seen = panic_of(|| _ = &pool[pending]);
    expect_at(line, &seen, "handle Enemy(0v1) leads nowhere: 0v1 is pending: it has no value");
}

#[test]
fn a_full_pool() {
    let mut pool: Pool<u8, u8, Compact<1>> = Pool::default();
    pool.insert(1);
    let full = "the pool is full: its layout has no more slots (`recycle_retired` brings retired ones back)";
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
