//! Memory: maps of a pool over its life, and what it gives back.

use maud::{Markup, html};

use super::table;
use crate::heat::{self, Levels, SlotState};
use crate::paint::grouped;
use crate::report::figures::bytes;
use crate::report::measure::memory::{Map, Memory, Row};

/// How many slots stand in a row of a map.
const COLUMNS: usize = 64;

pub(super) fn section(memory: &Memory) -> Markup {
    let all: Vec<SlotState> = memory.maps.iter().flat_map(|map| &map.states).copied().collect();
    let levels = Levels::of(&all);
    html! {
        p {
            "One " code { "StablePool" } " over its life, slot by slot, from left to right and from top to bottom. Newcomers take the slots of the dead, "
            "lowest first, so a pool that was emptied fills up from the front. Memory goes back in whole chunks: whoever stays keeps a chunk there."
        }
        div.maps { @for map in &memory.maps { (one(map, levels)) } }
        (heat::svg::legend(&all, levels))
        h3 { "What " code { "shrink_to_fit" } " gives back" }
        p { "Pools of " (grouped(memory.count as u64)) " values of 64 bytes, of which 99 % are removed. No value moves in a pool, so it depends on where those who "
            "stay happen to be: anywhere, or at the front because they are the oldest. A dense pool keeps its values side by side in any case." }
        (table(&["on the heap", "full", "99 % removed", "shrunk: anywhere", "shrunk: the oldest"], &html! {
            @for row in &memory.rows { (bytes_of(row)) }
        }))
    }
}

fn one(map: &Map, levels: Levels) -> Markup {
    let stats = &map.stats;
    let [live, vacant] = [stats.live, stats.free].map(|count| grouped(count as u64));
    let label = format!("{live} live slots, {vacant} vacant");
    html! {
        figure {
            figcaption { strong { (map.title) } br; span.unit { (live) " live, " (vacant) " vacant, " (bytes(stats.bytes as f64)) } }
            (heat::svg::map(&map.states, levels, COLUMNS, &label))
        }
    }
}

fn bytes_of(row: &Row) -> Markup {
    let part = |count: usize| format!(" ({:.0} %)", 100.0 * count as f64 / row.full.max(1) as f64);
    html! {
        tr {
            th { (row.name) }
            td { (bytes(row.full as f64)) }
            @for count in [row.sparse, row.scattered, row.gathered] {
                td { (bytes(count as f64)) span.unit { (part(count)) } }
            }
        }
    }
}
