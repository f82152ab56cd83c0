//! Looking rows up: by handle, by row, by what is in them.

use core::cmp::Ordering;

use super::{Columns, Handles, Iter, IterMut, RowMut, RowRef, Slices, SlicesMut, Table, Views};
use crate::error::GetDisjointMutError;
use crate::handle::Handle;
use crate::key::Key;
use crate::status::{HandleError, Status};

impl<R, H: Key, C: Columns<Row = R>> Table<R, H, C> {
    /// The row that a handle leads to.
    #[inline]
    #[must_use]
    pub fn get(&self, handle: H) -> Option<RowRef<'_, C>> {
        self.columns.row(self.row_of(handle)?)
    }

    /// As [`get`](Self::get), to change the fields.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: H) -> Option<RowMut<'_, C>> {
        let row = self.row_of(handle)?;
        self.columns.row_mut(row)
    }

    /// As [`get`](Self::get), with an error that says why there is no row.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    #[inline]
    pub fn try_get(&self, handle: H) -> Result<RowRef<'_, C>, HandleError> {
        self.get(handle).ok_or_else(|| self.row_of_slot.why_not_live(handle.handle()))
    }

    /// As [`try_get`](Self::try_get), to change the fields.
    ///
    /// # Errors
    ///
    /// What became of the handle.
    #[inline]
    pub fn try_get_mut(&mut self, handle: H) -> Result<RowMut<'_, C>, HandleError> {
        let row = *self.row_of_slot.try_get(handle.handle())?;
        self.columns.row_mut(row as usize).ok_or(HandleError::Nil)
    }

    /// Whether the handle leads to a row.
    #[inline]
    #[must_use]
    #[doc(alias("contains_key", "is_valid", "is_alive"))]
    pub fn contains(&self, handle: H) -> bool {
        self.row_of_slot.contains(handle.handle())
    }

    /// What became of a handle.
    #[must_use]
    pub fn status(&self, handle: H) -> Status {
        self.row_of_slot.status(handle.handle())
    }

    /// The live handle of a slot, by its index. (Not by row: that is [`handles`](Self::handles).)
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<H> {
        self.row_of_slot.handle_at(index).map(H::from_handle)
    }

    /// The row of a handle, until rows change places.
    #[inline]
    #[must_use]
    pub fn row_of(&self, handle: H) -> Option<usize> {
        self.row_of_slot.get(handle.handle()).map(|&row| row as usize)
    }

    /// A row by its number.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> Option<RowRef<'_, C>> {
        self.columns.row(row)
    }

    /// A row by its number, to change the fields.
    #[inline]
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> Option<RowMut<'_, C>> {
        self.columns.row_mut(row)
    }

    /// An iterator over the handles, in the order of the rows.
    #[inline]
    #[doc(alias = "keys")]
    pub fn handles(&self) -> Handles<'_, H> {
        Handles::new(&self.handles)
    }

    /// The handle of every row, in the order of the rows, as a slice.
    #[inline]
    #[must_use]
    #[doc(alias = "keys_as_slice")]
    pub fn raw_handles(&self) -> &[Handle<H::Kind, H::Layout>] {
        &self.handles
    }

    /// All columns as slices, equally long.
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

    /// All columns as slices, to change the values: take them apart by destructuring.
    ///
    /// Change values here, not their order. Sorting one column alone tears the rows apart, and
    /// sorting all of them by hand gives every handle another row: [`sort_by`](Self::sort_by) and
    /// [`apply_order`](Self::apply_order) take the handles along.
    #[inline]
    #[must_use]
    pub fn columns_mut(&mut self) -> SlicesMut<'_, C> {
        self.columns.slices_mut()
    }

    /// Several rows at once, to change them. Compares all pairs, so it is meant for a few handles.
    ///
    /// # Errors
    ///
    /// Which handle leads nowhere and why, or which two are the same.
    #[doc(alias("get2_mut", "get_many_mut", "get two &mut at once"))]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [H; N],
    ) -> Result<[RowMut<'_, C>; N], GetDisjointMutError> {
        let rows = self.row_of_slot.get_disjoint_mut(handles.map(Key::handle))?.map(|row| *row as usize);
        let mut found: [Option<RowMut<'_, C>>; N] = [const { None }; N];
        let mut left = self.columns.iter_mut();
        let mut passed = 0;
        for place in ascending(rows) {
            found[place] = left.nth(rows[place] - passed);
            passed = rows[place] + 1;
        }
        Ok(found.map(|row| row.unwrap_or_else(|| unreachable!("T1: every name leads to a row"))))
    }

    /// Handles and rows, in the order of the rows.
    #[inline]
    pub fn iter(&self) -> Iter<'_, C, H> {
        Iter::new(&self.handles, &self.columns)
    }

    /// Handles and rows, in the order of the rows, to change the fields.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, C, H> {
        IterMut::new(&self.handles, &mut self.columns)
    }

    /// Rows, in their order. A loop over [columns](Self::columns) touches only what it needs.
    #[inline]
    pub fn values(&self) -> <C as Views<'_>>::Iter {
        self.columns.iter()
    }

    /// Rows, in their order, to change the fields.
    #[inline]
    pub fn values_mut(&mut self) -> <C as Views<'_>>::IterMut {
        self.columns.iter_mut()
    }

    /// The rows alone, in their order.
    pub fn into_values(self) -> C::IntoIter {
        self.columns.into_iter()
    }

    /// The first row that the closure accepts. Looks at one row after the other.
    ///
    /// For rows that have a name of their own, unique among them:
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

    /// A row of a sorted table: as for slices, the row that compares as equal, or where it would
    /// have to be.
    ///
    /// # Errors
    ///
    /// The number of the row before which such a row would have to be.
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

    /// As [`binary_search_by`](Self::binary_search_by), in a table that is sorted by a key.
    ///
    /// # Errors
    ///
    /// The number of the row before which such a row would have to be.
    pub fn binary_search_by_key<Q: Ord>(
        &self,
        wanted: &Q,
        mut key: impl FnMut(RowRef<'_, C>) -> Q,
    ) -> Result<usize, usize> {
        self.binary_search_by(|row| key(row).cmp(wanted))
    }
}

/// The places of the numbers, the lowest number first.
fn ascending<const N: usize>(numbers: [usize; N]) -> [usize; N] {
    let mut places = core::array::from_fn(|place| place);
    places.sort_unstable_by_key(|&place| numbers[place]);
    places
}
