//! Methods that only tables and dense pools have. The rig tests those that they share with pools;
//! programs that must not compile are `compile_fail` tests in `test_support::refused`.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use tenure::table::{self, Follow};
use tenure::{Compact, DensePool, GetDisjointMutError, Handle, LoanError, Order, Row, Table, Wide, dense};
use test_support::fuse::Tinder;
use test_support::{fuse, quiet};

#[derive(Clone, Debug, PartialEq, Row)]
struct Creature {
    name: String,
    energy: i32,
    marked: bool,
}

fn creature(energy: i32) -> Creature {
    Creature { name: format!("creature {energy}"), energy, marked: false }
}

fn herd(size: i32) -> (Table<Creature>, Vec<Handle<Creature>>) {
    let table: Table<Creature> = (0..size).map(creature).collect();
    let handles = table.handles().collect::<Vec<_>>();
    (table, handles)
}

/// Checks that every handle resolves to its own creature, and that the values of every row belong
/// together.
fn check(table: &Table<Creature>, handles: &[Handle<Creature>]) {
    table.validate().unwrap();
    for (row, (handle, creature)) in table.iter().enumerate() {
        assert_eq!(table.row_of(handle), Some(row));
        assert_eq!(*creature.name, format!("creature {}", creature.energy));
    }
    for (energy, &handle) in (0..).zip(handles) {
        assert!(table.get(handle).is_none_or(|creature| *creature.energy == energy));
    }
}

mod threads {
    use super::*;

    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}

    #[test]
    fn tables_are_send_and_sync_if_their_values_are() {
        is_send::<Table<Creature>>();
        is_sync::<Table<Creature>>();
        is_send::<Table<Creature, Handle<Rc<()>>>>();
        is_sync::<Table<Creature, Handle<Rc<()>>>>();
        is_send::<DensePool<String>>();
        is_sync::<DensePool<String>>();
        is_send::<DensePool<Cell<u8>>>();
        is_send::<dense::Loans<'_, Cell<u8>>>();
        is_send::<dense::SliceMut<'_, Cell<u8>>>();
        is_send::<table::Iter<'_, Vec<String>, Handle<String>>>();
        is_send::<table::IterMut<'_, Vec<Cell<u8>>, Handle<u8>>>();
        is_send::<table::IntoIter<Vec<Cell<u8>>, Handle<u8>>>();
        is_send::<table::ChunksMut<'_, Vec<Cell<u8>>, Handle<u8>>>();
        is_send::<table::Chunk<'_, Vec<Cell<u8>>, Handle<u8>>>();
    }

    #[test]
    fn chunks_go_to_threads_and_cover_every_row_once() {
        for (rows, size) in [(0, 3), (1, 1), (7, 3), (9, 3), (100, 7), (5, 100)] {
            let (mut table, handles) = herd(rows);
            let chunks = table.chunks_mut(size);
            assert_eq!(chunks.len(), (rows as usize).div_ceil(size));
            std::thread::scope(|scope| {
                for chunk in chunks {
                    let (first, rows) = (chunk.first_row, chunk.handles);
                    let seen = &handles[first..first + rows.len()];
                    scope.spawn(move || {
                        assert_eq!(rows, seen);
                        let CreatureColumnsMut { name, energy, marked } = chunk.columns;
                        assert_eq!([name.len(), energy.len(), marked.len()], [rows.len(); 3]);
                        for marked in marked {
                            assert!(!std::mem::replace(marked, true), "a row is in two chunks");
                        }
                    });
                }
            });
            assert!(table.columns().marked.iter().all(|marked| *marked));
            check(&table, &handles);
        }
    }
}

