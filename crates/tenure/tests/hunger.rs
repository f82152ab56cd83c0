//! P5, and the rule that removing never aborts: the n-th request for memory is refused, for every
//! n.

use tenure::Pool;
use test_support::action::{Ending, Many, Rule};
use test_support::alloc::{self, Watched};
use test_support::op::{Op, Pick};
use test_support::path::Path;
use test_support::rig::{
    BUDGET, DENSE, DENSE_THREE_SLOTS, FIXED, FIXED_SMALL, FIXED_SMALL_TWO_TENANTS, FIXED_TAGGED, FIXED_TWO_TENANTS,
    SIDE_THREE_SLOTS, STABLE_THREE_SLOTS, STABLE_TWO_TENANTS, TABLE, TABLE_THREE_SLOTS, THREE_SLOTS, TWO_TENANTS,
    WORLD_THREE_SLOTS,
};
use test_support::{ALL, Rig};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Containers that some setup fills.
static FULL_SOON: [&Rig; 12] = [
    &THREE_SLOTS,
    &STABLE_THREE_SLOTS,
    &DENSE_THREE_SLOTS,
    &TABLE_THREE_SLOTS,
    &FIXED,
    &FIXED_TWO_TENANTS,
    &FIXED_TAGGED,
    &FIXED_SMALL,
    &FIXED_SMALL_TWO_TENANTS,
    &BUDGET,
    &WORLD_THREE_SLOTS,
    &SIDE_THREE_SLOTS,
];

const EMPTY: &[Op] = &[];

/// Full to its capacity, so that the next insertion asks for memory.
const PACKED: &[Op] = &[Op::ReserveExact(8), Op::Extend(8)];

/// Many words of slots.
const WORDS: &[Op] = &[
    Op::InsertAt(Pick::Beyond(200, 0)),
    Op::InsertMany(8, Many::Collect),
    Op::ReserveHandle,
    Op::InsertAt(Pick::Beyond(100, 1)),
    Op::Insert,
    Op::Remove(Pick::Live(3)),
];

/// Slots were released at the end, so that the free list has been truncated, too.
const SHRUNK: &[Op] = &[Op::Extend(8), Op::Remove(Pick::Live(7)), Op::Remove(Pick::Live(6)), Op::Shrink, Op::Shrink];

/// Words without a live slot between others, and at the end, so that a stable pool has released
/// chunks.
const GIVEN_BACK: &[Op] =
    &[Op::Extend(64), Op::Extend(64), Op::Extend(64), Op::Retain(Rule { modulus: 191, residue: 1 }), Op::Shrink];

/// The number of refused requests, over all containers and setups.
fn everywhere(op: Op) -> u64 {
    ALL.iter().map(|rig| in_one(rig, op)).sum()
}

/// Like [`everywhere`], for operations that panic in a full container: the message of that panic
/// would need memory.
fn where_there_is_room(op: Op) -> u64 {
    ALL.iter().filter(|rig| !FULL_SOON.iter().any(|full| full.name == rig.name)).map(|rig| in_one(rig, op)).sum()
}

/// Like [`everywhere`], in containers whose values are not in rows.
fn in_slots(op: Op) -> u64 {
    ALL.iter().filter(|rig| !rig.supports.rows).map(|rig| in_one(rig, op)).sum()
}

fn in_one(rig: &Rig, op: Op) -> u64 {
    let refused = |setup: &[Op]| {
        // Odd ids are inserted by other methods than even ones, and `Collect` uses up an id.
        let other = matches!(op, Op::InsertWith | Op::TryInsert).then(|| [setup, &[Op::Collect(1)]].concat());
        let refuse =
            |setup: &[Op]| rig.every_refusal(setup, op).unwrap_or_else(|error| panic!("{}: {error}", rig.name));
        refuse(setup) + other.map_or(0, |setup| refuse(&setup))
    };
    [EMPTY, PACKED, WORDS, SHRUNK, GIVEN_BACK].map(refused).iter().sum()
}

#[test]
fn failed_insertions_return_the_value() {
    assert!(everywhere(Op::TryInsert) > 0);
    assert!(everywhere(Op::InsertAt(Pick::Beyond(0, 0))) > 0);
    assert!(everywhere(Op::InsertAt(Pick::Beyond(300, 0))) > 0);
    assert_eq!(in_slots(Op::Fill(Pick::Issued(0))), 0);
    // A pending handle has a slot, but no row.
    let setup = [PACKED, &[Op::ReserveHandle]].concat();
    for rig in [&DENSE, &TABLE] {
        assert!(rig.every_refusal(&setup, Op::Fill(Pick::Issued(0))).unwrap() > 0, "{}", rig.name);
    }
}

