//! The engine: slots with marks, the state of each slot, and a free list. All containers are built
//! on it.
#![allow(unsafe_code, reason = "reads and writes slots through pointers")]
#![cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "what grows and shrinks lives on the heap"))]

mod batch;
mod bits;
mod buffer;
mod census;
mod check;
mod claim;
mod clear;
mod copy;
mod cursor;
#[cfg(feature = "alloc")]
mod deferred;
mod ends;
mod iter;
#[cfg(any(feature = "alloc", feature = "serde"))]
mod load;
mod loans;
#[cfg(feature = "alloc")]
mod lookup;
mod occupancy;
#[cfg(feature = "alloc")]
mod raw_iter;
mod room;
mod slot;
mod span;

use core::marker::PhantomData;
use core::mem::needs_drop;

#[cfg(feature = "alloc")]
pub(crate) use self::bits::{add_to, split};
#[cfg(feature = "alloc")]
pub use self::buffer::ChunkTable;
#[cfg(feature = "alloc")]
pub use self::buffer::Chunks;
pub use self::buffer::{Buffer, Flat, Growable, Inline, View};
pub use self::check::Fault;
pub(crate) use self::claim::Claim;
#[cfg(feature = "alloc")]
pub(crate) use self::deferred::SpawnBlock;
pub(crate) use self::ends::Ends;
pub(crate) use self::iter::{Iter, IterMut};
#[cfg(all(feature = "serde", feature = "alloc"))]
pub(crate) use self::load::SavedTag;
#[cfg(any(feature = "alloc", feature = "serde"))]
pub(crate) use self::load::{Building, LoadError, Preamble, Tenancy, TenancyKind};
pub(crate) use self::loans::{Conflict, LoanBook, NoLoan};
#[cfg(feature = "alloc")]
pub(crate) use self::lookup::Lookup;
#[cfg(feature = "alloc")]
pub(crate) use self::raw_iter::RawIter;
pub(crate) use self::slot::{Slot, Vacancy};

use self::occupancy::{NONE, Occupancy};
use self::slot::Head;
use crate::layout::{Layout, Marks};

/// An index is a `u32` everywhere. Converting it to `usize` must not lose bits.
const _: () = assert!(usize::BITS >= 32, "targets with addresses of 16 bits are not supported");

/// Why there is no room for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(unnameable_types, reason = "in hidden methods of the sealed trait `Buffer` only")]
pub enum FullKind {
    /// All slots of the layout are in use or retired.
    Slots,
    /// The capacity is fixed.
    Fixed,
    /// The allocation failed.
    Memory,
    /// The job has used all spawns that were declared for it.
    Spawns,
}

/// Slots in a buffer `B`, each with a value of type `P` or vacant.
///
/// Indices and marks come from handles, so a mark that is passed in is always odd (H1 in
/// `handle.rs`); the engine checks everything else.
///
/// - E4: for every slot: its mark carries the pool's tag, which is that of `base_mark`.
/// - E5: `base_mark` is even. For every index from the slot count on: the slot had no tenant with a
///   count above that of `base_mark`.
///
/// E1 to E3 are in `occupancy.rs` and `census.rs`.
pub(crate) struct Slots<P, L: Layout, B: Buffer<P>> {
    buffer: B,
    occupancy: Occupancy,
    /// The mark of a new slot.
    base_mark: u32,
    /// `insert_at` may use any index below this, whatever the number of slots.
    index_limit: u32,
    layout: PhantomData<(L, P)>,
}

