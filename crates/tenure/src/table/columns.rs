//! The storage of rows: one vector per field. A safe trait: no unsafe code relies on it.

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
    message = "`{Self}` is not a row of a table",
    label = "does not implement `Row`",
    note = "put `#[derive(Row)]` on the struct (feature `derive`), or use a `DensePool`, which stores any type in one column"
)]
pub trait Row: Sized {
    /// The storage of the rows.
    type Columns: Columns<Row = Self>;
}

/// The borrowed forms of columns, for the lifetime `'a`.
///
/// A trait of its own, and not types with a lifetime in [`Columns`]: a closure that takes such a
/// type for every lifetime would then work only for `'static` values. `Bound` implies that the
/// columns outlive `'a`; leave it as it is.
pub trait Views<'a, Bound = &'a Self> {
    /// A row, with a reference to each field.
    type Ref;
    /// A row, with a mutable reference to each field.
    type Mut;
    /// All columns as slices.
    type Slices;
    /// All columns as mutable slices.
    type SlicesMut;
    /// An iterator over all rows.
    type Iter: DoubleEndedIterator<Item = Self::Ref> + ExactSizeIterator + FusedIterator;
    /// An iterator over all rows, mutably. Skipping (`nth`) takes constant time.
    type IterMut: DoubleEndedIterator<Item = Self::Mut> + ExactSizeIterator + FusedIterator;
}

/// A row of `C`, with a reference to each field.
pub type RowRef<'a, C> = <C as Views<'a>>::Ref;
/// A row of `C`, with a mutable reference to each field.
pub type RowMut<'a, C> = <C as Views<'a>>::Mut;
/// All columns of `C` as slices.
pub type Slices<'a, C> = <C as Views<'a>>::Slices;
/// All columns of `C` as mutable slices.
pub type SlicesMut<'a, C> = <C as Views<'a>>::SlicesMut;

/// The storage of rows, field by field: `#[derive(Row)]` generates it for a struct. A `Vec<T>` is
/// the case of one column.
///
/// Implement it by the derive, not by hand. An implementation that breaks the rules below makes a
/// table lose values or panic, but causes no undefined behaviour: no unsafe code relies on it.
///
/// All columns have the same length between calls. Every column reserves before any column pushes,
/// so that a push cannot fail.
///
/// Code of the values runs in [`truncate`](Self::truncate), [`complete`](Self::complete) and the
/// provided methods, and nowhere else. Skipped fields have no column:
/// [`push_parts`](Self::push_parts) returns them to the caller, which drops them, and `complete`
/// creates them. So a row is inserted into or removed from all columns, including those of nested
/// rows, before a `Default` or a destructor can panic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the storage of a table",
    note = "`#[derive(Row)]` generates one: `<Creature as Row>::Columns`; a `Vec` stores rows of one column"
)]
pub trait Columns: Sized + for<'a> Views<'a> {
    /// The storage without rows. Allocates nothing.
    const EMPTY: Self;

    /// A whole row.
    type Row;
    /// A row without its skipped fields: the values that are in columns.
    type Parts;
    /// The skipped fields of a row, including those of nested rows.
    type Skipped;
    /// An owning iterator over all rows, without skipped fields.
    type IntoParts: DoubleEndedIterator<Item = Self::Parts> + ExactSizeIterator + FusedIterator;
    /// An owning iterator over all rows.
    type IntoIter: DoubleEndedIterator<Item = Self::Row> + ExactSizeIterator + FusedIterator;

    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns `true` if there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if every column, including those of nested rows, has `len` values.
    ///
    /// [`Table::validate`](crate::Table::validate) calls it: [`len`](Self::len) may read one column
    /// only.
    fn has_len(&self, len: usize) -> bool;

    /// Returns the number of rows that every column has room for.
    fn capacity(&self) -> usize;

    /// Reserves room for more rows, in every column.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;

    /// Like [`try_reserve`](Self::try_reserve), without reserving more than needed.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    fn try_reserve_exact(&mut self, additional: usize) -> Result<(), TryReserveError>;

    /// Releases unused memory, but keeps room for at least `capacity` rows.
    fn shrink_to(&mut self, capacity: usize);

    /// Releases unused memory.
    fn shrink_to_fit(&mut self) {
        self.shrink_to(0);
    }

