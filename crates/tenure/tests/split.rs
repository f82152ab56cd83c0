//! Splits of a stable pool: values are mutated and removed while others are spawned. Also splits
//! whose halves are forgotten.

use std::collections::HashMap;
use std::iter::FusedIterator;
use std::mem;

use tenure::{Compact, Handle, Live, Spawner, StablePool, Status};
use test_support::stable::{insert_all, numbers, slot_count};
use test_support::{Tracked, forge, ledger, quiet, small};

// ---- splits ----

#[test]
fn spawned_values_are_found_after_both_halves_are_dropped() {
    let (mut pool, old) = numbers(3);
    let (mut live, spawner) = pool.split();
    let spawned = spawner.spawn(9);
    assert_eq!((live.get(spawned), live.contains(spawned)), (None, false));
    assert_eq!(live.get_mut(spawned), None);
    assert_eq!(live.remove(spawned), None);
    assert_eq!(live.iter().map(|(handle, _)| handle).collect::<Vec<_>>(), old);
    assert_eq!((live.values().count(), live.values_mut().count(), live.iter_mut().count()), (3, 3, 3));
    live.for_each_mut(|_, others| assert!(!others.contains(spawned)));
    drop(spawner);
    assert!(!live.contains(spawned));
    drop(live);
    assert_eq!((pool.get(spawned), pool.status(spawned), pool.len()), (Some(&9), Status::Live, 4));
    assert_eq!(pool.values().copied().collect::<Vec<_>>(), [0, 1, 2, 9]);
    pool.validate().unwrap();
}

#[test]
fn removed_values_are_dead_at_once_and_free_their_slots_at_the_end() {
    let (mut pool, old) = numbers(2);
    let (mut live, spawner) = pool.split();
    assert_eq!(live.remove(old[0]), Some(0));
    assert_eq!((live.get(old[0]), live.values().count()), (None, 1));
    assert_eq!(live.remove(old[0]), None);
    assert_eq!(spawner.spawn(2).index(), 2, "the slot is not free yet");
    drop((spawner, live));
    assert_eq!((pool.status(old[0]), pool.len(), pool.stats().pending), (Status::Removed, 2, 0));
    assert_eq!(pool.insert(3), Handle::from_parts(0, 2).unwrap());
    pool.validate().unwrap();
}

/// Like [`remove`](tenure::Pool::remove): a handle that was removed cannot be filled later.
#[test]
fn live_remove_releases_a_pending_handle() {
    let (mut pool, _) = numbers(1);
    let pending = pool.reserve_handle();
    let (mut live, _) = pool.split();
    assert_eq!(live.get(pending), None);
    assert_eq!(live.remove(pending), None);
    drop(live);
    assert_eq!((pool.status(pending), pool.stats().pending), (Status::Removed, 0));
    pool.validate().unwrap();
}

/// Every way to iterate, while the pool grows by many chunks.
#[test]
fn iteration_visits_old_values_and_none_spawned_meanwhile() {
    type Way = fn(&mut Live<'_, u32>, &Spawner<'_, u32>) -> usize;
    fn twice(spawner: &Spawner<'_, u32>, value: &mut u32) {
        spawner.spawn(*value + 10_000);
        *value += 1_000_000;
        spawner.spawn(*value);
    }
    let ways: [Way; 4] = [
        |live, spawner| live.values_mut().map(|value| twice(spawner, value)).count(),
        |live, spawner| {
            let mut visited = 0;
            for (_, value) in live.iter_mut() {
                twice(spawner, value);
                visited += 1;
            }
            visited
        },
        |live, spawner| {
            let mut visited = 0;
            live.for_each_mut(|value, _| {
                twice(spawner, value);
                visited += 1;
            });
            visited
        },
        |live, spawner| {
            for (_, value) in live.iter() {
                spawner.spawn(*value + 10_000);
            }
            let spawned: Vec<_> = live.values().map(|value| spawner.spawn(*value + 1_000_000)).collect();
            live.values_mut().for_each(|value| *value += 1_000_000);
            spawned.len()
        },
    ];
    for way in ways {
        let (mut pool, old) = numbers(1_000);
        for &handle in old.iter().skip(1).step_by(7) {
            pool.remove(handle);
        }
        let before = pool.len();
        let (mut live, spawner) = pool.split();
        assert_eq!(way(&mut live, &spawner), before);
        drop((live, spawner));
        assert_eq!(pool.len(), 3 * before);
        let changed = pool.values().filter(|value| **value >= 1_000_000).count();
        assert_eq!(changed, 2 * before, "each old value once, and the value spawned from it");
        pool.validate().unwrap();
    }
}

