//! Derived rows in a table.

use tenure::{Row, Table};

#[derive(Clone, Debug, PartialEq, Row)]
struct Vec2 {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Creature<'w> {
    #[row(nested)]
    pos: Vec2,
    name: &'w str,
    #[row(skip)]
    scratch: Vec<u8>,
}

fn creature(x: f32, name: &str) -> Creature<'_> {
    Creature { pos: Vec2 { x, y: 0.0 }, name, scratch: vec![1] }
}

#[test]
fn rows_are_found_mutated_sorted_and_removed() {
    let names = String::from("ant bee cat");
    let mut names = names.split(' ');
    let mut herd = Table::new();
    let [ant, bee, cat] = [3.0, 1.0, 2.0].map(|x| herd.insert(creature(x, names.next().unwrap())));

    let CreatureColumnsMut { pos, name } = herd.columns_mut();
    for (y, x) in pos.y.iter_mut().zip(&*pos.x) {
        *y = -x;
    }
    assert_eq!(name, ["ant", "bee", "cat"]);

    herd.sort_by(|a, b| a.pos.x.total_cmp(b.pos.x));
    assert_eq!(herd.columns().name, ["bee", "cat", "ant"]);
    assert_eq!(herd.iter().filter(|(_, row)| row.name.contains('a')).count(), 2);
    *herd.get_mut(cat).unwrap().pos.x = 9.0;

    let copy = herd.clone();
    assert_eq!(copy, herd);
    let removed = herd.remove(cat).unwrap();
    assert_eq!(removed, Creature { pos: Vec2 { x: 9.0, y: -2.0 }, name: "cat", scratch: vec![] });
    assert!(herd.get(cat).is_none());
    assert_eq!((herd.row_of(bee), herd.row_of(ant)), (Some(0), Some(1)));
    herd.clone_from(&copy);
    assert_eq!(copy, herd);
    assert_eq!(herd.into_iter().map(|(_, row)| row.name).collect::<Vec<_>>(), ["bee", "cat", "ant"]);
}
