//! The expansion of a small struct, as it should read.

use quote::quote;

/// Where the expansion lies. `EXPANSION=overwrite cargo test -p tenure-derive` writes it anew.
const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/expansion/creature.expanded");

#[test]
fn the_expansion_reads_as_before() {
    let expanded = crate::row(quote! {
        /// Lives in a table.
        pub struct Creature<T: Clone> {
            /// Where it is.
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
    assert!(expanded == expected, "line {:?} is another than in {EXPECTED}", differs.map(|line| line + 1));
}
