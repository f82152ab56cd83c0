//! Iterating over all values: by index, or by row.

use super::Model;
use super::judge::expect;
use crate::action::Iterate;
use crate::answer::Answer;
use crate::path::{Path, consume};
use crate::tracked::changed;

impl Model {
    pub(super) fn judge_iterate(&mut self, which: Iterate, path: Path, answer: &Answer) -> Result<(), String> {
        let (reached, _) = consume(self.live().into_iter(), path)?;
        let mut items = Vec::new();
        for (name, mut id) in reached {
            if which.changes() {
                self.change(name);
                id = changed(id);
            }
            items.push((which.has_names().then_some(name), which.has_values().then_some(id)));
        }
        expect(answer, &Answer::Items(items))
    }
}
