//! Programs that must not compile. Each is a `compile_fail` test; the offending line stands alone,
//! so that nothing else can be the reason. `.ci/run` compares the codes of the errors, which
//! `cargo test` does not.
//!
//! A pool of values that are not `Send` is not `Send`:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::Pool<std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::Pool<std::cell::Cell<u8>>>();
//! ```
//! Nor are its iterators:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::pool::Iter<'_, std::cell::Cell<u8>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::pool::IterMut<'_, std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::pool::Drain<'_, std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::pool::IntoIter<std::rc::Rc<()>>>();
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
//! Types that give mutable access are invariant:
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::pool::IterMut<'a, &'static str>) -> tenure::pool::IterMut<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::pool::ValuesMut<'a, &'static str>) -> tenure::pool::ValuesMut<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::pool::Drain<'a, &'static str>) -> tenure::pool::Drain<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::Loans<'a, &'static str>) -> tenure::Loans<'a, &'short str> { long }
//! ```
//! No reference outlives the pool, and a pool is not mutated while it is iterated over:
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
//! Handles of different kinds, and of different layouts, do not mix:
//! ```compile_fail,E0308
//! let mut numbers: tenure::Pool<u8> = tenure::Pool::new();
//! let words: tenure::Pool<String> = tenure::Pool::new();
//! words.get(numbers.insert(1));
//! ```
//! ```compile_fail,E0308
//! let mut wide: tenure::Pool<u8> = tenure::Pool::new();
//! let compact: tenure::Pool<u8, tenure::Handle<u8, tenure::Compact>> = tenure::Pool::default();
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
//! let _ = <tenure::Compact<31> as tenure::Layout>::MAX_SLOTS;
//! ```
//! ```compile_fail,E0080
//! let _ = <tenure::Tagged<31> as tenure::Layout>::MAX_TENANTS;
//! ```
//!
//! # Pools whose values never move
//!
//! Values are inserted through `&self`, without a lock:
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::StablePool<u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::StablePool<std::rc::Rc<()>>>();
//! ```
//! The halves of a split, and iterators, refer to the same pool:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::Live<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::Spawner<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::stable::Iter<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::stable::LiveIterMut<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::stable::Others<'_, u8>>();
//! ```
//! A pool that takes values through `&self` is invariant: no value with a shorter lifetime can be
//! inserted.
//! ```compile_fail,E0597
//! let pool: tenure::StablePool<&'static str> = tenure::StablePool::new();
//! let local = String::from("short-lived");
//! pool.insert(&local);
//! drop(local);
//! assert_eq!(pool.len(), 1);
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: &'a tenure::StablePool<&'static str>) -> &'a tenure::StablePool<&'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::Spawner<'a, &'static str>) -> tenure::Spawner<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::Live<'a, &'static str>) -> tenure::Live<'a, &'short str> { long }
//! ```
//! No reference outlives a removal, or the pool:
//! ```compile_fail,E0502
//! let mut pool = tenure::StablePool::new();
//! let handle = pool.insert(1);
//! let value = pool.get(handle);
//! pool.remove(handle);
//! assert_eq!(value, Some(&1));
//! ```
//! ```compile_fail,E0502
//! let mut pool: tenure::StablePool<u8> = (0..3).collect();
//! for (handle, _) in &pool {
//!     pool.remove(handle);
//! }
//! ```
//! ```compile_fail,E0505
//! let pool: tenure::StablePool<u8> = (0..3).collect();
//! let first = pool.values().next();
//! drop(pool);
//! assert_eq!(first, Some(&0));
//! ```
//! While a pool is split, only its halves are used:
//! ```compile_fail,E0502
//! let mut pool: tenure::StablePool<u8> = tenure::StablePool::new();
//! let (live, spawner) = pool.split();
//! pool.insert(1);
//! drop((live, spawner));
//! ```
//! ```compile_fail,E0499
//! let mut pool: tenure::StablePool<u8> = tenure::StablePool::new();
//! let (live, spawner) = pool.split();
//! pool.clear();
//! drop(spawner);
//! ```
//! A reference to a spawned value does not outlive the split:
//! ```compile_fail,E0505
//! let mut pool: tenure::StablePool<u8> = tenure::StablePool::new();
//! let (live, spawner) = pool.split();
//! let spawned = spawner.spawn_mut(1).1;
//! drop((live, spawner));
//! *spawned = 2;
//! ```
//! No two `&mut` to one value, and no `&mut` together with a `&`:
//! ```compile_fail,E0499
//! let mut pool = tenure::StablePool::new();
//! let handle = pool.insert(1);
//! let (mut live, _spawner) = pool.split();
//! let first = live.get_mut(handle);
//! let second = live.get_mut(handle);
//! assert_eq!(first, second);
//! ```
//! ```compile_fail,E0502
//! let mut pool = tenure::StablePool::new();
//! let handle = pool.insert(1);
//! let (mut live, _spawner) = pool.split();
//! let first = live.get_mut(handle);
//! assert!(live.contains(handle));
//! drop(first);
//! ```
//! ```compile_fail,E0502
//! let mut pool = tenure::StablePool::new();
//! let handle = pool.insert(1);
//! let (mut live, _spawner) = pool.split();
//! let value = live.get(handle);
//! live.remove(handle);
//! assert_eq!(value, Some(&1));
//! ```
//! ```compile_fail,E0499
//! let mut pool: tenure::StablePool<u8> = (0..3).collect();
//! let (mut live, _spawner) = pool.split();
//! for (handle, _) in live.iter_mut() {
//!     live.remove(handle);
//! }
//! ```
//! ```compile_fail,E0521
//! let mut pool: tenure::StablePool<u8> = (0..3).collect();
//! let handle = pool.handle_at(0).unwrap();
//! let (mut live, _spawner) = pool.split();
//! let mut kept = None;
//! live.for_each_mut(|_, others| kept = others.get(handle));
//! ```
//! ```compile_fail,E0521
//! let mut pool: tenure::StablePool<u8> = (0..3).collect();
//! let (mut live, _spawner) = pool.split();
//! let mut kept = Vec::new();
//! live.for_each_mut(|value, _| kept.push(value));
//! ```
//! A pool without an allocator does not grow:
//! ```compile_fail,E0599
//! tenure::FixedPool::<u8, 4>::new().reserve(1);
//! ```
//! ```compile_fail,E0599
//! tenure::FixedPool::<u8, 4>::new().shrink_to_fit();
//! ```
//! A table of values that are not `Send` is not `Send`, and nor are its iterators:
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::DensePool<std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::DensePool<std::cell::Cell<u8>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::dense::Loans<'_, std::rc::Rc<()>>>();
//! ```
//! ```compile_fail,E0277
//! fn is_sync<T: Sync>() {}
//! is_sync::<tenure::dense::Loans<'_, u8>>();
//! ```
//! ```compile_fail,E0277
//! fn is_send<T: Send>() {}
//! is_send::<tenure::table::ChunksMut<'_, Vec<std::rc::Rc<()>>, tenure::Handle<u8>>>();
//! ```
//! Types that give mutable access are invariant:
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::dense::Loans<'a, &'static str>) -> tenure::dense::Loans<'a, &'short str> { long }
//! ```
//! ```compile_fail
//! fn shorten<'a, 'short>(long: tenure::dense::SliceMut<'a, &'static str>) -> tenure::dense::SliceMut<'a, &'short str> { long }
//! ```
//! A part of a slice whose values have handles cannot be sorted alone:
//! ```compile_fail,E0596
//! tenure::DensePool::from([2, 1]).as_mut_slice()[0..2].sort();
//! ```