#[test]
fn chunks_one_after_the_other() {
    let mut pool: DensePool<u32> = (0..10).collect();
    let mut chunks = pool.chunks_mut(4);
    let mut next = 0;
    for left in [3, 2, 1] {
        assert_eq!((chunks.len(), chunks.size_hint()), (left, (left, Some(left))));
        let chunk = chunks.next().unwrap();
        assert_eq!(chunk.first_row, next);
        assert!(chunk.columns.iter().copied().eq(next as u32..(next + chunk.handles.len()) as u32));
        next += chunk.handles.len();
    }
    assert!(chunks.next().is_none() && chunks.next().is_none());
    assert_eq!(next, 10);
}

#[test]
fn finding_rows() {
    let (mut table, handles) = herd(50);
    table.sort_by(|a, b| b.energy.cmp(a.energy));
    assert_eq!(table.find_by(|creature| *creature.energy == 20), Some(handles[20]));
    assert_eq!(table.find_by(|creature| *creature.energy == 50), None);
    for (energy, &handle) in (0..).zip(&handles) {
        let row = table.binary_search_by(|creature| energy.cmp(creature.energy));
        assert_eq!(row.ok(), table.row_of(handle));
    }
    assert_eq!(table.binary_search_by(|creature| 70.cmp(creature.energy)), Err(0));
    assert_eq!(table.binary_search_by_key(&-3, |creature| -creature.energy), Ok(46));
    assert_eq!(table.binary_search_by_key(&9, |creature| -creature.energy), Err(50));
    check(&table, &handles);
}

#[test]
fn several_rows_at_once() {
    let (mut table, handles) = herd(5);
    table.remove(handles[0]);
    // Not in the order of the rows: the last row was moved into the gap.
    let [four, one] = table.get_disjoint_mut([handles[4], handles[1]]).unwrap();
    assert_eq!((*four.energy, *one.energy), (4, 1));
    std::mem::swap(four.marked, one.marked);
    assert!(matches!(
        table.get_disjoint_mut([handles[1], handles[0]]),
        Err(GetDisjointMutError::NotLive { position: 1, .. })
    ));
    assert!(matches!(
        table.get_disjoint_mut([handles[1], handles[2], handles[1]]),
        Err(GetDisjointMutError::Overlapping { first: 0, second: 2, .. })
    ));
    assert!(table.get_disjoint_mut([]).is_ok());
    check(&table, &handles);
}

#[test]
fn loans_of_a_dense_pool() {
    let mut pool: DensePool<u32> = (0..100).collect();
    let handles: Vec<_> = pool.handles().collect();
    pool.remove(handles[3]);
    {
        let loans = pool.borrow_many();
        let lent: Vec<&mut u32> = handles.iter().filter_map(|&handle| loans.get_mut(handle).ok()).collect();
        assert_eq!(lent.len(), 99);
        assert!(handles.iter().all(|&handle| match loans.get_mut(handle) {
            Err(LoanError::AlreadyLent) => handle != handles[3],
            Err(_) => handle == handles[3],
            Ok(_) => false,
        }));
        lent.into_iter().for_each(|value| *value *= 2);
    }
    assert!((0..).zip(&handles).all(|(n, &handle)| pool.get(handle).is_none_or(|value| *value == 2 * n)));
    pool.validate().unwrap();
}

#[test]
fn the_handle_of_a_value() {
    let mut pool: DensePool<[u8; 3]> = (0..10).map(|n| [n; 3]).collect();
    let third = pool.handle_at(3).unwrap();
    let first = pool.handle_at(0).unwrap();
    pool.remove(first);
    pool.as_mut_slice().reverse();
    for (handle, value) in &pool {
        assert_eq!(pool.handle_of(value), Some(handle));
    }
    assert_eq!(pool.handle_of(&[3; 3]), None);
    let mut bytes: DensePool<u8> = (0..10).collect();
    assert_eq!(bytes.handle_of(&pool[third][1]), None);
    bytes.clear();
    assert_eq!(bytes.handle_of(&0), None);

    let mut nothing = DensePool::from([()]);
    let only = nothing.handles().next().unwrap();
    assert_eq!(nothing.handle_of(&nothing[only]), Some(only));
    nothing.insert(());
    assert_eq!(nothing.handle_of(&nothing[only]), None);
    nothing.clear();
    assert_eq!(nothing.handle_of(&()), None);
}

