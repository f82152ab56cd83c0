//! From references to handles: how to change a program step by step, while it keeps working.
//!
//! The program has values that refer to each other, and some of them are removed. Today they refer
//! by pointer, by `Rc<RefCell<_>>`, or by an index into a `Vec`. One rule: **first add, then
//! switch, then remove the old way**. After each step the program builds and does what it did
//! before.
//!
//! # When to keep a handle, and when a reference
//!
//! | until | keep |
//! |---|---|
//! | the end of this function, or of this loop | a reference: look the value up once, and use it |
//! | the next frame: in a field, a list, an event | a handle: look it up when you need the value |
//! | the program ends: in a save that contains the whole world, in messages of one session | a handle |
//! | after that: in a log, a database, another program | a key of your own, or an [`EntityId`](crate::EntityId) and the number of the run; find the handle once, when it comes in |
//!
//! A reference into a [`World`](crate::World) borrows it, so the compiler rejects a reference that
//! is kept for too long. A handle borrows nothing, and is checked when it is used.
//!
//! # The bug
//!
//! A function mutates an entity through a pointer. It was tested, and was correct for months:
//!
//! ```text
//! goblin = entities.find(name)
//! do_cool_thing(goblin)
//! goblin.health -= 1
//! ```
//!
//! Then `do_cool_thing` is changed to add an effect, which is an entity, too. The array is full, so
//! it grows and moves, and the line after the call writes into freed memory, although that line was
//! not changed. The same happens with an index when the effect *removes* an entity: the index is in
//! bounds, and the health is that of another entity.
//!
//! In Rust the version with a pointer does not compile, so it becomes an index:
//!
//! ```
//! struct Entity { name: &'static str, health: i32 }
//!
//! fn do_cool_thing(entities: &mut Vec<Entity>, which: usize) {
//!     entities[which].health += 5;
//!     entities.retain(|entity| entity.health > 0); // added three months later
//! }
//!
//! let mut entities = vec![
//!     Entity { name: "dead wolf", health: 0 },
//!     Entity { name: "goblin", health: 10 },
//!     Entity { name: "king", health: 99 },
//! ];
//! let goblin = 1;
//! do_cool_thing(&mut entities, goblin);
//! entities[goblin].health -= 1; // compiles, does not panic
//! assert_eq!((entities[goblin].name, entities[goblin].health), ("king", 98)); // and hits the king
//! ```
//!
//! With a world, the entity is borrowed for as long as it is used, the effect has its handle at
//! once, and entities are removed when the frame ends:
//!
//! ```
//! use tenure::{Handle, Spawner, World};
//!
//! struct Entity { health: i32, effect: Option<Handle<Entity>> }
//!
//! fn do_cool_thing(entity: &mut Entity, spawner: &Spawner<'_, Entity>) {
//!     entity.health += 5;
//!     entity.effect = Some(spawner.spawn(Entity { health: 1, effect: None })); // added later
//! }
//!
//! let mut world = World::new();
//! let goblin = world.spawn(Entity { health: 10, effect: None });
//! world.end_frame();
//!
//! world.frame(|live, spawner| {
//!     for entity in live.values_mut() {
//!         do_cool_thing(entity, spawner);
//!         entity.health -= 1; // the same goblin, at the same address
//!     }
//! });
//!
//! assert_eq!(world[goblin].health, 14);
//! assert!(world.contains(world[goblin].effect.unwrap()));
//! ```
//!
//! # The steps
//!
//! A copy of this list makes a good ticket:
//!
//! - [ ] **0. Read, and change nothing.** List the fields that refer to values that can be removed,
//!   and the places that remove values. Write down which functions must keep their signatures.
//! - [ ] **1. Add the type.** A handle for each type of value. Nothing uses it yet.
//! - [ ] **2. Add the lookups**: from a value to its handle, and from a handle to the value or
//!   `None`.
//! - [ ] **3. Store the values in a world**, behind the existing functions.
//! - [ ] **4. Remove in one way.** What removes a value calls `despawn`, and one place in the frame
//!   applies it.
//! - [ ] **5. Add in one way.** Decide whether a new value has a handle at once, or only after the
//!   commit.
//! - [ ] **6. Add queries that return handles**, next to those that return references.
//! - [ ] **7. Switch**, field by field, and remove the old way.
//! - [ ] **8. Test it**: spawn, despawn and reuse, many times.
//!
//! ## 0. Read
//!
//! The program of this page. Each entity is an `Rc`, and a target is a second one. So a removed
//! entity stays alive while another one aims at it, each access can panic, and the program cannot
//! ask whether an entity was removed.
//!
//! ```
//! use std::{cell::RefCell, rc::Rc};
//!
//! struct Entity { health: i32, target: Option<Rc<RefCell<Entity>>> }
//!
//! let goblin = Rc::new(RefCell::new(Entity { health: 10, target: None }));
//! let missile = Rc::new(RefCell::new(Entity { health: 1, target: Some(goblin.clone()) }));
//!
//! let mut entities = vec![goblin, missile];
//! entities.remove(0); // the goblin is removed …
//! let target = entities[0].borrow().target.clone();
//! assert_eq!(target.unwrap().borrow().health, 10); // … and is still hit
//! ```
//!
//! ## 1 and 2. Add the type, and the lookups
//!
//! The list stays as it is. Next to it there is a world that holds the same `Rc`s. Nothing uses it
//! yet, and it costs a pointer for each entity.
//!
//! ```
//! use std::{cell::RefCell, rc::Rc};
//! use tenure::{Handle, World};
//!
//! struct Entity { health: i32, me: Handle<Entity> }
//! type Old = Rc<RefCell<Entity>>;
//!
//! #[derive(Default)]
//! struct Entities {
//!     list: Vec<Old>,                    // as before
//!     world: World<Old, Handle<Entity>>, // new; its handles have the kind that they will have later
//! }
//!
//! impl Entities {
//!     fn add(&mut self, health: i32) -> Old { // the same signature
//!         let mut made = None;
//!         self.world.spawn_with(|me| {
//!             let entity = Rc::new(RefCell::new(Entity { health, me }));
//!             made.insert(entity).clone()
//!         });
//!         let entity = made.unwrap();
//!         self.list.push(entity.clone());
//!         entity
//!     }
//!
//!     fn handle_of(&self, entity: &Old) -> Handle<Entity> { entity.borrow().me }     // new
//!     fn resolve(&self, handle: Handle<Entity>) -> Option<&Old> { self.world.get(handle) } // new
//! }
//!
//! let mut entities = Entities::default();
//! let goblin = entities.add(10);
//! let handle = entities.handle_of(&goblin);
//! assert!(Rc::ptr_eq(entities.resolve(handle).unwrap(), &goblin));
//! ```
//!
//! ## 3. Store the values in the world
//!
//! Now the list can go: loops over it become loops over the world. The fields that hold an `Rc` for
//! longer than a function are on the list of step 0. When the last of them holds a handle, the
//! values of the world become `Entity` instead of `Rc<RefCell<Entity>>`, and the type of the
//! handles stays the same.
//!
//! From a `Vec` with indices this step is shorter: `entities[index]` becomes `world[handle]`, and
//! the compiler shows each place.
//!
//! ## 4 and 5. Remove and add in one way
//!
//! As long as there are two ways to remove a value, one of them is forgotten by some code.
//!
//! ```
//! use tenure::{Status, World};
//!
//! let mut world = World::new();
//! let goblin = world.spawn("goblin"); // a handle at once …
//! assert_eq!(world.status(goblin), Status::Spawned);
//! assert_eq!(world.iter().count(), 0); // … and iterators do not visit it before the commit
//!
//! let ticket = world.stage("wolf"); // no handle before the commit: if the old program added new entities in one place
//! world.end_frame();
//! let wolf = world.last_commit().handle(ticket).unwrap();
//!
//! world.despawn(goblin); // anywhere in the frame, also twice
//! assert_eq!(world.despawn(goblin), Status::Dying);
//! assert!(world.contains(goblin)); // resolves until the frame ends
//! let report = world.end_frame(); // the one place
//! assert_eq!((report.despawned, report.already_dying), (1, 1));
//! assert!(!world.contains(goblin) && world.contains(wolf));
//! ```
//!
//! An entity that survives a change of level (the player, the camera) is made
//! [permanent](crate::World::make_permanent), and keeps its handle.
//!
//! ## 6. Queries that return handles
//!
//! A query whose result is used at once returns references; one whose result is kept returns
//! handles. Both are iterators: see [the table of queries](crate::World#queries).
//!
//! ## 7. Switch
//!
//! Field by field: `target: Option<Rc<RefCell<Entity>>>` becomes `target: Option<Handle<Entity>>`.
//! It has the size of a pointer on a 64-bit machine, is `Copy`, and `None` is all zero bytes. Each
//! place that resolves it now has to decide what happens if the value was removed. That is most of
//! the work, and it finds the bugs. After the last field, remove the old way or mark it
//! `#[deprecated]`, so that no new code uses it.
//!
//! ```
//! use tenure::{Handle, World};
//!
//! struct Entity { health: i32, target: Option<Handle<Entity>> }
//!
//! let mut world = World::new();
//! let goblin = world.spawn(Entity { health: 10, target: None });
//! let missile = world.spawn(Entity { health: 1, target: Some(goblin) });
//! world.end_frame();
//! world.despawn(goblin);
//! world.end_frame();
//! let wolf = world.spawn(Entity { health: 7, target: None });
//! assert_eq!(wolf.index(), goblin.index()); // the wolf reuses the goblin's slot
//!
//! let entity = &world[missile];
//! let target = entity.target.and_then(|target| world.get(target));
//! assert!(target.is_none()); // and the missile does not hit it
//! # let _ = entity.health;
//! ```
//!
//! Handles in lists outside of the world are cleared in one pass after each frame:
//! [`World::clear_stale`](crate::World::clear_stale). Handles inside entities are checked where
//! they are used, or cleared with [`Live::for_each_mut`](crate::Live::for_each_mut).
//!
//! **Saved ids** are for loading only. When a file or a message comes in, turn each id into a
//! handle, before the first system runs, and clear those that are not found:
//! [`World::by_id`](crate::World::by_id). Do not fall back to an id when a handle is stale: the
//! entity was removed.
//!
//! ## 8. Test it
//!
//! ```
//! use tenure::World;
//!
//! let mut world = World::new();
//! let mut stale = Vec::new();
//! for round in 0..1_000_u32 {
//!     let (kept, removed) = (world.spawn(round), world.spawn(u32::MAX));
//!     world.end_frame();
//!     world.despawn(removed);
//!     world.end_frame();
//!     stale.push(removed);
//!     assert_eq!(world[kept], round);
//! }
//! assert!(stale.iter().all(|&handle| world.get(handle).is_none())); // their slots were reused
//! world.validate().unwrap();
//! ```
//!
//! In your own program, give each entity a number that is not reused, store it next to each handle
//! in debug builds, and compare. The example `goblin` does so in each frame.
