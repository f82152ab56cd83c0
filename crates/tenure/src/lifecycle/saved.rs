//! Saving and restoring a frame. Everything that is restored is checked.

use alloc::vec::Vec;
use core::fmt;

use super::{EntityId, FrameReport, Inner, Lifecycle, Lists};
use crate::handle::Handle;
use crate::layout::Layout;
use crate::slots::{add_to, split};

/// The saved state of a world, without its slots and its staged entities.
#[derive(Clone, Debug)]
pub(crate) struct SavedFrame<K: ?Sized, L: Layout> {
    /// The ids of all entities, committed or not, in index order. `None`: all entities get new ids.
    pub(crate) ids: Option<Vec<EntityId>>,
    pub(crate) last_id: u64,
    pub(crate) permanent: Vec<Handle<K, L>>,
    pub(crate) spawned: Vec<Handle<K, L>>,
    pub(crate) slots: ReservedSlots,
    pub(crate) dying: Vec<Handle<K, L>>,
    pub(crate) committed: Vec<Handle<K, L>>,
    pub(crate) committed_with_handle: usize,
    pub(crate) dead: Vec<Handle<K, L>>,
    pub(crate) tickets: u64,
    pub(crate) first_ticket: u64,
    pub(crate) report: FrameReport,
}

/// Slots that hold no value and are not reused before the frame ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReservedSlots {
    /// Reserved for the next spawns. All belong to one word; ascending.
    pub(crate) block: Vec<u32>,
    /// The slots of values that were removed.
    pub(crate) freed: Vec<u32>,
}

/// Why a saved frame does not fit the slots: the field, and its error.
#[derive(Debug)]
pub(crate) enum FrameError<K: ?Sized, L: Layout> {
    IdCount { ids: usize, entities: usize },
    IdTwice(EntityId),
    Dead(&'static str, Handle<K, L>),
    Twice(&'static str, Handle<K, L>),
    Slot(&'static str, u32),
    Number(&'static str),
    Memory,
}

impl<K: ?Sized, L: Layout> fmt::Display for FrameError<K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdCount { ids, entities } => write!(f, "ids: there are {ids} for {entities} entities"),
            Self::IdTwice(id) => write!(f, "ids: {id} occurs twice"),
            Self::Dead(field, handle) => write!(f, "{field}: {handle} does not resolve"),
            Self::Twice(field, handle) => write!(f, "{field}: {handle} occurs twice"),
            Self::Slot(field, slot) => write!(f, "{field}: slot {slot} is not reserved, or occurs twice"),
            Self::Number(field) => write!(f, "{field}: the number does not fit the others"),
            Self::Memory => f.write_str("there is no memory for the world"),
        }
    }
}

/// Loaded counters are below this, so that no history reaches their end.
const FAR: u64 = 1 << 62;

impl<T, K: ?Sized, L: Layout> Lifecycle<T, K, L> {
    /// Returns what is saved of a world besides its slots. `None` for a stable pool.
    pub(crate) fn save_frame(&self) -> Option<SavedFrame<K, L>> {
        let slots = self.reserved_slots();
        let resolves = |handle: &Handle<K, L>| self.find(*handle).is_some();
        self.lists.look(|lists| {
            let frame = lists.frame.as_ref()?;
            let (last_id, tickets) = frame.issued();
            Some(SavedFrame {
                ids: Some(frame.ids().collect()),
                last_id,
                permanent: lists.permanent().filter_map(|slot| self.handle_at(slot)).collect(),
                spawned: lists.spawned.iter().copied().filter(resolves).collect(),
                slots,
                dying: lists
                    .dying()
                    .iter()
                    .copied()
                    .filter(|handle| lists.is_dying(*handle) && resolves(handle))
                    .collect(),
                committed: frame.committed.clone(),
                committed_with_handle: frame.committed_with_handle,
                dead: frame.dead.clone(),
                tickets,
                first_ticket: frame.first_ticket,
                report: frame.report,
            })
        })
    }

    fn reserved_slots(&self) -> ReservedSlots {
        let (word, left) = self.engine.look(|engine| engine.block.rest());
        let block = (0..64).filter(|bit| left >> bit & 1 == 1).map(|bit| word * 64 + bit).collect();
        ReservedSlots { block, freed: self.lists.look(|lists| lists.freed.clone()) }
    }

    /// Returns `true` if nothing was spawned or staged since the frame was saved.
    pub(crate) fn is_as(&self, saved: &SavedFrame<K, L>) -> bool {
        let issued = self.lists.look(|lists| lists.frame.as_ref().map(super::Frame::issued));
        issued == Some((saved.last_id, saved.tickets)) && self.reserved_slots() == saved.slots
    }

