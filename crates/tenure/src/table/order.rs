//! Permutations: which row comes where.
#![expect(unsafe_code, reason = "moves values by a permutation that was checked")]

use alloc::vec::Vec;

use super::Kept;
use crate::slots::add_to;

/// A new order of rows: row `i` becomes what row `order[i]` was.
///
/// O1: every number below the length occurs once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    rows: Vec<u32>,
}

/// The numbers are no order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderError {
    /// There are not as many numbers as rows.
    #[non_exhaustive]
    Length {
        /// How many numbers there are.
        numbers: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// A number is too high, or was there before.
    #[non_exhaustive]
    Number {
        /// Where in the list.
        position: usize,
    },
}

impl core::fmt::Display for OrderError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { numbers, rows } => {
                write!(f, "not an order of the rows: {numbers} numbers for {rows} rows")
            }
            Self::Number { position } => {
                write!(f, "not an order of rows: the number at position {position} is too high, or was there before")
            }
        }
    }
}

impl core::error::Error for OrderError {}

impl Order {
    /// Checks that every number below the length occurs once.
    ///
    /// ```
    /// use tenure::Order;
    ///
    /// assert!(Order::new(vec![2, 0, 1]).is_ok());
    /// assert!(Order::new(vec![2, 0, 0]).is_err());
    /// assert!(Order::new(vec![3, 0, 1]).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The first number that is too high, or was there before.
    pub fn new(rows: Vec<u32>) -> Result<Self, OrderError> {
        let mut seen = no_rows(rows.len());
        match rows.iter().position(|&row| row as usize >= rows.len() || !add_to(&mut seen, row)) {
            Some(position) => Err(OrderError::Number { position }),
            None => Ok(Self { rows }),
        }
    }

    /// An order of so many rows.
    pub(super) fn for_rows(numbers: Vec<u32>, rows: usize) -> Result<Self, OrderError> {
        if numbers.len() == rows {
            Self::new(numbers)
        } else {
            Err(OrderError::Length { numbers: numbers.len(), rows })
        }
    }

    /// Numbers that callers have put into another order, and nothing else: sorting a slice keeps
    /// its elements, also when comparisons contradict each other.
    pub(super) fn of_all(rows: impl IntoIterator<Item = u32>) -> Self {
        let order = Self { rows: rows.into_iter().collect() };
        debug_assert!(Self::new(order.rows.clone()).is_ok(), "O1: a number is missing");
        order
    }

    /// The numbers of the rows as they were, in their new order.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Brings a vector of the same length into this order, through a second one.
    ///
    /// ```
    /// let order = tenure::Order::new(vec![2, 0, 1]).unwrap();
    /// let mut names = vec!["a", "b", "c"];
    /// order.gather(&mut names);
    /// assert_eq!(names, ["c", "a", "b"]);
    /// ```
    ///
    /// # Panics
    ///
    /// When the lengths differ.
    #[track_caller]
    pub fn gather<T>(&self, column: &mut Vec<T>) {
        assert_eq!(self.len(), column.len(), "the order is for another number of rows");
        let mut sorted: Vec<T> = Vec::with_capacity(column.capacity());
        for (to, &from) in self.rows.iter().enumerate() {
            // SAFETY: O1, each value is read once, and all are below the length; `sorted` has room
            // for them. Nothing can panic before both lengths are set.
            unsafe { sorted.as_mut_ptr().add(to).write(column.as_ptr().add(from as usize).read()) };
        }
        // SAFETY: O1, all values of `column` have moved into `sorted`.
        unsafe {
            column.set_len(0);
            sorted.set_len(self.len());
        }
        *column = sorted;
    }

    /// Swaps that bring about this order, one after the other.
    pub(super) fn for_each_swap(&self, mut swap: impl FnMut(usize, usize)) {
        let mut done = no_rows(self.len());
        for (start, _) in (0..).zip(&self.rows) {
            let mut to = start;
            while add_to(&mut done, to) {
                let from = self.rows[to as usize];
                if from == start {
                    break;
                }
                swap(to as usize, from as usize);
                to = from;
            }
        }
    }
}

/// Brings the values that stay to the front, one after the other. The rest comes behind them, in
/// any order; if values need no dropping, it is gone.
///
/// # Panics
///
/// When there are not as many values as rows.
#[track_caller]
pub(super) fn pack<T>(column: &mut Vec<T>, kept: &Kept) {
    assert_eq!(column.len(), kept.before(), "there are not as many values as rows");
    if core::mem::needs_drop::<T>() {
        kept.rows().enumerate().for_each(|(to, from)| column.swap(to, from));
        return;
    }
    let values = column.as_mut_ptr();
    kept.rows().enumerate().for_each(|(to, from)| {
        // SAFETY: O2, both are below the length, and `to` is at most `from`, so nothing is
        // overwritten that is still to be read.
        unsafe { values.add(to).write(values.add(from).read()) };
    });
    // SAFETY: O2, no more rows stay than there are values. What is behind them has been moved, or
    // needs no dropping.
    unsafe { column.set_len(kept.len()) };
}

/// An empty set of numbers below `len`.
fn no_rows(len: usize) -> Vec<u64> {
    alloc::vec![0; len.div_ceil(64)]
}
