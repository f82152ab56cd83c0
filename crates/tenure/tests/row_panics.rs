//! Every value is dropped once, and a panic in user code leaves columns of equal length.

use tenure::Row;
use tenure::table::Columns;
use test_support::fuse::{Tinder, at_every_step};
use test_support::{Tracked, ledger};

#[derive(Clone, Row)]
struct Pair {
    left: Tracked,
    #[row(nested)]
    inner: Inner,
    right: Tracked,
}

#[derive(Clone, Row)]
struct Inner {
    first: Tracked,
    second: Tracked,
}

type Pairs = <Pair as Row>::Columns;

/// The number of tracked values in a row.
const VALUES: usize = 4;

fn pair(id: u32) -> Pair {
    let inner = Inner { first: Tracked::new(id), second: Tracked::new(id) };
    Pair { left: Tracked::new(id), inner, right: Tracked::new(id) }
}

fn pairs(count: u32) -> Pairs {
    let mut pairs = Pairs::EMPTY;
    for id in 0..count {
        pairs.push(pair(id));
    }
    pairs
}

/// Checks that all columns have the same length, that the values of every row belong together, and
/// that no other value exists.
fn check(pairs: &Pairs, others: usize) {
    let PairColumns { left, inner, right } = pairs.slices();
    let lengths = [left.len(), inner.first.len(), inner.second.len(), right.len()];
    assert_eq!(lengths, [pairs.len(); VALUES]);
    for row in pairs.iter() {
        assert_eq!([row.inner.first.id(), row.inner.second.id(), row.right.id()], [row.left.id(); 3]);
    }
    ledger::expect(pairs.len() * VALUES + others).unwrap();
}

#[test]
fn every_value_is_dropped_once() {
    ledger::reset();
    let mut pairs = pairs(8);
    check(&pairs, 0);
    pairs.truncate(6);
    check(&pairs, 0);
    let popped = pairs.pop();
    check(&pairs, VALUES);
    let removed = pairs.swap_remove(0);
    check(&pairs, 2 * VALUES);
    drop((popped, removed));
    let mut rows = pairs.into_iter();
    drop((rows.next(), rows.nth(1), rows.next_back()));
    ledger::expect(0).unwrap();
}

#[test]
fn rows_left_in_an_iterator_are_dropped() {
    ledger::reset();
    let mut rows = pairs(5).into_iter();
    let row = rows.next_back();
    drop(rows);
    ledger::expect(VALUES).unwrap();
    drop(row);
    ledger::expect(0).unwrap();
}

#[test]
fn a_panicking_drop_does_not_keep_other_columns_from_being_truncated() {
    let look = |pairs: Pairs, _| {
        assert_eq!(pairs.len(), 2);
        check(&pairs, 0);
    };
    assert_eq!(at_every_step(|| pairs(5), |pairs| pairs.truncate(2), look), 3 * VALUES);
}

#[test]
fn a_panicking_drop_while_rows_are_skipped_leaves_the_others_whole() {
    let look = |rows: <Pairs as Columns>::IntoIter, _| {
        for Pair { left, inner, right } in rows {
            assert_eq!([inner.first.id(), inner.second.id(), right.id()], [left.id(); 3]);
        }
    };
    let skip = |rows: &mut <Pairs as Columns>::IntoIter| drop(rows.nth(2));
    assert_eq!(at_every_step(|| pairs(5).into_iter(), skip, look), 3 * VALUES);
}

#[test]
fn a_panicking_clone_leaks_nothing() {
    let clone = |(original, copy): &mut (Pairs, Option<Pairs>)| *copy = Some(original.clone());
    let look = |(original, copy): (Pairs, Option<Pairs>), blown| {
        assert_eq!(copy.is_none(), blown);
        let others = copy.as_ref().map_or(0, |copy| copy.len() * VALUES);
        check(&original, others);
    };
    assert_eq!(at_every_step(|| (pairs(3), None), clone, look), 3 * VALUES);
}

#[test]
fn a_panicking_clone_from_leaves_columns_of_equal_length() {
    let look = |(original, copy): (Pairs, Pairs), blown: bool| {
        assert_eq!(copy.len(), if blown { 0 } else { original.len() });
        check(&copy, original.len() * VALUES);
    };
    for (before, after) in [(0, 3), (2, 5), (4, 2), (3, 3)] {
        let make = || (pairs(after), pairs(before));
        let blown = at_every_step(make, |(original, copy)| copy.clone_from(original), look);
        // One clone for every value of the original, and a drop for every surplus value of the
        // copy.
        assert_eq!(blown, before.max(after) as usize * VALUES);
    }
}

#[derive(Row)]
struct Fragile {
    value: Tracked,
    #[row(skip)]
    skipped: Tinder,
    other: Tracked,
}

type Fragiles = <Fragile as Row>::Columns;

fn fragile(id: u32) -> Fragile {
    Fragile { value: Tracked::new(id), skipped: Tinder, other: Tracked::new(id) }
}

/// Runs `act` on two rows. Whether or not the skipped field panics, `left` rows are left, and no
/// value leaks.
fn expect_left(left: usize, act: fn(&mut Fragiles)) {
    let make = || {
        let mut rows = Fragiles::EMPTY;
        rows.push(fragile(1));
        rows.push(fragile(2));
        rows
    };
    let look = |rows: Fragiles, _| {
        let FragileColumns { value, other } = rows.slices();
        assert_eq!((value, value.len()), (other, left));
        ledger::expect(2 * left).unwrap();
    };
    assert!(at_every_step(make, act, look) > 0);
}

#[test]
fn a_panicking_skipped_field_leaves_columns_of_equal_length() {
    expect_left(3, |rows| rows.push(fragile(3)));
    expect_left(1, |rows| drop(rows.pop()));
    expect_left(1, |rows| drop(rows.swap_remove(0)));
}
