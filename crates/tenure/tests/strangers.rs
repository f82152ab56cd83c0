//! Handles of other pools, of clones that diverged, and handles not issued yet: which of them are
//! noticed, and which are not.

use tenure::{FixedPool, Handle, Pool, Rejection, StablePool, Status, Tagged};

type Tags = Tagged<4>;
type TaggedPool = Pool<&'static str, Handle<&'static str, Tags>>;

/// For every kind of memory.
macro_rules! foreign_handles {
    ($($kind:ident: $Pool:ty;)*) => {$(
        mod $kind {
            use super::*;

            #[test]
            fn a_foreign_handle_is_rejected_everywhere_in_a_tagged_layout() {
                let mut left = <$Pool>::with_tag(1);
                let mut right = <$Pool>::with_tag(2);
                let mine = left.insert("left");
                let foreign = right.insert("right");
                assert_eq!((mine.index(), mine.generation()), (foreign.index(), foreign.generation()));
                assert_ne!(mine, foreign);

                assert_eq!(left.status(foreign), Status::Foreign);
                assert_eq!((left.get(foreign), left.contains(foreign)), (None, false));
                assert_eq!((left.remove(foreign), left.take(foreign)), (None, None));
                assert_eq!(left.insert_at(foreign, "x").unwrap_err().reason(), Rejection::Foreign);
                assert_eq!(left.fill(foreign, "x").unwrap_err().reason(), Rejection::Foreign);
                assert!(left.get_disjoint_mut([mine, foreign]).is_err());
                assert!(left.borrow_many().get_mut(foreign).is_err());
                assert_eq!(left.values().copied().collect::<Vec<_>>(), ["left"]);
                right.remove(foreign);
            }

            #[test]
            fn a_pool_keeps_its_tag_after_every_operation() {
                let mut pool = <$Pool>::with_tag(7);
                pool.insert("a");
                pool.clear();
                shrink(&mut pool);
                pool = pool.map_values(|value| value).clone();
                assert_eq!(pool.insert("b").tag(), 7);
                assert_eq!(pool.reserve_handle().tag(), 7);
                let mut copy = <$Pool>::with_tag(3);
                copy.insert("old");
                copy.clone_from(&pool);
                assert_eq!(copy.insert("c").tag(), 7);
                copy.validate().unwrap();
            }

            #[test]
            fn a_rollback_forgets_handles_issued_since() {
                let mut world = <$Pool>::with_tag(1);
                world.insert("old");
                let kept = world.clone();
                let young = world.insert("young");
                world.clone_from(&kept);
                assert_eq!(world.status(young), Status::NeverIssued);
                assert_eq!(world.insert("another"), young);
            }
        }
    )*};
}

foreign_handles! {
    on_the_heap: TaggedPool;
    fixed: FixedPool<&'static str, 8, Handle<&'static str, Tags>>;
    stable: StablePool<&'static str, Handle<&'static str, Tags>>;
}

/// A fixed pool releases no memory.
trait Shrink {
    fn shrink(&mut self) {}
}

impl Shrink for FixedPool<&'static str, 8, Handle<&'static str, Tags>> {}

