//! Followers stay in step with the rows of a table when user code panics: at the n-th call, for
//! every n.

use std::collections::BTreeSet;

use tenure::table::{Following, OnMove};
use tenure::{Handle, Table};
use test_support::fuse::{at_every_step, burn};
use test_support::nested::{Key, Outer, sound_table};
use test_support::quiet::catch;

/// A table, and two lists with a value per row: one whose values panic when they are dropped, and
/// one of plain numbers.
struct Herd {
    rows: Table<Outer>,
    keys: Vec<Key>,
    numbers: Vec<u32>,
    moves: Vec<(usize, usize)>,
}

impl Herd {
    fn new() -> Self {
        let ids = 0..6;
        Self {
            rows: ids.clone().map(Outer::new).collect(),
            keys: ids.clone().map(Key).collect(),
            numbers: ids.collect(),
            moves: Vec::new(),
        }
    }

    /// Checks that every list has the values of the rows, in their order, and that the reported
    /// moves give the same order.
    fn check(&self, way: &Way) {
        let _ = sound_table(&self.rows);
        let ids: Vec<_> = self.rows.values().map(|row| row.id()).collect();
        assert_eq!(self.keys.iter().map(|key| key.0).collect::<Vec<_>>(), ids);
        assert_eq!(self.numbers, ids);
        if way.moves_once {
            let moved = ids.iter().enumerate().map(|(to, &from)| (from as usize, to)).filter(|(from, to)| from != to);
            assert_eq!(self.moves.iter().copied().collect::<BTreeSet<_>>(), moved.collect());
        }
    }
}

/// The handle of a row that has not moved.
fn nth(row: u32) -> Handle<Outer> {
    Handle::from_parts(row, 1).unwrap()
}

/// An operation that moves rows. It runs user code in the rows, in the keys and in closures.
struct Way {
    name: &'static str,
    /// Whether rows move at most once, so that the reported moves give the first position of each
    /// row.
    moves_once: bool,
    act: fn(Rows<'_, '_>),
}

type Rows<'a, 'f> = Following<'a, &'f mut dyn tenure::table::Follow, Outer>;

const fn way(name: &'static str, act: fn(Rows<'_, '_>)) -> Way {
    Way { name, moves_once: true, act }
}

/// All methods that report to a follower.
const WAYS: [Way; 19] = [
    way("remove", |mut rows| drop(rows.remove(nth(1)))),
    way("remove of the last row", |mut rows| drop(rows.remove(nth(5)))),
    way("discard", |mut rows| assert!(rows.discard(nth(1)))),
    way("discard of the last row", |mut rows| assert!(rows.discard(nth(5)))),
    way("drain", |rows| drop(rows.drain().next())),
    way("take", |mut rows| drop(rows.take(nth(1)))),
    way("remove_ordered", |mut rows| drop(rows.remove_ordered(nth(1)))),
    way("remove_many", |mut rows| {
        assert_eq!(rows.remove_many([nth(0), nth(4)].into_iter().inspect(|_| burn())), 2);
    }),
    way("retain", |mut rows| {
        rows.retain(|_, row| {
            burn();
            row.id() % 3 != 1
        });
    }),
    way("retain of no row", |mut rows| rows.retain(|_, _| false)),
    way("clear", |mut rows| rows.clear()),
    Way {
        name: "extract_if",
        moves_once: false,
        act: |rows| {
            let should_remove = |_, row: tenure::table::RowMut<'_, test_support::nested::Rows>| {
                burn();
                row.id() % 3 != 1
            };
            rows.extract_if(should_remove).for_each(drop);
        },
    },
    way("compact_by_key", |mut rows| rows.compact_by_key(|_, row| (row.id() != 2).then(|| Key(9 - row.id())))),
    way("sort_by", |mut rows| {
        rows.sort_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    way("sort_by_key", |mut rows| rows.sort_by_key(|row| Key(9 - row.id()))),
    way("sort_unstable_by", |mut rows| {
        rows.sort_unstable_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    way("sort_unstable_by_key", |mut rows| rows.sort_unstable_by_key(|row| Key(9 - row.id()))),
    way("sort_in_place_by", |mut rows| {
        rows.sort_in_place_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    way("apply_order and swap_rows", |mut rows| {
        // Neither runs user code.
        rows.apply_order(&[0, 1, 5, 3, 4, 2]).unwrap();
        rows.swap_rows(0, 1);
        burn();
    }),
];

#[test]
fn followers_stay_in_step_when_user_code_panics() {
    for way in &WAYS {
        // In either order of the two followers: if one panics, the other is still called.
        for panics_first in [false, true] {
            let act = |herd: &mut Herd| {
                let Herd { rows, keys, numbers, moves } = herd;
                let on_move = OnMove::new(|from, to| moves.push((from, to)));
                if panics_first {
                    (way.act)(rows.following(&mut (keys, (numbers, on_move))));
                } else {
                    (way.act)(rows.following(&mut (on_move, (numbers, keys))));
                }
            };
            let look =
                |herd: Herd, _| catch(|| herd.check(way)).unwrap_or_else(|error| panic!("{}: {error}", way.name));
            assert!(at_every_step(Herd::new, act, look) > 0, "{} runs no user code", way.name);
        }
    }
}