#[test]
fn a_loop_over_a_borrowed_half_visits_what_its_iterators_visit() {
    let (mut pool, old) = numbers(100);
    pool.remove(old[70]);
    let (mut live, spawner) = pool.split();
    let mut visited = Vec::new();
    for (handle, value) in &mut live {
        *value += 1_000;
        visited.push(handle);
        spawner.spawn(*value);
    }
    assert!(visited.iter().eq(old.iter().filter(|&&handle| handle != old[70])));
    let mut again = visited.into_iter();
    for (handle, value) in &live {
        assert_eq!((Some(handle), *value), (again.next(), 1_000 + handle.index()));
    }
    assert_eq!(again.next(), None);
}

/// Checks that an iterator announces how many items are left after each of them. Returns how many
/// there are.
fn counted<I: ExactSizeIterator + FusedIterator>(mut items: I) -> usize {
    let count = items.len();
    for left in (0..count).rev() {
        assert!(items.next().is_some());
        assert_eq!(items.size_hint(), (left, Some(left)));
    }
    assert!(items.next().is_none() && items.next().is_none());
    assert_eq!(items.len(), 0);
    count
}

#[test]
fn iterators_of_a_half_have_an_exact_length() {
    // Full words, a word with holes, an empty word, and a last word that is not full.
    let (mut pool, old) = numbers(300);
    for &handle in old[64..70].iter().chain(&old[128..192]) {
        pool.remove(handle);
    }
    let (mut live, spawner) = pool.split();
    spawner.spawn(9);
    spawner.despawn(old[0]);
    assert_eq!((counted(live.iter()), counted(live.values()), live.handles().size_hint().1), (230, 230, Some(230)));
    assert_eq!((counted(live.iter_mut()), counted(live.values_mut())), (230, 230));
    let mut met = 0;
    live.for_each_mut(|_, others| {
        assert_eq!((counted(others.iter()), counted(others.values())), (229, 229));
        met += 1;
    });
    assert_eq!(met, 230);
    let _ = live.remove(old[1]);
    assert_eq!((live.iter().len(), live.values_mut().len()), (229, 229));
    for (handle, _) in &live {
        spawner.spawn(handle.index());
    }
    assert_eq!(live.values().len(), 229);
}

#[test]
fn a_clone_of_an_iterator_continues_where_the_iterator_is() {
    let (mut pool, old) = numbers(130);
    pool.remove(old[66]);
    let (mut live, _spawner) = pool.split();
    for skipped in [0, 1, 64, 65, 100, 129] {
        let (mut items, mut values, mut handles) = (live.iter(), live.values(), live.handles());
        for _ in 0..skipped {
            let _ = (items.next(), values.next(), handles.next());
        }
        assert!(items.clone().eq(live.iter().skip(skipped)) && items.eq(live.iter().skip(skipped)));
        assert!(values.clone().eq(live.values().skip(skipped)) && values.eq(live.values().skip(skipped)));
        assert!(handles.clone().eq(live.handles().skip(skipped)) && handles.eq(live.handles().skip(skipped)));
    }
    live.for_each_mut(|_, others| {
        let (mut items, mut values) = (others.iter(), others.values());
        let _ = (items.nth(63), values.nth(63));
        assert!(items.clone().eq(others.iter().skip(64)) && items.len() == 64);
        assert!(values.clone().eq(others.values().skip(64)) && values.len() == 64);
    });
}

