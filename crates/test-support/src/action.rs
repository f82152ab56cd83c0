//! The operations of a container: its public methods, with concrete handles and ids.
//!
//! In groups, so that a container that lacks a group declares that in one line.

use crate::name::Name;
use crate::path::Path;

/// One call, or a few that belong together.
#[derive(Clone, Debug)]
pub enum Action {
    /// Inserting values.
    Put(Put),
    /// Removing values.
    Out(Out),
    /// Looking values up, and mutating them.
    Look(Look),
    /// Iterating over all values.
    Iterate(Iterate, Path),
    /// Capacity and slots.
    Room(Room),
    /// Making a container out of a container.
    Make(Make),
    /// Reordering rows.
    Rows(Rows),
}

/// Inserting values.
#[derive(Clone, Debug)]
pub enum Put {
    /// `insert`, which issues what `next_handle` says.
    Insert(u32),
    /// `insert_with`, or (at odd ids) `insert_with_result` after one that fails; the closure's
    /// handle must be the one that is returned.
    InsertWith(u32),
    /// `try_insert`, or (at odd ids) `try_insert_with`.
    TryInsert(u32),
    /// `insert_many` of these ids.
    Many(Vec<u32>, Many),
    /// `extend`.
    Extend(Vec<u32>),
    /// `reserve_handle`.
    ReserveHandle,
    /// `fill`.
    Fill(Name, u32),
    /// `insert_at`.
    InsertAt(Name, u32),
}

/// What to do with the iterator that `insert_many` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Collect it.
    Collect,
    /// Take a few handles and drop it.
    DropAfter(usize),
    /// Take a few handles and `finish` it.
    FinishAfter(usize),
}

/// Removing values.
#[derive(Clone, Debug)]
pub enum Out {
    /// `remove`, or `discard` at some indices.
    Remove(Name),
    /// `take`.
    Take(Name),
    /// `drain`, consumed along the path, and then dropped or forgotten.
    Drain(Path, Ending),
    /// `extract_if`, at most this many items.
    Extract(Rule, usize),
    /// `retain`.
    Retain(Rule),
    /// `clear`.
    Clear,
}

/// How an iterator ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is dropped.
    Drop,
    /// `mem::forget`.
    Forget,
}

/// The ids for which a closure returns `true`: those of one residue class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// 1 accepts all ids.
    pub modulus: u32,
    /// The residue class.
    pub residue: u32,
}

impl Rule {
    /// `true` for every id.
    pub const ALL: Self = Self { modulus: 1, residue: 0 };

    /// The result of the closure.
    #[must_use]
    pub const fn says(self, id: u32) -> bool {
        id % self.modulus == self.residue
    }
}

/// Looking values up, and mutating them.
#[derive(Clone, Debug)]
pub enum Look {
    /// `get_mut` and `try_get_mut`. (Methods with `&self` are checked for all handles after every
    /// step.)
    Probe(Name),
    /// `pool[handle]`.
    Index(Name),
    /// `pool[handle].change()`.
    Change(Name),
    /// `get_disjoint_mut`; the first and the last value are swapped.
    Disjoint([Name; 3]),
    /// `borrow_many`: all values at once, and each is mutated.
    Loans([Name; 3]),
    /// `handle_at`.
    HandleAt(u32),
    /// `handle_of` the value of this handle, which `find` finds, too; of another value if the
    /// handle does not resolve.
    HandleOf(Name),
    /// `{:?}`.
    Print,
}

/// Iterating over all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterate {
    /// `iter`.
    Iter,
    /// `&pool`.
    Ref,
    /// `iter_mut`, mutating every value that it yields.
    IterMut,
    /// `&mut pool`, mutating every value that it yields.
    RefMut,
    /// `values`.
    Values,
    /// `values_mut`, mutating every value that it yields.
    ValuesMut,
    /// `handles`.
    Handles,
    /// `into_iter` of a clone.
    IntoIter,
    /// `into_values` of a clone.
    IntoValues,
}

impl Iterate {
    /// Returns `true` if values are mutated.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Self::IterMut | Self::RefMut | Self::ValuesMut)
    }

    /// Returns `true` if items have handles.
    #[must_use]
    pub const fn has_names(self) -> bool {
        !matches!(self, Self::Values | Self::ValuesMut | Self::IntoValues)
    }

    /// Returns `true` if items have values.
    #[must_use]
    pub const fn has_values(self) -> bool {
        !matches!(self, Self::Handles)
    }
}

/// Capacity and slots.
#[derive(Clone, Copy, Debug)]
pub enum Room {
    /// `reserve`.
    Reserve(usize),
    /// `try_reserve`, or (of an odd number) `try_reserve_exact`.
    TryReserve(usize),
    /// `reserve_exact`.
    ReserveExact(usize),
    /// `shrink_to_fit`.
    Shrink,
    /// `shrink_to`.
    ShrinkTo(usize),
    /// `recycle_retired`.
    Recycle,
    /// `release_pending`; it releases as many as `pending_handles` lists.
    ReleasePending,
    /// `allow_indices_below`.
    ReserveSlots(usize),
    /// `warm_up`.
    WarmUp,
}

impl Room {
    /// Returns `true` if it reserves, touches or releases memory.
    #[must_use]
    pub const fn is_growth(self) -> bool {
        matches!(
            self,
            Self::Reserve(_)
                | Self::TryReserve(_)
                | Self::ReserveExact(_)
                | Self::Shrink
                | Self::ShrinkTo(_)
                | Self::WarmUp
        )
    }
}

/// Making a container out of a container.
#[derive(Clone, Debug)]
pub enum Make {
    /// `map_values` to another type and back, mutating every value.
    Map,
    /// `collect` of these ids into a new container, whose content is returned.
    Collect(Vec<u32>),
}

/// Reordering rows.
#[derive(Clone, Debug)]
pub enum Rows {
    /// One of the sorts.
    Sort(Sort, Key),
    /// `apply_order`; the argument may be invalid.
    ApplyOrder(Vec<u32>),
    /// `swap_rows`; the rows may not exist.
    Swap(usize, usize),
    /// `remove_ordered`.
    RemoveOrdered(Name),
    /// `remove_many`.
    RemoveMany([Name; 3]),
    /// `compact_by_key`: rows that the rule accepts are kept.
    Compact(Rule, Key),
}

/// How rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `sort_by`.
    By,
    /// `sort_by_key`.
    ByKey,
    /// `sort_unstable_by`.
    UnstableBy,
    /// `sort_unstable_by_key`.
    UnstableByKey,
    /// `sort_in_place_by`.
    InPlaceBy,
}

impl Sort {
    /// Returns `true` if rows with equal keys keep their order.
    #[must_use]
    pub const fn is_stable(self) -> bool {
        !matches!(self, Self::UnstableBy | Self::UnstableByKey)
    }
}

/// The sort key of a row: the id, modulo this number. Many rows have equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// 1 makes all keys equal.
    pub modulus: u32,
}

impl Key {
    /// The key of a row. Where equal keys would leave the order open, the id is the tie-breaker.
    #[must_use]
    pub const fn of(self, id: u32, how: Sort) -> (u32, u32) {
        (id % self.modulus, if how.is_stable() { 0 } else { id })
    }
}
