//! Types other than structs with named fields.

use tenure::Row;

#[derive(Row)]
struct Tuple(u8, u8);

#[derive(Row)]
struct Unit;

#[derive(Row)]
struct Empty {}

#[derive(Row)]
enum Enum {
    A,
}

#[derive(Row)]
union Union {
    a: u8,
}

fn main() {}