/// Removes many handles at once, in any order of their slots and with any number of former tenants.
/// Free slots are reused afterwards, and retired ones are not.
#[test]
fn many_handles_are_removed_together() {
    let mut pool: DensePool<u32, Handle<u32, Compact<29>>> = DensePool::EMPTY;
    let mut ever = BTreeSet::new();
    for round in 0..12 {
        while pool.len() < 300 {
            assert!(ever.insert(pool.insert(round)), "a handle is issued once");
        }
        let mut turn = 0;
        pool.apply_order(&(0..300).map(|row| row * 77 % 300).collect::<Vec<_>>()).unwrap();
        pool.retain(|handle, _| {
            turn += 1;
            (handle.index() / 3 + turn + round) % 3 != 0
        });
        pool.validate().unwrap();
        let dead: Vec<_> = pool.handles().filter(|handle| handle.index() % 64 < 20).collect();
        assert_eq!(pool.remove_many(dead.iter().rev().chain(&dead).copied()), dead.len());
        pool.validate().unwrap();
        assert!(dead.iter().all(|&dead| !pool.contains(dead)));
    }
    assert!(pool.stats().retired > 0);
}

#[test]
fn values_without_size() {
    let mut pool: DensePool<()> = DensePool::new();
    let handles: Vec<_> = (0..100).map(|_| pool.insert(())).collect();
    pool.remove_many(handles.iter().copied().step_by(3));
    pool.sort_by(|(), ()| std::cmp::Ordering::Less);
    pool.sort_unstable_by_key(|()| 0);
    assert_eq!((pool.len(), pool.drain().count()), (66, 66));
    assert!(handles.iter().all(|&handle| !pool.contains(handle)));
    pool.validate().unwrap();
}

/// Methods of a slice that reorder values reorder their handles, too.
#[test]
fn slices_keep_handles() {
    let mut pool: DensePool<u32> = [5, 3, 9, 1, 7, 3].into_iter().collect();
    let named: Vec<(Handle<u32>, u32)> = pool.iter().map(|(handle, value)| (handle, *value)).collect();
    let ways: [fn(&mut dense::SliceMut<'_, u32>); 9] = [
        |slice| slice.swap(0, 4),
        |slice| slice.reverse(),
        |slice| slice.sort(),
        |slice| slice.sort_by(|a, b| b.cmp(a)),
        |slice| slice.sort_by_key(|value| value % 4),
        |slice| slice.sort_unstable(),
        |slice| slice.sort_unstable_by(|a, b| b.cmp(a)),
        |slice| slice.sort_unstable_by_key(|value| value % 4),
        |slice| slice.swap(2, 2),
    ];
    for way in ways {
        let mut plain = pool.as_slice().to_vec();
        way(&mut pool.as_mut_slice());
        pool.validate().unwrap();
        assert!(named.iter().all(|&(handle, value)| pool[handle] == value));
        plain.sort_unstable();
        let mut sorted = pool.as_slice().to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, plain);
    }
    let mut slice = pool.as_mut_slice();
    slice[0] += 10;
    slice.iter_mut().for_each(|value| *value += 1);
    *slice.first_mut().unwrap() += 1;
    *slice.last_mut().unwrap() += 1;
    assert_eq!(slice.get_mut(6), None);
    assert_eq!((slice.len(), slice[1..3].len()), (6, 2));
    slice.into_iter().for_each(|value| *value = 0);
    assert_eq!(pool.as_slice(), [0; 6]);
    assert!(DensePool::<u8>::new().as_mut_slice().last_mut().is_none());
}

