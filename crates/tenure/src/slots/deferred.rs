//! Spawning and removing while other values are borrowed. The affected slots are neither visited
//! nor reused until they are committed or freed. `lifecycle.rs` says when that is.
#![allow(unsafe_code, reason = "writes values into slots that count as vacant")]

use core::ptr::NonNull;

use super::bits::{below, split};
use super::buffer::{Buffer, View};
use super::slot::{Slot, Vacancy, non_null};
use super::{FullKind, RawIter, SlotRef, Slots, after, unlikely};
use crate::layout::Layout;

/// Slots of one word that are reserved for the next spawns, lowest first. A spawn takes one in a
/// few instructions.
///
/// - N2: for every bit in `left`: that slot of `word` is [`Reserved`](Vacancy::Reserved), and
///   `slots` points to the first slot of the word. This holds until the engine
///   [releases](Slots::release_block) the block.
pub(crate) struct SpawnBlock<P> {
    left: u64,
    word: u32,
    slots: NonNull<Slot<P>>,
}

// SAFETY: the pointer must not be used on two threads: by N2 the slots belong to the engine, which
// moves to the same thread.
unsafe impl<P: Send> Send for SpawnBlock<P> {}

impl<P> SpawnBlock<P> {
    pub(crate) const EMPTY: Self = Self { left: 0, word: 0, slots: NonNull::dangling() };

    /// Takes the next slot, makes it uncommitted, and returns it with the address for its value.
    /// The caller writes the value at once. Returns `None` if no reserved slot is left.
    ///
    /// (The value is not passed in: the loop around a spawn must keep its own state in registers.)
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(SlotRef, NonNull<P>)> {
        if self.left == 0 {
            unlikely();
            return None;
        }
        let bit = self.left.trailing_zeros();
        self.left &= self.left - 1;
        // SAFETY: the pointer must be valid, and no value may be overwritten: by N2 the slot is
        // reserved, so it exists and holds no value. S1 must hold: the mark becomes odd, and the
        // caller writes the value.
        unsafe {
            let slot = self.slots.add(bit as usize).as_ptr();
            (*slot).mark |= 1;
            let value = NonNull::new_unchecked(Slot::value_ptr(slot));
            Some((SlotRef { index: self.word * 64 + bit, mark: (*slot).mark }, value))
        }
    }

    /// Returns the slot that [`take`](Self::take) takes next.
    pub(crate) fn next(&self) -> Option<u32> {
        if self.left == 0 { None } else { Some(self.word * 64 + self.left.trailing_zeros()) }
    }

    /// Returns the word and the reserved slots that are left.
    pub(crate) fn rest(&self) -> (u32, u64) {
        (self.word, self.left)
    }
}

