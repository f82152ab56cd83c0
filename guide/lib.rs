//! Every snippet of the guide is a test: `cargo test -p guide`. To read the guide, open
//! `src/SUMMARY.md`, or run `mdbook serve guide --open`.

/// One item per chapter, whose documentation is the chapter. A chapter that is forgotten here fails
/// `tests/chapters.rs`.
macro_rules! chapters {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("src/", $file))]
            pub struct $name;
        )*

        /// The chapters whose snippets are tested, as paths below `src`.
        pub const CHAPTERS: &[&str] = &[$($file),*];
    };
}

chapters! {
    Problem: "problem.md",
    Tasks: "tasks.md",
    FirstPool: "first_pool.md",
    Choosing: "choosing.md",
    Handles: "handles.md",
    Tables: "tables.md",
    Worlds: "worlds.md",
    Systems: "systems.md",
    Saving: "saving.md",
    Undo: "undo.md",
    SmallGame: "small_game.md",
    WithoutAllocator: "without_allocator.md",
    Threads: "threads.md",
    Inside: "inside.md",
    Design: "design.md",
    Speed: "speed.md",
    ComingFrom: "coming_from.md",
    ComingFromSlotmap: "coming_from/slotmap.md",
    ComingFromNewKeyType: "coming_from/new_key_type.md",
    ComingFromThunderdome: "coming_from/thunderdome.md",
    ComingFromGenerationalArena: "coming_from/generational_arena.md",
    ComingFromSlab: "coming_from/slab.md",
    ComingFromHecs: "coming_from/hecs.md",
    ComingFromEntt: "coming_from/entt.md",
    ComingFromOdin: "coming_from/odin.md",
    WhenNot: "when_not.md",
}
