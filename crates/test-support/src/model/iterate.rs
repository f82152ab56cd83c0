//! Walking over all values: by index, or by row, always.

use super::Model;
use super::judge::expect;
use crate::action::Walk;
use crate::answer::Answer;
use crate::path::{Path, consume};
use crate::tracked::changed;

impl Model {
    pub(super) fn judge_walk(&mut self, walk: Walk, path: Path, answer: &Answer) -> Result<(), String> {
        let (reached, _) = consume(self.live().into_iter(), path)?;
        let mut items = Vec::new();
        for (name, mut id) in reached {
            if walk.changes() {
                self.change(name);
                id = changed(id);
            }
            items.push((walk.has_names().then_some(name), walk.has_values().then_some(id)));
        }
        expect(answer, &Answer::Items(items))
    }
}
