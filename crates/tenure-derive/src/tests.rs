//! The expected expansion of a small struct.

use quote::quote;

/// The file with the expansion. `EXPANSION=overwrite cargo test -p tenure-derive` updates it.
const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expansion/creature.expanded");

#[test]
fn the_expansion_is_unchanged() {
    let expanded = crate::row(quote! {
        /// A row of a table.
        pub struct Creature<T: Clone> {
            /// The position.
            pub pos: T,
            #[row(nested)]
            body: Body,
            #[row(skip)]
            scratch: Vec<u8>,
        }
    });
    let expanded = prettyplease::unparse(&syn::parse2(expanded.unwrap()).unwrap());
    if std::env::var_os("EXPANSION").is_some_and(|what| what == "overwrite") {
        std::fs::write(EXPECTED, &expanded).unwrap();
    }
    let expected = std::fs::read_to_string(EXPECTED).unwrap();
    let differs = expanded.lines().zip(expected.lines()).position(|(new, old)| new != old);
    assert!(expanded == expected, "line {:?} differs from {EXPECTED}", differs.map(|line| line + 1));
}