/// Values that are inserted during an iteration may be visited. The announced bounds include both
/// cases.
#[test]
fn bounds_of_an_iteration_hold_while_values_are_inserted() {
    let (mut pool, old) = numbers(200);
    for &handle in &old[70..120] {
        pool.remove(handle);
    }
    for insertions in [0, 1, 3] {
        let (mut items, mut bounds) = (pool.iter(), Vec::new());
        loop {
            bounds.push(items.size_hint());
            let Some((_, &value)) = items.next() else { break };
            if value % 10 == 0 {
                for _ in 0..insertions {
                    pool.insert(1);
                }
            }
        }
        let count = bounds.len() - 1;
        for (yielded, (least, most)) in bounds.iter().enumerate() {
            assert!(
                *least <= count - yielded && most.unwrap() >= count - yielded,
                "{least} {most:?} {count} {yielded}"
            );
        }
        // Not more than the slots of the words that existed at the start.
        assert!(bounds[0].0 >= 150 && bounds[0].1.unwrap() <= bounds[0].0 + 128);
    }
}

#[test]
fn others_are_all_values_except_the_current_one() {
    let (mut pool, handles) = numbers(100);
    let removed = pool.handle_at(50).unwrap();
    pool.remove(removed);
    let again = pool.insert(50);
    let (mut live, _spawner) = pool.split();
    let mut visited = Vec::new();
    live.for_each_mut(|value, others| {
        let me = others.me();
        assert_eq!(me.index(), *value);
        assert_eq!((others.get(me), others.contains(me)), (None, false));
        for &other in handles.iter().filter(|other| other.index() != me.index() && **other != removed) {
            // Values before the current one are mutated already.
            let right = if other.index() < me.index() { other.index() + 1_000 } else { other.index() };
            assert_eq!(others.get(other), Some(&right));
        }
        assert!(!others.contains(removed), "not found from the next tenant of its slot either");
        *value += 1_000;
        visited.push(me);
    });
    assert_eq!((visited.len(), visited[50]), (100, again));
}

#[test]
fn spawned_values_can_be_held_all_together() {
    let (mut pool, _) = numbers(10);
    let (mut live, spawner) = pool.split();
    let (handles, mut spawned): (Vec<_>, Vec<&mut u32>) =
        (0..small::or(1_000, 200)).map(|n| spawner.spawn_mut(n)).unzip();
    for value in live.values_mut() {
        *value += 1;
    }
    spawned.reverse();
    spawned.iter_mut().for_each(|value| **value += 5_000);
    drop(live);
    spawned.iter_mut().for_each(|value| **value += 10_000);
    drop(spawner);
    assert!(handles.iter().zip(0..).all(|(&handle, n)| pool[handle] == n + 15_000));
    pool.validate().unwrap();
}

#[test]
fn a_full_pool_returns_the_value_to_spawn() {
    let mut pool: StablePool<u32, Handle<u32, Compact<2>>> = StablePool::default();
    pool.insert(0);
    let (live, spawner) = pool.split();
    assert!(spawner.try_spawn(1).is_ok());
    spawner.spawn(2);
    assert_eq!(spawner.try_spawn(3).unwrap_err().into_inner(), 3);
    for panicking in [
        quiet::catch(|| spawner.spawn(3)),
        quiet::catch(|| spawner.spawn_mut(3).0),
        quiet::catch(|| spawner.spawn_with(|_| unreachable!("there is no room"))),
    ] {
        assert!(panicking.unwrap_err().contains("full"));
    }
    drop((live, spawner));
    assert_eq!(pool.values().copied().collect::<Vec<_>>(), [0, 1, 2]);
    pool.validate().unwrap();
}

/// Slots that one spawn reserves for later ones are usable by every kind of spawn.
#[test]
fn every_kind_of_spawn_can_use_the_last_slots() {
    let mut pool: StablePool<u32, Handle<u32, Compact<2>>> = StablePool::default();
    let (live, spawner) = pool.split();
    spawner.spawn(0);
    spawner.spawn_with(|_| 1);
    spawner.spawn(2);
    assert!(spawner.try_spawn(3).is_err());
    drop((live, spawner));
    assert_eq!((pool.len(), pool.stats().free), (3, 0));
    pool.validate().unwrap();
}

