//! `StablePool`: inserting while values are borrowed, and releasing memory. Splits have a file of
//! their own.

use std::cell::Cell;

use tenure::{Compact, Handle, Rejection, StablePool, Status};
use test_support::stable::{insert_all, numbers, slot_count};
use test_support::{Tracked, forge, ledger, quiet, small};

type Tiny = StablePool<u32, Handle<u32, Compact<2>>>;

// ---- through `&self` ----

#[test]
fn insert_with_may_use_the_pool() {
    let pool: StablePool<u32> = StablePool::new();
    let outer = pool.insert_with(|me| {
        assert_eq!((pool.get(me), pool.status(me), pool.len()), (None, Status::Pending, 0));
        let inner = pool.insert_with(|_| (0..200).map(|n| pool[pool.insert(n)]).sum());
        pool[inner] + 1
    });
    assert_eq!((pool[outer], pool.len()), (200 * 199 / 2 + 1, 202));
    pool.validate().unwrap();
}

#[test]
fn a_panicking_insert_with_inserts_nothing() {
    ledger::reset();
    let pool: StablePool<Tracked> = StablePool::new();
    let mut failed = Handle::NIL;
    let result = quiet::catch(|| {
        pool.insert_with(|me| {
            failed = me;
            pool.insert(Tracked::new(1));
            panic!("not today");
        })
    });
    assert_eq!(result.unwrap_err(), "not today");
    assert_eq!((pool.status(failed), pool.len(), pool.stats().pending), (Status::Removed, 1, 0));
    pool.validate().unwrap();
    ledger::expect(1).unwrap();
    assert_eq!(pool.insert(Tracked::new(2)).index(), failed.index());
}

#[test]
fn a_closure_that_fills_its_own_handle_is_rejected() {
    ledger::reset();
    let pool: StablePool<Tracked> = StablePool::new();
    let mut handle = Handle::NIL;
    let result = quiet::catch(|| {
        pool.insert_with(|me| {
            handle = me;
            pool.fill(me, Tracked::new(1)).unwrap();
            Tracked::new(2)
        })
    });
    assert!(result.is_err());
    assert_eq!((pool[handle].id(), pool.len()), (1, 1));
    pool.validate().unwrap();
    ledger::expect(1).unwrap();
}

#[test]
fn a_full_pool_does_not_call_the_closure() {
    let pool = Tiny::default();
    insert_all(&pool, 0..3);
    let make = pool.try_insert_with(|_| 7).unwrap_err().into_inner();
    assert_eq!(make(Handle::NIL), 7);
    assert_eq!(pool.try_insert(8).unwrap_err().into_inner(), 8);
    assert!(quiet::catch(|| pool.insert(8)).unwrap_err().contains("full"));
    assert!(quiet::catch(|| pool.reserve_handle()).unwrap_err().contains("full"));
    assert_eq!(pool.len(), 3);
    pool.validate().unwrap();
}

/// With holes, new words and new chunks: each old value is visited once, and the loop terminates.
#[test]
fn inserting_while_iterating() {
    for holes in [0, 3] {
        let (mut pool, _) = numbers(500);
        if holes > 0 {
            pool.retain(|handle, _| handle.index() as usize % holes != 0);
        }
        let before: Vec<_> = pool.handles().collect();
        let mut visited = Vec::new();
        for (handle, value) in &pool {
            visited.push(handle);
            if *value < 1_000 {
                for more in 0..3 {
                    pool.insert(*value + 1_000 * (more + 1));
                }
            }
        }
        assert!(visited.is_sorted_by_key(|handle| handle.index()));
        assert!(visited.windows(2).all(|pair| pair[0] != pair[1]), "each once");
        assert!(before.iter().all(|handle| visited.contains(handle)), "none is missed");
        assert_eq!(pool.len(), before.len() * 4);
        // The same, with `fold`.
        let len = pool.len();
        assert!(
            pool.values().fold(0, |visited, value| visited + pool.insert(*value).index().min(1)) as usize >= len - 1
        );
        assert!(pool.len() >= 2 * len);
        pool.validate().unwrap();
    }
}

#[test]
fn references_stay_valid_while_the_pool_grows() {
    let pool: StablePool<String> = StablePool::new();
    let texts: Vec<&String> = (0..small::or(5_000, 300)).map(|n| &pool[pool.insert(n.to_string())]).collect();
    assert!(texts.iter().zip(0..).all(|(text, n)| **text == n.to_string()));
    assert!(texts.iter().all(|text| pool[pool.handle_of(text).unwrap()] == **text));
    pool.validate().unwrap();
}

