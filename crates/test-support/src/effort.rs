//! The number of random cases. Where every step is slow, as under a sanitizer, the variable
//! `RIG_CASES_DIVISOR` divides it.

use std::sync::LazyLock;

static DIVISOR: LazyLock<u32> = LazyLock::new(|| {
    let given = std::env::var("RIG_CASES_DIVISOR").ok();
    given.map_or(1, |text| text.parse().expect("RIG_CASES_DIVISOR is a number")).max(1)
});

/// Returns `count` divided by the divisor, at least 1.
#[must_use]
pub fn cases(count: u32) -> u32 {
    (count / *DIVISOR).max(1)
}

/// Returns `steps`, or one less if there is a divisor.
#[must_use]
pub fn depth(steps: u32) -> u32 {
    steps - u32::from(*DIVISOR > 1)
}
