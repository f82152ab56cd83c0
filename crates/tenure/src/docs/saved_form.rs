//! What containers look like when they are saved, with the feature `serde`.
//!
//! Saving is *exact*. What is loaded has the same handles and values, knows the same dead handles,
//! and issues the same handles from then on as the original would have. Worlds may be saved in the
//! middle of a frame. A program that saves and loads at any moment cannot notice it.
//!
//! ```
//! use tenure::{Handle, Pool};
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Goblin { name: String, target: Option<Handle<Goblin>> }
//!
//! let mut goblins = Pool::new();
//! let grik = goblins.insert(Goblin { name: "Grik".into(), target: None });
//! let snag = goblins.insert(Goblin { name: "Snag".into(), target: Some(grik) });
//! goblins.remove(grik);
//!
//! let text = serde_json::to_string(&goblins)?;
//! assert_eq!(text, r#"{"version":1,"next":0,"slots":["0v1",{"1v1":{"name":"Snag","target":"0v1"}}]}"#);
//!
//! let mut loaded: Pool<Goblin> = serde_json::from_str(&text)?;
//! assert!(loaded.get(loaded[snag].target.unwrap()).is_none()); // Grik is as dead as before
//! let newcomer = Goblin { name: "Zog".into(), target: None };
//! assert_eq!(loaded.insert(newcomer).to_string(), "Goblin(0v2)"); // as it would have been without saving
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Two faces
//!
//! Human-readable formats (JSON, RON, TOML, YAML) get names, and fields that have their usual value
//! are left out. Binary formats (postcard, CBOR, `MessagePack`) get numbers and every field. Both
//! have the same fields in the same order. A format that calls itself human-readable, but may write
//! structs without the names of their fields (`MessagePack` `with_human_readable`), gets names and
//! every field.
//!
//! A container can stand alone, in a struct, in a list or in a map, in every format that has these.
//! TOML has limits of its own: a document is a table, so a list, a handle or an id cannot stand
//! alone; and there is no null, so a live slot whose value is `None` is written without its value
//! and cannot be loaded.
//!
//! | | to be read | else |
//! |---|---|---|
//! | a handle | `"17v3"`, with a tag `"17v3#5"` | what [`to_bits`](crate::Handle::to_bits) gives |
//! | [`Handle::NIL`](crate::Handle::NIL) | `0` | `0` |
//! | a slot with a value | `{"17v3": value}` | generation · 4 + 1, then the value |
//! | a slot whose tenant is gone; `v0`: there was none | `"17v3"` | generation · 4 |
//! | a slot that is [pending](crate::Pool::reserve_handle) | `"17v3 pending"` | generation · 4 + 2 |
//! | an [`EntityId`](crate::EntityId) | `7` | `7` |
//!
//! A slot whose tenant was the last one that its layout can tell apart is retired.
//! Every slot takes a byte at least.
//!
//! # Pools and side maps
//!
//! | field | what it is | if it is left out |
//! |---|---|---|
//! | `version` | `1` | an error |
//! | `tag` | of all handles | 0 |
//! | `floor` | after how many tenants new slots begin (`shrink_to_fit` forgets slots, and not their tenants) | 0 |
//! | `reach` | what [`allow_indices_below`](crate::Pool::allow_indices_below) has allowed (nothing is allocated for it before [`insert_at`](crate::Pool::insert_at) goes there) | 0 |
//! | `limit` | of a [fixed capacity](crate::Pool::with_fixed_capacity) | none |
//! | `next` | the slot that is used next | the lowest free one, and the others in their order |
//! | `word` | the 64 slots from `word · 64` on, whose free ones come after that | none is free |
//! | `slots` | all slots, by index | an error |
//!
//! A pool with a fixed capacity is loaded with its limit. Its memory comes as it is needed, since a
//! document may claim any limit: [`reserve`](crate::Pool::reserve) gets all of it at once. All
//! kinds of pools have one form: what a [`Pool`](crate::Pool) has saved, a
//! [`StablePool`](crate::StablePool) or a [`FixedPool`](crate::FixedPool) with enough room can
//! load.
//!
//! # Tables and dense pools
//!
//! As pools, but for the order of `slots`: first those with a row, in the order of the rows, then
//! the others. Where people do not read it, the index stands before each. A row is written as its
//! `…Ref`, and read as the row:
//!
//! ```
//! use tenure::{Row, Table};
//!
//! #[derive(Row, serde::Deserialize)]
//! #[row(derive(serde::Serialize))]
//! struct Card { rank: u8, suit: char }
//!
//! let deck: Table<Card> = [Card { rank: 3, suit: 'h' }].into_iter().collect();
//! let text = serde_json::to_string(&deck)?;
//! assert_eq!(text, r#"{"version":1,"slots":[{"0v1":{"rank":3,"suit":"h"}}]}"#);
//! assert_eq!(serde_json::from_str::<Table<Card>>(&text)?.columns().rank, [3]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Worlds
//!
//! | field | what it is | if it is left out |
//! |---|---|---|
//! | `version` | `1` | an error |
//! | `entities` | as a pool; those that are pending have their values | an error |
//! | `ids` | of all entities, by index | they get new ones |
//! | `last_id` | the last one that was given | the highest of `ids` |
//! | `permanent`, `pending`, `dying` | handles of those that are | none |
//! | `nursery` | slots that are kept for the next births; pending in `entities` | none |
//! | `departed` | slots that are free when the frame ends; pending in `entities` | none |
//! | `staged` | entities that have no handle yet; each after a 0 where people do not read it | none |
//! | `born`, `born_with_handle` | of the last commit, and how many of them were not staged | none |
//! | `dead` | of the last sweep | none |
//! | `tickets`, `first_ticket` | how many there were, and before the last commit | 0 |
//! | `report` | of the frame so far: `frame`, `born`, `died`, `already_dead`, `already_dying` | nothing has happened |
//!
//! # What is refused
//!
//! Everything that the container's own methods could not have led to: an index out of its place or
//! there twice, a generation that the layout does not have, a next slot that is not free, an entity
//! that dies twice, a field that is not in the table above. The error says what is wrong and where;
//! formats add the line.
//!
//! Memory is never reserved for what a document claims to have, only for what it has. A vacant slot
//! is one byte in a binary document, and has a place in memory like every other slot. So a document
//! of `n` bytes gets at most `(n + 64) × (2 × slot + 64)` bytes, where `slot` is `size_of::<T>()`
//! plus 4, rounded up to the alignment: memory grows by doubling, and comes for 64 slots at least.
//! What values hold on the heap comes on top.
//!
//! # Versions
//!
//! The version goes up when an older library could not read what is written. Files of all versions
//! are kept as tests, and a newer library reads them.
