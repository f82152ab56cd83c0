//! From abstract operations to concrete actions: handles are picked among all that were ever
//! issued, or forged.

use crate::action::{Action, Look, Make, Out, Put, Room, Rows};
use crate::forge;
use crate::name::{Name, Shape};
use crate::op::{Misorder, Op, Pick};

/// The data that handles are picked from.
#[derive(Clone, Debug)]
pub struct Known {
    shape: Shape,
    /// Every handle ever issued, in the order of their first issue.
    pub issued: Vec<Name>,
    /// The live ones, in the order of iteration.
    pub live: Vec<Name>,
    /// How many slots there are.
    pub slots: u32,
    next_id: u32,
}

impl Known {
    /// For a container that has issued no handle yet.
    #[must_use]
    pub const fn new(shape: Shape) -> Self {
        Self { shape, issued: Vec::new(), live: Vec::new(), slots: 0, next_id: 0 }
    }

    /// `NIL`.
    #[must_use]
    pub const fn nil(&self) -> Name {
        self.shape.nil()
    }

    /// Records handles that were issued.
    pub fn learn(&mut self, names: impl IntoIterator<Item = Name>) {
        for name in names {
            if !self.issued.contains(&name) {
                self.issued.push(name);
            }
        }
    }

    /// An id that no value had before.
    pub fn new_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    fn new_ids(&mut self, count: u8) -> Vec<u32> {
        (0..count).map(|_| self.new_id()).collect()
    }

    /// The handle that is picked.
    #[must_use]
    pub fn pick(&self, pick: Pick) -> Name {
        match pick {
            Pick::Issued(nth) => self.issued(nth),
            Pick::Live(nth) => wrap(&self.live, usize::from(nth)).unwrap_or_else(|| self.issued(nth)),
            Pick::Generation(nth, away) => forge::moved(&self.shape, self.issued(nth), 0, away),
            Pick::Index(nth, away) => forge::moved(&self.shape, self.issued(nth), away, 0),
            Pick::Beyond(more, generation) => {
                let tag = self.issued(0).tag();
                self.shape.name(self.slots.saturating_add(more.into()), u32::from(generation) + 1, tag)
            }
            Pick::Tag(nth, tag) => {
                let name = self.issued(nth);
                self.shape.name(name.index(), name.generation(), u32::from(tag))
            }
            Pick::Bits(bits) => self.shape.from_bits(bits),
            Pick::Nil => self.nil(),
        }
    }

    fn issued(&self, nth: u8) -> Name {
        let newest_first =
            self.issued.len().wrapping_sub(1).wrapping_sub(usize::from(nth) % self.issued.len().max(1));
        self.issued.get(newest_first).copied().unwrap_or(self.nil())
    }

    /// An order of the rows, generated from a seed.
    fn order(&self, seed: u8) -> Vec<u32> {
        let mut rows: Vec<(u64, u32)> = forge::noise(seed.into()).zip(0..).take(self.live.len()).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn no_order(&self, how: Misorder, seed: u8) -> Vec<u32> {
        let mut rows = self.order(seed);
        let len = rows.len();
        match how {
            Misorder::Short if len > 0 => _ = rows.pop(),
            Misorder::Twice if len > 1 => rows[len - 1] = rows[usize::from(seed) % (len - 1)],
            Misorder::High if len > 0 => rows[len - 1] = u32::from(seed).saturating_add(self.slots),
            _ => rows.push(self.slots),
        }
        rows
    }

    /// The action of an operation in the current state. `None` for operations on more than one
    /// container.
    pub fn resolve(&mut self, op: Op) -> Option<Action> {
        Some(match op {
            Op::Insert => Action::Put(Put::Insert(self.new_id())),
            Op::InsertWith => Action::Put(Put::InsertWith(self.new_id())),
            Op::TryInsert => Action::Put(Put::TryInsert(self.new_id())),
            Op::InsertMany(count, how) => Action::Put(Put::Many(self.new_ids(count), how)),
            Op::Extend(count) => Action::Put(Put::Extend(self.new_ids(count))),
            Op::ReserveHandle => Action::Put(Put::ReserveHandle),
            Op::Fill(pick) => Action::Put(Put::Fill(self.pick(pick), self.new_id())),
            Op::InsertAt(pick) => Action::Put(Put::InsertAt(self.pick(pick), self.new_id())),
            Op::Remove(pick) => Action::Out(Out::Remove(self.pick(pick))),
            Op::Take(pick) => Action::Out(Out::Take(self.pick(pick))),
            Op::Drain(path, ending) => Action::Out(Out::Drain(path, ending)),
            Op::Extract(rule, limit) => Action::Out(Out::Extract(rule, limit)),
            Op::Retain(rule) => Action::Out(Out::Retain(rule)),
            Op::Clear => Action::Out(Out::Clear),
            Op::Probe(pick) => Action::Look(Look::Probe(self.pick(pick))),
            Op::Index(pick) => Action::Look(Look::Index(self.pick(pick))),
            Op::Change(pick) => Action::Look(Look::Change(self.pick(pick))),
            Op::Disjoint(picks) => Action::Look(Look::Disjoint(picks.map(|pick| self.pick(pick)))),
            Op::Loans(picks) => Action::Look(Look::Loans(picks.map(|pick| self.pick(pick)))),
            Op::HandleAt(index) => Action::Look(Look::HandleAt(index)),
            Op::HandleOf(pick) => Action::Look(Look::HandleOf(self.pick(pick))),
            Op::Print => Action::Look(Look::Print),
            Op::Iterate(which, path) => Action::Iterate(which, path),
            Op::Reserve(count) => Action::Room(Room::Reserve(count)),
            Op::TryReserve(count) => Action::Room(Room::TryReserve(count)),
            Op::ReserveExact(count) => Action::Room(Room::ReserveExact(count)),
            Op::Shrink => Action::Room(Room::Shrink),
            Op::ShrinkTo(capacity) => Action::Room(Room::ShrinkTo(capacity)),
            Op::Recycle => Action::Room(Room::Recycle),
            Op::ReleasePending => Action::Room(Room::ReleasePending),
            Op::ReserveSlots(count) => Action::Room(Room::ReserveSlots(count)),
            Op::WarmUp => Action::Room(Room::WarmUp),
            Op::Map => Action::Make(Make::Map),
            Op::Collect(count) => Action::Make(Make::Collect(self.new_ids(count))),
            Op::Sort(how, key) => Action::Rows(Rows::Sort(how, key)),
            Op::Shuffle(seed) => Action::Rows(Rows::ApplyOrder(self.order(seed))),
            Op::Misorder(how, seed) => Action::Rows(Rows::ApplyOrder(self.no_order(how, seed))),
            Op::SwapRows(a, b) => {
                let [a, b] = [a, b].map(|row| usize::from(row) % (self.live.len() + 1));
                Action::Rows(Rows::Swap(a, b))
            }
            Op::RemoveOrdered(pick) => Action::Rows(Rows::RemoveOrdered(self.pick(pick))),
            Op::RemoveMany(picks) => Action::Rows(Rows::RemoveMany(picks.map(|pick| self.pick(pick)))),
            Op::Compact(rule, key) => Action::Rows(Rows::Compact(rule, key)),
            Op::Snapshot | Op::Checkpoint | Op::Rollback | Op::Swap | Op::Compare | Op::Fork => return None,
        })
    }
}

fn wrap<T: Copy>(items: &[T], nth: usize) -> Option<T> {
    items.get(nth % items.len().max(1)).copied()
}
