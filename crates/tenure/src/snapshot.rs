//! Raw snapshots: tables of plain data as bytes, written and read at the speed of copying. Needs
//! the feature `snapshot`.
//!
//! ```
//! use tenure::{Row, Table};
//!
//! #[derive(Row)]
//! #[row(snapshot)]
//! struct Particle { x: f32, speed: f32 }
//!
//! let mut particles = Table::new();
//! let slow = particles.insert(Particle { x: 0.0, speed: 0.5 });
//! let fast = particles.insert(Particle { x: 4.0, speed: 1.5 });
//! particles.remove(slow);
//! let saved: Vec<u8> = particles.to_snapshot();
//!
//! let mut loaded: Table<Particle> = Table::from_snapshot(&saved)?;
//! assert_eq!(*loaded.get(fast).unwrap().x, 4.0);
//! assert!(loaded.get(slow).is_none()); // still dead
//! let more = || Particle { x: 0.0, speed: 0.0 };
//! assert_eq!(loaded.insert(more()), particles.insert(more())); // the next handle is the same
//! # Ok::<(), tenure::snapshot::SnapshotError>(())
//! ```
//!
//! A [`DensePool`](crate::DensePool) of plain values has snapshots, too, without an attribute.
//! Plain values are numbers, `bool`, `char`, arrays of them, [handles](crate::Handle), and structs
//! that derive bytemuck's `NoUninit` and `CheckedBitPattern` (or `Pod`), and `Default`. An
//! `Option<Handle>` is not: store [`Handle::NIL`](crate::Handle::NIL) instead. For other values,
//! and for files that must be read on every machine, use `serde`.
//!
//! # Other machines
//!
//! A snapshot can be loaded on every machine with the same byte order, whatever the size of its
//! pointers and the alignment of its types: one that was written on x86-64 loads on ARM, on
//! WebAssembly and on 32 bits. Almost all machines are little-endian. A snapshot with the other
//! byte order is rejected with [`SnapshotError::ByteOrder`]; it is not converted, because the
//! library does not know where the numbers in a value are.
//!
//! A type whose size depends on the machine, like `usize`, is rejected where it has another size
//! ([`SnapshotError::Retyped`]).
//!
//! # When the struct changes
//!
//! | the struct has | what happens |
//! |---|---|
//! | a column that the snapshot does not have | it is filled with `Default::default()` |
//! | its columns in another order | nothing |
//! | no column for one of the snapshot (it was removed or renamed) | [`SnapshotError::UnknownColumn`] |
//! | a column of another type | [`SnapshotError::Retyped`] |
//! | another skipped field | nothing: those are not saved |
//!
//! A column is identified by its name; a field of a nested row by the whole path, like `pos.x`. A
//! type is identified by its spelling in the struct, and its size. So `Vec2` and `glam::Vec2` are
//! two types, and an alias that now stands for another type of the same size is not noticed. The
//! one column of a `DensePool` has no name, and its type is identified by its size only.
//!
//! # What is checked
//!
//! Everything. Foreign bytes are rejected with an error that has the reason and the position, or
//! give a table that could have been built by calls. Memory is allocated only for parts that the
//! snapshot contains: at most a few times the size of the snapshot, and the columns that the
//! snapshot does not have.
//!
//! There is no checksum: if the bytes of a value were replaced by those of another valid value,
//! loading does not notice it.
//!
//! # The format
//!
//! Version 1. Numbers have the byte order of the writing machine; the other byte order is rejected.
//! The bytes that are read need no alignment, but values begin at multiples of 64: in a
//! memory-mapped file, columns can be used in place. The alignment of a value is written for such
//! readers; loading ignores it.
//!
//! | at | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `\x89tenure\n` |
//! | 8 | 4 | the number 0x01020304, which identifies the byte order |
//! | 12 | 4 | version |
//! | 16 | 8 | length of the whole snapshot, in bytes |
//! | 24 | 4, 4, 4 | the numbers of rows, vacant slots and pending slots |
//! | 36 | 4 | tag of the handles |
//! | 40 | 4 | the generation after which new slots start |
//! | 44 | 4 | the limit of `allow_indices_below`; 0 if it was not called |
//! | 48 | 4 | the slot that is used next; all ones if none is free |
//! | 52 | 4 | the word (slot ÷ 64) whose free slots are used after that; all ones if there is none |
//! | 56 | 8 | the number of columns |
//! | 64 | | for every column: length of its name, length of the name of its type, size and alignment of a value (8 bytes each), and both names, in UTF-8 |
//! | | | *zeros up to a multiple of 64* |
//! | | 8 each | for every row, in their order: index and generation of its handle (4 bytes each) |
//! | | | *zeros up to a multiple of 64* |
//! | | 8 each | for every vacant slot: its index, and the generation of its last tenant, or 0 |
//! | | | *zeros up to a multiple of 64* |
//! | | 8 each | for every pending slot: its index, and the generation of its handle |
//! | | | for every column: *zeros up to a multiple of 64*, and the values |

mod columns;
mod error;
mod read;
mod write;

pub use self::columns::{Field, List, RawColumns, Source};
pub use self::error::SnapshotError;

const MAGIC: [u8; 8] = *b"\x89tenure\n";
const BYTE_ORDER: u32 = 0x0102_0304;
/// Incremented when an older library could not read what is written.
const VERSION: u32 = 1;
/// The position of the length.
const LENGTH_AT: usize = 16;
/// No slot has this index.
const NONE: u32 = u32::MAX;
/// The alignment of the large parts.
const ALIGNMENT: usize = 64;

/// The number of slots of each kind.
#[derive(Clone, Copy)]
struct Counts {
    rows: u32,
    vacant: u32,
    pending: u32,
}
