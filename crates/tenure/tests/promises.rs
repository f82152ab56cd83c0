//! The promises of the design, each under its number. The rig checks them for all histories; here
//! each one is shown once, by example.
//!
//! Elsewhere: P7 is a matter of cost and belongs to the benchmark (here only: iterating allocates
//! nothing); how much memory a byte of a document may take (P11) is tested in `load_memory.rs`;
//! that the crate builds without `std` (P12) is shown by building it for a target that has none.

use std::mem::size_of;
use std::sync::Mutex;

use tenure::{
    Compact, DensePool, Handle, HandleError, Layout, Pool, Rejection, StablePool, Status, Tagged, Wide, World,
};
use test_support::alloc::{self, Watched};
use test_support::pool::{FourTenants, ThreeSlots, TwoTenants};
use test_support::{quiet, small};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

type Small = Pool<u32, Handle<u32, FourTenants>>;

// ---- P1: a handle resolves to its own value or to nothing ----

/// Uses up every slot with one way of removing, and checks every handle ever issued after every
/// round.
fn no_handle_is_reissued(mut remove_all: impl FnMut(&mut Small)) {
    let mut pool = Small::default();
    let mut issued: Vec<(Handle<u32, FourTenants>, u32)> = Vec::new();
    for round in 0..20 {
        for nth in 0..5 {
            let value = round * 5 + nth;
            let handle = pool.insert(value);
            assert!(issued.iter().all(|(old, _)| *old != handle), "{handle} was issued twice");
            issued.push((handle, value));
        }
        for &(handle, value) in &issued {
            assert!(pool.get(handle).is_none_or(|found| *found == value), "{handle} resolves to another value");
        }
        remove_all(&mut pool);
        assert!(issued.iter().all(|&(handle, _)| pool.get(handle).is_none()));
        pool.validate().unwrap();
    }
}

#[test]
fn p1_after_remove() {
    no_handle_is_reissued(|pool| {
        for handle in pool.handles().collect::<Vec<_>>() {
            pool.remove(handle);
        }
    });
}

#[test]
fn p1_after_clear() {
    no_handle_is_reissued(Pool::clear);
}

#[test]
fn p1_after_drain() {
    no_handle_is_reissued(|pool| drop(pool.drain()));
    no_handle_is_reissued(|pool| assert_eq!(pool.drain().count(), 5));
    no_handle_is_reissued(|pool| assert_eq!(pool.drain().rev().take(2).count(), 2));
}

#[test]
fn p1_after_retain_and_extract_if() {
    no_handle_is_reissued(|pool| pool.retain(|_, _| false));
    no_handle_is_reissued(|pool| assert_eq!(pool.extract_if(|_, _| true).count(), 5));
}

#[test]
fn p1_after_shrink() {
    no_handle_is_reissued(|pool| {
        pool.clear();
        pool.shrink_to_fit();
    });
}

#[test]
fn p1_after_every_reuse_of_one_slot_that_the_layout_allows() {
    let mut pool: Pool<u32, Handle<u32, Compact<20>>> = Pool::default();
    let first = pool.insert(0);
    pool.remove(first);
    for tenant in 2..=<Compact<20>>::MAX_TENANTS {
        let handle = pool.insert(tenant);
        assert_eq!((handle.index(), handle.generation()), (0, tenant));
        assert_eq!(pool.get(first), None);
        pool.remove(handle);
    }
    assert_eq!(pool.insert(0).index(), 1);
    assert_eq!(pool.status(first), Status::Retired);
}

/// 2³¹ reuses are too many for a test, so the slot starts near its last generation.
#[test]
fn p1_at_the_last_generation_of_the_wide_layout() {
    let mut pool = Pool::new();
    let late = Handle::from_parts(0, Wide::MAX_TENANTS - 1).unwrap();
    pool.insert_at(late, "late").unwrap();
    pool.remove(late);
    let last = pool.insert("last");
    assert_eq!(last.generation(), Wide::MAX_TENANTS);
    assert_eq!(pool.get(late), None);
    pool.remove(last);
    assert_eq!((pool.status(last), pool.stats().retired), (Status::Retired, 1));
    assert_eq!(pool.insert("next").index(), 1);
}

