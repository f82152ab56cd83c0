//! Who is who in a world: ids, who is pending, who is dying, who died last.

use alloc::vec::Vec;

use super::ids::{EntityId, IdMap};
#[cfg(feature = "serde")]
use super::load::{FrameFlaw, SavedFrame};
use super::{FrameReport, Ticket};
use crate::handle::Handle;
use crate::layout::Layout;
#[cfg(feature = "serde")]
use crate::stable::Kept;

/// Of a slot that is named for death at the end of the frame.
const DYING: u8 = 1;
/// Of a slot that `clear_temporary` spares.
const PERMANENT: u8 = 2;
/// Of a slot whose tenant is alive, and was not born in the split that is open.
const OLD: u8 = 4;

/// The bits above those two: `OLD`, because a tenant's mark is odd, and the last ones of its
/// generation.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the last bits are meant")]
fn old_tenant<K: ?Sized, L: Layout>(handle: Handle<K, L>) -> u8 {
    (handle.mark() << 2) as u8
}

/// What the frame knows beside the values. Everything about a slot ends with its tenant: nothing is
/// inherited.
///
/// Ids are found through `by_id`, which nobody keeps up before somebody has asked for the first
/// time: most worlds give out ids and never look for one, and a hash table is what costs most of
/// all at a birth or a death.
///
/// Q1: `ids` and `marks` have an entry for every slot whose tenant is alive, and there is room in
/// `dying` and in `dead` for all who are alive. Q2: if `is_indexed`, `by_id` has the ids of all who
/// are alive, and no others; else it is empty. Q3: there is room for `ready` births more in slots
/// below `ready_slots`. Q4: the marks of whoever is alive have the last bits of its generation, and
/// `OLD`, but for those who are born in a split: these have it when the next split begins, or they
/// are committed. The marks of a slot that nobody has are 0: where there is `OLD`, there is a
/// value.
#[derive(Debug)]
pub(super) struct Register<K: ?Sized, L: Layout> {
    ids: Vec<Option<EntityId>>,
    marks: Vec<u8>,
    by_id: IdMap,
    is_indexed: bool,
    last_id: u64,
    /// How many have an id.
    alive: usize,
    ready: usize,
    ready_slots: usize,
    pub(super) pending: Vec<Handle<K, L>>,
    /// In the order in which they were named. The first `swept` are gone.
    dying: Vec<Handle<K, L>>,
    swept: usize,
    pub(super) born: Vec<Handle<K, L>>,
    /// How many of `born` had a handle before.
    pub(super) born_with_handle: usize,
    pub(super) dead: Vec<Handle<K, L>>,
    /// How many tickets there were, also of those who were dropped before a commit: no number comes
    /// twice.
    tickets: u64,
    /// The first of the last commit.
    pub(super) first_ticket: u64,
    pub(super) report: FrameReport,
}

impl<K: ?Sized, L: Layout> Register<K, L> {
    pub(super) const EMPTY: Self = Self {
        ids: Vec::new(),
        marks: Vec::new(),
        by_id: IdMap::EMPTY,
        is_indexed: false,
        last_id: 0,
        alive: 0,
        ready: 0,
        ready_slots: 0,
        pending: Vec::new(),
        dying: Vec::new(),
        swept: 0,
        born: Vec::new(),
        born_with_handle: 0,
        dead: Vec::new(),
        tickets: 0,
        first_ticket: 0,
        report: FrameReport::EMPTY,
    };

    /// The last id, and how many tickets there were.
    pub(super) fn given(&self) -> (u64, u64) {
        (self.last_id, self.tickets)
    }

    /// The same, where so much was given before.
    pub(super) fn after(self, last_id: u64, tickets: u64) -> Self {
        Self { last_id, tickets, ..self }
    }

    /// Room to note one birth more, in a pool with so many slots. `false` if there is no memory.
    #[inline]
    pub(super) fn expect_birth(&mut self, slots: usize) -> bool {
        (self.ready != 0 && slots < self.ready_slots) || self.expect_births(1, slots)
    }

    /// The same for so many births.
    #[cold]
    pub(super) fn expect_births(&mut self, births: usize, slots: usize) -> bool {
        let alive = self.alive + births;
        // A word of slots may be made at once.
        let slots = slots + births + 64;
        let is_room = self.ids.try_reserve(slots.saturating_sub(self.ids.len())).is_ok()
            && self.marks.try_reserve(slots.saturating_sub(self.marks.len())).is_ok()
            && self.pending.try_reserve(births).is_ok()
            && self.dying.try_reserve((alive + self.swept).saturating_sub(self.dying.len())).is_ok()
            && self.dead.try_reserve(alive.saturating_sub(self.dead.len())).is_ok();
        if is_room {
            self.count_ready();
        }
        is_room
    }

    /// For how many births there is room (Q3).
    fn count_ready(&mut self) {
        let most_alive = (self.dying.capacity() - self.swept).min(self.dead.capacity());
        self.ready = (self.pending.capacity() - self.pending.len()).min(most_alive.saturating_sub(self.alive));
        self.ready_slots = self.ids.capacity().min(self.marks.capacity()).saturating_sub(64);
    }

