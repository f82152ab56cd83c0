//! Programs that the compiler must accept. Those that it must reject are `compile_fail` tests in
//! `test_support::refused`.

use std::cell::Cell;
use std::rc::Rc;

use tenure::pool::{self, Chunks, Inline};
use tenure::table::{Chunk, ChunksMut, RowIndex};
use tenure::{Compact, FixedPool, Handle, Pool, StablePool, Tagged, Wide, ZiiPool};

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

#[test]
fn handles_are_send_and_sync_whatever_their_kind() {
    is_send::<Handle<Rc<()>>>();
    is_sync::<Handle<Rc<()>>>();
    is_send::<Handle<Cell<u8>, Compact>>();
    is_sync::<Handle<*mut u8, Tagged<4>>>();
    is_send::<Handle<dyn std::fmt::Debug>>();
}

#[test]
fn containers_and_iterators_are_send_and_sync_if_their_values_are() {
    is_send::<Pool<String>>();
    is_sync::<Pool<String>>();
    is_send::<Pool<String, Handle<Rc<()>>>>();
    is_sync::<Pool<String, Handle<Rc<()>>>>();
    is_send::<Pool<Cell<u8>>>();
    is_send::<ZiiPool<String>>();
    is_sync::<pool::Iter<'_, String>>();
    is_send::<pool::Iter<'_, String>>();
    is_send::<pool::Handles<'_, String>>();
    is_send::<pool::Values<'_, String>>();
    is_send::<pool::IterMut<'_, Cell<u8>>>();
    is_send::<pool::ValuesMut<'_, Cell<u8>>>();
    is_sync::<pool::IterMut<'_, String>>();
    is_send::<pool::IntoIter<Cell<u8>>>();
    is_send::<pool::IntoValues<Cell<u8>>>();
    is_send::<pool::Drain<'_, Cell<u8>>>();
    is_sync::<pool::Drain<'_, String>>();
}

/// Threads share the index of the rows, and each gets its own chunk.
#[test]
fn rows_are_found_from_several_threads() {
    is_send::<RowIndex<'_, Handle<Rc<()>>>>();
    is_sync::<RowIndex<'_, Handle<Rc<()>>>>();
    is_send::<Chunk<'_, Vec<Cell<u8>>, Handle<Rc<()>>>>();
    is_sync::<Chunk<'_, Vec<String>, Handle<Rc<()>>>>();
    is_send::<ChunksMut<'_, Vec<Cell<u8>>, Handle<Rc<()>>>>();
}

#[test]
fn all_kinds_of_memory_are_send_and_sync_alike() {
    is_send::<FixedPool<String, 4>>();
    is_sync::<FixedPool<String, 4>>();
    is_send::<FixedPool<Cell<u8>, 4>>();
    is_sync::<FixedPool<String, 4, Handle<Rc<()>>>>();
    is_send::<pool::Drain<'_, Cell<u8>, Handle<Cell<u8>>, Inline<Cell<u8>, 4>>>();
    is_send::<pool::IntoIter<Cell<u8>, Handle<Cell<u8>>, Inline<Cell<u8>, 4>>>();

    // Not `Sync`, but it can be sent to another thread, and so can exclusive borrows of it.
    is_send::<StablePool<String>>();
    is_send::<StablePool<Cell<u8>>>();
    is_send::<StablePool<String, Handle<Rc<()>>>>();
    is_send::<pool::Drain<'_, Cell<u8>, Handle<Cell<u8>>, Chunks<Cell<u8>>>>();
    is_send::<pool::IntoIter<Cell<u8>, Handle<Cell<u8>>, Chunks<Cell<u8>>>>();
    is_send::<pool::IntoValues<String, Handle<String>, Chunks<String>>>();
    fn sends(_: impl Send) {}
    let mut pool: StablePool<Cell<u8>> = StablePool::new();
    sends(pool.iter_mut());
    sends(pool.values_mut());
}

/// A whole pool moves to another thread; its values stay at their addresses.
#[test]
fn a_stable_pool_goes_to_another_thread() {
    let pool: StablePool<String> = (0..100).map(|n| n.to_string()).collect();
    let place = pool.values().map(|value| (&raw const *value).addr()).collect::<Vec<_>>();
    let there = std::thread::spawn(move || pool.values().map(|value| (&raw const *value).addr()).collect::<Vec<_>>());
    assert_eq!(there.join().unwrap(), place);
}

#[test]
fn handles_have_the_traits_of_an_integer() {
    fn is_plain<
        T: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Default + Unpin + 'static,
    >() {
    }
    is_plain::<Handle<Rc<()>>>();
    is_plain::<Handle<str, Compact>>();
    is_plain::<Handle<dyn std::any::Any, Tagged<2, Compact>>>();
}

/// Shortens a lifetime inside: compiles only if the type is covariant. (A pool is not: its key is a
/// type parameter, and its layout is that of the key.)
#[test]
fn shared_iterators_are_covariant() {
    fn about<'short>(long: Handle<&'static str>) -> Handle<&'short str> {
        long
    }
    fn iter<'a, 'short>(long: pool::Iter<'a, &'static str>) -> pool::Iter<'a, &'short str> {
        long
    }
    fn values<'a, 'short>(long: pool::Values<'a, &'static str>) -> pool::Values<'a, &'short str> {
        long
    }
    fn handles<'a, 'short>(long: pool::Handles<'a, &'static str>) -> pool::Handles<'a, &'short str> {
        long
    }
    let mut source: Pool<&'static str> = Pool::new();
    let handle = source.insert("long");
    assert_eq!(iter(source.iter()).count() + values(source.values()).count() + handles(source.handles()).count(), 3);
    let short = about(handle);
    assert_eq!(source[short], "long");
}

#[test]
fn types_are_inferred() {
    let mut pool = Pool::new();
    let handle = pool.insert(1);
    assert_eq!(pool[handle], 1);

    let mut sized = Pool::with_capacity(4);
    let word = sized.insert("word");
    assert_eq!(sized.get(word), Some(&"word"));

    let collected: Pool<_> = (0..3).collect();
    assert_eq!(collected.len(), 3);

    let mut tagged = Pool::<u8, Handle<u8, Tagged<4>>>::with_tag(1);
    let _: Handle<u8, Tagged<4>> = tagged.insert(1);
    let mut compact: Pool<u8, Handle<str, Compact>> = Pool::default();
    let _: Handle<str, Compact> = compact.insert(1);
    let _: Pool<u8, Handle<u8, Wide>> = Pool::new();
}

#[test]
fn a_type_may_hold_handles_to_itself() {
    struct Node {
        next: Option<Handle<Node>>,
        children: Vec<Handle<Node>>,
    }
    let mut nodes = Pool::new();
    let leaf = nodes.insert(Node { next: None, children: Vec::new() });
    let root = nodes.insert_with(|me| Node { next: Some(me), children: vec![leaf] });
    assert_eq!(nodes[root].next, Some(root));
    assert_eq!(nodes[root].children, [leaf]);
}

#[test]
fn values_need_not_implement_any_trait() {
    struct Opaque(#[expect(dead_code, reason = "only its presence matters")] u8);
    let mut pool = Pool::new();
    let handle = pool.insert(Opaque(1));
    assert!(pool.contains(handle));
    assert!(pool.try_insert(Opaque(2)).is_ok());
    // The error types implement `Error`, whatever the type of the value.
    fn is_error<E: std::error::Error>(_: &E) {}
    let rejected = pool.insert_at(Handle::NIL, Opaque(3)).err().unwrap();
    is_error(&rejected);
    assert!(!format!("{rejected} {rejected:?}").is_empty());
}
