//! A heat map on lines of text, for programs without a live display.

use super::look::{self, Look};
use super::{Levels, SlotState, gather};
use crate::paint::styled;

/// The number of cells per line, which makes slots easy to count.
const COLUMNS: usize = 64;
/// More lines would not fit a screen.
const MOST_ROWS: usize = 16;

/// Slots, and whether they are drawn with colours.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// The slots.
    pub states: &'a [SlotState],
    /// Without colours, live slots are digits.
    pub colours: bool,
}

impl Map<'_> {
    /// The lines of the map, each with the index of its first slot. If there are more slots than
    /// cells, a cell stands for several.
    #[must_use]
    pub fn lines(self) -> Vec<(usize, String)> {
        let (levels, each) = (Levels::of(self.states), self.slots_per_cell());
        let cells = gather(self.states, each);
        let looks: Vec<_> = cells.into_iter().map(|state| look::cell(state, levels, self.colours)).collect();
        let rows = looks.chunks(COLUMNS).enumerate();
        rows.map(|(nth, row)| (nth * each * COLUMNS, text_of(row))).collect()
    }

    /// The meanings of the characters and colours.
    #[must_use]
    pub fn legend(self) -> String {
        let levels = Levels::of(self.states);
        let (lowest, highest) = levels.ends();
        let each = self.slots_per_cell();
        let cell = if each == 1 { "a slot".into() } else { format!("{each} slots") };
        let ramp: String = levels.names().map(|(level, _)| self.sign(level)).collect();
        let last = if highest > lowest { format!(" v{highest}") } else { String::new() };
        let others: String = look::MEANINGS.iter().map(|(sign, word)| format!("  {sign} {word}")).collect();
        format!("{cell}: v{lowest} {ramp}{last}{others}")
    }

    /// The character of live slots of this level.
    #[must_use]
    pub fn sign(self, level: u32) -> String {
        text_of(&[look::live(level, self.colours)])
    }

    fn slots_per_cell(self) -> usize {
        self.states.len().div_ceil(COLUMNS * MOST_ROWS).max(1)
    }
}

/// Neighbours with the same style are painted together.
fn text_of(row: &[Look]) -> String {
    let runs = row.chunk_by(|a, b| a.style == b.style);
    runs.map(|run| styled(run[0].style, run.iter().map(|look| look.sign).collect::<String>()).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;

    fn plain(states: &[SlotState]) -> Vec<(usize, String)> {
        let lines = Map { states, colours: false }.lines();
        lines.into_iter().map(|(first, line)| (first, anstream::adapter::strip_str(&line).to_string())).collect()
    }

    #[test]
    fn lines_start_at_a_slot_and_the_last_one_ends_at_the_last_slot() {
        let mut states = [Live(1); 67];
        states[65..].copy_from_slice(&[Vacant(1), Live(2)]);
        assert_eq!(plain(&states), [(0, "1".repeat(64)), (64, "1·7".into())]);
        assert_eq!(plain(&[Pending(1), Retired(9)]), [(0, "?×".into())]);
        assert_eq!(plain(&[]), []);
    }

    #[test]
    fn many_slots_fit_a_screen() {
        let lines = plain(&[Live(1); 3_000]);
        assert_eq!((lines.len(), lines[1].0), (16, 192));
        assert_eq!(lines[15].1.len(), 1_000 - 15 * 64);
        let lines = plain(&[Live(1); 100_001]);
        assert_eq!((lines.len(), lines[0].1.len(), lines[1].0), (16, 64, 64 * 98));
    }

    #[test]
    fn colours_are_kept() {
        let map = Map { states: &[Live(1), Live(1)], colours: true };
        assert_eq!(map.lines()[0].1, "\u{1b}[38;5;62m■■\u{1b}[0m");
        assert!(map.legend().contains("\u{1b}[38;5;62m■\u{1b}[0m"), "{:?}", map.legend());
    }

    #[test]
    fn the_legend_fits_into_a_terminal() {
        let states = [Live(1), Live(1_000_000), Vacant(0), Pending(3), Retired(1)].repeat(100_000);
        let legend = Map { states: &states, colours: false }.legend();
        let legend = anstream::adapter::strip_str(&legend).to_string();
        assert!(legend.chars().count() <= 66, "{legend}");
        assert!(legend.starts_with("489 slots: v1 12") || legend.contains("v1000000"), "{legend}");
    }
}
