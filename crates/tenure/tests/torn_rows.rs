//! No panic in user code tears a row apart: with rows nested two deep, and skipped fields at every
//! level, the n-th call of user code panics, for every n.

use std::collections::BTreeMap;

use tenure::table::{Columns, Kept};
use tenure::{Handle, Order, Table};
use test_support::fuse::{at_every_step, burn};
use test_support::ledger;
use test_support::nested::{Key, Outer, Rows, VALUES, sound_rows, sound_table};
use test_support::quiet::catch;

type Herd = Table<Outer>;
type Name = Handle<Outer>;

/// Seven rows by handle. The handle of row 5 is pending, and that of row 6 is dead.
fn herd() -> (Herd, Vec<Name>) {
    let mut rows: Herd = (0..7).map(Outer::new).collect();
    let handles = rows.handles().collect::<Vec<_>>();
    let _ = rows.take(handles[5]);
    rows.remove(handles[6]);
    (rows, handles)
}

/// Exhausts an iterator, even if it panics, and panics at the end if it has.
fn exhaust<I>(mut rows: I, mut next: impl FnMut(&mut I) -> Option<(Name, Outer)>, handles: &[Name]) {
    let mut blown = false;
    loop {
        match catch(|| next(&mut rows)) {
            Ok(Some((handle, row))) => {
                assert_eq!(handles[row.id() as usize], handle);
                blown |= catch(|| drop(row)).is_err();
            }
            Ok(None) => break,
            Err(_) => blown = true,
        }
    }
    blown |= catch(|| drop(rows)).is_err();
    assert!(!blown, "something panicked");
}

