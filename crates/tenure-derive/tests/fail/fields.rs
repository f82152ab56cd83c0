//! Fields whose types do not fit their attributes.

use tenure::Row;

struct NoDefault;

#[derive(Row)]
struct Skips {
    value: u8,
    #[row(skip)]
    skipped: NoDefault,
}

#[derive(Row)]
struct Nests {
    #[row(nested)]
    nested: NoDefault,
}

fn main() {}
