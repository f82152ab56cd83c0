//! A heat map on lines of text, for programs that write and leave.

use anstyle::Ansi256Color;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::terminal::HeatMap;
use crate::paint::styled;

/// How many cells a line has: slots are easy to count off.
const COLUMNS: u16 = 64;
/// More would be more than a screen.
const MOST_ROWS: u16 = 16;

/// The lines of the map, each with the index of its first slot. With more slots than room, a cell
/// stands for several.
pub(crate) fn lines(map: HeatMap<'_>) -> Vec<(usize, String)> {
    let area = area(&map);
    let (each, slots) = (map.slots_per_cell(area), map.states.len());
    let mut buffer = Buffer::empty(area);
    map.render(area, &mut buffer);
    let cells = &buffer.content[..slots.div_ceil(each)];
    let row = |(nth, row): (usize, &[Cell])| (nth * each * usize::from(COLUMNS), text_of(row));
    cells.chunks(COLUMNS.into()).enumerate().map(row).collect()
}

/// What the signs and colours mean.
pub(crate) fn legend(map: &HeatMap<'_>) -> String {
    let line: Line<'_> = map.legend(area(map), u16::MAX);
    line.spans.iter().map(|span| in_style(span.style, &span.content)).collect()
}

/// How the map shows live slots of this colour.
pub(crate) fn sign(map: HeatMap<'_>, level: u32) -> String {
    let (sign, style) = map.live(level);
    in_style(style, &sign.to_string())
}

/// As many rows as are needed, within reason.
fn area(map: &HeatMap<'_>) -> Rect {
    let whole = Rect::new(0, 0, COLUMNS, MOST_ROWS);
    let cells = map.states.len().div_ceil(map.slots_per_cell(whole));
    let rows = cells.div_ceil(COLUMNS.into()) as u16;
    Rect { height: rows, ..whole }
}

/// Neighbours that look the same are painted at once.
fn text_of(row: &[Cell]) -> String {
    let runs = row.chunk_by(|a, b| a.style() == b.style());
    runs.map(|run| in_style(run[0].style(), &run.iter().map(Cell::symbol).collect::<String>())).collect()
}

fn in_style(style: Style, text: &str) -> String {
    let mut ansi = anstyle::Style::new();
    if let Some(Color::Indexed(colour)) = style.fg {
        ansi = ansi.fg_color(Some(Ansi256Color(colour).into()));
    }
    if style.add_modifier.contains(Modifier::DIM) {
        ansi = ansi.dimmed();
    }
    if style.add_modifier.contains(Modifier::BOLD) {
        ansi = ansi.bold();
    }
    styled(ansi, text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::SlotState::{self, Live, Vacant};
    use super::*;

    fn plain(states: &[SlotState]) -> Vec<(usize, String)> {
        let map = HeatMap { states, marked: None, colours: false };
        lines(map).into_iter().map(|(first, line)| (first, anstream::adapter::strip_str(&line).to_string())).collect()
    }

    #[test]
    fn lines_begin_with_a_slot_and_end_with_the_last_one() {
        let mut states = [Live(1); 66];
        states[65] = Vacant(1);
        assert_eq!(plain(&states), [(0, "1".repeat(64)), (64, "1·".into())]);
        assert_eq!(plain(&[]), []);
    }

    #[test]
    fn many_slots_take_no_more_than_a_screen() {
        let lines = plain(&[Live(1); 3_000]);
        assert_eq!((lines.len(), lines[1].0), (16, 192));
        assert_eq!(lines[15].1.len(), 1_000 - 15 * 64);
        let lines = plain(&[Live(1); 100_001]);
        assert_eq!((lines.len(), lines[0].1.len(), lines[1].0), (16, 64, 64 * 98));
    }

    #[test]
    fn colours_are_kept() {
        let map = HeatMap { states: &[Live(1), Live(1)], marked: None, colours: true };
        assert_eq!(lines(map)[0].1, "\u{1b}[38;5;62m■■\u{1b}[0m");
        assert!(legend(&map).contains("\u{1b}[38;5;62m■\u{1b}[0m"), "{:?}", legend(&map));
    }
}
