//! P2: every bit pattern is safe as a handle, for every method that takes one, and allocates
//! nothing.

use test_support::action::Many;
use test_support::alloc::Watched;
use test_support::op::{Op, Pick};
use test_support::{ALL, Rig};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Live, pending, free and retired slots, and room for more.
const MIXED: &[Op] = &[
    Op::InsertMany(3, Many::Collect),
    Op::Remove(Pick::Live(1)),
    Op::TryInsert,
    Op::Remove(Pick::Live(1)),
    Op::TryInsert,
    Op::Take(Pick::Live(0)),
    Op::TryInsert,
    Op::Remove(Pick::Live(0)),
];

const SHRUNK: &[Op] = &[Op::InsertMany(5, Many::Collect), Op::Clear, Op::Shrink];

const FULL: &[Op] = &[Op::TryInsert, Op::TryInsert, Op::TryInsert];

fn check(rig: &Rig, setup: &[Op]) {
    let names = rig.every_forgery(setup).unwrap_or_else(|error| panic!("{}: {error}", rig.name));
    assert!(names > 300);
}

#[test]
fn in_an_empty_pool() {
    ALL.iter().for_each(|rig| check(rig, &[]));
}

#[test]
fn among_slots_in_every_state() {
    ALL.iter().for_each(|rig| check(rig, MIXED));
}

#[test]
fn after_slots_were_truncated() {
    ALL.iter().for_each(|rig| check(rig, SHRUNK));
}

#[test]
fn in_a_full_pool() {
    ALL.iter().for_each(|rig| check(rig, FULL));
}
