//! Raw snapshots from bytes: refused, or a valid table.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| test_support::snapshot::fuzz(bytes));