/// Spawns use all free slots, in whatever order these were freed, and add no more slots than
/// needed.
#[test]
fn spawns_fill_holes_first() {
    for spawns in [1, 2, 5, 9, 10, 64, 65, 129, 200] {
        let (mut pool, old) = numbers(300);
        for place in [250, 3, 70, 71, 200, 5, 130, 4, 72] {
            pool.remove(old[place]);
        }
        let (live, spawner) = pool.split();
        let mut spawned: Vec<_> = (0..spawns).map(|n| spawner.spawn(n)).collect();
        assert_eq!(live.values().count(), 291);
        drop((live, spawner));
        assert!(spawned.iter().zip(0..).all(|(&handle, n)| pool[handle] == n));
        pool.validate().unwrap();
        spawned.dedup_by_key(|handle| handle.index());
        let spawns = spawns as usize;
        assert_eq!((spawned.len(), pool.len(), slot_count(&pool)), (spawns, 291 + spawns, 300.max(291 + spawns)));
    }
}

/// Slots at the end that had tenants are not truncated together with slots that were reserved for
/// spawns.
#[test]
fn dead_handles_at_the_end_stay_dead_after_a_spawn() {
    let (mut pool, old) = numbers(10);
    for &handle in &old[5..] {
        pool.remove(handle);
    }
    pool.split().1.spawn(0);
    assert_eq!(slot_count(&pool), 10);
    for n in 0..20 {
        pool.insert(n);
    }
    assert!(old[5..].iter().all(|&handle| !pool.contains(handle)));
    pool.validate().unwrap();
}

#[test]
fn spawn_with_gets_its_handle_and_may_spawn_others() {
    struct Node {
        me: Handle<Node>,
        child: Option<Handle<Node>>,
    }
    let mut pool: StablePool<Node> = StablePool::new();
    let (live, spawner) = pool.split();
    let root = spawner.spawn_with(|me| {
        for _ in 0..200 {
            spawner.spawn_with(|me| Node { me, child: None });
        }
        let child = spawner.spawn_with(|me| Node { me, child: None });
        assert!(!live.contains(child) && !live.contains(me));
        Node { me, child: Some(child) }
    });
    drop((live, spawner));
    assert_eq!((pool.len(), pool[root].me), (202, root));
    let child = pool[root].child.unwrap();
    assert!(pool.iter().all(|(handle, node)| node.me == handle));
    assert!(pool.contains(child));
    pool.validate().unwrap();
}

#[test]
fn a_panicking_spawn_with_inserts_nothing() {
    ledger::reset();
    let mut pool: StablePool<Tracked> = (0..3).map(Tracked::new).collect();
    let (live, spawner) = pool.split();
    let (mut failed, mut nested) = (Handle::NIL, Handle::NIL);
    let result = quiet::catch(|| {
        spawner.spawn_with(|me| {
            failed = me;
            nested = spawner.spawn(Tracked::new(7));
            panic!("not today");
        })
    });
    assert_eq!(result.unwrap_err(), "not today");
    drop((live, spawner));
    assert_eq!((pool.status(failed), pool.stats().pending), (Status::Removed, 0));
    assert_eq!(pool[nested].id(), 7);
    ledger::expect(4).unwrap();
    pool.validate().unwrap();
    let next = pool.insert(Tracked::new(8));
    assert_eq!((next.index(), next.generation()), (failed.index(), 2));
}

/// A panic while iterating ends the split as usual.
#[test]
fn a_panic_in_a_split_ends_it() {
    ledger::reset();
    let mut pool: StablePool<Tracked> = (0..100).map(Tracked::new).collect();
    let first = pool.handle_at(0).unwrap();
    let result = quiet::catch(|| {
        let (mut live, spawner) = pool.split();
        live.remove(first);
        live.for_each_mut(|value, _| {
            spawner.spawn(Tracked::new(value.id()));
            assert!(value.id() < 50, "enough");
        });
    });
    assert!(result.is_err());
    assert_eq!((pool.len(), pool.status(first)), (99 + 50, Status::Removed));
    pool.validate().unwrap();
    ledger::expect(149).unwrap();
}

