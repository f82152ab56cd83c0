//! An allocator that counts requests, and refuses them on demand. A test binary installs it:
//!
//! ```
//! use test_support::alloc::Watched;
//!
//! #[global_allocator]
//! static ALLOCATOR: Watched = Watched;
//!
//! let (_, allocations) = test_support::alloc::count(|| Box::new(1));
//! assert_eq!(allocations, 1);
//! ```
#![expect(unsafe_code, reason = "implements an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, observed per thread.
#[derive(Clone, Copy, Debug)]
pub struct Watched;

#[derive(Clone, Copy, Debug)]
struct Watch {
    /// The number of requests so far, including refused ones.
    requests: u64,
    /// The bytes that this thread has allocated, less those it has freed.
    bytes: isize,
    /// The largest value of `bytes` since `peak` was reset.
    peak: isize,
    /// Bytes that were copied because their block could not grow in place.
    copied: usize,
    /// Requests with a number from here to `until` are refused.
    refuse_from: u64,
    refuse_until: u64,
    /// Smaller requests are neither counted nor refused.
    least: usize,
    paused: bool,
}

thread_local! {
    // `const` and without a destructor: the allocator may be called at any time, and must not
    // allocate itself.
    static WATCH: Cell<Watch> = const {
        Cell::new(Watch { requests: 0, bytes: 0, peak: 0, copied: 0, refuse_from: u64::MAX, refuse_until: u64::MAX, least: 0, paused: false })
    };
}

fn update<R>(change: impl FnOnce(&mut Watch) -> R) -> R {
    WATCH.with(|cell| {
        let mut watch = cell.get();
        let result = change(&mut watch);
        cell.set(watch);
        result
    })
}

impl Watch {
    /// Counts a request. Returns `false` if it is to be refused.
    fn grants(&mut self, size: usize) -> bool {
        if self.paused || size < self.least {
            return true;
        }
        let number = self.requests;
        self.requests += 1;
        !(self.refuse_from..self.refuse_until).contains(&number)
    }
}

impl Watch {
    fn got(&mut self, bytes: isize) {
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
    }
}

fn signed(size: usize) -> isize {
    isize::try_from(size).unwrap_or(isize::MAX)
}

// SAFETY: everything is passed on to the system's allocator as it came; a null pointer is a
// refusal.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !update(|watch| watch.grants(layout.size())) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's.
        let got = unsafe { System.alloc(layout) };
        if !got.is_null() {
            update(|watch| watch.got(signed(layout.size())));
        }
        got
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        update(|watch| watch.bytes -= signed(layout.size()));
        // SAFETY: the caller's; all our pointers are the system's.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !update(|watch| watch.grants(size)) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's; all our pointers are the system's.
        let got = unsafe { System.realloc(pointer, layout, size) };
        if !got.is_null() {
            update(|watch| {
                watch.got(signed(size) - signed(layout.size()));
                watch.copied += if got == pointer { 0 } else { layout.size() };
            });
        }
        got
    }
}

/// Returns the number of requests for memory while `what` runs, on this thread.
pub fn count<R>(what: impl FnOnce() -> R) -> (R, u64) {
    let before = WATCH.get().requests;
    let result = what();
    (result, WATCH.get().requests - before)
}

/// How this thread's memory grew while a closure ran.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// The highest number of bytes above those at the start.
    pub peak: isize,
    /// Bytes that were copied because their block could not grow in place.
    pub copied: usize,
}

/// Observes the memory of this thread while a closure runs.
pub fn growth<R>(what: impl FnOnce() -> R) -> (R, Growth) {
    let before = update(|watch| {
        watch.peak = watch.bytes;
        *watch
    });
    let result = what();
    let after = WATCH.get();
    (result, Growth { peak: after.peak - before.bytes, copied: after.copied - before.copied })
}

/// The bytes that this thread has allocated and not freed.
#[must_use]
pub fn bytes() -> isize {
    WATCH.get().bytes
}

/// Returns `true` if the watched allocator is installed.
#[must_use]
pub fn is_watched() -> bool {
    count(|| drop(std::hint::black_box(Box::new(1_u8)))).1 > 0
}

/// Refuses request number `nth` (0 is the next one), and only that one, while `what` runs.
pub fn refuse_nth<R>(nth: u64, what: impl FnOnce() -> R) -> R {
    refuse(nth, 1, what)
}

/// Refuses request number `nth` (0 is the next one) and all after it while `what` runs.
pub fn refuse_from<R>(nth: u64, what: impl FnOnce() -> R) -> R {
    refuse(nth, u64::MAX / 2, what)
}

/// Refuses every request while `what` runs.
pub fn refuse_all<R>(what: impl FnOnce() -> R) -> R {
    refuse(0, u64::MAX / 2, what)
}

fn refuse<R>(nth: u64, how_many: u64, what: impl FnOnce() -> R) -> R {
    update(|watch| {
        watch.refuse_from = watch.requests + nth;
        watch.refuse_until = watch.refuse_from + how_many;
    });
    let _end = OnDrop(|watch| (watch.refuse_from, watch.refuse_until) = (u64::MAX, u64::MAX));
    what()
}

/// Neither counts nor refuses requests for fewer than `least` bytes while `what` runs.
pub fn large_only<R>(least: usize, what: impl FnOnce() -> R) -> R {
    update(|watch| watch.least = least);
    let _end = OnDrop(|watch| watch.least = 0);
    what()
}

/// Neither counts nor refuses while `what` runs: for the memory of the rig itself.
pub fn pause<R>(what: impl FnOnce() -> R) -> R {
    let before = update(|watch| std::mem::replace(&mut watch.paused, true));
    let _end = OnDrop(if before { |_| {} } else { |watch| watch.paused = false });
    what()
}

/// Within [`pause`]: counts and refuses while `what` runs.
pub fn resume<R>(what: impl FnOnce() -> R) -> R {
    let before = update(|watch| std::mem::replace(&mut watch.paused, false));
    let _end = OnDrop(if before { |watch| watch.paused = true } else { |_| {} });
    what()
}

/// Restores the state, also when `what` panics.
struct OnDrop(fn(&mut Watch));

impl Drop for OnDrop {
    fn drop(&mut self) {
        update(self.0);
    }
}
