//! A counting allocator: measures how many bytes a container allocates.

// The only file with unsafe code: `GlobalAlloc` is an unsafe trait.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, c_char};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU8, AtomicUsize, Ordering::Relaxed};

use mimalloc::MiMalloc;

/// The system allocator or mimalloc, with counters that are on while [`watch`] runs.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A process that has this environment variable allocates with mimalloc.
pub const MIMALLOC: &CStr = c"VERSUS_MIMALLOC";

/// Chosen at the first allocation and not changed afterwards, so that every block is freed by the
/// allocator that allocated it.
static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const SYSTEM: u8 = 1;
const OTHER: u8 = 2;

unsafe extern "C" {
    /// The function of the C library. Rust's own allocates, and this one is called by the
    /// allocator.
    fn getenv(name: *const c_char) -> *const c_char;
}

#[inline]
fn is_system() -> bool {
    match CHOSEN.load(Relaxed) {
        UNKNOWN => choose() == SYSTEM,
        chosen => chosen == SYSTEM,
    }
}

#[cold]
fn choose() -> u8 {
    // SAFETY: the name is a C string, and no other thread changes the environment: this is the
    // first allocation, and starting a thread allocates.
    let chosen = if unsafe { getenv(MIMALLOC.as_ptr()) }.is_null() { SYSTEM } else { OTHER };
    CHOSEN.store(chosen, Relaxed);
    chosen
}

/// Off while time is measured: an allocation then costs one load and one predicted branch more, for
/// all contenders alike.
static WATCHING: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
static MOVED: AtomicUsize = AtomicUsize::new(0);

/// The heap usage of a call of [`watch`], in bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Usage {
    /// Still allocated at the end.
    pub live: usize,
    /// The most at any moment. A block that grows counts twice meanwhile: an allocator that can
    /// neither extend it in place nor remap its pages holds the old and the new block while it
    /// copies.
    pub peak: usize,
}

/// Runs `work` and returns its heap usage. The value that `work` returns counts as live: it is
/// dropped after counting has ended.
pub fn watch<R>(work: impl FnOnce() -> R) -> Usage {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    MOVED.store(0, Relaxed);
    WATCHING.store(true, Relaxed);
    let alive = black_box(work());
    WATCHING.store(false, Relaxed);
    drop(alive);
    Usage { live: live(), peak: peak() }
}

/// Returns the bytes that are allocated now, since the last [`watch`] began.
pub fn live() -> usize {
    bytes(&LIVE)
}

/// Returns the peak so far, for work inside [`watch`]. See [`Usage::peak`].
pub fn peak() -> usize {
    bytes(&PEAK)
}

/// Returns the bytes of blocks whose address changed when they were resized, since the last
/// [`watch`] began. The allocator has copied them, or (the system allocator, for large blocks) has
/// remapped their pages.
pub fn moved() -> usize {
    MOVED.load(Relaxed)
}

/// Warms up the allocator, so that the first contenders do not pay for fresh pages that later ones
/// find mapped. When a block above the limit and under 32 MiB is freed, glibc raises its limits for
/// mapping blocks separately and for returning memory. Afterwards such blocks come from the heap,
/// whose pages are touched here.
pub fn warm_up() {
    const UNDER_THE_LIMIT: usize = (32 << 20) - (64 << 10);
    drop(black_box(Vec::<u8>::with_capacity(UNDER_THE_LIMIT)));
    drop(black_box(vec![1_u8; UNDER_THE_LIMIT - (64 << 10)]));
}

fn bytes(counter: &AtomicIsize) -> usize {
    usize::try_from(counter.load(Relaxed)).unwrap_or(0)
}

/// Counts `size` more bytes.
fn grew(size: usize) {
    if WATCHING.load(Relaxed) {
        let live = LIVE.fetch_add(size as isize, Relaxed) + size as isize;
        PEAK.fetch_max(live, Relaxed);
    }
}

fn shrank(size: usize) {
    if WATCHING.load(Relaxed) {
        LIVE.fetch_sub(size as isize, Relaxed);
    }
}

fn resized(old: *mut u8, old_size: usize, new: *mut u8) {
    if WATCHING.load(Relaxed) && old != new {
        MOVED.fetch_add(old_size, Relaxed);
    }
}

// SAFETY: every call is passed to the chosen allocator unchanged, and its result is returned
// unchanged. Counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { if is_system() { System.alloc(layout) } else { MiMalloc.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        unsafe { if is_system() { System.alloc_zeroed(layout) } else { MiMalloc.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grew(size);
        shrank(layout.size());
        // SAFETY: the caller upholds the contract of `realloc`; the choice does not change, so
        // `old` is a block of the chosen allocator.
        let new = unsafe {
            if is_system() { System.realloc(old, layout, size) } else { MiMalloc.realloc(old, layout, size) }
        };
        resized(old, layout.size(), new);
        new
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        shrank(layout.size());
        // SAFETY: the caller upholds the contract of `dealloc`; the choice does not change, so
        // `old` is a block of the chosen allocator.
        unsafe { if is_system() { System.dealloc(old, layout) } else { MiMalloc.dealloc(old, layout) } }
    }
}
