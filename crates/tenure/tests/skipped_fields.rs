//! A field that a table does not store is dropped at insertion and made anew at removal: code of the caller's, which may panic.

use tenure::{Row, Table};
use test_support::quiet;

/// Panics when it is dropped, if told so.
#[derive(Default)]
struct Bomb {
    armed: bool,
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.armed, "boom");
    }
}

#[derive(Row)]
struct Item {
    name: String,
    price: u32,
    #[row(skip)]
    #[allow(dead_code, reason = "it is there to be dropped")]
    bomb: Bomb,
}

fn item(name: &str, armed: bool) -> Item {
    Item { name: name.into(), price: 1, bomb: Bomb { armed } }
}

#[test]
fn a_panic_leaves_a_valid_table() {
    let mut table = Table::new();
    let first = table.insert(item("first", false));
    assert!(quiet::catch(|| table.insert(item("second", true))).is_err());
    table.validate().unwrap();

    assert!(quiet::catch(|| table.insert_at(first, item("other", true)).map(drop)).is_err());
    table.validate().unwrap();
    assert_eq!(table.get(first).unwrap().name, "first");

    let handle = table.reserve_handle();
    assert!(quiet::catch(|| table.fill(handle, item("third", true)).map(drop)).is_err());
    table.validate().unwrap();
    assert!(quiet::catch(|| table.extend([item("fourth", false), item("fifth", true)])).is_err());
    table.validate().unwrap();
    assert!(table.values().all(|row| *row.price == 1));
    table.clear();
    table.validate().unwrap();
}