    /// An id for somebody who is new, and its marks.
    #[inline]
    fn enrol(&mut self, handle: Handle<K, L>, fresh: bool) {
        let slot = handle.index() as usize;
        if slot >= self.ids.len() {
            self.add_slots(slot + 1);
        }
        self.last_id += 1;
        self.alive += 1;
        self.ready = self.ready.saturating_sub(1);
        // Nothing of the slot is read: nobody waits for its memory.
        let id = EntityId::new(self.last_id);
        self.ids[slot] = id;
        self.marks[slot] = old_tenant(handle) & !if fresh { OLD } else { 0 };
        if let Some(id) = id.filter(|_| self.is_indexed) {
            self.index_one(id, handle.index());
        }
    }

    /// Entries for so many slots.
    #[cold]
    #[inline(never)]
    fn add_slots(&mut self, slots: usize) {
        self.ids.resize(slots, None);
        self.marks.resize(slots, 0);
    }

    pub(super) fn note_birth(&mut self, handle: Handle<K, L>, fresh: bool) {
        self.enrol(handle, fresh);
        self.pending.push(handle);
    }

    /// `false` if no value that a handle leads to was there before the split that is open. Most
    /// stale handles are known here, before a walk has to wait for the memory of a slot: what it
    /// does next depends on the answer.
    #[inline]
    pub(super) fn can_be_old(&self, handle: Handle<K, L>) -> bool {
        self.marks.get(handle.index() as usize).is_some_and(|marks| marks ^ old_tenant(handle) < OLD)
    }

    /// The slots of whoever is said to have been there before the split that is open.
    pub(super) fn old_slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots_with(OLD)
    }

    fn slots_with(&self, mark: u8) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.marks).filter(move |(_, marks)| **marks & mark != 0).map(|(slot, _)| slot)
    }

    fn has(&self, handle: Handle<K, L>, mark: u8) -> bool {
        self.marks.get(handle.index() as usize).is_some_and(|marks| marks & mark != 0)
    }

    /// Who was born in the split before is as all others (Q4).
    pub(super) fn end_split(&mut self) {
        for handle in &self.pending {
            self.marks[handle.index() as usize] |= OLD;
        }
    }

    pub(super) fn is_dying(&self, handle: Handle<K, L>) -> bool {
        self.has(handle, DYING)
    }

    pub(super) fn is_permanent(&self, handle: Handle<K, L>) -> bool {
        self.has(handle, PERMANENT)
    }

    pub(super) fn make_permanent(&mut self, handle: Handle<K, L>) {
        self.marks[handle.index() as usize] |= PERMANENT;
    }

    pub(super) fn condemn_unless_permanent(&mut self, handle: Handle<K, L>, permanent_too: bool) {
        if permanent_too || !self.is_permanent(handle) {
            self.condemn(handle);
        }
    }

    pub(super) fn next_ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets - 1)
    }

    /// Those who were pending are born; so many who were staged come next.
    pub(super) fn begin_commit(&mut self, staged: usize) {
        self.end_split();
        self.born.clear();
        core::mem::swap(&mut self.born, &mut self.pending);
        self.ready = 0;
        self.born_with_handle = self.born.len();
        self.report.born += self.born.len();
        self.first_ticket = self.tickets - staged as u64;
    }

    /// Somebody is born who had no handle before.
    pub(super) fn commit_one(&mut self, handle: Handle<K, L>) {
        self.enrol(handle, false);
        self.report.born += 1;
        self.born.push(handle);
    }

    /// Names somebody who is alive for death. `false` if that was done before.
    pub(super) fn condemn(&mut self, handle: Handle<K, L>) -> bool {
        let is_new = !self.is_dying(handle);
        if is_new {
            self.marks[handle.index() as usize] |= DYING;
            self.dying.push(handle);
        }
        is_new
    }

    /// Who is swept next, and those after it.
    pub(super) fn to_sweep(&self) -> &[Handle<K, L>] {
        &self.dying[self.swept..]
    }

    /// The next one to be swept, whose id and marks end here; also whether it was permanent. A
    /// panic in between loses nobody.
    pub(super) fn next_to_sweep(&mut self) -> Option<(Handle<K, L>, bool)> {
        let Some(&handle) = self.dying.get(self.swept) else {
            self.dying.clear();
            self.swept = 0;
            return None;
        };
        self.swept += 1;
        let slot = handle.index() as usize;
        if self.is_indexed {
            self.unindex_one(handle.index());
        }
        // Only written, as at a birth. Q1: there was an id.
        self.ids[slot] = None;
        self.alive -= 1;
        let permanent = self.is_permanent(handle);
        self.marks[slot] = 0;
        self.dead.push(handle);
        self.report.died += 1;
        Some((handle, permanent))
    }

    /// Those who are dead are not among the pending.
    pub(super) fn forget_dead_pending(&mut self, is_alive: impl Fn(Handle<K, L>) -> bool) {
        self.pending.retain(|&handle| is_alive(handle));
    }

    pub(super) fn id_of(&self, handle: Handle<K, L>) -> Option<EntityId> {
        self.ids.get(handle.index() as usize).copied().flatten()
    }

    /// The slot of an id. Without memory for the index, looks through all.
    pub(super) fn slot_of(&mut self, id: EntityId) -> Option<u32> {
        if !self.is_indexed && !self.try_index() {
            return (0..).zip(&self.ids).find(|(_, other)| **other == Some(id)).map(|(slot, _)| slot);
        }
        self.by_id.get(id, &self.ids)
    }

    /// Keeps Q2 at a birth. Without memory, it is given up until the next time that somebody asks.
    #[inline(never)]
    fn index_one(&mut self, id: EntityId, slot: u32) {
        self.is_indexed = self.by_id.insert(id, slot, &self.ids);
        if !self.is_indexed {
            self.by_id = IdMap::EMPTY;
        }
    }

    /// Keeps Q2 at a death.
    #[inline(never)]
    fn unindex_one(&mut self, slot: u32) {
        if let Some(id) = self.ids[slot as usize] {
            self.by_id.remove(id, slot, &self.ids);
        }
    }

    /// From now on ids are kept where they are found (Q2). `false` if there is no memory.
    #[cold]
    fn try_index(&mut self) -> bool {
        let Some(by_id) = IdMap::of(&self.ids, self.alive) else { return false };
        self.by_id = by_id;
        self.is_indexed = true;
        true
    }

    /// Whether the table of ids is as small as it should be, or could not get the memory for that.
    pub(super) fn ids_follow_the_living(&self) -> bool {
        let (entries, alive) = self.id_table();
        entries <= 16 || entries <= 4 * alive || self.by_id.is_too_large()
    }

    /// How many entries the table of ids has, and how many are alive.
    pub(super) fn id_table(&self) -> (usize, usize) {
        (self.by_id.capacity(), self.by_id.len())
    }
}

