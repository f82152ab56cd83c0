//! From raw references to handles: how to move a program over, step by step, while it goes on
//! working.
//!
//! The program has things that refer to each other, and some of them die. Today the references are
//! pointers, `Rc<RefCell<_>>`, or indices into a `Vec`. The way from there has one rule: **first
//! add, then switch, and take away last**. After each step the program builds and does what it did
//! before.
//!
//! # When to keep a handle, and when a reference
//!
//! | | keep |
//! |---|---|
//! | until the end of this function, or of this loop | a reference: look it up once, use it |
//! | in a field, in a list, in an event, until the next frame | a handle: look it up when you need it |
//! | in a save game, on the network, in a log | an [`EntityId`](crate::EntityId), or a key of your own; find the handle once, when it comes in |
//!
//! Rust helps: a reference into a [`World`](crate::World) borrows it, so it cannot be kept for
//! longer than it is good. A handle borrows nothing, and answers for itself.
//!
//! # The bug that all this is about
//!
//! A function changes an entity through a pointer. It was tested, and was right for months:
//!
//! ```text
//! goblin = entities.find(name)
//! do_cool_thing(goblin)
//! goblin.health -= 1
//! ```
//!
//! Then somebody makes the cool thing look better, and lets it add an effect, which is an entity,
//! too. The array is full, so it grows and moves; and the line after the call writes into memory
//! that belongs to something else. Nobody has changed that line. The same happens with an index
//! when the effect *removes* somebody: the line is fine, the index is in bounds, and the health is
//! another one's.
//!
//! In Rust the pointer version does not compile, and so it becomes an index:
//!
//! ```
//! struct Entity { name: &'static str, health: i32 }
//!
//! fn do_cool_thing(entities: &mut Vec<Entity>, which: usize) {
//!     entities[which].health += 5;
//!     entities.retain(|entity| entity.health > 0); // three months later: the dead are cleared away here
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
//! And this is how it is written with a world. The entity is borrowed for as long as it is used,
//! the effect has its handle at once, and the dead leave when the frame ends:
//!
//! ```
//! use tenure::{Handle, Spawner, World};
//!
//! struct Entity { health: i32, effect: Option<Handle<Entity>> }
//!
//! fn do_cool_thing(entity: &mut Entity, spawner: &Spawner<'_, Entity>) {
//!     entity.health += 5;
//!     entity.effect = Some(spawner.spawn(Entity { health: 1, effect: None })); // three months later
//! }
//!
//! let mut world = World::new();
//! let goblin = world.spawn(Entity { health: 10, effect: None });
//! world.end_frame();
//!
//! let (mut live, spawner) = world.split();
//! for entity in live.values_mut() {
//!     do_cool_thing(entity, &spawner);
//!     entity.health -= 1; // the same goblin, at the same place
//! }
//! drop((live, spawner));
//! world.end_frame();
//!
//! assert_eq!(world[goblin].health, 14);
//! assert!(world.contains(world[goblin].effect.unwrap()));
//! ```
//!
//! # The steps
//!
//! A copy of this list makes a good ticket:
//!
//! - [ ] **0. Look, and change nothing.** List every field that refers to something that can die,
//!   and every place that removes something. Write down which calls must go on working as they are.
//! - [ ] **1. Add the type.** A handle for each kind of thing. Nothing uses it.
//! - [ ] **2. Add the ways to ask**: from a thing to its handle, from a handle to the thing or to
//!   `None`.
//! - [ ] **3. Let a world hold the things**, behind the calls that there are.
//! - [ ] **4. Deaths go one way.** Whatever removes something names it for death; one place in the
//!   frame makes it so.
//! - [ ] **5. Births go one way.** Decide whether the newborn have a handle at once or only after
//!   the commit.
//! - [ ] **6. Let queries give handles**, beside those that give references.
//! - [ ] **7. Switch**, field by field, and make the old way impossible.
//! - [ ] **8. Prove it**: create, remove, reuse, many times over.
//!
//! ## 0. Look
//!
//! The program of this page. Everybody is an `Rc`, and a target is a second one: so the dead stay
//! as long as somebody aims at them, every access can panic, and nobody can say who is alive.
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
//! entities.remove(0); // the goblin dies …
//! let target = entities[0].borrow().target.clone();
//! assert_eq!(target.unwrap().borrow().health, 10); // … and is still hit
//! ```
//!
//! ## 1 and 2. Add the type, and the ways to ask
//!
//! The list stays what it is. Beside it stands a world that holds the same `Rc`s: it is asked by
//! nobody yet, and costs a pointer for each entity.
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
//!     list: Vec<Old>,            // as ever
//!     world: World<Old, Handle<Entity>>, // new; its handles are of `Entity`, as they will be in the end
//! }
//!
//! impl Entities {
//!     fn add(&mut self, health: i32) -> Old { // as ever, for its callers
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
//! ## 3. Let the world hold the things
//!
//! Now the list is what can go: whoever walked over it walks over the world. Whoever held an `Rc`
//! for longer than a function is on the list of step 0. When the last of them holds a handle, the
//! world's values are no longer `Rc<RefCell<Entity>>` but `Entity`, and the handles are the same
//! type as before.
//!
//! A `Vec` with indices takes the same step faster: `entities[index]` becomes `world[handle]`, and
//! the compiler shows every place.
//!
//! ## 4 and 5. Deaths and births go one way
//!
//! Here references break, and here they are mended. While there are two ways to remove something,
//! one of them forgets to say so.
//!
//! ```
//! use tenure::{Status, World};
//!
//! let mut world = World::new();
//! let goblin = world.spawn("goblin"); // a handle at once …
//! assert_eq!(world.status(goblin), Status::Spawned);
//! assert_eq!(world.iter().count(), 0); // … and no walk meets it before the commit
//!
//! let ticket = world.stage("wolf"); // no handle at all before the commit: the careful choice, if the old program merged its newcomers
//! world.end_frame();
//! let wolf = world.last_commit().handle(ticket).unwrap();
//!
//! world.despawn(goblin); // in the middle of the frame, by anybody, as often as they like
//! assert_eq!(world.despawn(goblin), Status::Dying);
//! assert!(world.contains(goblin)); // others may still be busy with it
//! let report = world.end_frame(); // the one place
//! assert_eq!((report.despawned, report.already_dying), (1, 1));
//! assert!(!world.contains(goblin) && world.contains(wolf));
//! ```
//!
//! What stays through a change of level (the player, the camera) is made
//! [permanent](crate::World::make_permanent), and keeps its handle.
//!
//! ## 6. Let queries give handles
//!
//! A query whose answer is used at once gives references; one whose answer is kept gives handles.
//! Both are iterators: see [the table of queries](crate::World#queries).
//!
//! ## 7. Switch
//!
//! Field by field: `target: Option<Rc<RefCell<Entity>>>` becomes `target: Option<Handle<Entity>>`.
//! It takes the same room as a pointer, can be copied, and `None` is all zero bytes. Each place
//! that follows it has to say now what happens if there is nobody; that is the work, and it is the
//! bugs, too. After the last field, take the old ways away, or mark them `#[deprecated]`, so that
//! no new code uses them.
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
//! assert_eq!(wolf.index(), goblin.index()); // the wolf has the goblin's slot
//!
//! let entity = &world[missile];
//! let target = entity.target.and_then(|target| world.get(target));
//! assert!(target.is_none()); // and is not hit
//! # let _ = entity.health;
//! ```
//!
//! Lists of references outside of the world are cleared in one pass after each frame:
//! [`World::clear_stale`](crate::World::clear_stale). References inside of it are noticed where
//! they are followed, or cleared with [`Live::for_each_mut`](crate::Live::for_each_mut).
//!
//! **Ids that were saved** are not a second way to find somebody. When a file or a message comes
//! in, turn every id into a handle at once, before the first system runs, and clear those that are
//! nobody's: [`World::by_id`](crate::World::by_id). A handle that is dead is dead; asking its id
//! "instead" finds whoever has that id now.
//!
//! ## 8. Prove it
//!
//! ```
//! use tenure::World;
//!
//! let mut world = World::new();
//! let mut dead = Vec::new();
//! for round in 0..1_000_u32 {
//!     let (stays, leaves) = (world.spawn(round), world.spawn(u32::MAX));
//!     world.end_frame();
//!     world.despawn(leaves);
//!     world.end_frame();
//!     dead.push(leaves);
//!     assert_eq!(world[stays], round);
//! }
//! assert!(dead.iter().all(|&handle| world.get(handle).is_none())); // though their slots were used a thousand times
//! world.validate().unwrap();
//! ```
//!
//! And in your own program: give every entity a number that is never used again, keep it beside
//! each handle in debug builds, and compare. The example `goblin` does so in every frame.
