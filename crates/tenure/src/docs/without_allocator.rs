//! Tenure without an allocator: microcontrollers, kernels, audio threads.
//!
//! Switch the default features off:
//!
//! ```toml
//! [dependencies]
//! tenure = { version = "0.1", default-features = false }
//! ```
//!
//! What is left needs `core` and nothing else: handles, layouts, errors, and
//! [`FixedPool`](crate::FixedPool), with every method of [`Pool`](crate::Pool) but those that grow
//! and shrink. A program that uses it links without a global allocator; the folder `embedded` of
//! the repository holds one, which is built and run by the project's own checks.
//!
//! # A pool in a `static`
//!
//! [`FixedPool::new`](crate::FixedPool::new) is `const`, and an empty pool is all zero: a `static`
//! pool lies in `.bss`, takes no flash, and is there before `main`.
//!
//! ```
//! use std::sync::Mutex; // or critical_section::Mutex, or whatever your target has
//! use tenure::{FixedPool, Handle};
//!
//! struct Timer { due: u32 }
//!
//! static TIMERS: Mutex<FixedPool<Timer, 16>> = Mutex::new(FixedPool::new());
//!
//! fn start(due: u32) -> Option<Handle<Timer>> {
//!     // Full: the timer comes back in the error, and nothing is lost.
//!     TIMERS.lock().unwrap().try_insert(Timer { due }).ok()
//! }
//!
//! fn cancel(timer: Handle<Timer>) -> bool {
//!     // Too late, or twice: harmless. A timer that was reused is not hit.
//!     TIMERS.lock().unwrap().remove(timer).is_some()
//! }
//!
//! let timer = start(100).unwrap();
//! assert!(cancel(timer));
//! assert!(!cancel(timer));
//! ```
//!
//! # How large it is
//!
//! | part | bytes |
//! |---|---|
//! | a slot | the value and 4, rounded up to the value's alignment (4 at least) |
//! | bits | 1 for each slot, and 32 |
//! | the rest | about 60 |
//!
//! `FixedPool<[u8; 24], 256>` takes 7,520 bytes. Handles of 4 bytes come with
//! `FixedPool<T, N, Handle<T, Compact>>`.
//!
//! ```
//! use tenure::{Compact, FixedPool, Handle};
//!
//! assert_eq!(size_of::<FixedPool<[u8; 24], 256>>(), 7_520);
//! assert_eq!(size_of::<Handle<u8, Compact>>(), 4);
//! ```
//!
//! # What never happens
//!
//! - Nothing allocates, also not [`borrow_many`](crate::Pool::borrow_many), which keeps its bits on
//!   the stack.
//! - Inserting, removing and looking up take the same time whatever the number of values.
//! - A slot that has had all its tenants (2³¹ with the default layout, 2,048 with `Compact`) is
//!   [retired](crate::Pool::recycle_retired) and not reused: after very many sessions a pool of a
//!   small layout gets smaller. `stats().retired` tells, and `recycle_retired` brings them back
//!   when you know that no old handle is left.
