//! Permutations of rows.
#![expect(unsafe_code, reason = "moves values by a permutation that was checked")]

use alloc::vec::Vec;

use super::Kept;
use crate::slots::add_to;

/// A new order of rows: row `i` becomes the former row `order[i]`.
// O1: every number below the length of `rows` occurs in `rows` exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    rows: Vec<u32>,
}

/// Why numbers are not an order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderError {
    /// The number of numbers differs from the number of rows.
    #[non_exhaustive]
    Length {
        /// The number of numbers.
        numbers: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A number is too high, or occurred before.
    #[non_exhaustive]
    Number {
        /// The position in the list.
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
                write!(f, "not an order of rows: the number at position {position} is too high, or occurred before")
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
    /// The first number that is too high, or occurred before.
    pub fn new(rows: Vec<u32>) -> Result<Self, OrderError> {
        let mut seen = no_rows(rows.len());
        match rows.iter().position(|&row| row as usize >= rows.len() || !add_to(&mut seen, row)) {
            Some(position) => Err(OrderError::Number { position }),
            None => Ok(Self { rows }),
        }
    }

    /// Returns the order of this many rows, if the numbers are one.
    pub(super) fn for_rows(numbers: Vec<u32>, rows: usize) -> Result<Self, OrderError> {
        if numbers.len() == rows {
            Self::new(numbers)
        } else {
            Err(OrderError::Length { numbers: numbers.len(), rows })
        }
    }

    /// Returns the order of numbers that callers have only reordered: sorting a slice keeps its
    /// elements, even if the comparisons are inconsistent.
    pub(super) fn of_all(rows: impl IntoIterator<Item = u32>) -> Self {
        let order = Self { rows: rows.into_iter().collect() };
        debug_assert!(Self::new(order.rows.clone()).is_ok(), "O1: a number is missing");
        order
    }

    /// Returns the former numbers of the rows, in their new order.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Reorders a vector of the same length, through a second one.
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
    /// If the lengths differ.
    #[track_caller]
    pub fn gather<T>(&self, column: &mut Vec<T>) {
        assert_eq!(self.len(), column.len(), "the order is for another number of rows");
        let mut sorted: Vec<T> = Vec::with_capacity(column.capacity());
        for (to, &from) in self.rows.iter().enumerate() {
            // SAFETY: by O1 every `from` is below the length of `column`, and each value is read
            // once; `to` is below the capacity of `sorted`. Nothing can panic before both lengths
            // are set, so no value is dropped twice.
            unsafe { sorted.as_mut_ptr().add(to).write(column.as_ptr().add(from as usize).read()) };
        }
        // SAFETY: by O1 all values of `column` have moved into `sorted`, which has `self.len()`
        // initialised values.
        unsafe {
            column.set_len(0);
            sorted.set_len(self.len());
        }
        *column = sorted;
    }

    /// Calls a closure with swaps that produce this order, one after the other.
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

/// Moves the values of kept rows to the front, in their order. The others follow them in any order;
/// if values need no dropping, they are removed.
///
/// # Panics
///
/// If the number of values is not the number of rows.
#[track_caller]
pub(super) fn pack<T>(column: &mut Vec<T>, kept: &Kept) {
    assert_eq!(column.len(), kept.before(), "there are not as many values as rows");
    if core::mem::needs_drop::<T>() {
        kept.rows().enumerate().for_each(|(to, from)| column.swap(to, from));
        return;
    }
    let values = column.as_mut_ptr();
    kept.rows().enumerate().for_each(|(to, from)| {
        // SAFETY: by O2 `to` is at most `from`, which is below the length; so both are in bounds,
        // and no value is overwritten before it is read.
        unsafe { values.add(to).write(values.add(from).read()) };
    });
    // SAFETY: by O2 there are at most as many kept rows as values, and the values up to there are
    // initialised. Those after them have been moved, or need no dropping.
    unsafe { column.set_len(kept.len()) };
}

/// Returns an empty set of numbers below `len`.
fn no_rows(len: usize) -> Vec<u64> {
    alloc::vec![0; len.div_ceil(64)]
}
