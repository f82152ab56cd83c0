//! Panics in user code: every call of it burns a step of the fuse, and the last step panics.

use std::cell::Cell;

use crate::ledger;
use crate::quiet::catch;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// What a blown fuse panics with.
#[derive(Clone, Copy, Debug)]
pub struct Blown;

/// Lets `calls` calls of user code succeed; the next one panics. After that the fuse is out.
pub fn arm(calls: u32) {
    LEFT.set(Some(calls));
}

/// Takes the fuse out. `true` if it has blown.
#[must_use]
pub fn disarm() -> bool {
    LEFT.take().is_none()
}

/// To be called by all user code: clones, destructors, closures, iterators, comparators.
pub fn burn() {
    match LEFT.get() {
        None => {}
        // A second panic would abort: a full pool that panics drops what did not fit.
        Some(_) if std::thread::panicking() => {}
        Some(0) => {
            LEFT.set(None);
            // Not `panic!`: thousands of these are expected, and none needs a message.
            std::panic::resume_unwind(Box::new(Blown));
        }
        Some(left) => LEFT.set(Some(left - 1)),
    }
}

/// Does something with a fuse of every length, until the fuse does not blow any more, and looks at
/// the result each time. Returns how often it blew.
///
/// # Panics
///
/// When there was another panic than the fuse's, or when values are left over or were dropped
/// twice.
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

/// Burns a step when it is made by default, and when it is dropped.
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