/// A slot and one of its tenants: the two parts of a handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotRef {
    pub(crate) index: u32,
    /// The mark of a tenant, so it is odd.
    pub(crate) mark: u32,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    pub(crate) const EMPTY: Self = Self::with_base_mark(0);

    /// Returns an empty engine with the tag of `base_mark`.
    pub(crate) const fn with_base_mark(base_mark: u32) -> Self {
        Self { buffer: B::EMPTY.open(), occupancy: Occupancy::EMPTY, base_mark, index_limit: 0, layout: PhantomData }
    }

    /// Returns the number of live slots.
    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.occupancy.census.live() as usize
    }

    /// Returns the number of slots that exist, live or not.
    #[inline(always)]
    pub(crate) const fn slot_count(&self) -> u32 {
        self.occupancy.census.slots()
    }

    /// Returns the number of slots that have a tenant without a committed value.
    pub(crate) fn pending_count(&self) -> u32 {
        self.occupancy.census.pending()
    }

    /// Returns the number of retired slots.
    pub(crate) fn retired_count(&self) -> u32 {
        self.occupancy.census.retired()
    }

    /// Returns the number of free slots.
    pub(crate) fn free_count(&self) -> u32 {
        self.occupancy.census.free()
    }

    // ---- looking up ----

    /// Returns `true` if a slot exists, live or not. (Slots are read through pointers, field by
    /// field, because their values may be borrowed.)
    #[inline(always)]
    fn has(&self, index: u32) -> bool {
        index < self.occupancy.census.slots()
    }

    /// Returns the mark of a slot that exists.
    #[inline(always)]
    fn mark_at(&self, index: u32) -> u32 {
        debug_assert!(index < self.occupancy.census.slots());
        // SAFETY: the mark must be in bounds and initialised: the caller guarantees that the slot
        // exists, so by B1 it has memory, and its mark is initialised.
        unsafe { (*self.buffer.slot(index as usize)).mark }
    }

    /// Returns the head of a slot that exists.
    #[inline(always)]
    fn head(&mut self, index: u32) -> Head {
        debug_assert!(index < self.occupancy.census.slots());
        // SAFETY: the pointer must be to a slot's memory: the caller guarantees that the slot
        // exists, so B1 holds.
        unsafe { Slot::head(self.buffer.slot_mut(index as usize)) }
    }

    /// Returns the value of a tenant.
    #[inline(always)]
    pub(crate) fn get(&self, index: u32, mark: u32) -> Option<&P> {
        if !self.contains(index, mark) {
            unlikely();
            return None;
        }
        // SAFETY: the slot must exist and hold a value: it exists (B1), and its mark equals that of
        // a handle, which is odd (H1), so it holds a value (S1).
        Some(unsafe { self.get_unchecked(index) })
    }

    /// Returns a mutable reference to the value of a tenant.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: u32, mark: u32) -> Option<&mut P> {
        if !self.contains(index, mark) {
            unlikely();
            return None;
        }
        // SAFETY: the slot must exist and hold a value: by B1, H1 and S1, as in `get`.
        Some(unsafe { self.get_unchecked_mut(index) })
    }

    /// # Safety
    /// Slot `index` exists and holds a value.
    #[inline(always)]
    pub(crate) unsafe fn get_unchecked(&self, index: u32) -> &P {
        // SAFETY: the value must be in bounds and initialised: the caller guarantees that the slot
        // exists (B1) and holds a value (S1). The value is borrowed as the engine is.
        unsafe { &*Slot::value_ptr(self.buffer.slot(index as usize).cast_mut()) }
    }

    /// # Safety
    /// Slot `index` exists and holds a value.
    #[inline(always)]
    pub(crate) unsafe fn get_unchecked_mut(&mut self, index: u32) -> &mut P {
        // SAFETY: the value must be in bounds and initialised: the caller guarantees that the slot
        // exists (B1) and holds a value (S1). The value is borrowed as the engine is.
        unsafe { &mut *Slot::value_ptr(self.buffer.slot_mut(index as usize)) }
    }

    /// Returns `true` if a slot holds a value of this tenant.
    #[inline(always)]
    pub(crate) fn contains(&self, index: u32, mark: u32) -> bool {
        // SAFETY: the mark must be in bounds and initialised: the slot exists, so by B1 it has
        // memory, and its mark is initialised.
        self.has(index) && unsafe { (*self.buffer.slot(index as usize)).mark == mark }
    }

    /// Returns the mark of a slot if it holds a value.
    pub(crate) fn live_mark(&self, index: u32) -> Option<u32> {
        if !self.has(index) {
            return None;
        }
        let mark = self.mark_at(index);
        if mark & 1 == 1 { Some(mark) } else { None }
    }

    /// Returns the mark of a slot, and its vacancy if it has no value. Slots that do not exist yet
    /// are free, with the base mark.
    pub(crate) fn state(&self, index: u32) -> (u32, Option<Vacancy>) {
        #[cfg(feature = "alloc")]
        crate::steps::step();
        if !self.has(index) {
            return (self.base_mark, Some(Vacancy::Free));
        }
        let is_held = self.occupancy.is_held(self.buffer.bits(), index);
        // SAFETY: the head must be that of an initialised slot: the slot exists, so by B1 it has
        // memory, and it is initialised. It is only read.
        unsafe { Slot::head(self.buffer.slot(index as usize).cast_mut()).state(is_held) }
    }

    /// Returns the mark of slots that do not exist yet. Its tag is the pool's.
    pub(crate) const fn base_mark(&self) -> u32 {
        self.base_mark
    }

    /// Returns the slot that has its value at exactly this address, and its mark.
    pub(crate) fn find_address(&self, value: *const P) -> Option<SlotRef> {
        let index = u32::try_from(self.buffer.index_of(value.addr())?).ok()?;
        let mark = self.live_mark(index)?;
        // SAFETY: the pointer must be to a slot's memory: the slot holds a value, so it exists, and
        // B1 holds. Only an address is computed.
        let here = unsafe { Slot::value_ptr(self.buffer.slot(index as usize).cast_mut()) };
        core::ptr::eq(here, value).then_some(SlotRef { index, mark })
    }

    /// Returns the live slots of a word.
    #[inline]
    fn live_bits(&self, word: u32) -> u64 {
        self.occupancy.live_bits(self.buffer.bits(), word)
    }

    /// Returns the first live slot at or after `from`.
    #[cfg(feature = "alloc")]
    pub(crate) fn next_live(&self, from: u32) -> Option<SlotRef> {
        let index = self.occupancy.next_live(self.buffer.bits(), from)?;
        Some(SlotRef { index, mark: self.mark_at(index) })
    }

    /// Returns the last live slot before `end`.
    pub(crate) fn last_live(&self, end: u32) -> Option<u32> {
        self.occupancy.last_live(self.buffer.bits(), end)
    }

    // ---- moving in ----

    /// Returns the slot that the next insertion uses, or `None` if there are no more slots.
    pub(crate) fn next_slot(&self) -> Option<SlotRef> {
        let next = self.occupancy.next_free();
        if next != NONE {
            Some(self.vacant_slot(next))
        } else if (self.slot_count() as usize) < self.limit() {
            Some(self.new_slot())
        } else {
            None
        }
    }

    /// Returns the slot that the next insertion uses, and grows if necessary. Changes nothing that
    /// callers can observe.
    pub(crate) fn make_next_slot(&mut self) -> Result<SlotRef, FullKind> {
        let next = self.occupancy.next_free();
        if next != NONE {
            return Ok(self.vacant_slot(next));
        }
        if self.slot_count() == self.occupancy.usable_capacity {
            self.grow(1)?;
        }
        Ok(self.new_slot())
    }

    #[inline(always)]
    fn vacant_slot(&self, index: u32) -> SlotRef {
        SlotRef { index, mark: self.mark_at(index) | 1 }
    }

    #[inline(always)]
    fn new_slot(&self) -> SlotRef {
        SlotRef { index: self.slot_count(), mark: self.base_mark | 1 }
    }

    /// Takes the slot that the next insertion uses, and grows if necessary. The slot counts as
    /// live: the caller calls [`write_taken`](Self::write_taken) next.
    ///
    /// The value is not passed in: it would be moved through the path that grows, and through the
    /// `Result`. It is written once, at its final address.
    #[inline(always)]
    pub(crate) fn take_slot(&mut self) -> Result<SlotRef, FullKind> {
        let next = self.occupancy.next_free();
        if next != NONE {
            let slot = self.vacant_slot(next);
            if self.occupancy.take_next() {
                self.occupancy.open_next(self.buffer.bits_mut());
            }
            return Ok(slot);
        }
        if self.slot_count() == self.occupancy.usable_capacity {
            self.grow(1)?;
        }
        Ok(self.take_new_slot())
    }

    /// Like [`take_slot`](Self::take_slot), but returns `None` where more has to be done than to
    /// count the slot: where the engine would have to grow, or to open another word.
    ///
    /// It calls nothing, so that the insertion of a row is small enough to be inlined into loops
    /// (row `insert reserved` of dense pools). A pool's insertion is small enough with the calls.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn take_ready_slot(&mut self) -> Option<SlotRef> {
        let next = self.occupancy.next_free();
        if next == NONE {
            return (self.slot_count() < self.occupancy.usable_capacity).then(|| self.take_new_slot());
        }
        self.occupancy.take_next_if_open().then(|| self.vacant_slot(next))
    }

    /// Appends a slot. There is room for it.
    #[inline(always)]
    fn take_new_slot(&mut self) -> SlotRef {
        let slot = self.new_slot();
        self.occupancy.append_live();
        slot
    }

    /// Writes the value of the slot that [`take_slot`](Self::take_slot) just returned.
    #[inline(always)]
    pub(crate) fn write_taken(&mut self, slot: SlotRef, value: P) {
        debug_assert!(slot.index < self.occupancy.census.slots());
        // SAFETY: the slot must have memory: it is counted, so by E2 it is below the capacity, and
        // B1 holds. No value may be overwritten: the slot was free (F1) or new, so it holds none.
        unsafe { Slot::write_live(self.buffer.slot_mut(slot.index as usize), slot.mark, value) };
    }

    /// Moves a value into the slot that [`make_next_slot`](Self::make_next_slot) just returned.
    #[inline]
    pub(crate) fn occupy(&mut self, slot: SlotRef, value: P) {
        if slot.index == self.slot_count() {
            return self.append(slot, value);
        }
        if self.occupancy.take_next() {
            self.occupancy.open_next(self.buffer.bits_mut());
        }
        self.write_taken(slot, value);
    }

    /// Appends a slot with a value. There is room for it.
    fn append(&mut self, slot: SlotRef, value: P) {
        debug_assert!(slot.index == self.slot_count() && slot.index < self.occupancy.usable_capacity);
        self.occupancy.append_live();
        self.write_taken(slot, value);
    }

    /// Writes a value into a vacant slot.
    fn write_live(&mut self, slot: SlotRef, value: P) {
        debug_assert!(self.has(slot.index) && self.live_mark(slot.index).is_none());
        // SAFETY: the slot must have memory: the caller guarantees that it exists, so B1 holds. No
        // value may be overwritten: the slot holds none that would have to be dropped.
        unsafe { Slot::write_live(self.buffer.slot_mut(slot.index as usize), slot.mark, value) };
    }

    /// Writes a slot as vacant. The slot exists, and its value has been moved out. `mark` is even.
    fn write_vacant(&mut self, index: u32, mark: u32, vacancy: Vacancy) {
        debug_assert!(self.has(index) && mark & 1 == 0);
        // SAFETY: the slot must have memory: the caller guarantees that it exists, so B1 holds. No
        // value may be overwritten: it has been moved out.
        unsafe { self.head(index).write_vacant(mark, vacancy) };
    }

    /// Makes the slot that [`make_next_slot`](Self::make_next_slot) just returned pending for its
    /// next tenant.
    pub(crate) fn reserve_slot(&mut self, slot: SlotRef) {
        if slot.index < self.slot_count() {
            self.occupancy.unlist_next(self.buffer.bits_mut());
        } else {
            self.append_free(slot.index + 1);
        }
        self.occupancy.census.free_to_pending(1);
        self.occupancy.hold(self.buffer.bits_mut(), slot.index);
        self.write_vacant(slot.index, slot.mark - 1, Vacancy::Pending);
    }

    /// Returns `true` if this tenant has a handle and no value.
    pub(crate) fn is_pending(&self, slot: SlotRef) -> bool {
        self.state(slot.index) == (slot.mark - 1, Some(Vacancy::Pending))
    }

    /// Writes the value of a pending tenant. The slot becomes live.
    pub(crate) fn fill(&mut self, slot: SlotRef, value: P) {
        debug_assert!(self.is_pending(slot));
        self.occupancy.census.pending_to_live(1);
        self.occupancy.unhold(self.buffer.bits_mut(), slot.index);
        self.write_live(slot, value);
    }

    /// Releases a pending slot: its handle never resolves again. Does nothing if it is not pending.
    #[cold]
    #[inline(never)]
    pub(crate) fn release(&mut self, slot: SlotRef) {
        if self.has(slot.index) {
            let (at, data) = self.buffer.slot_and_bits_mut(slot.index as usize);
            // SAFETY: the head must be that of an existing slot, which nothing borrows: the slot
            // exists, so by B1 its head is in its memory, and it is initialised. The engine is
            // borrowed mutably, and the slot and the bits do not overlap.
            unsafe { release(&mut self.occupancy, data, Slot::head(at), slot, L::COUNT) };
        }
    }

    /// Reverts a reservation whose handle was not issued: the same handle will be issued again.
    #[cfg(feature = "alloc")]
    pub(crate) fn unreserve(&mut self, slot: SlotRef) {
        debug_assert!(self.is_pending(slot));
        self.occupancy.free_pending(self.buffer.bits_mut(), slot.index);
    }

    // ---- moving out ----

    /// Removes a live value, or releases a pending slot.
    ///
    /// The value is read directly into the return value: a large value is copied once.
    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: SlotRef) -> Option<P> {
        let mut removed = None;
        if self.contains(slot.index, slot.mark) {
            // SAFETY: the slot must hold a value, which must not be read out again: its mark is
            // that of a handle, so it is odd (H1), and S1 holds. The next line vacates the slot.
            removed = Some(unsafe { self.read_out(slot.index) });
            self.vacate(slot);
        } else {
            self.release(slot);
        }
        removed
    }

    /// Drops a live value in place, or releases a pending slot. Returns `true` if there was a
    /// value.
    #[inline(always)]
    pub(crate) fn discard(&mut self, slot: SlotRef) -> bool {
        if !self.contains(slot.index, slot.mark) {
            self.release(slot);
            return false;
        }
        if needs_drop::<P>() {
            self.drop_value(slot);
        } else {
            self.vacate(slot);
        }
        true
    }

    /// Drops a live value in place, and vacates its slot.
    #[inline]
    fn drop_value(&mut self, slot: SlotRef) {
        // The slot is vacated after the drop, even if the destructor panics: until then no other
        // value can be inserted there. The destructor cannot access the engine, which is borrowed.
        let vacated = VacateLater { slots: self, slot };
        // SAFETY: the slot must exist and hold a value: the caller guarantees it (B1, S1). The
        // value must be dropped once: the slot is vacated next.
        unsafe { Slot::value_ptr(vacated.slots.buffer.slot_mut(slot.index as usize)).drop_in_place() };
    }

    /// Moves the value of a slot out. The caller writes the slot as vacant before anything else
    /// reads it.
    ///
    /// # Safety
    /// Slot `index` exists and holds a value.
    #[inline(always)]
    unsafe fn read_out(&mut self, index: u32) -> P {
        // SAFETY: the value must be in bounds and initialised: the caller guarantees that the slot
        // exists (B1) and holds a value (S1). The value must be read once: the caller makes the
        // slot vacant next.
        unsafe { Slot::value_ptr(self.buffer.slot_mut(index as usize)).read() }
    }

    /// Makes a live slot whose value has been moved out free, or retired after its last tenant.
    #[inline(always)]
    fn vacate(&mut self, slot: SlotRef) {
        if is_last::<L>(slot.mark) {
            self.retire(slot);
            return;
        }
        // SAFETY: the slot must have memory: the caller guarantees that it exists, so B1 holds. S1
        // and S2 must hold afterwards: the value has been moved out, the mark after an odd one is
        // even, and a free slot needs no vacancy.
        unsafe { (*self.buffer.slot_mut(slot.index as usize)).mark = slot.mark + 1 };
        let older = self.occupancy.free_live(slot.index);
        if older != NONE {
            self.occupancy.list_older(self.buffer.bits_mut(), older);
        }
    }

    /// Retires a live slot whose value has been moved out.
    #[cold]
    #[inline(never)]
    fn retire(&mut self, slot: SlotRef) {
        self.write_vacant(slot.index, slot.mark - 1, Vacancy::Retired);
        self.occupancy.retire_live(self.buffer.bits_mut(), slot.index);
    }

    /// Writes the vacancy of a slot. The slot exists and holds no value.
    #[cfg(feature = "alloc")]
    fn write_vacancy(&mut self, index: u32, vacancy: Vacancy) {
        let mark = self.mark_at(index);
        self.write_vacant(index, mark, vacancy);
    }

    /// Moves a live value out and leaves the slot pending.
    pub(crate) fn take(&mut self, slot: SlotRef) -> Option<P> {
        if !self.contains(slot.index, slot.mark) {
            return None;
        }
        // SAFETY: the slot must hold a value, which must not be read out again: its mark is that of
        // a handle, so it is odd (H1), and S1 holds. The next line writes the slot as vacant.
        let value = unsafe { self.read_out(slot.index) };
        self.write_vacant(slot.index, slot.mark - 1, Vacancy::Pending);
        self.hold_live(slot.index);
        Some(value)
    }

    /// Makes a live slot pending.
    fn hold_live(&mut self, index: u32) {
        self.occupancy.census.live_to_pending();
        self.occupancy.hold(self.buffer.bits_mut(), index);
    }
}

