//! Pages about the whole library.
//!
//! | page | |
//! |---|---|
//! | [`coming_from`] | slotmap, thunderdome, generational-arena, slab, an ECS or Odin: the same in Tenure |
//! | [`from_references`] | from pointers, `Rc<RefCell<_>>` or indices to handles |
//! | [`memory_kinds`] | where values lie, and what that costs |
//! | [`without_allocator`] | `no_std` without `alloc` |
//! | `saved_form` | what is saved, field by field (feature `serde`) |

pub mod coming_from;
#[cfg(feature = "alloc")]
pub mod from_references;
#[cfg(feature = "alloc")]
pub mod memory_kinds;
#[cfg(all(feature = "serde", feature = "alloc"))]
#[doc(alias("save", "load", "save and load", "serialize", "deserialize", "file format"))]
pub mod saved_form;
pub mod without_allocator;
