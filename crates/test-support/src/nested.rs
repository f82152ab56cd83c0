//! Rows that are nested two deep. Every level has skipped fields that panic when they are created
//! or dropped, and columns on both sides of the nested ones, with and without destructors.

use std::collections::BTreeMap;

use tenure::table::Columns;
use tenure::{Handle, Row, Table};

use crate::fuse::{Tinder, burn};
use crate::{Tracked, ledger};

/// A row. All its values have the same id.
#[derive(Debug, Row)]
pub struct Outer {
    first: Tracked,
    #[row(skip)]
    early: Tinder,
    #[row(nested)]
    middle: Middle,
    plain: u32,
    last: Tracked,
    #[row(skip)]
    late: Tinder,
}

/// A row in a row.
#[derive(Debug, Row)]
pub struct Middle {
    #[row(skip)]
    early: Tinder,
    plain: u32,
    #[row(nested)]
    inner: Inner,
    last: Tracked,
    #[row(skip)]
    late: Tinder,
}

/// A row in a row in a row.
#[derive(Debug, Row)]
pub struct Inner {
    #[row(skip)]
    early: Tinder,
    first: Tracked,
    #[row(skip)]
    late: Tinder,
    plain: u64,
    last: Tracked,
}

/// The columns of the rows.
pub type Rows = <Outer as Row>::Columns;

/// The number of tracked values in a row.
pub const VALUES: usize = 5;

impl Outer {
    /// A row whose values have this id.
    #[must_use]
    pub fn new(id: u32) -> Self {
        let tracked = || Tracked::new(id);
        let inner = Inner { early: Tinder, first: tracked(), late: Tinder, plain: id.into(), last: tracked() };
        let middle = Middle { early: Tinder, plain: id, inner, last: tracked(), late: Tinder };
        Self { first: tracked(), early: Tinder, middle, plain: id, last: tracked(), late: Tinder }
    }

    /// The id of the row.
    ///
    /// # Panics
    ///
    /// If its values have several.
    #[must_use]
    pub fn id(&self) -> u32 {
        let Self { first, middle: Middle { plain: in_middle, inner, last: of_middle, .. }, plain, last, .. } = self;
        let inner = InnerRef { first: &inner.first, plain: &inner.plain, last: &inner.last };
        let middle = MiddleRef { plain: in_middle, inner, last: of_middle };
        OuterRef { first, middle, plain, last }.id()
    }
}

impl OuterRef<'_> {
    /// The id of the row.
    ///
    /// # Panics
    ///
    /// If its values have several.
    #[must_use]
    pub fn id(&self) -> u32 {
        let Self { first, middle: MiddleRef { plain: in_middle, inner, last: of_middle }, plain, last } = *self;
        let id = first.id();
        let others = [*in_middle, inner.first.id(), inner.last.id(), of_middle.id(), *plain, last.id()];
        assert_eq!((others, *inner.plain), ([id; 6], u64::from(id)), "a row is torn apart");
        id
    }
}

impl OuterMut<'_> {
    /// The id of one value of the row, for closures that may mutate the row.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.first.id()
    }
}

/// Checks that all columns have the same length and that the values of every row belong together.
/// Returns the ids of the rows.
///
/// # Panics
///
/// If they do not.
#[must_use]
pub fn sound_rows(rows: &Rows) -> Vec<u32> {
    let OuterColumns { first, middle: MiddleColumns { plain: in_middle, inner, last: of_middle }, plain, last } =
        rows.slices();
    let tracked = [first.len(), inner.first.len(), inner.last.len(), of_middle.len(), last.len()];
    assert_eq!(tracked, [rows.len(); 5], "columns of different lengths");
    assert_eq!([in_middle.len(), inner.plain.len(), plain.len()], [rows.len(); 3], "columns of different lengths");
    assert!(rows.has_len(rows.len()));
    rows.iter().map(|row| row.id()).collect()
}

/// Checks a table: like [`sound_rows`], and that every handle resolves to its own row. Returns the
/// id of every handle.
///
/// # Panics
///
/// If there is a fault.
#[must_use]
pub fn sound_table(table: &Table<Outer>) -> BTreeMap<Handle<Outer>, u32> {
    let OuterColumns { first, middle: MiddleColumns { plain: in_middle, inner, last: of_middle }, plain, last } =
        table.columns();
    let tracked = [first.len(), inner.first.len(), inner.last.len(), of_middle.len(), last.len()];
    assert_eq!(tracked, [table.len(); 5], "columns of different lengths");
    assert_eq!([in_middle.len(), inner.plain.len(), plain.len()], [table.len(); 3], "columns of different lengths");
    assert_eq!(table.validate(), Ok(()));
    let by_handle = |(handle, row): (_, OuterRef<'_>)| {
        assert_eq!(table.get(handle).map(|row| row.id()), Some(row.id()), "a handle resolves to another row");
        (handle, row.id())
    };
    let found: BTreeMap<_, _> = table.iter().map(by_handle).collect();
    assert_eq!(found.len(), table.len(), "a handle has two rows");
    ledger::expect(table.len() * VALUES).unwrap();
    found
}

/// A key whose comparisons and destructor may panic.
#[derive(Debug, PartialEq, Eq)]
pub struct Key(pub u32);

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        burn();
        self.0.cmp(&other.0)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        burn();
    }
}
