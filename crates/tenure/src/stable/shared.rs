//! The one place where a stable pool is changed through a shared reference.
#![allow(unsafe_code, reason = "changes the pool through a shared reference")]

use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::ptr::NonNull;

use crate::error::{Full, FullKind, Rejected, Rejection};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::{Pool, issue};
use crate::slots::{Chunks, Slots};

/// A pool in chunks.
pub(crate) type Inner<T, K, L> = Pool<T, K, L, Chunks<T>>;

/// A handle, and where its value is.
type Newborn<T, K, L> = (Handle<K, L>, NonNull<T>);

/// A pool, and what a split has left to do, in a cell.
///
/// - N2: no reference to what is in the cell lives longer than one call of a function here, and no code of the caller's runs in it. Copying is the
///   exception: a value's `clone` runs while the pool is looked at, and meanwhile every function that would change it panics. (The pool
///   itself: values lie elsewhere, in chunks, and are borrowed for as long as the cell is.)
/// - N3: `born` are the newborn slots and `departed` the departed ones (N1). `freed` are handles that were removed in a split and are pending: those without a value, and the
///   last tenants of slots.
pub(super) struct Shared<T, K: ?Sized, L: Layout> {
    cell: UnsafeCell<Parts<T, K, L>>,
}

struct Parts<T, K: ?Sized, L: Layout> {
    pool: Inner<T, K, L>,
    born: Vec<u32>,
    departed: Vec<u32>,
    freed: Vec<Handle<K, L>>,
    /// How many halves of a split there are. Forgotten ones count until the next split.
    halves: u32,
}

impl<T, K: ?Sized, L: Layout> Parts<T, K, L> {
    /// Whether a split has left something to do.
    #[inline]
    fn is_open(&self) -> bool {
        !(self.born.is_empty() && self.departed.is_empty() && self.freed.is_empty())
    }

    /// Admits the newborn, and lists what has departed or was removed.
    #[cold]
    #[inline(never)]
    fn settle(&mut self) {
        for index in self.born.drain(..) {
            self.pool.slots.admit(index);
        }
        for index in self.departed.drain(..) {
            self.pool.slots.bury(index);
        }
        for handle in self.freed.drain(..) {
            self.pool.slots.release(handle.index(), handle.mark());
        }
    }

    /// Removes what is not as usual: a pending handle, or a slot's last tenant, or one for whom the list must grow.
    #[cold]
    #[inline(never)]
    fn remove_slowly(&mut self, handle: Handle<K, L>) -> Option<T> {
        let is_pending = self.pool.slots.is_pending(handle.index(), handle.mark());
        if !is_pending && !self.pool.contains(handle) {
            return None;
        }
        if self.departed.try_reserve(1).is_err() || self.freed.try_reserve(1).is_err() {
            // Free at once, then: the handle is dead and nobody has its value, so another tenant does no harm.
            return self.pool.remove(handle);
        }
        if is_pending || Slots::<T, L, Chunks<T>>::is_last(handle.mark()) {
            self.freed.push(handle);
            return self.pool.take(handle);
        }
        self.departed.push(handle.index());
        Some(self.pool.slots.depart(handle.index(), handle.mark()))
    }
}

impl<T, K: ?Sized, L: Layout> Drop for Parts<T, K, L> {
    fn drop(&mut self) {
        // The pool drops what its bits say, which is wrong for the departed.
        self.settle();
    }
}

impl<T, K: ?Sized, L: Layout> Shared<T, K, L> {
    pub(super) const fn new(pool: Inner<T, K, L>) -> Self {
        Self {
            cell: UnsafeCell::new(Parts {
                pool,
                born: Vec::new(),
                departed: Vec::new(),
                freed: Vec::new(),
                halves: 0,
            }),
        }
    }

    /// Does something with the pool that runs no code of the caller's, and does not panic (a panic hook is such code).
    #[inline]
    pub(super) fn with<R>(&self, change: impl FnOnce(&mut Inner<T, K, L>) -> R) -> R {
        self.parts(|parts| change(&mut parts.pool))
    }

    /// Asks the pool something that runs no code of the caller's (but for copies, while nothing can be inserted: N2).
    #[inline]
    pub(super) fn look<R>(&self, ask: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        // SAFETY: N2, nobody changes the parts meanwhile.
        ask(unsafe { &(*self.cell.get()).pool })
    }