/// Vacates a slot when its value has been dropped, even after a panic.
struct VacateLater<'a, P, L: Layout, B: Buffer<P>> {
    slots: &'a mut Slots<P, L, B>,
    slot: SlotRef,
}

impl<P, L: Layout, B: Buffer<P>> Drop for VacateLater<'_, P, L, B> {
    #[inline]
    fn drop(&mut self) {
        self.slots.vacate(self.slot);
    }
}

/// Releases a slot if it is pending. Not generic: compiled once.
///
/// # Safety
/// `head` is that of `slot`, which exists and which nothing borrows.
unsafe fn release(occupancy: &mut Occupancy, data: &mut [u64], head: Head, slot: SlotRef, count: u32) {
    let is_held = occupancy.is_held(data, slot.index);
    // SAFETY: the head must be that of an initialised slot, and `is_held` its held bit: the slot
    // exists, so it is initialised, and `is_held` was read from its bit.
    if unsafe { head.state(is_held) } != (slot.mark - 1, Some(Vacancy::Pending)) {
        return;
    }
    if slot.mark & count == count {
        // SAFETY: the slot must not be borrowed: the caller guarantees it. No value is overwritten:
        // by S1 the slot holds none.
        unsafe { head.write_vacant(slot.mark - 1, Vacancy::Retired) };
        occupancy.census.pending_to_retired();
    } else {
        // SAFETY: as above.
        unsafe { head.write_vacant(slot.mark + 1, Vacancy::Free) };
        occupancy.free_pending(data, slot.index);
    }
}

/// Returns `true` if a slot is retired after the tenant `mark`.
#[inline(always)]
fn is_last<L: Layout>(mark: u32) -> bool {
    mark & L::COUNT == L::COUNT
}

/// Returns the mark of a slot after its tenant `mark` is removed, and the vacancy of the slot.
#[inline(always)]
fn after<L: Layout>(mark: u32) -> (u32, Vacancy) {
    if is_last::<L>(mark) { (mark - 1, Vacancy::Retired) } else { (mark + 1, Vacancy::Free) }
}

/// Marks a path that is seldom taken. Without it the compiler may turn a lookup's compare into a
/// conditional move, and then the value cannot be loaded before the mark has been (row `get at
/// random`, 1M).
#[cold]
#[inline]
const fn unlikely() {}
