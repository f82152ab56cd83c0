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
use crate::key::Key;
use crate::table::{self, Table};
#[doc(no_inline)]
pub use crate::table::{Handles, PendingHandles};

/// A pool whose values lie side by side, without holes: all of them are one slice.
///
/// Walking it is walking a slice, whatever has been removed. In return a look-up takes one step
/// more than in a [`Pool`](crate::Pool), and values move: the last one fills the gap when one is
/// removed. Handles follow.
///
/// ```
/// use tenure::DensePool;
///
/// let mut lights = DensePool::new();
/// let torch = lights.insert([1.0, 0.5, 0.1, 1.0]);
/// let lamp = lights.insert([0.9, 0.9, 1.0, 1.0]);
/// lights.remove(torch);
///
/// let upload: &[[f32; 4]] = lights.as_slice(); // for a GPU: no gaps
/// assert_eq!(upload, [[0.9, 0.9, 1.0, 1.0]]);
/// assert_eq!(lights.row_of(lamp), Some(0));
/// ```
///
/// It is a [`Table`] with one column, and has its methods: [`sort_by_key`](Table::sort_by_key),
/// [`retain`](Table::retain), [`remove_many`](Table::remove_many), [`following`](Table::following)
/// and the others.
///
/// # Order
///
/// Walks go by row. New values come last; [`remove`](Table::remove) and
/// [`extract_if`](Table::extract_if) let the last row fill the gap; [`retain`](Table::retain),
/// [`remove_many`](Table::remove_many) and [`remove_ordered`](Table::remove_ordered) keep the
/// order.
#[doc(alias("DenseSlotMap", "sparse set"))]
pub struct DensePool<T, H: Key = Handle<T>> {
    table: Column<T, H>,
}

/// A table with one column.
type Column<T, H> = Table<T, H, Vec<T>>;

impl<T, H: Key> DensePool<T, H> {
    /// All values, in the order of their rows.
    #[inline]
    #[must_use]
    #[doc(alias("upload to a GPU", "GPU", "values_as_slice"))]
    pub fn as_slice(&self) -> &[T] {
        self.columns()
    }

    /// All values, in the order of their rows, to change them and to change their order: what
    /// [`SliceMut`] moves takes its handle along.
    ///
    /// ```
    /// let mut pool = tenure::DensePool::new();
    /// let (a, b) = (pool.insert("a"), pool.insert("b"));
    /// pool.as_mut_slice().swap(0, 1);
    /// assert_eq!(pool.as_slice(), ["b", "a"]);
    /// assert_eq!((pool[a], pool[b]), ("a", "b")); // still
    /// ```
    ///
    /// For a plain `&mut [T]`, in which you change values and not their order, see
    /// [`columns_mut`](Table::columns_mut).
    #[inline]
    pub fn as_mut_slice(&mut self) -> SliceMut<'_, T, H> {
        SliceMut::new(&mut self.table)
    }

    /// Handles of all values, in the order of their rows.
    #[inline]
    #[doc(alias = "keys")]
    #[must_use = "iterators are lazy"]
    pub fn handles(&self) -> Handles<'_, H> {
        self.table.handles()
    }

    /// Handles of all values, in the order of their rows, as a slice.
    #[inline]
    #[must_use]
    #[doc(alias = "keys_as_slice")]
    pub fn raw_handles(&self) -> &[Handle<H::Kind, H::Layout>] {
        self.table.raw_handles()
    }

    /// Both side by side, for walks of several threads.
    #[cfg(feature = "rayon")]
    pub(crate) fn handles_and_values_mut(&mut self) -> (&[crate::key::HandleOf<H>], &mut [T]) {
        self.table.handles_and_columns_mut()
    }

    /// The handle of a value, from its address. `None` when it does not lie in this pool. O(1).
    ///
    /// Values of size 0 all have the same address: they have no handle of their own to be found by
    /// it, unless there is only one.
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

    /// Returns the handle of the first value, in the order of the rows, for which the closure
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

    /// Lends values one by one while the pool is borrowed: several `&mut` that are found as you go,
    /// each handle once. See [`Pool::borrow_many`](crate::Pool::borrow_many). Allocates and clears
    /// one bit per slot.
    pub fn borrow_many(&mut self) -> Loans<'_, T, H> {
        Loans::new(&mut self.table)
    }

    /// As [`Table::remove_ordered`].
    pub fn remove_ordered(&mut self, handle: H) -> Option<T> {
        self.table.remove_ordered(handle)
    }

    /// As [`Table::remove_many`].
    pub fn remove_many(&mut self, handles: impl IntoIterator<Item = H>) -> usize {
        self.table.remove_many(handles)
    }

    /// The values alone, in the order of their rows.
    #[must_use]
    pub fn into_values(self) -> alloc::vec::IntoIter<T> {
        self.table.into_values()
    }

    /// The same handles, leading to other values, in the same order. See
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
