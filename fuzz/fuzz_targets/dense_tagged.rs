//! Histories from bytes, with a twin of another capacity.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| test_support::rig::DENSE_TAGGED.fuzz(bytes));
