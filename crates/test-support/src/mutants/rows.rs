//! Rows with a planted bug.

use super::{BUG, Bug};
use crate::action::{Action, Out, Put, Rows, Rule, Sort};
use crate::answer::{Answer, Census, Sight};
use crate::dense::DenseSubject;
use crate::name::Name;
use crate::pool::FourTenants;
use crate::rig::Rig;
use crate::subject::{Adapter, Listing, Supports};
use crate::surface::id_of;
use crate::{Tracked, fuse, quiet};

/// Like [`MUTANT`](super::MUTANT), with values in rows.
pub static ROW_MUTANT: Rig = Rig::of::<RowMutant>("a mutant with rows");

/// A dense pool with the [`Bug`] that was set when it was made.
#[derive(Debug)]
pub struct RowMutant {
    inner: DenseSubject<FourTenants>,
    bug: Bug,
}

type Pool = tenure::DensePool<Tracked, tenure::Handle<Tracked, FourTenants>>;

impl RowMutant {
    fn pool(&mut self) -> &mut Pool {
        &mut self.inner.0
    }

    /// The answer of a mutant that does the wrong thing.
    fn instead(&mut self, action: &Action) -> Option<Answer> {
        match (self.bug, action) {
            (Bug::RemovalShifts, Action::Out(Out::Remove(name))) => {
                Some(Answer::Value(self.pool().remove_ordered(name.handle()).as_ref().map(id_of)))
            }
            (Bug::OrderedRemovalSwaps, Action::Rows(Rows::RemoveOrdered(name))) => {
                Some(Answer::Value(self.pool().remove(name.handle()).as_ref().map(id_of)))
            }
            (Bug::RetainSwaps, Action::Out(Out::Retain(rule))) => {
                self.pool().extract_if(|_, value| !rule.says(value.id())).for_each(drop);
                Some(Answer::Done(true))
            }
            (Bug::RetainIsHasty, Action::Out(Out::Retain(rule))) => {
                self.retain_at_once(*rule);
                Some(Answer::Done(true))
            }
            (Bug::ReplacedGoesLast, Action::Put(Put::InsertAt(name, id))) if self.inner.0.contains(name.handle()) => {
                let old = self.pool().take(name.handle());
                let filled = self.pool().fill(name.handle(), Tracked::new(*id)).is_ok();
                filled.then(|| Answer::Placed(old.as_ref().map(id_of)))
            }
            _ => None,
        }
    }

    /// Calls the closure and removes in one pass, in order.
    fn retain_at_once(&mut self, rule: Rule) {
        for name in self.inner.0.handles().collect::<Vec<_>>() {
            fuse::burn();
            if !rule.says(self.inner.0[name].id()) {
                self.pool().remove_ordered(name);
            }
        }
    }

    /// The bugs after a sort, and after an order that was rejected.
    fn disturb(&mut self, action: &Action, answer: &Answer) {
        let len = self.inner.0.len();
        match (self.bug, action, answer) {
            (Bug::SortForgetsNames, Action::Rows(Rows::Sort(..)), _) if len > 1 => {
                self.pool().columns_mut().swap(0, len - 1);
            }
            (Bug::EqualRowsChangePlaces, Action::Rows(Rows::Sort(how, key)), _) if how.is_stable() => {
                let key = *key;
                self.pool().sort_by_key(|row| (key.of(row.id(), Sort::By), std::cmp::Reverse(row.id())));
            }
            (Bug::RefusedOrderMoves, Action::Rows(Rows::ApplyOrder(_)), Answer::Ordered(Err(_))) if len > 1 => {
                self.pool().swap_rows(0, len - 1);
            }
            _ => {}
        }
    }

    /// The bugs in the reported moves.
    fn misreport(&self, answer: Answer) -> Answer {
        let Answer::Moved(answer, mut moves) = answer else { return answer };
        match self.bug {
            Bug::MoveFromNextRow => moves.iter_mut().for_each(|(from, _)| *from += 1),
            Bug::MoveToNextRow => moves.iter_mut().take(1).for_each(|(_, to)| *to += 1),
            Bug::MoveIsMissing => _ = moves.pop(),
            Bug::MoveOfWhoStays => moves.push((0, 0)),
            _ => {}
        }
        Answer::Moved(answer, moves)
    }
}

impl Adapter for RowMutant {
    type Layout = FourTenants;
    const SUPPORTS: Supports = Supports::ROWS;

    fn new() -> Self {
        Self { inner: DenseSubject::new(), bug: BUG.get() }
    }

    fn apply(&mut self, action: &Action) -> Answer {
        let answer = self.instead(action).unwrap_or_else(|| self.inner.apply(action));
        self.disturb(action, &answer);
        self.misreport(answer)
    }

    fn see(&self, name: Name) -> Sight {
        self.inner.see(name)
    }

    fn listing(&self) -> Listing {
        self.inner.listing()
    }

    fn census(&self) -> Census {
        self.inner.census()
    }

    fn validate(&mut self) -> Result<(), String> {
        self.inner.validate()
    }

    fn duplicate(&self) -> Option<Self> {
        let mut inner = self.inner.duplicate()?;
        if self.bug == Bug::CloneReorders {
            inner.0.as_mut_slice().reverse();
        }
        Some(Self { inner, ..*self })
    }

    fn overwrite(&mut self, original: &Self) -> bool {
        let done = quiet::catch(|| self.inner.overwrite(&original.inner));
        if self.bug == Bug::HalfACloneStays && done.is_err() {
            self.pool().insert(Tracked::new(0));
        }
        done.unwrap_or_else(|_| std::panic::resume_unwind(Box::new(fuse::Blown)))
    }

    fn equals(&self, other: &Self) -> Option<bool> {
        if self.bug == Bug::EqualInAnyOrder {
            let sorted = |subject: &Self| {
                let mut listing = subject.listing();
                listing.sort_unstable();
                listing
            };
            return Some(sorted(self) == sorted(other));
        }
        self.inner.equals(&other.inner)
    }
}
