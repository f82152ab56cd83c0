//! A counting allocator: exactly how many bytes a container asks for.

// The only place where unsafe is needed: `GlobalAlloc` is an unsafe trait.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, c_char};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU8, AtomicUsize, Ordering::Relaxed};

use mimalloc::MiMalloc;

/// The system's allocator or mimalloc, which also counts while [`watch`] runs.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A process in whose environment this stands gets its memory from mimalloc.
pub const MIMALLOC: &CStr = c"VERSUS_MIMALLOC";

/// Chosen by the first allocation and never again: so memory goes back to where it came from.
static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const SYSTEM: u8 = 1;
const OTHER: u8 = 2;

unsafe extern "C" {
    /// The C library's: Rust's own allocates, and this is asked by the allocator.
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
    // SAFETY: the name ends with a zero, and nobody has changed the environment before the first
    // allocation.
    let chosen = if unsafe { getenv(MIMALLOC.as_ptr()) }.is_null() { SYSTEM } else { OTHER };
    CHOSEN.store(chosen, Relaxed);
    chosen
}

/// Off while time is measured: then an allocation costs one load and a predicted branch more, the
/// same for all.
static WATCHING: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
static MOVED: AtomicUsize = AtomicUsize::new(0);

/// Heap bytes of what [`watch`] ran.
#[derive(Debug, PartialEq, Eq)]
pub struct Usage {
    /// Still allocated at the end.
    pub live: usize,
    /// The most at any moment. A growing block counts twice while it grows: allocators that cannot
    /// extend it in place, or remap its pages, hold the old and the new one while they copy.
    pub peak: usize,
}

/// Runs `work` and says what it left on the heap. `work` gives back what shall still be alive when
/// that is read.
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

/// Bytes in use now, of those that [`watch`] has seen.
pub fn live() -> usize {
    bytes(&LIVE)
}

/// The most so far, for [`watch`]ed work that wants to know on the way. See [`Usage::peak`].
pub fn peak() -> usize {
    bytes(&PEAK)
}

/// Bytes of blocks that began elsewhere after they were resized, since [`watch`] began. The
/// allocator has copied them, or (the system's, if they were large) their pages were mapped
/// elsewhere.
pub fn moved() -> usize {
    MOVED.load(Relaxed)
}

/// Brings the allocator into the state in which it stays, so that the first contenders do not pay
/// for fresh pages that later ones find ready. glibc raises its limits for mapping blocks one by
/// one and for giving memory back when a block above the limit and under 32 MiB is freed; after
/// that, such blocks come from the heap, whose pages are touched here.
pub fn settle() {
    const UNDER_THE_LIMIT: usize = (32 << 20) - (64 << 10);
    drop(black_box(Vec::<u8>::with_capacity(UNDER_THE_LIMIT)));
    drop(black_box(vec![1_u8; UNDER_THE_LIMIT - (64 << 10)]));
}

fn bytes(counter: &AtomicIsize) -> usize {
    usize::try_from(counter.load(Relaxed)).unwrap_or(0)
}

/// `size` more bytes are in use.
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

// SAFETY: every call goes to the chosen allocator unchanged, and so does every result.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { if is_system() { System.alloc(layout) } else { MiMalloc.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { if is_system() { System.alloc_zeroed(layout) } else { MiMalloc.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grew(size);
        shrank(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`; `old` came from the chosen allocator.
        let new = unsafe {
            if is_system() { System.realloc(old, layout, size) } else { MiMalloc.realloc(old, layout, size) }
        };
        resized(old, layout.size(), new);
        new
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        shrank(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`; `old` came from the chosen allocator.
        unsafe { if is_system() { System.dealloc(old, layout) } else { MiMalloc.dealloc(old, layout) } }
    }
}
