//! Errors that return the rejected value.

use core::fmt;

use crate::slots::FullKind;
use crate::status::{HandleError, Status};

impl fmt::Display for FullKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slots => {
                "the pool is full: its layout has no more slots (`recycle_retired` makes retired ones usable again)"
            }
            Self::Fixed => "the pool is full: its capacity is fixed, and all slots are in use",
            Self::Memory => "the pool cannot grow: there is not enough memory",
            Self::Spawns => "the job has used all the spawns that were declared for it",
        })
    }
}

/// There is no room for the value. [`into_inner`](Self::into_inner) returns it.
///
/// ```
/// use tenure::{Compact, Handle, Pool};
///
/// let mut tiny: Pool<&str, Handle<&str, Compact<1>>> = Pool::default();
/// tiny.insert("the only one that fits");
/// let full = tiny.try_insert("one more").unwrap_err();
/// assert_eq!(full.into_inner(), "one more");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Full<T> {
    value: T,
    kind: FullKind,
}

impl<T> Full<T> {
    #[cfg(feature = "alloc")]
    pub(crate) const fn kind(&self) -> FullKind {
        self.kind
    }

    pub(crate) const fn new(value: T, kind: FullKind) -> Self {
        Self { value, kind }
    }

    /// Returns the value that did not fit.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Full<U> {
        Full { value: convert(self.value), kind: self.kind }
    }

    /// Returns `true` if memory was missing, and not slots.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        self.kind == FullKind::Memory
    }
}

impl<T> fmt::Debug for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Full").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl<T> fmt::Display for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl<T> core::error::Error for Full<T> {}

/// The value cannot be inserted under the handle. [`into_inner`](Self::into_inner) returns it.
///
/// ```
/// use tenure::{Pool, Rejection};
///
/// let mut pool = Pool::new();
/// let first = pool.insert("first");
/// pool.remove(first);
/// pool.insert("second");
///
/// let rejected = pool.insert_at(first, "first again").unwrap_err();
/// assert_eq!(rejected.reason(), Rejection::Stale);
/// assert_eq!(rejected.into_inner(), "first again");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Rejected<T> {
    value: T,
    reason: Rejection,
}

/// Why a value was [`Rejected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rejection {
    /// The handle is nil.
    Nil,
    /// The handle carries another pool's tag.
    Foreign,
    /// The handle's value was removed, or its slot has had a newer tenant, whose handle would
    /// become valid again.
    Stale,
    /// The slot has a tenant: another one, or (for `fill`) this one with its value.
    Occupied,
    /// The handle has no value yet.
    Pending,
    /// The handle was never issued, so it cannot be filled.
    NeverIssued,
    /// The index is too far above the existing slots: see
    /// [`Pool::allow_indices_below`](crate::Pool::allow_indices_below).
    OutOfReach,
    /// There is no room for the slot.
    Full,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nil => "the handle is nil",
            Self::Foreign => "the handle is from another pool",
            Self::Stale => "the handle is stale: it was removed, or its slot has had a newer tenant",
            Self::Occupied => "the handle's slot is occupied",
            Self::Pending => "the handle is pending: it has no value yet",
            Self::NeverIssued => "the handle was never issued",
            Self::OutOfReach => "the handle's index is out of reach: allow it with `allow_indices_below`",
            Self::Full => "there is no room for the handle's slot",
        })
    }
}

impl Rejection {
    /// Why `fill` rejects a handle that is not pending.
    pub(crate) const fn of_fill(error: Option<HandleError>) -> Self {
        match error {
            None => Self::Occupied,
            Some(error) => Self::of_dead(error),
        }
    }

    /// Why a handle that is not live is rejected.
    pub(crate) const fn of_dead(error: HandleError) -> Self {
        match error.status() {
            Status::Nil => Self::Nil,
            Status::Foreign => Self::Foreign,
            Status::NeverIssued => Self::NeverIssued,
            Status::Pending => Self::Pending,
            _ => Self::Stale,
        }
    }
}

impl<T> Rejected<T> {
    pub(crate) const fn new(value: T, reason: Rejection) -> Self {
        Self { value, reason }
    }

    /// Returns the value that was rejected.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Returns why it was rejected.
    #[must_use]
    pub const fn reason(&self) -> Rejection {
        self.reason
    }
}

impl<T> fmt::Debug for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl<T> fmt::Display for Rejected<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl<T> core::error::Error for Rejected<T> {}

/// Which of several handles cannot be borrowed together, and why.
///
/// See [`Pool::get_disjoint_mut`](crate::Pool::get_disjoint_mut).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GetDisjointMutError {
    /// One of the handles does not resolve.
    #[non_exhaustive]
    NotLive {
        /// Its position in the array.
        position: usize,
        /// Why it does not resolve.
        error: HandleError,
    },
    /// Two of the handles are the same.
    #[non_exhaustive]
    Overlapping {
        /// The position of the first of them.
        first: usize,
        /// The position of the second of them.
        second: usize,
    },
}

impl fmt::Display for GetDisjointMutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLive { position, error } => write!(f, "handle number {position}: {error}"),
            Self::Overlapping { first, second } => {
                write!(f, "handles number {first} and {second} are the same")
            }
        }
    }
}

impl core::error::Error for GetDisjointMutError {}

/// Why [`Loans::get_mut`](crate::Loans::get_mut) returns no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoanError {
    /// The handle does not resolve.
    NotLive(HandleError),
    /// The value was lent before; every value can be lent once.
    AlreadyLent,
}

impl fmt::Display for LoanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLive(error) => error.fmt(f),
            Self::AlreadyLent => f.write_str("the value is lent already"),
        }
    }
}

impl core::error::Error for LoanError {}
