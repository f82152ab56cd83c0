//! Which pool when: one that grows, one whose values never move, one with a memory budget, or one
//! without an allocator.
//!
//! | | [`Pool`](crate::Pool) | [`Pool::with_fixed_capacity`](crate::Pool::with_fixed_capacity) | [`StablePool`](crate::StablePool) | [`FixedPool`](crate::FixedPool) |
//! |---|---|---|---|---|
//! | values move | when it grows or shrinks | never | never | with the pool |
//! | allocates | when it grows | once | when it grows, no copies | never |
//! | full | at the layout's limit | at its capacity | at the layout's limit | at `N` |
//! | insert while others are borrowed | no | no | **yes** | no |
//! | threads | `Send`, `Sync` | `Send`, `Sync` | `Send` | `Send`, `Sync` |
//! | use it | by default | to keep within a budget | to insert while others are borrowed; where one slow growth is too long | without an allocator; in a `static` |
//!
//! They share one engine, so handles and promises are the same, and so are the methods, but for
//! those that grow and shrink, which a `FixedPool` does not have.
//!
//! In a pool with a fixed capacity, inserting, removing, looking up and iterating do not allocate.
//! [`borrow_many`](crate::Pool::borrow_many) does: a bit per slot.
//!
//! # Insert while a reference is held
//!
//! In a language without a borrow checker, this loop breaks when `do_cool_thing` is changed later:
//!
//! ```text
//! for each entity e in the array:
//!     do_cool_thing(e)          // now spawns an effect: the array grows, and moves
//!     e.health -= 1             // e points into freed memory
//! ```
//!
//! Rust rejects it, so programs collect new values in a second list and add them after the loop. A
//! stable pool needs no list. Its values do not move, so its two halves can be used at the same
//! time: [`split`](crate::StablePool::split).
//!
//! ```
//! use tenure::{Handle, Spawner, StablePool};
//!
//! struct Entity { health: i32, effects: Vec<Handle<Entity>> }
//!
//! impl Entity {
//!     fn new(health: i32) -> Self { Self { health, effects: Vec::new() } }
//! }
//!
//! fn do_cool_thing(entity: &mut Entity, world: &Spawner<'_, Entity>) {
//!     entity.effects.push(world.spawn(Entity::new(1))); // the pool may grow
//! }
//!
//! let mut entities: StablePool<Entity> = (0..100).map(|_| Entity::new(10)).collect();
//!
//! let (mut live, spawner) = entities.split();
//! for entity in live.values_mut() {
//!     do_cool_thing(entity, &spawner);
//!     entity.health -= 1; // still the same entity, at the same place
//! }
//! drop((live, spawner)); // ends the split: now the pool contains the effects
//!
//! assert_eq!(entities.len(), 200);
//! let first = entities.values().next().unwrap();
//! assert_eq!(entities[first.effects[0]].health, 1);
//! ```
//!
//! The loop does not visit values that it spawns, and [`Live`](crate::Live) does not resolve them
//! before the halves are dropped. They use slots that were free before the split. Where as many
//! values are removed as are spawned, the pool does not grow: after 1,000 such frames it had 1.12
//! slots per live value.
//!
//! # What it costs
//!
//! Growing one by one to 10 million values of 64 bytes: the slowest single insertion, and the peak
//! of memory relative to the slots at the end. Figures of a two-core x86-64 machine;
//! `cargo versus --memory` measures them on yours:
//!
//! | | slowest insertion, allocator can move pages | allocator must copy (alignment 64) | mimalloc | values copied | peak memory |
//! |---|---|---|---|---|---|
//! | `StablePool` | 0.5 ms | 0.5 ms | 0.6 ms | none | 1.26 |
//! | `Pool` | 3 ms | 780 ms | 130 ms | 1.1 GB | 3.0 |
//! | slotmap's `SlotMap` | 2 ms | 790 ms | 100 ms | 1.1 GB | 3.0 |
//!
//! Mutating 10,000 or 100,000 entities of 64 bytes, where every eighth spawns another one, takes
//! with `split` 0.8 of the time that it takes slotmap with a list of new entities.
//!
//! Time of `StablePool` relative to `Pool` (above 1: slower), values of 8 and 64 bytes:
//!
//! | | 8 bytes | 64 bytes |
//! |---|---|---|
//! | `get` at random, in cache | 1.5 | 1.2–1.3 |
//! | `get` at random, 1 million | 1.4 | 1.3 |
//! | iterate, all live | 1.1–1.2 | 1.0 |
//! | iterate, half live | 1.0 | 1.0 |
//! | insert, growing to 1 million | | 0.65 |
//!
//! How much memory `shrink_to_fit` frees after 99 % of a million values were removed:
//!
//! | remaining values | `Pool` | `StablePool` |
//! |---|---|---|
//! | the lowest 1 % | 99 % | 99 % |
//! | a random 1 % | 5 % | below 1 %: no value moves, so memory is freed from the end only |
//!
//! Stale handles stay stale, whatever was freed.
