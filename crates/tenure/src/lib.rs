//! Generational handles: small `Copy` keys. Each resolves to the value it was issued for, or to
//! `None`, and not to a later value in the same slot.
//!
//! When values refer to each other and some of them are removed, a plain index still works after
//! its slot was reused, and finds the wrong value. A [`Handle`] is an index and a *generation*.
//! Successive values of a slot have different generations, so an old handle no longer matches. A
//! [`Pool`] holds the values: it is a slot map, or generational arena.
//!
//! ```
//! use tenure::{Handle, Pool};
//!
//! struct Goblin { health: i32 }
//! struct Jar { carrier: Handle<Goblin> }
//!
//! let mut goblins = Pool::new();
//! let goblin = goblins.insert(Goblin { health: 10 });
//! let jar = Jar { carrier: goblin };
//! goblins[jar.carrier].health -= 3;
//!
//! goblins.remove(goblin);
//! goblins.insert(Goblin { health: 99 }); // reuses the slot
//!
//! assert!(goblins.get(jar.carrier).is_none()); // stale: it no longer resolves
//! let why = goblins.try_get(jar.carrier).err().unwrap();
//! // 0v1 is the handle of slot 0, generation 1.
//! assert_eq!(why.to_string(), "0v1 was removed: slot 0 is at v2");
//! ```
//!
//! # Containers
//!
//! | container | what it is |
//! |---|---|
//! | [`Pool<T>`] | a slot map: values keep their index, and move in memory when the pool grows or shrinks; if in doubt, take this one |
//! | [`StablePool<T>`] | a pool whose values never move: insert while others are borrowed |
//! | [`World<E>`](World) | a stable pool with frames: at the end of a frame despawned entities are removed, and iterators begin to visit spawned ones |
//! | [`FixedPool<T, N>`](FixedPool) | a pool of at most `N` values that needs no allocator; in a `static`, put it in a `Mutex` |
//! | [`ZiiPool<T>`] | a pool whose `resolve` returns a default value if the handle does not resolve (ZII, *zero is initialization*) |
//! | [`DensePool<T>`] | values packed into one slice; `remove` moves the last value into the gap |
//! | [`Table<R>`](Table) | rows packed into columns (a struct of arrays); sorting invalidates no handle |
//! | [`SideMap<H, V>`](SideMap) | more data for the handles of another container (slotmap's `SecondaryMap`) |
//!
//! For data that few values have, a `HashMap` with [`BuildHandleHasher`] takes less memory than a
//! side map. `Pool<()>` issues handles and stores no values. If nothing is ever removed, a `Vec`
//! and indices are enough.
//!
//! # Terms
//!
//! | term | meaning |
//! |---|---|
//! | handle | an index and a generation, in one word of 8 or 4 bytes: [`Handle`] |
//! | key | a handle, or a type of your own that wraps one: [`Key`], [`key_type!`] |
//! | kind | the type parameter `K` of a `Handle<K>`: usually the type of the value, so that the handle of a goblin does not compile where that of a jar is expected |
//! | layout | how many bits of a handle are index, generation and tag: [`Wide`], [`Compact`], [`Tagged`] |
//! | tag | a number that you choose for a pool, and that each of its handles contains: [`Tagged`] |
//! | nil | [`Handle::NIL`], which resolves in no container |
//! | slot | the place of one value; slots are reused |
//! | tenant | one of the successive values of a slot: the generation says which one |
//! | stale | a handle whose value was removed, or that was reserved and then released: it no longer resolves |
//! | dangling | a handle that is stored in a value, is not nil, and does not resolve |
//! | pending | a handle that has a slot and no value: it was reserved and is not filled yet, or its value was taken for undo (the [`Live`] half of a split also says so of what the split has spawned) |
//! | retired | a slot that has used up its generations: no insertion reuses it until [`recycle_retired`](Pool::recycle_retired) (but [`insert_at`](Pool::insert_at) can restore its last value) |
//! | frame | in a [`World`], the time between two calls of [`end_frame`](World::end_frame): usually one round of the main loop |
//! | split | the time in which a [`StablePool`] or a [`World`] is borrowed as two halves, [`Live`] to mutate values and [`Spawner`] to spawn others meanwhile: [`split`](StablePool::split) |
//!
//! # What it promises
//!
//! - **A stale handle stays stale** in the container that issued it, after any number of reuses,
//!   after `clear`, `drain`, `retain` and `shrink_to_fit`. Generations do not wrap: a slot that has
//!   used them up is retired.
//! - **Any bits can be looked up.** A handle made by [`Handle::from_bits`] resolves to the value
//!   whose handle has these bits, or to `None`.
//! - **A failed lookup says why**: [`Pool::try_get`], [`Pool::status`].
//! - **Rejected values are returned** in the error of [`Pool::try_insert`], [`Pool::fill`] and
//!   [`Pool::insert_at`] ([`pool::InsertMany::finish`] for many).
//! - **A panic in your code** (`Clone`, `Drop`, a closure) leaves a valid container, and no
//!   value is dropped twice.
//! - **Iteration is O(live values + slots / 64)**; over a [`DensePool`] or a [`Table`], O(live
//!   values).
//! - **`Pool::new` is `const`** and allocates nothing. Removing from a `Pool` does not allocate.
//! - **The same calls give the same handles**, whatever the capacity, the allocator or the
//!   platform.
//! - **`Option<Handle>` is as small as `Handle`**, and is all zero bytes when `None`.
//! - **Values in a [`StablePool`] or a [`World`] do not move.** Values can be added while there are
//!   `&T` to others; in a [split](StablePool::split) also while there are `&mut T`.
//! - **Operations that move rows of a [`Table`] can report the moves**, so that arrays of your own,
//!   indexed by row, stay in step ([`Table::following`]).
//!
//! What limits this:
//!
//! - Going back to an older state brings its generations back: `clone_from` of a checkpoint, an
//!   older save, a restart of the program. A handle that was issued since then may resolve to
//!   another value.
//! - [`Pool::insert_at`] can reissue the handle of a slot's last tenant. [`Pool::recycle_retired`]
//!   reuses retired slots: call it only when no old handle of these slots is left.
//! - [`Pool::insert_with`], [`Pool::try_insert_with`] and [`Pool::insert_with_result`], also of the
//!   other containers, pass a handle to a closure, and so do [`World::spawn_with_result`] and
//!   [`Spawner::spawn_with_result`]. If the closure panics or returns an error, the handle may be
//!   issued again.
//! - A handle that is used with *another* container of the same key type is not detected, unless
//!   the layout is [`Tagged`] and the two have different tags. A clone has the tag of its original,
//!   and issues the same handles.
//! - A handle is not a secret: handles are easy to guess.
//!
//! # How do I …
//!
//! | … | with |
//! |---|---|
//! | refer to a value for longer than a borrow lasts | store the [`Handle`], call [`get`](Pool::get) when you need the value |
//! | issue a handle before the value exists | [`reserve_handle`](Pool::reserve_handle), then [`fill`](Pool::fill) |
//! | undo a removal | [`take`](Pool::take) and [`fill`](Pool::fill); [`insert_at`](Pool::insert_at) while the slot is not reused |
//! | insert a value under a handle that a server sent | [`Handle::from_bits`] and [`insert_at`](Pool::insert_at) |
//! | hold two `&mut` at once | [`get_disjoint_mut`](Pool::get_disjoint_mut), [`borrow_many`](Pool::borrow_many) |
//! | insert while iterating, or while references are held | [`StablePool`]: [`insert`](StablePool::insert), [`split`](StablePool::split) |
//! | spawn and despawn while iterating, and know when it takes effect | [`World::frame`], [`World::end_frame`] |
//! | spawn on several threads | [`World::with_jobs`] |
//! | read other values while one is mutated | [`Live::for_each_mut`] |
//! | remove while iterating | [`retain`](Pool::retain), [`extract_if`](Pool::extract_if); in a split, [`Spawner::despawn`] |
//! | sort without invalidating handles | [`Table::sort_by_key`], [`sort_by_key`](dense::SliceMut::sort_by_key) of [`DensePool::as_mut_slice`] |
//! | remove many at once | [`retain`](Pool::retain); in a table, by a list of handles: [`Table::remove_many`] |
//! | upload all values to a GPU | [`DensePool::as_slice`] |
//! | iterate over a container and its side maps together | [`join`](join()) |
//! | keep a checkpoint every frame, and go back to it | [`clone_from`](Pool#method.clone_from) into a kept copy, and back |
//! | find out why a handle failed | [`try_get`](Pool::try_get), [`status`](Pool::status) |
//! | find the handle of a value (by its address), or of an index | [`handle_of`](Pool::handle_of), [`handle_at`](Pool::handle_at) |
//! | replace handles that do not resolve with nil | kept outside of a world: [`World::clear_stale`] (pending ones, too); inside values: `clear_dangling`; kept outside of a pool: `relink::Transfer`, with `clear_dangling` and `value` (these two keep pending handles, and need the feature `relink`) |
//! | save and load | the feature `serde`: see `docs::saved_form` |
//! | load into a pool or a world that is not empty; copy values that refer to each other; find dangling handles | `merge`, `copy_group` and `audit`, with the feature `relink` |
//! | iterate in parallel | `par_iter`, or `par_chunks_mut` of a table, with the feature `rayon` |
//! | write handles to a GPU buffer or a file | [`Handle::to_bits`], or the feature `bytemuck` |
//! | save a table at the speed of copying it | `Table::to_snapshot`, with the feature `snapshot` |
//! | keep the handles of two pools apart | [`key_type!`] (at compile time), [`Tagged`] (at run time) |
//!
//! Longer pages: [`docs::coming_from`] (slotmap, thunderdome, generational-arena, slab, an ECS, the
//! language Odin), [`docs::from_references`] (from pointers, `Rc<RefCell<_>>` or indices),
//! [`docs::memory_kinds`] (which pool when, and what it costs), [`docs::without_allocator`]. The
//! guide, in the folder `guide` of the repository, has pictures and longer examples.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `alloc` (default) | all containers; without it there is only [`FixedPool`] |
//! | `derive` | `#[derive(Row)]`, which makes a struct the row of a table; with `relink` also `#[derive(Relink)]`, which finds the handles in a value |
//! | `serde` | saving and loading with the same handles: see `docs::saved_form` |
//! | `relink` | merging, copying groups, finding and clearing dangling handles: see `relink` |
//! | `rayon` | parallel iteration |
//! | `bytemuck` | `NoUninit`, `CheckedBitPattern` and `ZeroableInOption` for handles. A cast shows a handle as it is in memory, in the byte order of the machine, and nil as all ones; [`Handle::to_bits`] returns 0 for nil |
//! | `snapshot` | tables of plain data as bytes: see `snapshot` |
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unnameable_types)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "alloc")]
pub mod dense;
pub mod docs;
mod error;
pub mod fixed;
mod handle;
#[cfg(feature = "alloc")]
pub mod join;
mod key;
mod layout;
#[cfg(feature = "alloc")]
mod lifecycle;
pub mod pool;
#[cfg(feature = "alloc")]
pub mod side_map;
mod slots;
#[cfg(feature = "alloc")]
pub mod stable;
mod stats;
mod status;
#[cfg(feature = "alloc")]
mod steps;
#[cfg(feature = "alloc")]
pub mod table;
#[cfg(feature = "alloc")]
pub mod world;
#[cfg(feature = "alloc")]
pub mod zii;

