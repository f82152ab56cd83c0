//! A dense pool: a table with one column.

// The order of the documentation: rustdoc shows methods by module. (rustfmt sorts neighbours.)
mod new;

mod traits;

mod loans;
mod slice;
mod unchecked;

use alloc::vec::Vec;

pub use self::loans::Loans;
pub use self::slice::SliceMut;

use crate::handle::Handle;
#[cfg(feature = "rayon")]
pub use crate::impls::{DenseParIter as ParIter, DenseParIterMut as ParIterMut};
use crate::key::Key;
use crate::table::{self, Table};
#[doc(no_inline)]
pub use crate::table::{Handles, PendingHandles, Remainder};

/// A pool that keeps its values contiguous, without holes: all of them are one slice.
///
/// Iteration is iteration over a slice, however many values have been removed. In return, a lookup
/// takes one step more than in a [`Pool`](crate::Pool), and values move: when a value is removed,
/// the last one fills the gap. Handles stay valid.
///
/// ```
/// use tenure::DensePool;
///
/// let mut lights = DensePool::new();
/// let torch = lights.insert([1.0, 0.5, 0.1, 1.0]);
/// let lamp = lights.insert([0.9, 0.9, 1.0, 1.0]);
/// lights.remove(torch);
///
/// let upload: &[[f32; 4]] = lights.as_slice(); // without gaps, for example for a GPU
/// assert_eq!(upload, [[0.9, 0.9, 1.0, 1.0]]);
/// assert_eq!(lights.row_of(lamp), Some(0));
/// ```
///
/// It is a [`Table`] with one column and dereferences to it, so it has
/// [`sort_by_key`](Table::sort_by_key), [`retain`](Table::retain),
/// [`following`](Table::following) and the other methods of tables.
///
/// # Order
///
/// Iterators visit values by row. A new value gets the last row. [`remove`](Table::remove) and
/// [`extract_if`](Table::extract_if) move the last row into the gap; [`retain`](Table::retain),
/// [`remove_many`](Table::remove_many) and [`remove_ordered`](Table::remove_ordered) keep the
/// order.
#[doc(alias("DenseSlotMap", "sparse set"))]
pub struct DensePool<T, H: Key = Handle<T>> {
    table: Column<T, H>,
}

/// A table with one column.
type Column<T, H> = Table<T, H, Vec<T>>;

impl<T, H: Key> DensePool<T, H> {
    /// Returns all values, by row.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::from([2, 1]);
    /// assert_eq!(pool.as_slice(), [2, 1]);
    /// assert_eq!(pool.as_slice().iter().max(), Some(&2));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias("upload to a GPU", "GPU", "values_as_slice"))]
    pub fn as_slice(&self) -> &[T] {
        self.columns()
    }

