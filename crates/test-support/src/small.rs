//! The size of a test. Under Miri every step takes about a thousand times as long, so counts are
//! small there, and wherever the variable `TENURE_SMALL` is set: `.ci/miri --native` uses it to run
//! the same tests under the ordinary compiler.

use std::sync::OnceLock;

/// Returns whether counts are small.
#[must_use]
pub fn is_on() -> bool {
    static ON: OnceLock<bool> = OnceLock::new();
    cfg!(miri) || *ON.get_or_init(|| std::env::var_os("TENURE_SMALL").is_some())
}

/// Returns `full`, or `small` where counts are small.
#[must_use]
pub fn or<T>(full: T, small: T) -> T {
    if is_on() { small } else { full }
}
