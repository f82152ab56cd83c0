//! What a container says: comparable, so that the model can predict it and two runs can be
//! compared.

use tenure::{HandleError, LoanError, OrderError, Rejection, Stats, Status};

use crate::name::Name;

/// What came of an [`Action`](crate::Action). Values appear as their ids; they are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A handle was issued.
    Issued(Name),
    /// `insert_many` and `extend`.
    Many {
        /// The handles that the iterator gave.
        names: Vec<Name>,
        /// What came back because it did not fit.
        back: Vec<u32>,
    },
    /// There was no room, and this value came back.
    Full(u32),
    /// The value is in; this one was there before.
    Placed(Option<u32>),
    /// The value cannot stand under that handle, and came back.
    Rejected(Rejection, u32),
    /// A value, or none.
    Value(Option<u32>),
    /// What `get_mut` and `try_get_mut` said.
    Probed(Option<u32>, Result<u32, Why>),
    /// `get_disjoint_mut`.
    Disjoint(Result<Vec<u32>, Clash>),
    /// `borrow_many`.
    Loans(Vec<Result<u32, NoLoan>>),
    /// A handle, or none.
    Name(Option<Name>),
    /// What a walk gave.
    Items(Vec<Item>),
    /// A number.
    Count(usize),
    /// Done, or not possible.
    Done(bool),
    /// Text.
    Text(String),
    /// A panic with this message.
    Panicked(String),
    /// `apply_order`.
    Ordered(Result<(), Disorder>),
    /// What was answered, and which rows were said to have moved, from where to where.
    Moved(Box<Answer>, Vec<Move>),
    /// Something that no container may ever answer.
    Wrong(String),
    /// This container cannot do that.
    Unsupported,
}

/// A row's number before and after.
pub type Move = (usize, usize);

/// [`OrderError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disorder {
    /// So many numbers for so many rows.
    Length(usize, usize),
    /// The number at this position is too high, or was there before.
    Number(usize),
    /// The rig does not know it.
    Unknown,
}

impl From<OrderError> for Disorder {
    fn from(error: OrderError) -> Self {
        match error {
            OrderError::Length { numbers, rows, .. } => Self::Length(numbers, rows),
            OrderError::Number { position, .. } => Self::Number(position),
            _ => Self::Unknown,
        }
    }
}

/// An item of a walk.
pub type Item = (Option<Name>, Option<u32>);

/// What can be learnt about a handle through `&self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// `get`.
    pub get: Option<u32>,
    /// `contains`.
    pub contains: bool,
    /// `status`.
    pub status: Status,
    /// `try_get`.
    pub why_not: Option<Why>,
}

/// [`HandleError`], so that it can be made and compared here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of `HandleError`")]
pub enum Why {
    /// See [`HandleError::Nil`].
    Nil,
    /// See [`HandleError::NeverIssued`].
    NeverIssued { index: u32, generation: u32 },
    /// See [`HandleError::Removed`].
    Removed { index: u32, generation: u32, current: u32, vacant: bool },
    /// See [`HandleError::Pending`].
    Pending { index: u32, generation: u32 },
    /// See [`HandleError::Retired`].
    Retired { index: u32, generation: u32, current: u32 },
    /// See [`HandleError::Foreign`].
    Foreign { tag: u32, expected: u32 },
    /// The rig does not know it, or it contradicts itself.
    Unknown,
}

impl From<HandleError> for Why {
    fn from(error: HandleError) -> Self {
        let why = match error {
            HandleError::Nil => Self::Nil,
            HandleError::NeverIssued { index, generation, .. } => Self::NeverIssued { index, generation },
            HandleError::Removed { index, generation, current, vacant, .. } => {
                Self::Removed { index, generation, current, vacant }
            }
            HandleError::Pending { index, generation, .. } => Self::Pending { index, generation },
            HandleError::Retired { index, generation, current, .. } => Self::Retired { index, generation, current },
            HandleError::Foreign { tag, expected, .. } => Self::Foreign { tag, expected },
            _ => Self::Unknown,
        };
        let consistent = why.status() == Some(error.status()) && why.tenants_ago() == error.tenants_ago();
        if consistent { why } else { Self::Unknown }
    }
}

impl Why {
    /// The status that belongs to it.
    #[must_use]
    pub const fn status(self) -> Option<Status> {
        Some(match self {
            Self::Nil => Status::Nil,
            Self::NeverIssued { .. } => Status::NeverIssued,
            Self::Removed { .. } => Status::Removed,
            Self::Pending { .. } => Status::Pending,
            Self::Retired { .. } => Status::Retired,
            Self::Foreign { .. } => Status::Foreign,
            Self::Unknown => return None,
        })
    }

    const fn tenants_ago(self) -> Option<u32> {
        match self {
            Self::Removed { generation, current, .. } | Self::Retired { generation, current, .. } => {
                Some(current - generation)
            }
            _ => None,
        }
    }
}

/// `GetDisjointMutError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// The handle at this position leads nowhere.
    NotLive(usize, Why),
    /// The handles at these positions are the same.
    Overlapping(usize, usize),
    /// The rig does not know it.
    Unknown,
}

impl From<tenure::GetDisjointMutError> for Clash {
    fn from(error: tenure::GetDisjointMutError) -> Self {
        match error {
            tenure::GetDisjointMutError::NotLive { position, error, .. } => Self::NotLive(position, error.into()),
            tenure::GetDisjointMutError::Overlapping { first, second, .. } => Self::Overlapping(first, second),
            _ => Self::Unknown,
        }
    }
}

/// [`LoanError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLoan {
    /// The handle leads nowhere.
    NotLive(Why),
    /// The value was lent before.
    AlreadyLent,
    /// The rig does not know it.
    Unknown,
}

impl From<LoanError> for NoLoan {
    fn from(error: LoanError) -> Self {
        match error {
            LoanError::NotLive(why) => Self::NotLive(why.into()),
            LoanError::AlreadyLent => Self::AlreadyLent,
            _ => Self::Unknown,
        }
    }
}

/// How many of what. The same for the same calls, except for `capacity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of `Stats`, and `len` and `is_empty`")]
pub struct Census {
    pub len: usize,
    pub is_empty: bool,
    pub live: usize,
    pub vacant: usize,
    pub pending: usize,
    pub retired: usize,
    pub holes: usize,
    pub highest_generation: u32,
    pub capacity: usize,
}

impl Census {
    /// From what a container says.
    #[must_use]
    pub const fn new(len: usize, is_empty: bool, stats: &Stats) -> Self {
        Self {
            len,
            is_empty,
            live: stats.live,
            vacant: stats.free,
            pending: stats.pending,
            retired: stats.retired,
            holes: stats.holes,
            highest_generation: stats.highest_generation,
            capacity: stats.capacity,
        }
    }

    /// Of a container that counts nothing else.
    #[must_use]
    pub const fn of_len(len: usize, is_empty: bool) -> Self {
        Self {
            len,
            is_empty,
            live: len,
            vacant: 0,
            pending: 0,
            retired: 0,
            holes: 0,
            highest_generation: 0,
            capacity: 0,
        }
    }

    /// How many slots there are.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.live + self.vacant + self.pending + self.retired
    }
}