#[test]
fn p1_insert_at_and_recycle_retired_may_bring_a_generation_back() {
    let mut pool: Pool<&str, Handle<&str, TwoTenants>> = Pool::default();
    let first = pool.insert("first");
    pool.remove(first);
    pool.insert_at(first, "first again").unwrap();
    assert_eq!(pool[first], "first again");
    pool.remove(first);
    let second = pool.insert("second");
    pool.remove(second);
    assert_eq!(pool.recycle_retired(), 1);
    assert_eq!(pool.insert("again"), first);
}

// ---- P2: every bit pattern is safe ----

#[test]
fn p2_every_bit_pattern_resolves_to_the_value_issued_for_it_or_to_none() {
    // 16 slots times 28 bits of generation are too many; every index with the low generations is
    // enough.
    type Tiny = Compact<4>;
    let mut pool: Pool<u32, Handle<u32, Tiny>> = Pool::default();
    let handles: Vec<_> = pool.insert_many(0..10).collect();
    pool.remove(handles[3]);
    for index in 0..16_u32 {
        for mark in (0..64).chain((1 << 28) - 64..1 << 28) {
            let bits = (index << 28) | mark;
            let forged = Handle::from_bits(bits);
            let issued = handles.iter().position(|handle| handle.to_bits() == bits).filter(|&nth| nth != 3);
            let expected = issued.map(|nth| u32::try_from(nth).unwrap());
            assert_eq!(pool.get(forged).copied(), expected, "{bits:#x}");
            assert_eq!(pool.contains(forged), expected.is_some());
        }
    }
}

#[test]
fn p2_even_generations_and_the_last_index_are_nil() {
    for bits in [0, 2, 1 << 32, u64::MAX - 1, u64::MAX, u64::from(u32::MAX) << 32 | 1] {
        assert_eq!(Handle::<()>::from_bits(bits), Handle::NIL, "{bits:#x}");
    }
    assert_eq!(Handle::<()>::from_bits(1), Handle::from_parts(0, 1).unwrap());
}

/// The highest generation, in the layout where it is the highest value of its integer.
#[test]
fn p2_insert_at_accepts_the_last_generation() {
    let mut pool = Pool::new();
    let last = Handle::from_parts(0, Wide::MAX_TENANTS).unwrap();
    assert_eq!(pool.insert_at(last, 1).unwrap(), None);
    assert_eq!(pool.get(last), Some(&1));

    let mut used = Pool::new();
    let first = used.insert(0);
    used.remove(first);
    assert_eq!(used.insert_at(last, 1).unwrap(), None);
    assert_eq!(used.get(last), Some(&1));
}

// ---- P3: used-up slots are retired and counted ----

