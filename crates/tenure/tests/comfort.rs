//! Small conveniences that callers expect to work.

use tenure::{
    Compact, DensePool, FixedPool, Full, Handle, Layout, Pool, SideMap, StablePool, Status, Tagged, World, ZiiPool,
};

/// Three slots.
type Tiny<T> = Pool<T, Handle<T, Compact<2>>>;

fn full() -> Tiny<u32> {
    (0..3).collect()
}

#[test]
fn try_methods_do_not_panic_when_full() {
    let mut pool = full();
    assert!(pool.try_reserve_handle().is_err());
    let make = pool.try_insert_with(|_| 7).unwrap_err().into_inner();
    assert_eq!(make(Handle::NIL), 7, "the error returns the closure");
    assert_eq!(pool.try_insert(8).map_err(Full::into_inner), Err(8));

    let first = pool.handle_at(0).unwrap();
    pool.remove(first);
    let reserved = pool.try_reserve_handle().unwrap();
    assert_eq!(pool.status(reserved), Status::Pending);
    pool.remove(reserved);
    let made = pool.try_insert_with(Handle::index).unwrap();
    assert_eq!(pool[made], 0);
}

#[test]
fn errors_implement_eq() {
    let mut pool = full();
    let first = pool.handle_at(0).unwrap();
    assert_eq!(pool.insert_at(first, 9), Ok(Some(0)));
    assert_ne!(pool.try_insert(1), Ok(first));
    assert_eq!(pool.try_insert(1), pool.try_insert(1));
}

#[test]
fn tags_are_read_and_built() {
    let mut pool: Pool<(), Handle<(), Tagged<4>>> = Pool::with_tag(9);
    assert_eq!(pool.tag(), 9);
    let handle = pool.insert(());
    assert_eq!(Handle::from_parts_and_tag(0, 1, 9), Some(handle));
    assert_eq!(Handle::<(), Tagged<4>>::from_parts_and_tag(0, 1, 16), None);
    assert_eq!(full().tag(), 0);
}

#[test]
fn formatted_handles_respect_the_width() {
    struct Node;
    let handle: Handle<Node> = Handle::from_parts(1, 2).unwrap();
    assert_eq!(format!("[{handle:>12}] [{handle:<10?}]"), "[   Node(1v2)] [Node(1v2) ]");
}

#[test]
fn text_omits_the_name_of_kinds_without_one() {
    assert_eq!(Handle::<(u8, String)>::from_parts(1, 1).unwrap().to_string(), "1v1");
    assert_eq!(Handle::<()>::NIL.to_string(), "nil");
    assert_eq!(Handle::<Vec<String>>::from_parts(1, 1).unwrap().to_string(), "Vec(1v1)");
    assert_eq!(Handle::<&'static str>::from_parts(1, 1).unwrap().to_string(), "str(1v1)");
    assert_eq!(Handle::<dyn std::fmt::Debug + Send>::from_parts(1, 1).unwrap().to_string(), "Debug(1v1)");
}

#[test]
fn bits_convert_in_code_generic_over_layouts() {
    fn save<T, L: Layout>(pool: &Pool<T, Handle<T, L>>) -> Vec<u64> {
        pool.handles().map(|handle| handle.to_bits().into()).collect()
    }
    fn load<T, L: Layout>(bits: u64) -> Option<Handle<T, L>> {
        L::Bits::try_from(bits).ok().map(Handle::from_bits)
    }
    let pool = full();
    let saved = save(&pool);
    assert_eq!(load(saved[2]), pool.handle_at(2));
    assert_eq!(load::<u32, Compact<2>>(u64::MAX), None);
}

#[test]
fn a_zii_pool_has_the_methods_of_a_pool() {
    struct Tag;
    let mut zii: ZiiPool<u32, Handle<Tag>> = (0..3).collect();
    zii.extend([3]);
    for (_, value) in &mut zii {
        *value += 1;
    }
    assert_eq!((&zii).into_iter().map(|(_, value)| value).sum::<u32>(), 10);
    assert_eq!(format!("{zii:?}"), "{Tag(0v1): 1, Tag(1v1): 2, Tag(2v1): 3, Tag(3v1): 4}");
    assert_eq!(zii, zii.clone());
    assert_eq!(zii.into_iter().count(), 4);
}

#[test]
fn loans_can_be_sent() {
    let mut pool = full();
    let (first, second) = (pool.handle_at(0).unwrap(), pool.handle_at(1).unwrap());
    let loans = pool.borrow_many();
    let kept = loans.get_mut(first).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || *loans.get_mut(second).unwrap() += 10);
        *kept += 5;
    });
    assert_eq!((pool[first], pool[second]), (5, 11));
}

