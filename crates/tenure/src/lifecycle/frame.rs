//! The part of a lifecycle that only worlds have: ids, the entities of the last commit and the last
//! sweep, and the report.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::ids::{EntityId, IdMap};
use crate::handle::Handle;
use crate::layout::Layout;

/// The number of spawns and despawns in a frame. See [`World::end_frame`](crate::World::end_frame).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameReport {
    /// The number of the frame: 1, 2, 3, ….
    pub frame: u64,
    /// The number of entities that were committed.
    #[cfg_attr(feature = "serde", serde(rename = "born"))]
    pub spawned: usize,
    /// The number of entities that were swept, or removed at once.
    #[cfg_attr(feature = "serde", serde(rename = "died"))]
    pub despawned: usize,
    /// How often `despawn` was called with a handle that did not resolve.
    pub already_dead: usize,
    /// How often `despawn` was called with a handle that was marked already.
    #[cfg_attr(feature = "serde", serde(rename = "named_twice"))]
    pub already_dying: usize,
}

impl FrameReport {
    pub(super) const EMPTY: Self = Self { frame: 1, spawned: 0, despawned: 0, already_dead: 0, already_dying: 0 };
}

impl Default for FrameReport {
    /// The report of the first frame, before anything has happened.
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Identifies an entity that has no handle yet. See [`World::stage`](crate::World::stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "after the commit, the ticket finds the entity's handle"]
pub struct Ticket(pub(crate) u64);

/// The frame of a world.
///
/// `by_id` is built on first use: most worlds assign ids and never look one up, and maintaining the
/// hash table would dominate the cost of a spawn.
///
/// - Q5: through `&World`, the list `committed` is only read: no spawn, despawn or reservation
///   changes, grows or moves it. (`dead` does grow, to have room for what is spawned.)
/// - Q2: if `is_indexed`, `by_id` has the ids of all entities, committed or not, and no others;
///   otherwise it is empty.
pub(crate) struct Frame<K: ?Sized, L: Layout> {
    /// The id of the entity in each slot, in index order.
    ids: Vec<Option<EntityId>>,
    by_id: IdMap,
    is_indexed: bool,
    last_id: u64,
    /// The number of entities, committed or not. Each has an id.
    pub(super) alive: usize,
    /// The entities of the last commit: spawned ones, then staged ones.
    pub(crate) committed: Vec<Handle<K, L>>,
    /// The number of spawned entities in `committed`. The others were staged.
    pub(crate) committed_with_handle: usize,
    /// The entities that the last sweep removed.
    pub(crate) dead: Vec<Handle<K, L>>,
    /// The number of tickets that were issued. No number is issued twice.
    tickets: u64,
    /// The first ticket of the last commit.
    pub(crate) first_ticket: u64,
    pub(crate) report: FrameReport,
}

impl<K: ?Sized, L: Layout> Frame<K, L> {
    pub(super) const EMPTY: Self = Self {
        ids: Vec::new(),
        by_id: IdMap::EMPTY,
        is_indexed: false,
        last_id: 0,
        alive: 0,
        committed: Vec::new(),
        committed_with_handle: 0,
        dead: Vec::new(),
        tickets: 0,
        first_ticket: 0,
        report: FrameReport::EMPTY,
    };

    /// Returns the last id and the number of tickets that were issued.
    pub(crate) fn issued(&self) -> (u64, u64) {
        (self.last_id, self.tickets)
    }

    /// Creates an empty frame that continues after these ids and tickets.
    pub(crate) fn after(last_id: u64, tickets: u64) -> Self {
        Self { last_id, tickets, ..Self::EMPTY }
    }

    /// Makes room for `alive` entities and `slots` slots in all.
    pub(super) fn make_room(&mut self, alive: usize, slots: usize) -> Result<(), TryReserveError> {
        self.ids.try_reserve(slots.saturating_sub(self.ids.len()))?;
        self.dead.try_reserve(alive.saturating_sub(self.dead.len()))
    }

    /// Returns the number of slots that there is room for.
    pub(super) fn room_for_slots(&self) -> usize {
        self.ids.capacity()
    }

    /// Assigns a new id to the entity in a slot. The caller has made room for it.
    #[inline]
    pub(super) fn assign_id(&mut self, slot: u32) {
        if slot as usize >= self.ids.len() {
            self.add_ids(slot as usize + 1);
        }
        self.last_id += 1;
        self.alive += 1;
        let id = EntityId::new(self.last_id);
        // Write only: a spawn does not wait for this memory to be read.
        self.ids[slot as usize] = id;
        if let Some(id) = id.filter(|_| self.is_indexed) {
            self.index_one(id, slot);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_ids(&mut self, slots: usize) {
        self.ids.resize(slots, None);
    }

    /// Clears the id of the entity in a slot, which is removed.
    pub(super) fn forget(&mut self, slot: u32) {
        if self.is_indexed {
            self.unindex_one(slot);
        }
        // Write only, as above. By Q1 there is an entry for the slot.
        self.ids[slot as usize] = None;
        self.alive -= 1;
    }

    pub(crate) fn next_ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets - 1)
    }

