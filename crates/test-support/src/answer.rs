//! The results of operations, in comparable form, so that the model can predict them and two runs
//! can be compared.

use tenure::{HandleError, LoanError, OrderError, Rejection, Stats, Status};

use crate::name::Name;

/// The result of an [`Action`](crate::Action). Values are represented by their ids, and dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A handle was issued.
    Issued(Name),
    /// `insert_many` and `extend`.
    Many {
        /// The handles that the iterator yielded.
        names: Vec<Name>,
        /// The ids of values that were returned because they did not fit.
        back: Vec<u32>,
    },
    /// There was no room, and this value was returned.
    Full(u32),
    /// The value was inserted; this one was replaced.
    Placed(Option<u32>),
    /// The value was rejected and returned.
    Rejected(Rejection, u32),
    /// A value, or none.
    Value(Option<u32>),
    /// The results of `get_mut` and `try_get_mut`.
    Probed(Option<u32>, Result<u32, Why>),
    /// `get_disjoint_mut`.
    Disjoint(Result<Vec<u32>, Clash>),
    /// `borrow_many`.
    Loans(Vec<Result<u32, NoLoan>>),
    /// A handle, or none.
    Name(Option<Name>),
    /// The items of an iterator.
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
    /// The result, and the rows that were reported as moved, with their old and new positions.
    Moved(Box<Answer>, Vec<Move>),
    /// A result that no container may return.
    Wrong(String),
    /// The container does not have this operation.
    Unsupported,
}

/// A row's number before and after.
pub type Move = (usize, usize);

/// [`OrderError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disorder {
    /// The length of the list, and the number of rows.
    Length(usize, usize),
    /// The number at this position is too high, or occurred before.
    Number(usize),
    /// An error that the rig does not know.
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

/// An item of an iterator.
pub type Item = (Option<Name>, Option<u32>);

/// Everything that methods with `&self` report about a handle.
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

/// [`HandleError`] in a form that can be constructed and compared here.
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
    /// An error that the rig does not know, or that contradicts itself.
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
    /// The status that corresponds to it.
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
    /// The handle at this position does not resolve.
    NotLive(usize, Why),
    /// The handles at these positions are the same.
    Overlapping(usize, usize),
    /// An error that the rig does not know.
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
    /// The handle does not resolve.
    NotLive(Why),
    /// The value was lent before.
    AlreadyLent,
    /// An error that the rig does not know.
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

/// All counts. The same calls give the same counts, except for `capacity`.
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
    /// The counts that a container reports.
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

    /// How many slots there are.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.live + self.vacant + self.pending + self.retired
    }
}
