//! The one place where a stable pool is changed through a shared reference.
#![expect(unsafe_code, reason = "changes the pool through a shared reference")]

use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::ptr::NonNull;

use super::access::Access;
use crate::error::{Full, FullKind, Rejected, Rejection};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::{Pool, issue};
#[cfg(feature = "serde")]
use crate::slots::Tenancy;
use crate::slots::{Chunks, Nursery, Place, Slots, split};
use crate::steps::step;

/// A pool in chunks.
pub(crate) type Inner<T, K, L> = Pool<T, K, L, Chunks<T>>;

/// A handle, and where its value is.
pub(crate) type Newborn<T, K, L> = (Handle<K, L>, NonNull<T>);

/// A pool, and what a split has left to do, in a cell.
///
/// - N2: while there is a `&mut` to what is in the cell, there is no other reference to it. A
///   `&mut` lives for one call of a function here, in which no code of the caller's runs. A `&`
///   does so, too, but for copying and saving: there a value's `clone` or `serialize` runs while
///   the pool is borrowed. Code that runs then can only ask for another `&`: what needs a `&mut` is
///   refused by the container (`copying`), and copies and saves need none. Debug builds check this
///   (`access`). (Values lie elsewhere, in chunks, and are borrowed for as long as the cell is.)
/// - N3: `born` lists the newborn slots and those kept for the nursery, and `departed` the departed
///   ones (N1). The newborn have their values when the call that has made them ends. Between
///   `admit_newborn` and `forget_removed`, which are called with `&mut`, `born` also lists slots
///   that were removed.
#[expect(missing_debug_implementations, reason = "nobody holds one of these")]
pub struct Shared<T, K: ?Sized, L: Layout> {
    cell: UnsafeCell<Parts<T, K, L>>,
    access: Access,
}

struct Parts<T, K: ?Sized, L: Layout> {
    pool: Inner<T, K, L>,
    /// Words, and some of their slots.
    born: Vec<(u32, u64)>,
    /// Where the next ones are born, and which entry of `born` has its slots.
    nursery: Nursery<T>,
    nursery_at: usize,
    departed: Vec<u32>,
    /// How many halves of a split there are. Forgotten ones count until the next split.
    halves: u32,
}

impl<T, K: ?Sized, L: Layout> Parts<T, K, L> {
    /// Whether a split has left something to do.
    #[inline]
    fn is_open(&self) -> bool {
        !(self.born.is_empty() && self.departed.is_empty())
    }

    /// Admits the newborn, and lists what has departed or was removed.
    #[cold]
    #[inline(never)]
    fn settle(&mut self) {
        self.close_nursery();
        for (word, newborn) in self.born.drain(..) {
            self.pool.slots.admit(word, newborn);
        }
        self.bury_departed();
    }

    /// Lists what has departed.
    fn bury_departed(&mut self) {
        if !self.departed.is_empty() {
            self.pool.slots.bury(self.departed.drain(..));
        }
    }

    /// Opens another nursery, and a handle for the first who is born there.
    #[cold]
    #[inline(never)]
    fn spawn_elsewhere(&mut self) -> Result<(Place, NonNull<T>), FullKind> {
        self.born.try_reserve(1).map_err(|_| FullKind::Memory)?;
        let (nursery, kept) = self.pool.slots.open_nursery()?;
        self.nursery = nursery;
        self.nursery_at = self.born.len();
        self.born.push((self.nursery.rest().0, kept));
        self.nursery.spawn().ok_or(FullKind::Memory)
    }

    /// Lists what the nursery has not used.
    fn close_nursery(&mut self) {
        let (word, left) = core::mem::replace(&mut self.nursery, Nursery::EMPTY).rest();
        if left != 0 {
            self.born[self.nursery_at].1 &= !left;
            self.pool.slots.close(word, left);
        }
    }

    /// Takes what holds no value any more off the list of the newborn. One pass over the list.
    #[cold]
    #[inline(never)]
    fn forget_removed(&mut self) {
        let (kept_at, (_, kept)) = (self.nursery_at, self.nursery.rest());
        for (position, (word, newborn)) in self.born.iter_mut().enumerate() {
            step();
            let waiting = if position == kept_at { kept } else { 0 };
            *newborn &= self.pool.slots.with_value(*word, *newborn) | waiting;
        }
    }

