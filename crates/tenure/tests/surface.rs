//! Every name of the public surface exists, with its shape, on every container that should have it.
//!
//! Most of this is proved by compiling: the type of every result is written out.

use tenure::pool;
use tenure::side_map::Entry;
use tenure::{
    DensePool, FixedPool, Full, GetDisjointMutError, Handle, HandleError, Live, LoanError, Pool, Rejected, SideMap,
    Spawner, StablePool, Stats, Status, World, ZiiPool, key_type,
};

type H = Handle<u32>;

/// What every pool has.
macro_rules! every_pool {
    ($($name:ident: $Type:ty, $Mapped:ty;)*) => {$(
        #[test]
        fn $name() {
            let mut pool: $Type = <$Type>::new();
            let (_, _, _): (usize, bool, usize) = (pool.len(), pool.is_empty(), pool.capacity());

            let a: H = pool.insert(1);
            let b: H = pool.insert_with(|handle: H| handle.index());
            let failed: Result<H, &str> = pool.insert_with_result(|_: H| Err("no"));
            let next: Option<H> = pool.next_handle();
            let c: Result<H, Full<u32>> = pool.try_insert(3);
            assert!(failed.is_err() && next == c.ok());
            let many: Vec<H> = pool.insert_many([4, 5]).collect();
            let reserved: H = pool.reserve_handle();
            let pending: Vec<H> = pool.pending_handles().collect();
            assert_eq!(pending, [reserved]);
            let filled: Result<(), Rejected<u32>> = pool.fill(reserved, 6);
            let replaced: Result<Option<u32>, Rejected<u32>> = pool.insert_at(a, 10);
            assert_eq!((filled.is_ok(), replaced.unwrap()), (true, Some(1)));

            let removed: Option<u32> = pool.remove(b);
            let (discarded, contained): (bool, bool) = (pool.discard(many[0]), pool.contains(many[0]));
            let taken: Option<u32> = pool.take(many[1]);
            let (released, recycled): (usize, usize) = (pool.release_pending(), pool.recycle_retired());
            assert_eq!((removed, discarded, contained, taken, released, recycled), (Some(1), true, false, Some(5), 1, 0));

            let _: Option<&u32> = pool.get(a);
            let _: Option<&mut u32> = pool.get_mut(a);
            let _: Result<&u32, HandleError> = pool.try_get(a);
            let _: Result<&mut u32, HandleError> = pool.try_get_mut(a);
            let _: Result<[&mut u32; 2], GetDisjointMutError> = pool.get_disjoint_mut([a, reserved]);
            let loans = pool.borrow_many();
            let lent: (Result<&mut u32, LoanError>, Result<&mut u32, LoanError>) = (loans.get_mut(a), loans.get_mut(a));
            assert_eq!(lent, (Ok(&mut 10), Err(LoanError::AlreadyLent)));
            let status: Status = pool.status(a);
            assert!(status.is_live() && status.resolves());
            let found: Option<H> = pool.find(|value| *value == 10);
            let (at, of): (Option<H>, Option<H>) = (pool.handle_at(0), pool.handle_of(&pool[a]));
            assert_eq!((found, at, of), (Some(a), Some(a), Some(a)));

            let _: Vec<(H, &u32)> = pool.iter().collect();
            let _: Vec<(H, &mut u32)> = pool.iter_mut().collect();
            let _: Vec<(H, &u32)> = (&pool).into_iter().collect();
            let _: Vec<(H, &mut u32)> = (&mut pool).into_iter().collect();
            let _: Vec<&u32> = pool.values().collect();
            let _: Vec<&mut u32> = pool.values_mut().collect();
            let _: Vec<H> = pool.handles().collect();
            let _: Stats = pool.stats();
            pool[a] = 11;

            let copy: $Type = pool.clone();
            assert!(copy == pool && format!("{pool:?}").contains("11"));
            let extracted: Vec<(H, u32)> = pool.extract_if(|_: H, value: &mut u32| *value == 3).collect();
            assert_eq!(extracted.len(), 1);
            pool.retain(|_: H, value: &mut u32| *value == 11);
            let drained: Vec<(H, u32)> = pool.drain().collect();
            assert_eq!(drained, [(a, 11)]);
            pool.clear();
            pool.clone_from(&copy);
            let owned: Vec<(H, u32)> = pool.into_iter().collect();
            let values: Vec<u32> = copy.clone().into_values().collect();
            assert_eq!(owned.len(), values.len());

            let mut collected: $Type = values.into_iter().collect();
            collected.extend([7, 8]);
            let mapped: $Mapped = collected.map_values(|value: u32| value.to_string());
            let first: H = mapped.handle_at(0).unwrap();
            assert_eq!(mapped[first], "11");
            assert!(<$Type>::default().is_empty());
            fn is_eq(_: &impl Eq) {}
            is_eq(&copy);
        }
    )*};
}

