//! One program for all fuzz targets: `TENURE_FUZZ=pool_tiny cargo +nightly fuzz run rig`.
//! `TENURE_FUZZ=list` prints their names.
#![no_main]

use std::process::exit;
use std::sync::LazyLock;

use test_support::fuzz::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("TENURE_FUZZ").unwrap_or_default();
    let names = TARGETS.iter().map(|target| target.name);
    if name == "list" {
        names.for_each(|name| println!("{name}"));
        exit(0);
    }
    Target::named(&name).unwrap_or_else(|| {
        let names: Vec<_> = names.collect();
        eprintln!("TENURE_FUZZ is `{name}`; it must be `list`, or one of {}", names.join(", "));
        exit(2)
    })
});

libfuzzer_sys::fuzz_target!(init: LazyLock::force(&TARGET), |bytes: &[u8]| TARGET.check(bytes));