// ---- forgotten halves ----

#[derive(Clone, Copy, Debug)]
enum Forgotten {
    Live,
    Spawner,
    Both,
}

/// A pool after a split in which two values were spawned and one was removed, and of which halves
/// were forgotten.
struct Aftermath {
    pool: StablePool<Tracked>,
    spawned: [Handle<Tracked>; 2],
    removed: Handle<Tracked>,
    kept: Handle<Tracked>,
}

impl Aftermath {
    fn of(forgotten: Forgotten) -> Self {
        let mut pool: StablePool<Tracked> = (0..70).map(Tracked::new).collect();
        let (removed, kept) = (pool.handle_at(1).unwrap(), pool.handle_at(2).unwrap());
        let (mut live, spawner) = pool.split();
        let spawned = [spawner.spawn(Tracked::new(100)), spawner.spawn_with(|_| Tracked::new(101))];
        live.remove(removed);
        match forgotten {
            Forgotten::Live => {
                mem::forget(live);
                drop(spawner);
            }
            Forgotten::Spawner => {
                mem::forget(spawner);
                drop(live);
            }
            Forgotten::Both => mem::forget((live, spawner)),
        }
        Self { pool, spawned, removed, kept }
    }

    /// Checks that the pool is as if nothing had been forgotten, with `more` values.
    fn check(&self, more: usize) {
        let Self { pool, spawned, removed, kept } = self;
        pool.validate().unwrap();
        assert_eq!((pool.len(), pool.iter().count()), (71 + more, 71 + more));
        assert_eq!(spawned.map(|handle| pool[handle].id()), [100, 101]);
        assert_eq!((pool[*kept].id(), pool.stats().pending), (2, 0));
        assert!(!pool.contains(*removed));
        ledger::expect(71 + more).unwrap();
    }
}