every_pool! {
    pool: Pool<u32>, Pool<String, H>;
    stable: StablePool<u32>, StablePool<String, H>;
    fixed: FixedPool<u32, 16>, FixedPool<String, 16, H>;
    dense: DensePool<u32>, DensePool<String, H>;
    zii: ZiiPool<u32>, ZiiPool<String, H>;
}

/// What grows and shrinks.
macro_rules! every_growing {
    ($($name:ident: $Type:ty, $Keyed:ty;)*) => {$(
        #[test]
        fn $name() {
            let mut container: $Type = <$Type>::with_capacity(10);
            container.reserve(100);
            assert!(container.capacity() >= 100);
            assert!(container.try_reserve(200).is_ok() && container.capacity() >= 200);
            container.reserve_exact(300);
            assert!(container.capacity() >= 300);
            assert!(container.try_reserve_exact(400).is_ok() && container.capacity() >= 400);
            container.shrink_to(50);
            assert!((50..200).contains(&container.capacity()), "{}", container.capacity());
            container.shrink_to_fit();
            assert_eq!(container.recycle_retired(), 0);
            container.allow_indices_below(100_000);
            let far: H = Handle::from_parts(50_000, 3).unwrap();
            assert!(container.insert_at(far, 1).is_ok());
            assert!(<$Keyed>::with_capacity_and_key(10).capacity() >= 10);
        }
    )*};
}

key_type! { struct Key32: u32; }

every_growing! {
    growing_pool: Pool<u32>, Pool<u32, Key32>;
    growing_stable: StablePool<u32>, StablePool<u32, Key32>;
    growing_dense: DensePool<u32>, DensePool<u32, Key32>;
    growing_zii: ZiiPool<u32>, ZiiPool<u32, Key32>;
    growing_world: World<u32>, World<u32, Key32>;
}

const _: Pool<u32> = Pool::new();
const _: FixedPool<u32, 4> = FixedPool::new();
const _: DensePool<u32> = DensePool::new();
const _: Pool<u32, Key32> = Pool::EMPTY;
const _: FixedPool<u32, 4, Key32> = FixedPool::EMPTY;
const _: DensePool<u32, Key32> = DensePool::EMPTY;
const _: fn() -> StablePool<u32> = || const { StablePool::new() };
const _: fn() -> World<u32> = || const { World::new() };
const fn is_filled(pool: &Pool<u32>, fixed: &FixedPool<u32, 4>) -> bool {
    pool.len() + fixed.len() > 0 || !(pool.is_empty() && fixed.is_empty())
}
const _: (u64, u32, u32) = {
    let handle = H::from_parts(7, 3).unwrap();
    (H::from_bits(handle.to_bits()).to_bits(), handle.index(), handle.generation())
};

/// Unsafe functions, as pointers: nothing is called.
type Unchecked<C, V> = unsafe fn(&C, H) -> &V;

#[test]
fn unchecked_lookups() {
    let _: Unchecked<Pool<u32>, u32> = Pool::get_unchecked;
    let _: Unchecked<StablePool<u32>, u32> = StablePool::get_unchecked;
    let _: Unchecked<World<u32>, u32> = World::get_unchecked;
    let _: Unchecked<DensePool<u32>, u32> = DensePool::get_unchecked;
    let _: Unchecked<SideMap<H, u8>, u8> = SideMap::get_unchecked;
    assert!(!is_filled(&Pool::new(), &FixedPool::new()));
}

#[test]
fn side_map() {
    let pool = Pool::from([1, 2, 3]);
    let [a, b, c] = [0, 1, 2].map(|index| pool.handle_at(index).unwrap());
    let mut map: SideMap<H, &str> = SideMap::with_capacity(10);
    map.reserve(20);
    let before: Result<Option<&str>, Rejected<&str>> = map.insert(&pool, a, "a");
    assert_eq!(before.unwrap(), None);
    map.insert(&pool, b, "b").unwrap();
    let at: Option<H> = map.handle_at(1);
    assert_eq!(at, Some(b));
    let two: Result<[&mut &str; 2], GetDisjointMutError> = map.get_disjoint_mut([a, b]);
    assert_eq!(two.unwrap(), [&"a", &"b"]);
    let Entry::Occupied(entry) = map.entry(&pool, b).unwrap() else { panic!("b has a value") };
    let handle: H = entry.handle();
    let removed: &str = entry.remove();
    assert_eq!((handle, removed), (b, "b"));
    let Entry::Vacant(entry) = map.entry(&pool, c).unwrap() else { panic!("c has no value") };
    assert_eq!(entry.handle(), c);
    entry.insert("c");
    let extracted: Vec<(H, &str)> = map.extract_if(|handle, _| handle == a).collect();
    assert_eq!(extracted, [(a, "a")]);
    let values: Vec<&str> = map.into_values().collect();
    assert_eq!(values, ["c"]);
}