#[test]
fn p3_a_used_up_slot_is_retired_and_counted() {
    let mut pool: Pool<u32, Handle<u32, TwoTenants>> = Pool::default();
    let handles: Vec<_> = (0..6)
        .map(|value| {
            let handle = pool.insert(value);
            pool.remove(handle);
            handle
        })
        .collect();
    assert_eq!(handles.iter().map(|handle| handle.index()).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
    assert_eq!((pool.stats().retired, pool.stats().free, pool.stats().live), (3, 0, 0));
    assert!(handles.iter().all(|&handle| pool.status(handle) == Status::Retired));
}

#[test]
fn p3_retired_slots_are_reused_only_after_recycle_retired() {
    let mut pool: Pool<u32, Handle<u32, TwoTenants>> = Pool::default();
    let both: Vec<_> = (0..2).map(|value| (pool.insert(value), pool.clear()).0).collect();
    for _ in 0..3 {
        pool.clear();
        drop(pool.drain());
        pool.shrink_to_fit();
        pool = pool.clone().map_values(|value| value);
        assert_eq!(pool.stats().retired, 1);
    }
    assert_eq!(pool.recycle_retired(), 1);
    assert_eq!(pool.recycle_retired(), 0);
    assert_eq!(pool.insert(9), both[0]);
}

#[test]
fn p3_clear_retires_some_slots_of_a_full_word() {
    let mut pool: Pool<u32, Handle<u32, TwoTenants>> = Pool::default();
    let first: Vec<_> = (0..128).map(|value| pool.insert(value)).collect();
    let used_up: Vec<_> =
        (0..128).step_by(7).map(|index| pool.remove(first[index]).map(|_| pool.insert(0)).unwrap()).collect();
    pool.clear();
    pool.validate().unwrap();
    assert_eq!(pool.stats().retired, used_up.len());
    assert!(used_up.iter().all(|&handle| pool.status(handle) == Status::Retired));
    let again: Vec<_> = (0..128 - used_up.len()).map(|_| pool.insert(1)).collect();
    assert!(again.iter().all(|handle| handle.index() % 7 != 0 && handle.generation() == 2));
}

#[test]
fn p3_a_pool_whose_slots_are_all_retired_is_full() {
    // 3 slots of 2 tenants each: no layout of 4 bytes has as few of both, so `insert_at` skips
    // most.
    let mut pool: Pool<u32, Handle<u32, ThreeSlots>> = Pool::default();
    for index in 0..3 {
        let last = Handle::from_parts(index, ThreeSlots::MAX_TENANTS).unwrap();
        pool.insert_at(last, index).unwrap();
    }
    pool.clear();
    assert_eq!(pool.stats().retired, 3);
    assert_eq!(pool.try_insert(9).unwrap_err().into_inner(), 9);
    assert_eq!(pool.recycle_retired(), 3);
    assert!(pool.try_insert(9).is_ok());
}

#[test]
fn p3_stats_include_the_generations_of_pending_and_retired_slots() {
    let mut pool: Pool<u32, Handle<u32, TwoTenants>> = Pool::default();
    let pending = pool.reserve_handle();
    assert_eq!(pool.stats().highest_generation, pending.generation());
    pool.remove(pending);
    let second = pool.insert(2);
    assert_eq!(pool.stats().highest_generation, 2);
    pool.remove(second);
    assert_eq!((pool.stats().retired, pool.stats().highest_generation), (1, 2));
}

// ---- P4: a failed lookup reports the reason ----

#[test]
fn p4_every_status() {
    type Tags = Tagged<4>;
    let mut pool: Pool<&str, Handle<&str, Tags>> = Pool::with_tag(1);
    let mut other: Pool<&str, Handle<&str, Tags>> = Pool::with_tag(2);
    let removed = pool.insert("removed");
    pool.remove(removed);
    let live = pool.insert("live");
    let pending = pool.reserve_handle();
    let foreign = other.insert("foreign");
    let never: Handle<&str, Tags> = "7v1#1".parse().unwrap();

    assert_eq!(pool.status(live), Status::Live);
    assert_eq!(pool.status(pending), Status::Pending);
    assert_eq!(pool.status(removed), Status::Removed);
    assert_eq!(pool.status(never), Status::NeverIssued);
    assert_eq!(pool.status(Handle::NIL), Status::Nil);
    assert_eq!(pool.status(foreign), Status::Foreign);

    let mut small: Pool<&str, Handle<&str, TwoTenants>> = Pool::default();
    let first = small.insert("first");
    small.remove(first);
    let second = small.insert("second");
    small.remove(second);
    assert_eq!((small.status(first), small.status(second)), (Status::Retired, Status::Retired));
}

#[test]
fn p4_every_error_and_its_text() {
    type Tags = Tagged<4>;
    let mut pool: Pool<u32, Handle<u32, Tags>> = Pool::with_tag(1);
    let first = pool.insert(1);
    pool.remove(first);
    let vacant = pool.try_get(first).unwrap_err();
    assert!(matches!(vacant, HandleError::Removed { index: 0, generation: 1, current: 1, vacant: true, .. }));
    assert_eq!(vacant.to_string(), "0v1 was removed: slot 0 is vacant, v1 was its last tenant");

    let second = pool.insert(2);
    let stale = pool.try_get_mut(first).unwrap_err();
    assert!(matches!(stale, HandleError::Removed { current: 2, vacant: false, .. }));
    assert_eq!(stale.to_string(), "0v1 was removed: slot 0 is at v2");

    assert_eq!(pool.take(second), Some(2));
    let pending = pool.try_get(second).unwrap_err();
    assert!(matches!(pending, HandleError::Pending { index: 0, generation: 2, .. }));
    assert_eq!(pending.to_string(), "0v2 is pending: it has no value");

    let never = pool.try_get("3v1#1".parse().unwrap()).unwrap_err();
    assert!(matches!(never, HandleError::NeverIssued { index: 3, generation: 1, .. }));
    assert_eq!(never.to_string(), "3v1 was never issued by this pool");

    let foreign = pool.try_get("0v2#5".parse().unwrap()).unwrap_err();
    assert!(matches!(foreign, HandleError::Foreign { tag: 5, expected: 1, .. }));
    assert_eq!(foreign.to_string(), "the handle has the tag #5: it is from another pool, this one has #1");

    assert_eq!(pool.try_get(Handle::NIL).unwrap_err().to_string(), "the handle is nil");
}

#[test]
fn p4_removed_and_retired_report_tenants_ago() {
    let mut pool = Small::default();
    let handles: Vec<_> = (0..4).map(|value| (pool.insert(value), pool.clear()).0).collect();
    for (ago, handle) in (0..).zip(handles.iter().rev()) {
        let error = pool.try_get(*handle).unwrap_err();
        assert!(matches!(error, HandleError::Retired { current: 4, .. }));
        assert_eq!(error.tenants_ago(), Some(ago));
    }
    let first = pool.insert(9);
    pool.remove(first);
    assert_eq!(pool.try_get(first).unwrap_err().tenants_ago(), Some(0));
    pool.insert(10);
    assert_eq!(pool.try_get(first).unwrap_err().tenants_ago(), Some(1));
    assert_eq!(pool.try_get(Handle::NIL).unwrap_err().tenants_ago(), None);
}

// ---- P5: a value that does not fit is returned ----

#[test]
fn p5_a_full_pool_returns_the_value() {
    let mut pool: Pool<String, Handle<String, ThreeSlots>> = ["a", "b", "c"].map(String::from).into_iter().collect();
    let full = pool.try_insert("d".into()).unwrap_err();
    assert!(!full.is_out_of_memory());
    assert_eq!(full.into_inner(), "d");
    assert!(quiet::catch(|| pool.insert("e".into())).unwrap_err().contains("full"));
    assert_eq!(pool.len(), 3);
}

#[test]
fn p5_insert_many_returns_the_remainder() {
    let mut pool: Pool<u32, Handle<u32, ThreeSlots>> = Pool::default();
    pool.insert(0);
    let mut many = pool.insert_many(1..6);
    assert!(many.next().is_some());
    let rest = many.finish().unwrap_err();
    assert_eq!(rest.into_inner().collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(pool.values().copied().collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn p5_fill_and_insert_at_return_the_value() {
    let mut pool = Pool::new();
    let old = pool.insert("old".to_string());
    pool.remove(old);
    let live = pool.insert("live".to_string());
    let refused = |result: Result<_, tenure::Rejected<String>>| {
        let rejected = result.unwrap_err();
        (rejected.reason(), rejected.into_inner())
    };
    let value = || "back".to_string();
    assert_eq!(refused(pool.fill(live, value()).map(|()| None)), (Rejection::Occupied, value()));
    assert_eq!(refused(pool.fill(old, value()).map(|()| None)), (Rejection::Stale, value()));
    assert_eq!(refused(pool.insert_at(old, value())), (Rejection::Stale, value()));
    assert_eq!(refused(pool.insert_at(Handle::NIL, value())), (Rejection::Nil, value()));
    let future = Handle::from_parts(live.index(), 9).unwrap();
    assert_eq!(refused(pool.insert_at(future, value())), (Rejection::Occupied, value()));
    let far = Handle::from_parts(1 + 4_096, 1).unwrap();
    assert_eq!(refused(pool.insert_at(far, value())), (Rejection::OutOfReach, value()));
    assert_eq!(refused(pool.fill(far, value()).map(|()| None)), (Rejection::NeverIssued, value()));
    assert_eq!(pool.len(), 1);
}

#[test]
#[cfg_attr(miri, ignore = "thousands of slots")]
fn p5_the_index_limit_depends_on_slots_not_on_capacity() {
    for capacity in [0, 10_000] {
        let mut pool = Pool::with_capacity(capacity);
        let at = |index| Handle::from_parts(index, 1).unwrap();
        assert_eq!(pool.insert_at(at(4_096), 0).unwrap_err().reason(), Rejection::OutOfReach);
        assert!(pool.insert_at(at(4_095), 0).is_ok());
        assert_eq!(pool.insert_at(at(8_192), 0).unwrap_err().reason(), Rejection::OutOfReach);
        pool.allow_indices_below(8_193);
        assert!(pool.insert_at(at(8_192), 0).is_ok());
        // The slots in the gap are used in ascending order.
        assert_eq!(pool.insert(0).index(), 0);
        assert_eq!(pool.insert(0).index(), 1);
        pool.validate().unwrap();
    }
}

// ---- P6: panics: `panics.rs` tests every call ----

#[test]
fn p6_clear_and_drain_finish_when_a_destructor_panics() {
    struct Bomb(bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!self.0, "a destructor panics");
        }
    }
    for empty in [Pool::clear, |pool: &mut Pool<Bomb>| drop(pool.drain())] {
        let mut pool: Pool<Bomb> = (0..5).map(|nth| Bomb(nth == 2)).collect();
        assert!(quiet::catch(|| empty(&mut pool)).is_err());
        assert!(pool.is_empty());
        pool.validate().unwrap();
        pool.insert(Bomb(false));
        assert_eq!(pool.iter().count(), 1);
    }
}

// ---- P7: cost is measured by the benchmark; allocations are counted here ----

#[test]
fn p7_iterating_allocates_nothing() {
    let count = small::or(10_000, 1_000);
    let mut pool: Pool<u32> = (0..count).collect();
    pool.retain(|_, value| *value % 100 == 0);
    let (sum, asked) = alloc::count(|| {
        let forwards: u32 = pool.values().sum();
        let backwards: u32 = pool.iter().rev().map(|(_, value)| *value).sum();
        assert_eq!(forwards, backwards);
        forwards
    });
    assert_eq!((sum, asked), ((0..count).step_by(100).sum(), 0));
}

// ---- P8: new is const and allocates nothing ----

static NAMES: Mutex<Pool<String>> = Mutex::new(Pool::new());
static SMALL: Mutex<Pool<u8, Handle<u8, Compact<16>>>> = Mutex::new(Pool::EMPTY);
static TAGGED: Mutex<Pool<u8, Handle<u8, Tagged<4>>>> = Mutex::new(Pool::with_tag(3));

#[test]
fn p8_a_pool_can_be_a_static() {
    let ada = NAMES.lock().unwrap().insert("Ada".into());
    assert_eq!(NAMES.lock().unwrap()[ada], "Ada");
    assert_eq!(SMALL.lock().unwrap().insert(1).to_string(), "u8(0v1)");
    assert_eq!(TAGGED.lock().unwrap().insert(1).tag(), 3);
}

#[test]
fn p8_new_allocates_nothing() {
    assert!(alloc::is_watched());
    let (pool, asked) = alloc::count(Pool::<String>::new);
    assert_eq!((asked, pool.capacity(), pool.stats().bytes), (0, 0, 0));
    let (_, asked) = alloc::count(|| {
        let empty: Pool<String, Handle<str, Tagged<3, Compact>>> = Pool::with_tag(1);
        let mut copy = empty.clone();
        copy.clear();
        copy.retain(|_, _| true);
        copy.shrink_to_fit();
        assert_eq!(copy.iter().count() + copy.drain().count() + empty.into_iter().count(), 0);
    });
    assert_eq!(asked, 0);
}

#[test]
fn p8_there_is_no_dummy_element_and_index_0_is_the_first() {
    let mut pool = Pool::new();
    assert_eq!(pool.stats().bytes, 0);
    let first = pool.insert('a');
    assert_eq!((first.index(), first.generation(), pool.len()), (0, 1, 1));
    assert_eq!(pool.handle_at(0), Some(first));
}

// ---- P9: the same calls give the same handles ----

#[test]
fn p9_whatever_the_capacity() {
    fn play(pool: &mut Pool<u32>) -> Vec<Handle<u32>> {
        let mut issued: Vec<_> = pool.insert_many(0..300).collect();
        for nth in (0..300).step_by(7) {
            pool.remove(issued[nth]);
        }
        issued.extend(pool.insert_many(0..20));
        pool.retain(|_, value| *value % 3 != 0);
        issued.extend(pool.insert_many(0..200));
        pool.shrink_to_fit();
        pool.clear();
        issued.extend(pool.insert_many(0..500));
        issued
    }
    let issued = play(&mut Pool::new());
    for capacity in [1, 64, 65, 1_000, 5_000] {
        assert_eq!(play(&mut Pool::with_capacity(capacity)), issued);
    }
}

#[test]
fn p9_a_clone_has_the_same_future() {
    let mut pool: Pool<u32> = (0..200).collect();
    pool.retain(|handle, _| handle.index() % 5 != 1);
    pool.remove(pool.handle_at(2).unwrap());
    let mut kept: Pool<u32> = (0..7).collect();
    kept.clone_from(&pool);
    let mut copies = [pool.clone(), kept, pool.clone().map_values(|value| value)];
    let future: Vec<_> = pool.insert_many(0..100).collect();
    for copy in &mut copies {
        assert_eq!(copy.insert_many(0..100).collect::<Vec<_>>(), future);
    }
}

#[test]
fn p1_p9_after_a_load() {
    let mut pool: Small = (0..6).collect();
    let dead: Vec<_> = [4, 0, 3].map(|index| pool.handle_at(index).unwrap()).to_vec();
    dead.iter().for_each(|&handle| _ = pool.remove(handle));
    let text = serde_json::to_string(&pool).unwrap();
    let mut loaded: Small = serde_json::from_str(&text).unwrap();
    for value in 10..20 {
        assert_eq!(pool.try_insert(value).ok(), loaded.try_insert(value).ok(), "another handle");
        assert!(dead.iter().all(|&handle| !loaded.contains(handle)), "a removed handle resolves");
    }
}

// ---- P10: Option<Handle> costs nothing ----

#[test]
fn p10_sizes() {
    assert_eq!(size_of::<Handle<String>>(), 8);
    assert_eq!(size_of::<Option<Handle<String>>>(), 8);
    assert_eq!(size_of::<Handle<String, Compact>>(), 4);
    assert_eq!(size_of::<Option<Handle<String, Compact>>>(), 4);
    assert_eq!(size_of::<Option<Handle<dyn std::fmt::Debug, Tagged<8>>>>(), 8);
}

#[test]
fn p10_none_is_all_zero_bytes() {
    assert_eq!(test_support::bytes::of_option(None::<Handle<String>>), [0; 8]);
    assert_eq!(test_support::bytes::of_option(None::<Handle<String, Compact>>), [0; 4]);
    let some = test_support::bytes::of_option(Handle::<String>::from_parts(0, 1));
    assert_ne!(some, [0; 8]);
}

#[test]
fn p10_nil_is_saved_as_0() {
    assert_eq!(Handle::<u8>::NIL.to_bits(), 0);
    assert_eq!(Handle::<u8, Compact>::NIL.to_bits(), 0);
    assert_eq!(Handle::<u8>::from_bits(0), Handle::NIL);
    assert_eq!(Handle::<u8>::default(), Handle::NIL);
    let handle = Handle::<u8>::from_parts(17, 3).unwrap();
    assert_eq!(handle.to_bits(), (17 << 32) | 5);
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
}

// ---- P11: hostile input is an error; a byte of it takes at most two slots and 64 bytes of memory
// (load_memory.rs) ----

#[test]
fn p11_a_small_document_cannot_claim_a_large_pool() {
    for document in
        [&b"{\"version\":1,\"slots\":[{\"2147483647v1\":0}]}"[..], b"{\"version\":1,\"next\":9,\"slots\":[]}"]
    {
        let (refused, growth) = alloc::growth(|| serde_json::from_slice::<Pool<u64>>(document).is_err());
        assert!(refused && growth.peak < 100 * document.len() as isize, "{} bytes", growth.peak);
    }
}

// ---- P12: no dependency ----

/// Only the features in the manifest can add a dependency. (CI checks that the crate builds without
/// `std`.)
#[test]
fn p12_no_dependency_without_a_feature() {
    let manifest = include_str!("../Cargo.toml");
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    for line in dependencies.lines().filter(|line| line.contains('=') && !line.starts_with('#')) {
        assert!(line.contains("optional = true"), "{line}");
    }
}

// ---- P14: removing twice is harmless and reported ----

#[test]
fn p14_removing_twice() {
    let mut pool = Pool::new();
    let handle = pool.insert(1);
    assert_eq!(pool.remove(handle), Some(1));
    assert_eq!(pool.remove(handle), None);
    let next = pool.insert(2);
    assert_eq!((pool.remove(handle), pool.take(handle), pool.len()), (None, None, 1));
    assert_eq!(pool.status(handle), Status::Removed);

    assert_eq!(pool.take(next), Some(2));
    assert_eq!(pool.take(next), None);
    assert_eq!(pool.remove(next), None);
    assert_eq!(pool.status(next), Status::Removed);
    assert_eq!(pool.remove(Handle::NIL), None);
    pool.validate().unwrap();
}

#[test]
fn p14_despawning_a_dead_handle_is_reported() {
    let mut world = World::new();
    let handle = world.spawn(1);
    assert_eq!((world.despawn(handle), world.despawn(handle)), (Status::Spawned, Status::Dying));
    let report = world.end_frame();
    assert_eq!((report.despawned, report.already_dying), (1, 1));
    assert_eq!(world.despawn(handle), Status::Removed);
    assert_eq!(world.end_frame().already_dead, 1);
}

// ---- P13: in a stable pool values never move, and values can be inserted while references are
// held ----

#[test]
fn p13_references_stay_valid_while_others_are_inserted() {
    let pool = StablePool::new();
    let first = pool.insert(String::from("first"));
    let held = &pool[first];
    let address = std::ptr::from_ref(held);
    (0..small::or(10_000, 300)).for_each(|number: u32| _ = pool.insert(number.to_string()));
    assert_eq!((held.as_str(), std::ptr::from_ref(&pool[first])), ("first", address));

    let mut pool = pool;
    let (mut live, spawner) = pool.split();
    let held = live.get_mut(first).unwrap();
    (0..small::or(10_000, 300)).for_each(|number: u32| _ = spawner.spawn(number.to_string()));
    held.push_str(", still");
    drop((live, spawner));
    assert_eq!((pool[first].as_str(), std::ptr::from_ref(&pool[first])), ("first, still", address));
}

// ---- P15: operations that move rows report every move ----

#[test]
fn p15_side_data_by_row_follows_the_moves() {
    let mut pool: DensePool<u32> = (0..100).map(|number| number * 37 % 100).collect();
    let mut side: Vec<u32> = pool.values().map(|value| value + 1_000).collect();
    let follows =
        |pool: &DensePool<u32>, side: &[u32]| pool.values().map(|value| value + 1_000).eq(side.iter().copied());

    let handles: Vec<_> = pool.handles().collect();
    pool.following(&mut side).remove(handles[3]);
    assert!(follows(&pool, &side));
    pool.following(&mut side).sort_by_key(|value| *value);
    assert!(follows(&pool, &side));
    pool.following(&mut side).retain(|_, value| *value % 3 != 0);
    assert!(follows(&pool, &side));
    pool.following(&mut side).compact_by_key(|_, value| (*value % 2 == 0).then_some(std::cmp::Reverse(*value)));
    assert!(follows(&pool, &side));
    assert_eq!(side.len(), pool.len());

    let (row, last) = (pool.row_of(pool.raw_handles()[2]).unwrap(), pool.len() - 1);
    let second = pool.raw_handles()[2];
    let mut moves = Vec::new();
    pool.on_move(|from, to| moves.push((from, to))).remove(second);
    assert_eq!(moves, [(last, row)]);
}
