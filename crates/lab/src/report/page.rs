//! The page: the measurements as self-contained HTML.

mod battle;
mod growth;
mod memory;
mod peers;
mod sheets;
mod speed;
mod tiles;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::machine;
use super::measure::Measured;
use super::versus::Versus;
use crate::heat;

const STYLE: &str = include_str!("page.css");
const TITLE: &str = "Tenure on this machine";

/// The whole page.
pub(super) fn page(measured: &Measured, versus: &Versus) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (TITLE) }
                // Browsers request one, and log an error if there is none.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) (PreEscaped(heat::svg::STYLE)) }
            }
            body { (head(measured, versus)) main { (sections(measured, versus)) } (foot()) }
        }
    }
}

fn head(measured: &Measured, versus: &Versus) -> Markup {
    html! {
        header {
            h1 { (TITLE) }
            p { "Generational handles: keys that resolve to the value they were issued for, or to nothing. Measured on this machine: " (machine::line()) "." }
            @if measured.quick || cfg!(debug_assertions) {
                p.warning { "This was a quick run" @if cfg!(debug_assertions) { ", without optimisation" } ". The figures are not reliable." }
            }
            nav {
                a href="#battle" { "Battle" }
                a href="#memory" { "Memory maps" }
                a href="#growth" { "Growth" }
                a href="#containers" { "Containers" }
                a href="#peers" { "Peers" }
                @for part in &versus.parts { a href={ "#" (sheets::id(part)) } { (sheets::title(part)) } }
            }
            (tiles::tiles(measured))
        }
    }
}

fn sections(measured: &Measured, versus: &Versus) -> Markup {
    html! {
        (section("battle", "A battle, by index and by handle", &battle::section(measured)))
        (section("memory", "Memory maps", &memory::section(&measured.memory)))
        (section("growth", "Growth: how long one insertion takes", &growth::section(&measured.growth)))
        (section("containers", "The containers side by side", &speed::section(&measured.speed)))
        (section("peers", "Against peers", &peers::section(versus)))
        @for part in &versus.parts { (section(&sheets::id(part), sheets::title(part), &sheets::section(part))) }
    }
}

fn section(id: &str, title: &str, contents: &Markup) -> Markup {
    html! { section id=(id) { h2 { (title) } (contents) } }
}

fn foot() -> Markup {
    html! {
        footer {
            p { "Written by " code { "cargo run --release -- report" } ", Tenure " (env!("CARGO_PKG_VERSION")) "." }
        }
    }
}

/// A table whose first column has names and whose others have figures. It scrolls if it is too
/// wide.
fn table(header: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { @for name in header { th { (name) } } } }
            tbody { (rows) }
        } }
    }
}
