//! The deferred life cycle: spawning and removing values while others are borrowed.
//!
//! A [`StablePool`](crate::StablePool) and a [`World`](crate::World) each hold a [`Lifecycle`]: an
//! engine whose values never move, and lists of deferred changes. A slot goes through these states:
//!
//! ```text
//!              reserve_block        spawn                commit             despawn         sweep
//!       Free ───────────────▶ Reserved ─────▶ Uncommitted ─────▶ Live ──────────────▶ Dying ─────▶ Freed ──▶ Free
//!        ▲                       │                 │               │                    ▲            ▲         flush
//!        └── release_block ──────┘                 └── despawn ────┼────────────────────┘            │
//!                                                                  └── remove ──────────────────────┘
//!
//!   found by `get`:                               yes             yes                  yes
//!   found by `Live::get`:                         if spawned      yes                  yes
//!                                                 before the split
//!   visited by iterators:                         no              yes                  as before
//! ```
//!
//! The engine stores Reserved, Uncommitted and Freed (N1 in `slots/deferred.rs`). Dying is a flag
//! (`lists.rs`). A stable pool sweeps and [flushes](Lifecycle::flush) when both halves of a split
//! are dropped; in a world, `end_frame` sweeps and commits.
#![allow(unsafe_code, reason = "writes values into slots that a block has handed out")]

mod cell;
mod copy;
mod frame;
mod ids;
mod iter;
mod lists;
#[cfg(feature = "serde")]
mod saved;
mod split;

use alloc::collections::TryReserveError;
use core::cell::Cell;
use core::ptr::NonNull;

use self::cell::GuardedCell;
pub(crate) use self::frame::Frame;
pub use self::frame::{FrameReport, Ticket};
pub use self::ids::EntityId;
pub use self::iter::{Handles, Iter, LiveIter, LiveIterMut, LiveValues, LiveValuesMut, PendingHandles, Values};
pub(crate) use self::lists::Lists;
#[cfg(feature = "serde")]
pub(crate) use self::saved::{FrameError, ReservedSlots, SavedFrame};
pub use self::split::{Live, LiveLoans, Others, OthersIter, OthersValues, Spawner};
use crate::error::{Full, Rejected, Rejection};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::pool::Pool;
use crate::slots::{Chunks, Fault, FullKind, RawIter, Slots, SpawnBlock};
use crate::status::Status;

/// A pool whose values never move.
pub(crate) type Inner<T, K, L> = Pool<T, Handle<K, L>, Chunks<T>>;

/// A handle, and the address of its value.
pub(crate) type Spawned<T, K, L> = (Handle<K, L>, NonNull<T>);

/// An engine and its deferred changes.
///
/// - N3: for every uncommitted slot, `lists.spawned` contains its handle; for every freed slot,
///   `lists.freed` contains its index; every reserved slot is in `block`. (`spawned` may also
///   contain handles of values that were removed before the commit.)
pub(crate) struct Lifecycle<T, K: ?Sized, L: Layout> {
    engine: GuardedCell<Engine<T, K, L>>,
    lists: GuardedCell<Lists<K, L>>,
    /// The number of copies in progress. While it is not 0, a value's `clone` or `serialize` may be
    /// running, and nothing may be inserted (N4).
    copying: Cell<u32>,
}

struct Engine<T, K: ?Sized, L: Layout> {
    pool: Inner<T, K, L>,
    block: SpawnBlock<T>,
}

impl<T, K: ?Sized, L: Layout> Engine<T, K, L> {
    /// Commits spawned values and frees the slots of removed ones.
    fn flush(&mut self, lists: &mut Lists<K, L>) {
        self.commit(lists);
        lists.spawned.clear();
        self.free_deferred(lists);
    }

    /// Commits spawned values. Their handles stay in the list.
    fn commit(&mut self, lists: &mut Lists<K, L>) {
        lists.forget_removed(|handle| self.pool.contains(handle));
        self.pool.release_block(&mut self.block);
        self.pool.commit(&lists.spawned);
    }

    /// Makes reserved and freed slots free. They hold no value, so nothing in them is borrowed.
    fn free_deferred(&mut self, lists: &mut Lists<K, L>) {
        self.pool.release_block(&mut self.block);
        if !lists.freed.is_empty() {
            self.pool.free_deferred(lists.freed.drain(..));
        }
    }

