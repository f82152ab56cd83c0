//! Tables and dense pools: rows in their order, and then the slots without a row.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entry::Entry;
use super::form::{Form, save};
use crate::dense::DensePool;
use crate::key::Key;
use crate::slots::FullKind;
use crate::slots::{LoadError, SavedTag};
use crate::table::{Columns, RowRef, SavedSlot, Table};

/// All slots of a table: those with a row in the order of the rows, then the others by index.
struct Rows<'a, R, H: Key, C>(&'a Table<R, H, C>);

impl<R, H: Key, C: Columns<Row = R>> Serialize for Rows<'_, R, H, C>
where
    for<'a> RowRef<'a, C>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (table, slots, tag) = (self.0, &self.0.row_of_slot().slots, self.0.tag());
        let mut rows = serializer.serialize_seq(Some(slots.slot_count() as usize))?;
        for (handle, row) in table.raw_handles().iter().zip(table.columns_whole().iter()) {
            let index = handle.handle().index();
            rows.serialize_element(&Entry::<_, true>::new(index, tag, slots.tenancy(index), Some(row)))?;
        }
        for SavedSlot { index, tenancy } in table.slots_without_rows() {
            rows.serialize_element(&Entry::<RowRef<'_, C>, true>::new(index, tag, tenancy, None))?;
        }
        rows.end()
    }
}

impl<R, H: Key, C: Columns<Row = R>> Serialize for Table<R, H, C>
where
    for<'a> RowRef<'a, C>: Serialize,
{
    /// Saves handles, the order of the rows, dead generations and the order of future handles, too:
    /// see [`saved_form`](crate::docs::saved_form).
    ///
    /// A row is written as its `…Ref`, which must be `Serialize`: `#[row(derive(Serialize))]` on
    /// the struct derives it, and copies its `#[serde(…)]` attributes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        save(serializer, &self.row_of_slot().preamble(), &Rows(self))
    }
}

impl<'de, R, H, C> Deserialize<'de> for Table<R, H, C>
where
    R: Deserialize<'de>,
    H: Key,
    C: Columns<Row = R>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::<Loading<C>>::deserialize(deserializer)?;
        let preamble = form.preamble();
        let Loading { columns, rows, others, tag } = form.slots;
        tag.check(preamble.tag).map_err(D::Error::custom)?;
        Self::from_saved(columns, rows.iter().copied(), &others, &preamble).map_err(D::Error::custom)
    }
}

/// Rows that were read so far.
struct Loading<C> {
    columns: C,
    /// The slots of the rows.
    rows: Vec<SavedSlot>,
    others: Vec<SavedSlot>,
    tag: SavedTag,
}

impl<C: Columns> Loading<C> {
    const EMPTY: Self = Self { columns: C::EMPTY, rows: Vec::new(), others: Vec::new(), tag: SavedTag::NONE };

    fn push(&mut self, entry: Entry<C::Row, true>) -> Result<(), LoadError> {
        let index = entry.slot.index;
        if entry.is_named {
            self.tag.expect(index, entry.slot.tag)?;
        }
        let slot = SavedSlot { index, tenancy: entry.tenancy() };
        let Some(row) = entry.value else {
            self.others.push(slot);
            return Ok(());
        };
        self.columns.try_reserve(1).map_err(|_| LoadError::Full { index, kind: FullKind::Memory })?;
        self.columns.push(row);
        self.rows.push(slot);
        Ok(())
    }
}

impl<'de, C: Columns<Row: Deserialize<'de>>> Deserialize<'de> for Loading<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor(PhantomData))
    }
}

struct RowsVisitor<C>(PhantomData<C>);

impl<'de, C: Columns<Row: Deserialize<'de>>> Visitor<'de> for RowsVisitor<C> {
    type Value = Loading<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("slots: those with a row, and the others")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut loading = Loading::EMPTY;
        while let Some(entry) = entries.next_element()? {
            loading.push(entry).map_err(A::Error::custom)?;
        }
        Ok(loading)
    }
}

impl<T: Serialize, H: Key> Serialize for DensePool<T, H> {
    /// Saved as a [`Table`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        save(serializer, &self.row_of_slot().preamble(), &Rows(&**self))
    }
}

impl<'de, T: Deserialize<'de>, H: Key> Deserialize<'de> for DensePool<T, H> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Table::deserialize(deserializer).map(Self::from)
    }
}