    /// Returns the heap memory in bytes, without memory that the values own.
    fn bytes(&self) -> usize;

    /// Appends a row, for which there is room. Returns its skipped fields: the caller drops them
    /// when everything else is done, because their destructors may panic.
    fn push_parts(&mut self, row: Self::Row) -> Self::Skipped;

    /// Appends a row, for which there is room, and drops its skipped fields. If a destructor
    /// panics, the row is in the columns.
    #[inline]
    fn push(&mut self, row: Self::Row) {
        drop(self.push_parts(row));
    }

    /// Removes the last row and returns it without its skipped fields.
    fn pop_parts(&mut self) -> Option<Self::Parts>;

    /// Removes the last row and returns it. If the `Default` of a skipped field panics, the row is
    /// removed and dropped.
    #[inline]
    fn pop(&mut self) -> Option<Self::Row> {
        self.pop_parts().map(Self::complete)
    }

    /// Removes a row, if it exists, and returns it without its skipped fields. The last row moves
    /// into its place.
    fn swap_remove_parts(&mut self, row: usize) -> Option<Self::Parts>;

    /// Removes a row, if it exists, and returns it. The last row moves into its place. If the
    /// `Default` of a skipped field panics, the row is removed and dropped.
    #[inline]
    fn swap_remove(&mut self, row: usize) -> Option<Self::Row> {
        self.swap_remove_parts(row).map(Self::complete)
    }

    /// Completes a row: creates its skipped fields by `Default::default()`. If that panics, the
    /// parts are dropped.
    fn complete(parts: Self::Parts) -> Self::Row;

    /// Swaps two rows, which exist.
    fn swap(&mut self, a: usize, b: usize);

    /// Moves the kept rows to the front, in their order. The others follow them in any order, or
    /// are removed if they need no dropping: [`truncate`](Self::truncate) makes the columns equally
    /// long again. There are [`Kept::before`] rows.
    fn pack(&mut self, kept: &Kept);

    /// Drops all rows from `len` on. If a destructor panics, the other rows are still dropped.
    fn truncate(&mut self, len: usize);

    /// Reorders the rows: row `i` becomes the former row `order.rows()[i]`. There are as many rows
    /// as the order has.
    fn gather(&mut self, order: &Order);

    /// Returns a row.
    fn row(&self, row: usize) -> Option<RowRef<'_, Self>>;

    /// Returns a row, mutably.
    fn row_mut(&mut self, row: usize) -> Option<RowMut<'_, Self>>;

    /// Returns all columns.
    fn slices(&self) -> Slices<'_, Self>;

    /// Returns all columns, mutably.
    fn slices_mut(&mut self) -> SlicesMut<'_, Self>;

    /// Splits all columns in two: the rows before `row`, which is at most their number, and the
    /// others.
    fn split_at<'a>(slices: SlicesMut<'a, Self>, row: usize) -> (SlicesMut<'a, Self>, SlicesMut<'a, Self>);

    /// Returns an iterator over all rows.
    fn iter(&self) -> <Self as Views<'_>>::Iter;

    /// Returns an iterator over all rows, mutably.
    #[inline]
    fn iter_mut(&mut self) -> <Self as Views<'_>>::IterMut {
        Self::iter_slices(self.slices_mut())
    }

    /// Returns an iterator over all rows of these slices, mutably.
    fn iter_slices<'a>(slices: SlicesMut<'a, Self>) -> <Self as Views<'a>>::IterMut;

    /// Returns an owning iterator over all rows, without skipped fields.
    fn into_iter_parts(self) -> Self::IntoParts;

    /// Returns an owning iterator over all rows.
    fn into_iter(self) -> Self::IntoIter;
}

/// An owning iterator over all rows of `C`: the one that `#[derive(Row)]` uses.
///
/// If the `Default` of a skipped field panics, the row is removed from all columns.
#[must_use = "iterators are lazy"]
pub struct IntoRows<C: Columns>(C::IntoParts);

impl<C: Columns> IntoRows<C> {
    /// Returns the iterator over the rows of these columns.
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

/// Truncates a column when it is dropped, so that a value that panics in one column does not keep
/// the others from being truncated.
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

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
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