#[test]
fn iterators_are_double_ended_and_exact_size() {
    /// Takes from both ends in turn.
    fn alternating<T>(mut items: impl DoubleEndedIterator<Item = T> + ExactSizeIterator) -> Vec<T> {
        let mut taken = Vec::new();
        while let Some(item) = if items.len() % 2 == 0 { items.next() } else { items.next_back() } {
            taken.push(item);
            assert_eq!(items.size_hint(), (items.len(), Some(items.len())));
        }
        assert!(items.next().is_none() && items.next_back().is_none());
        taken
    }
    let (mut table, handles) = herd(7);
    let expected = alternating(0..7);
    assert_eq!(alternating(table.iter().map(|(_, creature)| *creature.energy)), expected);
    assert_eq!(alternating(table.iter_mut().map(|(_, creature)| *creature.energy)), expected);
    assert_eq!(alternating(table.values().map(|creature| *creature.energy)), expected);
    assert_eq!(alternating(table.values_mut().map(|creature| *creature.energy)), expected);
    assert_eq!(alternating(table.clone().into_iter().map(|(_, creature)| creature.energy)), expected);
    assert_eq!(alternating(table.clone().into_values().map(|creature| creature.energy)), expected);
    assert_eq!(alternating(table.iter().map(|(handle, _)| handle)), alternating(handles.iter().copied()));
    assert_eq!(table.iter().nth(3).map(|(handle, creature)| (handle, *creature.energy)), Some((handles[3], 3)));
    assert_eq!(
        table.iter_mut().skip(2).step_by(2).map(|(handle, _)| handle).collect::<Vec<_>>(),
        [handles[2], handles[4], handles[6]]
    );
    let mut drain = table.drain();
    assert_eq!((drain.len(), drain.next().map(|(handle, _)| handle), drain.len()), (7, Some(handles[0]), 6));
}

/// Values that borrow: no method requires `'static`.
#[test]
fn values_that_borrow() {
    fn shortest<'a>(words: &'a str) -> Vec<&'a str> {
        let mut pool: DensePool<&'a str> = words.split(' ').collect();
        pool.retain(|_, word| !word.is_empty());
        pool.sort_by(|a, b| a.len().cmp(&b.len()));
        pool.sort_by_key(|word| word.len());
        pool.compact_by_key(|_, word| Some(word.len()));
        pool.extract_if(|_, word| word.len() > 9).for_each(drop);
        let mut seen = Vec::new();
        pool.on_move(|from, to| seen.push((from, to))).sort_unstable_by_key(|word| std::cmp::Reverse(word.len()));
        pool.as_slice().to_vec()
    }
    let text = String::from("rows  that borrow words");
    assert_eq!(shortest(&text), ["borrow", "words", "rows", "that"]);

    #[derive(Row)]
    struct Line<'a> {
        text: &'a str,
        number: usize,
    }
    let mut lines: Table<Line<'_>> = text.split(' ').zip(1..).map(|(text, number)| Line { text, number }).collect();
    lines.retain(|_, line| !line.text.is_empty());
    lines.sort_by(|a, b| b.text.cmp(a.text));
    assert_eq!(lines.columns().number, [5, 3, 1, 4]);
}

#[test]
fn handles_that_are_pending_have_no_row() {
    let (mut table, _) = herd(3);
    let named = table.reserve_handle();
    let taken = table.raw_handles()[0];
    assert_eq!(table.take(taken).map(|creature| creature.energy), Some(0));
    assert_eq!((table.len(), table.row_of(named), table.row_of(taken)), (2, None, None));
    table.fill(named, creature(9)).unwrap();
    table.fill(taken, creature(8)).unwrap();
    assert_eq!(table.columns().energy, [2, 1, 9, 8]);
    assert_eq!(table.fill(named, creature(7)).unwrap_err().into_inner().energy, 7);
    table.validate().unwrap();

    // Every kind of removal releases them.
    let pending: Vec<_> = (0..3).map(|_| table.reserve_handle()).collect();
    assert!(table.remove(pending[0]).is_none());
    assert!(table.remove_ordered(pending[1]).is_none());
    assert_eq!(table.remove_many([pending[2], pending[2]]), 0);
    assert_eq!(table.stats().pending, 0);
    table.validate().unwrap();
}

