//! Uses of views that do not compile: private fields, shared data mutated, columns of different lengths.
#![deny(deprecated)]

use tenure::Row;
use tenure::table::Columns;

mod inner {
    #[derive(tenure::Row)]
    pub struct Creature {
        pub shown: u8,
        hidden: u8,
        #[deprecated]
        pub old: u8,
    }
}

fn main() {
    let mut columns = <inner::Creature as Row>::Columns::EMPTY;
    let _ = columns.row(0).unwrap().hidden;
    let _ = columns.slices_mut().hidden;
    let _ = columns.row(0).unwrap().old;
    columns.slices_mut().shown.push(1);
}
