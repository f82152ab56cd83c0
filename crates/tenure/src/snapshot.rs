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
//! assert!(loaded.get(slow).is_none()); // still
//! let more = || Particle { x: 0.0, speed: 0.0 };
//! assert_eq!(loaded.insert(more()), particles.insert(more())); // and what comes is named as it would have been
//! # Ok::<(), tenure::snapshot::SnapshotError>(())
//! ```
//!
//! A [`DensePool`](crate::DensePool) of plain values has them too, without an attribute. Plain are
//! numbers, `bool`, `char`, arrays of them, [handles](crate::Handle), and structs that derive
//! bytemuck's `NoUninit` and `CheckedBitPattern` (or `Pod`), and `Default`. An `Option<Handle>` is
//! not: store [`Handle::NIL`](crate::Handle::NIL) instead. For everything else, and for files that
//! must be read on every machine, there is `serde`.
//!
//! # Other machines
//!
//! A snapshot can be loaded on every machine with the same byte order, whatever the size of its
//! pointers and the alignment of its types: one that was written on x86-64 loads on ARM, on
//! WebAssembly and on 32 bits. Almost all machines are little-endian. A snapshot with the other
//! byte order is refused with [`SnapshotError::ByteOrder`]; it is not converted, because the
//! library does not know where the numbers in a value are.
//!
//! A type whose size depends on the machine, like `usize`, is refused where it has another size
//! ([`SnapshotError::Retyped`]).
//!
//! # When the struct changes
//!
//! | the struct has | what happens |
//! |---|---|
//! | a column that the snapshot has not | it is filled with `Default::default()` |
//! | its columns in another order | nothing |
//! | no column for one of the snapshot (it was removed or renamed) | [`SnapshotError::UnknownColumn`] |
//! | a column of another type | [`SnapshotError::Retyped`] |
//! | another skipped field | nothing: those are not saved |
//!
//! A column is known by its name; a field of a nested row by the whole path, like `pos.x`. A type
//! is known by how the struct spells it, and its size. So `Vec2` and `glam::Vec2` are two types,
//! and that an alias means another type of the same size is not noticed. The one column of a
//! `DensePool` has no name, and of its type only the size is known.
//!
//! # What is checked
//!
//! Everything. Bytes that come from somebody else are refused with an error that says what is wrong
//! and where, or give a table that could have been built by calls. Every part is known to be there
//! before memory is asked for: it is at most a few times the size of the snapshot, and what columns
//! take that the snapshot does not have.
//!
//! Whether other values of the same type were saved cannot be noticed: there is no checksum.
//!
//! # The format
//!
//! Version 1. Numbers have the byte order of the machine that writes; the other one is refused. No
//! alignment is asked of the bytes that are read, but values begin at multiples of 64: in a file
//! that is mapped into memory, columns can be used where they lie. The alignment of a value is
//! written for such readers; loading ignores it.
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `\x89tenure\n` |
//! | 8 | 4 | the number 0x01020304, which tells the byte order |
//! | 12 | 4 | version |
//! | 16 | 8 | length of the whole snapshot, in bytes |
//! | 24 | 4, 4, 4 | how many rows, vacant slots, pending slots |
//! | 36 | 4 | tag of the handles |
//! | 40 | 4 | how many tenants new slots count as having had |
//! | 44 | 4 | up to which slot the table has been told to expect handles; 0 if it has not |
//! | 48 | 4 | the slot that is used next; all ones if none is free |
//! | 52 | 4 | the 64 slots (slot ÷ 64) of which those that are free come after that; all ones if there are none |
//! | 56 | 8 | how many columns |
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
/// Goes up when an older library could not read what is written.
const VERSION: u32 = 1;
/// Where the length stands.
const LENGTH_AT: usize = 16;
/// No slot has this index.
const NONE: u32 = u32::MAX;
/// Of everything that there is much of.
const ALIGNMENT: usize = 64;

/// How many slots there are of each kind.
#[derive(Clone, Copy)]
struct Counts {
    rows: u32,
    vacant: u32,
    pending: u32,
}
