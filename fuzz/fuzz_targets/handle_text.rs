//! Text and bits of handles: whatever is read is written again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| test_support::text::fuzz(bytes));