    /// Restores the lifecycle of a world with `staged` staged entities, if the frame fits the pool.
    pub(crate) fn restore(
        pool: Inner<T, K, L>,
        saved: SavedFrame<K, L>,
        staged: usize,
    ) -> Result<Self, FrameError<K, L>> {
        check_numbers(&saved, staged)?;
        let mut lifecycle = Self::with_frame(pool);
        let (engine, lists) = lifecycle.both_mut();
        let handles = [("permanent", &saved.permanent), ("pending", &saved.spawned), ("dying", &saved.dying)];
        handles.into_iter().try_for_each(|(field, list)| all_resolve(field, list, &engine.pool))?;
        let slots = engine.pool.slot_count();
        if lists.make_room(engine.pool.len(), slots).is_err() {
            return Err(FrameError::Memory);
        }
        lists.restore_ids(&engine.pool, &saved)?;
        restore_freed(&mut engine.pool, &saved.slots.freed)?;
        engine.block = block_of(&mut engine.pool, &saved.slots.block)?;
        // From here to the lists nothing fails: an uncommitted value that is not listed would not
        // be dropped (N3).
        saved.spawned.iter().for_each(|&handle| engine.pool.uncommit(handle));
        lists.restore(saved);
        if lists.make_room(0, slots).is_err() {
            return Err(FrameError::Memory);
        }
        Ok(lifecycle)
    }
}

/// Checks that no counter can overflow, and that no counter contradicts another one.
fn check_numbers<K: ?Sized, L: Layout>(saved: &SavedFrame<K, L>, staged: usize) -> Result<(), FrameError<K, L>> {
    let FrameReport { frame: number, spawned, despawned, already_dead, already_dying } = saved.report;
    let with_ticket = saved.committed.len().saturating_sub(saved.committed_with_handle);
    let is_near = |count: usize| count <= usize::MAX / 4;
    let checks = [
        ("last_id", saved.last_id < FAR),
        ("ids", saved.ids.iter().flatten().all(|id| id.get() < FAR)),
        ("tickets", saved.tickets < FAR && saved.tickets >= staged as u64),
        (
            "first_ticket",
            saved.first_ticket.saturating_add(with_ticket as u64) <= saved.tickets.saturating_sub(staged as u64),
        ),
        ("born_with_handle", saved.committed_with_handle <= saved.committed.len()),
        ("report", number < FAR && [spawned, despawned, already_dead, already_dying].into_iter().all(is_near)),
    ];
    match checks.into_iter().find(|(_, holds)| !holds) {
        Some((field, _)) => Err(FrameError::Number(field)),
        None => Ok(()),
    }
}

/// Checks that each handle of a list resolves and occurs once.
fn all_resolve<T, K: ?Sized, L: Layout>(
    field: &'static str,
    handles: &[Handle<K, L>],
    pool: &Inner<T, K, L>,
) -> Result<(), FrameError<K, L>> {
    let mut seen = alloc::vec![0_u64; pool.slot_count().div_ceil(64)];
    for &handle in handles {
        if !pool.contains(handle) {
            return Err(FrameError::Dead(field, handle));
        }
        if !add_to(&mut seen, handle.index()) {
            return Err(FrameError::Twice(field, handle));
        }
    }
    Ok(())
}

/// Makes pending slots of a pool freed, as they were when the frame was saved.
fn restore_freed<T, K: ?Sized, L: Layout>(pool: &mut Inner<T, K, L>, freed: &[u32]) -> Result<(), FrameError<K, L>> {
    for &slot in freed {
        if !pool.restore_deferred(slot, true) {
            return Err(FrameError::Slot("departed", slot));
        }
    }
    Ok(())
}

/// Restores the block of reserved slots. Checks that they belong to one word and are ascending.
fn block_of<T, K: ?Sized, L: Layout>(
    pool: &mut Inner<T, K, L>,
    slots: &[u32],
) -> Result<crate::slots::SpawnBlock<T>, FrameError<K, L>> {
    let word = slots.first().map_or(0, |&first| split(first).0);
    let mut bits = 0;
    for &slot in slots {
        let (own_word, bit) = split(slot);
        if own_word != word || bits >= bit || !pool.restore_deferred(slot, false) {
            return Err(FrameError::Slot("nursery", slot));
        }
        bits |= bit;
    }
    Ok(pool.block(word, bits))
}

impl<K: ?Sized, L: Layout> Lists<K, L> {
    /// Assigns ids to all entities, which have none yet: those that were saved, or new ones.
    fn restore_ids<T>(&mut self, pool: &Inner<T, K, L>, saved: &SavedFrame<K, L>) -> Result<(), FrameError<K, L>> {
        if let Some(frame) = &mut self.frame {
            frame.set_last_id(saved.last_id);
        }
        pool.handles().for_each(|handle| self.note_entity(handle));
        let (Some(ids), Some(frame)) = (&saved.ids, &mut self.frame) else { return Ok(()) };
        if ids.len() != frame.alive {
            return Err(FrameError::IdCount { ids: ids.len(), entities: frame.alive });
        }
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FrameError::IdTwice(pair[0]));
        }
        let highest = sorted.last().map_or(0, |highest| highest.get());
        frame.set_ids(ids, highest.max(saved.last_id));
        Ok(())
    }

    /// Restores lists that have been checked.
    fn restore(&mut self, saved: SavedFrame<K, L>) {
        saved.permanent.iter().for_each(|&handle| self.make_permanent(handle));
        // There is room for all entities, so marking cannot fail.
        saved.dying.iter().for_each(|&handle| _ = self.mark_dying(handle));
        self.spawned = saved.spawned;
        self.freed = saved.slots.freed;
        if let Some(frame) = &mut self.frame {
            frame.committed = saved.committed;
            frame.committed_with_handle = saved.committed_with_handle;
            frame.dead = saved.dead;
            frame.set_tickets(saved.tickets);
            frame.first_ticket = saved.first_ticket;
            frame.report = saved.report;
        }
    }
}
