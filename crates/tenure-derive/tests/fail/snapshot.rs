//! Columns without raw snapshots.

use tenure::Row;

#[derive(Row)]
#[row(snapshot)]
struct Open<T, U> {
    one: T,
    many: [U; 3],
    value: u8,
}

fn main() {}