#[test]
fn insertions_that_panic_change_nothing() {
    assert!(where_there_is_room(Op::Insert) > 0);
    assert!(where_there_is_room(Op::InsertWith) > 0);
    assert!(where_there_is_room(Op::ReserveHandle) > 0);
}

#[test]
fn reservations_fail_or_succeed() {
    assert!(everywhere(Op::TryReserve(500)) > 0);
    assert!(everywhere(Op::TryReserve(501)) > 0);
    assert_eq!(everywhere(Op::WarmUp), 0);
    assert!(where_there_is_room(Op::Reserve(500)) > 0);
    assert!(where_there_is_room(Op::ReserveExact(500)) > 0);
}

#[test]
fn removals_do_not_allocate() {
    let removals = [
        Op::Remove(Pick::Live(0)),
        Op::Remove(Pick::Issued(0)),
        Op::Take(Pick::Live(0)),
        Op::Clear,
        Op::Extract(Rule::ALL, usize::MAX),
        Op::Drain(Path::Forward, Ending::Drop),
        Op::Drain(Path::Backward, Ending::Forget),
    ];
    for op in removals {
        for rig in ALL {
            // These may request memory, and go on without it.
            let asked = in_one(rig, op);
            assert!(asked == 0 || rig.supports.removal_asks, "{}: {op:?}, {asked} requests", rig.name);
        }
    }
    // In rows these allocate, and abort if there is no memory.
    assert_eq!(in_slots(Op::Retain(Rule { modulus: 2, residue: 0 })), 0);
    for rig in ALL.iter().filter(|rig| rig.supports.rows) {
        assert_eq!(rig.every_refusal(&[Op::Extend(2)], Op::SwapRows(0, 1)), Ok(0), "{}", rig.name);
    }
    // Also where a value replaces another.
    assert_eq!(everywhere(Op::InsertAt(Pick::Live(0))), 0);
}

#[test]
fn recycling_does_not_allocate() {
    const RETIRED: &[Op] = &[
        Op::Extend(4),
        Op::Clear,
        Op::Extend(4),
        Op::Remove(Pick::Live(0)),
        Op::Remove(Pick::Live(0)),
        Op::Remove(Pick::Live(0)),
    ];
    for rig in [&TWO_TENANTS, &STABLE_TWO_TENANTS] {
        assert_eq!(rig.every_refusal(RETIRED, Op::Recycle), Ok(0), "{}", rig.name);
    }
}

/// Without any memory from the first removal on: every slot is found again.
#[test]
fn all_slots_are_removed_and_refilled_without_memory() {
    let mut pool: Pool<u32> = (0..1_000).collect();
    pool.shrink_to_fit();
    let handles: Vec<_> = pool.handles().collect();
    alloc::refuse_all(|| {
        for &handle in &handles {
            assert!(pool.remove(handle).is_some());
        }
        assert!(pool.is_empty());
        for value in 0..1_000 {
            assert!(pool.try_insert(value).is_ok());
        }
        assert_eq!(pool.try_insert(1_000).unwrap_err().into_inner(), 1_000);
    });
    assert_eq!((pool.len(), pool.stats().free), (1_000, 0));
    assert!(handles.iter().all(|&handle| !pool.contains(handle)));
    pool.validate().unwrap();
}

#[test]
fn a_million_removals_and_undos_of_one_slot_do_not_grow_memory() {
    let mut pool: Pool<u32> = (0..100).collect();
    let handle = pool.handle_at(50).unwrap();
    // The first removal may allocate the free list.
    let undo = |pool: &mut Pool<u32>| {
        let value = pool.remove(handle).unwrap();
        assert_eq!(pool.insert_at(handle, value).unwrap(), None);
    };
    undo(&mut pool);
    let before = (alloc::bytes(), pool.stats());
    let ((), asked) = alloc::count(|| (0..1_000_000).for_each(|_| undo(&mut pool)));
    assert_eq!(asked, 0);
    assert_eq!((alloc::bytes(), pool.stats()), before);
    pool.validate().unwrap();
}