/// Arguments of a method call may read the pool that the method is called on (two-phase borrows),
/// in every kind of pool.
#[test]
fn arguments_may_read_the_pool_they_are_passed_to() {
    macro_rules! ask {
        ($($Pool:ty),*) => {$({
            let mut pool: $Pool = (0..4).collect();
            let first = pool.handle_at(0).unwrap();
            assert_eq!(pool.remove(pool.handle_at(0).unwrap()), Some(0));
            assert_eq!(pool.insert_at(first, pool[pool.handle_at(1).unwrap()] + 4), Ok(None));
            assert_eq!(pool.take(pool.handle_at(0).unwrap()), Some(5));
            assert_eq!(pool.fill(first, pool.len() as u32), Ok(()));
            assert_eq!(pool.get_mut(pool.handle_at(0).unwrap()), Some(&mut 3));
            assert_eq!(pool.try_get_mut(pool.handle_at(3).unwrap()), Ok(&mut 3));
            let both = pool.get_disjoint_mut([first, pool.handle_at(1).unwrap()]);
            assert_eq!(both, Ok([&mut 3, &mut 1]));
            assert_eq!(pool.remove(pool.handle_at(2).unwrap()), Some(2));
            let last = pool.insert(pool.len() as u32);
            assert_eq!(pool[last], 3);
            assert!(pool.try_insert(pool[last]).is_ok());
        })*};
    }
    ask!(Pool<u32>, StablePool<u32>, FixedPool<u32, 8>, DensePool<u32>, ZiiPool<u32>);

    let mut pool = DensePool::from([0, 1, 2]);
    assert_eq!(pool.remove_ordered(pool.handle_at(0).unwrap()), Some(0));
    assert_eq!(pool.remove_many([pool.handle_at(1).unwrap()]), 1);
    assert_eq!(pool.as_slice(), [2]);
}

/// Editors fold by indentation: `{:#?}` prints a line for every entry, with its handle first.
#[test]
fn pretty_debug_output_has_one_entry_per_handle() {
    #[derive(Debug, Default)]
    #[expect(dead_code, reason = "to be printed")]
    struct Enemy {
        health: u8,
    }
    let folded = "{\n    Enemy(0v1): Enemy {\n        health: 3,\n    },\n}";
    macro_rules! folds {
        ($($empty:expr),*) => {$({
            #[allow(unused_mut, reason = "one of them inserts through a shared reference")]
            let mut pool = $empty;
            pool.insert(Enemy { health: 3 });
            assert_eq!(format!("{pool:#?}"), folded);
        })*};
    }
    folds!(Pool::new(), StablePool::new(), FixedPool::<Enemy, 4>::new(), DensePool::new(), ZiiPool::new());

    let world = World::new();
    let handle = world.spawn(Enemy { health: 3 });
    assert_eq!(format!("{world:#?}"), folded);

    let mut owner: Pool<u8, Handle<Enemy>> = Pool::default();
    owner.insert(0);
    let mut map = SideMap::new();
    map.insert(&owner, handle, Enemy { health: 3 }).unwrap();
    assert_eq!(format!("{map:#?}"), folded);
}
