//! P6: user code that panics, at every call, leaves the container valid.

use tenure::{Handle, Pool, Tagged};
use test_support::action::{Ending, Iterate, Key, Many, Rule, Sort};
use test_support::op::{Op, Pick};
use test_support::path::Path;
use test_support::rig::{
    BUDGET, DENSE, DENSE_FOUR_TENANTS, DENSE_TAGGED, DENSE_TWO_TENANTS, FIXED, FIXED_SMALL_TWO_TENANTS,
    FIXED_TWO_TENANTS, FOUR_TENANTS, SIDE, SIDE_TAGGED, SIDE_TWO_TENANTS, STABLE, STABLE_FOUR_TENANTS, STABLE_TAGGED,
    STABLE_TWO_TENANTS, TABLE, TABLE_TAGGED, TABLE_TWO_TENANTS, TAGGED_COMPACT, TWO_TENANTS, WIDE, WORLD,
    WORLD_FOUR_TENANTS,
};
use test_support::{Rig, Tracked, effort, fuse, quiet, small};

static RIGS: [&Rig; 22] = [
    &WIDE,
    &FOUR_TENANTS,
    &TWO_TENANTS,
    &TAGGED_COMPACT,
    &STABLE,
    &STABLE_FOUR_TENANTS,
    &STABLE_TWO_TENANTS,
    &STABLE_TAGGED,
    &FIXED,
    &FIXED_TWO_TENANTS,
    &DENSE,
    &DENSE_FOUR_TENANTS,
    &DENSE_TWO_TENANTS,
    &DENSE_TAGGED,
    &TABLE,
    &TABLE_TWO_TENANTS,
    &TABLE_TAGGED,
    &WORLD,
    &WORLD_FOUR_TENANTS,
    &SIDE,
    &SIDE_TWO_TENANTS,
    &SIDE_TAGGED,
];

/// Full after a few values: some are not inserted, so fewer calls can panic.
static FULL_SOON: [&Rig; 2] = [&BUDGET, &FIXED_SMALL_TWO_TENANTS];

/// Live, pending, free and (in small layouts) retired slots, and a spare container that differs in
/// all of them.
const MIXED: &[Op] = &[
    Op::InsertMany(8, Many::Collect),
    Op::Remove(Pick::Live(1)),
    Op::Insert,
    Op::Remove(Pick::Issued(0)),
    Op::Snapshot,
    Op::Remove(Pick::Live(2)),
    Op::Insert,
    Op::Take(Pick::Live(4)),
    Op::ReserveHandle,
    Op::Insert,
    Op::Remove(Pick::Live(0)),
    Op::InsertMany(3, Many::Collect),
];

/// The spare is larger than the main container.
const SHRUNK: &[Op] = &[Op::Extend(8), Op::Snapshot, Op::Clear, Op::Shrink, Op::Insert, Op::Insert];

/// The spare is smaller than the main container.
const GROWN: &[Op] = &[Op::Insert, Op::Insert, Op::Snapshot, Op::Extend(8), Op::Remove(Pick::Live(0))];

/// Full words of slots, and one with holes.
const WORDS: &[Op] = &[
    Op::Extend(70),
    Op::Snapshot,
    Op::Extend(100),
    Op::Remove(Pick::Live(140)),
    Op::Remove(Pick::Live(130)),
    Op::Take(Pick::Live(128)),
];

const SOME: Rule = Rule { modulus: 2, residue: 0 };

/// With small counts: one layout of each container.
fn rigs() -> impl Iterator<Item = &'static Rig> {
    RIGS.into_iter().step_by(small::or(1, 4))
}

/// With small counts: the first setup. Where every step is slow, all but the largest.
fn setups() -> impl Iterator<Item = &'static [Op]> {
    let count = if effort::is_slow() { 3 } else { 4 };
    [MIXED, SHRUNK, GROWN, WORDS].into_iter().take(small::or(count, 1))
}

/// Runs the operation in every container that has it, and expects at least `expected` panics.
fn everywhere(op: Op, expected: u32) {
    rigs().for_each(|rig| in_one(rig, op, expected));
    FULL_SOON.iter().for_each(|rig| in_one(rig, op, 0));
}

/// Like [`everywhere`], in containers whose values are in rows. Includes rows that change places
/// first, so that every method of a follower runs.
fn in_rows(op: Op, expected: u32) {
    for rig in rigs().filter(|rig| rig.supports.rows) {
        for (setup, turns) in [(MIXED, 0), (MIXED, 1), (MIXED, 2), (SHRUNK, 0), (GROWN, 0), (GROWN, 1)] {
            let setup: Vec<Op> = setup.iter().copied().chain((0..turns).map(|_| Op::SwapRows(0, 1))).collect();
            check(rig, &setup, op, expected);
        }
    }
}

fn in_one(rig: &Rig, op: Op, expected: u32) {
    for setup in setups() {
        check(rig, setup, op, expected);
    }
}

fn check(rig: &Rig, setup: &[Op], op: Op, expected: u32) {
    let panics = rig.every_panic(setup, op).unwrap_or_else(|error| panic!("{}: {error}", rig.name));
    let expected = if rig.has(op) { expected } else { 0 };
    assert!(panics >= expected, "{}: {op:?} panicked {panics} times", rig.name);
}