/// - N1: the states of a slot whose value is spawned or removed while others are borrowed are
///   *reserved* (for a [`SpawnBlock`]), *uncommitted* (spawned and not committed), and *freed*
///   (removed and not reused yet). For every such slot: its vacant bit is set, it is counted as
///   vacant and held, and it is not in the free list. So no iterator visits it and no insertion
///   takes it. An uncommitted slot has an odd mark and a value; the others have an even mark and
///   the [`Vacancy`] of that name.
impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    /// Reserves the next slot to be used and all other free slots of its word.
    #[cold]
    pub(crate) fn reserve_block(&mut self) -> Result<SpawnBlock<P>, FullKind> {
        let is_new = self.make_next_slot()?.index == self.slot_count();
        let (word, bits) =
            if is_new { self.append_word() } else { self.occupancy.unlist_word(self.buffer.bits_mut()) };
        self.occupancy.reserve_many(self.buffer.bits_mut(), word, bits);
        self.write_vacancies(word, bits, Vacancy::Reserved);
        Ok(self.block(word, bits))
    }

    /// Returns the slot that the next spawn takes if no block is reserved, or `None` if there are
    /// no more slots.
    pub(crate) fn next_spawn(&self) -> Option<SlotRef> {
        let next = self.next_slot()?;
        if next.index == self.slot_count() {
            return Some(next);
        }
        let (word, bits) = self.occupancy.next_word(self.buffer.bits());
        Some(self.vacant_slot(word * 64 + bits.trailing_zeros()))
    }

    /// Returns a block of reserved slots of one word.
    pub(crate) fn block(&mut self, word: u32, left: u64) -> SpawnBlock<P> {
        if left == 0 {
            return SpawnBlock::EMPTY;
        }
        // SAFETY: the word must exist: it has reserved slots, so B3 holds.
        let slots = unsafe { self.buffer.parts_mut().0.word(word as usize) };
        SpawnBlock { left, word, slots }
    }

    /// Appends free slots up to the end of the word. Returns the word and the bits of the new
    /// slots. There is room for at least one.
    fn append_word(&mut self) -> (u32, u64) {
        let (count, word) = (self.slot_count(), self.slot_count() / 64);
        self.append_free(self.occupancy.usable_capacity.min((word * 64).saturating_add(64)));
        (word, self.occupancy.existing_bits(word) & !below(count, word))
    }

    /// Frees the slots that a block has not used. Slots at the end that never had a tenant are
    /// removed.
    pub(crate) fn release_block(&mut self, block: &mut SpawnBlock<P>) {
        let (word, left) = core::mem::replace(block, SpawnBlock::EMPTY).rest();
        if left == 0 {
            return;
        }
        self.occupancy.unreserve_many(self.buffer.bits_mut(), word, left);
        let left = self.cut_unused(word, left);
        if left != 0 {
            self.occupancy.list_many(self.buffer.bits_mut(), word, left);
        }
    }

    /// Removes free slots at the end that are not listed and never had a tenant (E5). Returns the
    /// bits of those that remain.
    fn cut_unused(&mut self, word: u32, mut left: u64) -> u64 {
        while left != 0 {
            let last = 63 - left.leading_zeros();
            if word * 64 + last + 1 != self.slot_count() || self.mark_at(word * 64 + last) != self.base_mark {
                break;
            }
            self.occupancy.cut_last();
            left &= !(1 << last);
        }
        left
    }

    /// Writes the vacancy of vacant slots of one word.
    fn write_vacancies(&mut self, word: u32, mut vacant: u64, vacancy: Vacancy) {
        while vacant != 0 {
            self.write_vacancy(word * 64 + vacant.trailing_zeros(), vacancy);
            vacant &= vacant - 1;
        }
    }

    /// Commits uncommitted slots of one word. Slots that are committed already stay as they are.
    pub(crate) fn commit(&mut self, word: u32, slots: u64) {
        if slots != 0 {
            let uncommitted = slots & self.occupancy.bits.vacant(self.buffer.bits(), word);
            self.occupancy.commit(self.buffer.bits_mut(), word, uncommitted);
        }
    }

    /// Makes a live slot uncommitted again, after a copy or after loading.
    pub(crate) fn uncommit(&mut self, index: u32) {
        debug_assert!(self.live_mark(index).is_some() && self.is_committed(index));
        self.hold_live(index);
    }

    /// Makes a pending slot reserved or freed, after loading. Returns `false` if it is not pending.
    #[cfg(feature = "serde")]
    pub(crate) fn restore_vacancy(&mut self, index: u32, vacancy: Vacancy) -> bool {
        let is_pending = self.state(index).1 == Some(Vacancy::Pending);
        if is_pending {
            self.write_vacancy(index, vacancy);
        }
        is_pending
    }

    /// Writes the value of a pending tenant. The slot becomes uncommitted.
    pub(crate) fn fill_uncommitted(&mut self, slot: SlotRef, value: P) {
        debug_assert!(self.is_pending(slot));
        // A pending slot is already held and counted as vacant (N1).
        self.write_live(slot, value);
    }

    /// Moves the value of a live or uncommitted slot out. Its handle no longer resolves; the slot
    /// is freed later. Returns `None` if the handle does not resolve. The tenant must not be the
    /// last one that the slot can have.
    #[inline]
    pub(crate) fn remove_deferred(&mut self, slot: SlotRef) -> Option<P> {
        debug_assert!(!Self::is_last(slot.mark));
        if !self.contains(slot.index, slot.mark) {
            return None;
        }
        if self.is_committed(slot.index) {
            self.hold_live(slot.index);
        }
        // SAFETY: the slot must hold a value, which must not be read out again: the mark is that of
        // a handle, so it is odd (H1), and S1 holds. The next line writes the slot as vacant.
        let value = unsafe { self.read_out(slot.index) };
        self.write_vacant(slot.index, slot.mark + 1, Vacancy::Freed);
        Some(value)
    }

    /// Returns `true` if the slot is retired after this tenant.
    #[inline]
    pub(crate) fn is_last(mark: u32) -> bool {
        after::<L>(mark).1 == Vacancy::Retired
    }

    /// Frees slots that are in state freed. Their vacant bits are set already: only their words are
    /// listed.
    pub(crate) fn free_deferred(&mut self, freed: impl Iterator<Item = u32>) {
        let mut listed = None;
        for index in freed {
            // Neighbours are often freed together. Their word is listed once.
            listed = self.occupancy.free_held(self.buffer.bits_mut(), index, listed);
        }
        self.occupancy.use_listed(self.buffer.bits_mut());
    }

    /// Returns `true` if a slot that holds a value is committed.
    #[inline]
    pub(crate) fn is_committed(&self, index: u32) -> bool {
        let (word, bit) = split(index);
        self.occupancy.bits.vacant(self.buffer.bits(), word) & bit == 0
    }

    /// Returns the address of the value that a handle resolves to, committed or not.
    #[inline(always)]
    pub(crate) fn find(&self, slot: SlotRef) -> Option<NonNull<P>> {
        if !self.contains(slot.index, slot.mark) {
            unlikely();
            return None;
        }
        // SAFETY: the pointer must be in bounds and not null: the slot exists, so by B1 it has
        // memory. Only an address is computed.
        unsafe { Some(non_null(Slot::value_ptr(self.buffer.slot(slot.index as usize).cast_mut()))) }
    }

    /// Returns an iterator that does not borrow the engine.
    pub(crate) fn raw_iter(&self) -> RawIter<P> {
        RawIter::over(0..self.occupancy.word_count())
    }
}
