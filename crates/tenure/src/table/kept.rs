//! Which rows stay when many go at once.

use alloc::vec::Vec;

/// Which rows stay and which go: what [`Columns::pack`](super::Columns::pack) is told.
///
/// O2: every row is there once. The numbers of those that stay come first and go up; the numbers of those that go come behind them and go down.
#[derive(Clone, Debug)]
pub struct Kept {
    rows: Vec<u32>,
    kept: usize,
}

impl Kept {
    /// From a verdict about every row: whether it stays.
    ///
    /// ```
    /// let kept = tenure::table::Kept::new(&[true, false, true]);
    /// assert_eq!((kept.rows(), kept.before()), (&[0, 2][..], 3));
    /// ```
    ///
    /// # Panics
    ///
    /// When there are more rows than a table can have.
    #[must_use]
    #[track_caller]
    pub fn new(stays: &[bool]) -> Self {
        assert!(u32::try_from(stays.len()).is_ok(), "no table has so many rows");
        let mut verdicts = Verdicts::about(stays.len());
        stays.iter().for_each(|&stays| verdicts.add(stays));
        verdicts.into_kept()
    }

    /// The rows that stay. Their numbers go up.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows[..self.kept]
    }

    /// How many rows there were before.
    #[inline]
    #[must_use]
    pub fn before(&self) -> usize {
        self.rows.len()
    }

    /// The rows that go. Their numbers go down.
    pub(super) fn dead(&self) -> &[u32] {
        &self.rows[self.kept..]
    }

    /// How many rows stay where they are: all before the first that goes.
    pub(super) fn unmoved(&self) -> usize {
        self.dead().last().map_or(self.kept, |&row| row as usize)
    }
}

/// Verdicts about rows, one after the other. Those about the last ones are still to come.
pub(super) struct Verdicts {
    /// Those that stay from the first on, those that go from the last on. In between is room for the others.
    rows: Vec<u32>,
    kept: usize,
    judged: u32,
}

impl Verdicts {
    /// No more rows than a `u32` can count.
    pub(super) fn about(rows: usize) -> Self {
        Self { rows: alloc::vec![0; rows], kept: 0, judged: 0 }
    }

    /// About the next row. Written to both places, of which one counts: a processor cannot guess verdicts, so nothing branches on them.
    ///
    /// # Panics
    ///
    /// When there are no more rows.
    #[inline]
    pub(super) fn add(&mut self, stays: bool) {
        let dead = self.judged as usize - self.kept;
        let last = self.rows.len() - 1 - dead;
        self.rows[last] = self.judged;
        self.rows[self.kept] = self.judged;
        self.kept += usize::from(stays);
        self.judged += 1;
    }

    /// Rows that nobody has judged stay.
    pub(super) fn into_kept(mut self) -> Kept {
        while (self.judged as usize) < self.rows.len() {
            self.add(true);
        }
        Kept { rows: self.rows, kept: self.kept }
    }
}
