//! How much is tested. Where every step is slow, as under a sanitizer, there are fewer of them: the
//! variable `RIG_CASES_DIVISOR` says by how much.

use std::sync::LazyLock;

static DIVISOR: LazyLock<u32> = LazyLock::new(|| {
    let given = std::env::var("RIG_CASES_DIVISOR").ok();
    given.map_or(1, |text| text.parse().expect("RIG_CASES_DIVISOR is a number")).max(1)
});

/// So many random cases, or a part of them; at least one.
#[must_use]
pub fn cases(count: u32) -> u32 {
    (count / *DIVISOR).max(1)
}

/// Histories of this length, or, where there are to be fewer, of one step less.
#[must_use]
pub fn depth(steps: u32) -> u32 {
    steps - u32::from(*DIVISOR > 1)
}
