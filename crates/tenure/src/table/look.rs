//! Looking rows up: by handle, by row, by content.

use core::cmp::Ordering;

use super::{Columns, Handles, Iter, IterMut, RowMut, RowRef, Slices, SlicesMut, Table, Views};
use crate::error::GetDisjointMutError;
use crate::handle::Handle;
use crate::key::Key;
use crate::status::{HandleError, Status};

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// Returns the row of a handle.
    ///
    /// ```
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Item { price: u32, count: u32 }
    ///
    /// let mut stock = Table::new();
    /// let bread = stock.insert(Item { price: 3, count: 40 });
    /// let item = stock.get(bread).unwrap(); // references to the fields
    /// assert_eq!(item.price * item.count, 120);
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<RowRef<'_, C>> {
        self.columns.row(self.row_of(handle)?)
    }

    /// Like [`get`](Self::get), mutably.
    ///
    /// ```
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Item { price: u32, count: u32 }
    ///
    /// let mut stock = Table::new();
    /// let bread = stock.insert(Item { price: 3, count: 40 });
    /// *stock.get_mut(bread).unwrap().count -= 1;
    /// assert_eq!(stock.columns().count, [39]);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<RowMut<'_, C>> {
        let row = self.row_of(handle)?;
        self.columns.row_mut(row)
    }

    /// Like [`get`](Self::get), but returns an error that says why the handle does not resolve.
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    #[inline]
    pub fn try_get(&self, handle: H) -> Result<RowRef<'_, C>, HandleError> {
        self.get(handle).ok_or_else(|| self.row_of_slot.why_not_live(handle.handle()))
    }

    /// Like [`try_get`](Self::try_get), mutably.
    ///
    /// # Errors
    ///
    /// Why the handle does not resolve.
    #[inline]
    pub fn try_get_mut(&mut self, handle: H) -> Result<RowMut<'_, C>, HandleError> {
        let row = *self.row_of_slot.try_get(handle.handle())?;
        self.columns.row_mut(row as usize).ok_or(HandleError::Nil)
    }

    /// Returns `true` if the handle resolves to a row.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive"))]
    pub fn contains(&self, handle: H) -> bool {
        self.row_of_slot.contains(handle.handle())
    }

    /// Returns the status of a handle.
    #[must_use]
    pub fn status(&self, handle: H) -> Status {
        self.row_of_slot.status(handle.handle())
    }

    /// Returns the live handle at the index of a slot. (By row: [`handles`](Self::handles).)
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.row_of_slot.handle_at(index).map(H::from_handle)
    }

    /// Returns the row of a handle. It is valid until rows move.
    ///
    /// ```
    /// use tenure::DensePool;
    ///
    /// let mut pool = DensePool::from(["a", "b", "c"]);
    /// let [a, c] = [0, 2].map(|index| pool.handle_at(index).unwrap());
    /// assert_eq!(pool.row_of(c), Some(2));
    /// pool.remove(a); // the last row moves into its place
    /// assert_eq!(pool.row_of(c), Some(0));
    /// ```
    #[inline]
    #[must_use]
    pub fn row_of(&self, handle: H) -> Option<usize> {
        self.row_of_slot.get(handle.handle()).map(|&row| row as usize)
    }

    /// Returns a row by its number.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> Option<RowRef<'_, C>> {
        self.columns.row(row)
    }

    /// Returns a row by its number, mutably.
    #[inline]
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> Option<RowMut<'_, C>> {
        self.columns.row_mut(row)
    }

    /// Returns an iterator over the handles, in the order of the rows.
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, H> {
        Handles::new(&self.handles)
    }

    /// Returns the handle of every row, in the order of the rows, as a slice.
    ///
    /// ```
    /// use tenure::DensePool;
    ///
    /// let pool = DensePool::from(["a", "b"]);
    /// let [first, second] = pool.raw_handles() else { panic!("two rows") };
    /// assert_eq!((pool[*first], pool[*second]), ("a", "b"));
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "keys_as_slice")]
    pub fn raw_handles(&self) -> &[Handle<H::Kind, H::Layout>] {
        &self.handles
    }

    /// Returns all columns as slices of the same length.
    ///
    /// ```
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Item { price: u32, count: u32 }
    ///
    /// let shop: Table<Item> = [Item { price: 3, count: 2 }, Item { price: 5, count: 1 }].into_iter().collect();
    /// let worth: u32 = shop.columns().price.iter().zip(shop.columns().count).map(|(price, count)| price * count).sum();
    /// assert_eq!(worth, 11);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias("upload to a GPU", "GPU"))]
    pub fn columns(&self) -> Slices<'_, C> {
        self.columns.slices()
    }

    /// Returns all columns as mutable slices: destructure the result.
    ///
    /// Mutate values here, not their order. Sorting one column alone tears the rows apart, and
    /// sorting all of them by hand gives every handle another row: [`sort_by`](Self::sort_by) and
    /// [`apply_order`](Self::apply_order) move the handles, too.
    #[inline]
    #[must_use]
    pub fn columns_mut(&mut self) -> SlicesMut<'_, C> {
        self.columns.slices_mut()
    }

    /// Returns several rows at once, mutably. O(N²): all pairs of handles are compared.
    ///
    /// # Errors
    ///
    /// Which handle does not resolve and why, or which two are the same.
    #[doc(alias("get2_mut", "get_many_mut", "get two &mut at once"))]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [H; N],
    ) -> Result<[RowMut<'_, C>; N], GetDisjointMutError> {
        let rows = self.row_of_slot.get_disjoint_mut(handles.map(Key::handle))?.map(|row| *row as usize);
        let mut found: [Option<RowMut<'_, C>>; N] = [const { None }; N];
        let mut left = self.columns.iter_mut();
        let mut passed = 0;
        for position in ascending(rows) {
            found[position] = left.nth(rows[position] - passed);
            passed = rows[position] + 1;
        }
        Ok(found.map(|row| row.unwrap_or_else(|| unreachable!("T1: every live slot has a row"))))
    }

    /// Returns an iterator over the handles and rows, in the order of the rows.
    #[inline]
    pub fn iter(&self) -> Iter<'_, C, H> {
        Iter::new(&self.handles, &self.columns)
    }

    /// Returns an iterator over the handles and rows, mutably, in the order of the rows.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, C, H> {
        IterMut::new(&self.handles, &mut self.columns)
    }

    /// Returns an iterator over the rows, in their order. A loop over [columns](Self::columns)
    /// reads only the columns that it uses.
    #[inline]
    pub fn values(&self) -> <C as Views<'_>>::Iter {
        self.columns.iter()
    }

    /// Returns an iterator over the rows, mutably, in their order.
    #[inline]
    pub fn values_mut(&mut self) -> <C as Views<'_>>::IterMut {
        self.columns.iter_mut()
    }

    /// Returns an owning iterator over the rows, in their order.
    pub fn into_values(self) -> C::IntoIter {
        self.columns.into_iter()
    }

    /// Returns the handle of the first row that the closure accepts. Visits one row after the
    /// other.
    ///
    /// For rows that are unique by some of their columns:
    ///
    /// ```
    /// use tenure::{Row, Table};
    ///
    /// #[derive(Row)]
    /// struct Card { suit: u8, rank: u8 }
    ///
    /// let deck: Table<Card> = (0..52).map(|card| Card { suit: card / 13, rank: card % 13 }).collect();
    /// let queen = deck.find_by(|card| *card.suit == 2 && *card.rank == 11).unwrap();
    /// assert_eq!(deck.row_of(queen), Some(37));
    /// ```
    #[must_use]
    #[doc(alias("position", "natural key"))]
    pub fn find_by(&self, accept: impl FnMut(RowRef<'_, C>) -> bool) -> Option<H> {
        let row = self.columns.iter().position(accept)?;
        self.handles.get(row).map(|&handle| H::from_handle(handle))
    }

    /// Searches a sorted table by binary search. Returns the number of a row that compares as
    /// equal.
    ///
    /// # Errors
    ///
    /// The number of the row before which such a row would have to be inserted.
    pub fn binary_search_by(&self, mut compare: impl FnMut(RowRef<'_, C>) -> Ordering) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.columns.row(middle).map(&mut compare) {
                Some(Ordering::Less) => low = middle + 1,
                Some(Ordering::Equal) => return Ok(middle),
                _ => high = middle,
            }
        }
        Err(low)
    }

    /// Like [`binary_search_by`](Self::binary_search_by), in a table that is sorted by a key.
    ///
    /// # Errors
    ///
    /// The number of the row before which such a row would have to be inserted.
    pub fn binary_search_by_key<Q: Ord>(
        &self,
        wanted: &Q,
        mut key: impl FnMut(RowRef<'_, C>) -> Q,
    ) -> Result<usize, usize> {
        self.binary_search_by(|row| key(row).cmp(wanted))
    }
}

/// The positions of the numbers, that of the lowest number first.
fn ascending<const N: usize>(numbers: [usize; N]) -> [usize; N] {
    let mut positions = core::array::from_fn(|position| position);
    positions.sort_unstable_by_key(|&position| numbers[position]);
    positions
}
