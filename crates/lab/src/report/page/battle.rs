//! The battle: the counts, and the final slots.

use maud::{Markup, html};

use super::table;
use crate::heat::{self, Levels};
use crate::paint::grouped;
use crate::report::measure::Measured;

/// The number of slots in a row of the map.
const COLUMNS: usize = 100;

pub(super) fn section(measured: &Measured) -> Markup {
    let (scale, battle) = (&measured.scale, &measured.battle);
    let (index, handle) = (battle.by_index.referee().total(), battle.by_handle.referee().total());
    let [frames, goblins, chickens] =
        [u64::from(scale.frames), scale.goblins as u64, scale.chickens as u64].map(grouped);
    let levels = Levels::of(&measured.slots);
    let (_, busiest) = levels.ends();
    html! {
        p { "Missiles home on goblins, and new creatures reuse the slots of dead ones. " (frames) " frames with " (goblins) " goblins and "
            (chickens) " chickens, fought twice with the same rules and the same random numbers: once by slot number, once by handle." }
        (table(&["", "by index", "by handle"], &html! {
            (plain("references looked up", index.look_ups, handle.look_ups))
            (plain("stale, and caught", index.caught, handle.caught))
            (wrong("stale, and resolved to another creature", index.misled, handle.misled))
            (plain("missiles that hit", index.hits, handle.hits))
            (wrong("hit the wrong creature", index.wrong_hits, handle.wrong_hits))
            (wrong("hit a chicken", index.chickens_hit, handle.chickens_hit))
        }))
        figure {
            figcaption { strong { "The " (grouped(measured.slots.len() as u64)) " slots of the pool after the battle" }
                " " span.unit { "coloured by generation; the most used slot has had " (busiest) " tenants, and no old handle to it resolves" } }
            (heat::svg::map(&measured.slots, levels, COLUMNS, "the slots of the pool by generation"))
            (heat::svg::legend(&measured.slots, levels))
        }
    }
}

fn plain(words: &str, index: u64, handle: u64) -> Markup {
    html! { tr { th { (words) } td { (grouped(index)) } td { (grouped(handle)) } } }
}

fn wrong(words: &str, index: u64, handle: u64) -> Markup {
    let class = |count: u64| if count == 0 { "good" } else { "bad" };
    html! { tr { th { (words) } td class=(class(index)) { (grouped(index)) } td class=(class(handle)) { (grouped(handle)) } } }
}
