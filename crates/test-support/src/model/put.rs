//! Inserting values.

use tenure::Rejection;

use super::judge::{After, expect, expect_panic};
use super::{FAR, Model, State, Tenancy};
use crate::action::{Many, Put};
use crate::answer::{Answer, Why};
use crate::name::Name;

impl Model {
    pub(super) fn judge_put(&mut self, put: &Put, answer: &Answer, after: &After) -> Result<(), String> {
        match put {
            Put::Insert(_) | Put::InsertWith(_) | Put::ReserveHandle if self.room_left() == 0 => {
                expect_panic(answer, "full")
            }
            Put::TryInsert(id) if self.room_left() == 0 => expect(answer, &Answer::Full(*id)),
            Put::Insert(id) | Put::InsertWith(id) | Put::TryInsert(id) => {
                self.issue(issued(answer)?, State::Live(*id))
            }
            Put::ReserveHandle => self.issue(issued(answer)?, State::Pending),
            Put::Many(ids, how) => self.judge_many(ids, *how, answer, after),
            Put::Extend(ids) => self.judge_extend(ids, answer, after),
            Put::Fill(name, id) => {
                let right = self.fill(*name, *id);
                expect(answer, &right)
            }
            Put::InsertAt(name, id) => {
                let right = self.insert_at(*name, *id);
                expect(answer, &right)
            }
        }
    }

    /// A handle that the container chose: a free slot with its next generation, or a new slot if
    /// none is free. Never one that was live before.
    fn issue(&mut self, name: Name, state: State) -> Result<(), String> {
        let slot = self.tenancy(name.index());
        let free = slot.state == State::Free && slot.newest + 1 == name.generation();
        let exists = (name.index() as usize) < self.slots.len();
        let is_next = name.index() as usize == self.slots.len() && self.free_count() == 0;
        if name.is_nil() || name.tag() != self.tag || !free || !(exists || is_next) {
            return Err(format!("issued {name}, whose slot is {slot:?} (of {})", self.slots.len()));
        }
        if !self.ever.insert(name) {
            return Err(format!("issued {name} for the second time"));
        }
        self.set_state(name, state);
        Ok(())
    }

    fn set_state(&mut self, name: Name, state: State) {
        let index = name.index() as usize;
        while self.slots.len() <= index {
            self.slots.push(Tenancy { newest: self.floor, state: State::Free });
        }
        self.slots[index] = Tenancy { newest: name.generation(), state };
        self.ever.insert(name);
        if let (State::Live(_), Some(order)) = (state, &mut self.order) {
            order.enter(name);
        }
    }

    fn judge_many(&mut self, ids: &[u32], how: Many, answer: &Answer, after: &After) -> Result<(), String> {
        let fit = ids.len().min(self.room_left());
        let seen = match how {
            Many::Collect => fit,
            Many::DropAfter(count) | Many::FinishAfter(count) => count.min(fit),
        };
        // Values that do not fit are dropped, except by `finish`.
        let back = if matches!(how, Many::FinishAfter(_)) { &ids[fit..] } else { &[] };
        let inserted = self.adopt(&ids[..fit], after)?;
        let right = Answer::Many { names: inserted[..seen].to_vec(), back: back.to_vec() };
        expect(answer, &right)
    }

    fn judge_extend(&mut self, ids: &[u32], answer: &Answer, after: &After) -> Result<(), String> {
        let fit = ids.len().min(self.room_left());
        self.adopt(&ids[..fit], after)?;
        if fit < ids.len() {
            return expect_panic(answer, "full");
        }
        expect(answer, &Answer::Many { names: Vec::new(), back: Vec::new() })
    }

    /// Values whose handles are only known from iterating. Returns the handles in the order of the
    /// ids.
    fn adopt(&mut self, ids: &[u32], after: &After) -> Result<Vec<Name>, String> {
        let mut names = Vec::new();
        for id in ids {
            match after.inserted.iter().find(|(_, new)| new == id) {
                Some(&(name, _)) => names.push(name),
                None => return Err(format!("{id} was not inserted")),
            }
        }
        if after.inserted.len() != ids.len() {
            return Err(format!("{} were inserted, expected {}", after.inserted.len(), ids.len()));
        }
        for (&name, &id) in names.iter().zip(ids) {
            self.issue(name, State::Live(id))?;
        }
        Ok(names)
    }

    fn fill(&mut self, name: Name, id: u32) -> Answer {
        let rejection = match self.why_not(name) {
            Some(Why::Pending { .. }) => {
                self.set_state(name, State::Live(id));
                return Answer::Placed(None);
            }
            None => Rejection::Occupied,
            Some(Why::Nil) => Rejection::Nil,
            Some(Why::Foreign { .. }) => Rejection::Foreign,
            Some(Why::NeverIssued { .. }) => Rejection::NeverIssued,
            Some(_) => Rejection::Stale,
        };
        Answer::Rejected(rejection, id)
    }

    fn insert_at(&mut self, name: Name, id: u32) -> Answer {
        match self.may_insert_at(name) {
            Ok(old) => {
                self.set_state(name, State::Live(id));
                Answer::Placed(old)
            }
            Err(rejection) => Answer::Rejected(rejection, id),
        }
    }

    fn may_insert_at(&self, name: Name) -> Result<Option<u32>, Rejection> {
        if name.is_nil() {
            return Err(Rejection::Nil);
        }
        if name.tag() != self.tag {
            return Err(Rejection::Foreign);
        }
        let slot = self.tenancy(name.index());
        let wanted = name.generation();
        match slot.state {
            _ if wanted < slot.newest => Err(Rejection::Stale),
            State::Live(old) if wanted == slot.newest => Ok(Some(old)),
            State::Pending | State::Retired if wanted == slot.newest => Ok(None),
            State::Free if !self.is_within_reach(name.index()) => Err(Rejection::OutOfReach),
            State::Free if name.index() as usize >= self.limit => Err(Rejection::Full),
            State::Free => Ok(None),
            _ => Err(Rejection::Occupied),
        }
    }

    fn is_within_reach(&self, index: u32) -> bool {
        u64::from(index) < self.slots.len() as u64 + FAR || index < self.reach
    }
}

fn issued(answer: &Answer) -> Result<Name, String> {
    match answer {
        Answer::Issued(name) => Ok(*name),
        other => Err(format!("answered {other:?}, expected a new handle")),
    }
}
