//! The order of iteration where it is by row: which row is last, which one fills a gap, and which
//! ones move.

use super::Model;
use super::judge::{expect, expect_panic};
use crate::action::{Action, Ending, Key, Out, Rows, Rule, Sort};
use crate::answer::{Answer, Disorder, Move};
use crate::name::Name;
use crate::path::consume;

/// The handle of every row.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) names: Vec<Name>,
    /// The rows that the last action moved.
    pub(super) moves: Vec<Move>,
}

impl Order {
    pub(super) const fn new() -> Self {
        Self { names: Vec::new(), moves: Vec::new() }
    }

    /// Appends a new row. A row that exists keeps its position.
    pub(super) fn enter(&mut self, name: Name) {
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    /// Moves the last row into the gap.
    pub(super) fn leave(&mut self, name: Name) {
        if let Some(row) = self.names.iter().position(|other| *other == name) {
            self.names.swap_remove(row);
            let last = self.names.len();
            if row < last {
                self.moves.push((last, row));
            }
        }
    }

    /// Keeps these rows, in this order.
    fn arrange(&mut self, names: Vec<Name>) {
        let from = |name| self.names.iter().position(|other| other == name);
        let moves = names.iter().zip(0..).filter_map(|(name, to)| Some((from(name)?, to)));
        self.moves = moves.filter(|(from, to)| from != to).collect();
        self.names = names;
    }
}

impl Model {
    pub(super) fn judge_rows(&mut self, rows: &Rows, answer: &Answer) -> Result<(), String> {
        let right = match rows {
            Rows::Sort(how, key) => {
                self.sort(*how, *key);
                Answer::Done(true)
            }
            Rows::ApplyOrder(order) => Answer::Ordered(self.apply_order(order)),
            Rows::Swap(a, b) if *a.max(b) >= self.len() => return expect_panic(answer, "index out of bounds"),
            Rows::Swap(a, b) => {
                self.swap(*a, *b);
                Answer::Done(true)
            }
            Rows::RemoveOrdered(name) => {
                let id = self.id(*name);
                self.remove_in_order(|other, _| other == *name);
                // A handle without a row may be pending.
                self.release(*name);
                Answer::Value(id)
            }
            Rows::RemoveMany(names) => {
                let before = self.len();
                self.remove_in_order(|name, _| names.contains(&name));
                let count = before - self.len();
                names.iter().for_each(|&name| _ = self.release(name));
                Answer::Count(count)
            }
            Rows::Compact(rule, key) => {
                self.compact(*rule, *key);
                Answer::Done(true)
            }
        };
        expect(answer, &right)
    }

    /// The remaining rows keep their order.
    pub(super) fn remove_in_order(&mut self, should_remove: impl Fn(Name, u32) -> bool) {
        let (dead, left): (Vec<_>, Vec<_>) = self.live().into_iter().partition(|&(name, id)| should_remove(name, id));
        for (name, _) in dead {
            self.release(name);
        }
        self.arrange(left);
    }

    fn arrange(&mut self, rows: Vec<(Name, u32)>) {
        if let Some(order) = &mut self.order {
            order.arrange(rows.into_iter().map(|(name, _)| name).collect());
        }
    }

    fn sort(&mut self, how: Sort, key: Key) {
        let mut rows = self.live();
        rows.sort_by_key(|&(_, id)| key.of(id, how));
        self.arrange(rows);
    }

    fn compact(&mut self, rule: Rule, key: Key) {
        // The old positions must be recorded before rows are removed.
        let (mut left, dead): (Vec<_>, Vec<_>) = self.live().into_iter().partition(|&(_, id)| rule.says(id));
        left.sort_by_key(|&(_, id)| key.of(id, Sort::By));
        for (name, _) in dead {
            self.release(name);
        }
        self.arrange(left);
    }

    fn swap(&mut self, a: usize, b: usize) {
        if let Some(order) = &mut self.order {
            order.names.swap(a, b);
            if a != b {
                order.moves = vec![(a, b), (b, a)];
            }
        }
    }

    fn apply_order(&mut self, order: &[u32]) -> Result<(), Disorder> {
        let rows = self.live();
        if order.len() != rows.len() {
            return Err(Disorder::Length(order.len(), rows.len()));
        }
        let is_wrong = |&at: &usize| order[at] as usize >= rows.len() || order[..at].contains(&order[at]);
        if let Some(position) = (0..order.len()).find(is_wrong) {
            return Err(Disorder::Number(position));
        }
        self.arrange(order.iter().map(|&row| rows[row as usize]).collect());
        Ok(())
    }

    /// The number of values that an action leaks: those in a forgotten drain of a container with
    /// rows.
    pub(crate) fn leaks(&self, action: &Action) -> usize {
        match action {
            Action::Out(Out::Drain(path, Ending::Forget)) if self.supports.rows => {
                let rest = consume(self.live().into_iter(), path.forward()).ok().and_then(|(_, rest)| rest);
                rest.map_or(0, |rest| rest.len())
            }
            _ => 0,
        }
    }
}
