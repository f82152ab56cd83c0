//! `#[row(snapshot)]`: the columns of a raw snapshot, and their names.

use std::marker::PhantomData;

use tenure::snapshot::RawColumns;
use tenure::{Handle, Row, Table};

#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot)]
struct Vec2 {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot)]
struct Body {
    #[row(nested)]
    head: Vec2,
    bones: [u16; 2],
}

/// Names that generated code often uses.
#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot, crate = tenure)]
struct Creature<T> {
    #[row(nested)]
    body: Body,
    r#type: char,
    list: Handle<str>,
    source: (),
    #[row(skip)]
    field: Vec<PhantomData<T>>,
}

fn creature(x: f32) -> Creature<String> {
    let body = Body { head: Vec2 { x, y: 2.0 }, bones: [7, 8] };
    Creature { body, r#type: 'c', list: Handle::NIL, source: (), field: vec![PhantomData] }
}

fn herd() -> Table<Creature<String>> {
    [1.0, 2.0].into_iter().map(creature).collect()
}

/// Returns `true` if the snapshot describes a column so: its name is followed by its type.
fn describes<R: Row<Columns: RawColumns>>(table: &Table<R>, description: &str) -> bool {
    let saved = table.to_snapshot();
    saved.windows(description.len()).any(|bytes| bytes == description.as_bytes())
}

#[test]
fn rows_are_loaded() {
    let loaded = Table::from_snapshot(&herd().to_snapshot()).unwrap();
    loaded.validate().unwrap();
    assert_eq!(herd(), loaded);
}

#[test]
fn columns_are_named_by_their_path_and_types_as_they_are_spelled() {
    let columns =
        ["body.head.xf32", "body.head.yf32", "body.bones[u16;2]", "typechar", "listHandle<str>", "source()"];
    for description in columns {
        assert!(describes(&herd(), description), "{description}");
    }
    assert!(!describes(&herd(), "field") && !describes(&herd(), "Vec2"), "no columns of their own");
}

#[derive(Clone, Debug, PartialEq, Row)]
#[row(snapshot)]
struct Taller {
    #[row(nested)]
    head: Vec2,
    bones: [u16; 3],
}

#[test]
fn types_of_another_size_are_rejected() {
    let body = Body { head: Vec2 { x: 1.0, y: 2.0 }, bones: [7, 8] };
    let saved = [body].into_iter().collect::<Table<_>>().to_snapshot();
    let retyped = "and in the snapshot a `[u16;2]` of 4 bytes";
    let other = Table::<Taller>::from_snapshot(&saved).unwrap_err().to_string();
    assert_eq!(other, format!("column `bones` is a `[u16;3]` of 6 bytes, {retyped}"));
}

macro_rules! make {
    ($name:ident, $ty:ty) => {
        #[derive(Row)]
        #[row(snapshot)]
        struct $name {
            field: $ty,
        }
    };
}
make!(Made, u64);

/// A macro that defines the struct has identifiers of its own.
#[test]
fn a_struct_defined_by_a_macro() {
    let mut table = Table::new();
    let handle = table.insert(Made { field: 7 });
    let loaded: Table<Made> = Table::from_snapshot(&table.to_snapshot()).unwrap();
    assert_eq!(*loaded.get(handle).unwrap().field, 7);
}