/// Every type in the signatures of a world and of its halves has a name in `tenure::world`, and its
/// handle is the default one where none is written.
#[test]
fn types_of_a_world() {
    use tenure::world;

    let mut world = World::from([1, 2, 3]);
    let new = world.spawn(4);
    let _: world::Iter<'_, u32> = world.iter();
    let _: world::Values<'_, u32> = world.values();
    let _: world::Handles<'_, u32> = world.handles();
    let all: world::All<'_, u32> = world.iter_all();
    let spawned: world::Spawned<'_, u32> = world.iter_spawned();
    assert_eq!((all.count(), spawned.map(|(handle, _)| handle).collect()), (4, vec![new]));
    let commit: world::Commit<'_, H> = world.commit();
    let committed: world::HandleList<'_, H> = commit.spawned();
    assert!(committed.eq([new]));
    world.despawn(new);
    let swept: world::HandleList<'_, H> = world.sweep();
    assert!(swept.eq([new]));
    let dead: world::Dead<'_, u32> = world.dead();
    assert_eq!(dead.len(), 1);
    let (mut live, _spawner) = world.split();
    live.for_each_mut(|_, others| {
        let values: world::OthersValues<'_, u32> = others.values();
        assert_eq!(values.count(), 2);
    });
}

/// What a system sees of a container.
#[test]
fn live() {
    fn system(live: &mut Live<'_, u32>, spawner: &Spawner<'_, u32>) {
        let new: H = spawner.spawn(9);
        let (_, _): (usize, bool) = (live.len(), live.is_empty());
        let a: H = live.find(|value| *value == 1).unwrap();
        let (at, of): (Option<H>, Option<H>) = (live.handle_at(0), live.handle_of(&live[a]));
        assert_eq!((at, of), (Some(a), Some(a)));
        let _: (Option<&u32>, bool) = (live.get(a), live.contains(a));
        let _: Option<&mut u32> = live.get_mut(a);
        let _: Result<&u32, HandleError> = live.try_get(a);
        let _: Result<&mut u32, HandleError> = live.try_get_mut(a);
        let _: Result<[&mut u32; 1], GetDisjointMutError> = live.get_disjoint_mut([a]);
        let _: Result<&mut u32, LoanError> = live.borrow_many().get_mut(a);
        let status: Status = live.status(a);
        assert!(status.is_live() && !live.status(new).resolves());
        live[a] = 10;
        assert_eq!(live[a], 10);
        let handles: Vec<H> = live.handles().collect();
        let _: Vec<(H, &u32)> = live.iter().collect();
        let _: Vec<(H, &mut u32)> = live.iter_mut().collect();
        let _: (Vec<&u32>, usize) = (live.values().collect(), handles.len());
        let _: Vec<&mut u32> = live.values_mut().collect();
        for (handle, value) in &*live {
            assert_eq!(live.get(handle), Some(value));
        }
        live.for_each_mut(|value, others| {
            for (handle, other) in others {
                assert!(handle != others.me() && other != value);
            }
        });
        let removed: Option<u32> = live.remove(a);
        assert_eq!(removed, Some(10));
    }
    World::from([1, 2]).frame(system);
    let mut pool = StablePool::from([1, 2]);
    let (mut live, spawner) = pool.split();
    system(&mut live, &spawner);
}

/// From wherever both ends are, folding backwards visits what is left in reverse: in full words, in
/// words with holes, in empty ones and in the last one, which is not full.
#[test]
fn folding_from_the_back() {
    let full: Pool<u32> = (0..200).collect();
    let mut holes = full.clone();
    holes.retain(|_, &mut value| value < 64 || value % 3 == 0 && !(100..170).contains(&value));
    for mut pool in [full, holes, Pool::new()] {
        let all: Vec<u32> = pool.values().copied().collect();
        for front in [0, 1, 63, 64, 65, 70] {
            for back in [0, 1, 8, 9, 10, 73] {
                let mut left = all.iter().rev().skip(back).copied().collect::<Vec<_>>();
                left.truncate(all.len().saturating_sub(front + back));
                let mut values = pool.values();
                let _ = (values.by_ref().take(front).count(), values.by_ref().rev().take(back).count());
                let mut folded = Vec::new();
                values.rev().for_each(|&value| folded.push(value));
                assert_eq!(folded, left, "{front} from the front, {back} from the back");
                let mut handles = pool.iter_mut();
                let _ = (handles.by_ref().take(front).count(), handles.by_ref().rev().take(back).count());
                let mut indices = Vec::new();
                handles.rfold((), |(), (handle, _)| indices.push(handle.index()));
                assert_eq!(indices, left);
            }
        }
    }
}

