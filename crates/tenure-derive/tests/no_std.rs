//! A crate without the standard library can derive `Row`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::string::String;

use tenure::Row;
use tenure::table::Columns;

#[derive(Clone, Debug, PartialEq, Row)]
struct Creature {
    name: String,
    #[row(skip)]
    energy: u32,
}

#[test]
fn rows_are_stored() {
    let mut creatures = <Creature as Row>::Columns::EMPTY;
    creatures.try_reserve(1).unwrap();
    creatures.push(Creature { name: "ant".into(), energy: 1 });
    assert_eq!(creatures.clone().pop(), Some(Creature { name: "ant".into(), energy: 0 }));
}