// Behind the containers: rustdoc shows the methods of a type in the order of the modules that have
// them.
mod impls;
#[cfg(feature = "relink")]
pub mod relink;
#[cfg(feature = "snapshot")]
pub mod snapshot;

#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::dense::DensePool;
pub use self::error::{Full, GetDisjointMutError, LoanError, Rejected, Rejection};
// Here, and not where the types are: rustdoc loses the aliases of what it shows in another module.
#[doc(alias("run without an allocator", "no_alloc", "heapless", "embedded", "ArrayVec", "Static_Handle_Map"))]
#[doc(inline)]
pub use self::fixed::FixedPool;
#[doc(alias("SparseSecondaryMap", "HashMap"))]
pub use self::handle::BuildHandleHasher;
#[doc(alias("Key", "DefaultKey", "new_key_type", "Entity", "ABA"))]
#[doc(alias("weak reference", "keep a reference across frames"))]
pub use self::handle::Handle;
pub use self::handle::{HandleHasher, ParseHandleError};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::join::join;
pub use self::key::Key;
#[doc(alias("use 4 byte handles", "4 byte handles", "small handles", "32 bit", "u32"))]
pub use self::layout::Compact;
#[doc(alias("tell two pools handles apart", "foreign handle"))]
pub use self::layout::Tagged;
pub use self::layout::{Layout, Wide, Word};
#[cfg(feature = "alloc")]
pub use self::lifecycle::Live;
#[cfg(feature = "alloc")]
#[doc(alias("CommandBuffer", "command buffer"))]
pub use self::lifecycle::Spawner;
#[doc(inline)]
pub use self::pool::Loans;
#[doc(alias(
    "SlotMap",
    "HopSlotMap",
    "Arena",
    "generational arena",
    "Slab",
    "Handle_Map",
    "object pool",
    "ABA"
))]
#[doc(inline)]
pub use self::pool::Pool;
#[cfg(feature = "relink")]
#[doc(alias("remap", "fix up", "MapEntities"))]
#[doc(inline)]
pub use self::relink::Relink;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::side_map::SideMap;
pub use self::slots::Fault;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::stable::StablePool;
pub use self::stats::Stats;
#[doc(alias("find out why a handle failed", "stale handle", "dangling"))]
pub use self::status::HandleError;
pub use self::status::Status;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::table::{Order, OrderError, Row, Table};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use self::world::{EntityId, World};
#[cfg(feature = "alloc")]
#[doc(alias("zero is initialised", "null object"))]
#[doc(inline)]
pub use self::zii::ZiiPool;
#[cfg(feature = "derive")]
pub use tenure_derive::Row;

/// What the code of `#[derive(Row)]` needs, under names that no user's module can hide.
#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private {
    pub use alloc::collections::TryReserveError;
    pub use alloc::vec::Vec;

    pub use crate::table::{Columns, IntoRows, Kept, Order, Row, TruncateLater, Views};

    pub fn is_row<R: Row>() {}

    /// `#[derive(Row)]` implements it for the struct. If the struct implements `Drop`, that
    /// conflicts with the impl below, and the compiler says so. (The fields of such a struct cannot
    /// be moved into columns: the destructor would be left out, or run without them. The compiler
    /// notices this by itself only where a field is not `Copy`.)
    pub trait RowsMustNotImplementDrop {}

    #[expect(drop_bounds, reason = "the trait itself is meant, and not whether there is something to drop")]
    impl<T: Drop> RowsMustNotImplementDrop for T {}
}

/// What the code of [`key_type!`] needs.
#[doc(hidden)]
pub mod __private_key {
    #[cfg(feature = "bytemuck")]
    pub use bytemuck::{CheckedBitPattern, NoUninit, ZeroableInOption};
    #[cfg(feature = "serde")]
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub use crate::handle::fmt;
}

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
