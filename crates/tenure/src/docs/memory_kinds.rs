//! Which memory when: a growing pool, a stable one, one with a budget, or one without an allocator.
//!
//! | | [`Pool`](crate::Pool) | [`Pool::with_fixed_capacity`](crate::Pool::with_fixed_capacity) | [`StablePool`](crate::StablePool) | [`FixedPool`](crate::FixedPool) |
//! |---|---|---|---|---|
//! | values move | when it grows | never after the start | never | with the pool |
//! | allocates | when it grows | once | when it grows, no copies | never |
//! | full | at the layout's limit | at its capacity | at the layout's limit | at `N` |
//! | insert while others are borrowed | no | no | **yes** | no |
//! | threads | `Send`, `Sync` | `Send`, `Sync` | `Send` | `Send`, `Sync` |
//! | take it | by default | to keep within a budget | for references that stay; for births in a loop; where a long growth hurts | without an allocator; in a `static` |
//!
//! All have the same handles, the same methods (but for what grows and shrinks in a `FixedPool`)
//! and the same promises, because they are one engine with another kind of memory.
//!
//! With a fixed capacity, only what is asked for beside the values allocates after the start:
//! [`borrow_many`](crate::Pool::borrow_many) allocates its book, a bit per slot.
//!
//! # "I hold a reference, somebody adds an entity, the array grows"
//!
//! In a language without a borrow checker this loop is a bug that waits:
//!
//! ```text
//! for each entity e in the array:
//!     do_cool_thing(e)          // three months later somebody lets it spawn an effect: the array grows, and moves
//!     e.health -= 1             // e points into freed memory
//! ```
//!
//! Rust refuses it, and so people collect what shall be born in a second list, and add it after the
//! loop. A stable pool needs no list. Nothing that lives in it moves, so its two halves can be used
//! at the same time: [`split`](crate::StablePool::split).
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
//!     entity.effects.push(world.spawn(Entity::new(1))); // three months later
//! }
//!
//! let mut entities: StablePool<Entity> = (0..100).map(|_| Entity::new(10)).collect();
//!
//! let (mut live, spawner) = entities.split();
//! for entity in live.values_mut() {
//!     do_cool_thing(entity, &spawner);
//!     entity.health -= 1; // still the same entity, at the same place
//! }
//! drop((live, spawner)); // now the effects are members of the pool
//!
//! assert_eq!(entities.len(), 200);
//! let first = entities.values().next().unwrap();
//! assert_eq!(entities[first.effects[0]].health, 1);
//! ```
//!
//! What is born is not met by the loop, does not resolve before the halves are gone, and uses the
//! slots that were free before. A game that lives on like this for a thousand frames, with as many
//! deaths as births, keeps its size.
//!
//! # What it costs
//!
//! Growing one by one to 10 million values of 64 bytes; the worst single insertion, and the most
//! memory in relation to the slots at the end (`cargo versus --memory` measures it on your machine,
//! with curves):
//!
//! | | worst insertion, allocator can move pages | allocator must copy (alignment 64) | mimalloc | values copied | most memory |
//! |---|---|---|---|---|---|
//! | `StablePool` | 0.5 ms | 0.5 ms | 0.6 ms | none | 1.26 |
//! | `Pool` | 3 ms | 780 ms | 130 ms | 1.1 GB | 3.0 |
//! | slotmap's `SlotMap` | 2 ms | 790 ms | 100 ms | 1.1 GB | 3.0 |
//!
//! Changing all of 10,000 or 100,000 entities of 64 bytes, of which one in eight has a child, takes
//! 0.8 of the time with `split` that it takes slotmap with a list of children.
//!
//! `StablePool` in relation to `Pool`, 8 and 64 bytes:
//!
//! | | 8 bytes | 64 bytes |
//! |---|---|---|
//! | `get` at random, in cache | 1.5 | 1.2–1.3 |
//! | `get` at random, 1 million | 1.4 | 1.3 |
//! | walk over all | 1.1–1.2 | 1.0 |
//! | walk, half live | 1.0 | 1.0 |
//! | insert, growing to 1 million | | 0.65 |
//!
//! What `shrink_to_fit` gives back after 99 % of a million values were removed:
//!
//! | survivors | `Pool` | `StablePool` |
//! |---|---|---|
//! | the lowest 1 % | 99 % | 99 % |
//! | a random 1 % | 5 % | below 1 %: no value moves, so memory is given back from the end only |
//!
//! Every dead handle stays dead, whatever was given back.
