//! Times work: repeats it until the clock is precise enough, and excludes the preparation.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Work is repeated until a timing is this long: shorter ones measure the clock rather than the
/// work.
const FLOOR: Duration = Duration::from_micros(300);
/// The limit for work that is too fast to reach the floor.
const MOST_REPEATS: u64 = 1 << 20;
/// Timings that are interrupted after each repeat are this many times the floor.
const UNDONE: u32 = 10;
/// The most values in all containers that are prepared together, so that small containers stay in
/// the cache.
const BATCH: usize = 1 << 15;
/// The most values that are prepared for one timing: preparing takes much longer than what is
/// timed.
const PREPARED: usize = 1 << 20;

/// Returns nanoseconds per operation of `work`, which does `operations` per call and can be
/// repeated.
pub fn repeated(operations: usize, mut work: impl FnMut()) -> f64 {
    work(); // Warm-up: caches, branch predictor and page tables.
    let mut repeats = 1;
    loop {
        let elapsed = time(|| (0..repeats).for_each(|_| work()));
        if elapsed >= FLOOR || repeats >= MOST_REPEATS {
            return per_operation(elapsed, repeats * operations as u64);
        }
        repeats = enough(repeats, elapsed);
    }
}

/// Returns nanoseconds per operation of `work`, which consumes its state. Creating and dropping
/// states is not timed.
pub fn prepared<S>(operations: usize, mut prepare: impl FnMut() -> S, mut work: impl FnMut(&mut S)) -> f64 {
    let batch = (BATCH / operations).max(1);
    let mut elapsed = Duration::ZERO;
    let mut done = 0;
    loop {
        let mut states: Vec<S> = (0..batch).map(|_| prepare()).collect();
        elapsed += time(|| states.iter_mut().for_each(&mut work));
        done += batch * operations;
        if elapsed >= FLOOR || done + batch * operations > PREPARED {
            return per_operation(elapsed, done as u64);
        }
    }
}

/// Returns nanoseconds per operation of `work`. After each call `undo`, which is not timed,
/// restores the state. Both are called once before timing starts.
pub fn undone<S>(
    operations: usize,
    state: &mut S,
    mut work: impl FnMut(&mut S),
    mut undo: impl FnMut(&mut S),
) -> f64 {
    let mut elapsed = Duration::ZERO;
    let mut done = 0;
    work(state);
    undo(state);
    while elapsed < FLOOR * UNDONE && done < MOST_REPEATS {
        elapsed += time(|| work(state));
        undo(state);
        done += 1;
    }
    per_operation(elapsed, done * operations as u64)
}

/// The time that reading the clock adds to every timing. It matters where a batch takes less than a
/// microsecond (drop).
static CLOCK: LazyLock<Duration> = LazyLock::new(|| {
    let mut empty: Vec<Duration> = (0..1001).map(|_| time_raw(|| ())).collect();
    empty.sort_unstable();
    empty[empty.len() / 2]
});

fn time(work: impl FnOnce()) -> Duration {
    let clock = *CLOCK;
    time_raw(work).saturating_sub(clock)
}

fn time_raw(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns the next number of repeats: a little more than the last timing requires.
fn enough(repeats: u64, elapsed: Duration) -> u64 {
    let wanted = repeats as f64 * FLOOR.as_secs_f64() * 1.2 / elapsed.as_secs_f64().max(1e-9);
    (wanted as u64).clamp(repeats * 2, MOST_REPEATS)
}

/// Returns nanoseconds per operation. Counts at least one nanosecond, so that no ratio divides by
/// zero.
fn per_operation(elapsed: Duration, operations: u64) -> f64 {
    elapsed.as_nanos().max(1) as f64 / operations as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_until_the_floor() {
        let mut calls = 0_u64;
        let ns = repeated(1, || {
            calls += 1;
            std::thread::sleep(Duration::from_micros(10));
        });
        // On a busy machine one call may take as long as the floor.
        assert!(ns >= 10_000.0 && calls as f64 * ns >= FLOOR.as_nanos() as f64);
    }

    #[test]
    fn each_state_is_used_once() {
        let mut made = 0;
        prepared(
            PREPARED,
            || {
                made += 1;
                0
            },
            |state| {
                *state += 1;
                assert_eq!(*state, 1);
            },
        );
        assert_eq!(made, 1);
    }

    #[test]
    fn enough_is_at_least_twice_as_often() {
        assert_eq!(enough(4, FLOOR), 8);
        assert!(enough(1, Duration::ZERO) > 100_000);
    }
}
