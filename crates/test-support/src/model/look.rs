//! Looking values up, and mutating them.

use super::judge::{expect, expect_panic};
use super::{Model, State};
use crate::action::Look;
use crate::answer::{Answer, Clash, NoLoan};
use crate::name::Name;
use crate::tracked::changed;

impl Model {
    pub(super) fn judge_look(&mut self, look: &Look, answer: &Answer) -> Result<(), String> {
        let right = match look {
            Look::Probe(name) => Answer::Probed(self.id(*name), self.try_id(*name).map_err(|(_, why)| why)),
            Look::Index(name) => match self.try_id(*name) {
                Ok(id) => Answer::Value(Some(id)),
                Err((name, _)) => return expect_panic(answer, &name.to_string()),
            },
            Look::Change(name) => match self.change(*name) {
                Some(id) => Answer::Value(Some(id)),
                None => return expect_panic(answer, &name.to_string()),
            },
            Look::Disjoint(names) => Answer::Disjoint(self.disjoint(names)),
            Look::Loans(names) => Answer::Loans(self.loans(names)),
            Look::HandleAt(index) => {
                let here = self.live().into_iter().find(|(name, _)| name.index() == *index);
                Answer::Name(here.map(|(name, _)| name))
            }
            Look::HandleOf(name) => Answer::Name(self.id(*name).map(|_| *name)),
            Look::Print => Answer::Text(print(&self.live())),
        };
        expect(answer, &right)
    }

    fn try_id(&self, name: Name) -> Result<u32, (Name, crate::answer::Why)> {
        match self.why_not(name) {
            Some(why) => Err((name, why)),
            None => self.id(name).ok_or((name, crate::answer::Why::Unknown)),
        }
    }

    /// Mutates a live value and returns its new id.
    pub(super) fn change(&mut self, name: Name) -> Option<u32> {
        let id = changed(self.id(name)?);
        self.newest(name)?.state = State::Live(id);
        Some(id)
    }

    fn disjoint(&mut self, names: &[Name; 3]) -> Result<Vec<u32>, Clash> {
        let mut ids = Vec::new();
        for (position, &name) in names.iter().enumerate() {
            ids.push(self.try_id(name).map_err(|(_, why)| Clash::NotLive(position, why))?);
        }
        for second in 0..3 {
            if let Some(first) = (0..second).find(|&first| names[first] == names[second]) {
                return Err(Clash::Overlapping(first, second));
            }
        }
        ids.swap(0, 2);
        for (&name, &id) in names.iter().zip(&ids) {
            if let Some(slot) = self.newest(name) {
                slot.state = State::Live(id);
            }
        }
        Ok(ids)
    }

    fn loans(&mut self, names: &[Name; 3]) -> Vec<Result<u32, NoLoan>> {
        let mut lent = Vec::new();
        for (position, &name) in names.iter().enumerate() {
            let again = names[..position].contains(&name);
            lent.push(match self.try_id(name) {
                Err((_, why)) => Err(NoLoan::NotLive(why)),
                Ok(_) if again => Err(NoLoan::AlreadyLent),
                Ok(_) => self.change(name).ok_or(NoLoan::Unknown),
            });
        }
        lent
    }
}

fn print(live: &[(Name, u32)]) -> String {
    let entries: Vec<String> = live.iter().map(|(name, id)| format!("{name:?}: {id}")).collect();
    format!("{{{}}}", entries.join(", "))
}
