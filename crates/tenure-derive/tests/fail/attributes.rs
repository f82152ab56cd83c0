//! Mistakes in attributes.

use tenure::Row;

#[derive(Row)]
#[row(skip)]
struct OnStruct {
    value: u8,
}

#[derive(Row)]
#[row(crate = tenure, crate = tenure)]
struct CrateTwice {
    value: u8,
}

#[derive(Row)]
struct OnFields {
    #[row(skipped)]
    unknown: u8,
    #[row(skip)]
    #[row(skip)]
    twice: u8,
    #[row(nested, skip)]
    both: u8,
    #[row(skip = true)]
    with_value: u8,
    #[row]
    without_word: u8,
    value: u8,
}

#[derive(Row)]
struct NothingLeft {
    #[row(skip)]
    value: u8,
}

fn main() {}
