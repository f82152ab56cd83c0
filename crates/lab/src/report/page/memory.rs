//! Memory: maps of a pool over time, and how much it releases.

use maud::{Markup, html};

use super::table;
use crate::heat::{self, Levels, SlotState};
use crate::paint::grouped;
use crate::report::figures::bytes;
use crate::report::measure::memory::{Map, Memory, Row};

/// The number of slots in a row of a map.
const COLUMNS: usize = 64;

pub(super) fn section(memory: &Memory) -> Markup {
    let all: Vec<SlotState> = memory.maps.iter().flat_map(|map| &map.states).copied().collect();
    let levels = Levels::of(&all);
    html! {
        p {
            "One " code { "StablePool" } " over time, slot by slot, from left to right and from top to bottom. New values reuse free slots, "
            "lowest first, so a pool that was emptied fills up from the front. Memory is released in whole chunks at the end: a value that stays keeps its chunk and those before it."
        }
        div.maps { @for map in &memory.maps { (one(map, levels)) } }
        (heat::svg::legend(&all, levels))
        h3 { "What " code { "shrink_to_fit" } " releases" }
        p { "Pools of " (grouped(memory.count as u64)) " values of 64 bytes, of which 99 % are removed. No value moves in a pool, so it depends on where the remaining values "
            "are: anywhere, or at the front because they are the oldest. A dense pool keeps its values contiguous in any case." }
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