/// Values with odd ids are inserted by other methods than those with even ones: see
/// [`Put`](test_support::action::Put).
#[test]
fn in_closures_that_make_a_value() {
    for rig in rigs() {
        for setup in setups() {
            // `Collect` uses up an id.
            for setup in [setup.to_vec(), [setup, &[Op::Collect(1)]].concat()] {
                check(rig, &setup, Op::InsertWith, 1);
                check(rig, &setup, Op::TryInsert, 0);
            }
        }
    }
    for rig in [&WIDE, &STABLE, &FIXED, &DENSE, &TABLE, &WORLD] {
        assert_eq!(rig.every_panic(MIXED, Op::TryInsert), Ok(1), "{}: the closure of an odd id", rig.name);
    }
    FULL_SOON.iter().for_each(|rig| in_one(rig, Op::InsertWith, 0));
}

#[test]
fn in_the_closure_and_the_destructors_of_retain() {
    everywhere(Op::Retain(Rule::ALL), 2);
    everywhere(Op::Retain(SOME), 3);
    everywhere(Op::Retain(Rule { modulus: 2, residue: 1 }), 3);
}

#[test]
fn in_the_closure_of_extract_if() {
    everywhere(Op::Extract(SOME, usize::MAX), 2);
    everywhere(Op::Extract(Rule::ALL, usize::MAX), 2);
    everywhere(Op::Extract(Rule::ALL, 1), 1);
}

#[test]
fn in_the_closure_of_map_values() {
    rigs().filter(|rig| rig.supports.whole).for_each(|rig| in_one(rig, Op::Map, 2));
    FULL_SOON.iter().for_each(|rig| in_one(rig, Op::Map, 0));
}

#[test]
fn in_comparators_and_keys() {
    let key = Key { modulus: 3 };
    for how in [Sort::By, Sort::ByKey, Sort::UnstableBy, Sort::UnstableByKey, Sort::InPlaceBy] {
        in_rows(Op::Sort(how, key), 2);
    }
    in_rows(Op::Compact(SOME, key), 2);
    in_rows(Op::Compact(Rule::ALL, key), 2);
}

#[test]
fn in_ordered_removals() {
    in_rows(Op::RemoveOrdered(Pick::Live(0)), 1);
    in_rows(Op::RemoveMany([Pick::Live(0), Pick::Issued(1), Pick::Live(0)]), 4);
    in_rows(Op::Retain(SOME), 3);
    in_rows(Op::Extract(SOME, usize::MAX), 2);
}

#[test]
fn in_iterators_passed_to_insertions() {
    for how in [Many::Collect, Many::DropAfter(2), Many::FinishAfter(2)] {
        everywhere(Op::InsertMany(5, how), 5);
    }
    everywhere(Op::Extend(5), 5);
    everywhere(Op::Collect(5), 5);
}

#[test]
fn in_the_destructors_of_clear() {
    everywhere(Op::Clear, 2);
}

#[test]
fn in_the_destructors_of_drain() {
    let part = Path::Part { front: 1, back: 1 };
    for path in [part, Path::Forward, Path::Backward, Path::Fold { front: 0, back: 0 }] {
        everywhere(Op::Drain(path, Ending::Drop), 2);
    }
    everywhere(Op::Drain(Path::Part { front: 2, back: 1 }, Ending::Forget), 2);
}

#[test]
fn in_the_destructors_of_removed_and_replaced_values() {
    everywhere(Op::Remove(Pick::Live(0)), 1);
    everywhere(Op::Take(Pick::Live(0)), 1);
    everywhere(Op::InsertAt(Pick::Live(0)), 1);
    everywhere(Op::Fill(Pick::Live(0)), 1);
}

#[test]
fn in_clone() {
    everywhere(Op::Snapshot, 2);
    everywhere(Op::Fork, 0);
    everywhere(Op::Iterate(Iterate::IntoIter, Path::Part { front: 1, back: 0 }), 4);
    everywhere(Op::Iterate(Iterate::IntoValues, Path::Zigzag(2)), 4);
}

#[test]
fn in_clone_from() {
    everywhere(Op::Checkpoint, 2);
    everywhere(Op::Rollback, 2);
}

#[test]
fn in_comparisons() {
    everywhere(Op::Compare, 0);
    // Equal containers compare every value.
    for rig in rigs().filter(|rig| rig.has(Op::Compare)) {
        let equal: Vec<Op> = MIXED.iter().copied().chain([Op::Snapshot]).collect();
        assert!(rig.every_panic(&equal, Op::Compare).unwrap() >= 5);
    }
}

#[test]
fn in_the_destructors_of_a_dropped_pool() {
    for rig in rigs() {
        for setup in setups() {
            assert!(rig.every_panic_in_drop(setup).unwrap() >= 2);
        }
    }
}

/// The two pools need not have the same tag.
#[test]
fn in_clone_from_a_pool_with_another_tag() {
    type Tags = Tagged<4>;
    let source = || {
        let mut pool: Pool<Tracked, Handle<Tracked, Tags>> = Pool::with_tag(1);
        pool.extend((0..4).map(Tracked::new));
        pool
    };
    for call in 0..4 {
        let original = source();
        let mut copy: Pool<Tracked, Handle<Tracked, Tags>> = Pool::with_tag(2);
        copy.extend((0..2).map(Tracked::new));
        fuse::arm(call);
        assert!(quiet::catch(|| copy.clone_from(&original)).is_err());
        assert!(fuse::disarm());

        assert_eq!(copy.validate(), Ok(()), "after a panic at call {call}");
        let handles: Vec<_> = copy.handles().collect();
        assert!(handles.iter().all(|&handle| copy.contains(handle)), "after a panic at call {call}");
        let new = copy.insert(Tracked::new(9));
        assert!(copy.contains(new));
        assert_eq!(copy.validate(), Ok(()));
    }
}
