//! Removing values.

use super::judge::expect;
use super::{Model, State, Tenancy};
use crate::action::{Ending, Out};
use crate::answer::{Answer, Item};
use crate::name::Name;
use crate::path::{Path, consume};
use crate::subject::Listing;

impl Model {
    pub(super) fn judge_out(&mut self, out: &Out, answer: &Answer) -> Result<(), String> {
        let right = match out {
            Out::Remove(name) => Answer::Value(self.remove(*name)),
            Out::Take(name) => Answer::Value(self.take(*name)),
            Out::Drain(path, ending) => self.drain(*path, *ending),
            Out::Extract(rule, limit) => {
                let (removed, _) = extract(self.live(), self.supports.rows, *limit, |id| rule.says(id));
                self.remove_all(removed)
            }
            Out::Retain(rule) => {
                self.remove_in_order(|_, id| !rule.says(id));
                Answer::Done(true)
            }
            Out::Clear => {
                self.clear();
                Answer::Done(true)
            }
        };
        expect(answer, &right)
    }

    fn remove(&mut self, name: Name) -> Option<u32> {
        self.leave(name);
        self.release(name)
    }

    fn leave(&mut self, name: Name) {
        if let Some(order) = &mut self.order {
            order.leave(name);
        }
    }

    /// Ends the tenancy of the handle, without changing the rows.
    pub(super) fn release(&mut self, name: Name) -> Option<u32> {
        let last = self.shape.max_tenants;
        let slot = self.newest(name)?;
        let state = slot.state;
        if matches!(state, State::Live(_) | State::Pending) {
            slot.let_go(last);
        }
        state.id()
    }

    fn take(&mut self, name: Name) -> Option<u32> {
        let slot = self.newest(name)?;
        let id = slot.state.id()?;
        slot.state = State::Pending;
        self.leave(name);
        Some(id)
    }

    fn drain(&mut self, path: Path, ending: Ending) -> Answer {
        let path = if self.supports.one_way { path.forward() } else { path };
        match consume(self.live().into_iter(), path) {
            Ok((taken, rest)) => {
                // `fold` consumes the drain, so nothing is left to forget. And rows are removed
                // when a drain begins.
                let forgotten = ending == Ending::Forget && rest.is_some() && !self.supports.rows;
                let answer = self.remove_all(taken);
                if !forgotten {
                    self.clear();
                }
                // A follower is truncated before the first row is yielded.
                self.order.iter_mut().for_each(|order| order.moves.clear());
                answer
            }
            Err(wrong) => Answer::Wrong(wrong),
        }
    }

    fn remove_all(&mut self, removed: Vec<(Name, u32)>) -> Answer {
        let items: Vec<Item> = removed.iter().map(|&(name, id)| (Some(name), Some(id))).collect();
        for (name, _) in removed {
            self.remove(name);
        }
        Answer::Items(items)
    }

    pub(super) fn release_pending(&mut self) -> usize {
        let last = self.shape.max_tenants;
        let pending = self.slots.iter_mut().filter(|slot| slot.state == State::Pending);
        pending.map(|slot| slot.let_go(last)).count()
    }

    fn clear(&mut self) {
        self.order.iter_mut().for_each(|order| order.names.clear());
        for slot in &mut self.slots {
            if matches!(slot.state, State::Live(_) | State::Pending) {
                slot.let_go(self.shape.max_tenants);
            }
        }
    }
}

/// The values that `extract_if` removes, and those that it leaves: in rows, the last one fills the
/// gap and is visited next.
pub(crate) fn extract(
    mut left: Listing,
    by_row: bool,
    limit: usize,
    mut should_remove: impl FnMut(u32) -> bool,
) -> (Listing, Listing) {
    let (mut taken, mut next) = (Vec::new(), 0);
    while next < left.len() && taken.len() < limit {
        if !should_remove(left[next].1) {
            next += 1;
        } else if by_row {
            taken.push(left.swap_remove(next));
        } else {
            taken.push(left.remove(next));
        }
    }
    (taken, left)
}

impl State {
    const fn id(self) -> Option<u32> {
        match self {
            Self::Live(id) => Some(id),
            _ => None,
        }
    }
}

impl Tenancy {
    /// Ends the tenancy. If it was the last generation of the slot, the slot is retired.
    fn let_go(&mut self, last: u32) {
        self.state = if self.newest == last { State::Retired } else { State::Free };
    }
}
