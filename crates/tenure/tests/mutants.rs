//! Tests of the rig itself: every part of it rejects containers with a planted bug, and accepts a
//! container without one.

use test_support::action::{Key, Many, Rule, Sort};
use test_support::alloc::Watched;
use test_support::fuzz::Target;
use test_support::mutants::{Bug, MUTANT, ROW_MUTANT, with};
use test_support::op::{Op, Pick};
use test_support::{decode, forge, path, quiet, rig};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Checks that a part of the rig rejects each of these bugs, and accepts a container without a bug.
fn rejects(part: impl Fn() -> Result<(), String>, bugs: &[Bug]) {
    assert_eq!(with(Bug::None, &part), Ok(()));
    for &bug in bugs {
        let verdict = with(bug, &part);
        assert!(verdict.is_err(), "{bug:?} was not noticed");
    }
}

fn random_histories() -> Result<(), String> {
    (0..60).try_for_each(|seed| MUTANT.run(&decode::random(seed, 150)))
}

fn random_twins() -> Result<(), String> {
    (0..60).try_for_each(|seed| MUTANT.run_with_twin(&decode::random(seed, 150), 100))
}

#[test]
fn random_histories_notice() {
    rejects(
        random_histories,
        &[
            Bug::ClearRestarts,
            Bug::GenerationsWrap,
            Bug::DrainRevives,
            Bug::ShrinkForgets,
            Bug::HandleComesBack,
            Bug::StaleReads,
            Bug::DoubleListed,
            Bug::TakeFrees,
            Bug::AcceptsStale,
            Bug::WrongReason,
            Bug::ManyForgetsRest,
            Bug::Leaks,
            Bug::DropsTwice,
            Bug::ForgottenDrainLeaks,
            Bug::FoldSkips,
            Bug::WalksBackwards,
            Bug::ComparesLengths,
            Bug::CloneForgetsPending,
            Bug::Moves,
            Bug::Overlaps,
        ],
    );
}

#[test]
fn random_histories_notice_bugs_in_rows() {
    let part = || (0..60).try_for_each(|seed| ROW_MUTANT.run(&decode::random(seed, 150)));
    rejects(
        part,
        &[
            Bug::MoveFromNextRow,
            Bug::MoveToNextRow,
            Bug::MoveIsMissing,
            Bug::MoveOfWhoStays,
            Bug::RemovalShifts,
            Bug::OrderedRemovalSwaps,
            Bug::RetainSwaps,
            Bug::ReplacedGoesLast,
            Bug::SortForgetsNames,
            Bug::EqualRowsChangePlaces,
            Bug::RefusedOrderMoves,
            Bug::CloneReorders,
        ],
    );
}

#[test]
fn exhaustive_search_notices_moves_off_by_one_row() {
    const ALPHABET: &[Op] = &[
        Op::Insert,
        Op::Remove(Pick::Live(0)),
        Op::RemoveOrdered(Pick::Live(0)),
        Op::Sort(Sort::By, Key { modulus: 2 }),
        Op::SwapRows(0, 1),
    ];
    let search = || ROW_MUTANT.every_history(ALPHABET, 5).map(drop);
    rejects(
        search,
        &[
            Bug::MoveFromNextRow,
            Bug::MoveToNextRow,
            Bug::MoveIsMissing,
            Bug::MoveOfWhoStays,
            Bug::RemovalShifts,
            Bug::OrderedRemovalSwaps,
            Bug::SortForgetsNames,
            Bug::EqualRowsChangePlaces,
            Bug::CloneReorders,
        ],
    );
}

#[test]
fn exhaustive_search_notices_that_order_is_not_compared() {
    const ALPHABET: &[Op] = &[Op::Insert, Op::SwapRows(0, 1), Op::Snapshot, Op::Compare];
    rejects(|| ROW_MUTANT.every_history(ALPHABET, 5).map(drop), &[Bug::EqualInAnyOrder]);
}

