//! Insertion of all values of an iterator.

use core::fmt;

use super::Pool;
use crate::error::Full;
use crate::handle::Handle;
use crate::key::{HandleOf, Key};
use crate::slots::Buffer;

/// A container into which values can be inserted one by one.
#[expect(unnameable_types, reason = "sealed: `InsertMany` names the container itself")]
pub trait Intake {
    /// The type of the values.
    type Value;
    /// The type of the handles.
    type Handle;
    /// The type of the plain handles.
    type Plain;

    /// Reserves memory for `count` values, if possible.
    fn expect_more(&mut self, count: usize);

    /// Inserts a value. Asks no key: its code may panic, also in a `drop` that is called by the
    /// panic before.
    fn try_take_in(&mut self, value: Self::Value) -> Result<Self::Plain, Full<Self::Value>>;

    fn handle(plain: Self::Plain) -> Self::Handle;
}

impl<T, H: Key, B: Buffer<T>> Intake for Pool<T, H, B> {
    type Value = T;
    type Handle = H;
    type Plain = HandleOf<H>;

    fn expect_more(&mut self, count: usize) {
        // The hint may be larger than the room. Then the insertions fail.
        let _ = self.slots.try_reserve(count, false);
    }

    #[inline]
    fn try_take_in(&mut self, value: T) -> Result<HandleOf<H>, Full<T>> {
        match self.slots.take_slot() {
            Ok(slot) => {
                self.slots.write_taken(slot, value);
                Ok(Handle::from_slot(slot))
            }
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    #[inline]
    fn handle(plain: HandleOf<H>) -> H {
        H::from_handle(plain)
    }
}

/// Inserts values into a pool and yields their handles. See [`Pool::insert_many`].
///
/// Dropping it inserts the rest. Values that do not fit are dropped; [`finish`](Self::finish)
/// returns them in its error.
pub struct InsertMany<'a, P: Intake, I: Iterator<Item = P::Value>> {
    into: &'a mut P,
    values: Option<I>,
    /// The value that did not fit.
    full: Option<Full<P::Value>>,
}

impl<'a, P: Intake, I: Iterator<Item = P::Value>> InsertMany<'a, P, I> {
    pub(crate) fn new(into: &'a mut P, values: I) -> Self {
        into.expect_more(values.size_hint().0);
        Self { into, values: Some(values), full: None }
    }

    /// Inserts the next value and returns its plain handle.
    #[inline]
    fn insert_next(&mut self) -> Option<P::Plain> {
        if self.full.is_some() {
            return None;
        }
        // The iterator is not in `self` while it runs: if it panics, `drop` must not call it again.
        let mut values = self.values.take()?;
        let value = values.next()?;
        self.values = Some(values);
        self.into.try_take_in(value).map_err(|full| self.full = Some(full)).ok()
    }

    #[inline]
    fn insert_rest(&mut self) {
        while self.insert_next().is_some() {}
    }

    /// Inserts the rest, and returns the values that do not fit in the error.
    ///
    /// ```
    /// use tenure::{Compact, Handle, Pool};
    ///
    /// let mut pool: Pool<u32, Handle<u32, Compact<2>>> = Pool::default(); // room for three
    /// let rest = pool.insert_many(0..5).finish().unwrap_err();
    /// assert_eq!(rest.into_inner().collect::<Vec<_>>(), [3, 4]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Full`] holds an iterator over the values that were not inserted.
    pub fn finish(mut self) -> Result<(), Full<Remainder<I>>> {
        self.insert_rest();
        match (self.full.take(), self.values.take()) {
            (Some(full), values) => Err(full.map(|value| Remainder { first: Some(value), values })),
            (None, _) => Ok(()),
        }
    }
}

/// An iterator over the values that were not inserted: the one that did not fit, and the rest of
/// the iterator `I`. See [`InsertMany::finish`].
#[must_use = "iterators are lazy"]
pub struct Remainder<I: Iterator> {
    first: Option<I::Item>,
    /// `None` after the end.
    values: Option<I>,
}

impl<I: Iterator> Iterator for Remainder<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.first.is_some() {
            return self.first.take();
        }
        let value = self.values.as_mut()?.next();
        if value.is_none() {
            self.values = None;
        }
        value
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let first = usize::from(self.first.is_some());
        let (low, high) = self.values.as_ref().map_or((0, Some(0)), Iterator::size_hint);
        (low.saturating_add(first), high.and_then(|high| high.checked_add(first)))
    }
}

impl<I: Iterator> core::iter::FusedIterator for Remainder<I> {}

impl<I: Iterator> fmt::Debug for Remainder<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remainder").field("left", &self.size_hint()).finish_non_exhaustive()
    }
}

impl<P: Intake, I: Iterator<Item = P::Value>> Iterator for InsertMany<'_, P, I> {
    type Item = P::Handle;

    #[inline]
    fn next(&mut self) -> Option<P::Handle> {
        self.insert_next().map(P::handle)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.values {
            // The lower bound is 0, because the pool may become full.
            Some(values) if self.full.is_none() => (0, values.size_hint().1),
            _ => (0, Some(0)),
        }
    }
}

impl<P: Intake, I: Iterator<Item = P::Value>> Drop for InsertMany<'_, P, I> {
    fn drop(&mut self) {
        self.insert_rest();
    }
}

impl<P: Intake, I: Iterator<Item = P::Value>> core::iter::FusedIterator for InsertMany<'_, P, I> {}

impl<P: Intake, I: Iterator<Item = P::Value>> fmt::Debug for InsertMany<'_, P, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsertMany").field("full", &self.full).finish_non_exhaustive()
    }
}

impl<T, H: Key, B: Buffer<T>> Extend<T> for Pool<T, H, B> {
    /// Inserts every value.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory; [`insert_many`](Pool::insert_many) returns the
    /// remainder instead.
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        if let Err(full) = self.insert_many(values).finish() {
            panic!("{full}");
        }
    }
}

impl<'a, T: Copy + 'a, H: Key> Extend<&'a T> for Pool<T, H> {
    /// Inserts a copy of every value.
    ///
    /// # Panics
    ///
    /// When the pool is full, or there is no memory.
    #[track_caller]
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T, H: Key, B: Buffer<T>> FromIterator<T> for Pool<T, H, B> {
    /// The values get the indices 0, 1, 2, …; the pool has the tag 0.
    ///
    /// # Panics
    ///
    /// When there are fewer slots, or there is no memory.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut pool = Self::default();
        pool.extend(values);
        pool
    }
}

#[cfg(feature = "alloc")]
impl<T, const N: usize> From<[T; N]> for Pool<T> {
    /// The values get the indices 0, 1, 2, ….
    ///
    /// # Panics
    ///
    /// When there is no memory.
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Self::from_iter(values)
    }
}
