//! What can be done to a container: its public surface, with concrete handles and ids.
//!
//! In groups, so that a container that lacks a group says so in one line.

use crate::name::Name;
use crate::path::Path;

/// One call, or a few that belong together.
#[derive(Clone, Debug)]
pub enum Action {
    /// Putting values in.
    Put(Put),
    /// Taking values out.
    Out(Out),
    /// Looking values up, and changing them.
    Look(Look),
    /// Walking over all values.
    Walk(Walk, Path),
    /// Capacity and slots.
    Room(Room),
    /// Making a container out of a container.
    Make(Make),
    /// Letting rows change places.
    Rows(Rows),
}

/// Putting values in.
#[derive(Clone, Debug)]
pub enum Put {
    /// `insert`, which issues what `next_handle` says.
    Insert(u32),
    /// `insert_with`, or `insert_with_result` after one that fails; the closure's handle must be
    /// the one that is returned.
    InsertWith(u32),
    /// `try_insert`.
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

/// Taking values out.
#[derive(Clone, Debug)]
pub enum Out {
    /// `remove`, or `discard` at odd indices.
    Remove(Name),
    /// `take`.
    Take(Name),
    /// `drain`, consumed along the path, and then dropped or forgotten.
    Drain(Path, Ending),
    /// `extract_if`, at most so many.
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

/// Which ids a closure says `true` to: those of one residue class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// 1 says `true` to all.
    pub modulus: u32,
    /// Which class.
    pub residue: u32,
}

impl Rule {
    /// `true` for every id.
    pub const ALL: Self = Self { modulus: 1, residue: 0 };

    /// What the closure says.
    #[must_use]
    pub const fn says(self, id: u32) -> bool {
        id % self.modulus == self.residue
    }
}

/// Looking values up, and changing them.
#[derive(Clone, Debug)]
pub enum Look {
    /// `get_mut` and `try_get_mut`. (What `&self` can say is checked for all handles after every
    /// step.)
    Probe(Name),
    /// `pool[handle]`.
    Index(Name),
    /// `pool[handle].change()`.
    Change(Name),
    /// `get_disjoint_mut`; the first and the last value are swapped.
    Disjoint([Name; 3]),
    /// `borrow_many`: all at once, and each is changed.
    Loans([Name; 3]),
    /// `handle_at`.
    HandleAt(u32),
    /// `handle_of` the value of this handle, which `find` finds, too; of another value if it has
    /// none.
    HandleOf(Name),
    /// `{:?}`.
    Print,
}

/// Walking over all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// `iter`.
    Iter,
    /// `&pool`.
    Ref,
    /// `iter_mut`, changing every value that it reaches.
    IterMut,
    /// `&mut pool`, changing every value that it reaches.
    RefMut,
    /// `values`.
    Values,
    /// `values_mut`, changing every value that it reaches.
    ValuesMut,
    /// `handles`.
    Handles,
    /// `into_iter` of a clone.
    IntoIter,
    /// `into_values` of a clone.
    IntoValues,
}

impl Walk {
    /// Whether values are changed.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Self::IterMut | Self::RefMut | Self::ValuesMut)
    }

    /// Whether items have handles.
    #[must_use]
    pub const fn has_names(self) -> bool {
        !matches!(self, Self::Values | Self::ValuesMut | Self::IntoValues)
    }

    /// Whether items have values.
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
    /// `try_reserve`.
    TryReserve(usize),
    /// `reserve_exact`.
    ReserveExact(usize),
    /// `shrink_to_fit`, or `shrink_to(0)` where the length is odd.
    Shrink,
    /// `recycle_retired`.
    Recycle,
    /// `release_pending`; it releases as many as `pending_handles` lists.
    ReleasePending,
    /// `allow_indices_below`.
    ReserveSlots(usize),
}

impl Room {
    /// Whether it makes room or gives room back.
    #[must_use]
    pub const fn is_growth(self) -> bool {
        matches!(self, Self::Reserve(_) | Self::TryReserve(_) | Self::ReserveExact(_) | Self::Shrink)
    }
}

/// Making a container out of a container.
#[derive(Clone, Debug)]
pub enum Make {
    /// `map_values` to another type and back, changing every value.
    Map,
    /// `collect` of these ids into a new container, which is listed.
    Collect(Vec<u32>),
}

/// Letting rows change places.
#[derive(Clone, Debug)]
pub enum Rows {
    /// One of the sorts.
    Sort(Sort, Key),
    /// `apply_order`; it may be no order.
    ApplyOrder(Vec<u32>),
    /// `swap_rows`; there may be no such rows.
    Swap(usize, usize),
    /// `remove_ordered`.
    RemoveOrdered(Name),
    /// `remove_many`.
    RemoveMany([Name; 3]),
    /// `compact_by_key`: what the rule says `true` to stays.
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
    /// Whether rows with equal keys keep their order.
    #[must_use]
    pub const fn is_stable(self) -> bool {
        !matches!(self, Self::UnstableBy | Self::UnstableByKey)
    }
}

/// What rows are sorted by: the id, modulo this number. Many rows have equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// 1 makes all of them equal.
    pub modulus: u32,
}

impl Key {
    /// The key of a row. Where equal keys would leave the order open, the id tells them apart.
    #[must_use]
    pub const fn of(self, id: u32, how: Sort) -> (u32, u32) {
        (id % self.modulus, if how.is_stable() { 0 } else { id })
    }
}
