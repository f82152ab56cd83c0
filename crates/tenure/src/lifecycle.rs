//! The deferred life cycle: values that are spawned and removed while others are borrowed.
//!
//! A [`StablePool`](crate::StablePool) and a [`World`](crate::World) each hold a [`Lifecycle`]: an
//! engine whose values never move, and lists of what is deferred. A slot goes through these states:
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
//! The engine knows Reserved, Uncommitted and Freed (N1 in `slots/deferred.rs`). Dying is a flag
//! (`lists.rs`). The split of a stable pool [flushes](Lifecycle::flush) when both halves are gone;
//! in a world, `end_frame` sweeps and commits.
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
pub use self::split::{Live, LiveLoans, Others, OthersIter, Spawner};
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

/// An engine, and what is deferred.
///
/// - N3: `lists.spawned` has the handle of every uncommitted slot, `lists.freed` the index of every
///   freed slot, and `block` has every reserved slot. (`spawned` may have other handles, too: those
///   of values that were removed before the commit.)
pub(crate) struct Lifecycle<T, K: ?Sized, L: Layout> {
    engine: GuardedCell<Engine<T, K, L>>,
    lists: GuardedCell<Lists<K, L>>,
    /// How many copies are being made: while a value's `clone` or `serialize` runs, nothing may be
    /// inserted (N4).
    copying: Cell<u32>,
}

struct Engine<T, K: ?Sized, L: Layout> {
    pool: Inner<T, K, L>,
    block: SpawnBlock<T>,
}

impl<T, K: ?Sized, L: Layout> Engine<T, K, L> {
    /// Commits what was spawned, and frees what was removed.
    fn flush(&mut self, lists: &mut Lists<K, L>) {
        self.commit(lists);
        lists.spawned.clear();
        self.free_deferred(lists);
    }

    /// Commits what was spawned. It stays in the list.
    fn commit(&mut self, lists: &mut Lists<K, L>) {
        lists.forget_removed(|handle| self.pool.contains(handle));
        self.pool.release_block(&mut self.block);
        self.pool.commit(&lists.spawned);
    }

    /// Frees reserved and freed slots: nothing can be borrowed there.
    fn free_deferred(&mut self, lists: &mut Lists<K, L>) {
        self.pool.release_block(&mut self.block);
        if !lists.freed.is_empty() {
            self.pool.free_deferred(lists.freed.drain(..));
        }
    }

    /// Reserves another block, and takes its first slot.
    #[cold]
    #[inline(never)]
    fn spawn_in_new_block(&mut self) -> Result<Spawned<T, K, L>, FullKind> {
        self.block = self.pool.reserve_block()?;
        self.block.take().map(|(slot, value)| (Handle::from_slot(slot), value)).ok_or(FullKind::Memory)
    }

    /// Takes the value of a handle out, committed or not, or releases a pending handle. The slot is
    /// freed later: N3.
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

