//! Long random histories in every layout, each with a twin of another capacity.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use test_support::decode::{self, Code};
use test_support::effort::cases;
use test_support::fuzz::{TARGETS, Target};
use test_support::{Op, Rig, rig, small};

/// proptest shrinks the codes: fewer and smaller ones are simpler histories.
fn history(length: usize) -> impl Strategy<Value = Vec<Op>> {
    vec(any::<Code>().prop_map(decode::op), 1..length)
}

fn check(rig: &Rig, count: u32, length: usize) {
    let (count, length) = small::or((cases(count), length), (2, 40));
    let config =
        ProptestConfig { cases: count, max_shrink_iters: 4_000, failure_persistence: None, ..Default::default() };
    let strategy = (history(length), prop_oneof![Just(0_usize), 1..200_usize]);
    let result = TestRunner::new(config)
        .run(&strategy, |(ops, capacity)| rig.run_with_twin(&ops, capacity).map_err(TestCaseError::fail));
    if let Err(error) = result {
        panic!("{}: {error}", rig.name);
    }
}

macro_rules! histories {
    ($($name:ident: $rig:ident, $cases:literal of $length:literal;)*) => {$(
        #[test]
        fn $name() {
            check(&rig::$rig, $cases, $length);
        }
    )*};
}

histories! {
    wide: WIDE, 800 of 200;
    wide_and_long: WIDE, 25 of 1_500;
    compact: COMPACT, 500 of 200;
    four_tenants: FOUR_TENANTS, 800 of 200;
    two_tenants: TWO_TENANTS, 800 of 200;
    three_slots: THREE_SLOTS, 800 of 200;
    tagged: TAGGED, 500 of 200;
    tagged_compact: TAGGED_COMPACT, 500 of 200;
    stable: STABLE, 400 of 200;
    stable_and_long: STABLE, 10 of 1_500;
    stable_compact: STABLE_COMPACT, 200 of 200;
    stable_four_tenants: STABLE_FOUR_TENANTS, 400 of 200;
    stable_two_tenants: STABLE_TWO_TENANTS, 400 of 200;
    stable_three_slots: STABLE_THREE_SLOTS, 200 of 200;
    stable_tagged: STABLE_TAGGED, 200 of 200;
    fixed: FIXED, 200 of 200;
    fixed_two_tenants: FIXED_TWO_TENANTS, 200 of 200;
    fixed_tagged: FIXED_TAGGED, 100 of 200;
    fixed_small: FIXED_SMALL, 200 of 200;
    fixed_small_two_tenants: FIXED_SMALL_TWO_TENANTS, 200 of 200;
    budget: BUDGET, 200 of 200;
    dense: DENSE, 300 of 200;
    dense_and_long: DENSE, 10 of 1_500;
    dense_compact: DENSE_COMPACT, 100 of 200;
    dense_four_tenants: DENSE_FOUR_TENANTS, 200 of 200;
    dense_two_tenants: DENSE_TWO_TENANTS, 200 of 200;
    dense_three_slots: DENSE_THREE_SLOTS, 200 of 200;
    dense_tagged: DENSE_TAGGED, 100 of 200;
    table: TABLE, 200 of 200;
    table_and_long: TABLE, 10 of 1_500;
    table_two_tenants: TABLE_TWO_TENANTS, 200 of 200;
    table_three_slots: TABLE_THREE_SLOTS, 100 of 200;
    table_tagged: TABLE_TAGGED, 100 of 200;
    world: WORLD, 200 of 200;
    world_and_long: WORLD, 10 of 1_500;
    world_four_tenants: WORLD_FOUR_TENANTS, 200 of 200;
    world_two_tenants: WORLD_TWO_TENANTS, 200 of 200;
    world_three_slots: WORLD_THREE_SLOTS, 100 of 200;
    world_tagged: WORLD_TAGGED, 100 of 200;
    side: SIDE, 200 of 200;
    side_two_tenants: SIDE_TWO_TENANTS, 200 of 200;
    side_three_slots: SIDE_THREE_SLOTS, 100 of 200;
    side_tagged: SIDE_TAGGED, 100 of 200;
}

/// Runs the fuzz program on noise, without a fuzzer, so that it is tested with every build.
#[test]
fn fuzz_targets() {
    for target in TARGETS {
        let config = ProptestConfig { cases: cases(100), failure_persistence: None, ..Default::default() };
        let result = TestRunner::new(config).run(&vec(any::<u8>(), 0..400), |bytes| {
            target.check(&bytes);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{}: {error}", target.name));
    }
}

/// The fuzz program finds its seeds, and no seed fails.
#[test]
fn fuzz_seeds() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");
    let mut count = 0;
    for folder in std::fs::read_dir(seeds).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name();
        let target = name.to_str().and_then(Target::named).unwrap_or_else(|| panic!("{name:?} is not a target"));
        for seed in std::fs::read_dir(folder.path()).unwrap() {
            target.check(&std::fs::read(seed.unwrap().path()).unwrap());
            count += 1;
        }
    }
    assert!(count > 10, "{count} seeds");
}
