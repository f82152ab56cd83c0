//! Reordering rows, with and without a follower.

use std::cmp::Ordering;

use tenure::{Handle, Layout};

use crate::answer::Answer;
use crate::tracked::Tracked;
use crate::{alloc, fuse};

/// Runs an action of [`Rows`](crate::action::Rows) on a table, or on a table with a follower.
macro_rules! rearrange {
    ($rows:expr, $action:expr) => {{
        use $crate::action::{Rows, Sort};
        use $crate::answer::Answer;
        use $crate::surface::{Rank, id_of};

        match $action {
            Rows::Sort(how, key) => {
                let rank = |id| Rank::new(key.of(id, *how));
                match how {
                    Sort::By => $rows.sort_by(|a, b| rank(id_of(&a)).cmp(&rank(id_of(&b)))),
                    Sort::ByKey => $rows.sort_by_key(|row| rank(id_of(&row))),
                    Sort::UnstableBy => $rows.sort_unstable_by(|a, b| rank(id_of(&a)).cmp(&rank(id_of(&b)))),
                    Sort::UnstableByKey => $rows.sort_unstable_by_key(|row| rank(id_of(&row))),
                    Sort::InPlaceBy => $rows.sort_in_place_by(|a, b| rank(id_of(&a)).cmp(&rank(id_of(&b)))),
                }
                Answer::Done(true)
            }
            Rows::ApplyOrder(order) => Answer::Ordered($rows.apply_order(order).map_err(Into::into)),
            Rows::Swap(a, b) => {
                $rows.swap_rows(*a, *b);
                Answer::Done(true)
            }
            Rows::RemoveOrdered(name) => Answer::Value($rows.remove_ordered(name.handle()).as_ref().map(id_of)),
            Rows::RemoveMany(names) => {
                let burning = names.iter().map(|name| {
                    $crate::fuse::burn();
                    name.handle()
                });
                Answer::Count($rows.remove_many(burning))
            }
            Rows::Compact(rule, key) => {
                $rows.compact_by_key(|_, row| {
                    let id = id_of(&row);
                    let rank = Rank::new(key.of(id, Sort::By));
                    rule.says(id).then_some(rank)
                });
                Answer::Done(true)
            }
        }
    }};
}
pub(crate) use rearrange;

/// Evaluates to `true` if a table and its `RowIndex` find the same row for a handle, and the row
/// has that handle.
macro_rules! rows_agree {
    ($table:expr, $name:expr) => {{
        let handle = $name.handle();
        let (is_live, row) = ($table.contains(handle), $table.row_of(handle));
        let (index, _columns) = $table.split_columns_mut();
        index.row_of(handle) == row
            && [index.contains(handle), row.is_some()] == [is_live; 2]
            && row.is_none_or(|row| index.handle_of_row(row) == Some(handle) && index.raw_handles()[row] == handle)
    }};
}
pub(crate) use rows_agree;

/// Runs an action on the rows of a table in one of three ways: without a follower, with side data
/// by row, or with a closure that is called for each move. The way depends on the handles, so that
/// it varies along a history but not between runs.
///
/// The followers are trait objects, so that there is one type of them.
macro_rules! listened {
    ($table:expr, $does:ident, $action:expr) => {{
        use tenure::table::{Follow, OnMove};
        use $crate::answer::Answer;
        use $crate::surface::{side_data, $does};

        let table = $table;
        let way = side_data::way(table.raw_handles());
        if way == 0 {
            $does!(table, $action)
        } else {
            let mut side = side_data::new(table.raw_handles());
            let mut moves = Vec::new();
            let answer = {
                let mut by_row = (&mut side.0, &mut side.1);
                let mut on_move = OnMove::new(|from, to| $crate::path::keep(&mut moves, (from, to)));
                let follower: &mut dyn Follow = if way == 1 { &mut by_row } else { &mut on_move };
                $does!(table.following(follower), $action)
            };
            match way {
                1 => side_data::check(&side, table.raw_handles(), answer),
                _ => $crate::alloc::pause(|| Answer::Moved(Box::new(answer), moves)),
            }
        }
    }};
}
pub(crate) use listened;

/// A key whose construction and comparisons burn the fuse.
#[derive(Debug)]
pub(crate) struct Rank((u32, u32));

impl Rank {
    pub(crate) fn new(key: (u32, u32)) -> Self {
        fuse::burn();
        Self(key)
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        fuse::burn();
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank {}

/// Side data by row: the handle of every row, and its text.
pub(crate) mod side_data {
    use super::{Answer, Handle, Layout, Tracked, alloc};

    type Names<L> = [Handle<Tracked, L>];

    /// Two columns of side data, so that a pair of followers is tested, too.
    pub(crate) type SideData<L> = (Vec<Handle<Tracked, L>>, Vec<String>);

    pub(crate) fn way<L: Layout>(rows: &Names<L>) -> u32 {
        let mix =
            |hash: u32, name: &Handle<Tracked, L>| hash.wrapping_mul(31) ^ (name.index() << 3) ^ name.generation();
        rows.iter().fold(7, mix).wrapping_mul(0x9E37_79B1) % 3
    }

    pub(crate) fn new<L: Layout>(rows: &Names<L>) -> SideData<L> {
        alloc::pause(|| (rows.to_vec(), rows.iter().map(ToString::to_string).collect()))
    }

    /// Checks that the side data has followed the rows.
    pub(crate) fn check<L: Layout>(side: &SideData<L>, rows: &Names<L>, answer: Answer) -> Answer {
        let right = alloc::pause(|| new(rows) == *side);
        if right { answer } else { Answer::Wrong(format!("{side:?} is the side data of the rows {rows:?}")) }
    }
}
