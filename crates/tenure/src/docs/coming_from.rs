//! Coming from slotmap, thunderdome, generational-arena, slab, an ECS or Odin: what each method is
//! called here.
//!
//! The guide (folder `guide` of the repository) has a small program for each of them, before and
//! after.
//!
//! # slotmap
//!
//! | slotmap | Tenure |
//! |---|---|
//! | `SlotMap<K, V>`, `HopSlotMap<K, V>` | [`Pool<V>`](crate::Pool): one container, walks over holes are fast |
//! | `DefaultKey`, `new_key_type!` | [`Handle<T>`](crate::Handle): typed by what it names, no macro; for a key of your own, `Pool<V, Handle<Tag>>` |
//! | `KeyData::as_ffi`, `from_ffi` | [`to_bits`](crate::Handle::to_bits), [`from_bits`](crate::Handle::from_bits) |
//! | `K::null()`, `is_null` | [`Handle::NIL`](crate::Handle::NIL), [`is_nil`](crate::Handle::is_nil) |
//! | `SlotMap::with_key()` | `Pool::default()`, or [`Pool::EMPTY`](crate::Pool::EMPTY) in a `const` |
//! | `insert`, `remove`, `get`, `get_mut`, `retain`, `drain`, `clear`, `len`, `iter`, `values` | the same |
//! | `insert_with_key(\|k\| …)` | [`insert_with`](crate::Pool::insert_with) |
//! | `try_insert_with_key` | [`try_insert_with`](crate::Pool::try_insert_with) for lack of room; a closure that may fail: [`try_reserve_handle`](crate::Pool::try_reserve_handle), then [`fill`](crate::Pool::fill) or [`remove`](crate::Pool::remove) |
//! | `detach`, `reattach` | [`take`](crate::Pool::take), [`fill`](crate::Pool::fill) (an error, no panic) |
//! | `with_capacity_and_key` | `Pool::default()`, then [`reserve`](crate::Pool::reserve) |
//! | `contains_key` | [`contains`](crate::Pool::contains) |
//! | `keys` | [`handles`](crate::Pool::handles) |
//! | `get_disjoint_mut([k; N]) -> Option` | [`get_disjoint_mut`](crate::Pool::get_disjoint_mut) `-> Result`: says which and why |
//! | references held while inserting: not possible | [`StablePool`](crate::StablePool) |
//! | `DenseSlotMap` | [`DensePool`](crate::DensePool); `values_as_slice` is [`as_slice`](crate::DensePool::as_slice), and swapping values takes their handles along |
//! | `SecondaryMap` | [`SideMap`](crate::SideMap): `insert` asks the owner whether the key lives, so nothing is kept for the dead and no live key is refused |
//! | `SparseSecondaryMap` | a `HashMap` with [`BuildHandleHasher`](crate::BuildHandleHasher) |
//! | two secondary maps walked together: by hand | [`join`](crate::join()) |
//! | – | [`insert_at`](crate::Pool::insert_at), [`status`](crate::Pool::status), [`borrow_many`](crate::Pool::borrow_many), [`extract_if`](crate::Pool::extract_if), [`map_values`](crate::Pool::map_values), [`shrink_to_fit`](crate::Pool::shrink_to_fit) |
//!
//! Two differences to know: a slot of slotmap wraps around after 2³¹ reuses, ours is retired; and
//! the order of reuse is not the same, so handles differ if you compare them across libraries.
//!
//! # thunderdome
//!
//! | thunderdome | Tenure |
//! |---|---|
//! | `Arena<T>` | [`Pool<T>`](crate::Pool) |
//! | `Index` | [`Handle<T>`](crate::Handle) |
//! | `Index::slot`, `Index::generation` | [`index`](crate::Handle::index), [`generation`](crate::Handle::generation) |
//! | `Index::to_bits`, `from_bits` (`Option`) | [`to_bits`](crate::Handle::to_bits), [`from_bits`](crate::Handle::from_bits) (total; nil for what is no handle) |
//! | `Index::DANGLING` | [`Handle::NIL`](crate::Handle::NIL) |
//! | `insert`, `remove`, `get`, `get_mut`, `iter`, `drain`, `retain`, `clear` | the same |
//! | `insert_at(index, value) -> Option<T>` | [`insert_at`](crate::Pool::insert_at) `-> Result`: refuses what would endanger a newer handle, and is O(1) |
//! | `remove_by_slot`, `get_by_slot` | [`handle_at`](crate::Pool::handle_at), then the method |
//! | `insert_at_slot` | none; [`insert_at`](crate::Pool::insert_at) with a handle from [`from_parts`](crate::Handle::from_parts) |
//! | `contains_slot` | [`handle_at`](crate::Pool::handle_at) |
//! | `get2_mut` | [`get_disjoint_mut`](crate::Pool::get_disjoint_mut) |
//! | `invalidate(index)` | [`remove`](crate::Pool::remove) and [`insert`](crate::Pool::insert): a new handle for the same value |
//!
//! # generational-arena
//!
//! | generational-arena | Tenure |
//! |---|---|
//! | `Arena<T>`, `Index` | [`Pool<T>`](crate::Pool), [`Handle<T>`](crate::Handle) (8 bytes, not 16) |
//! | `try_insert(value) -> Result<Index, T>` | [`try_insert`](crate::Pool::try_insert): the pool grows; [`Full`](crate::Full) gives the value back |
//! | `insert_with(\|index\| …)` | [`insert_with`](crate::Pool::insert_with) |
//! | `get2_mut(a, b)` | [`get_disjoint_mut([a, b])`](crate::Pool::get_disjoint_mut) |
//! | `get_unknown_gen(i)` | [`handle_at(i)`](crate::Pool::handle_at), then [`get`](crate::Pool::get) |
//! | `Index::from_raw_parts`, `into_raw_parts` | [`from_parts`](crate::Handle::from_parts), [`index`](crate::Handle::index) and [`generation`](crate::Handle::generation) |
//!
//! # slab
//!
//! | slab | Tenure |
//! |---|---|
//! | `Slab<T>`, `usize` keys | [`Pool<T>`](crate::Pool), [`Handle<T>`](crate::Handle): a key that was removed never means another value |
//! | `insert(v) -> usize`, `try_remove(k)` | [`insert`](crate::Pool::insert), [`remove`](crate::Pool::remove) |
//! | `remove(k)`, panics | [`remove`](crate::Pool::remove) gives `None` |
//! | `vacant_entry().key()`, `vacant_key` | [`insert_with`](crate::Pool::insert_with), or [`reserve_handle`](crate::Pool::reserve_handle) |
//! | `get2_mut` | [`get_disjoint_mut`](crate::Pool::get_disjoint_mut) |
//! | `compact(f)` | none: values do not move; in a [`DensePool`](crate::DensePool) there are no holes to begin with |
//! | a `usize` for epoll or `io_uring` user data | [`to_bits`](crate::Handle::to_bits) (`u64`), or a [`Compact`](crate::Compact) handle (`u32`) |
//!
//! # An ECS: hecs, `bevy_ecs`, `EnTT`
//!
//! | ECS | Tenure |
//! |---|---|
//! | `Entity` | [`Handle<Enemy>`](crate::Handle): typed |
//! | `world.spawn((…))` | [`insert`](crate::Pool::insert) of a struct |
//! | `world.despawn(e)` | [`remove`](crate::Pool::remove) |
//! | `entt::entity`: 20 bits of index, 12 of version | [`Handle<Entity, Compact>`](crate::Compact) has the same; the default has 32 and 32 |
//! | `entt::null` | `None` in an `Option<Handle<_>>`, or [`Handle::NIL`](crate::Handle::NIL) |
//! | `world.contains(e)`, `registry.valid(e)` | [`contains`](crate::Pool::contains) |
//! | `reserve_entity`, then insert | [`reserve_handle`](crate::Pool::reserve_handle), then [`fill`](crate::Pool::fill) |
//! | `spawn_at(e, …)`, `create(hint)` | [`insert_at`](crate::Pool::insert_at) |
//! | `Entity::to_bits`, `entt::to_integral` | [`to_bits`](crate::Handle::to_bits) |
//! | `entt::to_version` | [`generation`](crate::Handle::generation) |
//! | `storage.sort(…)`, `sort_as` | [`Table::sort_by`](crate::Table::sort_by), [`Table::following`](crate::Table::following) |
//! | `query::<&mut T>()` | [`values_mut`](crate::Pool::values_mut), [`iter_mut`](crate::Pool::iter_mut) |
//! | ids alone, components elsewhere | [`Pool<()>`](crate::Pool) and [`SideMap`](crate::SideMap)s |
//! | components in columns | [`Table`](crate::Table) |
//! | `query::<(&A, &mut B)>()`, `view<A, B>().each(…)` | [`join((&entities, &a, &mut b))`](crate::join()) |
//!
//! An ECS finds entities by which components they have. If that is what you need, use one; Tenure
//! is for the many programs that know their types.
//!
//! # Odin's `handle_map`
//!
//! | Odin | Tenure |
//! |---|---|
//! | `Static_Handle_Map(N, T, Handle)` | [`FixedPool<T, N>`](crate::FixedPool) |
//! | `Dynamic_Handle_Map(T, Handle)` | [`Pool<T>`](crate::Pool), or [`StablePool<T>`](crate::StablePool) where pointers must stay |
//! | `hm.Handle32` | a [`Compact`](crate::Compact) handle |
//! | a field `handle` in the struct | none needed; for a value that knows its handle, [`insert_with`](crate::Pool::insert_with) |
//! | `hm.add` | [`insert`](crate::Pool::insert), [`try_insert`](crate::Pool::try_insert) |
//! | `hm.get` | [`get`](crate::Pool::get), [`get_mut`](crate::Pool::get_mut), `pool[handle]`; without branches: [`ZiiPool`](crate::ZiiPool) |
//! | `hm.remove`, `hm.is_valid`, `hm.clear` | [`remove`](crate::Pool::remove), [`contains`](crate::Pool::contains), [`clear`](crate::Pool::clear) |
//! | `hm.iterate` | `for (handle, value) in &mut pool` |
//! | the zero handle | `None`, which is all zero bytes, or [`Handle::NIL`](crate::Handle::NIL) |
