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
//! All have the same handles, the same methods (but for what grows and shrinks in a `FixedPool`) and the same promises, because they are one engine with another kind of
//! memory.
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
//! Rust refuses it, and so people collect what shall be born in a second list, and add it after the loop. A stable pool needs no list. Nothing that lives in it
//! moves, so its two halves can be used at the same time: [`split`](crate::StablePool::split).
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
//! What is born is not met by the loop, does not resolve before the halves are gone, and uses the slots that were free before. A game that lives on like this for a thousand
//! frames, with as many deaths as births, keeps its size.
//!
//! # What it costs
//!
//! FIGURES