/// A first use of the pool after halves were forgotten, and how many values it adds.
type Use = (&'static str, fn(&mut Aftermath), usize);

const USES: &[Use] = &[
    ("get", |after| assert_eq!(after.pool.get(after.spawned[0]).map(Tracked::id), Some(100)), 0),
    ("get another", |after| assert!(after.pool.get(after.kept).is_some()), 0),
    ("try_get", |after| assert!(after.pool.try_get(after.spawned[1]).is_ok()), 0),
    ("index", |after| assert_eq!(after.pool[after.spawned[1]].id(), 101), 0),
    ("index_mut", |after| after.pool[after.spawned[1]] = Tracked::new(101), 0),
    ("contains", |after| assert!(after.pool.contains(after.spawned[0])), 0),
    ("status", |after| assert_eq!(after.pool.status(after.spawned[0]), Status::Live), 0),
    ("status of a removed handle", |after| assert_eq!(after.pool.status(after.removed), Status::Removed), 0),
    ("len", |after| assert_eq!(after.pool.len(), 71), 0),
    ("iter", |after| assert_eq!(after.pool.iter().count(), 71), 0),
    ("values", |after| assert_eq!(after.pool.values().count(), 71), 0),
    ("handles", |after| assert_eq!(after.pool.handles().count(), 71), 0),
    ("iter_mut", |after| assert_eq!(after.pool.iter_mut().count(), 71), 0),
    ("values_mut", |after| assert_eq!(after.pool.values_mut().len(), 71), 0),
    ("handle_at", |after| assert_eq!(after.pool.handle_at(70), Some(after.spawned[0])), 0),
    ("handle_of", |after| assert!(after.pool.handle_of(&Tracked::new(0)).is_none()), 0),
    ("stats", |after| assert_eq!((after.pool.stats().live, after.pool.stats().free), (71, 1)), 0),
    ("validate", |after| after.pool.validate().unwrap(), 0),
    ("print", |after| assert!(format!("{:?}", after.pool).contains("100")), 0),
    ("compare", |after| assert!(after.pool != StablePool::new()), 0),
    ("insert", |after| assert!(after.pool.insert(Tracked::new(200)).index() >= 1), 1),
    ("insert a few", |after| insert_all(&after.pool, (0..200).map(Tracked::new)), 200),
    ("insert_with", |after| assert!(after.pool.insert_with(|_| Tracked::new(200)).index() >= 1), 1),
    ("insert_many", |after| assert_eq!(after.pool.insert_many((0..100).map(Tracked::new)).count(), 100), 100),
    ("extend", |after| after.pool.extend((0..100).map(Tracked::new)), 100),
    (
        "reserve_handle",
        |after| {
            let pending = after.pool.reserve_handle();
            after.pool.fill(pending, Tracked::new(200)).unwrap();
        },
        1,
    ),
    (
        "insert_at",
        |after| {
            // The slot of the removed value is free again, so its handle can be inserted and
            // removed.
            assert_eq!(after.pool.insert_at(after.removed, Tracked::new(1)).unwrap(), None);
            assert_eq!(after.pool.remove(after.removed).unwrap().id(), 1);
        },
        0,
    ),
    (
        "remove",
        |after| {
            let new = after.pool.insert(Tracked::new(200));
            assert_eq!(after.pool.remove(new).unwrap().id(), 200);
        },
        0,
    ),
    (
        "remove a spawned value",
        |after| {
            let value = after.pool.remove(after.spawned[0]).unwrap();
            assert!(after.pool.insert_at(after.spawned[0], value).unwrap().is_none());
        },
        0,
    ),
    (
        "take a spawned value",
        |after| {
            let value = after.pool.take(after.spawned[0]).unwrap();
            after.pool.fill(after.spawned[0], value).unwrap();
        },
        0,
    ),
    ("retain", |after| after.pool.retain(|_, value| value.id() < 1_000), 0),
    ("extract_if", |after| assert_eq!(after.pool.extract_if(|_, value| value.id() > 1_000).count(), 0), 0),
    ("borrow_many", |after| assert!(after.pool.borrow_many().get_mut(after.spawned[1]).is_ok()), 0),
    ("get_disjoint_mut", |after| assert!(after.pool.get_disjoint_mut(after.spawned).is_ok()), 0),
    ("shrink_to_fit", |after| after.pool.shrink_to_fit(), 0),
    ("reserve", |after| after.pool.reserve(1_000), 0),
    ("recycle_retired", |after| assert_eq!(after.pool.recycle_retired(), 0), 0),
    (
        "clone",
        |after| {
            let copy = after.pool.clone();
            assert_eq!((copy.len(), copy[after.spawned[0]].id()), (71, 100));
            copy.validate().unwrap();
            after.pool = copy;
        },
        0,
    ),
    (
        "clone_from it",
        |after| {
            let mut copy = StablePool::new();
            copy.clone_from(&after.pool);
            after.pool = copy;
        },
        0,
    ),
    (
        "clone_from another",
        |after| {
            let original = after.pool.clone();
            let mut again = Aftermath::of(Forgotten::Both);
            again.pool.clone_from(&original);
            after.pool = again.pool;
        },
        0,
    ),
    ("map_values", |after| after.pool = mem::take(&mut after.pool).map_values(|value| value), 0),
    ("split again", |after| assert_eq!(after.pool.split().0.iter().count(), 71), 0),
    (
        "split and spawn again",
        |after| {
            let (live, spawner) = after.pool.split();
            assert!(live.contains(after.spawned[0]) && !live.contains(after.removed));
            spawner.spawn(Tracked::new(200));
        },
        1,
    ),
];

#[test]
fn forgotten_halves_are_harmless() {
    for forgotten in [Forgotten::Live, Forgotten::Spawner, Forgotten::Both] {
        for &(name, first_use, more) in USES {
            ledger::reset();
            let mut after = Aftermath::of(forgotten);
            let result = quiet::catch(|| {
                first_use(&mut after);
                after.check(more);
                drop(after);
                ledger::expect(0).unwrap();
            });
            assert_eq!(result, Ok(()), "{name}, {forgotten:?} forgotten");
        }
    }
}

/// Uses that consume the pool.
#[test]
fn forgotten_halves_leak_nothing() {
    for forgotten in [Forgotten::Live, Forgotten::Spawner, Forgotten::Both] {
        let ends: [fn(StablePool<Tracked>); 6] = [
            drop,
            |pool| assert_eq!(pool.into_iter().count(), 71),
            |pool| assert_eq!(pool.into_values().count(), 71),
            |pool| drop(pool.into_iter()),
            |mut pool| pool.clear(),
            |mut pool| assert_eq!(pool.drain().count(), 71),
        ];
        for (nth, end) in ends.into_iter().enumerate() {
            ledger::reset();
            end(Aftermath::of(forgotten).pool);
            assert_eq!(ledger::expect(0), Ok(()), "end {nth}, {forgotten:?} forgotten");
        }
    }
}

// ---- many frames ----

/// Frames of spawning, removing and mutating, compared with a map.
#[test]
fn frames_against_a_map() {
    let (seeds, frames) = small::or((6, 150), (1, 8));
    for seed in 0..seeds {
        Frames::new(seed).play(frames);
    }
}

struct Frames {
    pool: StablePool<Tracked>,
    right: HashMap<Handle<Tracked>, u32>,
    dead: Vec<Handle<Tracked>>,
    pending: Vec<Handle<Tracked>>,
    noise: Box<dyn Iterator<Item = u64>>,
}

impl Frames {
    fn new(seed: u64) -> Self {
        ledger::reset();
        let noise = Box::new(forge::noise(seed));
        Self { pool: StablePool::new(), right: HashMap::new(), dead: Vec::new(), pending: Vec::new(), noise }
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.noise.next().unwrap() / 7 % 100 < percent
    }

    fn play(mut self, frames: u32) {
        for frame in 0..frames {
            let busy = [2, 30, 60][frame as usize / 20 % 3];
            self.frame(frame * 10_000, busy);
            self.between();
            self.check();
        }
        drop(self.pool);
        ledger::expect(0).unwrap();
    }

    /// Mutates, spawns and removes in one iteration, and removes by handle after it.
    fn frame(&mut self, first_id: u32, busy: u64) {
        let mut pool = mem::take(&mut self.pool);
        let (mut live, spawner) = pool.split();
        let mut spawned: Vec<(Handle<Tracked>, u32)> =
            (first_id..).take(3).map(|id| (spawner.spawn(Tracked::new(id)), id)).collect();
        for (handle, value) in &mut live {
            assert_eq!(self.right.get(&handle), Some(&value.id()));
            if self.chance(busy) {
                self.right.insert(handle, value.change());
            }
            if self.chance(busy) && spawned.len() < 500 {
                let id = first_id + u32::try_from(spawned.len()).unwrap();
                let knows = self.chance(50);
                let value = Tracked::new(id);
                spawned.push((if knows { spawner.spawn_with(|_| value) } else { spawner.spawn(value) }, id));
            }
        }
        for handle in self.all() {
            if self.chance(busy) {
                assert_eq!(live.remove(handle).map(|value| value.id()), self.right.remove(&handle));
                self.dead.push(handle);
            }
        }
        // Slots are freed in a split, also in words in which others are spawned.
        let mut id = first_id + 500;
        while let Some(handle) = self.pending.pop() {
            assert_eq!(live.remove(handle).map(|value| value.id()), None);
            self.dead.push(handle);
            for _ in 0..self.noise.next().unwrap() % 40 {
                spawned.push((spawner.spawn(Tracked::new(id)), id));
                id += 1;
            }
        }
        assert!(spawned.iter().all(|(handle, _)| !live.contains(*handle) && !self.right.contains_key(handle)));
        assert_eq!(live.iter().count(), self.right.len());
        self.right.extend(spawned);
        drop((live, spawner));
        self.pool = pool;
    }

    /// Operations between the splits.
    fn between(&mut self) {
        if self.chance(20) {
            self.pool.shrink_to_fit();
        }
        if self.chance(10) {
            self.pool = self.pool.clone();
        }
        if self.chance(5) {
            self.pool.clear();
            self.dead.extend(self.right.drain().map(|(handle, _)| handle));
        }
        if self.chance(30) {
            self.reserve_some();
        }
    }

    /// Reserves handles far from each other.
    fn reserve_some(&mut self) {
        for handle in self.all().into_iter().step_by(37) {
            self.kill(handle);
            self.pending.push(self.pool.reserve_handle());
        }
        // Holes next to them.
        self.all().into_iter().step_by(3).for_each(|handle| self.kill(handle));
    }

    fn all(&self) -> Vec<Handle<Tracked>> {
        let mut handles: Vec<_> = self.right.keys().copied().collect();
        handles.sort_unstable();
        handles
    }

    fn kill(&mut self, handle: Handle<Tracked>) {
        self.pool.remove(handle);
        self.right.remove(&handle);
        self.dead.push(handle);
    }

    fn check(&self) {
        self.pool.validate().unwrap();
        assert_eq!(self.pool.len(), self.right.len());
        assert!(self.pool.iter().all(|(handle, value)| self.right.get(&handle) == Some(&value.id())));
        assert!(self.dead.iter().all(|&handle| !self.pool.contains(handle)));
        ledger::expect(self.right.len()).unwrap();
    }
}

#[test]
fn balanced_frames_do_not_grow() {
    let count = small::or(1_000, 100);
    let (mut pool, _) = numbers(count);
    let mut peak = pool.len();
    for frame in 0..small::or(1_000, 10) {
        let (mut live, spawner) = pool.split();
        let to_remove: Vec<_> = live.iter().map(|(handle, _)| handle).skip(frame % 7).step_by(3).collect();
        for handle in to_remove {
            live.remove(handle);
            spawner.spawn(0);
        }
        drop((live, spawner));
        peak = peak.max(pool.len());
    }
    assert_eq!((pool.len(), peak), (count as usize, count as usize));
    assert!(slot_count(&pool) <= 2 * peak, "{} slots", slot_count(&pool));
    pool.validate().unwrap();
}

// ---- values of every shape ----

/// Spawns among values, and checks each of them.
fn exercise_split<T: Clone + PartialEq + std::fmt::Debug>(make: impl Fn(u32) -> T) {
    let mut pool: StablePool<T> = (0..150).map(&make).collect();
    let (mut live, spawner) = pool.split();
    let mut spawned = Vec::new();
    for (n, value) in (0..).zip(live.values_mut()) {
        *value = make(n + 1_000);
        spawned.push((spawner.spawn_mut(make(n + 1)), n));
    }
    for ((_, value), n) in &mut spawned {
        assert_eq!((&raw const **value).addr() % align_of::<T>(), 0);
        assert_eq!(**value, make(*n + 1));
        **value = make(*n + 2_000);
    }
    let first = live.iter().next().unwrap().0;
    assert_eq!(live.remove(first), Some(make(1_000)));
    let spawned: Vec<_> = spawned.into_iter().map(|((handle, _), n)| (handle, n)).collect();
    drop((live, spawner));
    assert!(spawned.iter().all(|&(handle, n)| pool[handle] == make(n + 2_000)));
    assert_eq!((pool.len(), pool.clone()), (299, pool));
}

#[test]
fn splits_of_values_of_every_shape() {
    #[derive(Clone, Debug, PartialEq)]
    #[repr(align(64))]
    struct Line(u32);
    exercise_split(|_| ());
    exercise_split(|_| [0_u64; 0]);
    exercise_split(|n| n.to_le_bytes()[0]);
    exercise_split(|n| n.to_string());
    exercise_split(|n| [u64::from(n); 1_000]);
    exercise_split(Line);
}