    /// Makes room to spawn `count` more values.
    fn make_room(&self, lists: &mut Lists<K, L>, count: usize) -> Result<(), TryReserveError> {
        lists.reuse_room_to_spawn(|handle| self.pool.contains(handle));
        lists.make_room(count, self.pool.slot_count())
    }

    /// Reserves another block and takes its first slot.
    #[cold]
    #[inline(never)]
    fn spawn_in_new_block(&mut self) -> Result<Spawned<T, K, L>, FullKind> {
        self.block = self.pool.reserve_block()?;
        self.block.take().map(|(slot, value)| (Handle::from_slot(slot), value)).ok_or(FullKind::Memory)
    }

    /// Removes the value of a handle, committed or not, and returns it; or releases a pending
    /// handle. The slot becomes free later (N3).
    #[inline]
    fn remove_deferred(&mut self, lists: &mut Lists<K, L>, handle: Handle<K, L>) -> Option<T> {
        if Inner::<T, K, L>::is_last_tenant(handle) || !lists.has_room_to_free() {
            return self.remove_at_once(lists, handle);
        }
        let was_uncommitted = !self.pool.is_committed(handle);
        let Some(value) = self.pool.remove_deferred(handle) else {
            self.pool.release(handle);
            return None;
        };
        lists.note_freed(handle.index(), was_uncommitted);
        Some(value)
    }

    /// Like `remove_deferred`, without deferring: after its last tenant the slot is retired, and
    /// without memory for the list it is free at once. That is sound: the handle no longer
    /// resolves, and the value is moved out.
    #[cold]
    #[inline(never)]
    fn remove_at_once(&mut self, lists: &mut Lists<K, L>, handle: Handle<K, L>) -> Option<T> {
        if self.pool.contains(handle) {
            self.commit_one(lists, handle);
        }
        self.pool.remove(handle)
    }

