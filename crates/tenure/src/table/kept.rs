//! Which rows stay when many are removed at once.

use alloc::vec::Vec;

/// Which rows stay: what [`Columns::pack`](super::Columns::pack) and
/// [`Follow::packed`](super::Follow::packed) are told.
///
/// - O2: the numbers in `rows` go up, and are below `before`.
#[derive(Clone, Debug)]
pub struct Kept {
    rows: Vec<u32>,
    before: usize,
}

impl Kept {
    /// From a decision about every row: whether it stays.
    ///
    /// ```
    /// let kept = tenure::table::Kept::new(&[true, false, true]);
    /// assert!(kept.rows().eq([0, 2]));
    /// assert_eq!((kept.len(), kept.before()), (2, 3));
    /// ```
    ///
    /// # Panics
    ///
    /// When there are more rows than a table can have.
    #[must_use]
    #[track_caller]
    pub fn new(stays: &[bool]) -> Self {
        assert!(u32::try_from(stays.len()).is_ok(), "no table has this many rows");
        let mut deciding = Deciding::new(stays.len());
        stays.iter().for_each(|&stays| deciding.next(stays));
        deciding.finish()
    }

    /// All rows but those whose bits are set.
    pub(super) fn all_but(gone: &[u64], before: usize) -> Self {
        let mut deciding = Deciding::new(before);
        for row in 0..before {
            deciding.next(gone[row / 64] >> (row % 64) & 1 == 0);
        }
        deciding.finish()
    }

    /// The numbers of the rows that stay. They go up.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|&row| row as usize)
    }

    /// How many rows stay.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if no row stays.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows there were before.
    #[inline]
    #[must_use]
    pub fn before(&self) -> usize {
        self.before
    }

    /// Returns `true` if all rows stay.
    pub(super) fn is_all(&self) -> bool {
        self.len() == self.before
    }

    /// Calls a closure with the number of every row that goes. They go up, too.
    #[inline]
    pub(super) fn for_each_gone(&self, mut gone: impl FnMut(usize)) {
        let mut next = 0;
        for row in self.rows().chain([self.before]) {
            (next..row).for_each(&mut gone);
            next = row + 1;
        }
    }

    /// How many rows stay where they are: all before the first that goes.
    pub(super) fn unmoved(&self) -> usize {
        self.rows().enumerate().take_while(|(to, from)| to == from).count()
    }
}

/// A [`Kept`] that is being made, one row after the other.
pub(super) struct Deciding {
    rows: Vec<u32>,
    stay: usize,
    row: u32,
}

impl Deciding {
    pub(super) fn new(before: usize) -> Self {
        Self { rows: alloc::vec![0; before], stay: 0, row: 0 }
    }

    /// Decides about the next row. Decisions about more rows than there are do not count.
    ///
    /// Nothing branches on the decision: it cannot be predicted.
    #[inline]
    pub(super) fn next(&mut self, stays: bool) {
        if let Some(place) = self.rows.get_mut(self.stay) {
            *place = self.row;
            self.stay += usize::from(stays);
            self.row += 1;
        }
    }

    /// What was decided. Rows that were not decided about go.
    pub(super) fn finish(mut self) -> Kept {
        let before = self.rows.len();
        self.rows.truncate(self.stay);
        Kept { rows: self.rows, before }
    }
}
