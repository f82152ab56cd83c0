//! Abstract operations: what to do, to a handle that is picked when it is done.

use crate::action::{Ending, Key, Many, Rule, Sort, Walk};
use crate::path::Path;

/// One step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `insert`.
    Insert,
    /// `insert_with`.
    InsertWith,
    /// `try_insert`.
    TryInsert,
    /// `insert_many` of so many values.
    InsertMany(u8, Many),
    /// `extend` by so many values.
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
    /// `extract_if`, at most so many.
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
    /// A walk.
    Walk(Walk, Path),
    /// `reserve`.
    Reserve(usize),
    /// `try_reserve`.
    TryReserve(usize),
    /// `reserve_exact`.
    ReserveExact(usize),
    /// `shrink_to_fit`.
    Shrink,
    /// `recycle_retired`.
    Recycle,
    /// `release_pending`.
    ReleasePending,
    /// `allow_indices_below`.
    ReserveSlots(usize),
    /// `map_values`.
    Map,
    /// `collect` of so many values.
    Collect(u8),
    /// One of the sorts.
    Sort(Sort, Key),
    /// `apply_order` of an order that noise makes.
    Shuffle(u8),
    /// `apply_order` of what is no order.
    Misorder(Misorder, u8),
    /// `swap_rows`. Numbers wrap behind the last row and one more, which does not exist.
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
    /// Main and spare change places, so that histories go on in both.
    Swap,
    /// `main == spare`.
    Compare,
    /// The twin becomes a clone of the main container; both must go on alike.
    Fork,
}

/// Which handle an operation is about. Numbers wrap, so that every number picks something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One of all that were ever issued; 0 is the newest.
    Issued(u8),
    /// One of those that are live now, in the order of a walk.
    Live(u8),
    /// Of the slot of an issued handle, so many generations away.
    Generation(u8, i8),
    /// Under the generation of an issued handle, so many slots away.
    Index(u8, i8),
    /// At the first index after the slots, and so many more, with this generation.
    Beyond(u16, u8),
    /// An issued handle under another tag.
    Tag(u8, u8),
    /// Any bits.
    Bits(u64),
    /// `NIL`.
    Nil,
}

/// What is wrong with an order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misorder {
    /// There is no number for the last row.
    Short,
    /// There is a number too many.
    Long,
    /// A number is there twice.
    Twice,
    /// A number is too high.
    High,
}
