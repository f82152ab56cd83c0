//! Abstract operations: an operation, and how to pick its handle when it runs.

use crate::action::{Ending, Iterate, Key, Many, Rule, Sort};
use crate::path::Path;

/// One step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `insert`.
    Insert,
    /// `insert_with`, `insert_with_result`.
    InsertWith,
    /// `try_insert`, `try_insert_with`.
    TryInsert,
    /// `insert_many` of this many values.
    InsertMany(u8, Many),
    /// `extend` by this many values.
    Extend(u8),
    /// `reserve_handle`.
    ReserveHandle,
    /// `fill`.
    Fill(Pick),
    /// `insert_at`.
    InsertAt(Pick),
    /// `remove`.
    Remove(Pick),
    /// `take`.
    Take(Pick),
    /// `drain`.
    Drain(Path, Ending),
    /// `extract_if`, at most this many items.
    Extract(Rule, usize),
    /// `retain`.
    Retain(Rule),
    /// `clear`.
    Clear,
    /// `get_mut`, `try_get_mut`.
    Probe(Pick),
    /// `pool[handle]`.
    Index(Pick),
    /// `pool[handle] = …`.
    Change(Pick),
    /// `get_disjoint_mut`.
    Disjoint([Pick; 3]),
    /// `borrow_many`.
    Loans([Pick; 3]),
    /// `handle_at`.
    HandleAt(u32),
    /// `handle_of`.
    HandleOf(Pick),
    /// `{:?}`.
    Print,
    /// One of the iterators.
    Iterate(Iterate, Path),
    /// `reserve`.
    Reserve(usize),
    /// `try_reserve`, `try_reserve_exact`.
    TryReserve(usize),
    /// `reserve_exact`.
    ReserveExact(usize),
    /// `shrink_to_fit`.
    Shrink,
    /// `shrink_to`.
    ShrinkTo(usize),
    /// `recycle_retired`.
    Recycle,
    /// `release_pending`.
    ReleasePending,
    /// `allow_indices_below`.
    ReserveSlots(usize),
    /// `warm_up`.
    WarmUp,
    /// `map_values`.
    Map,
    /// `collect` of this many values.
    Collect(u8),
    /// One of the sorts.
    Sort(Sort, Key),
    /// `apply_order` of an order that is generated from a seed.
    Shuffle(u8),
    /// `apply_order` of an invalid order.
    Misorder(Misorder, u8),
    /// `swap_rows`. Numbers wrap at one row above the last, which does not exist.
    SwapRows(u8, u8),
    /// `remove_ordered`.
    RemoveOrdered(Pick),
    /// `remove_many`.
    RemoveMany([Pick; 3]),
    /// `compact_by_key`.
    Compact(Rule, Key),
    /// The spare container becomes a clone of the main one.
    Snapshot,
    /// `spare.clone_from(&main)`.
    Checkpoint,
    /// `main.clone_from(&spare)`.
    Rollback,
    /// Swaps main and spare, so that histories continue in both.
    Swap,
    /// `main == spare`.
    Compare,
    /// The twin becomes a clone of the main container; both must behave alike.
    Fork,
}

/// The handle for an operation. Numbers wrap, so that every number picks a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One of all handles ever issued; 0 is the newest.
    Issued(u8),
    /// One of the live handles, in the order of iteration.
    Live(u8),
    /// The slot of an issued handle, with a generation this much away.
    Generation(u8, i8),
    /// The generation of an issued handle, with an index this much away.
    Index(u8, i8),
    /// The first index after the slots, plus this much, with this generation.
    Beyond(u16, u8),
    /// An issued handle under another tag.
    Tag(u8, u8),
    /// Any bits.
    Bits(u64),
    /// `NIL`.
    Nil,
}

/// The fault of an invalid order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misorder {
    /// The number of the last row is missing.
    Short,
    /// There is one number too many.
    Long,
    /// A number occurs twice.
    Twice,
    /// A number is too high.
    High,
}
