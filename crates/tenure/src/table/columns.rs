//! What holds rows: one vector per field. A safe trait, and no unsafe code relies on it.

use alloc::collections::TryReserveError;
use alloc::vec::{self, Vec};
use core::fmt;
use core::iter::FusedIterator;
use core::slice;

use super::Kept;
use super::order::{self, Order};

/// A type whose values can be the rows of a [`Table`](crate::Table). Derive it: `#[derive(Row)]`.
///
/// The derive needs the feature `derive`. Without it, the compiler says that there is no derive
/// macro of this name: `tenure = { version = "0.1", features = ["derive"] }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no row of a table",
    label = "its fields are not known as columns",
    note = "put `#[derive(Row)]` on the struct (feature `derive`), or take a `DensePool`, which holds any type in one column"
)]
pub trait Row: Sized {
    /// What holds the rows.
    type Columns: Columns<Row = Self>;
}

/// What columns look like while they are borrowed for `'a`.
///
/// A trait of its own, and not types with a lifetime in [`Columns`]: a closure that takes such a
/// type for every lifetime would then only work for values that live for ever. `Bound` is what says
/// that the columns live as long as `'a`; leave it as it is.
pub trait Views<'a, Bound = &'a Self> {
    /// A row, field by field, to look at.
    type Ref;
    /// A row, field by field, to change.
    type Mut;
    /// All columns as slices.
    type Slices;
    /// All columns as slices, to change the values.
    type SlicesMut;
    /// All rows, one by one, to look at.
    type Iter: DoubleEndedIterator<Item = Self::Ref> + ExactSizeIterator + FusedIterator;
    /// All rows, one by one, to change them. Skipping (`nth`) takes no time.
    type IterMut: DoubleEndedIterator<Item = Self::Mut> + ExactSizeIterator + FusedIterator;
}

/// A row of `C`, to look at.
pub type RowRef<'a, C> = <C as Views<'a>>::Ref;
/// A row of `C`, to change.
pub type RowMut<'a, C> = <C as Views<'a>>::Mut;
/// All columns of `C` as slices.
pub type Slices<'a, C> = <C as Views<'a>>::Slices;
/// All columns of `C` as slices, to change the values.
pub type SlicesMut<'a, C> = <C as Views<'a>>::SlicesMut;

/// Rows, field by field: what `#[derive(Row)]` makes of a struct. A `Vec<T>` is the case of one
/// column.
///
/// Implement it by the derive, not by hand. An implementation that does not keep to what is said
/// here makes a table lose values or panic, but not misbehave in other ways: no unsafe code relies
/// on it.
///
/// All columns are equally long between calls. Every column reserves before any pushes, so that a
/// push cannot fail.
///
/// Code of the values runs in [`truncate`](Self::truncate), [`complete`](Self::complete) and the
/// methods that are provided, and nowhere else. Fields that are skipped have no column:
/// [`push_parts`](Self::push_parts) returns them to the caller, which drops them, and `complete`
/// makes them. So a row enters or leaves all columns, also those of nested rows, before a `Default`
/// or a destructor can panic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold the rows of a table",
    note = "`#[derive(Row)]` makes what does: `<Creature as Row>::Columns`; a `Vec` holds rows of one column"
)]
pub trait Columns: Sized + for<'a> Views<'a> {
    /// No rows, nothing allocated.
    const EMPTY: Self;

    /// A whole row.
    type Row;
    /// A row without the fields that are skipped: the values that are in columns.
    type Parts;
    /// The fields of a row that are skipped, also those of nested rows.
    type Skipped;
    /// All rows, one by one, moved out, without the fields that are skipped.
    type IntoParts: DoubleEndedIterator<Item = Self::Parts> + ExactSizeIterator + FusedIterator;
    /// All rows, one by one, moved out.
    type IntoIter: DoubleEndedIterator<Item = Self::Row> + ExactSizeIterator + FusedIterator;

    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if every column, also those of nested rows, has `len` values.
    ///
    /// [`Table::validate`](crate::Table::validate) calls it: [`len`](Self::len) may look at one
    /// column only.
    fn has_len(&self, len: usize) -> bool;