mod moves {
    use super::*;

    type Rows = Table<Creature>;
    type Way = (&'static str, fn(&mut dyn FnMut(usize, usize), &mut Rows));

    /// Every method that moves rows, with a closure that is called for each move.
    const WAYS: [Way; 10] = [
        ("remove", |follower, rows| _ = rows.on_move(follower).remove(nth(1))),
        ("take", |follower, rows| _ = rows.on_move(follower).take(nth(1))),
        ("remove_ordered", |follower, rows| _ = rows.on_move(follower).remove_ordered(nth(1))),
        ("remove_many", |follower, rows| _ = rows.on_move(follower).remove_many([nth(0), nth(4)])),
        ("retain", |follower, rows| rows.on_move(follower).retain(|_, creature| *creature.energy % 3 != 1)),
        ("compact_by_key", |follower, rows| {
            rows.on_move(follower).compact_by_key(|_, creature| (*creature.energy != 2).then_some(-creature.energy));
        }),
        ("sort_by_key", |follower, rows| rows.on_move(follower).sort_by_key(|creature| -creature.energy)),
        ("sort_in_place_by", |follower, rows| rows.on_move(follower).sort_in_place_by(|a, b| b.energy.cmp(a.energy))),
        ("apply_order", |follower, rows| rows.on_move(follower).apply_order(&[5, 0, 1, 3, 2, 4]).unwrap()),
        ("swap_rows", |follower, rows| rows.on_move(follower).swap_rows(1, 4)),
    ];

    /// The handle of a row that has not moved.
    fn nth(row: u32) -> Handle<Creature> {
        Handle::from_parts(row, 1).unwrap()
    }

    /// Every row that moved is reported once, with its old and its new position; no other row is
    /// reported.
    #[test]
    fn every_move_is_reported_once() {
        for (name, way) in WAYS {
            let (mut table, _) = herd(6);
            let before = table.handles().collect::<Vec<_>>();
            let mut moves = BTreeSet::new();
            way(
                &mut |from, to| assert!(moves.insert((from, to)), "{name}: {from} to {to} was reported twice"),
                &mut table,
            );
            let was = |handle| before.iter().position(|other| *other == handle).unwrap();
            let now = table.handles().enumerate().map(|(to, handle)| (was(handle), to));
            assert_eq!(moves, now.filter(|(from, to)| from != to).collect(), "{name}");
            assert!(!moves.is_empty(), "{name}");
        }
    }

    /// A follower may panic: the table stays valid, and the operation is completed.
    #[test]
    fn a_panicking_follower_leaves_the_table_valid() {
        for (name, way) in WAYS {
            let (mut expected, handles) = herd(6);
            way(&mut |_, _| {}, &mut expected);
            let (mut table, _) = herd(6);
            assert!(quiet::catch(|| way(&mut |_, _| panic!("no"), &mut table)).is_err(), "{name}");
            check(&table, &handles);
            assert_eq!(table, expected, "{name}");
        }
    }

    /// Side data of another length than the rows is noticed.
    #[test]
    fn side_data_of_another_length_panics() {
        let (mut table, handles) = herd(6);
        for wrong in [-1_isize, 1] {
            let side = |table: &Table<Creature>| vec![0; table.len().saturating_add_signed(wrong)];
            let first = table.raw_handles()[0];
            let mut side_data = side(&table);
            assert!(quiet::catch(|| table.following(&mut side_data).remove(first)).is_err());
            let mut side_data = side(&table);
            assert!(
                quiet::catch(|| table.following(&mut side_data).sort_by_key(|creature| *creature.energy)).is_err()
            );
            check(&table, &handles);
        }
    }

    /// A follower written by hand, and a pair of followers.
    #[test]
    fn custom_followers_and_pairs_of_followers() {
        #[derive(Default)]
        struct Count(usize);

        impl Follow for Count {
            fn swap_removed(&mut self, _: usize, _: usize) {
                self.0 += 1;
            }
            fn packed(&mut self, _: &tenure::table::Kept) {
                self.0 += 10;
            }
            fn reordered(&mut self, _: &Order) {
                self.0 += 100;
            }
            fn swapped(&mut self, _: usize, _: usize) {
                self.0 += 1_000;
            }
            fn truncated(&mut self, _: usize) {
                self.0 += 10_000;
            }
        }

        let (mut table, handles) = herd(6);
        let (mut count, mut side) = (Count::default(), (0..6).collect::<Vec<i32>>());
        let mut rows = table.following((&mut count, &mut side));
        rows.remove(handles[0]);
        rows.remove_ordered(handles[1]);
        rows.sort_by_key(|creature| -creature.energy);
        rows.swap_rows(0, 1);
        rows.compact_by_key(|_, creature| (*creature.energy != 2).then_some(*creature.energy));
        assert_eq!(side, [3, 4, 5]);
        table.following((&mut count, &mut side)).clear();
        assert_eq!((count.0, side.len(), table.len()), (1 + 10 + 100 + 1_000 + 10_100 + 10_000, 0, 0));
    }
}

#[test]
fn handles_are_reserved_until_the_table_is_full() {
    let mut table: DensePool<u32, Handle<u32, Compact<2>>> = DensePool::default();
    let handles: Vec<_> = (0..3).map(|_| table.try_reserve_handle().unwrap()).collect();
    assert!(table.try_reserve_handle().is_err());
    for (&handle, value) in handles.iter().zip(10..) {
        table.fill(handle, value).unwrap();
    }
    assert_eq!(handles.iter().map(|&handle| table[handle]).collect::<Vec<_>>(), [10, 11, 12]);
}

#[test]
fn bytes_count_slots_handles_and_columns() {
    let mut pool: DensePool<u8> = DensePool::with_capacity(1_000);
    pool.insert(1);
    // A slot is a mark and a row number.
    let least = 1_000 * (8 + size_of::<Handle<u8>>() + 1);
    assert!((least..2 * least).contains(&pool.stats().bytes), "{} bytes", pool.stats().bytes);
}

/// Rows are packed in blocks of 65,536; here the second of two blocks is not full.
#[test]
#[cfg_attr(miri, ignore = "65,636 rows")]
fn rows_of_more_than_one_block_are_removed() {
    let mut pool: DensePool<u32> = (0..65_536 + 100).collect();
    let handles: Vec<_> = pool.handles().collect();
    let dead = || handles.iter().copied().step_by(3);
    assert_eq!(pool.remove_many(dead()), dead().count());
    pool.validate().unwrap();
    assert!(dead().all(|handle| !pool.contains(handle)));
    assert_eq!(pool.len(), handles.len() - dead().count());
    assert!((0..).zip(&handles).all(|(n, &handle)| n % 3 == 0 || pool[handle] == n));
}

#[test]
fn invalid_orders_are_rejected() {
    let (mut table, handles) = herd(3);
    let mut say = |rows: &[u32]| table.apply_order(rows).unwrap_err().to_string();
    assert_eq!(say(&[0, 1]), "not an order of the rows: 2 numbers for 3 rows");
    let wrong = "not an order of rows: the number at position 2 is too high, or occurred before";
    assert_eq!((say(&[0, 1, 1]).as_str(), say(&[1, 0, 3]).as_str()), (wrong, wrong));
    check(&table, &handles);
}

#[test]
fn other_layouts_and_kinds() {
    struct About;
    let mut table: Table<Creature, Handle<About, Wide>> = Table::EMPTY;
    let handle: Handle<About> = table.insert(creature(1));
    assert_eq!(table.columns().energy, [1]);
    let mut copy = table.clone();
    copy.clear();
    copy.clone_from(&table);
    assert_eq!(copy, table);
    assert!(copy.contains(handle));
    let mapped: DensePool<u64> = DensePool::from([1_u32, 2]).map_values(u64::from).into_values().collect();
    assert_eq!(mapped.as_slice(), [1, 2]);
}

/// A field without a column is dropped when a row is inserted and created when it is removed, and
/// may panic both times.
#[test]
fn a_skipped_field_that_panics_leaves_a_valid_table() {
    #[derive(Row)]
    struct Fragile {
        id: u32,
        #[row(skip)]
        fuse: Tinder,
    }

    type Rows = Table<Fragile>;
    type Way<'a> = &'a dyn Fn(&mut Rows, &[Handle<Fragile>]);
    let row = |id| Fragile { id, fuse: Tinder };
    // The handle of row 5 is pending, and that of row 6 is dead.
    let make = || {
        let mut rows: Rows = (0..7).map(row).collect();
        let handles = rows.handles().collect::<Vec<_>>();
        let _ = rows.take(handles[5]);
        rows.remove(handles[6]);
        (rows, handles)
    };
    let ways: [Way<'_>; 10] = [
        &|rows, _| _ = rows.insert(row(7)),
        &|rows, _| _ = rows.insert_with(|_| row(7)),
        &|rows, _| rows.extend((7..9).map(row)),
        &|rows, handles| rows.fill(handles[5], row(5)).unwrap_or_default(),
        &|rows, handles| _ = rows.insert_at(handles[6], row(6)).ok(),
        &|rows, handles| _ = rows.insert_at(handles[1], row(1)).ok(),
        &|rows, handles| _ = rows.remove(handles[1]),
        &|rows, handles| _ = rows.remove_ordered(handles[1]),
        &|rows, _| rows.extract_if(|_, row| *row.id < 3).for_each(drop),
        &|rows, handles| assert!(rows.drain().all(|(handle, row)| handles[row.id as usize] == handle)),
    ];
    for (number, way) in ways.iter().enumerate() {
        let mut calls = 0;
        loop {
            let (mut rows, handles) = make();
            fuse::arm(calls);
            let result = quiet::catch(|| way(&mut rows, &handles));
            let blown = fuse::disarm();
            assert_eq!(result.is_err(), blown, "way {number}: {result:?}");
            assert_eq!(rows.validate(), Ok(()), "way {number}, call {calls}");
            assert!((0..).zip(&handles).all(|(id, &handle)| rows.get(handle).is_none_or(|row| *row.id == id)));
            let new = rows.insert(row(9));
            assert_eq!(*rows.get(new).unwrap().id, 9);
            if !blown {
                break;
            }
            calls += 1;
        }
        assert!(calls > 0, "way {number} did not panic");
    }
}

mod copies {
    use super::*;

    /// The bit sets of a copy cover as many slots as those of its original, which may be many more
    /// than it has slots.
    #[test]
    #[cfg_attr(miri, ignore = "30,000 rows")]
    fn of_a_table_with_spare_capacity_grow_and_shrink() {
        let mut original = DensePool::with_capacity(20_000);
        let handles: Vec<_> = (0..200).map(|number| original.insert(number)).collect();
        handles.iter().step_by(3).for_each(|&handle| _ = original.remove(handle));
        for slots in [201, 300, 5_000, 30_000] {
            let mut copy = original.clone();
            copy.validate().unwrap();
            assert!(copy.capacity() < 20_000 && copy == original);
            let more: Vec<_> = (200..slots).map(|number| copy.insert(number)).collect();
            copy.validate().unwrap();
            assert!(more.iter().zip(200..).all(|(&handle, number)| copy[handle] == number));
            more.iter().for_each(|&handle| _ = copy.remove(handle));
            copy.shrink_to_fit();
            copy.validate().unwrap();
            assert!(copy.iter().all(|(handle, value)| original.get(handle) == Some(value)));
            assert_eq!(copy.len(), original.len());
        }
    }
}