    #[inline]
    fn parts<R>(&self, change: impl FnOnce(&mut Parts<T, K, L>) -> R) -> R {
        // SAFETY: N2, nobody else has a reference to the parts: functions here are called one after the other, on one thread.
        change(unsafe { &mut *self.cell.get() })
    }

    /// The pool, for whom nothing is borrowed.
    #[inline]
    pub(super) fn get_mut(&mut self) -> &mut Inner<T, K, L> {
        self.settle();
        &mut self.cell.get_mut().pool
    }

    pub(super) fn into_inner(mut self) -> Inner<T, K, L> {
        core::mem::take(self.get_mut())
    }

    /// Where the engine is, for walks that look at it for a moment.
    #[inline]
    pub(super) fn slots(&self) -> *const Slots<T, L, Chunks<T>> {
        // SAFETY: the cell's content is there as long as the cell. Only an address is taken.
        unsafe { &raw const (*self.cell.get()).pool.slots }
    }

    /// Where the value of a handle is, if it leads to one.
    #[inline]
    pub(super) fn find(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: N2, the engine is borrowed for this call.
        unsafe { (*self.slots()).find(handle.index(), handle.mark()) }
    }

    // ---- splits ----

    pub(super) fn begin_split(&self) {
        self.settle();
        self.parts(|parts| parts.halves = 2);
    }

    /// One half of a split is gone; after the other one everything is in its place.
    pub(super) fn end_half(&self) {
        let left = self.parts(|parts| {
            parts.halves = parts.halves.saturating_sub(1);
            parts.halves
        });
        if left == 0 {
            self.settle();
        }
    }

    /// Admits the newborn and releases what was removed in a split. Says whether there was anything to do.
    #[inline]
    pub(super) fn settle(&self) -> bool {
        // SAFETY: N2, the parts are borrowed for this line.
        let open = unsafe { (*self.cell.get()).is_open() };
        if open {
            self.parts(Parts::settle);
        }
        open
    }

    /// Puts a value in that is admitted when the split ends; also where it is.
    #[inline]
    pub(super) fn spawn(&self, value: T) -> Result<Newborn<T, K, L>, Full<T>> {
        self.parts(|parts| {
            if parts.born.try_reserve(1).is_err() {
                return Err(Full::new(value, FullKind::Memory));
            }
            let place = parts.pool.slots.spawn(value).map_err(|(value, kind)| Full::new(value, kind))?;
            parts.born.push(place.index);
            Ok((issue(place), parts.pool.slots.value_ptr(place.index)))
        })
    }

    /// Gives a reserved handle its value, which is admitted when the split ends.
    pub(super) fn fill_newborn(&self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        self.parts(|parts| {
            if !parts.pool.slots.is_pending(handle.index(), handle.mark()) {
                return Err(Rejected::new(value, Rejection::Stale));
            }
            if parts.born.try_reserve(1).is_err() {
                return Err(Rejected::new(value, Rejection::Full));
            }
            parts.pool.slots.fill_newborn(handle.index(), handle.mark(), value);
            parts.born.push(handle.index());
            Ok(())
        })
    }

    /// Takes a value out, or lets a pending handle go; its slot is free when the split ends.
    ///
    /// The value is read last, straight into what is returned: so a large one is copied once.
    #[inline]
    pub(super) fn remove_in_split(&self, handle: Handle<K, L>) -> Option<T> {
        // SAFETY: N2, the parts are borrowed for this call.
        let parts = unsafe { &mut *self.cell.get() };
        let slots = &mut parts.pool.slots;
        let is_usual =
            !Slots::<T, L, Chunks<T>>::is_last(handle.mark()) && parts.departed.len() < parts.departed.capacity();
        if is_usual && slots.contains(handle.index(), handle.mark()) {
            parts.departed.push(handle.index());
            Some(slots.depart(handle.index(), handle.mark()))
        } else {
            parts.remove_slowly(handle)
        }
    }

    /// Heap memory of the lists, in bytes.
    pub(super) fn bytes_of_lists(&self) -> usize {
        // SAFETY: N2, the parts are borrowed for these lines.
        let parts = unsafe { &*self.cell.get() };
        (parts.born.capacity() + parts.departed.capacity()) * size_of::<u32>()
            + parts.freed.capacity() * size_of::<Handle<K, L>>()
    }

    /// Gives the memory of the lists back.
    pub(super) fn shrink_lists(&mut self) {
        let parts = self.cell.get_mut();
        parts.born.shrink_to_fit();
        parts.departed.shrink_to_fit();
        parts.freed.shrink_to_fit();
    }
}