    /// How many rows every column has room for.
    fn capacity(&self) -> usize;

    /// Makes room for more rows, in every column.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;

    /// As [`try_reserve`](Self::try_reserve), without asking for more than needed.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError>;

    /// Gives back what is not needed.
    fn shrink_to_fit(&mut self);

    /// Heap memory, in bytes, without what the values themselves own.
    fn bytes(&self) -> usize;

    /// Adds a row, for which there is room. Returns its skipped fields: the caller drops them when
    /// everything else is done, because their destructors may panic.
    fn push_parts(&mut self, row: Self::Row) -> Self::Skipped;

    /// Adds a row, for which there is room, and drops its skipped fields. If one of them panics,
    /// the row is there.
    #[inline]
    fn push(&mut self, row: Self::Row) {
        drop(self.push_parts(row));
    }

    /// Removes the last row and returns it without its skipped fields.
    fn pop_parts(&mut self) -> Option<Self::Parts>;

    /// Removes the last row and returns it. If the `Default` of a skipped field panics, the row is
    /// gone.
    #[inline]
    fn pop(&mut self) -> Option<Self::Row> {
        self.pop_parts().map(Self::complete)
    }

    /// Removes a row, if it exists, and returns it without its skipped fields. The last row comes
    /// into its place.
    fn swap_remove_parts(&mut self, row: usize) -> Option<Self::Parts>;

    /// Removes a row, if it exists, and returns it. The last row comes into its place. If the
    /// `Default` of a skipped field panics, the row is gone.
    #[inline]
    fn swap_remove(&mut self, row: usize) -> Option<Self::Row> {
        self.swap_remove_parts(row).map(Self::complete)
    }

    /// Makes a whole row: skipped fields are made by `Default::default()`. If one of them panics,
    /// the parts are dropped.
    fn complete(parts: Self::Parts) -> Self::Row;

    /// Two rows that exist change places.
    fn swap(&mut self, a: usize, b: usize);

    /// Brings the rows that stay to the front, one after the other. The rest comes behind them, in
    /// any order, or is gone where it needs no dropping: [`truncate`](Self::truncate) is what makes
    /// columns equally long again. There are as many rows as [`Kept::before`] says.
    fn pack(&mut self, kept: &Kept);

    /// Drops all rows from `len` on. If one panics while it is dropped, the rest is dropped all the
    /// same.
    fn truncate(&mut self, len: usize);

    /// Row `i` becomes what row `order.rows()[i]` was. There are as many rows as the order has.
    fn gather(&mut self, order: &Order);

    /// A row, to look at.
    fn row(&self, row: usize) -> Option<RowRef<'_, Self>>;

    /// A row, to change.
    fn row_mut(&mut self, row: usize) -> Option<RowMut<'_, Self>>;

    /// All columns.
    fn slices(&self) -> Slices<'_, Self>;

    /// All columns, to change the values.
    fn slices_mut(&mut self) -> SlicesMut<'_, Self>;

    /// Two parts of all columns: the rows before `row`, which is at most their number, and the
    /// others.
    fn split_at<'a>(slices: SlicesMut<'a, Self>, row: usize) -> (SlicesMut<'a, Self>, SlicesMut<'a, Self>);

    /// All rows.
    fn iter(&self) -> <Self as Views<'_>>::Iter;

    /// All rows, to change them.
    #[inline]
    fn iter_mut(&mut self) -> <Self as Views<'_>>::IterMut {
        Self::iter_slices(self.slices_mut())
    }

    /// All rows of these slices, to change them.
    fn iter_slices<'a>(slices: SlicesMut<'a, Self>) -> <Self as Views<'a>>::IterMut;

    /// All rows, moved out, without the fields that are skipped.
    fn into_iter_parts(self) -> Self::IntoParts;

    /// All rows, moved out.
    fn into_iter(self) -> Self::IntoIter;
}