    /// The same without deferring: the slot is retired after its last tenant; and without memory
    /// for the list, it is reused at once, which does no harm, because its handle no longer
    /// resolves and its value is moved out.
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
            lists.some_spawned_were_removed = true;
        }
    }
}

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Of a stable pool: without a frame.
    pub(crate) const fn new(pool: Inner<T, K, L>) -> Self {
        Self::with_lists(pool, Lists::new(None))
    }

    /// Of a world: spawns and despawns wait for the end of the frame.
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

    /// Passes the pool to a closure that runs no caller's code, but for copies (N4).
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

    /// The lists, exclusively.
    pub(crate) fn lists_mut(&mut self) -> &mut Lists<K, L> {
        self.lists.get_mut()
    }

    /// The pool, with nothing deferred.
    #[inline]
    pub(crate) fn pool_mut(&mut self) -> &mut Inner<T, K, L> {
        if self.lists.get_mut().is_deferred {
            self.finish_split();
        }
        &mut self.engine.get_mut().pool
    }

    /// The pool as it is. Its iterators do not visit uncommitted and freed slots.
    pub(crate) fn unflushed_mut(&mut self) -> &mut Inner<T, K, L> {
        &mut self.engine.get_mut().pool
    }

    pub(crate) fn into_inner(mut self) -> Inner<T, K, L> {
        core::mem::take(self.pool_mut())
    }

    /// The address of the engine, for iterators that do not borrow it.
    #[inline]
    pub(crate) fn slots(&self) -> *const Slots<T, L, Chunks<T>> {
        // SAFETY: the cell's content exists as long as the cell. Only an address is taken.
        unsafe { Pool::slots_ptr(&raw const (*self.engine.as_ptr()).pool) }
    }

    /// An iterator over committed values that does not borrow the engine.
    pub(crate) fn raw_iter(&self) -> RawIter<T> {
        self.look(Pool::raw_iter)
    }

    // ---- looking up ----

    /// The address of the value that a handle resolves to, committed or not.
    #[inline]
    pub(crate) fn find(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: by N4 nothing changes the engine during this call.
        unsafe { Inner::find_ptr(&*self.slots(), handle) }
    }

    /// The address of the value that a handle resolved to when the open split began, and still
    /// does.
    #[inline]
    pub(crate) fn find_in_split(&self, handle: Handle<K, L>) -> Option<NonNull<T>> {
        // SAFETY: by N4 nothing changes the engine during this call.
        let slots = unsafe { &*self.slots() };
        let value = Inner::find_ptr(slots, handle)?;
        if slots.is_committed(handle.index()) || self.is_earlier(handle) { Some(value) } else { None }
    }

    /// Whether an uncommitted value was spawned before the open split.
    #[cold]
    #[inline(never)]
    fn is_earlier(&self, handle: Handle<K, L>) -> bool {
        self.lists.look(|lists| lists.is_earlier(handle))
    }

    /// The handle of the value in a slot, committed or not.
    pub(crate) fn handle_at(&self, index: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.handle_at(index))
    }

    /// What a handle is: also Spawned and Dying, which a pool does not know.
    pub(crate) fn status(&self, handle: Handle<K, L>) -> Status {
        if self.find(handle).is_none() {
            return self.look(|pool| pool.status(handle));
        }
        if self.lists.look(|lists| lists.is_dying(handle)) {
            return Status::Dying;
        }
        self.committed_status(handle)
    }

    /// The status of a handle that resolves and is not dying.
    fn committed_status(&self, handle: Handle<K, L>) -> Status {
        if self.look(|pool| pool.is_committed(handle)) { Status::Live } else { Status::Spawned }
    }

    // ---- spawning ----

    /// Spawns a value: it is uncommitted. Also returns its address.
    #[inline]
    pub(crate) fn spawn(&self, value: T) -> Result<Spawned<T, K, L>, Full<T>> {
        let spawned = self.change_both(|engine, lists| {
            if !lists.has_room_to_spawn(engine.pool.slot_count()) && !lists.make_room(1, engine.pool.slot_count()) {
                return Err(FullKind::Memory);
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
                // SAFETY: by N1 the slot is uncommitted: it exists, and nothing else writes it. Its
                // value is written once, before any code can look for it.
                unsafe { at.write(value) };
                Ok((handle, at))
            }
            Err(kind) => Err(Full::new(value, kind)),
        }
    }

    /// Reserves a handle that [`fill_spawned`](Self::fill_spawned) gives a value. The block's slots
    /// are released first: they could be all that is free.
    pub(crate) fn reserve_handle(&self) -> Result<Handle<K, L>, Full<()>> {
        self.engine.change(|engine| {
            engine.pool.release_block(&mut engine.block);
            engine.pool.try_reserve_handle()
        })
    }

    /// Makes room to spawn `count` more values. Returns `false` if there is no memory.
    pub(crate) fn make_room_to_spawn(&self, count: usize) -> bool {
        self.change_both(|engine, lists| lists.make_room(count, engine.pool.slot_count()))
    }

    /// Gives a pending handle its value: it is uncommitted.
    pub(crate) fn fill_spawned(&self, handle: Handle<K, L>, value: T) -> Result<(), Rejected<T>> {
        self.change_both(|engine, lists| {
            if !engine.pool.is_pending(handle) {
                return Err(Rejected::new(value, Rejection::of_fill(engine.pool.check_raw(handle).err())));
            }
            // The handle may have been spawned and removed before: it must not be listed twice.
            lists.forget_removed(|handle| engine.pool.contains(handle));
            let slots = engine.pool.slot_count();
            if !lists.has_room_to_spawn(slots) && !lists.make_room(1, slots) {
                return Err(Rejected::new(value, Rejection::Full));
            }
            engine.pool.fill_uncommitted(handle, value);
            lists.note_spawned(handle);
            Ok(())
        })
    }

    // ---- despawning and removing ----

    /// Marks a value for despawn. Returns its status before, and whether there was memory to note
    /// it. (In a world there always is.)
    pub(crate) fn despawn(&self, handle: Handle<K, L>) -> Result<Status, FullKind> {
        if self.find(handle).is_none() {
            return Ok(self.despawn_dead(handle));
        }
        if self.lists.change(|lists| lists.mark_dying(handle))? {
            Ok(self.committed_status(handle))
        } else {
            Ok(Status::Dying)
        }
    }

    #[cold]
    #[inline(never)]
    fn despawn_dead(&self, handle: Handle<K, L>) -> Status {
        self.lists.change(Lists::note_already_dead);
        self.look(|pool| pool.status(handle))
    }

    /// Takes a value out that [`find_in_split`](Self::find_in_split) finds, or releases a pending
    /// handle. The slot is free when the split or the frame ends.
    #[inline]
    pub(crate) fn remove_in_split(&self, handle: Handle<K, L>) -> Option<T> {
        if self.find_in_split(handle).is_none() && self.find(handle).is_some() {
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

    /// Removes the next value that is marked for despawn. `None` if there is none.
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

    /// After a sweep: values that were removed before their commit leave the list. If nothing is
    /// uncommitted, slots are free at once.
    pub(crate) fn end_sweep(&mut self) {
        let (engine, lists) = self.both_mut();
        lists.forget_removed(|handle| engine.pool.contains(handle));
        if lists.spawned.is_empty() {
            engine.free_deferred(lists);
        }
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

    /// One half of a split is gone. After the other one, a stable pool has nothing deferred.
    pub(crate) fn end_half(&self) {
        if self.lists.change(Lists::end_half) {
            self.sweep_and_flush();
        }
    }

    /// Removes and drops what was marked for despawn, and flushes. Both halves of the split are
    /// gone, so nothing is borrowed. If a destructor panics, the rest is removed at the next
    /// exclusive use.
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

    /// Commits what was spawned, and frees what was removed in a split. Values that are marked for
    /// despawn stay: they may be borrowed.
    #[inline]
    pub(crate) fn flush(&self) {
        if self.lists.look(|lists| lists.is_deferred) {
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

    /// Frees reserved and freed slots, and leaves what is uncommitted.
    pub(crate) fn free_deferred(&mut self) {
        let (engine, lists) = self.both_mut();
        engine.free_deferred(lists);
    }

    // ---- figures ----

    /// Heap memory of the lists, in bytes.
    pub(crate) fn bytes_of_lists(&self) -> usize {
        self.lists.look(Lists::bytes)
    }

    /// Gives memory of the lists back.
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

/// A value that was marked for despawn, and is removed.
pub(crate) struct Swept<T, K: ?Sized, L: Layout> {
    pub(crate) handle: Handle<K, L>,
    pub(crate) value: T,
    pub(crate) permanent: bool,
}

impl<T, K: ?Sized, L: Layout> Drop for Lifecycle<T, K, L> {
    fn drop(&mut self) {
        // The pool drops what is live: uncommitted values are committed first.
        let (engine, lists) = self.both_mut();
        engine.flush(lists);
    }
}

/// What only a world does.
impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// The frame.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame<K, L> {
        self.lists.get_mut().frame.get_or_insert(Frame::EMPTY)
    }

    pub(crate) fn next_ticket(&self) -> Ticket {
        self.lists.change(|lists| lists.frame.get_or_insert(Frame::EMPTY).next_ticket())
    }

    /// Commits what was spawned. So many staged entities follow.
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

/// What a world has of a pool, at once and without the frame: nothing is borrowed.
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

    /// Takes a value out at once, and leaves its handle pending.
    pub(crate) fn take_now(&mut self, handle: Handle<K, L>) -> Option<T> {
        self.prepare_removal(handle);
        self.engine.get_mut().pool.take(handle)
    }

    /// Before a value is removed at once: it is committed, and nothing is known of it any more.
    fn prepare_removal(&mut self, handle: Handle<K, L>) {
        let (engine, lists) = self.both_mut();
        if engine.pool.contains(handle) {
            engine.commit_one(lists, handle);
            lists.forget_entity(handle);
        }
    }

    /// Spawns a value under this very handle, or replaces the one that it resolves to. See
    /// [`Pool::insert_at`].
    pub(crate) fn spawn_at(&mut self, handle: Handle<K, L>, value: T) -> Result<Option<T>, Rejected<T>> {
        self.free_deferred();
        let (engine, lists) = self.both_mut();
        if let Some(current) = engine.pool.get_mut(handle) {
            return Ok(Some(core::mem::replace(current, value)));
        }
        // What is refused needs no room.
        if let Err(reason) = engine.pool.claim(handle) {
            return Err(Rejected::new(value, reason));
        }
        if !lists.make_room(1, engine.pool.slot_count().max(handle.index() as usize)) {
            return Err(Rejected::new(value, Rejection::Full));
        }
        if let Err(reason) = engine.pool.reserve_at(handle) {
            return Err(Rejected::new(value, reason));
        }
        self.fill_spawned(handle, value).map(|()| None)
    }

    /// The handle that the next spawn issues. `None` if there are no more slots.
    pub(crate) fn next_handle(&self) -> Option<Handle<K, L>> {
        self.engine.look(|engine| engine.pool.next_spawn(&engine.block))
    }

    /// How many values are uncommitted, how many slots are freed later, and how many are reserved.
    pub(crate) fn deferred_counts(&self) -> (usize, usize, usize) {
        let reserved = self.engine.look(|engine| engine.block.rest().1.count_ones() as usize);
        let spawned = self.engine.look(|engine| {
            self.lists.look(|lists| lists.spawned.iter().filter(|&&handle| engine.pool.contains(handle)).count())
        });
        (spawned, self.lists.look(|lists| lists.freed.len()), reserved)
    }

    /// The first committed value at an index or after it.
    pub(crate) fn next_live(&self, from: u32) -> Option<Handle<K, L>> {
        self.look(|pool| pool.next_live(from))
    }

    /// The pool of a world that is used up, with everything committed.
    pub(crate) fn into_committed(mut self) -> Inner<T, K, L> {
        core::mem::take(self.unflushed_mut())
    }
}
