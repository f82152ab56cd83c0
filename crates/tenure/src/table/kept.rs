//! The rows that are kept when many are removed at once.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;

/// The rows that are kept: the argument of [`Columns::pack`](super::Columns::pack) and
/// [`Follow::packed`](super::Follow::packed).
// O2: `rows` has the number of every row once. The first `len` are those of the kept rows, strictly
// ascending; then come those of the removed ones, descending.
#[derive(Clone, Debug)]
pub struct Kept {
    rows: Vec<u32>,
    len: usize,
}

impl Kept {
    /// Returns the rows for which `stays` is `true`.
    ///
    /// ```
    /// let kept = tenure::table::Kept::new(&[true, false, true]);
    /// assert!(kept.rows().eq([0, 2]));
    /// assert_eq!((kept.len(), kept.before()), (2, 3));
    /// ```
    ///
    /// # Panics
    ///
    /// If there are more rows than a table can have.
    #[must_use]
    #[track_caller]
    pub fn new(stays: &[bool]) -> Self {
        assert!(u32::try_from(stays.len()).is_ok(), "a table has at most 4,294,967,295 rows");
        let mut deciding = Deciding::new(stays.len());
        stays.iter().for_each(|&stays| deciding.next(stays));
        deciding.finish()
    }

    /// Returns all rows except those whose bits are set.
    pub(super) fn all_but(gone: &[u64], before: usize) -> Self {
        let mut deciding = Deciding::new(before);
        for row in 0..before {
            deciding.next(gone[row / 64] >> (row % 64) & 1 == 0);
        }
        deciding.finish()
    }

    /// Returns the numbers of the kept rows, in ascending order.
    ///
    /// ```
    /// use tenure::table::{Kept, KeptRows};
    ///
    /// struct Moves<'a> { from: KeptRows<'a>, to: usize }
    ///
    /// let kept = Kept::new(&[false, true, true]);
    /// let mut moves = Moves { from: kept.rows(), to: 0 };
    /// while let Some(from) = moves.from.next() {
    ///     assert_eq!(from, moves.to + 1);
    ///     moves.to += 1;
    /// }
    /// ```
    #[inline]
    pub fn rows(&self) -> KeptRows<'_> {
        KeptRows { rows: self.rows[..self.len].iter() }
    }

    /// Returns the number of kept rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if no row is kept.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of rows before the removal.
    #[inline]
    #[must_use]
    pub fn before(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if all rows are kept.
    pub(super) fn is_all(&self) -> bool {
        self.len == self.before()
    }

    /// Returns the numbers of the removed rows, in ascending order.
    pub(super) fn gone(&self) -> impl Iterator<Item = usize> {
        self.rows[self.len..].iter().rev().map(|&row| row as usize)
    }

    /// Returns the number of rows that do not move: all before the first removed one.
    pub(super) fn unmoved(&self) -> usize {
        self.rows().enumerate().take_while(|(to, from)| to == from).count()
    }
}

/// An iterator over the numbers of kept rows, in ascending order. See [`Kept::rows`].
#[derive(Clone)]
#[must_use = "iterators are lazy"]
pub struct KeptRows<'a> {
    rows: core::slice::Iter<'a, u32>,
}

impl Iterator for KeptRows<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.rows.next().map(|&row| row as usize)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<usize> {
        self.rows.nth(n).map(|&row| row as usize)
    }

    #[inline]
    fn fold<A, F: FnMut(A, usize) -> A>(self, acc: A, mut step: F) -> A {
        self.rows.fold(acc, |acc, &row| step(acc, row as usize))
    }
}

impl DoubleEndedIterator for KeptRows<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        self.rows.next_back().map(|&row| row as usize)
    }
}

impl ExactSizeIterator for KeptRows<'_> {}
impl FusedIterator for KeptRows<'_> {}

impl fmt::Debug for KeptRows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeptRows").field(&self.rows.as_slice()).finish()
    }
}

/// A [`Kept`] under construction, one row after the other.
pub(super) struct Deciding {
    rows: Vec<u32>,
    kept: usize,
    gone: usize,
}

impl Deciding {
    pub(super) fn new(before: usize) -> Self {
        Self { rows: alloc::vec![0; before], kept: 0, gone: 0 }
    }

    /// Records whether the next row is kept. Calls after the last row are ignored.
    ///
    /// Writes the row on both sides, and counts one of them: the decision is not branched on,
    /// because it cannot be predicted (row `retain half` of dense pools).
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a table has at most `u32::MAX` rows")]
    pub(super) fn next(&mut self, stays: bool) {
        let (row, before) = (self.kept + self.gone, self.rows.len());
        if row < before {
            self.rows[self.kept] = row as u32;
            self.rows[before - 1 - self.gone] = row as u32;
            self.kept += usize::from(stays);
            self.gone += usize::from(!stays);
        }
    }

    /// Returns the result. Rows without a decision are removed.
    pub(super) fn finish(mut self) -> Kept {
        while self.kept + self.gone < self.rows.len() {
            self.next(false);
        }
        Kept { rows: self.rows, len: self.kept }
    }
}
