//! Panics in user code: every call of it burns one step of the fuse, and the last step panics.

use std::cell::Cell;

use crate::ledger;
use crate::quiet::catch;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The payload of the fuse's panic.
#[derive(Clone, Copy, Debug)]
pub struct Blown;

/// Lets `calls` calls of user code succeed; the next one panics and disarms the fuse.
pub fn arm(calls: u32) {
    LEFT.set(Some(calls));
}

/// Disarms the fuse. Returns `true` if it has blown.
#[must_use]
pub fn disarm() -> bool {
    LEFT.take().is_none()
}

/// Burns one step. All user code calls it: clones, destructors, closures, iterators, comparators.
pub fn burn() {
    match LEFT.get() {
        None => {}
        // A second panic would abort: a full pool that panics drops the value that did not fit.
        Some(_) if std::thread::panicking() => {}
        Some(0) => {
            LEFT.set(None);
            // Not `panic!`: thousands of these are expected, and no message is needed.
            std::panic::resume_unwind(Box::new(Blown));
        }
        Some(left) => LEFT.set(Some(left - 1)),
    }
}

/// Runs `act` with a fuse of every length, until the fuse does not blow, and checks the result each
/// time. Returns how often it blew.
///
/// # Panics
///
/// If another panic occurs than the fuse's, or if values leak or are dropped twice.
pub fn at_every_step<T>(make: impl Fn() -> T, act: impl Fn(&mut T), mut look: impl FnMut(T, bool)) -> usize {
    let blows = |&calls: &u32| {
        ledger::reset();
        let mut subject = make();
        arm(calls);
        let result = catch(|| act(&mut subject));
        let blown = disarm();
        assert_eq!(result.is_err(), blown, "call {calls}: {result:?}");
        look(subject, blown);
        ledger::expect(0).unwrap();
        blown
    };
    (0..).take_while(blows).count()
}

/// Burns one step in `default`, and one in `drop`.
#[derive(Debug)]
pub struct Tinder;

impl Default for Tinder {
    fn default() -> Self {
        burn();
        Self
    }
}

impl Drop for Tinder {
    fn drop(&mut self) {
        burn();
    }
}
