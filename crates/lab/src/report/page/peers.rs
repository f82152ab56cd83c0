//! The comparison with peers: the ratio of every operation, and the figures.

use maud::{Markup, html};

use super::table;
use crate::report::figures::{self, figure, times};
use crate::report::versus::{Cell, Grid, Operation, Ratio, Versus};

/// The size of value that is shown first.
const SHOWN: usize = 8;
/// The range of the bars, in doublings to either side.
const DOUBLINGS: f64 = 3.0;

pub(super) fn section(versus: &Versus) -> Markup {
    match &versus.grid {
        Some(grid) => compared(grid),
        None => how_to_get_it(),
    }
}

fn how_to_get_it() -> Markup {
    html! {
        p { "The comparison with slotmap, thunderdome, slab and others takes some minutes, and is a separate program. Run" }
        pre { "cargo versus\ncargo versus --memory\ncargo versus --tables\ncargo versus --worlds" }
        p { "or some of these (" code { "--quick" } " for a quick run), and write this page again: it shows the results in " code { "bench/out" }
            ", or in the directory of " code { "--versus" } "." }
    }
}

/// The ratios of a grid, and its figures.
pub(super) fn compared(grid: &Grid) -> Markup {
    let subject = grid.contenders.iter().find(|one| one.role == "subject").map_or("Tenure", |one| one.name.as_str());
    html! {
        p {
            @if let Some(machine) = &grid.machine { (machine.line()) ". " }
            "Medians of " (grid.rounds) " rounds. A ratio is the best peer over " code { (subject) } ", with its 90 % interval: right of the line, "
            code { (subject) } " is faster or smaller."
        }
        (ratios(&grid.operations))
        (shown(grid))
        details { summary { "All " (grid.cells.len()) " cells" } (cells(grid, &grid.cells.iter().collect::<Vec<_>>(), true)) }
    }
}

fn ratios(operations: &[Operation]) -> Markup {
    html! {
        div.ratios {
            @for operation in operations {
                div.row title=(operation.about) {
                    span.name { (operation.name) }
                    (bar(operation.ratio, operation.behind))
                    span.figure { (times(operation.ratio.middle)) }
                }
            }
            div.row { span.name {} div.scale { span { "⅛×" } span { "1×" } span { "8×" } } span.figure {} }
        }
    }
}

/// The interval as a bar, and the middle as a dot, on an axis of doublings.
fn bar(ratio: Ratio, behind: bool) -> Markup {
    let [low, middle, high] = [ratio.low, ratio.middle, ratio.high].map(place);
    html! {
        div.track.behind[behind] {
            i style={ "left:" (percent(low)) ";width:" (percent(high - low)) } {}
            b style={ "left:" (percent(middle)) } {}
        }
    }
}

fn place(ratio: f64) -> f64 {
    let doublings = ratio.log2();
    let within = if doublings.is_nan() { 0.0 } else { doublings.clamp(-DOUBLINGS, DOUBLINGS) };
    50.0 + 50.0 * within / DOUBLINGS
}

fn percent(share: f64) -> String {
    format!("{share:.1}%")
}

/// The cells of the usual size and the largest count.
fn shown(grid: &Grid) -> Markup {
    let of_size = || grid.cells.iter().filter(|cell| cell.bytes == SHOWN);
    let largest = of_size().map(|cell| cell.count).max().unwrap_or(0);
    let chosen: Vec<&Cell> = of_size().filter(|cell| cell.count == largest).collect();
    html! {
        @if !chosen.is_empty() {
            h3 { (figures::count(largest as f64)) " values of " (SHOWN) " bytes" }
            p {
                "Nanoseconds per operation, or bytes per value: shorter is better. A plain " code { "Vec" } " has no handles, and " code { "slab" }
                " has keys without generations."
            }
            div.bars { @for cell in &chosen { (bars(grid, cell)) } }
            details { summary { "The same as a table" } (cells(grid, &chosen, false)) }
        }
    }
}

/// The figures of all contenders as bars, relative to the longest.
fn bars(grid: &Grid, cell: &Cell) -> Markup {
    let figures = || grid.contenders.iter().filter_map(|one| Some((one, cell.median(&one.name)?)));
    let longest = figures().map(|(_, median)| median).fold(0.0, f64::max);
    html! {
        figure {
            figcaption { strong { (cell.operation) } }
            @for (contender, median) in figures() {
                div class={ "row " (contender.role) } {
                    span.name { (contender.name) }
                    div { i style={ "width:" (percent(100.0 * median / longest)) } {} }
                    span.figure { (figure(median)) }
                }
            }
        }
    }
}

fn cells(grid: &Grid, cells: &[&Cell], with_size: bool) -> Markup {
    let names: Vec<&str> = grid.contenders.iter().map(|contender| contender.name.as_str()).collect();
    let sizes: &[&str] = if with_size { &["size", "count"] } else { &[] };
    let header = [&["operation"], sizes, &["ratio"], &names].concat();
    table(&header, &html! { @for cell in cells { (row(grid, cell, with_size)) } })
}

fn row(grid: &Grid, cell: &Cell, with_size: bool) -> Markup {
    html! {
        tr {
            th { (cell.operation) }
            @if with_size { td { (cell.bytes) " B" } td { (figures::count(cell.count as f64)) } }
            td.bad[cell.behind] title={ "best peer: " (cell.best_peer) } { (times(cell.ratio.middle)) }
            @for contender in &grid.contenders {
                td.best[is_best(grid, cell, &contender.name)] { (cell.median(&contender.name).map_or("–".into(), figure)) }
            }
        }
    }
}

/// Returns `true` for the lowest figure among containers with the same guarantees.
fn is_best(grid: &Grid, cell: &Cell, name: &str) -> bool {
    let same_service = |role: &str| role == "subject" || role == "rival";
    let others = grid.contenders.iter().filter(|one| same_service(&one.role));
    let least = others.clone().filter_map(|one| cell.median(&one.name)).fold(f64::INFINITY, f64::min);
    others.into_iter().any(|one| one.name == name && cell.median(name) == Some(least))
}
