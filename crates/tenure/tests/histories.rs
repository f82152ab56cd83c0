//! Long random histories, in every layout, each with a twin of another capacity.

use proptest::collection::vec;
use proptest::prelude::*;
use tenure::{Compact, Tagged, Wide};
use test_support::decode::{self, Code};
use test_support::pool::{FourTenants, PoolSubject, Tags, ThreeSlots, TwoTenants};
use test_support::{Op, run_with_twin};

/// Codes shrink by themselves: fewer, and smaller, which is simpler.
fn history(length: usize) -> impl Strategy<Value = Vec<Op>> {
    vec(any::<Code>().prop_map(decode::op), 1..length)
}

fn check<L: Tags>(cases: u32, length: usize) {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases,
        max_shrink_iters: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let strategy = (history(length), prop_oneof![Just(0_usize), 1..200_usize]);
    let result = runner.run(&strategy, |(ops, capacity)| {
        run_with_twin::<PoolSubject<L>>(&ops, capacity).map_err(TestCaseError::fail)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

macro_rules! histories {
    ($($name:ident: $layout:ty, $cases:literal of $length:literal;)*) => {$(
        #[test]
        fn $name() {
            check::<$layout>($cases, $length);
        }
    )*};
}

histories! {
    wide: Wide, 300 of 200;
    wide_and_long: Wide, 12 of 1_500;
    compact: Compact<20>, 150 of 200;
    four_tenants: FourTenants, 300 of 200;
    two_tenants: TwoTenants, 300 of 200;
    three_slots: ThreeSlots, 300 of 200;
    tagged: Tagged<4, Wide>, 150 of 200;
    tagged_compact: Tagged<2, Compact<20>>, 150 of 200;
    tagged_twice: Tagged<1, Tagged<2, Compact<27>>>, 150 of 200;
}
