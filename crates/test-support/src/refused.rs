//! What the compiler must refuse. Each is a `compile_fail` test; the line that must not compile stands alone, so that
//! nothing else can be the reason.
//!
//! A pool of values that must stay on their thread stays there:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::Pool<std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::Pool<std::cell::Cell<u8>>>();
//! ```
//! So do its iterators:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::iter::Iter<'_, std::cell::Cell<u8>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::iter::IterMut<'_, std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::iter::Drain<'_, std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::iter::IntoIter<std::rc::Rc<()>>>();
//! ```
//! Loans give out `&mut` through `&self`, without a lock:
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::Loans<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::Loans<'_, std::rc::Rc<()>>>();
//! ```
//! What is written through is invariant:
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::iter::IterMut<'a, &'static str>) -> tenure::iter::IterMut<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::iter::ValuesMut<'a, &'static str>) -> tenure::iter::ValuesMut<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::iter::Drain<'a, &'static str>) -> tenure::iter::Drain<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::Loans<'a, &'static str>) -> tenure::Loans<'a, &'short str> { long }
//! ```
//! Nothing outlives the pool, and a pool does not change under a walk:
//! ```compile_fail,E0597
//! let first = {
//!     let mut pool = tenure::Pool::new();
//!     let handle = pool.insert(1);
//!     pool.get(handle)
//! };
//! assert!(first.is_some());
//! ```
//! ```compile_fail,E0502
//! let mut pool: tenure::Pool<u8> = (0..3).collect();
//! for (handle, _) in &pool {
//!     pool.remove(handle);
//! }
//! ```
//! ```compile_fail,E0505
//! let mut pool: tenure::Pool<u8> = (0..3).collect();
//! let handle = pool.handle_at(0).unwrap();
//! let loans = pool.borrow_many();
//! let lent = loans.get_mut(handle).unwrap();
//! drop(pool);
//! *lent = 1;
//! ```
//! A handle of one kind is none of another, and layouts do not mix:
//! ```compile_fail,E0308
//! let mut numbers: tenure::Pool<u8> = tenure::Pool::new();
//! let words: tenure::Pool<String> = tenure::Pool::new();
//! words.get(numbers.insert(1));
//! ```
//! ```compile_fail,E0308
//! let mut wide: tenure::Pool<u8> = tenure::Pool::new();
//! let compact: tenure::Pool<u8, u8, tenure::Compact> = tenure::Pool::default();
//! compact.get(wide.insert(1));
//! ```
//! Layouts are sealed, and have limits:
//! ```compile_fail,E0277
//! #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
//! struct Mine;
//! impl tenure::Layout for Mine {
//!     type Bits = u32;
//!     const INDEX_BITS: u32 = 20;
//!     const TAG_BITS: u32 = 0;
//! }
//! ```
//! ```compile_fail,E0080
//! let _: tenure::Pool<u8, u8, tenure::Compact<31>> = tenure::Pool::default();
//! let _ = <tenure::Compact<31> as tenure::Layout>::MAX_SLOTS;
//! ```
//! ```compile_fail,E0080
//! let _ = <tenure::Tagged<31> as tenure::Layout>::MAX_TENANTS;
//! ```