    /// Returns all values mutably, by row. The methods of [`SliceMut`] can also change their order,
    /// and keep the handles valid.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::new();
    /// let (a, b) = (pool.insert("a"), pool.insert("b"));
    /// pool.as_mut_slice().swap(0, 1);
    /// assert_eq!(pool.as_slice(), ["b", "a"]);
    /// assert_eq!((pool[a], pool[b]), ("a", "b")); // handles resolve to the same values
    /// ```
    ///
    /// For a plain `&mut [T]`, to change values and not their order, see
    /// [`columns_mut`](Table::columns_mut).
    #[inline]
    pub fn as_mut_slice(&mut self) -> SliceMut<'_, T, H> {
        SliceMut::new(&mut self.table)
    }

    /// An iterator over the handles of all values, by row.
    #[inline]
    #[doc(alias = "keys")]
    #[must_use = "iterators are lazy"]
    pub fn handles(&self) -> Handles<'_, H> {
        self.table.handles()
    }

    /// Returns the handles of all values, by row, as a slice.
    #[inline]
    #[must_use]
    #[doc(alias = "keys_as_slice")]
    pub fn raw_handles(&self) -> &[Handle<H::Kind, H::Layout>] {
        self.table.raw_handles()
    }

    /// Returns handles and values, by row, for parallel iteration.
    #[cfg(feature = "rayon")]
    pub(crate) fn handles_and_values_mut(&mut self) -> (&[crate::key::HandleOf<H>], &mut [T]) {
        self.table.handles_and_columns_mut()
    }

    /// Returns the handle of a value, found by its address. `None` if the value is not in this
    /// pool. O(1).
    ///
    /// Values of size 0 all have the same address: their handle is found only if there is one.
    #[must_use]
    pub fn handle_of(&self, value: &T) -> Option<H> {
        let offset = core::ptr::from_ref(value).addr().checked_sub(self.as_slice().as_ptr().addr())?;
        let row = match size_of::<T>() {
            0 if self.len() > 1 => return None,
            0 => offset,
            size => offset / size,
        };
        let here = self.as_slice().get(row)?;
        core::ptr::eq(here, value).then(|| H::from_handle(self.raw_handles()[row]))
    }

    /// Returns the handle of the first value, by row, for which the closure
    /// returns `true`. O(n).
    ///
    /// ```
    /// let pool = tenure::DensePool::from([1, 5, 9]);
    /// let five = pool.find(|value| *value > 3).unwrap();
    /// assert_eq!(pool[five], 5);
    /// ```
    #[must_use]
    pub fn find(&self, mut accept: impl FnMut(&T) -> bool) -> Option<H> {
        self.find_by(|value| accept(value))
    }

    /// Borrows values one by one: several `&mut` whose handles are not known beforehand, each
    /// handle once. See [`Pool::borrow_many`](crate::Pool::borrow_many). Allocates and clears one
    /// bit per slot.
    pub fn borrow_many(&mut self) -> Loans<'_, T, H> {
        Loans::new(&mut self.table)
    }

    /// Like [`Table::remove_ordered`].
    pub fn remove_ordered(&mut self, handle: H) -> Option<T> {
        self.table.remove_ordered(handle)
    }

    /// Like [`Table::remove_many`].
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = H>) -> usize {
        self.table.remove_many(handles)
    }

    /// Converts the pool into an iterator over its values, by row.
    #[must_use]
    pub fn into_values(self) -> alloc::vec::IntoIter<T> {
        self.table.into_values()
    }

    /// Replaces every value, also by one of another type. Handles and rows stay the same. See
    /// [`Pool::map_values`](crate::Pool::map_values).
    #[must_use]
    pub fn map_values<U>(self, convert: impl FnMut(T) -> U) -> DensePool<U, H> {
        DensePool { table: self.table.map_columns(|column| column.into_iter().map(convert).collect()) }
    }
}

/// [`table::Iter`] of a dense pool: see [`Table::iter`].
pub type Iter<'a, T, H = Handle<T>> = table::Iter<'a, Vec<T>, H>;

/// [`table::IterMut`] of a dense pool: see [`Table::iter_mut`].
pub type IterMut<'a, T, H = Handle<T>> = table::IterMut<'a, Vec<T>, H>;

/// [`table::IntoIter`] of a dense pool: see `for … in pool`.
pub type IntoIter<T, H = Handle<T>> = table::IntoIter<Vec<T>, H>;

/// [`table::Drain`] of a dense pool: see [`Table::drain`].
pub type Drain<'a, T, H = Handle<T>> = table::Drain<'a, T, H, Vec<T>>;

/// [`table::ExtractIf`] of a dense pool: see [`Table::extract_if`].
pub type ExtractIf<'a, G, T, H = Handle<T>> = table::ExtractIf<'a, G, (), T, H, Vec<T>>;

/// [`pool::InsertMany`](crate::pool::InsertMany) of a dense pool: see [`Table::insert_many`].
pub type InsertMany<'a, T, I, H = Handle<T>> = table::InsertMany<'a, Table<T, H, Vec<T>>, I>;