impl Shrink for TaggedPool {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

impl Shrink for StablePool<&'static str, Handle<&'static str, Tags>> {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

fn shrink(pool: &mut impl Shrink) {
    pool.shrink();
}

#[test]
fn two_pools_with_one_tag_cannot_tell_their_handles_apart() {
    let mut left = TaggedPool::with_tag(1);
    let right: TaggedPool = left.clone();
    let handle = left.insert("left");
    assert_eq!(right.status(handle), Status::NeverIssued);
}

/// Documented as not noticed: without tags, only index and generation are compared.
#[test]
fn a_foreign_handle_is_not_noticed_in_an_untagged_layout() {
    let mut left: Pool<&str> = Pool::new();
    let mut right: Pool<&str> = Pool::new();
    let mine = left.insert("left");
    let foreign = right.insert("right");
    let unmatched = right.insert("second");
    assert_eq!(mine, foreign);
    assert_eq!(left.get(foreign), Some(&"left"));
    assert_eq!((left.get(unmatched), left.status(unmatched)), (None, Status::NeverIssued));
    assert_eq!(left.remove(foreign), Some("left"));
    assert_eq!(left.status(foreign), Status::Removed);
}

/// Documented as not noticed: once two clones diverge, each has a history of its own.
#[test]
fn clones_share_handles_until_they_diverge() {
    let mut original = Pool::new();
    let shared = original.insert("shared");
    let mut copy = original.clone();
    assert_eq!((original[shared], copy[shared]), ("shared", "shared"));

    let of_original = original.insert("of the original");
    let of_copy = copy.insert("of the copy");
    assert_eq!(of_original, of_copy);
    assert_eq!(original[of_copy], "of the original");
    assert_eq!(copy[of_original], "of the copy");

    // A removal from one is not a removal from the other.
    original.remove(shared);
    assert_eq!(original.get(shared), None);
    assert_eq!(copy.get(shared), Some(&"shared"));
}

/// A handle that is not issued yet has the status `NeverIssued`; it resolves once it is issued.
#[test]
fn a_handle_resolves_once_it_is_issued() {
    let mut pool = Pool::new();
    let next_slot: Handle<&str> = Handle::from_parts(0, 1).unwrap();
    let next_tenant = Handle::from_parts(0, 2).unwrap();
    assert_eq!(pool.status(next_slot), Status::NeverIssued);

    let first = pool.insert("first");
    assert_eq!(first, next_slot);
    assert_eq!(pool.get(next_slot), Some(&"first"));
    assert_eq!(pool.status(next_tenant), Status::NeverIssued);
    assert_eq!((pool.remove(next_tenant), pool.take(next_tenant)), (None, None));

    pool.remove(first);
    assert_eq!(pool.status(next_tenant), Status::NeverIssued);
    assert_eq!(pool.insert("second"), next_tenant);
    assert_eq!((pool.get(next_tenant), pool.get(next_slot)), (Some(&"second"), None));
}

#[test]
fn insert_at_of_a_later_generation_advances_the_slot() {
    let mut pool = Pool::new();
    let later = Handle::from_parts(0, 5).unwrap();
    pool.insert_at(later, "fifth").unwrap();
    for generation in 1..5 {
        let skipped = Handle::from_parts(0, generation).unwrap();
        assert_eq!(pool.status(skipped), Status::Removed);
        assert_eq!(pool.insert_at(skipped, "x").unwrap_err().reason(), Rejection::Stale);
    }
    pool.remove(later);
    assert_eq!(pool.insert("sixth"), Handle::from_parts(0, 6).unwrap());
}

#[test]
fn pending_slots_survive_clones_and_are_released_by_clear() {
    let mut pool = Pool::new();
    let pending = pool.reserve_handle();
    let mut copy = pool.clone();
    assert_eq!((copy.status(pending), copy.stats().pending, copy.len()), (Status::Pending, 1, 0));
    copy.fill(pending, "filled").unwrap();
    assert_eq!(copy[pending], "filled");
    pool.clear();
    assert_eq!((pool.status(pending), pool.stats().pending), (Status::Removed, 0));
    assert_eq!(pool.fill(pending, "late").unwrap_err().reason(), Rejection::Stale);
}

#[test]
fn truncated_slots_continue_with_their_generations() {
    let mut pool = Pool::new();
    let handles: Vec<Handle<u32>> = pool.insert_many(0..3).collect();
    pool.clear();
    pool.shrink_to_fit();
    assert_eq!((pool.capacity(), pool.stats().bytes), (0, 0));
    assert!(handles.iter().all(|&handle| pool.status(handle) == Status::Removed));
    // Also slots that had no tenant: all new slots begin above the highest generation that was
    // truncated.
    assert_eq!(pool.status(Handle::from_parts(9, 1).unwrap()), Status::Removed);
    assert_eq!(pool.insert(9), Handle::from_parts(0, 2).unwrap());
}
