//! Saving and loading: nobody notices, whatever the container, the layout and the format.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use test_support::decode::{self, Code};
use test_support::saved::Format;
use test_support::{Op, rig};

fn history(length: usize) -> impl Strategy<Value = Vec<Op>> {
    vec(any::<Code>().prop_map(decode::op), 1..length)
}

/// Every container is saved and loaded after every step of random histories, beside a twin that is not: handles, answers and everything that can
/// be seen stay the same (P9).
#[test]
fn loading_is_invisible_at_every_position() {
    for rig in rig::ALL {
        for format in Format::ALL {
            let config = ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() };
            let result = TestRunner::new(config)
                .run(&history(120), |ops| (rig.run_reloaded)(&ops, format).map_err(TestCaseError::fail));
            if let Err(error) = result {
                panic!("{}: {error}", rig.name);
            }
        }
    }
}