// ---- copies of values that use the pool ----

/// What a value's `clone` does with the pool that contains it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    Nothing,
    Look,
    Insert,
    TryInsert,
    InsertWith,
    TryInsertWith,
    Reserve,
    Fill,
}

thread_local! {
    static DEED: Cell<Deed> = const { Cell::new(Deed::Nothing) };
    static WORLD: StablePool<Echo> = const { StablePool::new() };
    static PENDING: Cell<Handle<Echo>> = const { Cell::new(Handle::NIL) };
}

#[derive(Debug, PartialEq)]
struct Echo(u32);

impl Clone for Echo {
    fn clone(&self) -> Self {
        WORLD.with(|world| match DEED.get() {
            Deed::Nothing => {}
            Deed::Look => {
                let me = world.handle_of(self).unwrap();
                assert_eq!(world[me], *self);
                assert!(world.iter().any(|(handle, _)| handle == me) && world.contains(me) && !world.is_empty());
                assert_eq!((world.status(me), world.validate()), (Status::Live, Ok(())));
            }
            Deed::Insert => _ = world.insert(Self(100)),
            Deed::TryInsert => _ = world.try_insert(Self(100)),
            Deed::InsertWith => _ = world.insert_with(|_| Self(100)),
            Deed::TryInsertWith => _ = world.try_insert_with(|_| Self(100)).is_ok(),
            Deed::Reserve => _ = world.reserve_handle(),
            Deed::Fill => _ = world.fill(PENDING.get(), Self(100)),
        });
        Self(self.0)
    }
}

#[test]
fn clone_may_read_the_pool_but_not_insert_into_it() {
    WORLD.with(|world| {
        insert_all(world, (0..130).map(Echo));
        PENDING.set(world.reserve_handle());
        DEED.set(Deed::Look);
        let copy = world.clone();
        let mut overwritten = StablePool::new();
        overwritten.clone_from(world);
        assert!(copy == *world && overwritten == *world);
        for deed in [Deed::Insert, Deed::TryInsert, Deed::InsertWith, Deed::TryInsertWith, Deed::Reserve, Deed::Fill]
        {
            DEED.set(deed);
            let message = quiet::catch(|| world.clone()).unwrap_err();
            assert!(message.contains("being copied"), "{deed:?}: {message}");
            let message = quiet::catch(|| overwritten.clone_from(world)).unwrap_err();
            assert!(message.contains("being copied"), "{deed:?}: {message}");
            world.validate().unwrap();
            overwritten.validate().unwrap();
            assert_eq!((world.len(), world.stats().pending), (130, 1));
        }
        // Afterwards the pool is as before.
        DEED.set(Deed::Nothing);
        assert_eq!(world.insert(Echo(130)).index(), 131);
        assert_eq!(world.clone().len(), 131);
    });
}

/// `==` and `{:?}` call user code while they iterate; insertions are allowed there.
#[test]
fn eq_may_insert_into_the_pool() {
    thread_local! { static HERE: StablePool<Fickle> = const { StablePool::new() }; }
    struct Fickle(u32);
    impl PartialEq for Fickle {
        fn eq(&self, other: &Self) -> bool {
            HERE.with(|here| insert_all(here, (0..50).map(Fickle)));
            self.0 == other.0
        }
    }
    HERE.with(|here| {
        here.insert(Fickle(0));
        let other = StablePool::new();
        other.insert(Fickle(0));
        // It is not specified whether the iterator visits values that are inserted meanwhile.
        let _ = *here == other;
        assert!(here.len() >= 51);
        here.validate().unwrap();
    });
}

// ---- memory ----

/// 99 % of a million values are removed at random, from slots that had one to four tenants; no
/// removed handle resolves when the slots are filled again.
#[test]
fn removed_handles_stay_dead_after_shrinking_and_refilling() {
    const MANY: u32 = 1_000_000;
    let mut noise = forge::noise(1).map(|number| number / 7 % 100);
    let (mut pool, mut handles) = numbers(MANY);
    for percent in [50, 80, 90] {
        pool.retain(|_, _| noise.next() < Some(percent));
        let gone = MANY - u32::try_from(pool.len()).unwrap();
        handles.extend(pool.insert_many(0..gone));
    }
    pool.retain(|_, _| noise.next() < Some(1));
    let left: Vec<_> = pool.handles().collect();
    pool.shrink_to_fit();
    pool.validate().unwrap();
    pool.extend(0..MANY - u32::try_from(left.len()).unwrap());
    assert_eq!(pool.len(), MANY as usize);
    assert!(left.iter().all(|&handle| pool.contains(handle)));
    assert_eq!(handles.iter().filter(|&&handle| pool.contains(handle)).count(), left.len());
    pool.validate().unwrap();
}