    /// Begins a commit of these handles, to which `staged` staged entities will be added. Returns
    /// the list of the last commit, emptied, so that its memory is reused.
    pub(crate) fn begin_commit(&mut self, committed: Vec<Handle<K, L>>, staged: usize) -> Vec<Handle<K, L>> {
        let mut old = core::mem::replace(&mut self.committed, committed);
        old.clear();
        self.committed_with_handle = self.committed.len();
        self.report.spawned += self.committed.len();
        self.first_ticket = self.tickets - staged as u64;
        old
    }

    /// Adds a staged entity to the commit.
    pub(crate) fn note_staged(&mut self, handle: Handle<K, L>) {
        self.report.spawned += 1;
        self.committed.push(handle);
    }

    /// Ends the frame and returns its report.
    pub(crate) fn end(&mut self) -> FrameReport {
        let next = FrameReport { frame: self.report.frame + 1, ..FrameReport::EMPTY };
        core::mem::replace(&mut self.report, next)
    }

    pub(crate) fn id_of(&self, slot: u32) -> Option<EntityId> {
        self.ids.get(slot as usize).copied().flatten()
    }

    /// Returns the slot of an id. Without memory for the index, searches all ids.
    pub(crate) fn slot_of(&mut self, id: EntityId) -> Option<u32> {
        if !self.is_indexed && !self.try_index() {
            return (0..).zip(&self.ids).find(|(_, other)| **other == Some(id)).map(|(slot, _)| slot);
        }
        self.by_id.get(id, &self.ids)
    }

    /// Keeps Q2 when an entity is spawned. Without memory, the index is dropped until the next
    /// lookup by id.
    #[inline(never)]
    fn index_one(&mut self, id: EntityId, slot: u32) {
        self.is_indexed = self.by_id.insert(id, slot, &self.ids);
        if !self.is_indexed {
            self.by_id = IdMap::EMPTY;
        }
    }

    /// Keeps Q2 when an entity is removed.
    #[inline(never)]
    fn unindex_one(&mut self, slot: u32) {
        if let Some(id) = self.ids[slot as usize] {
            self.by_id.remove(id, slot, &self.ids);
        }
    }

    /// Builds the index (Q2). Returns `false` if there is no memory.
    #[cold]
    fn try_index(&mut self) -> bool {
        let Some(by_id) = IdMap::of(&self.ids, self.alive) else { return false };
        self.by_id = by_id;
        self.is_indexed = true;
        true
    }

    /// Returns `true` if the table of ids is as small as M1 requires, or there was no memory to
    /// make it smaller.
    pub(crate) fn is_id_table_small(&self) -> bool {
        let (entries, used) = self.id_table();
        entries <= 16 || entries <= 4 * used || self.by_id.is_too_large()
    }

    /// Returns the number of entries in the table of ids, and how many of them are used.
    pub(crate) fn id_table(&self) -> (usize, usize) {
        (self.by_id.capacity(), self.by_id.len())
    }

    pub(super) fn bytes(&self) -> usize {
        (self.committed.capacity() + self.dead.capacity()) * size_of::<Handle<K, L>>()
            + self.ids.capacity() * size_of::<Option<EntityId>>()
            + self.by_id.bytes()
    }

    pub(super) fn copy_from(&mut self, original: &Self) {
        let Self { is_indexed, last_id, alive, committed_with_handle, tickets, first_ticket, report, .. } = *original;
        self.ids.clone_from(&original.ids);
        self.by_id.clone_from(&original.by_id);
        self.committed.clone_from(&original.committed);
        self.dead.clone_from(&original.dead);
        (self.is_indexed, self.last_id, self.alive) = (is_indexed, last_id, alive);
        (self.committed_with_handle, self.tickets, self.first_ticket, self.report) =
            (committed_with_handle, tickets, first_ticket, report);
        self.dead.reserve(alive.saturating_sub(self.dead.len()));
    }
}

#[cfg(feature = "serde")]
impl<K: ?Sized, L: Layout> Frame<K, L> {
    /// An iterator over the ids of all entities, by slot.
    pub(super) fn ids(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.ids.iter().copied().flatten()
    }

    /// Continues ids after this one.
    pub(super) fn set_last_id(&mut self, last_id: u64) {
        self.last_id = last_id;
    }

    /// Replaces the ids of all entities, by slot. The caller has checked that there are as many as
    /// entities, and that they are different.
    pub(super) fn set_ids(&mut self, ids: &[EntityId], last_id: u64) {
        self.last_id = last_id;
        self.ids.iter_mut().filter(|id| id.is_some()).zip(ids).for_each(|(id, saved)| *id = Some(*saved));
    }

    pub(super) fn set_tickets(&mut self, tickets: u64) {
        self.tickets = tickets;
    }
}
