//! Documents that nobody saved: each is refused, or makes a container that is as good as any.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| test_support::hostile::fuzz_json(bytes));
