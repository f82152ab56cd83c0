//! A pool whose values never move: a lifecycle without a frame. Values can be added while others
//! are borrowed.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod new;

mod shared;

mod exclusive;
mod traits;

use crate::handle::Handle;
use crate::key::Key;
use crate::lifecycle::Lifecycle;
pub use crate::lifecycle::{
    Handles, Iter, Live, LiveIter, LiveIterMut, LiveLoans, LiveValues, LiveValuesMut, Others, OthersIter,
    OthersValues, PendingHandles, Spawner, Values,
};
#[doc(no_inline)]
pub use crate::pool::Remainder;
use crate::pool::{self, ChunkTable, Chunks};

/// A pool whose values never move, so that values can be inserted through `&self` while references
/// to others are held.
///
/// ```
/// use tenure::StablePool;
///
/// let pool = StablePool::new();
/// let goblin = pool.insert(String::from("goblin"));
/// let name = &pool[goblin];
/// for i in 0..1_000 {
///     pool.insert(format!("{name}'s friend {i}")); // `name` stays valid: nothing moves
/// }
/// assert_eq!(name, "goblin");
/// ```
///
/// There are two phases, and the compiler keeps them apart:
///
/// - **shared** (`&self`): [`insert`](Self::insert), [`insert_with`](Self::insert_with),
///   [`reserve_handle`](Self::reserve_handle), [`fill`](Self::fill), [`get`](Self::get),
///   [`iter`](Self::iter). References stay valid while values are added.
/// - **exclusive** (`&mut self`): [`get_mut`](Self::get_mut), [`remove`](Self::remove),
///   [`retain`](Self::retain) and everything else.
///
/// To mutate values while others are spawned, use [`split`](Self::split).
///
/// # Cost
///
/// Values are stored in chunks, each a quarter as large as all before it (64 slots at least), and a
/// table has a pointer for every 64 slots. A lookup reads that pointer first and takes 1.2 to 1.5
/// times as long as in a [`Pool`](crate::Pool) (figures:
/// [`memory_kinds`](crate::docs::memory_kinds)). Growing copies no value, so no single insertion
/// takes long. The pool is `Send` if `T` is, and never `Sync`.
#[doc(alias("arena", "stable addresses", "bucket", "colony", "hive"))]
pub struct StablePool<T, H: Key = Handle<T>> {
    lifecycle: Lifecycle<T, H::Kind, H::Layout>,
}

/// The iterators and guards of a pool whose values are in chunks.
macro_rules! as_in_chunks {
    ($($name:ident<$($a:lifetime,)? T $(, $F:ident)?> = $Chunks:ident, $method:literal;)*) => {$(
        #[doc = concat!("[`pool::", stringify!($name), "`](pool::", stringify!($name), ") of a stable pool: see ", $method, ".")]
        pub type $name<$($a,)? T $(, $F)?, H = Handle<T>> = pool::$name<$($a,)? T $(, $F)?, H, $Chunks<T>>;
    )*};
}

as_in_chunks! {
    Drain<'a, T> = Chunks, "[`StablePool::drain`]";
    ExtractIf<'a, T, F> = Chunks, "[`StablePool::extract_if`]";
    IntoIter<T> = Chunks, "`for … in pool`";
    IntoValues<T> = Chunks, "[`StablePool::into_values`]";
    IterMut<'a, T> = ChunkTable, "[`StablePool::iter_mut`]";
    Loans<'a, T> = Chunks, "[`StablePool::borrow_many`]";
}

/// [`pool::ValuesMut`] of a stable pool: see [`StablePool::values_mut`].
pub type ValuesMut<'a, T> = pool::ValuesMut<'a, T, ChunkTable<T>>;

/// [`pool::InsertMany`] of a stable pool: see [`StablePool::insert_many`].
pub type InsertMany<'a, T, I, H = Handle<T>> = pool::InsertMany<'a, pool::Pool<T, H, Chunks<T>>, I>;

/// [`pool::ParIter`] of a stable pool or a world: see [`StablePool::par_iter`].
#[cfg(feature = "rayon")]
pub type ParIter<'a, T, H = Handle<T>> = pool::ParIter<'a, T, H, ChunkTable<T>>;

/// [`pool::ParIterMut`] of a stable pool or a world: see [`StablePool::par_iter_mut`].
#[cfg(feature = "rayon")]
pub type ParIterMut<'a, T, H = Handle<T>> = pool::ParIterMut<'a, T, H, ChunkTable<T>>;