#[test]
fn chunks_at_the_end_are_released_and_allocated_again() {
    const MANY: u32 = 100_000;
    let (mut pool, handles) = numbers(MANY);
    let full = pool.stats().bytes;
    let survivors = [0, 1_000];
    let places = survivors.map(|n| (&raw const pool[handles[n as usize]]).addr());
    pool.retain(|handle, _| survivors.contains(&handle.index()));
    assert_eq!(pool.stats().bytes, full, "only `shrink_to_fit` releases memory");
    pool.shrink_to_fit();
    pool.validate().unwrap();
    let shrunk = pool.stats().bytes;
    assert!(shrunk * 20 < full, "{shrunk} of {full} bytes");
    assert_eq!(survivors.map(|n| (&raw const pool[handles[n as usize]]).addr()), places);
    assert_eq!(pool.status(handles[500]), Status::Removed);
    assert_eq!(pool.status(handles[50_000]), Status::Removed);
    assert_eq!(pool.insert_at(Handle::from_parts(500, 3).unwrap(), 7).unwrap(), None, "a later generation");
    pool.validate().unwrap();
    pool.extend(0..MANY - 3);
    assert_eq!((pool.len(), slot_count(&pool)), (MANY as usize, MANY as usize));
    assert!(handles.iter().all(|&handle| pool.contains(handle) == survivors.contains(&handle.index())));
    pool.validate().unwrap();
}

/// Slots between live ones are not truncated: each keeps its own generation.
#[test]
fn shrinking_leaves_the_generations_of_slots_that_stay() {
    type Few = Compact<29>;
    let mut pool: StablePool<u32, Handle<u32, Few>> = (0..200).collect();
    let hot = pool.handle_at(10).unwrap();
    let mut last = hot;
    for _ in 0..2 {
        pool.remove(last);
        last = pool.insert(0);
    }
    assert_eq!((last.index(), last.generation()), (10, 3));
    pool.retain(|handle, _| handle.index() == 199);
    pool.shrink_to_fit();
    pool.validate().unwrap();
    let new: Vec<_> = pool.insert_many(0..199).collect();
    for handle in new {
        assert_eq!(handle.generation(), if handle.index() == 10 { 4 } else { 2 }, "{handle}");
    }
    pool.validate().unwrap();
}

#[test]
fn handles_of_truncated_slots_are_rejected() {
    let (mut pool, old) = numbers(200);
    let twice = pool.remove(old[70]).map(|_| pool.insert(0)).unwrap();
    assert_eq!((twice.index(), twice.generation()), (70, 2));
    pool.retain(|handle, _| handle.index() == 5);
    pool.shrink_to_fit();
    for index in [64, 70, 127] {
        let first = Handle::from_parts(index, 1).unwrap();
        assert_eq!(pool.status(first), Status::Removed);
        assert_eq!(pool.insert_at(first, 0).unwrap_err().reason(), Rejection::Stale);
        assert_eq!(pool.status(Handle::from_parts(index, 3).unwrap()), Status::NeverIssued);
    }
    assert!(pool.insert_at(old[0], 0).is_ok(), "the last tenant can be inserted again");
    pool.validate().unwrap();
}

// ---- other methods ----

#[test]
fn made_in_many_ways() {
    static SHARED: std::sync::Mutex<StablePool<u32>> = std::sync::Mutex::new(StablePool::new());
    assert!(SHARED.lock().unwrap().is_empty());
    let named = StablePool::from_fn(3, |handle: Handle<String>| handle.to_string());
    assert!(named.iter().all(|(handle, name)| *name == handle.to_string()));
    let roomy: StablePool<u32> = StablePool::with_capacity(1_000);
    assert!(roomy.capacity() >= 1_000 && roomy.is_empty());
    let mut tagged: StablePool<u8, Handle<u8, tenure::Tagged<4>>> = StablePool::with_tag(3);
    assert_eq!((tagged.insert(1).tag(), tagged.tag()), (3, 3));
    tagged.warm_up();
    assert!(tagged.try_reserve_exact(100).is_ok() && tagged.try_reserve(usize::MAX).is_err());
    assert_eq!((&mut tagged).into_iter().map(|(_, value)| *value).sum::<u8>(), 1);
}
