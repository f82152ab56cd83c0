//! Columns written by hand that break the rules of the trait: the table notices, and nothing worse
//! happens.

use std::collections::TryReserveError;
use std::slice;

use tenure::table::{Columns, Kept, KeptRows, SlicesMut, Views};
use tenure::{Order, Row, Table};

/// A row whose columns drop every third value.
struct Lossy(u32);

#[derive(Debug, Default)]
struct Losing {
    values: Vec<u32>,
    pushes: u32,
}

impl Row for Lossy {
    type Columns = Losing;
}

impl<'a> Views<'a> for Losing {
    type Ref = &'a u32;
    type Mut = &'a mut u32;
    type Slices = &'a [u32];
    type SlicesMut = &'a mut [u32];
    type Iter = slice::Iter<'a, u32>;
    type IterMut = slice::IterMut<'a, u32>;
}

impl Columns for Losing {
    const EMPTY: Self = Self { values: Vec::new(), pushes: 0 };

    type Row = Lossy;
    type Parts = Lossy;
    type Skipped = ();
    type IntoParts = std::iter::Map<std::vec::IntoIter<u32>, fn(u32) -> Lossy>;
    type IntoIter = Self::IntoParts;

    fn len(&self) -> usize {
        self.values.len()
    }

    fn has_len(&self, len: usize) -> bool {
        self.values.len() == len
    }

    fn capacity(&self) -> usize {
        self.values.capacity()
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve(additional)
    }

    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve_exact(additional)
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.values.shrink_to(capacity);
    }

    fn bytes(&self) -> usize {
        self.values.bytes()
    }

    fn push_parts(&mut self, Lossy(value): Lossy) {
        self.pushes += 1;
        if self.pushes % 3 != 0 {
            self.values.push(value);
        }
    }

    fn pop_parts(&mut self) -> Option<Lossy> {
        self.values.pop().map(Lossy)
    }

    fn swap_remove_parts(&mut self, row: usize) -> Option<Lossy> {
        self.values.swap_remove_parts(row).map(Lossy)
    }

    fn complete(parts: Lossy) -> Lossy {
        parts
    }

    fn swap(&mut self, a: usize, b: usize) {
        Columns::swap(&mut self.values, a, b);
    }

    fn pack(&mut self, kept: &Kept) {
        self.values.pack(kept);
    }

    fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    fn gather(&mut self, order: &Order) {
        self.values.gather(order);
    }

    fn row(&self, row: usize) -> Option<&u32> {
        self.values.get(row)
    }

    fn row_mut(&mut self, row: usize) -> Option<&mut u32> {
        self.values.get_mut(row)
    }

    fn slices(&self) -> &[u32] {
        &self.values
    }

    fn slices_mut(&mut self) -> &mut [u32] {
        &mut self.values
    }

    fn split_at<'a>(slices: SlicesMut<'a, Self>, row: usize) -> (SlicesMut<'a, Self>, SlicesMut<'a, Self>) {
        slices.split_at_mut(row)
    }

    fn iter(&self) -> slice::Iter<'_, u32> {
        self.values.as_slice().iter()
    }

    fn iter_slices<'a>(slices: SlicesMut<'a, Self>) -> slice::IterMut<'a, u32> {
        slices.iter_mut()
    }

    fn into_iter_parts(self) -> Self::IntoParts {
        self.values.into_iter_parts().map(Lossy)
    }

    fn into_iter(self) -> Self::IntoIter {
        self.into_iter_parts()
    }
}

/// The lossy columns are nested after others, one level deeper each time.
#[derive(Row)]
struct Middle {
    kept: u32,
    #[row(nested)]
    lossy: Lossy,
}

#[derive(Row)]
struct Outer {
    kept: u32,
    #[row(nested)]
    middle: Middle,
}

fn middle(id: u32) -> Middle {
    Middle { kept: id, lossy: Lossy(id) }
}

fn outer(id: u32) -> Outer {
    Outer { kept: id, middle: middle(id) }
}

/// Returns the result of `validate` after each of three insertions.
fn verdicts<R: Row>(row: fn(u32) -> R) -> [Option<String>; 3] {
    let mut table: Table<R> = Table::new();
    [0, 1, 2].map(|id| {
        table.insert(row(id));
        table.validate().err().map(|fault| fault.to_string())
    })
}

#[test]
fn validate_checks_every_column() {
    for [first, second, third] in [verdicts(middle), verdicts(outer)] {
        assert_eq!((first, second), (None, None));
        assert_eq!(third.unwrap(), "T1: a column has another length than the number of rows");
    }
    let [.., third] = verdicts(Lossy);
    assert_eq!(third.unwrap(), "T1: handles, live slots and rows differ in number");
}

#[test]
fn lost_rows_are_not_found() {
    let mut table: Table<Middle> = (0..3).map(middle).collect();
    let handles = table.handles().collect::<Vec<_>>();
    assert!(table.get(handles[2]).is_none() && table.get_mut(handles[2]).is_none());
    assert_eq!(table.get(handles[1]).map(|row| (*row.kept, *row.lossy)), Some((1, 1)));
    assert_eq!(table.remove(handles[1]).map(|row| row.lossy.0), Some(1));
    table.clear();
    assert_eq!(table.validate(), Ok(()));
}

/// The rows that are kept, as a value that can be stored and read from both ends.
#[test]
fn kept_rows_are_an_iterator_with_a_name() {
    let kept = Kept::new(&[true, false, true, true, false]);
    let mut rows: KeptRows<'_> = kept.rows();
    assert_eq!((rows.len(), rows.next(), rows.len()), (3, Some(0), 2));
    assert_eq!(format!("{rows:?}"), "KeptRows([2, 3])");
    assert_eq!((rows.clone().nth(1), rows.clone().sum::<usize>()), (Some(3), 5));
    assert_eq!(
        (rows.next_back(), rows.size_hint(), rows.next(), rows.next()),
        (Some(3), (1, Some(1)), Some(2), None)
    );
}
