//! How many random cases the tests run. The default is a part of them;
//! the variable `RIG_CASES_DIVISOR` sets another one: 1 runs all, and sanitizers take a larger one.

use std::sync::LazyLock;

/// With this divisor running the random histories takes a fraction of compiling them.
const DEFAULT_DIVISOR: u32 = 6;

static DIVISOR: LazyLock<u32> = LazyLock::new(|| {
    let given = std::env::var("RIG_CASES_DIVISOR").ok();
    given.map_or(DEFAULT_DIVISOR, |text| text.parse().expect("RIG_CASES_DIVISOR is a number")).max(1)
});

/// Returns the number of random cases to run: `count` by the divisor, and at least one.
#[must_use]
pub fn cases(count: u32) -> u32 {
    (count / *DIVISOR).max(1)
}

/// Returns the length of exhaustive histories: `steps`, or one step less where there is a divisor.
#[must_use]
pub fn depth(steps: u32) -> u32 {
    steps - u32::from(*DIVISOR > 1)
}

/// Returns the calls of user code that panic, one after the other: all of them, or where there is a
/// divisor the first 24 and every fourth.
pub(crate) fn calls() -> impl Iterator<Item = u32> {
    let stride = if *DIVISOR > 1 { 4 } else { 1 };
    (0..24).chain((24..).step_by(stride))
}

/// Returns `true` where every step is slow, as under a sanitizer: the divisor is 16 or more.
#[must_use]
pub fn is_slow() -> bool {
    *DIVISOR >= 16
}
