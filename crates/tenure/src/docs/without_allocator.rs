//! Tenure without an allocator: microcontrollers, kernels, audio threads.
//!
//! Switch the default features off:
//!
//! ```toml
//! [dependencies]
//! tenure = { path = "../tenure/crates/tenure", default-features = false }
//! ```
//!
//! What remains needs `core` only: handles, layouts, errors, and [`FixedPool`](crate::FixedPool),
//! with the methods of [`Pool`](crate::Pool) but those that grow and shrink. A program that uses it
//! links without a global allocator. The folder `embedded` of the repository has one, which the
//! project's checks build and run.
//!
//! # A pool in a `static`
//!
//! [`FixedPool::new`](crate::FixedPool::new) is `const`, and an empty pool is all zero bytes: a
//! `static` pool lies in `.bss`, takes no flash, and exists before `main`. It is mutated through a
//! lock, or what your target has for this.
//!
//! ```
//! use std::sync::Mutex; // or critical_section::Mutex, or what your target has
//! use tenure::{FixedPool, Handle};
//!
//! struct Timer { due: u32 }
//!
//! static TIMERS: Mutex<FixedPool<Timer, 16>> = Mutex::new(FixedPool::new());
//!
//! fn start(due: u32) -> Option<Handle<Timer>> {
//!     // When the pool is full, the error returns the timer.
//!     TIMERS.lock().unwrap().try_insert(Timer { due }).ok()
//! }
//!
//! fn cancel(timer: Handle<Timer>) -> bool {
//!     // Too late, or twice: harmless. Another timer in the same slot is not removed.
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
//! | bits | 1 for each slot, and 40 |
//! | the rest | about 60 |
//!
//! `FixedPool<[u8; 24], 256>` takes 7,520 bytes. With 4-byte handles it is
//! `FixedPool<T, N, Handle<T, Compact>>`, and `EMPTY` instead of `new`.
//!
//! ```
//! use tenure::{Compact, FixedPool, Handle};
//!
//! assert_eq!(size_of::<FixedPool<[u8; 24], 256>>(), 7_520);
//! assert_eq!(size_of::<Handle<u8, Compact>>(), 4);
//! ```
//!
//! # What to expect
//!
//! - Nothing allocates. [`borrow_many`](crate::Pool::borrow_many) keeps its bits on the stack.
//! - Inserting, removing and looking up take the same time whatever the number of values.
//! - A slot that has used up its generations (2³¹ tenants with the default layout, 2,048 with
//!   `Compact`) is [retired](crate::Pool::recycle_retired) and not reused, so a pool with a small
//!   layout loses slots over a long time. `stats().retired` counts them, and `recycle_retired`
//!   brings them back: call it when no old handle of them is left.
