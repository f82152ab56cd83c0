//! Iterators that remove values.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::handle::Handle;
use crate::key::{Key, KeyExt};
use crate::slots::{Buffer, Ends, Growable, SlotRef, Slots};

/// A draining iterator over a pool, in index order. See [`Pool::drain`](crate::Pool::drain).
pub struct Drain<'a, T, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    slots: &'a mut Slots<T, H::Layout, B>,
    ends: Ends,
    about: PhantomData<H>,
}

impl<'a, T, H: Key, B: Buffer<T>> Drain<'a, T, H, B> {
    pub(super) fn new(slots: &'a mut Slots<T, H::Layout, B>) -> Self {
        Self { ends: slots.ends(), slots, about: PhantomData }
    }

    fn remove(&mut self, index: u32) -> Option<(H, T)> {
        let (mark, value) = self.slots.remove_if(index, |_, _| true)?;
        Some((H::from_slot(SlotRef { index, mark }), value))
    }
}

impl<T, H: Key, B: Buffer<T>> Iterator for Drain<'_, T, H, B> {
    type Item = (H, T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let index = self.ends.next(self.slots)?;
        self.remove(index)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.slots.len(), Some(self.slots.len()))
    }
}

impl<T, H: Key, B: Buffer<T>> DoubleEndedIterator for Drain<'_, T, H, B> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let index = self.ends.next_back(self.slots)?;
        self.remove(index)
    }
}

impl<T, H: Key, B: Buffer<T>> ExactSizeIterator for Drain<'_, T, H, B> {}
impl<T, H: Key, B: Buffer<T>> FusedIterator for Drain<'_, T, H, B> {}

impl<T, H: Key, B: Buffer<T>> Drop for Drain<'_, T, H, B> {
    fn drop(&mut self) {
        self.slots.clear();
    }
}

impl<T, H: Key, B: Buffer<T>> fmt::Debug for Drain<'_, T, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").field("left", &self.slots.len()).finish_non_exhaustive()
    }
}

/// Removes the values that match a predicate, in index order. See
/// [`Pool::extract_if`](crate::Pool::extract_if).
#[must_use = "it removes nothing unless it is iterated over"]
pub struct ExtractIf<'a, T, F, H: Key = Handle<T>, B: Buffer<T> = Growable<T>> {
    slots: &'a mut Slots<T, H::Layout, B>,
    ends: Ends,
    should_remove: F,
    about: PhantomData<H>,
}

impl<'a, T, F, H: Key, B: Buffer<T>> ExtractIf<'a, T, F, H, B> {
    pub(super) fn new(slots: &'a mut Slots<T, H::Layout, B>, should_remove: F) -> Self {
        Self { ends: slots.ends(), slots, should_remove, about: PhantomData }
    }
}

impl<T, F, H: Key, B: Buffer<T>> Iterator for ExtractIf<'_, T, F, H, B>
where
    F: FnMut(H, &mut T) -> bool,
{
    type Item = (H, T);

    fn next(&mut self) -> Option<Self::Item> {
        // The ends move before the closure runs: if it panics, it is not called for this value
        // again.
        while let Some(index) = self.ends.next(self.slots) {
            let should_remove =
                |mark, value: &mut T| (self.should_remove)(H::from_slot(SlotRef { index, mark }), value);
            if let Some((mark, value)) = self.slots.remove_if(index, should_remove) {
                return Some((H::from_slot(SlotRef { index, mark }), value));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.slots.len()))
    }
}

impl<T, F, H: Key, B: Buffer<T>> FusedIterator for ExtractIf<'_, T, F, H, B> where F: FnMut(H, &mut T) -> bool {}

impl<T, F, H: Key, B: Buffer<T>> fmt::Debug for ExtractIf<'_, T, F, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractIf").finish_non_exhaustive()
    }
}