#[test]
fn panics_notice_bugs_in_rows() {
    let setup = [Op::InsertMany(6, Many::Collect), Op::Snapshot, Op::Remove(Pick::Live(2))];
    let part = || {
        ROW_MUTANT.every_panic(&setup, Op::Retain(Rule { modulus: 2, residue: 0 }))?;
        ROW_MUTANT.every_panic(&setup, Op::Rollback)?;
        Ok(())
    };
    rejects(part, &[Bug::RetainIsHasty, Bug::HalfACloneStays]);
}

/// Bugs that a history can show without an injected fault.
const SEEN_BY_HISTORIES: &[Bug] = &[
    Bug::ClearRestarts,
    Bug::GenerationsWrap,
    Bug::DrainRevives,
    Bug::ShrinkForgets,
    Bug::HandleComesBack,
    Bug::StaleReads,
    Bug::DoubleListed,
    Bug::TakeFrees,
    Bug::AcceptsStale,
    Bug::WrongReason,
    Bug::ManyForgetsRest,
    Bug::Leaks,
    Bug::DropsTwice,
    Bug::ForgottenDrainLeaks,
    Bug::FoldSkips,
    Bug::WalksBackwards,
    Bug::ComparesLengths,
    Bug::OrderByCapacity,
    Bug::CloneForgetsPending,
    Bug::CloneFromReorders,
    Bug::SwallowsPanics,
    Bug::Moves,
    Bug::Overlaps,
];

/// The same for containers with rows.
const SEEN_BY_HISTORIES_OF_ROWS: &[Bug] = &[
    Bug::MoveFromNextRow,
    Bug::MoveToNextRow,
    Bug::MoveIsMissing,
    Bug::MoveOfWhoStays,
    Bug::RemovalShifts,
    Bug::OrderedRemovalSwaps,
    Bug::RetainSwaps,
    Bug::ReplacedGoesLast,
    Bug::SortForgetsNames,
    Bug::EqualRowsChangePlaces,
    Bug::RefusedOrderMoves,
    Bug::CloneReorders,
    Bug::EqualInAnyOrder,
];

/// Bugs that show only while a closure or a destructor panics, or while memory is refused or
/// counted. Histories do none of these.
const SEEN_WITH_FAULTS: &[Bug] = &[
    Bug::RetainMiscounts,
    Bug::ClearStops,
    Bug::LosesValue,
    Bug::RemoveNeedsMemory,
    Bug::LookUpAllocates,
    Bug::RefusalAllocates,
    Bug::RetainIsHasty,
    Bug::HalfACloneStays,
];

/// Operations of which few are needed to show that two containers differ.
const COPIES_AND_MOVES: [u8; 8] = [0, 20, 117, 121, 124, 128, 134, 138];

/// Runs the fuzz program on random bytes until it panics.
fn replay(name: &str) -> Result<(), String> {
    let target = Target::named(name).ok_or("no such target")?;
    (0..300).try_for_each(|seed| {
        let mut bytes: Vec<u8> = forge::noise(seed).take(75).flat_map(u64::to_le_bytes).collect();
        if seed % 3 == 0 {
            let kinds = bytes.iter_mut().skip(1).step_by(4);
            kinds.for_each(|kind| *kind = COPIES_AND_MOVES[usize::from(*kind) % COPIES_AND_MOVES.len()]);
        }
        quiet::catch(|| target.check(&bytes))
    })
}

#[test]
fn the_fuzz_program_notices() {
    rejects(|| replay("mutant"), SEEN_BY_HISTORIES);
    rejects(|| replay("row_mutant"), SEEN_BY_HISTORIES_OF_ROWS);
}

/// Every bug of the enum is in one of the lists, and so in a test.
#[test]
fn every_bug_is_listed() {
    let lists = [SEEN_BY_HISTORIES, SEEN_BY_HISTORIES_OF_ROWS, SEEN_WITH_FAULTS];
    for bug in Bug::ALL {
        assert_eq!(lists.iter().filter(|list| list.contains(bug)).count(), 1, "{bug:?}");
    }
}

