//! Every history of a small alphabet, in layouts whose slots retire soon and whose pools are full soon.

use test_support::Op;
use test_support::action::{Ending, Rule};
use test_support::exhaustive::every_history;
use test_support::op::Pick;
use test_support::path::Path;
use test_support::pool::{FourTenants, PoolSubject, Tags, ThreeSlots, TwoTenants};

/// Births, deaths, undo, and all that changes generations.
const LIVES: &[Op] = &[
    Op::Insert,
    Op::Remove(Pick::Live(0)),
    Op::Remove(Pick::Issued(0)),
    Op::Take(Pick::Live(0)),
    Op::InsertAt(Pick::Issued(0)),
    Op::InsertAt(Pick::Generation(0, 1)),
    Op::Clear,
    Op::Shrink,
    Op::Recycle,
];

/// Reservations, copies and partial removals.
const STATES: &[Op] = &[
    Op::Insert,
    Op::ReserveHandle,
    Op::Fill(Pick::Issued(0)),
    Op::Remove(Pick::Issued(0)),
    Op::Retain(Rule { modulus: 2, residue: 0 }),
    Op::Drain(Path::Part { front: 1, back: 0 }, Ending::Forget),
    Op::InsertAt(Pick::Beyond(1, 0)),
    Op::Snapshot,
    Op::Rollback,
    Op::Shrink,
];

fn all<L: Tags>(alphabet: &[Op], depth: usize) {
    let histories = every_history::<PoolSubject<L>>(alphabet, depth).unwrap();
    let expected: usize = (1..=depth).map(|length| alphabet.len().pow(length.try_into().unwrap())).sum();
    assert_eq!(histories, expected as u64);
}

#[test]
fn all_lives_with_two_tenants_for_each_slot() {
    all::<TwoTenants>(LIVES, 5);
}

#[test]
fn all_lives_with_four_tenants_for_each_slot() {
    all::<FourTenants>(LIVES, 5);
}

#[test]
fn all_lives_with_three_slots() {
    all::<ThreeSlots>(LIVES, 5);
}

#[test]
fn all_states_with_two_tenants_for_each_slot() {
    all::<TwoTenants>(STATES, 5);
}

/// One slot, so that every history reaches its retirement.
#[test]
fn long_lives_of_one_slot() {
    const ONE_SLOT: &[Op] =
        &[Op::Insert, Op::Remove(Pick::Issued(0)), Op::InsertAt(Pick::Issued(0)), Op::Clear, Op::Shrink, Op::Recycle];
    all::<FourTenants>(ONE_SLOT, 7);
}
