//! Side maps: histories in small layouts, panics, refused memory, and the promises of their docs.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tenure::side_map::Entry;
use tenure::{
    Compact, DensePool, FixedPool, Handle, Pool, Rejection, SideMap, StablePool, Tagged, Wide, ZiiPool, join,
};
use test_support::alloc::{self, Watched};
use test_support::effort;
use test_support::pool::{FourTenants, ThreeSlots, TwoTenants};
use test_support::side::Aim::{Far, Forged, Issued};
use test_support::side::{self, Fill, InHalfOfStable, InHalfOfWorld, InPool, InStable, InWorld, Issuer, SideOp};
use test_support::small;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

fn histories<O: Issuer>(cases: u32) {
    let (cases, length) = small::or((effort::cases(cases), 250), (2, 60));
    let config = ProptestConfig { cases, max_shrink_iters: 4_000, failure_persistence: None, ..Default::default() };
    let ops = vec(any::<[u8; 2]>().prop_map(SideOp::decode), 1..length);
    let result = TestRunner::new(config).run(&ops, |ops| side::run::<O>(&ops).map_err(TestCaseError::fail));
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn random_histories() {
    histories::<InPool<Wide>>(300);
    histories::<InPool<Compact<20>>>(200);
    histories::<InPool<FourTenants>>(300);
    histories::<InPool<TwoTenants>>(500);
    histories::<InPool<ThreeSlots>>(300);
    histories::<InPool<Tagged<4, Wide>>>(200);
}

#[test]
fn random_histories_of_other_owners() {
    histories::<InStable<Wide>>(100);
    histories::<InStable<TwoTenants>>(100);
    histories::<InWorld<Wide>>(200);
    histories::<InWorld<FourTenants>>(200);
    histories::<InWorld<Tagged<4, Wide>>>(100);
    histories::<InHalfOfStable<TwoTenants>>(100);
    histories::<InHalfOfWorld<Wide>>(100);
    histories::<InHalfOfWorld<FourTenants>>(100);
}

/// A few handles, some dead, with values, and one slot with the value of a former tenant.
const SETUP: &[SideOp] = &[
    SideOp::Spawn,
    SideOp::Spawn,
    SideOp::Spawn,
    SideOp::Spawn,
    SideOp::Insert(Issued(0)),
    SideOp::Insert(Issued(1)),
    SideOp::Insert(Issued(2)),
    SideOp::Kill(1),
    SideOp::EndFrame,
    SideOp::Spawn,
];

/// A handle beyond the slots in every layout, its next tenant, and one whose slot is made when the
/// map has six values.
const LAST: u8 = 0;
const LAST_AGAIN: u8 = 16;
const NEAREST: u8 = 8;

/// Like [`SETUP`], with values beyond the slots.
const FAR_SETUP: &[SideOp] = &[
    SideOp::Spawn,
    SideOp::Spawn,
    SideOp::Insert(Issued(0)),
    SideOp::InsertUnowned(Far(LAST)),
    SideOp::InsertUnowned(Far(1)),
    SideOp::InsertUnowned(Far(10)),
    SideOp::InsertUnowned(Far(NEAREST)),
];

fn entries_of(entry: impl Fn(Fill) -> SideOp) -> impl Iterator<Item = SideOp> {
    Fill::ALL.map(entry).into_iter()
}

/// Runs an operation with a panic at each call of user code: at least `least` of them in a wide
/// layout.
#[track_caller]
fn panics(setup: &[SideOp], op: SideOp, least: u32) {
    let panics = side::every_panic::<InPool<Wide>>(setup, op).unwrap();
    assert!(panics >= least, "{op:?} panics {panics} times");
    if small::is_on() {
        return;
    }
    side::every_panic::<InPool<Compact<20>>>(setup, op).unwrap();
    side::every_panic::<InPool<TwoTenants>>(setup, op).unwrap();
    side::every_panic::<InPool<Tagged<4, Wide>>>(setup, op).unwrap();
    side::every_panic::<InWorld<Wide>>(setup, op).unwrap();
}

#[test]
fn panics_everywhere() {
    let ops = [
        (SideOp::Insert(Issued(0)), 1),
        (SideOp::Insert(Issued(4)), 1), // drops the former tenant's value
        (SideOp::InsertUnowned(Issued(4)), 1),
        (SideOp::InsertUnowned(Issued(1)), 1),
        (SideOp::InsertUnowned(Forged(0)), 0),
        (SideOp::Remove(Issued(0)), 1),
        (SideOp::RetainLive, 1),
        (SideOp::RetainOdd, 1),
        (SideOp::Clear, 3),
        (SideOp::Drain, 3),
        (SideOp::Clone, 3),
        (SideOp::CloneFrom, 3),
    ];
    ops.into_iter().for_each(|(op, least)| panics(SETUP, op, least));
    entries_of(|fill| SideOp::Entry(Issued(4), fill)).for_each(|op| panics(SETUP, op, 1));
    entries_of(|fill| SideOp::EntryUnowned(Issued(4), fill)).for_each(|op| panics(SETUP, op, 1));
}

#[test]
fn panics_beyond_the_slots() {
    let ops = [
        (SideOp::InsertUnowned(Far(LAST)), 1),       // drops the former value
        (SideOp::InsertUnowned(Far(LAST_AGAIN)), 1), // drops the former tenant's value
        (SideOp::Insert(Issued(1)), 0),
        (SideOp::Remove(Far(LAST)), 1),
        (SideOp::RetainLive, 4),
        (SideOp::RetainOdd, 2),
        (SideOp::Clear, 5),
        (SideOp::Drain, 5),
        (SideOp::Clone, 5),
        (SideOp::CloneFrom, 5),
    ];
    ops.into_iter().for_each(|(op, least)| panics(FAR_SETUP, op, least));
    entries_of(|fill| SideOp::EntryUnowned(Far(LAST_AGAIN), fill)).for_each(|op| panics(FAR_SETUP, op, 1));
}

#[test]
fn refused_memory_returns_the_value() {
    fn refusals<O: Issuer>(setup: &[SideOp], op: SideOp) -> u64 {
        side::every_refusal::<O>(setup, op).unwrap()
    }
    #[track_caller]
    fn everywhere(setup: &[SideOp], op: SideOp) -> u64 {
        refusals::<InPool<TwoTenants>>(setup, op);
        refusals::<InPool<Tagged<4, Wide>>>(setup, op);
        refusals::<InWorld<Wide>>(setup, op);
        refusals::<InHalfOfStable<Wide>>(setup, op);
        refusals::<InPool<Wide>>(setup, op)
    }
    let new = &SETUP[..4];
    assert!(everywhere(new, SideOp::Insert(Issued(0))) > 0, "the first value needs memory");
    assert!(everywhere(new, SideOp::InsertUnowned(Issued(0))) > 0);
    assert!(everywhere(new, SideOp::InsertUnowned(Far(LAST))) > 0);
    assert!(entries_of(|fill| SideOp::Entry(Issued(0), fill)).all(|op| everywhere(new, op) > 0));
    assert!(entries_of(|fill| SideOp::EntryUnowned(Far(LAST), fill)).all(|op| everywhere(new, op) > 0));

    assert_eq!(everywhere(SETUP, SideOp::Insert(Issued(3))), 0, "its slot exists");
    assert_eq!(everywhere(SETUP, SideOp::InsertUnowned(Issued(4))), 0);
    assert_eq!(everywhere(FAR_SETUP, SideOp::InsertUnowned(Far(LAST_AGAIN))), 0, "its place exists");
    // The sixth value: another one could move into a slot, and stays where it is without memory.
    assert!(everywhere(FAR_SETUP, SideOp::InsertUnowned(Issued(1))) > 0);
    for number in 0..=small::or(255, 3) {
        everywhere(FAR_SETUP, SideOp::InsertUnowned(Far(number)));
    }
}

#[test]
fn forged_handles_are_like_any_other() {
    for setup in small::or([&[], SETUP, FAR_SETUP].as_slice(), &[FAR_SETUP]) {
        side::every_forgery::<InPool<Wide>>(setup).unwrap();
        side::every_forgery::<InPool<Compact<20>>>(setup).unwrap();
        side::every_forgery::<InPool<TwoTenants>>(setup).unwrap();
        side::every_forgery::<InPool<ThreeSlots>>(setup).unwrap();
        side::every_forgery::<InPool<Tagged<4, Wide>>>(setup).unwrap();
        side::every_forgery::<InWorld<Wide>>(setup).unwrap();
    }
}

/// After 2^30 + 1 reuses of a slot slotmap's secondary map rejects a live key. Here a layout with
/// two tenants per slot gets there in no time.
#[test]
fn live_handles_are_never_rejected() {
    let mut pool: Pool<(), Handle<(), TwoTenants>> = Pool::default();
    let mut map = SideMap::default();
    for round in 0..small::or(1_000, 50) {
        let handle = pool.insert(());
        assert_eq!(map.insert(&pool, handle, round).unwrap(), None);
        assert_eq!(map.get(handle), Some(&round));
        pool.remove(handle);
        pool.recycle_retired();
    }
    map.validate().unwrap();
}

#[test]
fn a_forged_handle_cannot_make_it_grow() {
    let mut pool = Pool::new();
    let handle = pool.insert(0_u8);
    let mut map: SideMap<Handle<u8>, [u8; 64]> = SideMap::new();
    let far = Handle::from_parts(u32::MAX - 1, 1).unwrap();
    let before = alloc::bytes();
    assert!(map.insert(&pool, far, [0; 64]).is_err());
    assert!(map.entry(&pool, far).is_err());
    assert_eq!((map.get(far), map.contains(far)), (None, false));
    assert_eq!(map.remove(far), None);
    assert_eq!(alloc::bytes(), before, "lookups allocate nothing");
    assert_eq!(map.bytes(), 0);
    map.insert(&pool, handle, [0; 64]).unwrap();
    assert!((64..64 * 80).contains(&map.bytes()), "one slot needs {} bytes", map.bytes());
    assert_eq!(usize::try_from(alloc::bytes() - before), Ok(map.bytes()));
}

#[test]
fn entries() {
    let mut pool = Pool::new();
    let (a, b) = (pool.insert(0_u8), pool.insert(0));
    let mut map: SideMap<Handle<u8>, u32> = SideMap::new();
    let entry = map.entry(&pool, b).unwrap();
    assert_eq!((entry.handle(), format!("{entry:?}")), (b, format!("VacantEntry {{ handle: {b:?} }}")));
    *entry.and_modify(|_| unreachable!()).or_insert(1) += 1;
    let entry = map.entry(&pool, b).unwrap();
    assert_eq!((entry.handle(), format!("{entry:?}")), (b, format!("OccupiedEntry {{ handle: {b:?}, value: 2 }}")));
    assert_eq!(*entry.and_modify(|value| *value += 5).or_insert_with(|| unreachable!()), 7);
    assert_eq!(*map.entry(&pool, a).unwrap().or_default(), 0);
    let Entry::Occupied(mut entry) = map.entry(&pool, b).unwrap() else { panic!("{b} has a value") };
    *entry.get_mut() += 1;
    assert_eq!((*entry.get(), entry.insert(3), *entry.get()), (8, 8, 3));
    *entry.into_mut() = 4;
    let Entry::Occupied(entry) = map.entry(&pool, b).unwrap() else { panic!("{b} has a value") };
    assert_eq!(entry.remove(), 4);
    let Entry::Vacant(entry) = map.entry(&pool, b).unwrap() else { panic!("{b} has no value") };
    assert_eq!(*entry.insert(9), 9);
    assert_eq!((map.len(), map[a], map[b]), (2, 0, 9));
    map.validate().unwrap();
}

#[test]
fn equal_maps_have_the_same_handles_and_values() {
    let mut pool = Pool::new();
    let (a, b) = (pool.insert(0_u8), pool.insert(0));
    let mut map: SideMap<Handle<u8>, u32> = SideMap::new();
    map.insert(&pool, a, 1).unwrap();
    let mut other = map.clone();
    assert!(map == other);
    other[a] = 2;
    assert!(map != other);
    other[a] = 1;
    other.insert(&pool, b, 1).unwrap();
    assert!(map != other);
    assert_eq!(format!("{map:?}"), format!("{{{a:?}: 1}}"));
}

/// Every container can be the owner, and be joined with the map.
#[test]
fn every_container_is_an_owner() {
    macro_rules! check {
        ($pool:expr, $($borrow:tt)*) => {{
            let mut pool = $pool;
            let (first, second) = (pool.insert(1_u32), pool.insert(2));
            let mut map: SideMap<Handle<u32>, &str> = SideMap::new();
            map.insert(&pool, first, "one").unwrap();
            map.insert(&pool, second, "two").unwrap();
            pool.remove(first);
            assert_eq!(map.insert(&pool, first, "gone").unwrap_err().reason(), Rejection::Stale);
            let joined: Vec<_> = join(($($borrow)* pool, &map)).map(|(handle, (value, text))| (handle, *value, *text)).collect();
            assert_eq!(joined, [(second, 2, "two")]);
            assert_eq!(map.retain_live(&pool), 1);
        }};
    }
    check!(Pool::new(), &);
    check!(Pool::new(), &mut);
    check!(StablePool::new(), &mut);
    check!(DensePool::new(), &);
    check!(DensePool::new(), &mut);
    check!(FixedPool::<u32, 8>::new(), &);
    check!(FixedPool::<u32, 8>::new(), &mut);
    check!(ZiiPool::new(), &);
    check!(ZiiPool::new(), &mut);
}

/// A map belongs to one pool at a time: tags tell pools apart.
#[test]
fn handles_of_another_pool_are_rejected() {
    type Tags = Tagged<4, Wide>;
    let (mut left, mut right) =
        (Pool::<u8, Handle<u8, Tags>>::with_tag(1), Pool::<u8, Handle<u8, Tags>>::with_tag(2));
    let (a, b) = (left.insert(0), right.insert(0));
    let mut map: SideMap<Handle<u8, Tags>, u8> = SideMap::default();
    assert_eq!(map.insert(&left, b, 0).unwrap_err().reason(), Rejection::Foreign);
    map.insert(&left, a, 1).unwrap();
    assert_eq!(map.insert(&right, b, 2).unwrap_err().reason(), Rejection::Foreign);
    assert_eq!((map.get(a), map.get(b)), (Some(&1), None));
    map.clear();
    map.insert(&right, b, 2).unwrap();
    map.validate().unwrap();
}

#[test]
fn joins_of_many() {
    let mut pool = DensePool::new();
    let handles: Vec<_> = (0..1_000_u32).map(|number| pool.insert(number)).collect();
    let mut twos = SideMap::new();
    let mut threes = SideMap::new();
    let mut fives = SideMap::new();
    for (number, &handle) in (0..).zip(&handles) {
        if number % 2 == 0 {
            twos.insert(&pool, handle, number).unwrap();
        }
        if number % 3 == 0 {
            threes.insert(&pool, handle, number).unwrap();
        }
        if number % 5 == 0 {
            fives.insert(&pool, handle, 0).unwrap();
        }
    }
    handles.iter().step_by(7).for_each(|&handle| _ = pool.remove(handle));
    for (handle, (value, two, three, five)) in join((&mut pool, &twos, &threes, &mut fives)) {
        assert_eq!(handle, handles[*value as usize]);
        assert_eq!((*value, *value), (*two, *three));
        *five = *value;
        *value += 1_000;
    }
    let right: Vec<u32> = (0..1_000).filter(|number| number % 30 == 0 && number % 7 != 0).collect();
    let found: Vec<u32> = fives.values().copied().filter(|&five| five != 0).collect();
    assert_eq!(found, right);
    let changed = pool.values().filter(|value| **value >= 1_000).count();
    assert_eq!(changed, right.len());
}

#[test]
#[should_panic(expected = "the side map has no value for i32(0v1)")]
fn indexing_without_a_value_panics() {
    let mut pool = Pool::new();
    let handle = pool.insert(1);
    let map: SideMap<Handle<i32>, u8> = SideMap::new();
    let _ = map[handle];
}