    /// Commits a value that is about to be removed.
    fn commit_one(&mut self, lists: &mut Lists<K, L>, handle: Handle<K, L>) {
        if !self.pool.is_committed(handle) {
            self.pool.commit(&[handle]);
            lists.note_spawned_removed(handle.index());
        }
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Creates the lifecycle of a stable pool, which has no frame.
    pub(crate) const fn new(pool: Inner<T, K, L>) -> Self {
        Self::with_lists(pool, Lists::new(None))
    }

    /// Creates the lifecycle of a world: spawns and despawns take effect at the end of the frame.
    pub(crate) const fn with_frame(pool: Inner<T, K, L>) -> Self {
        Self::with_lists(pool, Lists::new(Some(Frame::EMPTY)))
    }

    const fn with_lists(pool: Inner<T, K, L>, lists: Lists<K, L>) -> Self {
        Self {
            engine: GuardedCell::new(Engine { pool, block: SpawnBlock::EMPTY }),
            lists: GuardedCell::new(lists),
            copying: Cell::new(0),
        }
    }

    // ---- access ----

    /// Passes the pool to a closure. Unless a copy is in progress, the closure runs no caller's
    /// code (N4).
    #[inline]
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Inner<T, K, L>) -> R) -> R {
        self.engine.look(|engine| look(&engine.pool))
    }

    /// Passes the pool to a closure that runs no caller's code and does not panic.
    #[inline]
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut Inner<T, K, L>) -> R) -> R {
        self.engine.change(|engine| change(&mut engine.pool))
    }

    /// Passes the lists to a closure that runs no caller's code.
    #[inline]
    pub(crate) fn look_at_lists<R>(&self, look: impl FnOnce(&Lists<K, L>) -> R) -> R {
        self.lists.look(look)
    }

    /// Passes the lists to a closure that runs no caller's code and does not panic.
    #[inline]
    pub(crate) fn change_lists<R>(&self, change: impl FnOnce(&mut Lists<K, L>) -> R) -> R {
        self.lists.change(change)
    }

    #[inline]
    fn change_both<R>(&self, change: impl FnOnce(&mut Engine<T, K, L>, &mut Lists<K, L>) -> R) -> R {
        self.engine.change(|engine| self.lists.change(|lists| change(engine, lists)))
    }

    #[inline]
    fn both_mut(&mut self) -> (&mut Engine<T, K, L>, &mut Lists<K, L>) {
        (self.engine.get_mut(), self.lists.get_mut())
    }

    /// Returns the lists, mutably.
    pub(crate) fn lists_mut(&mut self) -> &mut Lists<K, L> {
        self.lists.get_mut()
    }

    /// Returns the pool after applying all deferred changes.
    #[inline(always)]
    pub(crate) fn pool_mut(&mut self) -> &mut Inner<T, K, L> {
        if self.lists.get_mut().is_deferred {
            self.finish_split();
        }
        &mut self.engine.get_mut().pool
    }

    /// Returns the pool as it is. Its iterators do not visit uncommitted and freed slots.
    pub(crate) fn unflushed_mut(&mut self) -> &mut Inner<T, K, L> {
        &mut self.engine.get_mut().pool
    }

    pub(crate) fn into_inner(mut self) -> Inner<T, K, L> {
        core::mem::take(self.pool_mut())
    }

    /// Returns the address of the engine, for iterators that do not borrow it.
    #[inline(always)]
    pub(crate) fn slots(&self) -> *const Slots<T, L, Chunks<T>> {
        // SAFETY: the pointer comes from the cell, whose content is valid as long as the cell is
        // borrowed. Only an address is computed.
        unsafe { Pool::slots_ptr(&raw const (*self.engine.as_ptr()).pool) }
    }

    /// Returns an iterator over committed values that does not borrow the engine.
    pub(crate) fn raw_iter(&self) -> RawIter<T> {
        self.look(Pool::raw_iter)
    }

    // ---- looking up ----

    /// Returns the address of the value that a handle resolves to, committed or not.
    #[inline(always)]
    pub(crate) fn find(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: a shared reference to the engine needs that nothing changes it meanwhile. By N4
        // nothing does during this call.
        unsafe { (*self.slots()).find(handle.slot()) }
    }

    /// Returns the value that a handle resolves to, committed or not. For the containers: a split
    /// finds values by [`find_in_split`](Self::find_in_split).
    #[inline(always)]
    pub(crate) fn get(&self, handle: Handle<K, L>) -> Option<&T> {
        match self.find(handle) {
            // SAFETY: a shared reference needs that there is no `&mut` to the value while `self` is
            // borrowed. By X1 there is none: the container is borrowed shared, so no split is open.
            Some(value) => Some(unsafe { &*value.as_ptr() }),
            None => None,
        }
    }

    /// Returns the address of the value of a handle that resolved when the open split began and
    /// still does.
    #[inline]
    pub(crate) fn find_in_split(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        let (value, is_committed) = self.look(|pool| Some((pool.find_ptr(handle)?, pool.is_committed(handle))))?;
        if is_committed || self.is_earlier(handle) { Some(value) } else { None }
    }

    /// Returns `true` if an uncommitted value was spawned before the open split.
    #[cold]
    #[inline(never)]
    fn is_earlier(&self, handle: Handle<K, L>) -> bool {
        self.lists.look(|lists| lists.is_earlier(handle))
    }

    /// Returns the handle of the value in a slot, committed or not.
    pub(crate) fn handle_at(&self, index: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.handle_at(index))
    }

    /// Returns the status of a handle, including `Spawned` and `Dying`, which a pool does not know.
    pub(crate) fn status(&self, handle: Handle<K, L>) -> Status {
        if self.find(handle).is_none() {
            return self.look(|pool| pool.status(handle));
        }
        if self.lists.look(|lists| lists.is_dying(handle)) {
            return Status::Dying;
        }
        self.committed_status(handle)
    }

    /// Returns the status of a handle that resolves and is not dying.
    fn committed_status(&self, handle: Handle<K, L>) -> Status {
        if self.look(|pool| pool.is_committed(handle)) { Status::Live } else { Status::Spawned }
    }

    // ---- spawning ----

    /// Spawns a value, which is uncommitted. Returns its handle and its address.
    #[inline]
    pub(crate) fn spawn(&self, value: T) -> Result<Spawned<T, K, L>, Full<T>> {
        let spawned = self.change_both(|engine, lists| {
            if !lists.has_room_to_spawn(engine.pool.slot_count()) {
                engine.make_room(lists, 1).map_err(|_| FullKind::Memory)?;
            }
            let spawned = match engine.block.take() {
                Some((slot, at)) => (Handle::from_slot(slot), at),
                None => engine.spawn_in_new_block()?,
            };
            lists.note_spawned(spawned.0);
            Ok(spawned)
        });
        match spawned {
            Ok((handle, at)) => {
                // SAFETY: `at` is the place for the value of a slot that `SpawnBlock::take` just
                // made uncommitted: by N2 it is memory of the engine and holds no value. The value
                // is written here, before any other code can resolve the handle (S1).
                unsafe { at.write(value) };
                Ok((handle, at))
            }
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    /// Reserves a handle for [`fill_spawned`](Self::fill_spawned). Releases the block first: its
    /// slots may be the only free ones.
    pub(crate) fn reserve_handle(&self) -> Result<Handle<K, L>, Full<()>> {
        self.engine.change(|engine| {
            engine.pool.release_block(&mut engine.block);
            engine.pool.try_reserve_handle()
        })
    }

    /// Makes room to spawn `count` more values.
    pub(crate) fn make_room_to_spawn(&self, count: usize) -> Result<(), TryReserveError> {
        self.change_both(|engine, lists| engine.make_room(lists, count))
    }

    /// Gives a pending handle its value, which is uncommitted. Had the handle a value before, the
    /// caller has called [`forget_stale`](Self::forget_stale).
    pub(crate) fn fill_spawned(&self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        self.change_both(|engine, lists| {
            if !engine.pool.is_pending(handle) {
                return Err(Rejected::new(value, Rejection::of_fill(engine.pool.check_raw(handle).err())));
            }
            if !lists.has_room_to_spawn(engine.pool.slot_count()) && engine.make_room(lists, 1).is_err() {
                return Err(Rejected::new(value, Rejection::Full));
            }
            engine.pool.fill_uncommitted(handle, value);
            lists.note_spawned(handle);
            Ok(())
        })
    }

    // ---- despawning and removing ----

    /// Marks a value for despawn. Returns its status before this call, or an error if there is no
    /// memory for the list. (In a world there always is: Q1.)
    pub(crate) fn despawn(&self, handle: Handle<K, L>) -> Result<Status, FullKind> {
        if self.find(handle).is_none() {
            return Ok(self.despawn_dead(handle));
        }
        // A `&` to the engine: a value's `clone` may despawn another one (N4).
        let is_new = self.engine.look(|engine| {
            self.lists.change(|lists| {
                lists.reuse_room_to_die(|handle| engine.pool.contains(handle));
                lists.mark_dying(handle)
            })
        })?;
        if is_new { Ok(self.committed_status(handle)) } else { Ok(Status::Dying) }
    }

    #[cold]
    #[inline(never)]
    fn despawn_dead(&self, handle: Handle<K, L>) -> Status {
        self.lists.change(Lists::note_already_dead);
        self.look(|pool| pool.status(handle))
    }

    /// Removes and returns a value that [`find_in_split`](Self::find_in_split) finds, or releases a
    /// pending handle. The slot is free when the split or the frame ends.
    #[inline]
    pub(crate) fn remove_in_split(&self, handle: Handle<K, L>) -> Option<T> {
        if self.find_in_split(handle).is_none() {
            // Before there is room for the list: a handle without a value needs none.
            if self.find(handle).is_none() {
                self.release(handle);
            }
            return None;
        }
        self.change_both(|engine, lists| {
            let removed = engine.remove_deferred(lists, handle);
            if removed.is_some() {
                lists.forget_entity(handle);
            }
            removed
        })
    }

    /// Releases a pending handle.
    pub(crate) fn release(&self, handle: Handle<K, L>) {
        self.engine.change(|engine| engine.pool.release(handle));
    }

    /// Removes the next value that is marked for despawn, and returns it. `None` if there is none.
    pub(crate) fn sweep_next(&self) -> Option<Swept<T, K, L>> {
        self.change_both(|engine, lists| {
            loop {
                let (handle, permanent) = lists.next_to_sweep(|handle| engine.pool.contains(handle))?;
                if let Some(value) = engine.remove_deferred(lists, handle) {
                    return Some(Swept { handle, value, permanent });
                }
            }
        })
    }

    /// Ends a sweep: removes the handles of values that were removed before their commit from the
    /// list. If nothing is uncommitted, freed slots become free at once.
    pub(crate) fn end_sweep(&mut self) {
        let (engine, lists) = self.both_mut();
        lists.forget_removed(|handle| engine.pool.contains(handle));
        if lists.spawned.is_empty() {
            engine.free_deferred(lists);
        }
    }

    /// Returns the number of handles in the list of spawned values, without those of removed ones
    /// (unless a copy is in progress: N4). Until a value is removed, no handle in the list changes
    /// its position.
    pub(crate) fn count_spawned(&self) -> usize {
        if !self.is_copying() {
            self.change_both(|engine, lists| lists.forget_removed(|handle| engine.pool.contains(handle)));
        }
        self.lists.look(|lists| lists.spawned.len())
    }

    // ---- splits and commits ----

    pub(crate) fn begin_split(&mut self) {
        if self.lists.get_mut().frame.is_none() {
            self.pool_mut();
        }
        let (engine, lists) = self.both_mut();
        lists.forget_removed(|handle| engine.pool.contains(handle));
        lists.begin_split();
    }

    /// Called when one half of a split is dropped. After the second one, a stable pool sweeps and
    /// flushes.
    pub(crate) fn end_half(&self) {
        if self.lists.change(Lists::end_half) {
            self.sweep_and_flush();
        }
    }

    /// Removes and drops the values that are marked for despawn, and flushes. Both halves of the
    /// split are dropped, so nothing is borrowed. If a destructor panics, the other values are
    /// removed at the next exclusive use.
    fn sweep_and_flush(&self) {
        while let Some(swept) = self.sweep_next() {
            drop(swept.value);
        }
        self.flush();
    }

    #[cold]
    #[inline(never)]
    fn finish_split(&mut self) {
        self.sweep_and_flush();
    }

    /// Commits spawned values and frees the slots of removed ones. Values that are marked for
    /// despawn stay: they may be borrowed.
    ///
    /// Does nothing while values are copied or saved (N4): a copy flushes first, so there is
    /// nothing to commit.
    #[inline]
    pub(crate) fn flush(&self) {
        if self.lists.look(|lists| lists.is_deferred) && !self.is_copying() {
            self.flush_now();
        }
    }

    #[cold]
    #[inline(never)]
    fn flush_now(&self) {
        self.change_both(|engine, lists| {
            engine.flush(lists);
            lists.is_deferred = lists.has_dying();
        });
    }

    /// Makes reserved and freed slots free. Uncommitted values stay uncommitted.
    pub(crate) fn free_deferred(&mut self) {
        let (engine, lists) = self.both_mut();
        engine.free_deferred(lists);
    }

    // ---- figures ----

    /// Returns the heap memory of the lists, in bytes.
    pub(crate) fn bytes_of_lists(&self) -> usize {
        self.lists.look(Lists::bytes)
    }

    /// Shrinks the lists.
    pub(crate) fn shrink_lists(&mut self) {
        self.lists.get_mut().shrink_to_fit();
    }

    /// Checks the engine and the lists.
    pub(crate) fn validate(&self) -> Result<(), Fault> {
        let uncommitted = self.engine.look(|engine| {
            self.lists.look(|lists| lists.spawned.iter().filter(|&&handle| engine.pool.contains(handle)).count())
        });
        self.look(|pool| pool.validate_with(u32::try_from(uncommitted).unwrap_or(u32::MAX)))?;
        let rule = self.engine.look(|engine| self.lists.look(|lists| lists.fault(&engine.pool)));
        rule.map_or(Ok(()), |rule| Err(Fault::of_container(rule)))
    }
}

/// A value that was marked for despawn and is now removed.
pub(crate) struct Swept<T, K: ?Sized, L: Layout> {
    pub(crate) handle: Handle<K, L>,
    pub(crate) value: T,
    pub(crate) permanent: bool,
}

impl<T, K: ?Sized, L: Layout> Drop for Lifecycle<T, K, L> {
    fn drop(&mut self) {
        // The pool drops committed values only, so uncommitted ones are committed first.
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
    }
}

/// Operations of worlds.
impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Returns the frame, mutably.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame<K, L> {
        self.lists.get_mut().frame.get_or_insert(Frame::EMPTY)
    }

    pub(crate) fn next_ticket(&self) -> Ticket {
        self.lists.change(|lists| lists.frame.get_or_insert(Frame::EMPTY).next_ticket())
    }

    /// Commits spawned values. The caller then commits `staged` staged entities.
    pub(crate) fn commit(&mut self, staged: usize) {
        let (engine, lists) = self.both_mut();
        engine.commit(lists);
        engine.free_deferred(lists);
        let committed = lists.take_spawned();
        let frame = lists.frame.get_or_insert(Frame::EMPTY);
        lists.spawned = frame.begin_commit(committed, staged);
    }

    /// Commits a staged entity, for which there is room.
    pub(crate) fn commit_staged(&mut self, entity: T) {
        let (engine, lists) = self.both_mut();
        let handle = engine.pool.insert(entity);
        lists.note_entity(handle);
        self.frame_mut().note_staged(handle);
    }
}

