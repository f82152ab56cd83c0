//! The engine: slots with marks, bits that say which are vacant, and a free list. Every container
//! is built on it.
#![expect(unsafe_code, reason = "reads and writes slots through pointers")]
#![cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "what grows and shrinks lives on the heap"))]

mod bits;
mod buffer;
mod check;
mod claim;
mod copy;
mod free;
#[cfg(any(feature = "serde", all(feature = "alloc", feature = "bytemuck")))]
mod load;
mod loans;
#[cfg(feature = "alloc")]
mod lookup;
mod release;
mod shrink;
mod slot;
#[cfg(feature = "alloc")]
mod spawn;
mod walk;

use core::marker::PhantomData;

#[cfg(feature = "alloc")]
pub use self::buffer::Chunks;
#[cfg(feature = "alloc")]
pub(crate) use self::buffer::Table;
pub(crate) use self::buffer::{Buffer, Flat, View};
pub use self::buffer::{Growable, Inline};
pub use self::check::Fault;
pub(crate) use self::claim::Claim;
#[cfg(all(feature = "serde", feature = "alloc"))]
pub(crate) use self::load::SaidTag;
#[cfg(any(feature = "serde", all(feature = "alloc", feature = "bytemuck")))]
pub(crate) use self::load::{Building, Flaw, Preamble, Tenancy, TenancyKind};
pub(crate) use self::loans::{Conflict, LoanBook, NoLoan};
#[cfg(feature = "alloc")]
pub(crate) use self::lookup::Lookup;
pub(crate) use self::release::Ends;
pub(crate) use self::slot::{Slot, Vacancy};
#[cfg(feature = "alloc")]
pub(crate) use self::spawn::Nursery;
#[cfg(feature = "alloc")]
pub(crate) use self::walk::Roam;
pub(crate) use self::walk::{Walk, WalkMut};

pub(crate) use self::bits::split;
use self::bits::{Bits, needed};
#[cfg(feature = "alloc")]
pub(crate) use self::bits::{add_to, below};
#[cfg(feature = "alloc")]
pub(crate) use self::copy::copy_list;
use self::free::{Free, NONE};
use crate::error::FullKind;
use crate::layout::{Layout, Marks};

/// An index is a `u32` everywhere: it must not lose bits where it finds a slot.
const _: () = assert!(usize::BITS >= 32, "targets with addresses of 16 bits are not supported");

/// Slots in a buffer `B`, each holding a `P` or nothing.
///
/// Indices and marks come from handles, so a mark that is asked for is always odd (H1 in
/// `handle.rs`); the engine checks everything else.
///
/// - E1: the bit of a slot is set exactly when the slot exists, its mark is even, and it is neither
///   the next free slot nor an open hole. (Vacant and not live, so that appending a slot touches no
///   bit.)
/// - E2: there are bits for every slot that `room` allows. `room` is at most the buffer's capacity
///   and the layout's `MAX_SLOTS`; the buffer's length is at most `room`.
/// - E3: `vacant` counts the slots without a value. Each is free, pending or retired (its
///   [`Vacancy`]); `pending` and `retired` count the last two, and `free` and `bits` know exactly
///   the first.
/// - E4: every mark carries the pool's tag, the one in `floor`.
/// - E5: `floor` is even. Slots above the last one had no tenant with a count above it.
/// - E6: of the pending slots, `apart` at least are in words that are not listed as having holes.
///   So when all are apart and no slot is retired, the bits of a word with holes are those of free
///   slots.
pub(crate) struct Slots<P, L: Layout, B: Buffer<P>> {
    buffer: B,
    bits: Bits,
    free: Free,
    /// How many slots there can be before the buffer must grow.
    room: u32,
    vacant: u32,
    pending: u32,
    apart: u32,
    retired: u32,
    /// The mark of a slot that is new.
    floor: u32,
    /// `insert_at` may use any index below this, however few slots there are.
    reach: u32,
    layout: PhantomData<(L, P)>,
}

