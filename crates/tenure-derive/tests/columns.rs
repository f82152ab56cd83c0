//! The storage implements the operations of the trait `Columns` for every column, and the views
//! show the result.

use tenure::table::{Columns, Kept, RowRef};
use tenure::{Order, Row};

/// Field names that might clash with those in generated code.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
struct Creature {
    len: u32,
    row: String,
    r#type: char,
}

type Creatures = <Creature as Row>::Columns;

fn creature(number: u32) -> Creature {
    Creature { len: number, row: format!("number {number}"), r#type: char::from_digit(number, 36).unwrap() }
}

fn creatures(numbers: impl IntoIterator<Item = u32>) -> Creatures {
    let mut creatures = Creatures::EMPTY;
    for number in numbers {
        creatures.try_reserve(1).unwrap();
        creatures.push(creature(number));
    }
    creatures
}

fn numbers(creatures: &Creatures) -> Vec<u32> {
    creatures.iter().map(number).collect()
}

/// The number of a creature, from which all its fields are derived.
fn number(it: CreatureRef<'_>) -> u32 {
    assert_eq!(creature(*it.len), Creature { len: *it.len, row: it.row.clone(), r#type: *it.r#type });
    *it.len
}

#[test]
fn push_and_pop() {
    let mut creatures = creatures(1..=2);
    assert_eq!((creatures.len(), creatures.is_empty()), (2, false));
    assert_eq!(creatures.pop(), Some(creature(2)));
    assert_eq!(creatures.pop(), Some(creature(1)));
    assert_eq!(creatures.pop(), None);
    assert_eq!((creatures.len(), creatures.is_empty()), (0, true));
}

#[test]
fn empty_columns_allocate_nothing() {
    let creatures = Creatures::EMPTY;
    assert_eq!((creatures.len(), creatures.capacity(), creatures.bytes()), (0, 0, 0));
}

#[test]
fn reserve_applies_to_every_column() {
    let mut creatures = Creatures::EMPTY;
    creatures.try_reserve_exact(10).unwrap();
    assert_eq!(creatures.capacity(), 10);
    assert_eq!(creatures.bytes(), 10 * (4 + size_of::<String>() + 4));
    let columns = creatures.slices();
    let before = (columns.len.as_ptr(), columns.row.as_ptr(), columns.r#type.as_ptr());
    for number in 0..10 {
        creatures.push(creature(number));
    }
    let columns = creatures.slices();
    assert_eq!(before, (columns.len.as_ptr(), columns.row.as_ptr(), columns.r#type.as_ptr()));
    creatures.truncate(3);
    creatures.shrink_to(5);
    assert_eq!(creatures.capacity(), 5);
    creatures.shrink_to_fit();
    assert_eq!(creatures.capacity(), 3);
}

#[test]
fn failed_reservations_are_errors() {
    let mut creatures = creatures(1..=2);
    assert!(creatures.try_reserve(usize::MAX).is_err());
    assert!(creatures.try_reserve_exact(usize::MAX).is_err());
    assert_eq!(numbers(&creatures), [1, 2]);
}

#[test]
fn capacity_is_that_of_the_smallest_column() {
    #[derive(Row)]
    struct Uneven {
        nothing: (),
        wide: u64,
        narrow: u8,
    }
    let mut rows = <Uneven as Row>::Columns::EMPTY;
    rows.try_reserve(1).unwrap();
    rows.push(Uneven { nothing: (), wide: 1, narrow: 2 });
    // A vector grows to 4 values of 8 bytes, but to 8 values of one byte; and it has room for any
    // number of zero-sized values.
    assert_eq!(rows.capacity(), 4);
}

#[test]
fn swap_remove_moves_the_last_row_into_the_gap() {
    let mut creatures = creatures(1..=4);
    assert_eq!(creatures.swap_remove(1), Some(creature(2)));
    assert_eq!(numbers(&creatures), [1, 4, 3]);
    assert_eq!(creatures.swap_remove(2), Some(creature(3)));
    assert_eq!(creatures.swap_remove(2), None);
    assert_eq!(numbers(&creatures), [1, 4]);
}

#[test]
fn swap() {
    let mut creatures = creatures(1..=4);
    creatures.swap(0, 2);
    assert_eq!(numbers(&creatures), [3, 2, 1, 4]);
}

#[test]
fn pack_moves_the_kept_rows_to_the_front() {
    let mut creatures = creatures(0..6);
    creatures.pack(&Kept::new(&[false, true, false, true, true, false]));
    creatures.truncate(3);
    assert_eq!(numbers(&creatures), [1, 3, 4]);
}

#[test]
#[should_panic(expected = "there are not as many values as rows")]
fn pack_panics_for_another_number_of_rows() {
    creatures(0..6).pack(&Kept::new(&[true, false]));
}

/// `fold` and `next` yield the same rows: from every start, for both kinds of iterators.
#[test]
fn fold_yields_the_same_rows_as_next() {
    let mut creatures = creatures(0..6);
    let mut left = creatures.iter();
    left.next();
    left.next_back();
    assert_eq!(left.fold(Vec::new(), |so_far, it| [so_far, vec![number(it)]].concat()), [1, 2, 3, 4]);
    let mut rows = creatures.iter_mut();
    rows.next();
    rows.for_each(|it| (*it.len, *it.row, *it.r#type) = (7, "number 7".into(), '7'));
    assert_eq!(numbers(&creatures), [0, 7, 7, 7, 7, 7]);
}

#[test]
fn truncate() {
    let mut creatures = creatures(0..6);
    creatures.truncate(7);
    assert_eq!(creatures.len(), 6);
    creatures.truncate(2);
    assert_eq!(numbers(&creatures), [0, 1]);
}

#[test]
fn gather() {
    let mut creatures = creatures(0..4);
    creatures.gather(&Order::new(vec![2, 0, 3, 1]).unwrap());
    assert_eq!(numbers(&creatures), [2, 0, 3, 1]);
}

#[test]
fn row_and_row_mut() {
    let mut creatures = creatures(1..=2);
    let CreatureRef { len, row, r#type } = creatures.row(1).unwrap();
    assert_eq!((*len, &**row, *r#type), (2, "number 2", '2'));
    assert!(creatures.row(2).is_none());
    assert!(creatures.row_mut(2).is_none());

    let CreatureMut { len, row, r#type } = creatures.row_mut(0).unwrap();
    (*len, *row, *r#type) = (3, "number 3".to_owned(), '3');
    assert_eq!(numbers(&creatures), [3, 2]);
}

#[test]
fn slices_and_slices_mut() {
    let mut creatures = creatures(1..=2);
    let CreatureColumns { len, row, r#type } = creatures.slices();
    assert_eq!((len, row[1].as_str(), r#type), (&[1, 2][..], "number 2", &['1', '2'][..]));

    let CreatureColumnsMut { len, row, r#type } = creatures.slices_mut();
    (len[1], row[1], r#type[1]) = (7, "number 7".to_owned(), '7');
    assert_eq!(numbers(&creatures), [1, 7]);
}

#[test]
fn split_at() {
    let mut creatures = creatures(0..5);
    let (front, back) = Creatures::split_at(creatures.slices_mut(), 2);
    assert_eq!((front.len, back.len), (&mut [0, 1][..], &mut [2, 3, 4][..]));
    std::mem::swap(&mut front.row[0], &mut back.row[0]);
    assert_eq!((&*front.row[0], &*back.row[0], &*back.r#type), ("number 2", "number 0", &['2', '3', '4'][..]));
    let (all, none) = Creatures::split_at(creatures.slices_mut(), 5);
    assert_eq!((all.row.len(), none.row.len(), none.r#type.len()), (5, 0, 0));
}

#[test]
fn iterators_are_double_ended() {
    let mut creatures = creatures(0..6);
    let mut iter = creatures.iter();
    assert_eq!((iter.len(), iter.size_hint()), (6, (6, Some(6))));
    assert_eq!(iter.next().map(number), Some(0));
    assert_eq!(iter.next_back().map(number), Some(5));
    assert_eq!(iter.clone().map(number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(iter.nth(1).map(number), Some(2));
    assert_eq!(iter.nth_back(0).map(number), Some(4));
    assert_eq!(iter.len(), 1);
    assert_eq!(iter.nth(1).map(number), None);
    assert_eq!((iter.len(), iter.next().map(number), iter.next_back().map(number)), (0, None, None));

    let mut iter = creatures.iter_mut();
    assert_eq!(*iter.nth(1).unwrap().len, 1);
    assert_eq!(*iter.nth_back(1).unwrap().row, "number 4");
    assert_eq!(iter.len(), 2);
    for row in iter.rev() {
        *row.len *= 10;
    }
    assert_eq!(creatures.slices().len, [0, 1, 20, 30, 4, 5]);
}

#[test]
fn into_iter_yields_whole_rows_from_both_ends() {
    let mut iter = creatures(0..5).into_iter();
    assert_eq!(iter.len(), 5);
    assert_eq!(iter.next(), Some(creature(0)));
    assert_eq!(iter.next_back(), Some(creature(4)));
    assert_eq!(iter.nth(1), Some(creature(2)));
    assert_eq!((iter.len(), iter.nth_back(1)), (1, None));
    assert_eq!((iter.len(), iter.next(), iter.next_back()), (0, None, None));
}

#[test]
fn clones_are_equal_and_independent() {
    let mut original = creatures(0..3);
    let clone = original.clone();
    assert_eq!(original, clone);
    *original.row_mut(2).unwrap().r#type = '!';
    assert_ne!(original, clone);
    assert_eq!(numbers(&clone), [0, 1, 2]);
}

#[test]
fn clone_from_reuses_the_memory() {
    let mut copy = creatures(0..9);
    let before = (copy.slices().len.as_ptr(), copy.slices().row.as_ptr(), copy.slices().row[0].as_ptr());
    copy.clone_from(&creatures(3..6));
    assert_eq!(numbers(&copy), [3, 4, 5]);
    assert_eq!(before, (copy.slices().len.as_ptr(), copy.slices().row.as_ptr(), copy.slices().row[0].as_ptr()));
    copy.clone_from(&creatures(0..12));
    assert_eq!(numbers(&copy), Vec::from_iter(0..12));
}

#[test]
fn views_are_printed_compared_and_copied() {
    let (mut a, mut b) = (creatures(1..=2), creatures(2..=3));
    let (row, columns) = (a.row(1).unwrap(), a.slices());
    let (copied_row, copied_columns) = (row, columns);
    assert_eq!((row, columns), (copied_row, copied_columns));
    assert_eq!(a.row(1), b.row(0));
    assert_ne!(a.row(0), b.row(0));
    assert_ne!(a.slices(), b.slices());
    assert_eq!(a.row_mut(1), b.row_mut(0));
    assert_ne!(a.slices_mut(), b.slices_mut());

    assert_eq!(format!("{:?}", a.row(0).unwrap()), r#"CreatureRef { len: 1, row: "number 1", type: '1' }"#);
    assert_eq!(format!("{:?}", a.row_mut(0).unwrap()), r#"CreatureMut { len: 1, row: "number 1", type: '1' }"#);
    let columns = r#"{ len: [1, 2], row: ["number 1", "number 2"], type: ['1', '2'] }"#;
    assert_eq!(format!("{:?}", a.slices()), format!("CreatureColumns {columns}"));
    assert_eq!(format!("{:?}", a.slices_mut()), format!("CreatureColumnsMut {columns}"));
    assert_eq!(format!("{a:?}"), format!("CreatureColumns {columns}"));
    assert_eq!(format!("{:?}", a.iter()), "CreatureIter { len: 2, .. }");
}

#[test]
fn a_mutable_row_converts_to_a_shared_one() {
    let mut creatures = creatures(1..=2);
    let row = creatures.row_mut(1).unwrap();
    assert_eq!(number(row.as_ref()), 2);
    *row.len = 7;
    assert_eq!(*row.as_ref().len, 7);
}

/// As in tables: closures that take a row for any lifetime, while the rows contain borrowed data.
#[test]
fn closures_take_rows_with_lifetimes() {
    #[derive(Row)]
    struct Named<'w> {
        name: &'w str,
    }

    fn count<C: Columns>(columns: &C, mut is_counted: impl FnMut(RowRef<'_, C>) -> bool) -> usize {
        (0..columns.len()).filter(|&row| columns.row(row).is_some_and(&mut is_counted)).count()
    }

    let text = String::from("ant bee cat");
    let mut named = <Named<'_> as Row>::Columns::EMPTY;
    for name in text.split(' ') {
        named.push(Named { name });
    }
    assert_eq!(count(&named, |row| row.name.contains('a')), 2);
}