/// Iterators that borrow a container shared can be cloned, and continue from the same place.
#[test]
fn shared_iterators_are_clone() {
    fn same_rest<I: Iterator<Item: PartialEq> + Clone>(mut items: I) {
        assert!(items.next().is_some());
        assert!(items.clone().eq(items));
    }
    let mut pool: Pool<u32> = (0..3).collect();
    let [a, b, _] = [0, 1, 2].map(|index| pool.handle_at(index).unwrap());
    let _ = (pool.take(a), pool.take(b));
    same_rest(pool.pending_handles());
    let mut world = World::from([1, 2, 3]);
    let [first, second, third] = [0, 1, 2].map(|index| world.handle_at(index).unwrap());
    let _ = (world.take(first), world.reserve_handle());
    same_rest(world.pending_handles());
    world.despawn(second);
    world.despawn(third);
    world.end_frame();
    same_rest(world.dead());
}

/// The values that did not fit can be kept under a type of their own.
#[test]
fn remainder() {
    let mut pool: FixedPool<u32, 2> = FixedPool::new();
    let full: Full<pool::Remainder<std::ops::Range<u32>>> = pool.insert_many(0..5).finish().unwrap_err();
    let mut rest = full.into_inner();
    assert_eq!((rest.size_hint(), rest.next()), ((3, Some(3)), Some(2)));
    assert_eq!((rest.size_hint(), rest.by_ref().collect::<Vec<_>>()), ((2, Some(2)), vec![3, 4]));
    assert_eq!((rest.size_hint(), rest.next()), ((0, Some(0)), None));
    let mut growing: StablePool<u32> = StablePool::new();
    assert!(growing.insert_many([1, 2]).finish().is_ok());
}

/// The tag is that of the handles, in every container that issues them.
#[test]
fn tags() {
    use tenure::Tagged;

    type Tag = Handle<u32, Tagged<4>>;
    macro_rules! tags {
        ($($Type:ty, $insert:ident;)*) => {$({
            let mut container: $Type = <$Type>::with_tag(5);
            let handle: Tag = container.$insert(1);
            assert_eq!((container.tag(), handle.tag()), (5, 5), stringify!($Type));
            assert_eq!(<$Type>::with_tag(6).status(handle), Status::Foreign);
            container.extend([2]);
        })*};
    }
    tags! {
        Pool<u32, Tag>, insert;
        StablePool<u32, Tag>, insert;
        FixedPool<u32, 4, Tag>, insert;
        DensePool<u32, Tag>, insert;
        ZiiPool<u32, Tag>, insert;
        World<u32, Tag>, spawn;
    }
}

/// What every pool has with `rayon`; a stable pool and a world with the whole of themselves.
#[cfg(feature = "rayon")]
#[test]
fn in_parallel() {
    use rayon::iter::ParallelIterator;
    use tenure::{dense, fixed, stable, world, zii};

    macro_rules! sums {
        ($($Type:ty, $module:ident;)*) => {$({
            let mut container: $Type = [1, 2, 3].into_iter().collect();
            let values: $module::ParIterMut<'_, u64> = container.par_iter_mut();
            values.for_each(|(_handle, value)| *value *= 2);
            let values: $module::ParIter<'_, u64> = container.par_iter();
            assert_eq!(values.map(|(_handle, value)| *value).sum::<u64>(), 12, stringify!($Type));
        })*};
    }
    sums! {
        Pool<u64>, pool;
        StablePool<u64>, stable;
        FixedPool<u64, 4>, fixed;
        DensePool<u64>, dense;
        ZiiPool<u64>, zii;
        World<u64>, world;
    }

    // Entities that are spawned are not visited, those that are marked for despawn are.
    let mut world = World::from([1_u64, 2, 3]);
    let first = world.handle_at(0).unwrap();
    world.spawn(1_000);
    world.despawn(first);
    assert!(world.par_iter().map(|(handle, &value)| (handle, value)).collect::<Vec<_>>().len() == 3);
    world.par_iter_mut().for_each(|(_handle, value)| *value += 1);
    assert_eq!(world.end_frame().despawned, 1);
    assert!(world.values().eq(&[3, 4, 1_000]));
    world.validate().unwrap();
}