/// A vacant slot that the next tenant will move into, found before anything changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) index: u32,
    /// Of the tenant to come: odd.
    pub(crate) mark: u32,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    pub(crate) const EMPTY: Self = Self::with_floor(0);

    /// Empty, with the tag that is in `floor`.
    pub(crate) const fn with_floor(floor: u32) -> Self {
        Self {
            buffer: B::EMPTY,
            bits: Bits::EMPTY,
            free: Free::EMPTY,
            room: 0,
            vacant: 0,
            pending: 0,
            apart: 0,
            retired: 0,
            floor,
            reach: 0,
            layout: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.buffer.len() - self.vacant as usize
    }

    /// How many slots exist, live or not.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "E2: at most MAX_SLOTS")]
    pub(crate) fn slot_count(&self) -> u32 {
        self.buffer.len() as u32
    }

    /// How many slots there can be before the buffer must grow. (Not `room`, which is 0 before
    /// anything was put in.)
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most MAX_SLOTS")]
    pub(crate) fn capacity(&self) -> u32 {
        self.buffer.capacity().min(L::MAX_SLOTS as usize) as u32
    }

    /// How many slots have a tenant without a value.
    pub(crate) fn pending_count(&self) -> u32 {
        self.pending
    }

    /// How many slots have had all their tenants.
    pub(crate) fn retired_count(&self) -> u32 {
        self.retired
    }

    /// How many slots wait for a tenant.
    pub(crate) fn free_count(&self) -> u32 {
        self.vacant - self.pending - self.retired
    }

    // ---- looking up ----

    /// Whether a slot exists, live or not. (Slots are read through pointers, field by field: their
    /// values may be borrowed.)
    #[inline]
    fn has(&self, index: u32) -> bool {
        (index as usize) < self.buffer.len()
    }

    /// The mark of a slot that exists.
    #[inline]
    fn mark_at(&self, index: u32) -> u32 {
        debug_assert!(self.has(index));
        // SAFETY: B1, callers pass slots that exist.
        unsafe { (*self.buffer.slot(index as usize)).mark }
    }

    #[inline]
    pub(crate) fn get(&self, index: u32, mark: u32) -> Option<&P> {
        if !self.contains(index, mark) {
            unlikely();
            return None;
        }
        // SAFETY: B1 and S1, the slot's mark equals that of a handle, which is odd (H1).
        Some(unsafe { self.get_unchecked(index) })
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32, mark: u32) -> Option<&mut P> {
        if !self.contains(index, mark) {
            unlikely();
            return None;
        }
        // SAFETY: B1 and S1, as in `get`.
        Some(unsafe { self.get_unchecked_mut(index) })
    }

    /// # Safety
    /// Slot `index` exists and is live.
    #[inline]
    pub(crate) unsafe fn get_unchecked(&self, index: u32) -> &P {
        // SAFETY: B1 and S1, the caller's.
        unsafe { &*Slot::value_ptr(self.buffer.slot(index as usize).cast_mut()) }
    }

    /// # Safety
    /// Slot `index` exists and is live.
    #[inline]
    pub(crate) unsafe fn get_unchecked_mut(&mut self, index: u32) -> &mut P {
        // SAFETY: B1 and S1, the caller's.
        unsafe { &mut *Slot::value_ptr(self.buffer.slot_mut(index as usize)) }
    }

    #[inline]
    pub(crate) fn contains(&self, index: u32, mark: u32) -> bool {
        self.has(index) && self.mark_at(index) == mark
    }

    /// The mark of the live tenant of a slot.
    pub(crate) fn live_mark(&self, index: u32) -> Option<u32> {
        Some(index).filter(|&index| self.has(index)).map(|index| self.mark_at(index)).filter(|mark| mark & 1 == 1)
    }

    /// The mark of any slot and why it is vacant, if it is. Slots that do not exist yet are at the
    /// floor.
    pub(crate) fn state(&self, index: u32) -> (u32, Option<Vacancy>) {
        #[cfg(feature = "alloc")]
        crate::steps::step();
        if index >= self.slot_count() {
            return (self.floor, Some(Vacancy::Free));
        }
        // SAFETY: B1, the slot exists.
        unsafe { Slot::state(self.buffer.slot(index as usize), index == self.free.next()) }
    }

    /// The mark of slots that do not exist yet. Its tag is the pool's.
    pub(crate) const fn floor(&self) -> u32 {
        self.floor
    }

    /// Which slot has its value at exactly this address, and its mark.
    pub(crate) fn find_address(&self, value: *const P) -> Option<(u32, u32)> {
        let index = u32::try_from(self.buffer.index_of(value.addr())?).ok()?;
        let mark = self.live_mark(index)?;
        // SAFETY: B1, the slot is live, so it exists. Only an address is taken.
        let here = unsafe { Slot::value_ptr(self.buffer.slot(index as usize).cast_mut()) };
        core::ptr::eq(here, value).then_some((index, mark))
    }

    // ---- moving in ----

    /// Moves a value in.
    ///
    /// The value stays out of the path that grows: if it were moved there, it would be copied once
    /// more.
    #[inline(always)]
    pub(crate) fn insert(&mut self, value: P) -> Result<Place, (P, FullKind)> {
        let next = self.free.next();
        if next != NONE {
            let place = self.vacant_place(next);
            self.vacant -= 1;
            // SAFETY: B1, E3: free slots exist, and are vacant.
            unsafe { Slot::write_live(self.buffer.slot_mut(next as usize), place.mark, value) };
            self.use_next();
            return Ok(place);
        }
        if let Err(kind) = self.make_room() {
            return Err((value, kind));
        }
        let place = self.new_place();
        self.append(place, value);
        Ok(place)
    }

    /// The same where nothing has to be done but to write: there is room, and a free slot that is
    /// not the last of its word. Otherwise gives the value back, and nothing has changed.
    ///
    /// It calls nothing: so what a table does besides can become part of a loop, too. (A pool does
    /// nothing besides, and is slower this way.)
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn insert_at_once(&mut self, value: P) -> Result<Place, P> {
        let next = self.free.next();
        if next == NONE {
            let place = self.new_place();
            if place.index >= self.room {
                return Err(value);
            }
            self.append(place, value);
            return Ok(place);
        }
        let mut free = self.free;
        if free.use_next() {
            return Err(value);
        }
        let place = self.vacant_place(next);
        self.free = free;
        self.move_in(place.index, place.mark, value);
        Ok(place)
    }

    /// Finds the slot for the next tenant, growing if need be. Nothing that can be seen changes.
    pub(crate) fn place(&mut self) -> Result<Place, FullKind> {
        let next = self.free.next();
        if next != NONE {
            return Ok(self.vacant_place(next));
        }
        self.make_room()?;
        Ok(self.new_place())
    }

    /// Room for one slot more.
    #[inline]
    fn make_room(&mut self) -> Result<(), FullKind> {
        if self.buffer.len() < self.room as usize { Ok(()) } else { self.grow(1) }
    }

    #[inline]
    fn vacant_place(&self, index: u32) -> Place {
        Place { index, mark: self.mark_at(index) | 1 }
    }

    #[inline]
    fn new_place(&self) -> Place {
        Place { index: self.slot_count(), mark: self.floor | 1 }
    }

    /// Moves a value into the place that [`place`](Self::place) just found.
    pub(crate) fn occupy(&mut self, place: Place, value: P) {
        if place.index == self.slot_count() {
            self.append(place, value);
        } else {
            self.use_next();
            self.move_in(place.index, place.mark, value);
        }
    }

    /// Writes the first slot behind the last one, for which there is room.
    #[inline]
    fn append(&mut self, place: Place, value: P) {
        let index = place.index as usize;
        debug_assert!(index == self.buffer.len() && index < self.room as usize);
        // SAFETY: B1, E2: the slot is new and within `room`; it is written before it counts.
        unsafe {
            Slot::write_live(self.buffer.slot_mut(index), place.mark, value);
            self.buffer.set_len(index + 1);
        }
    }

    /// Gives the place that [`place`](Self::place) just found to a tenant without a value.
    pub(crate) fn reserve_place(&mut self, place: Place) {
        if place.index < self.slot_count() {
            self.use_next();
        } else {
            self.append_free(place.index + 1);
        }
        // SAFETY: B1, the slot exists and is vacant; the mark before a tenant's is even.
        unsafe { Slot::write_vacant(self.buffer.slot_mut(place.index as usize), place.mark - 1, Vacancy::Pending) };
        self.hold(place.index);
        self.pending += 1;
    }

    /// Which slots of a word have a bit.
    #[inline]
    fn vacant_bits(&self, word: u32) -> u64 {
        self.bits.vacant(self.buffer.bits(), word)
    }

    /// Sets the bit of a vacant slot.
    #[inline]
    fn hold(&mut self, index: u32) {
        let (word, bit) = split(index);
        self.bits.add(self.buffer.bits_mut(), word, bit);
    }

    /// Clears the bit of a slot.
    #[inline]
    fn unhold(&mut self, index: u32) {
        let (word, bit) = split(index);
        self.bits.remove(self.buffer.bits_mut(), word, bit);
    }

    // ---- moving out ----

    /// Removes a live value, or lets a pending slot go.
    ///
    /// One variable for what is returned, and the value read straight into it: so a large value is
    /// copied once.
    #[inline(always)]
    pub(crate) fn remove(&mut self, index: u32, mark: u32) -> Option<P> {
        let mut removed = None;
        if self.contains(index, mark) {
            let vacancy = self.leave(index, mark);
            let slot = self.buffer.slot_mut(index as usize);
            // SAFETY: B1 and S1, the slot exists and its value is there. It is read once: the slot
            // is vacant already. As the next one to be used it needs no vacancy (S2).
            unsafe {
                removed = Some(Slot::value_ptr(slot).read());
                if vacancy == Vacancy::Retired {
                    Slot::write_vacancy(slot, vacancy);
                }
            }
        } else {
            self.release(index, mark);
        }
        removed
    }

    /// Makes a live slot vacant, but for its value, which the caller reads next.
    #[inline(always)]
    fn leave(&mut self, index: u32, mark: u32) -> Vacancy {
        let (next, vacancy) = after::<L>(mark);
        // SAFETY: B1, callers pass slots that exist; one beside an odd mark is even.
        unsafe { (*self.buffer.slot_mut(index as usize)).mark = next };
        self.vacant += 1;
        if vacancy == Vacancy::Free {
            self.free(index);
        } else {
            self.retire(index);
        }
        vacancy
    }

    /// Counts a slot that has had all its tenants.
    #[cold]
    #[inline(never)]
    fn retire(&mut self, index: u32) {
        self.retired += 1;
        self.hold(index);
    }

    /// Moves the value of a live slot out and lets the slot go.
    ///
    /// # Safety
    /// Slot `index` exists and is live.
    #[inline]
    unsafe fn evict(&mut self, index: u32) -> P {
        // SAFETY: B1 and S1, the caller's.
        let (value, mark) = unsafe { self.lift(index) };
        self.let_go(index, mark);
        value
    }

    /// Moves the value of a live slot out. The slot must be written as vacant, and held or freed,
    /// before anybody looks at it.
    ///
    /// # Safety
    /// Slot `index` exists and is live.
    #[inline]
    unsafe fn lift(&mut self, index: u32) -> (P, u32) {
        let slot = self.buffer.slot_mut(index as usize);
        // SAFETY: B1 and S1, the caller's. The value is read once: the slot is vacant from here on.
        unsafe { (Slot::value_ptr(slot).read(), (*slot).mark) }
    }

    /// Makes a slot free or retired that has no value any more, no bit, and whose last tenant was
    /// `mark`.
    #[inline(always)]
    fn let_go(&mut self, index: u32, mark: u32) {
        if self.vacate(index, mark) == Vacancy::Free {
            self.free(index);
        } else {
            self.hold(index);
        }
    }

    /// As [`let_go`](Self::let_go), but neither lists nor holds the slot.
    #[inline]
    fn vacate(&mut self, index: u32, mark: u32) -> Vacancy {
        let (next, vacancy) = after::<L>(mark);
        self.vacant += 1;
        if vacancy == Vacancy::Retired {
            self.retired += 1;
        }
        // SAFETY: B1, callers pass slots that exist and whose value is gone; one beside an odd mark
        // is even.
        unsafe { Slot::write_vacant(self.buffer.slot_mut(index as usize), next, vacancy) };
        vacancy
    }

    /// Moves a live value out and keeps the slot for its tenant.
    pub(crate) fn take(&mut self, index: u32, mark: u32) -> Option<P> {
        if !self.contains(index, mark) {
            return None;
        }
        // SAFETY: S1, the mark is that of a handle, so odd (H1); one less is even.
        let value = unsafe {
            let (value, _) = self.lift(index);
            Slot::write_vacant(self.buffer.slot_mut(index as usize), mark - 1, Vacancy::Pending);
            value
        };
        self.hold(index);
        self.vacant += 1;
        self.pending += 1;
        Some(value)
    }

    /// Whether this tenant has a handle and no value.
    pub(crate) fn is_pending(&self, index: u32, mark: u32) -> bool {
        self.state(index) == (mark - 1, Some(Vacancy::Pending))
    }

    /// Gives a pending tenant its value.
    pub(crate) fn fill(&mut self, index: u32, mark: u32, value: P) {
        debug_assert!(self.is_pending(index, mark));
        self.unhold(index);
        self.move_in(index, mark, value);
        self.forget_pending(1);
    }

    /// Writes a value into a vacant slot that is not listed and has no bit.
    fn move_in(&mut self, index: u32, mark: u32, value: P) {
        debug_assert!(self.live_mark(index).is_none() && index < self.slot_count());
        self.vacant -= 1;
        // SAFETY: B1, callers pass slots that exist and are vacant, so nothing needs dropping.
        unsafe { Slot::write_live(self.buffer.slot_mut(index as usize), mark, value) };
    }

    /// So many slots are pending no more. Whether they were apart is not known: as if they had
    /// been.
    #[inline]
    fn forget_pending(&mut self, count: u32) {
        self.pending -= count;
        self.apart = self.apart.saturating_sub(count);
    }

    /// Lets a pending slot go: its handle is dead from now on. Nothing happens if it was not
    /// pending.
    #[cold]
    #[inline(never)]
    pub(crate) fn release(&mut self, index: u32, mark: u32) {
        if self.is_pending(index, mark) {
            self.forget_pending(1);
            self.vacant -= 1;
            self.unhold(index);
            self.let_go(index, mark);
        }
    }

    /// Takes the reservation of a handle back that nobody was given: it will be issued again.
    #[cfg(feature = "alloc")]
    pub(crate) fn unreserve(&mut self, index: u32, mark: u32) {
        debug_assert!(self.is_pending(index, mark));
        self.forget_pending(1);
        self.unhold(index);
        // SAFETY: B1, the slot exists and is vacant; the mark before a tenant's is even.
        unsafe { Slot::write_vacant(self.buffer.slot_mut(index as usize), mark - 1, Vacancy::Free) };
        self.free(index);
    }

    // ---- room ----

    /// Heap memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// Makes room for `additional` tenants, counting free slots.
    pub(crate) fn try_reserve(&mut self, additional: usize, exact: bool) -> Result<(), B::Refusal> {
        let needed = additional.saturating_sub(self.free_count() as usize);
        let available = (self.room - self.slot_count()) as usize;
        if needed <= available {
            return Ok(());
        }
        let Some(slots) = self.buffer.len().checked_add(needed).filter(|&slots| slots <= self.limit()) else {
            return Err(B::too_much());
        };
        self.set_room(if exact { slots } else { self.buffer.ample(slots) })
    }

    /// Why there is no room for `additional` tenants.
    #[cfg(feature = "alloc")]
    pub(crate) fn why_full(&self, additional: usize) -> FullKind {
        let possible = self.limit() - self.buffer.len() + self.free_count() as usize;
        match self.limit() {
            _ if additional <= possible => FullKind::Memory,
            limit if limit < L::MAX_SLOTS as usize => FullKind::Fixed,
            _ => FullKind::Slots,
        }
    }

    /// Room for `additional` slots more, in amortised steps. The value stays out of here: a cold
    /// path that takes it by move would copy it once more.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) -> Result<(), FullKind> {
        let slots = self.buffer.len() + additional;
        if slots > self.limit() {
            return Err(if slots > L::MAX_SLOTS as usize { FullKind::Slots } else { FullKind::Fixed });
        }
        self.set_room(self.buffer.ample(slots)).map_err(|_| FullKind::Memory)
    }

    /// How many slots there can ever be.
    fn limit(&self) -> usize {
        self.buffer.limit().min(L::MAX_SLOTS as usize)
    }

    /// Never more slots than there is room for now.
    pub(crate) fn fix_room(&mut self) {
        self.buffer.set_limit(self.room as usize);
    }

    /// Room for this many slots, which is more than before.
    fn set_room(&mut self, slots: usize) -> Result<(), B::Refusal> {
        let slots = slots.min(self.limit()).max(self.buffer.capacity());
        // A copy has bits for as many slots as its original had room for.
        let words = slots.div_ceil(64).max(self.bits.words());
        self.buffer.try_grow(slots, needed(words))?;
        self.bits.grow(self.buffer.bits_mut(), words);
        self.use_capacity();
        Ok(())
    }

    /// Touches every page of the memory above the last slot.
    pub(crate) fn warm_up(&mut self) {
        const PAGE: usize = 4_096;
        let size = size_of::<Slot<P>>();
        for index in (self.slot_count()..self.room).step_by((PAGE / size).max(1)) {
            let slot = self.buffer.slot_mut(index as usize).cast::<u8>();
            for offset in (0..size).step_by(PAGE) {
                // SAFETY: B1 and E2, there is memory for the slot, and it is not initialised.
                unsafe { slot.add(offset).write_volatile(0) };
            }
        }
    }

    /// Takes the buffer's capacity as room.
    fn use_capacity(&mut self) {
        self.room = self.capacity();
    }
}

/// The mark of a slot after its tenant `mark` is gone, and what becomes of it.
#[inline]
fn after<L: Layout>(mark: u32) -> (u32, Vacancy) {
    if L::count(mark) == L::COUNT { (mark - 1, Vacancy::Retired) } else { (mark + 1, Vacancy::Free) }
}

/// Called on a path that is not the usual one. Without it the compiler may turn a look-up's compare
/// into a conditional move, and then the value cannot be loaded before the mark has been.
#[cold]
#[inline]
const fn unlikely() {}
