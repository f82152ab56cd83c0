//! What containers look like when they are saved, with the feature `serde`.
//!
//! Saving is *exact*. The loaded container has the same handles and values, rejects the same stale
//! handles, and issues the same handles from then on as the original would have. A world can be
//! saved in the middle of a frame.
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
//! assert!(loaded.get(loaded[snag].target.unwrap()).is_none()); // Grik was removed before
//! let zog = Goblin { name: "Zog".into(), target: None };
//! assert_eq!(loaded.insert(zog).to_string(), "Goblin(0v2)"); // the same as without saving
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Text and binary
//!
//! In human-readable formats (JSON, RON, TOML, YAML) handles are text, and fields that have their
//! default value are left out. In binary formats (postcard, CBOR, `MessagePack`) handles are
//! numbers, and all fields are written. The fields and their order are the same. A format that
//! calls itself human-readable, but may write structs without the names of their fields
//! (`MessagePack` `with_human_readable`), gets text and all fields.
//!
//! A container can stand alone, in a struct, in a list or in a map, if the format has these. TOML
//! has limits of its own: a document is a table, so a list, a handle or an id cannot stand alone;
//! and there is no null, so a live slot whose value is `None` is written without its value and
//! cannot be loaded.
//!
//! | | text | binary |
//! |---|---|---|
//! | a handle | `"17v3"`, with a tag `"17v3#5"` | what [`to_bits`](crate::Handle::to_bits) gives |
//! | [`Handle::NIL`](crate::Handle::NIL) | `0` | `0` |
//! | a slot with a value | `{"17v3": value}` | generation · 4 + 1, then the value |
//! | a free slot and its last tenant; `v0`: it had none | `"17v3"` | generation · 4 |
//! | a slot that is [pending](crate::Pool::reserve_handle) | `"17v3 pending"` | generation · 4 + 2 |
//! | a value of a side map beyond its slots | `{"17v3": value}` | generation · 4 + 3, then the index, then the value |
//! | an [`EntityId`](crate::EntityId) | `7` | `7` |
//!
//! A vacant slot whose last tenant had the layout's last generation is retired. A slot takes at
//! least one byte.
//!
//! # Pools and side maps
//!
//! | field | what it is | if it is left out |
//! |---|---|---|
//! | `version` | `1` | an error |
//! | `tag` | the tag of all handles | 0 |
//! | `floor` | the generation after which new slots start (`shrink_to_fit` frees slots, and keeps the highest generation) | 0 |
//! | `reach` | the argument of [`allow_indices_below`](crate::Pool::allow_indices_below) (memory is allocated when [`insert_at`](crate::Pool::insert_at) uses such an index) | 0 |
//! | `limit` | the [fixed capacity](crate::Pool::with_fixed_capacity) | none |
//! | `next` | the slot that is used next | the lowest free slot, and then the others by index |
//! | `word` | the word of 64 slots, from `word · 64` on, whose free slots are used after that; only together with `next` | no slot but `next` is free |
//! | `slots` | all slots, by index | an error |
//!
//! In a side map, values far beyond the slots (see
//! [`insert_unowned`](crate::SideMap::insert_unowned)) come after the slots, in index order.
//!
//! A pool with a fixed capacity is loaded with its limit. Its memory is allocated as it is needed,
//! because a document may claim any limit; [`reserve`](crate::Pool::reserve) allocates all of it at
//! once. Pools have one form: a [`StablePool`](crate::StablePool), or a
//! [`FixedPool`](crate::FixedPool) with enough room, can load what a [`Pool`](crate::Pool) has
//! saved.
//!
//! # Tables and dense pools
//!
//! Like pools, but for the order of `slots`: first those with a row, in the order of the rows, then
//! the others. In binary formats each has its index in front. A row is written as its `…Ref` type
//! (so that needs `Serialize`), and read as the row:
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
//! | `entities` | a pool; uncommitted entities have their values | an error |
//! | `ids` | the ids of the entities, by index | new ids |
//! | `last_id` | the last id that was assigned | the highest of `ids` |
//! | `permanent`, `pending`, `dying` | the handles of entities that are permanent, spawned and not committed, marked for despawn | none |
//! | `nursery` | slots that are reserved for the next spawns; pending in `entities` | none |
//! | `departed` | slots that become free when the frame ends; pending in `entities` | none |
//! | `staged` | entities that have no handle yet; in binary formats each after a 0 | none |
//! | `born`, `born_with_handle` | the handles of the last commit, and how many of them were not staged | none |
//! | `dead` | the handles of the last sweep | none |
//! | `tickets`, `first_ticket` | how many tickets were issued, and how many before the last commit | 0 |
//! | `report` | the report of the frame so far: `frame`, `born` (spawned), `died` (despawned), `already_dead`, `named_twice` (already dying) | zeros |
//!
//! The names of some fields are older than the words of the API. They stay, so that files load.
//!
//! # What is rejected
//!
//! A document that breaks a rule of the container: an index out of order or twice, a generation
//! that the layout does not have, a next slot that is not free, an entity that is marked for
//! despawn twice, a field that is not in the tables above. The error says what is wrong and where;
//! formats add the line.
//!
//! Memory is reserved for what a document contains, not for what it claims to contain. A vacant
//! slot is one byte in a binary document, and takes a slot in memory. So a document of `n` bytes
//! gets at most `(n + 64) × (2 × slot + 64)` bytes, where `slot` is `size_of::<T>()` plus 4,
//! rounded up to the alignment: memory grows by doubling, and by at least 64 slots. What the values
//! allocate themselves is not included.
//!
//! # Versions
//!
//! The version is raised when an older library could not read what is written. Files of all
//! versions are test data, and a newer library reads them.
