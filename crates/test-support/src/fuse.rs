//! Panics in user code: every call of it burns a step of the fuse, and the last step panics.

use std::cell::Cell;

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