    /// Removes what is not as usual: a pending handle, or a slot's last tenant, or one for whom the
    /// list must grow.
    #[cold]
    #[inline(never)]
    fn remove_slowly(&mut self, handle: Handle<K, L>) -> Option<T> {
        let is_pending = self.pool.slots.is_pending(handle.index(), handle.mark());
        if !is_pending && !self.pool.slots.is_settled(handle.index(), handle.mark()) {
            return None;
        }
        // Without a value, or without memory for the list, free at once: the handle is dead and
        // nobody has its value, so another tenant does no harm.
        if is_pending || self.departed.try_reserve(1).is_err() {
            return self.pool.remove(handle);
        }
        if Slots::<T, L, Chunks<T>>::is_last(handle.mark()) {
            // Retired at once: nobody will use its slot.
            return self.pool.remove(handle);
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
    pub(crate) const fn new(pool: Inner<T, K, L>) -> Self {
        Self {
            cell: UnsafeCell::new(Parts {
                pool,
                born: Vec::new(),
                nursery: Nursery::EMPTY,
                nursery_at: 0,
                departed: Vec::new(),
                halves: 0,
            }),
            access: Access::new(),
        }
    }

    /// Does something with the pool that runs no code of the caller's, and does not panic (a panic
    /// hook is such code).
    #[inline]
    pub(crate) fn with<R>(&self, change: impl FnOnce(&mut Inner<T, K, L>) -> R) -> R {
        self.parts(|parts| change(&mut parts.pool))
    }

    /// Asks the pool something that runs no code of the caller's (but for copies, while nothing can
    /// be inserted: N2).
    #[inline]
    pub(crate) fn look<R>(&self, ask: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        self.look_at_parts(|parts| ask(&parts.pool))
    }

    #[inline]
    fn look_at_parts<R>(&self, ask: impl FnOnce(&Parts<T, K, L>) -> R) -> R {
        let _open = self.access.shared();
        // SAFETY: N2, there is no `&mut` to the parts, and none is made before `ask` returns.
        ask(unsafe { &*self.cell.get() })
    }

    #[inline]
    fn parts<R>(&self, change: impl FnOnce(&mut Parts<T, K, L>) -> R) -> R {
        let _open = self.access.exclusive();
        // SAFETY: N2, there is no other reference to the parts: `change` runs no code of the
        // caller's.
        change(unsafe { &mut *self.cell.get() })
    }

    /// The pool, for whom nothing is borrowed.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut Inner<T, K, L> {
        self.settle();
        &mut self.cell.get_mut().pool
    }

    pub(crate) fn into_inner(mut self) -> Inner<T, K, L> {
        core::mem::take(self.get_mut())
    }

    /// Where the engine is, for walks that look at it for a moment.
    #[inline]
    pub(crate) fn slots(&self) -> *const Slots<T, L, Chunks<T>> {
        // SAFETY: the cell's content is there as long as the cell. Only an address is taken.
        unsafe { &raw const (*self.cell.get()).pool.slots }
    }

    /// Where the value of a handle is, if it leads to one. A newborn counts: only after a split of
    /// which a half was forgotten, there can be one.
    #[inline]
    pub(crate) fn find(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: N2, the engine is borrowed for this call.
        unsafe { (*self.slots()).find(handle.index(), handle.mark()) }
    }

    /// The same in a slot that is known to be in use, by whomever.
    ///
    /// # Safety
    /// There is a value in the slot.
    #[inline]
    pub(crate) unsafe fn find_in_used(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: N2, the engine is borrowed for this call. B1, a slot with a value exists.
        unsafe { (*self.slots()).find_there(handle.index(), handle.mark()) }
    }

    /// The handle of whoever has a value in a slot, newborn or not.
    pub(crate) fn handle_at(&self, slot: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.handle_at(slot))
    }

    /// Where the value of a handle is, if it led to one when the split began.
    #[inline]
    pub(crate) fn find_settled(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: N2, the engine is borrowed for this call.
        unsafe { (*self.slots()).find_settled(handle.index(), handle.mark()) }
    }

    /// Whether a handle that leads to a value did so when the split began. Says nothing about
    /// others.
    #[inline]
    pub(crate) fn is_admitted(&self, handle: Handle<K, L>) -> bool {
        self.look(|pool| pool.slots.is_admitted(handle.index()))
    }

