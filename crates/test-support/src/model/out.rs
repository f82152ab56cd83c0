//! Taking values out.

use tenure::Layout;

use super::judge::expect;
use super::{Model, State, Tenancy};
use crate::action::{Ending, Out, Rule};
use crate::answer::{Answer, Item};
use crate::path::{Path, consume};
use crate::subject::Name;

impl<L: Layout> Model<L> {
    pub(super) fn judge_out(&mut self, out: &Out<L>, answer: &Answer<L>) -> Result<(), String> {
        let right = match out {
            Out::Remove(name) => Answer::Value(self.remove(*name)),
            Out::Take(name) => Answer::Value(self.take(*name)),
            Out::Drain(path, ending) => self.drain(*path, *ending),
            Out::Extract(rule, limit) => {
                let condemned = self.live().into_iter().filter(|&(_, id)| rule.says(id)).take(*limit).collect();
                self.remove_all(condemned)
            }
            Out::Retain(rule) => {
                self.retain(*rule);
                Answer::Done(true)
            }
            Out::Clear => {
                self.clear();
                Answer::Done(true)
            }
        };
        expect(answer, &right)
    }

    fn remove(&mut self, name: Name<L>) -> Option<u32> {
        let slot = self.newest(name)?;
        let state = slot.state;
        if matches!(state, State::Live(_) | State::Pending) {
            slot.let_go::<L>();
        }
        state.id()
    }

    fn take(&mut self, name: Name<L>) -> Option<u32> {
        let slot = self.newest(name)?;
        let id = slot.state.id()?;
        slot.state = State::Pending;
        Some(id)
    }

    fn drain(&mut self, path: Path, ending: Ending) -> Answer<L> {
        let live: Vec<(Name<L>, u32)> = self.live().into_iter().collect();
        match consume(live.into_iter(), path) {
            Ok((taken, rest)) => {
                // `fold` uses the drain up, so there is nothing left to forget.
                let forgotten = ending == Ending::Forget && rest.is_some();
                let answer = self.remove_all(taken);
                if !forgotten {
                    self.clear();
                }
                answer
            }
            Err(wrong) => Answer::Wrong(wrong),
        }
    }

    fn remove_all(&mut self, condemned: Vec<(Name<L>, u32)>) -> Answer<L> {
        let items: Vec<Item<L>> = condemned.iter().map(|&(name, id)| (Some(name), Some(id))).collect();
        for (name, _) in condemned {
            self.remove(name);
        }
        Answer::Items(items)
    }

    fn retain(&mut self, rule: Rule) {
        for (name, id) in self.live() {
            if !rule.says(id) {
                self.remove(name);
            }
        }
    }

    fn clear(&mut self) {
        for slot in &mut self.slots {
            if matches!(slot.state, State::Live(_) | State::Pending) {
                slot.let_go::<L>();
            }
        }
    }
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
    /// The tenant is gone. If it was the last one that the layout can tell apart, so is the slot.
    fn let_go<L: Layout>(&mut self) {
        self.state = if self.newest == L::MAX_TENANTS { State::Retired } else { State::Free };
    }
}
