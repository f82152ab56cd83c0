//! The interface that `lifecycle.rs` uses: the deferred states of slots, by handle.
#![allow(unsafe_code, reason = "takes the address of a field, and casts pools that differ in their key only")]

use core::ptr::NonNull;

use super::Pool;
#[cfg(feature = "relink")]
use crate::error::Full;
use crate::error::Rejection;
use crate::key::{Key, KeyExt};
use crate::slots::{Buffer, Fault, FullKind, RawIter, SlotRef, Slots, SpawnBlock, split};

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Returns the address of the engine.
    ///
    /// # Safety
    /// `pool` points to a pool.
    #[inline(always)]
    pub(crate) unsafe fn slots_ptr(pool: *const Self) -> *const Slots<T, H::Layout, B> {
        // SAFETY: by the contract `pool` points to a pool. Only the address of a field is taken.
        unsafe { &raw const (*pool).slots }
    }

    /// Returns the same pool with another key. The caller guarantees that the keys mean the same.
    #[inline(always)]
    pub(crate) fn with_key_mut<G: Key<Layout = H::Layout>>(&mut self) -> &mut Pool<T, G, B> {
        // SAFETY: the cast needs equal representations. A pool is `repr(transparent)` over its
        // engine, which does not depend on the key.
        unsafe { &mut *(&raw mut *self).cast() }
    }

    /// Returns the same pool with another key.
    #[inline]
    pub(crate) fn with_key_ref<G: Key<Layout = H::Layout>>(&self) -> &Pool<T, G, B> {
        // SAFETY: a pool is `repr(transparent)` over its engine, which does not depend on the key.
        unsafe { &*(&raw const *self).cast() }
    }

    /// Returns the same pool with another key.
    pub(crate) fn with_key<G: Key<Layout = H::Layout>>(self) -> Pool<T, G, B> {
        Pool::from_slots(self.slots)
    }

    /// Returns the number of words up to the last live slot.
    pub(crate) fn live_words(&self) -> u32 {
        self.slots.last_live(self.slots.slot_count()).map_or(0, |last| last / 64 + 1)
    }

    /// Returns an iterator over committed values that does not borrow the engine.
    pub(crate) fn raw_iter(&self) -> RawIter<T> {
        self.slots.raw_iter()
    }

    /// Reserves memory for `count` values.
    #[cfg(feature = "relink")]
    pub(crate) fn try_make_room(&mut self, count: usize) -> Result<(), Full<()>> {
        self.slots.try_reserve(count, false).map_err(|_| Full::new((), self.slots.why_full(count)))
    }

    /// Returns why there is no room for `count` values.
    #[cfg(feature = "relink")]
    pub(crate) fn why_full(&self, count: usize) -> FullKind {
        self.slots.why_full(count)
    }

    /// Returns the handle that the next spawn issues: that of the block, or the first of the next
    /// block.
    pub(crate) fn next_spawn(&self, block: &SpawnBlock<T>) -> Option<H> {
        let slot = match block.next() {
            Some(index) => Some(SlotRef { index, mark: self.slots.state(index).0 | 1 }),
            None => self.slots.next_spawn(),
        };
        slot.map(H::from_slot)
    }

    /// Returns the first live value at an index or after it.
    pub(crate) fn next_live(&self, from: u32) -> Option<H> {
        self.slots.next_live(from).map(H::from_slot)
    }

    /// Makes a handle that `insert_at` would accept pending. It does not resolve.
    pub(crate) fn reserve_at(&mut self, handle: H) -> Result<(), Rejection> {
        let handle = handle.handle();
        self.grant(handle)?;
        if !self.slots.is_pending(handle.slot()) {
            self.slots.reserve_claimed(handle.slot());
        }
        Ok(())
    }

    /// See [`Slots::reserve_block`].
    pub(crate) fn reserve_block(&mut self) -> Result<SpawnBlock<T>, FullKind> {
        self.slots.reserve_block()
    }

    /// See [`Slots::block`].
    pub(crate) fn block(&mut self, word: u32, left: u64) -> SpawnBlock<T> {
        self.slots.block(word, left)
    }

    /// See [`Slots::release_block`].
    pub(crate) fn release_block(&mut self, block: &mut SpawnBlock<T>) {
        self.slots.release_block(block);
    }

    /// Commits uncommitted values. Those of one word that follow each other are committed together.
    pub(crate) fn commit(&mut self, uncommitted: &[H]) {
        let (mut word, mut bits) = (0, 0);
        for handle in uncommitted {
            let (own_word, bit) = split(handle.handle().index());
            if own_word != word {
                self.slots.commit(word, bits);
                (word, bits) = (own_word, 0);
            }
            bits |= bit;
        }
        self.slots.commit(word, bits);
    }

    /// Makes a live value uncommitted.
    pub(crate) fn uncommit(&mut self, handle: H) {
        self.slots.uncommit(handle.handle().index());
    }

    /// Returns `true` if a value that a handle resolves to is committed.
    #[inline]
    pub(crate) fn is_committed(&self, handle: H) -> bool {
        self.slots.is_committed(handle.handle().index())
    }

    pub(crate) fn is_pending(&self, handle: H) -> bool {
        self.slots.is_pending(handle.slot())
    }

    /// Fills a pending handle. The value is uncommitted.
    pub(crate) fn fill_uncommitted(&mut self, handle: H, value: T) {
        self.slots.fill_uncommitted(handle.slot(), value);
    }

    /// Returns `true` if the slot of a handle is retired after this tenant.
    #[inline]
    pub(crate) fn is_last_tenant(handle: H) -> bool {
        Slots::<T, H::Layout, B>::is_last(handle.slot().mark)
    }

    /// See [`Slots::remove_deferred`].
    #[inline]
    pub(crate) fn remove_deferred(&mut self, handle: H) -> Option<T> {
        self.slots.remove_deferred(handle.slot())
    }

    /// See [`Slots::free_deferred`].
    pub(crate) fn free_deferred(&mut self, freed: impl Iterator<Item = u32>) {
        self.slots.free_deferred(freed);
    }

    /// Releases a pending handle.
    pub(crate) fn release(&mut self, handle: H) {
        self.slots.release(handle.slot());
    }

    /// Undoes the reservation of a handle that was not issued to the caller.
    pub(crate) fn unreserve(&mut self, handle: H) {
        self.slots.unreserve(handle.slot());
    }

    /// Returns the address of the value that a handle resolves to, committed or not.
    #[inline(always)]
    pub(crate) fn find_ptr(&self, handle: H) -> Option<NonNull<T>> {
        self.slots.find(handle.slot())
    }

    /// Like [`validate`](Self::validate), for a pool in which this many values are uncommitted.
    pub(crate) fn validate_with(&self, uncommitted: u32) -> Result<(), Fault> {
        self.slots.validate(uncommitted)
    }
}

#[cfg(feature = "serde")]
impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// See [`Slots::restore_vacancy`]: restores a reserved slot, or one that is freed later.
    pub(crate) fn restore_deferred(&mut self, slot: u32, is_freed: bool) -> bool {
        use crate::slots::Vacancy;
        self.slots.restore_vacancy(slot, if is_freed { Vacancy::Freed } else { Vacancy::Reserved })
    }
}