    // ---- splits ----

    pub(crate) fn begin_split(&self) {
        self.settle();
        self.parts(|parts| parts.halves = 2);
    }

    /// One half of a split is gone; after the other one everything is in its place.
    pub(crate) fn end_half(&self) {
        let left = self.parts(|parts| {
            parts.halves = parts.halves.saturating_sub(1);
            parts.halves
        });
        if left == 0 {
            self.settle();
        }
    }

    /// Admits the newborn and releases what was removed in a split.
    #[inline]
    pub(crate) fn settle(&self) {
        if self.look_at_parts(Parts::is_open) {
            self.parts(Parts::settle);
        }
    }

    /// Puts a value in that is admitted when the split ends; also where it is.
    #[inline]
    pub(crate) fn spawn(&self, value: T) -> Result<Newborn<T, K, L>, Full<T>> {
        let place = match self.parts(|parts| parts.nursery.spawn()) {
            Some(place) => Ok(place),
            None => self.parts(Parts::spawn_elsewhere),
        };
        match place {
            Ok((place, newborn)) => {
                // SAFETY: N1 and N3, the slot is newborn, and its value is written once, before
                // anybody can look for it.
                unsafe { newborn.write(value) };
                Ok((issue(place), newborn))
            }
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    /// A handle that is pending. What the nursery keeps for itself is free again: it could be all
    /// there is.
    pub(crate) fn reserve_newborn(&self) -> Result<Handle<K, L>, Full<()>> {
        self.parts(|parts| {
            parts.close_nursery();
            parts.pool.try_reserve_handle()
        })
    }

    /// Room to list so many reserved handles that get their value. `false` if there is no memory.
    pub(crate) fn expect_newborn(&mut self, count: usize) -> bool {
        self.cell.get_mut().born.try_reserve(count).is_ok()
    }

    /// Gives a reserved handle its value, which is admitted when the split ends.
    pub(crate) fn fill_newborn(&self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        self.parts(|parts| {
            if !parts.pool.slots.is_pending(handle.index(), handle.mark()) {
                return Err(Rejected::new(value, Rejection::Stale));
            }
            if parts.born.try_reserve(1).is_err() {
                return Err(Rejected::new(value, Rejection::Full));
            }
            parts.pool.slots.fill_newborn(handle.index(), handle.mark(), value);
            parts.born.push(split(handle.index()));
            Ok(())
        })
    }

    /// Takes a value out, or lets a pending handle go; its slot is free when the split ends.
    ///
    /// The value is read last, straight into what is returned: so a large one is copied once.
    #[inline]
    pub(crate) fn remove_in_split(&self, handle: Handle<K, L>) -> Option<T> {
        let _open = self.access.exclusive();
        // SAFETY: N2, as in `parts`.
        let parts = unsafe { &mut *self.cell.get() };
        let slots = &mut parts.pool.slots;
        let is_usual =
            !Slots::<T, L, Chunks<T>>::is_last(handle.mark()) && parts.departed.len() < parts.departed.capacity();
        if is_usual && slots.is_settled(handle.index(), handle.mark()) {
            parts.departed.push(handle.index());
            Some(slots.depart(handle.index(), handle.mark()))
        } else {
            parts.remove_slowly(handle)
        }
    }

    /// Makes a newborn removable. Returns `false` if it was not newborn.
    ///
    /// It stays on the list of the newborn: after its removal, and before anything is spawned or
    /// copied, the caller calls [`forget_removed`](Self::forget_removed) (N3). So removing many
    /// takes one pass over the list and not one for each.
    pub(crate) fn admit_newborn(&mut self, handle: Handle<K, L>) -> bool {
        // Nearly always the first says that it is not.
        let is_newborn = !self.is_admitted(handle) && self.find(handle).is_some();
        if is_newborn {
            let (word, bit) = split(handle.index());
            self.cell.get_mut().pool.slots.admit(word, bit);
        }
        is_newborn
    }

    /// Takes removed slots off the list of the newborn: see [`admit_newborn`](Self::admit_newborn).
    pub(crate) fn forget_removed(&mut self) {
        self.cell.get_mut().forget_removed();
    }

    /// Lists what is kept for births and what has departed: nobody can be borrowing it. The newborn
    /// stay so.
    pub(crate) fn free_kept(&mut self) {
        let parts = self.cell.get_mut();
        parts.close_nursery();
        parts.bury_departed();
    }

    /// The pool as it is, with newborn and departed slots, which its walks step over.
    pub(crate) fn unsettled(&mut self) -> &mut Inner<T, K, L> {
        &mut self.cell.get_mut().pool
    }

    /// Heap memory of the lists, in bytes.
    pub(crate) fn bytes_of_lists(&self) -> usize {
        self.look_at_parts(|parts| {
            parts.born.capacity() * size_of::<(u32, u64)>() + parts.departed.capacity() * size_of::<u32>()
        })
    }

    /// Gives the memory of the lists back.
    pub(crate) fn shrink_lists(&mut self) {
        let parts = self.cell.get_mut();
        parts.born.shrink_to_fit();
        parts.departed.shrink_to_fit();
    }
}

/// Copies in the middle of a frame. Nothing is inserted meanwhile: the caller sees to that (N2).
impl<T: Clone, K: ?Sized, L: Layout> Shared<T, K, L> {
    pub(crate) fn copy(&self) -> Self {
        let mut copy = Self::new(self.look(Clone::clone));
        copy.keep_as(self);
        copy
    }

    /// As [`copy`](Self::copy), into memory that is there.
    pub(crate) fn copy_from(&mut self, original: &Self) {
        let copy = self.get_mut();
        original.look(|pool| copy.clone_from(pool));
        self.keep_as(original);
    }

    /// The pool has been copied, and its newborn count as admitted there: so far everybody who has
    /// a value does.
    fn keep_as(&mut self, original: &Self) {
        let copy = self.cell.get_mut();
        original.look_at_parts(|parts| {
            copy.born.clone_from(&parts.born);
            copy.departed.clone_from(&parts.departed);
            let (word, left) = parts.nursery.rest();
            copy.nursery = if left == 0 { Nursery::EMPTY } else { copy.pool.slots.nursery(word, left) };
            copy.nursery_at = parts.nursery_at;
        });
        for &(word, bits) in &copy.born {
            copy.pool.slots.hold_newborn(word, bits);
        }
        let known = copy.born.iter().map(|(_, bits)| bits.count_ones()).sum::<u32>() as usize + copy.departed.len();
        if copy.pool.slots.pending_count() as usize > known {
            // Somebody is being made: in the copy nobody will be.
            copy.pool.slots.release_waiting();
        }
    }
}

#[cfg(feature = "serde")]
impl<T, K: ?Sized, L: Layout> Shared<T, K, L> {
    /// The word of the nursery, its slots, and the departed ones.
    pub(super) fn kept_slots(&self) -> (u32, u64, Vec<u32>) {
        self.look_at_parts(|parts| {
            let (word, left) = parts.nursery.rest();
            (word, left, parts.departed.clone())
        })
    }

    /// What is to be saved of a slot. One that is kept counts as pending.
    pub(crate) fn tenancy(&self, slot: u32) -> Tenancy {
        self.look_at_parts(|parts| {
            let (word, left) = parts.nursery.rest();
            let (own_word, bit) = split(slot);
            let is_kept = own_word == word && left & bit != 0;
            if is_kept { parts.pool.slots.kept_tenancy(slot) } else { parts.pool.slots.tenancy(slot) }
        })
    }

    /// A live tenant, who was admitted, is newborn again.
    pub(super) fn make_newborn(&self, slot: u32) {
        self.parts(|parts| {
            parts.pool.slots.unadmit(slot);
            parts.born.push(split(slot));
        });
    }

    /// A slot that is pending is kept from now on (N1). `false` if it is not pending.
    pub(super) fn keep(&self, slot: u32) -> bool {
        self.parts(|parts| parts.pool.slots.keep(slot))
    }

    /// A slot that is pending has departed.
    pub(super) fn keep_departed(&self, slot: u32) -> Option<()> {
        self.keep(slot).then(|| self.parts(|parts| parts.departed.push(slot)))
    }

    /// Slots of a word, which are kept, are the nursery. There is none yet.
    pub(super) fn reopen_nursery(&self, word: u32, kept: u64) {
        self.parts(|parts| {
            parts.nursery = parts.pool.slots.nursery(word, kept);
            parts.nursery_at = parts.born.len();
            parts.born.push((word, kept));
        });
    }
}
