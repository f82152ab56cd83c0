//! The lists of deferred changes: spawned, dying, and freed.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::{Frame, Inner};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::FullKind;

/// The value is marked for despawn.
const DYING: u8 = 1;
/// `clear_temporary` spares the value.
const PERMANENT: u8 = 2;
/// The value was spawned before the open split, and is not committed.
const EARLIER: u8 = 4;
/// `spawned` or `dying` may contain the handle of a value that was removed from the slot.
const STALE: u8 = 8;

/// The lists of a [`Lifecycle`](super::Lifecycle).
///
/// - Q1: in a world, for every value, committed or not: `flags` and `frame.ids` have an entry for
///   its slot, and `dying` and `frame.dead` have capacity for its handle.
/// - Q3: the lists have capacity for `ready` more spawns in slots below `ready_slots`.
/// - Q4: for every slot without a value: it has no flag but `STALE`. For every uncommitted value:
///   its flag `EARLIER` is set exactly if its handle is among the first `earlier` handles in
///   `spawned`. In a world, for every handle in `spawned` that does not resolve, and every handle
///   in `dying` after the first `swept` that does not resolve or is not marked: its slot has the
///   flag `STALE`.
pub(crate) struct Lists<K: ?Sized, L: Layout> {
    /// Spawned and not committed, in the order of spawning.
    pub(super) spawned: Vec<Handle<K, L>>,
    /// The number of these that were spawned before the open split.
    earlier: usize,
    /// Whether some of the values in `spawned` were removed.
    pub(super) some_spawned_were_removed: bool,
    /// Marked for despawn, in the order of marking. The first `swept` of them are removed.
    dying: Vec<Handle<K, L>>,
    swept: usize,
    /// Whether some of the values in `dying` were removed without a sweep.
    pub(super) some_dying_were_removed: bool,
    /// The indices of freed slots.
    pub(super) freed: Vec<u32>,
    /// The flags of each slot, in index order.
    flags: Vec<u8>,
    ready: usize,
    ready_slots: usize,
    /// The number of halves of a split that were not dropped. Forgotten ones count until the next
    /// split.
    halves: u32,
    /// In a stable pool: whether a flush or a sweep is needed. Without effect in a world.
    pub(super) is_deferred: bool,
    /// `Some` in a world, `None` in a stable pool.
    pub(crate) frame: Option<Frame<K, L>>,
}

impl<K: ?Sized, L: Layout> Lists<K, L> {
    /// Creates empty lists: of a world with this frame, or of a stable pool without one.
    pub(super) const fn new(frame: Option<Frame<K, L>>) -> Self {
        Self {
            spawned: Vec::new(),
            earlier: 0,
            some_spawned_were_removed: false,
            dying: Vec::new(),
            swept: 0,
            some_dying_were_removed: false,
            freed: Vec::new(),
            flags: Vec::new(),
            ready: 0,
            ready_slots: 0,
            halves: 0,
            is_deferred: false,
            frame,
        }
    }

    fn flag(&self, handle: Handle<K, L>, flag: u8) -> bool {
        self.flags.get(handle.index() as usize).is_some_and(|flags| flags & flag != 0)
    }

