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
//! | `SlotMap<K, V>`, `HopSlotMap<K, V>` | [`Pool<V>`](crate::Pool): one container; iteration skips holes 64 at a time |
//! | `DefaultKey`, `new_key_type!` | [`Handle<T>`](crate::Handle): typed by the value, no macro; a key type of your own: [`key_type!`](crate::key_type) and `Pool<V, MyKey>` |
//! | `KeyData::as_ffi`, `from_ffi` | [`to_bits`](crate::Handle::to_bits), [`from_bits`](crate::Handle::from_bits) |
//! | `K::null()`, `is_null` | [`Handle::NIL`](crate::Handle::NIL), [`is_nil`](crate::Handle::is_nil) |
//! | `SlotMap::with_key()` | `Pool::default()`, or [`Pool::EMPTY`](crate::Pool::EMPTY) in a `const` |
//! | `insert`, `remove`, `get`, `get_mut`, `retain`, `drain`, `clear`, `len`, `iter`, `values` | the same |
//! | `insert_with_key(\|k\| …)` | [`insert_with`](crate::Pool::insert_with) |
//! | `try_insert_with_key` | [`insert_with_result`](crate::Pool::insert_with_result): on `Err` nothing was inserted; [`try_insert_with`](crate::Pool::try_insert_with) for lack of room |
//! | `detach`, `reattach` | [`take`](crate::Pool::take), [`fill`](crate::Pool::fill), which returns an error where slotmap panics |
//! | `with_capacity_and_key` | [`with_capacity_and_key`](crate::Pool::with_capacity_and_key) |
//! | `contains_key` | [`contains`](crate::Pool::contains) |
//! | `keys` | [`handles`](crate::Pool::handles) |
//! | `get_disjoint_mut([k; N]) -> Option` | [`get_disjoint_mut`](crate::Pool::get_disjoint_mut) `-> Result`: the error says which handle failed, and why |
//! | references held while inserting: not possible | [`StablePool`](crate::StablePool) |
//! | `DenseSlotMap` | [`DensePool`](crate::DensePool); `values_as_slice` is [`as_slice`](crate::DensePool::as_slice), `keys_as_slice` is [`raw_handles`](crate::DensePool::raw_handles); the sorts of [`as_mut_slice`](crate::DensePool::as_mut_slice) move the handles along |
//! | `SecondaryMap` | [`SideMap`](crate::SideMap): `insert` asks the owner whether the key resolves: a stale key is rejected, and a live one is always accepted |
//! | `SparseSecondaryMap` | a `HashMap` with [`BuildHandleHasher`](crate::BuildHandleHasher) |
//! | two secondary maps iterated together: by hand | [`join`](crate::join()) |
//! | – | [`insert_at`](crate::Pool::insert_at), [`status`](crate::Pool::status), [`borrow_many`](crate::Pool::borrow_many), [`extract_if`](crate::Pool::extract_if), [`map_values`](crate::Pool::map_values), [`shrink_to_fit`](crate::Pool::shrink_to_fit) |
//!
//! Two differences to know: slotmap's versions wrap after 2³¹ reuses of a slot, and Tenure retires
//! the slot; and slots are reused in another order, so the same calls give other indices.
//!
//! # thunderdome
//!
//! | thunderdome | Tenure |
//! |---|---|
//! | `Arena<T>` | [`Pool<T>`](crate::Pool) |
//! | `Index` | [`Handle<T>`](crate::Handle) |
//! | `Index::slot`, `Index::generation` | [`index`](crate::Handle::index), [`generation`](crate::Handle::generation) |
//! | `Index::to_bits`, `from_bits` (`Option`) | [`to_bits`](crate::Handle::to_bits), [`from_bits`](crate::Handle::from_bits) (accepts all bits; nil for those that are not a handle) |
//! | `Index::DANGLING` | [`Handle::NIL`](crate::Handle::NIL) |
//! | `insert`, `remove`, `get`, `get_mut`, `iter`, `drain`, `retain`, `clear` | the same |
//! | `insert_at(index, value) -> Option<T>` | [`insert_at`](crate::Pool::insert_at) `-> Result`: rejects a handle if its slot has issued a newer one; O(1) |
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
//! | `Slab<T>`, `usize` keys | [`Pool<T>`](crate::Pool), [`Handle<T>`](crate::Handle): the key of a removed value does not resolve to another one |
//! | `insert(v) -> usize`, `try_remove(k)` | [`insert`](crate::Pool::insert), [`remove`](crate::Pool::remove) |
//! | `remove(k)`, panics | [`remove`](crate::Pool::remove) returns `None` |
//! | `vacant_entry().key()`, `vacant_key` | [`insert_with`](crate::Pool::insert_with), or [`reserve_handle`](crate::Pool::reserve_handle) |
//! | `get2_mut` | [`get_disjoint_mut`](crate::Pool::get_disjoint_mut) |
//! | `compact(f)` | none: values do not move; a [`DensePool`](crate::DensePool) has no holes |
//! | a `usize` for epoll or `io_uring` user data | [`to_bits`](crate::Handle::to_bits) (`u64`), or a [`Compact`](crate::Compact) handle (`u32`) |
//!
//! # An ECS: hecs, `bevy_ecs`, `EnTT`
//!
//! | ECS | Tenure |
//! |---|---|
//! | `Entity` | [`Handle<Enemy>`](crate::Handle): typed |
//! | `world.spawn((…))` | [`insert`](crate::Pool::insert) of a struct, or [`World::spawn`](crate::World::spawn) |
//! | `world.despawn(e)` | [`remove`](crate::Pool::remove), or [`World::despawn`](crate::World::despawn) at the end of the frame |
//! | a command buffer | [`World::frame`](crate::World::frame): spawn and despawn while iterating |
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
//! An ECS finds entities by the components that they have. If that is what you need, use one.
//! Tenure is for programs that know their types: a [`World`](crate::World) has one entity type, and
//! no component queries.
//!
//! # Odin's `handle_map`
//!
//! | Odin | Tenure |
//! |---|---|
//! | `Static_Handle_Map(N, T, Handle)` | [`FixedPool<T, N>`](crate::FixedPool) |
//! | `Dynamic_Handle_Map(T, Handle)` | [`Pool<T>`](crate::Pool), or [`StablePool<T>`](crate::StablePool) where pointers must stay valid |
//! | `hm.Handle32` | a [`Compact`](crate::Compact) handle |
//! | a field `handle` in the struct | not needed; a value can store its own handle with [`insert_with`](crate::Pool::insert_with) |
//! | `hm.add` | [`insert`](crate::Pool::insert), [`try_insert`](crate::Pool::try_insert) |
//! | `hm.get` | [`get`](crate::Pool::get), [`get_mut`](crate::Pool::get_mut), `pool[handle]`; without branches: [`ZiiPool`](crate::ZiiPool) |
//! | `hm.remove`, `hm.is_valid`, `hm.clear` | [`remove`](crate::Pool::remove), [`contains`](crate::Pool::contains), [`clear`](crate::Pool::clear) |
//! | `hm.iterate` | `for (handle, value) in &mut pool` |
//! | the zero handle | `None`, which is all zero bytes, or [`Handle::NIL`](crate::Handle::NIL) |