/// All rows of `C`, moved out one by one: the iterator of rows that `#[derive(Row)]` makes.
///
/// If the `Default` of a skipped field panics, the row is gone, from all columns.
#[must_use = "iterators are lazy"]
pub struct IntoRows<C: Columns>(C::IntoParts);

impl<C: Columns> IntoRows<C> {
    /// The rows of these columns.
    pub fn new(columns: C) -> Self {
        Self(columns.into_iter_parts())
    }
}

impl<C: Columns> Iterator for IntoRows<C> {
    type Item = C::Row;

    #[inline]
    fn next(&mut self) -> Option<C::Row> {
        self.0.next().map(C::complete)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<C: Columns> DoubleEndedIterator for IntoRows<C> {
    #[inline]
    fn next_back(&mut self) -> Option<C::Row> {
        self.0.next_back().map(C::complete)
    }
}

impl<C: Columns> ExactSizeIterator for IntoRows<C> {}
impl<C: Columns> FusedIterator for IntoRows<C> {}

impl<C: Columns> fmt::Debug for IntoRows<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoRows").field("left", &self.len()).finish_non_exhaustive()
    }
}

/// Cuts a column off when it is dropped: so that a value that panics in one column does not keep
/// the others from being cut.
#[doc(hidden)]
#[derive(Debug)]
pub struct TruncateLater<'a, C: Columns>(pub &'a mut C, pub usize);

impl<C: Columns> Drop for TruncateLater<'_, C> {
    fn drop(&mut self) {
        self.0.truncate(self.1);
    }
}

impl<'a, T> Views<'a> for Vec<T> {
    type Ref = &'a T;
    type Mut = &'a mut T;
    type Slices = &'a [T];
    type SlicesMut = &'a mut [T];
    type Iter = slice::Iter<'a, T>;
    type IterMut = slice::IterMut<'a, T>;
}

impl<T> Columns for Vec<T> {
    const EMPTY: Self = Vec::new();

    type Row = T;
    type Parts = T;
    type Skipped = ();
    type IntoParts = vec::IntoIter<T>;
    type IntoIter = vec::IntoIter<T>;

    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    fn has_len(&self, len: usize) -> bool {
        self.len() == len
    }

    #[inline]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    #[inline]
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }

    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve_exact(additional)
    }

    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }

    #[inline]
    fn push_parts(&mut self, row: T) {
        self.push(row);
    }

    #[inline]
    fn pop_parts(&mut self) -> Option<T> {
        self.pop()
    }

    #[inline]
    fn swap_remove_parts(&mut self, row: usize) -> Option<T> {
        (row < self.len()).then(|| self.swap_remove(row))
    }

    #[inline]
    fn complete(parts: T) -> T {
        parts
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.as_mut_slice().swap(a, b);
    }

    #[track_caller]
    fn pack(&mut self, kept: &Kept) {
        order::pack(self, kept);
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn gather(&mut self, order: &Order) {
        order.gather(self);
    }

    #[inline]
    fn row(&self, row: usize) -> Option<&T> {
        self.get(row)
    }

    #[inline]
    fn row_mut(&mut self, row: usize) -> Option<&mut T> {
        self.get_mut(row)
    }

    #[inline]
    fn slices(&self) -> &[T] {
        self
    }

    #[inline]
    fn slices_mut(&mut self) -> &mut [T] {
        self
    }

    #[inline]
    fn split_at<'a>(slices: SlicesMut<'a, Self>, row: usize) -> (SlicesMut<'a, Self>, SlicesMut<'a, Self>) {
        slices.split_at_mut(row)
    }

    #[inline]
    fn iter(&self) -> slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    #[inline]
    fn iter_slices<'a>(slices: SlicesMut<'a, Self>) -> slice::IterMut<'a, T> {
        slices.iter_mut()
    }

    fn into_iter_parts(self) -> vec::IntoIter<T> {
        IntoIterator::into_iter(self)
    }

    fn into_iter(self) -> vec::IntoIter<T> {
        IntoIterator::into_iter(self)
    }
}
