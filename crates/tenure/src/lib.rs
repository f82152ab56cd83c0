//! Generational handles: names that lead to their own value, or to nothing.
//!
//! In a program where things refer to each other and some of them die, a reference does not
//! compile, a raw index silently means somebody else after the slot was reused, and
//! `Rc<RefCell<_>>` is slow and leaks. A [`Handle`] is an index and a *generation*: it leads to
//! exactly the value it was issued for, as long as that lives, and to nothing afterwards. A
//! [`Pool`] holds the values.
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
//!
//! goblins[jar.carrier].health -= 3;
//! goblins.remove(goblin);
//! goblins.insert(Goblin { health: 99 }); // takes over the slot
//!
//! assert!(goblins.get(jar.carrier).is_none()); // the jar is carried by nobody
//! assert_eq!(goblins.try_get(jar.carrier).err().unwrap().to_string(), "0v1 was removed: slot 0 is at v2");
//! ```
//!
//! # What it promises
//!
//! - **A stale handle stays stale**, after any number of reuses, `clear`, `drain`, `retain` and
//!   `shrink_to_fit`: generations go up and never wrap. A slot that has used them up is retired and
//!   counted. Two calls may take a generation back, and only where you ask for it:
//!   [`Pool::insert_at`] of a slot's last tenant, and [`Pool::recycle_retired`], by which *you*
//!   vouch that no old handle is left.
//! - **Every bit pattern is a safe handle.** [`Handle::from_bits`] of anything leads to what was
//!   issued under exactly these bits, or to nothing.
//! - **A failed look-up says why**: [`Pool::try_get`], [`Pool::status`].
//! - **Nothing is lost.** What does not fit comes back in the error ([`pool::InsertMany::finish`]
//!   for many).
//! - **A panic in your code** (clone, drop, closure) leaves a valid pool.
//! - **Walks cost what is alive**, plus one bit per slot.
//! - **`Pool::new` is `const`** and allocates nothing; index 0 is an ordinary index; removing never
//!   allocates.
//! - **The same calls give the same handles**, whatever the capacity.
//! - **`Option<Handle>` costs nothing**, and is all zero bytes when `None`.
//! - `no_std`, and no dependency unless a feature asks for it. A [`FixedPool`] needs no allocator.
//! - **What moves rows tells so**: side data keyed by row can follow every removal and every sort
//!   ([`Table::following`]).
//! - **In a [`StablePool`] no value ever moves**, and values can be added while references to
//!   others, shared or mutable, are held.
//!
//! A handle that is used with *another* pool is not noticed, unless the layout is [`Tagged`].
//! Neither is one that was issued by a clone after the two diverged.
//!
//! # Which container when
//!
//! | you want | take |
//! |---|---|
//! | things that name each other, are born and die | [`Pool<T>`] |
//! | the same, and values that never move: references that stay while others are added, births in a loop | [`StablePool<T>`] |
//! | the same with a memory budget | [`Pool::with_fixed_capacity`] |
//! | the same without an allocator, in a `static` | [`FixedPool<T, N>`](FixedPool) |
//! | the same, and look-ups that always give a value | [`ZiiPool<T>`] |
//! | names only: ids that are reused safely | [`Pool<()>`](Pool) |
//! | 4-byte handles | [`Pool<T, Handle<T, Compact>>`](Compact) |
//! | two pools whose handles must not be mixed up | [`key_type!`], or a tag: `Handle<Tag>` (at compile time), or [`Tagged`] (at run time) |
//! | births and deaths in frames, while everything is borrowed; ids; threads | [`World<E>`](World) |
//! | to walk over everything, all the time; values as one slice | [`DensePool<T>`] |
//! | the same in columns, sorted and compacted without breaking a reference | [`Table<R>`](Table) |
//! | more data about most of the things | [`SideMap<Handle<K>, V>`](SideMap) |
//! | more data about a few of the things | a `HashMap` with [`BuildHandleHasher`] |
//! | things that never die | a `Vec` and indices; you do not need this crate |
//!
//! More about memory: [`docs::memory_kinds`], [`docs::without_allocator`].
//!
//! # How do I …
//!
//! | … | with |
//! |---|---|
//! | keep a reference across frames | store the [`Handle`], call [`get`](Pool::get) when you need the value |
//! | name a thing before it exists | [`reserve_handle`](Pool::reserve_handle), then [`fill`](Pool::fill) |
//! | undo a removal | [`take`](Pool::take) and [`fill`](Pool::fill); [`insert_at`](Pool::insert_at) while the slot is not reused |
//! | use a handle that a server sent | [`Handle::from_bits`] and [`insert_at`](Pool::insert_at) |
//! | hold two `&mut` at once | [`get_disjoint_mut`](Pool::get_disjoint_mut), [`borrow_many`](Pool::borrow_many) |
//! | add while iterating, while references are held | [`StablePool`]: [`insert`](StablePool::insert), [`split`](StablePool::split) |
//! | let things be born and die while walking, and know when it takes effect | [`World::split`], [`World::end_frame`] |
//! | clear handles that no longer resolve | [`World::clear_stale`]; `clear_dangling`, with the feature `relink` |
//! | load into a world that is not empty; merge two | `merge`, with the feature `relink` |
//! | copy values that name each other (a prefab) | `copy_group`, with the feature `relink` |
//! | find dangling handles | `audit`, with the feature `relink` |
//! | let things be born on several threads | [`World::with_jobs`] |
//! | look at others while one is changed | [`Live::for_each_mut`] |
//! | remove while iterating | [`retain`](Pool::retain), [`extract_if`](Pool::extract_if) |
//! | sort without breaking handles | [`Table::sort_by_key`], [`DensePool::as_mut_slice`] |
//! | remove many at once | [`Table::remove_many`], [`Table::retain`] |
//! | upload all values to a GPU | [`DensePool::as_slice`] |
//! | walk several side maps together | [`join`](join()) |
//! | go back to an earlier state every frame | [`clone_from`](Pool#method.clone_from) into a kept copy |
//! | save and load | the feature `serde`: see `docs::saved_form` |
//! | find out why a handle failed | [`try_get`](Pool::try_get), [`status`](Pool::status) |
//! | find the handle of a value I have | [`handle_of`](Pool::handle_of), [`handle_at`](Pool::handle_at) |
//! | walk in parallel | [`par_iter`](Pool#method.par_iter) with the feature `rayon` |
//! | put handles into a GPU buffer or a file | [`Handle::to_bits`], or the feature `bytemuck` |
//! | save a table at the speed of copying it | `Table::to_snapshot`, with the feature `snapshot` |
//!
//! Coming from slotmap, thunderdome, generational-arena, slab, an ECS or Odin? See
//! [`docs::coming_from`]. From pointers, `Rc<RefCell<_>>` or indices? See
//! [`docs::from_references`]. The guide, in the folder `guide` of the repository, has pictures and
//! longer examples for all of this.
//!
//! # Features
//!
//! - `alloc` (on by default): everything that lives on the heap. Without it there is [`FixedPool`].
//! - `derive`: `#[derive(Row)]`, which makes a struct the row of a table, and `#[derive(Relink)]`,
//!   which finds every handle in a type.
//! - `rayon`: parallel walks.
//! - `serde`: saving and loading, exactly: see `docs::saved_form`.
//! - `bytemuck`: `NoUninit`, `CheckedBitPattern` and `ZeroableInOption` for handles. A cast shows
//!   handles as they stand in memory: in the byte order of the machine, and nil is all ones.
//!   [`Handle::to_bits`] gives a number, and 0 for nil; for files and networks, give its bytes an
//!   order (`to_le_bytes`). And raw snapshots of tables: `tenure::snapshot`.
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
