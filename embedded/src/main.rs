//! Sessions of a small server without an operating system: `no_std`, no allocator, one `static`.
//!
//! In the test the C library starts it and takes its exit code. On a microcontroller the runtime
//! starts it.
#![no_std]
#![no_main]

use core::cell::UnsafeCell;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use tenure::{FixedPool, Handle};

struct Session {
    _peer: [u8; 16],
    bytes: u64,
}

/// All memory that sessions will ever use, in `.bss`.
static SESSIONS: Once<FixedPool<Session, 256>> = Once::new(FixedPool::new());

/// A value that can be borrowed once: enough for a program with one main loop.
struct Once<T> {
    lent: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: `take` returns the reference to one caller only, so no two threads access the value.
unsafe impl<T: Send> Sync for Once<T> {}

impl<T> Once<T> {
    const fn new(value: T) -> Self {
        Self { lent: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[expect(clippy::mut_from_ref, reason = "only the first caller gets the reference")]
    fn take(&self) -> Option<&mut T> {
        // SAFETY: `swap` returns `false` to the first caller only, so there is no other reference.
        if self.lent.swap(true, Ordering::AcqRel) { None } else { Some(unsafe { &mut *self.value.get() }) }
    }
}

/// Opens sessions until there is no room, closes every other one, and opens more. Returns 0 on
/// success.
fn serve(sessions: &mut FixedPool<Session, 256>) -> i32 {
    let mut first: Option<Handle<Session>> = None;
    while let Ok(session) = sessions.try_insert(Session { _peer: [0; 16], bytes: 1 }) {
        first = first.or(Some(session));
    }
    if sessions.len() != 256 {
        return 1;
    }
    sessions.retain(|session, _| session.index() % 2 == 1);
    for session in sessions.values_mut() {
        session.bytes += 1;
    }
    let Ok(reused) = sessions.try_insert(Session { _peer: [1; 16], bytes: 7 }) else { return 2 };
    match first {
        Some(dead) if sessions.get(dead).is_none() && sessions[reused].bytes == 7 => 0,
        _ => 3,
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    SESSIONS.take().map_or(4, serve)
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

#[link(name = "c")]
unsafe extern "C" {}

/// The `core` of a target with an operating system refers to it. Panics abort, so it is never
/// called.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
