//! Every history over a small alphabet of operations, in layouts whose slots retire early and whose
//! pools fill up early.

use test_support::Op;
use test_support::action::{Ending, Key, Rule, Sort};
use test_support::effort;
use test_support::op::Pick;
use test_support::path::Path;
use test_support::rig::{
    BUDGET, DENSE_FOUR_TENANTS, DENSE_THREE_SLOTS, DENSE_TWO_TENANTS, FIXED_SMALL, FIXED_SMALL_TWO_TENANTS,
    FOUR_TENANTS, Rig, SIDE_THREE_SLOTS, SIDE_TWO_TENANTS, STABLE_FOUR_TENANTS, STABLE_THREE_SLOTS,
    STABLE_TWO_TENANTS, TABLE_TWO_TENANTS, THREE_SLOTS, TWO_TENANTS, WORLD_THREE_SLOTS, WORLD_TWO_TENANTS,
};

/// Insertions, removals, undo, and everything else that changes generations.
const GENERATIONS: &[Op] = &[
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

/// All operations that move rows.
const MOVES: &[Op] = &[
    Op::Insert,
    Op::Remove(Pick::Live(0)),
    Op::Take(Pick::Live(1)),
    Op::InsertAt(Pick::Issued(1)),
    Op::Sort(Sort::ByKey, Key { modulus: 2 }),
    Op::Shuffle(1),
    Op::SwapRows(0, 1),
    Op::RemoveOrdered(Pick::Live(0)),
    Op::RemoveMany([Pick::Live(0), Pick::Issued(0), Pick::Live(0)]),
    Op::Compact(Rule { modulus: 3, residue: 1 }, Key { modulus: 4 }),
    Op::Extract(Rule { modulus: 2, residue: 0 }, usize::MAX),
];

/// Copies of rows, and comparisons with their originals.
const COPIES: &[Op] = &[
    Op::Insert,
    Op::Remove(Pick::Live(0)),
    Op::SwapRows(0, 1),
    Op::Snapshot,
    Op::Checkpoint,
    Op::Rollback,
    Op::Compare,
];

fn all(rig: &Rig, alphabet: &[Op], depth: u32) {
    let depth = effort::depth(depth);
    let histories = rig.every_history(alphabet, depth as usize).unwrap();
    let expected: u64 = (1..=depth).map(|length| (alphabet.len() as u64).pow(length)).sum();
    assert_eq!(histories, expected);
}

#[test]
fn all_generations_with_two_tenants_per_slot() {
    all(&TWO_TENANTS, GENERATIONS, 6);
    all(&STABLE_TWO_TENANTS, GENERATIONS, 5);
    all(&FIXED_SMALL_TWO_TENANTS, GENERATIONS, 5);
    all(&DENSE_TWO_TENANTS, GENERATIONS, 5);
}

#[test]
fn all_generations_with_four_tenants_per_slot() {
    all(&FOUR_TENANTS, GENERATIONS, 5);
    all(&STABLE_FOUR_TENANTS, GENERATIONS, 5);
}

#[test]
fn all_generations_with_three_slots() {
    all(&THREE_SLOTS, GENERATIONS, 5);
    all(&STABLE_THREE_SLOTS, GENERATIONS, 5);
    all(&DENSE_THREE_SLOTS, GENERATIONS, 4);
}

#[test]
fn all_generations_with_room_for_a_few() {
    all(&FIXED_SMALL, GENERATIONS, 5);
    all(&BUDGET, GENERATIONS, 4);
}

#[test]
fn all_states_with_two_tenants_per_slot() {
    all(&TWO_TENANTS, STATES, 5);
    all(&STABLE_TWO_TENANTS, STATES, 5);
    all(&FIXED_SMALL_TWO_TENANTS, STATES, 4);
    all(&DENSE_TWO_TENANTS, STATES, 4);
}

#[test]
fn all_moves_of_rows() {
    all(&DENSE_FOUR_TENANTS, MOVES, 5);
    all(&TABLE_TWO_TENANTS, MOVES, 4);
}

#[test]
fn all_copies_of_rows() {
    all(&DENSE_FOUR_TENANTS, COPIES, 5);
    all(&TABLE_TWO_TENANTS, COPIES, 5);
}

/// The operations that worlds have, too.
const ENTITIES: &[Op] = &[
    Op::Insert,
    Op::Remove(Pick::Live(0)),
    Op::Remove(Pick::Issued(0)),
    Op::Clear,
    Op::Snapshot,
    Op::Checkpoint,
    Op::Rollback,
];

#[test]
fn all_histories_of_entities() {
    all(&WORLD_TWO_TENANTS, ENTITIES, 6);
    all(&WORLD_THREE_SLOTS, ENTITIES, 5);
}

#[test]
fn all_generations_and_states_next_to_a_pool() {
    all(&SIDE_TWO_TENANTS, GENERATIONS, 5);
    all(&SIDE_TWO_TENANTS, STATES, 4);
    all(&SIDE_THREE_SLOTS, GENERATIONS, 4);
}

/// Few ops, so that histories are long enough for every slot to retire.
#[test]
fn long_histories_of_one_slot() {
    const ONE_SLOT: &[Op] =
        &[Op::Insert, Op::Remove(Pick::Issued(0)), Op::InsertAt(Pick::Generation(0, 1)), Op::Shrink, Op::Recycle];
    all(&FOUR_TENANTS, ONE_SLOT, 8);
    all(&STABLE_FOUR_TENANTS, ONE_SLOT, 7);
}