    /// An iterator over the slots with a flag.
    fn slots_with(&self, flag: u8) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.flags).filter(move |(_, flags)| **flags & flag != 0).map(|(slot, _)| slot)
    }

    // ---- spawning ----

    /// Returns `true` if the lists have capacity for one more spawn, where `slots` slots exist.
    #[inline]
    pub(super) fn has_room_to_spawn(&self, slots: usize) -> bool {
        self.ready != 0 && slots < self.ready_slots
    }

    /// Makes room for `count` more spawns, where `slots` slots exist.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, count: usize, slots: usize) -> Result<(), TryReserveError> {
        let Some(frame) = &mut self.frame else {
            let result = self.spawned.try_reserve(count);
            (self.ready, self.ready_slots) = (self.spawned.capacity() - self.spawned.len(), usize::MAX);
            return result;
        };
        let alive = frame.alive + count;
        // The last of these spawns may append a block, of up to a word of slots. Those before it
        // (or handles that were reserved) may have appended as many more than they use.
        let slots = slots + count + 128;
        frame.make_room(alive, slots)?;
        self.spawned.try_reserve(count)?;
        self.flags.try_reserve(slots.saturating_sub(self.flags.len()))?;
        self.dying.try_reserve((alive + self.swept).saturating_sub(self.dying.len()))?;
        let most_alive = (self.dying.capacity() - self.swept).min(frame.dead.capacity());
        self.ready = (self.spawned.capacity() - self.spawned.len()).min(most_alive.saturating_sub(frame.alive));
        self.ready_slots = self.flags.capacity().min(frame.room_for_slots()).saturating_sub(64);
        Ok(())
    }

    /// Adds a spawned value. The caller has made room for it.
    #[inline]
    pub(super) fn note_spawned(&mut self, handle: Handle<K, L>) {
        self.ready = self.ready.saturating_sub(1);
        self.is_deferred = true;
        self.spawned.push(handle);
        if self.frame.is_some() {
            self.note_entity(handle);
        }
    }

    /// Assigns an id to an entity and adds flags for its slot. The caller has made room for both.
    #[inline]
    pub(crate) fn note_entity(&mut self, handle: Handle<K, L>) {
        let slot = handle.index() as usize;
        if slot >= self.flags.len() {
            self.add_flags(slot + 1);
        }
        if let Some(frame) = &mut self.frame {
            frame.assign_id(handle.index());
        }
    }

    #[cold]
    #[inline(never)]
    fn add_flags(&mut self, slots: usize) {
        self.flags.resize(slots, 0);
    }

    /// Returns the handles that were spawned and not committed, in the order of spawning.
    pub(crate) fn spawned(&self) -> &[Handle<K, L>] {
        &self.spawned
    }

    pub(super) fn is_earlier(&self, handle: Handle<K, L>) -> bool {
        self.flag(handle, EARLIER)
    }

    pub(super) fn begin_split(&mut self) {
        self.halves = 2;
        for handle in &self.spawned[self.earlier..] {
            if let Some(flags) = self.flags.get_mut(handle.index() as usize) {
                *flags |= EARLIER;
            }
        }
        self.earlier = self.spawned.len();
    }

    /// Counts a half of a split that is dropped. Returns `true` if a stable pool must be swept and
    /// flushed.
    pub(super) fn end_half(&mut self) -> bool {
        self.halves = self.halves.saturating_sub(1);
        self.halves == 0 && self.is_deferred && self.frame.is_none()
    }

    /// Removes the handles of values that were removed before their commit.
    pub(super) fn forget_removed(&mut self, resolves: impl Fn(Handle<K, L>) -> bool) {
        if core::mem::take(&mut self.some_spawned_were_removed) {
            let (flags, none_in_dying) = (&mut self.flags, !self.some_dying_were_removed);
            let (mut at, mut kept_earlier) = (0, 0);
            self.spawned.retain(|&handle| {
                crate::steps::step();
                let is_kept = resolves(handle);
                if !is_kept && none_in_dying {
                    clear_flag(flags, handle.index(), STALE);
                }
                kept_earlier += usize::from(is_kept && at < self.earlier);
                at += 1;
                is_kept
            });
            self.earlier = kept_earlier;
        }
    }

    /// Makes room in `spawned` for one more handle. If it would have to grow, the handles of values
    /// that were removed before their commit are removed from it first.
    pub(super) fn reuse_room_to_spawn(&mut self, resolves: impl Fn(Handle<K, L>) -> bool) {
        if self.some_spawned_were_removed && self.spawned.len() == self.spawned.capacity() {
            self.forget_removed(resolves);
            // Otherwise the next ones would soon be removed again, at O(n) each. Without memory
            // for it they are.
            let _ = self.spawned.try_reserve(self.spawned.len() / 4);
        }
    }

    /// Notes that an uncommitted value was removed. Its handle is still in `spawned`.
    pub(super) fn note_spawned_removed(&mut self, slot: u32) {
        self.some_spawned_were_removed = true;
        if let Some(flags) = self.flags.get_mut(slot as usize) {
            *flags |= STALE;
        }
    }

    /// Prepares the lists for a value under a handle that was issued before: no list contains the
    /// handle afterwards, unless it resolves. O(1), or O(handles in the lists) if a value of the
    /// same slot was removed since the last commit.
    pub(super) fn forget_stale(&mut self, slot: u32, resolves: impl Fn(Handle<K, L>) -> bool) {
        if self.flags.get(slot as usize).is_some_and(|flags| flags & STALE != 0) {
            self.forget_removed(&resolves);
            self.forget_undying(resolves);
            clear_flag(&mut self.flags, slot, STALE);
        }
    }

    /// Takes the list of spawned values, which the caller has committed. Clears their flags
    /// `EARLIER`.
    pub(super) fn take_spawned(&mut self) -> Vec<Handle<K, L>> {
        for handle in &self.spawned {
            if let Some(flags) = self.flags.get_mut(handle.index() as usize) {
                *flags &= !EARLIER;
            }
        }
        (self.earlier, self.ready) = (0, 0);
        core::mem::take(&mut self.spawned)
    }

    // ---- removing ----

    /// Makes room for one more freed slot. Returns `false` if there is no memory.
    #[inline]
    pub(super) fn has_room_to_free(&mut self) -> bool {
        self.freed.len() < self.freed.capacity() || self.freed.try_reserve(1).is_ok()
    }

    /// Adds a freed slot. `was_uncommitted` is the state of its value before the removal.
    #[inline]
    pub(super) fn note_freed(&mut self, slot: u32, was_uncommitted: bool) {
        self.freed.push(slot);
        self.is_deferred = true;
        if was_uncommitted {
            self.note_spawned_removed(slot);
        }
    }

    /// Makes room in `dying` for one more handle, if there is memory. If it would have to grow, the
    /// handles of values that were removed since are removed from it first. In a world this is
    /// enough (Q1).
    pub(super) fn reuse_room_to_die(&mut self, resolves: impl Fn(Handle<K, L>) -> bool) {
        if self.some_dying_were_removed && self.dying.len() == self.dying.capacity() {
            self.forget_undying(resolves);
            // As for spawned values.
            let _ = self.dying.try_reserve(self.dying.len() / 4);
        }
    }

    /// Marks a value for despawn. Returns `false` if it was marked already.
    pub(super) fn mark_dying(&mut self, handle: Handle<K, L>) -> Result<bool, FullKind> {
        let slot = handle.index() as usize;
        if slot >= self.flags.len() {
            // This happens in a stable pool only (Q1).
            self.flags.try_reserve(slot + 1 - self.flags.len()).map_err(|_| FullKind::Memory)?;
            self.add_flags(slot + 1);
        }
        if self.flags[slot] & DYING != 0 {
            if let Some(frame) = &mut self.frame {
                frame.report.already_dying += 1;
            }
            return Ok(false);
        }
        self.dying.try_reserve(1).map_err(|_| FullKind::Memory)?;
        self.flags[slot] |= DYING;
        self.dying.push(handle);
        self.is_deferred = true;
        Ok(true)
    }

    pub(super) fn note_already_dead(&mut self) {
        if let Some(frame) = &mut self.frame {
            frame.report.already_dead += 1;
        }
    }

    pub(crate) fn is_dying(&self, handle: Handle<K, L>) -> bool {
        self.flag(handle, DYING)
    }

    pub(super) fn has_dying(&self) -> bool {
        !self.dying.is_empty()
    }

    /// Returns the handles that are marked for despawn and not swept. Some of them may not resolve
    /// any more.
    #[cfg(feature = "serde")]
    pub(super) fn dying(&self) -> &[Handle<K, L>] {
        &self.dying[self.swept..]
    }

    /// Returns the next handle to sweep, and whether its value was permanent. Clears its id and
    /// flags. A panic between two calls loses no handle.
    pub(super) fn next_to_sweep(&mut self, resolves: impl Fn(Handle<K, L>) -> bool) -> Option<(Handle<K, L>, bool)> {
        while let Some(&handle) = self.dying.get(self.swept) {
            self.swept += 1;
            // The value may have been removed since, and its slot may have another value.
            if self.is_dying(handle) && resolves(handle) {
                let permanent = self.is_permanent(handle);
                let others_were_removed = self.some_dying_were_removed;
                self.forget_entity(handle);
                self.some_dying_were_removed = others_were_removed;
                if let Some(frame) = &mut self.frame {
                    frame.dead.push(handle);
                }
                return Some((handle, permanent));
            }
        }
        self.dying.clear();
        self.swept = 0;
        self.some_dying_were_removed = false;
        None
    }

    /// Clears the flags and the id of a value that is removed, so that the next tenant of its slot
    /// does not inherit them.
    pub(super) fn forget_entity(&mut self, handle: Handle<K, L>) {
        if let Some(flags) = self.flags.get_mut(handle.index() as usize) {
            let was_dying = *flags & DYING != 0;
            self.some_dying_were_removed |= was_dying;
            *flags = if was_dying { STALE } else { *flags & STALE };
        }
        if let Some(frame) = &mut self.frame {
            frame.forget(handle.index());
            frame.report.despawned += 1;
        }
    }

    /// Removes the handles of values that were marked for despawn and then removed: a handle may
    /// return in the same frame, and be marked again.
    pub(super) fn forget_undying(&mut self, resolves: impl Fn(Handle<K, L>) -> bool) {
        if core::mem::take(&mut self.some_dying_were_removed) {
            let (flags, none_in_spawned) = (&mut self.flags, !self.some_spawned_were_removed);
            let mut left = self.swept;
            self.dying.retain(|&handle| {
                crate::steps::step();
                let is_swept = left > 0;
                left -= usize::from(is_swept);
                let is_dying = flags.get(handle.index() as usize).is_some_and(|flags| flags & DYING != 0);
                let is_kept = is_swept || is_dying && resolves(handle);
                if !is_kept && none_in_spawned {
                    clear_flag(flags, handle.index(), STALE);
                }
                is_kept
            });
        }
    }

    // ---- permanent entities ----

    pub(crate) fn is_permanent(&self, handle: Handle<K, L>) -> bool {
        self.flag(handle, PERMANENT)
    }

    /// Makes an entity permanent.
    pub(crate) fn make_permanent(&mut self, handle: Handle<K, L>) {
        if let Some(flags) = self.flags.get_mut(handle.index() as usize) {
            *flags |= PERMANENT;
        }
    }

    /// An iterator over the slots of permanent entities.
    #[cfg(feature = "serde")]
    pub(super) fn permanent(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots_with(PERMANENT)
    }

    /// Marks an entity for despawn, unless it is permanent and `permanent_too` is `false`. The
    /// caller has called [`forget_undying`](Self::forget_undying).
    pub(crate) fn mark_for_clear(&mut self, handle: Handle<K, L>, permanent_too: bool) {
        if (permanent_too || !self.is_permanent(handle)) && !self.is_dying(handle) {
            // In a world there is room (Q1), so this cannot fail.
            let _ = self.mark_dying(handle);
        }
    }

    // ---- figures and copies ----

    pub(super) fn bytes(&self) -> usize {
        (self.spawned.capacity() + self.dying.capacity()) * size_of::<Handle<K, L>>()
            + self.freed.capacity() * size_of::<u32>()
            + self.flags.capacity()
            + self.frame.as_ref().map_or(0, Frame::bytes)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.spawned.shrink_to_fit();
        // In a world, every entity can be marked without allocating (Q1).
        let alive = self.frame.as_ref().map_or(0, |frame| frame.alive);
        self.dying.shrink_to(alive + self.swept);
        self.freed.shrink_to_fit();
        if self.frame.is_none() {
            self.flags.shrink_to_fit();
        }
        self.ready = 0;
    }

    /// Copies the lists of an original. Reuses memory. Makes the room that Q1 requires.
    pub(super) fn copy_from(&mut self, original: &Self) {
        self.spawned.clone_from(&original.spawned);
        self.dying.clone_from(&original.dying);
        self.freed.clone_from(&original.freed);
        self.flags.clone_from(&original.flags);
        (self.earlier, self.swept, self.ready) = (original.earlier, original.swept, 0);
        self.some_spawned_were_removed = original.some_spawned_were_removed;
        self.some_dying_were_removed = original.some_dying_were_removed;
        self.is_deferred = original.is_deferred;
        if let (Some(frame), Some(from)) = (&mut self.frame, &original.frame) {
            frame.copy_from(from);
            self.dying.reserve((frame.alive + self.swept).saturating_sub(self.dying.len()));
        }
    }

    /// Returns the first invariant of the lists that does not hold.
    pub(super) fn fault<T>(&self, pool: &Inner<T, K, L>) -> Option<&'static str> {
        let has_value = |slot: u32| pool.handle_at(slot).is_some();
        let is_uncommitted = |handle: Handle<K, L>| pool.contains(handle) && !pool.is_committed(handle);
        let earlier = self.slots_with(EARLIER).filter_map(|slot| pool.handle_at(slot));
        let marked = earlier.filter(|&handle| is_uncommitted(handle)).count();
        let is_unknown = |&handle: &Handle<K, L>| self.frame.is_some() && !self.flag(handle, STALE);
        let removed = self.spawned.iter().filter(|&&handle| !pool.contains(handle));
        let undying =
            self.dying[self.swept..].iter().filter(|&&handle| !pool.contains(handle) || !self.is_dying(handle));
        let listed = self.spawned[..self.earlier].iter().filter(|&&handle| pool.contains(handle)).count();
        if !self.slots_with(!STALE).all(has_value) {
            Some("Q4: a slot without a value has flags")
        } else if marked != listed {
            Some("Q4: the flags are not those of the values that were spawned before the split")
        } else if removed.chain(undying).any(is_unknown) {
            Some("Q4: the list contains the handle of a removed value, and its slot does not say so")
        } else {
            None
        }
    }
}

fn clear_flag(flags: &mut [u8], slot: u32, flag: u8) {
    if let Some(flags) = flags.get_mut(slot as usize) {
        *flags &= !flag;
    }
}
