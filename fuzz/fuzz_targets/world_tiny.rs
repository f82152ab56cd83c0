//! Frames from bytes: births, deaths, splits and jobs in a world whose slots retire after four
//! tenants.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| test_support::world::fuzz::<test_support::pool::FourTenants>(bytes));