/// Operations of worlds that take effect at once, without waiting for the end of the frame: nothing
/// is borrowed.
impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Removes a value at once, committed or not, or releases a pending handle. The slot is free at
    /// once.
    pub(crate) fn remove_now(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.prepare_removal(handle);
        self.engine.get_mut().pool.remove(handle)
    }

    /// Removes a value at once and drops it where it is.
    pub(crate) fn discard_now(&mut self, handle: Handle<K, L>) -> bool {
        self.prepare_removal(handle);
        self.engine.get_mut().pool.discard(handle)
    }

    /// Removes a value at once and returns it. Its handle becomes pending.
    pub(crate) fn take_now(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.prepare_removal(handle);
        self.engine.get_mut().pool.take(handle)
    }

    /// Prepares the removal of a value: commits it, and clears its id and flags.
    fn prepare_removal(&mut self, handle: Handle<K, L>) {
        let (engine, lists) = self.both_mut();
        if engine.pool.contains(handle) {
            engine.commit_one(lists, handle);
            lists.forget_entity(handle);
        }
    }

    /// Prepares for a value under a handle that was issued before: a value of it may have been
    /// removed in this frame, and it must not be listed twice.
    pub(crate) fn forget_stale(&self, handle: Handle<K, L>) {
        self.change_both(|engine, lists| lists.forget_stale(handle.index(), |handle| engine.pool.contains(handle)));
    }

    /// Removes the handles of entities that were marked for despawn and then removed from the list.
    pub(crate) fn forget_undying(&mut self) {
        let (engine, lists) = self.both_mut();
        lists.forget_undying(|handle| engine.pool.contains(handle));
    }

    /// Spawns a value under this very handle, or replaces the one that it resolves to. See
    /// [`Pool::insert_at`].
    pub(crate) fn spawn_at(&mut self, handle: Handle<K, L>, value: T) -> Result<Option<T>, Rejected<T>> {
        self.free_deferred();
        let (engine, lists) = self.both_mut();
        lists.forget_stale(handle.index(), |handle| engine.pool.contains(handle));
        if let Some(current) = engine.pool.get_mut(handle) {
            return Ok(Some(core::mem::replace(current, value)));
        }
        // Check first: a handle that is refused needs no room.
        if let Err(reason) = engine.pool.claim(handle) {
            return Err(Rejected::new(value, reason));
        }
        // For all slots up to the handle's: after `reserve_at`, nothing may fail.
        let slots = engine.pool.slot_count().max(handle.index() as usize + 1);
        if lists.make_room(1, slots).is_err() {
            return Err(Rejected::new(value, Rejection::Full));
        }
        if let Err(reason) = engine.pool.reserve_at(handle) {
            return Err(Rejected::new(value, reason));
        }
        self.fill_spawned(handle, value).map(|()| None)
    }

    /// Makes retired slots free, as if they had never been used. The lists keep no handle of them.
    pub(crate) fn recycle_retired(&mut self) -> usize {
        let (engine, lists) = self.both_mut();
        lists.forget_removed(|handle| engine.pool.contains(handle));
        lists.forget_undying(|handle| engine.pool.contains(handle));
        engine.pool.recycle_retired()
    }

    /// Returns the handle that the next spawn issues. `None` if there are no more slots.
    pub(crate) fn next_handle(&self) -> Option<Handle<K, L>> {
        self.engine.look(|engine| engine.pool.next_spawn(&engine.block))
    }

    /// Returns the numbers of uncommitted values, freed slots, and reserved slots.
    pub(crate) fn deferred_counts(&self) -> (usize, usize, usize) {
        let reserved = self.engine.look(|engine| engine.block.rest().1.count_ones() as usize);
        let spawned = self.engine.look(|engine| {
            self.lists.look(|lists| lists.spawned.iter().filter(|&&handle| engine.pool.contains(handle)).count())
        });
        (spawned, self.lists.look(|lists| lists.freed.len()), reserved)
    }

    /// Returns the handle of the first committed value at an index or after it.
    pub(crate) fn next_live(&self, from: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.next_live(from))
    }

    /// Returns the pool of a world whose values are all committed.
    pub(crate) fn into_committed(mut self) -> Inner<T, K, L> {
        core::mem::take(self.unflushed_mut())
    }
}
