//! Growth: curves of the slowest insertions.

use maud::{Markup, html};

use super::table;
use crate::paint::grouped;
use crate::report::figures::{nanoseconds, times};
use crate::report::measure::growth::{Growth, Line};
use crate::report::plot::{self, plot};

pub(super) fn section(all: &[Growth]) -> Markup {
    let count = all.first().map_or(0, |growth| growth.count);
    html! {
        p {
            "From 0 to " (grouped(count as u64)) " values, one by one. A point is the slowest insertion since the container was half as large. Of each "
            "insertion the best of several runs counts. A container in one block copies all values each time the block is full. A "
            code { "StablePool" } " allocates one more chunk, and copies nothing."
        }
        div.pair { @for growth in all { div { (curve(growth)) (figures(growth)) } } }
        p.note { "Some allocators remap large blocks instead of copying them, unless the values have a strict alignment." }
    }
}

fn curve(growth: &Growth) -> Markup {
    let lines: Vec<_> =
        growth.lines.iter().map(|line| plot::Line { name: line.name, points: &line.points }).collect();
    plot(growth.values, "slowest insertion", &lines, nanoseconds)
}

fn figures(growth: &Growth) -> Markup {
    let least = growth.lines.iter().map(Line::worst).fold(f64::INFINITY, f64::min);
    table(
        &["", "slowest", "", "all together"],
        &html! {
            @for line in &growth.lines {
                tr { th { (line.name) } td { (nanoseconds(line.worst())) } td.unit { (times(line.worst() / least)) } td { (nanoseconds(line.total)) } }
            }
        },
    )
}