/// Pools that grow are rejected where no memory may be requested.
#[test]
fn allocations_are_noticed() {
    let grow = [Op::Insert];
    assert!(rig::WIDE.never_asks(&grow).is_err());
    assert!(rig::STABLE.never_asks(&grow).is_err());
    assert_eq!(rig::BUDGET.never_asks(&grow), Ok(()));
}

#[test]
fn twins_notice() {
    rejects(random_twins, &[Bug::OrderByCapacity, Bug::CloneForgetsPending, Bug::CloneFromReorders]);
}

#[test]
fn exhaustive_search_notices() {
    const ALPHABET: &[Op] =
        &[Op::Insert, Op::Remove(Pick::Issued(0)), Op::Clear, Op::Shrink, Op::Snapshot, Op::Take(Pick::Live(0))];
    let search = || MUTANT.every_history(ALPHABET, 5).map(drop);
    rejects(
        search,
        &[
            Bug::ClearRestarts,
            Bug::ShrinkForgets,
            Bug::HandleComesBack,
            Bug::StaleReads,
            Bug::DoubleListed,
            Bug::TakeFrees,
            Bug::Leaks,
            Bug::DropsTwice,
            Bug::WalksBackwards,
        ],
    );
}

/// With four tenants per slot, nine steps are needed to reach the fifth.
#[test]
fn exhaustive_search_reaches_the_last_generation() {
    const INSERT_AND_REMOVE: &[Op] = &[Op::Insert, Op::Remove(Pick::Live(0))];
    rejects(|| MUTANT.every_history(INSERT_AND_REMOVE, 9).map(drop), &[Bug::GenerationsWrap]);
}

#[test]
fn panics_notice() {
    let setup = [Op::InsertMany(6, Many::Collect), Op::Remove(Pick::Live(2))];
    let part = || {
        MUTANT.every_panic(&setup, Op::Retain(Rule { modulus: 2, residue: 0 }))?;
        MUTANT.every_panic(&setup, Op::Clear)?;
        MUTANT.every_panic(&setup, Op::InsertWith)?;
        MUTANT.every_panic_in_drop(&setup)?;
        Ok(())
    };
    rejects(part, &[Bug::RetainMiscounts, Bug::ClearStops, Bug::SwallowsPanics]);
}

#[test]
fn refused_memory_notices() {
    let packed = [Op::ReserveExact(8), Op::Extend(8)];
    let part = || {
        MUTANT.every_refusal(&packed, Op::TryInsert)?;
        MUTANT.every_refusal(&packed, Op::Remove(Pick::Live(3)))?;
        Ok(())
    };
    rejects(part, &[Bug::LosesValue, Bug::RemoveNeedsMemory]);
}

#[test]
fn forged_handles_notice() {
    let setup = [Op::Insert, Op::Insert, Op::Remove(Pick::Live(0)), Op::Insert];
    let part = || MUTANT.every_forgery(&setup).map(drop);
    rejects(
        part,
        &[Bug::LookUpAllocates, Bug::RefusalAllocates, Bug::StaleReads, Bug::AcceptsStale, Bug::WrongReason],
    );
}

#[test]
fn consuming_notices_iterators_that_lie() {
    /// Announces one item more than there is.
    #[derive(Clone)]
    struct Liar(std::ops::Range<usize>);

    impl Iterator for Liar {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            self.0.next()
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.0.len() + 1, Some(self.0.len() + 1))
        }
    }
    impl DoubleEndedIterator for Liar {
        fn next_back(&mut self) -> Option<usize> {
            self.0.next_back()
        }
    }
    impl ExactSizeIterator for Liar {}
    impl std::iter::FusedIterator for Liar {}

    let (front, back) = (1, 1);
    let paths = [path::Path::Forward, path::Path::Backward, path::Path::Zigzag(5), path::Path::Fold { front, back }];
    for path in paths {
        assert!(path::consume(0..5, path).is_ok());
        assert!(path::consume(Liar(0..5), path).is_err());
    }
}