type Way = (&'static str, fn(&mut Herd, &[Name]));

/// Every method that mutates a table and runs user code.
const WAYS: &[Way] = &[
    ("insert", |rows, _| _ = rows.insert(Outer::new(7))),
    ("try_insert", |rows, _| _ = rows.try_insert(Outer::new(7)).is_ok()),
    ("insert where there is no room", |rows, _| {
        rows.shrink_to_fit();
        rows.insert(Outer::new(7));
    }),
    ("insert_with", |rows, _| {
        rows.insert_with(|_| {
            burn();
            Outer::new(7)
        });
    }),
    ("try_insert_with", |rows, _| _ = rows.try_insert_with(|_| Outer::new(7)).is_ok()),
    ("extend", |rows, _| rows.extend((7..10).inspect(|_| burn()).map(Outer::new))),
    ("insert_many", |rows, _| assert_eq!(rows.insert_many((7..10).map(Outer::new)).by_ref().take(2).count(), 2)),
    ("fill", |rows, handles| rows.fill(handles[5], Outer::new(5)).unwrap()),
    ("fill of a live row", |rows, handles| drop(rows.fill(handles[1], Outer::new(5)).unwrap_err())),
    ("insert_at of a dead row", |rows, handles| {
        assert!(rows.insert_at(handles[6], Outer::new(6)).unwrap().is_none());
    }),
    ("insert_at of a pending row", |rows, handles| {
        assert!(rows.insert_at(handles[5], Outer::new(5)).unwrap().is_none());
    }),
    ("insert_at of a live row", |rows, handles| {
        assert_eq!(rows.insert_at(handles[1], Outer::new(101)).unwrap().unwrap().id(), 1);
    }),
    ("insert_at of the last row", |rows, handles| {
        assert_eq!(rows.insert_at(handles[4], Outer::new(104)).unwrap().unwrap().id(), 4);
    }),
    ("remove", |rows, handles| assert_eq!(rows.remove(handles[1]).unwrap().id(), 1)),
    ("remove of the last row", |rows, handles| assert_eq!(rows.remove(handles[4]).unwrap().id(), 4)),
    ("take", |rows, handles| assert_eq!(rows.take(handles[1]).unwrap().id(), 1)),
    ("take and fill", |rows, handles| {
        let row = rows.take(handles[1]).unwrap();
        rows.fill(handles[1], row).unwrap();
    }),
    ("remove_ordered", |rows, handles| assert_eq!(rows.remove_ordered(handles[1]).unwrap().id(), 1)),
    ("remove_many", |rows, handles| {
        assert_eq!(rows.remove_many(handles[1..].iter().step_by(2).copied().inspect(|_| burn())), 2);
    }),
    ("retain", |rows, _| {
        rows.retain(|_, row| {
            burn();
            row.id() % 2 == 0
        });
    }),
    ("extract_if", |rows, handles| {
        let mut extracted = rows.extract_if(|_, row| {
            burn();
            row.id() != 2
        });
        exhaust(&mut extracted, Iterator::next, handles);
    }),
    ("compact_by_key", |rows, _| rows.compact_by_key(|_, row| (row.id() != 2).then(|| Key(9 - row.id())))),
    ("sort_by", |rows, _| {
        rows.sort_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    ("sort_by_key", |rows, _| rows.sort_by_key(|row| Key(9 - row.id()))),
    ("sort_unstable_by", |rows, _| {
        rows.sort_unstable_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    ("sort_unstable_by_key", |rows, _| rows.sort_unstable_by_key(|row| Key(9 - row.id()))),
    ("sort_in_place_by", |rows, _| {
        rows.sort_in_place_by(|a, b| {
            burn();
            b.id().cmp(&a.id())
        });
    }),
    ("drain", |rows, handles| exhaust(rows.drain(), Iterator::next, handles)),
    ("drain of two rows", |rows, _| drop(rows.drain().nth(1))),
    ("clear", |rows, _| rows.clear()),
    ("clone_from of more rows", |rows, _| {
        let original: Herd = (0..9).map(Outer::new).collect();
        rows.clone_from(&original);
    }),
    ("clone_from of fewer rows", |rows, _| {
        let original: Herd = (0..2).map(Outer::new).collect();
        rows.clone_from(&original);
    }),
    ("clone", |rows, _| assert_eq!(sound_count(&rows.clone()), 5)),
    ("eq", |rows, _| {
        let copy = rows.clone();
        assert!(*rows == copy);
    }),
    ("collect", |rows, _| *rows = (20..23).map(Outer::new).collect()),
    ("drop", |rows, _| drop(std::mem::take(rows))),
];

/// The number of rows of a table next to another one.
fn sound_count(rows: &Herd) -> usize {
    rows.iter().filter(|(_, row)| row.id() < 7).count()
}

/// After a panic every handle resolves to the row it resolved to before, to the row it would
/// resolve to without the panic, or to nothing.
#[test]
fn tables_have_whole_rows_after_a_panic() {
    for (name, way) in WAYS {
        let before = sound_after(&|_, _| {});
        let after = sound_after(way);
        let look = |(rows, _): (Herd, _), blown: bool| {
            let found = catch(|| sound_table(&rows)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(blown || found == after, "{name}");
            for (handle, id) in found {
                let is_known = |known: &BTreeMap<_, _>| known.get(&handle) == Some(&id);
                assert!(is_known(&before) || is_known(&after), "{name}: {handle} resolves to row {id}");
            }
        };
        let blown = at_every_step(herd, |(rows, handles)| way(rows, handles), look);
        assert!(blown > 0, "{name} runs no user code");
    }
}

/// The rows of a table after `act`, without a panic.
fn sound_after(act: &dyn Fn(&mut Herd, &[Name])) -> BTreeMap<Name, u32> {
    ledger::reset();
    let (mut rows, handles) = herd();
    act(&mut rows, &handles);
    sound_table(&rows)
}

/// After a panic a table can be used as before.
#[test]
fn tables_can_be_used_after_a_panic() {
    for (name, way) in WAYS {
        let look = |(mut rows, _): (Herd, _), _| {
            let before = rows.len();
            let new: Vec<_> = (50..60).map(|id| rows.insert(Outer::new(id))).collect();
            let found = sound_table(&rows);
            assert_eq!(found.len(), before + new.len(), "{name}");
            assert!(new.iter().zip(50..).all(|(handle, id)| found[handle] == id), "{name}");
        };
        at_every_step(herd, |(rows, handles)| way(rows, handles), look);
    }
}

type Step = (&'static str, fn(&mut <Herd as IntoIterator>::IntoIter) -> Option<(Name, Outer)>);

/// Rows that are left after a panic are complete, and have their own handles.
#[test]
fn iterators_have_whole_rows_after_a_panic() {
    let steps: [Step; 4] = [
        ("next", |rows| rows.next()),
        ("next_back", |rows| rows.next_back()),
        ("nth", |rows| rows.nth(1)),
        ("nth_back", |rows| rows.nth_back(1)),
    ];
    for (name, step) in steps {
        let make = || {
            let (rows, handles) = herd();
            (rows.into_iter(), handles)
        };
        let look = |(rows, handles): (<Herd as IntoIterator>::IntoIter, Vec<Name>), _| {
            assert!(rows.len() < 6);
            rows.for_each(|(handle, row)| assert_eq!(handles[row.id() as usize], handle, "{name}"));
        };
        assert!(at_every_step(make, |(rows, _)| drop(step(rows)), look) > 0, "{name}");
    }
    let values = || herd().0.into_values();
    let look = |rows: <Rows as Columns>::IntoIter, _| rows.for_each(|row| _ = row.id());
    assert!(at_every_step(values, |rows| drop(rows.nth(2)), look) > 0);
    assert!(at_every_step(values, |rows| rows.by_ref().rev().for_each(drop), look) > 0);
}

/// An operation on the rows 0 to 3, and the ids of the rows after it.
type Change = (&'static str, fn(&mut Rows), &'static [u32]);

/// The methods of [`Columns`], without a table.
#[test]
fn columns_have_whole_rows_after_a_panic() {
    let before: &[u32] = &[0, 1, 2, 3];
    let changes: &[Change] = &[
        ("push", |rows| rows.push(Outer::new(4)), &[0, 1, 2, 3, 4]),
        ("pop", |rows| assert_eq!(rows.pop().unwrap().id(), 3), &[0, 1, 2]),
        ("swap_remove", |rows| assert_eq!(rows.swap_remove(1).unwrap().id(), 1), &[0, 3, 2]),
        ("truncate", |rows| rows.truncate(1), &[0]),
        (
            "pack",
            |rows| {
                rows.pack(&Kept::new(&[false, true, true, false]));
                rows.truncate(2);
            },
            &[1, 2],
        ),
        (
            "gather and pop",
            |rows| {
                rows.gather(&Order::new(vec![3, 1, 0, 2]).unwrap());
                rows.swap(0, 1);
                drop(rows.pop());
            },
            &[1, 3, 0],
        ),
        ("clone_from", |rows| rows.clone_from(&columns([5, 6, 7, 8, 9])), &[5, 6, 7, 8, 9]),
        ("clone", |rows| *rows = rows.clone(), &[0, 1, 2, 3]),
    ];
    for (name, change, after) in changes {
        let look = |rows: Rows, blown: bool| {
            let found = catch(|| sound_rows(&rows)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found == *after || blown && (found == before || found.is_empty()), "{name}: {found:?}");
            ledger::expect(found.len() * VALUES).unwrap();
        };
        assert!(at_every_step(|| columns([0, 1, 2, 3]), change, look) > 0, "{name}");
    }
}

fn columns(ids: impl IntoIterator<Item = u32>) -> Rows {
    let mut rows = Rows::EMPTY;
    for id in ids {
        rows.try_reserve(1).unwrap();
        rows.push(Outer::new(id));
    }
    rows
}
