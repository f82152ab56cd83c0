//! The compiler errors for mistakes. `TRYBUILD=overwrite cargo test -p tenure-derive --test
//! messages` updates them.

#[test]
fn mistakes_are_reported_at_their_place() {
    trybuild::TestCases::new().compile_fail("tests/fail/*.rs");
}