impl<K: ?Sized, L: Layout> Clone for Register<K, L> {
    fn clone(&self) -> Self {
        let mut copy = Self::EMPTY;
        copy.clone_from(self);
        copy
    }

    /// Reuses memory. Room that Q1 asks for is made where it is missing.
    fn clone_from(&mut self, original: &Self) {
        let Self { is_indexed, last_id, alive, swept, born_with_handle, tickets, first_ticket, report, .. } =
            *original;
        self.ids.clone_from(&original.ids);
        self.marks.clone_from(&original.marks);
        self.by_id.clone_from(&original.by_id);
        self.pending.clone_from(&original.pending);
        self.dying.clone_from(&original.dying);
        self.born.clone_from(&original.born);
        self.dead.clone_from(&original.dead);
        (self.is_indexed, self.last_id, self.alive, self.swept, self.ready) = (is_indexed, last_id, alive, swept, 0);
        (self.born_with_handle, self.tickets, self.first_ticket, self.report) =
            (born_with_handle, tickets, first_ticket, report);
        self.dying.reserve((alive + swept).saturating_sub(self.dying.len()));
        self.dead.reserve(alive.saturating_sub(self.dead.len()));
    }
}

#[cfg(feature = "serde")]
impl<K: ?Sized, L: Layout> Register<K, L> {
    /// What is to be saved, with the slots that are kept.
    pub(super) fn save(&self, kept: Kept) -> SavedFrame<K, L> {
        SavedFrame {
            ids: Some(self.ids.iter().copied().flatten().collect()),
            last_id: self.last_id,
            permanent: Vec::new(),
            pending: self.pending.clone(),
            kept,
            dying: self.to_sweep().to_vec(),
            born: self.born.clone(),
            born_with_handle: self.born_with_handle,
            dead: self.dead.clone(),
            tickets: self.tickets,
            first_ticket: self.first_ticket,
            report: self.report,
        }
    }

    /// The slots of those who are permanent.
    pub(super) fn permanent(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots_with(PERMANENT)
    }

    /// Ids for all who are alive, of which there are none yet: those that were saved, or new ones.
    pub(super) fn give_ids(
        &mut self,
        alive: impl Iterator<Item = Handle<K, L>>,
        ids: Option<&[EntityId]>,
        last_id: u64,
    ) -> Result<(), FrameFlaw<K, L>> {
        self.last_id = last_id;
        alive.for_each(|handle| self.enrol(handle, false));
        let Some(ids) = ids else { return Ok(()) };
        if ids.len() != self.alive {
            return Err(FrameFlaw::IdCount { ids: ids.len(), entities: self.alive });
        }
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FrameFlaw::IdTwice(pair[0]));
        }
        self.last_id = sorted.last().map_or(last_id, |highest| highest.get().max(last_id));
        self.ids.iter_mut().filter(|id| id.is_some()).zip(ids).for_each(|(id, saved)| *id = Some(*saved));
        Ok(())
    }

    /// The same, with what was saved of the frame and needs no check.
    pub(super) fn with_lists_of(self, frame: SavedFrame<K, L>) -> Self {
        Self {
            pending: frame.pending,
            born: frame.born,
            born_with_handle: frame.born_with_handle,
            dead: frame.dead,
            tickets: frame.tickets,
            first_ticket: frame.first_ticket,
            report: frame.report,
            ..self
        }
    }
}
