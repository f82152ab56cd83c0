//! A heat map with its title and its legend, as a self-contained SVG file.

use maud::{Markup, PreEscaped, html};

use super::{Levels, SlotState, gather, svg};
use crate::paint::grouped;

/// The width of the map, and the margin around it.
const WIDTH: usize = 640;
const MARGIN: usize = 16;
/// The height of a line of text.
const LINE: usize = 20;
/// The number of lines of the title.
const HEADING: usize = 2;
/// The maximum width of a letter, and the minimum width of an entry of the legend.
const LETTER: usize = 8;
const ENTRY: usize = 128;
/// Above this number of cells, a cell stands for several slots.
const MOST_CELLS: usize = 128 * 128;

const STYLE: &str = "text { font: 13px system-ui, sans-serif; fill: #333 } .soft { fill: #666 }";

/// The whole file. The title is visible text, and the alternative text of the picture.
#[must_use]
pub fn picture(states: &[SlotState], title: &str) -> String {
    let (levels, each) = (Levels::of(states), states.len().div_ceil(MOST_CELLS).max(1));
    let map = map(&gather(states, each), levels, MARGIN + HEADING * LINE);
    let legend = legend(&svg::meanings(states, levels), map.end + LINE);
    let (width, height) = (WIDTH + 2 * MARGIN, legend.end + MARGIN);
    let file = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(title)
        {
            style { (PreEscaped(svg::STYLE)) (PreEscaped(STYLE)) }
            rect width="100%" height="100%" fill="#fff" {}
            text x=(MARGIN) y=(MARGIN + LINE / 2) { (title) }
            text.soft x=(MARGIN) y=(MARGIN + LINE / 2 + LINE) { (what_a_cell_is(each)) }
            (map.drawn)
            (legend.drawn)
        }
    };
    file.into_string()
}

/// A part of the picture.
struct Part {
    drawn: Markup,
    /// Where the next part may begin.
    end: usize,
}

fn map(cells: &[SlotState], levels: Levels, top: usize) -> Part {
    let columns = if cells.len() <= 64 * 64 { 64 } else { 128 };
    let scale = WIDTH / columns;
    let drawn = html! {
        g.heat transform={ "translate(" (MARGIN) " " (top) ") scale(" (scale) ")" } {
            @for (class, path) in svg::paths(cells, levels, columns) { path class=(class) d=(path) {} }
        }
    };
    Part { drawn, end: top + cells.len().div_ceil(columns) * scale }
}

fn legend(meanings: &[(String, String)], top: usize) -> Part {
    let per_line = entries_per_line(meanings);
    let place = |nth| (MARGIN + nth % per_line * (WIDTH / per_line), top + nth / per_line * LINE);
    let drawn = html! {
        @for (nth, (class, name)) in meanings.iter().enumerate() { (entry(place(nth), class, name)) }
    };
    Part { drawn, end: top + meanings.len().div_ceil(per_line) * LINE }
}

fn what_a_cell_is(each: usize) -> String {
    match each {
        1 => "A cell is a slot; the colour is its generation.".into(),
        _ => format!("A cell is {} slots, and shows the most notable one.", grouped(each as u64)),
    }
}

/// Generations may have many digits.
fn entries_per_line(meanings: &[(String, String)]) -> usize {
    let longest = meanings.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
    (WIDTH / ENTRY.max(2 * LINE + longest * LETTER)).max(1)
}

fn entry((x, y): (usize, usize), class: &str, name: &str) -> Markup {
    html! {
        g.heat transform={ "translate(" (x) " " (y) ") scale(12)" } { path class=(class) d=(svg::line(class, 0, 0, 1)) {} }
        text x=(x + LINE) y=(y + 11) { (name) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SlotState::{Live, Vacant};
    use super::*;

    #[test]
    fn a_picture_has_map_title_and_legend() {
        let file = picture(&[Live(1), Live(2), Vacant(1)], "a <pool>");
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && file.ends_with("</svg>"), "{file}");
        for words in ["a &lt;pool&gt;</text>", ">v1</text>", ">v2</text>", ">vacant</text>", "A cell is a slot"] {
            assert!(file.contains(words), "{words}: {file}");
        }
        assert!(!file.contains(">pending</text>"), "{file}");
    }

    #[test]
    fn many_slots_share_cells() {
        let file = picture(&[Live(1); 40_000], "many");
        assert!(file.contains("A cell is 3 slots") && file.len() < 10_000, "{} bytes", file.len());
        assert!(picture(&[], "none").contains("none</text>"));
    }
}
