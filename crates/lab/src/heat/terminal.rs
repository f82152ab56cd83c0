//! A heat map in the terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{LEVELS, Levels, SlotState, gather};

/// From cold to hot, out of the 256 colours that terminals have.
const COLOURS: [u8; LEVELS as usize] = [62, 98, 133, 168, 209, 215, 221];
/// A slot with a value.
const LIVE: char = '■';
/// A slot without one.
const VACANT: char = '·';
/// A slot whose tenant has no value.
const PENDING: char = '?';
/// A slot out of use.
const RETIRED: char = '×';
/// The slot that is pointed out.
const MARKED: char = '◆';

/// Slots, row by row. With more slots than room, a cell stands for several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeatMap<'a> {
    /// What is drawn.
    pub(crate) states: &'a [SlotState],
    /// A slot to point out.
    pub(crate) marked: Option<usize>,
    /// Without colours, live slots show a digit.
    pub(crate) colours: bool,
}

impl HeatMap<'_> {
    /// How many slots share a cell in this much room.
    pub(crate) fn slots_per_cell(&self, area: Rect) -> usize {
        self.states.len().div_ceil(area.area().max(1) as usize).max(1)
    }

    /// What the signs and colours mean when the map has this much room. Says as much as fits into
    /// `width`.
    pub(crate) fn legend(&self, area: Rect, width: u16) -> Line<'static> {
        let levels = Levels::of(self.states);
        let each = self.slots_per_cell(area);
        let cell = if each == 1 { "a slot: ".into() } else { format!("{each} slots: ") };
        let mut line = Line::from(cell);
        line.extend(self.ramp(levels));
        let marked = self.marked.map(|_| (MARKED, "your handle"));
        for (sign, word) in [(VACANT, "vacant"), (PENDING, "pending"), (RETIRED, "retired")].into_iter().chain(marked)
        {
            let next = Span::raw(format!("  {sign} {word}"));
            if line.width() + next.width() <= width.into() {
                line.push_span(next);
            }
        }
        line
    }

    /// `v1 ■■■■■■■ v40`
    fn ramp(&self, levels: Levels) -> Vec<Span<'static>> {
        let (lowest, highest) = levels.ends();
        let colours = levels.names().map(|(level, _)| self.live(level));
        let signs = colours.map(|(sign, style)| Span::styled(sign.to_string(), style));
        let first = Span::raw(format!("v{lowest} "));
        let last = (highest > lowest).then(|| Span::raw(format!(" v{highest}")));
        [first].into_iter().chain(signs).chain(last).collect()
    }

    /// The sign of live slots of this colour.
    pub(super) fn live(&self, level: u32) -> (char, Style) {
        if self.colours {
            return (LIVE, Style::new().fg(Color::Indexed(COLOURS[level as usize])));
        }
        (char::from_digit(level + 1, 10).unwrap_or(LIVE), Style::new())
    }

    fn cell(&self, state: SlotState, levels: Levels) -> (char, Style) {
        match state {
            SlotState::Live(generation) => self.live(levels.level(generation)),
            SlotState::Vacant(_) => (VACANT, Style::new().add_modifier(Modifier::DIM)),
            SlotState::Pending(_) => (PENDING, Style::new().add_modifier(Modifier::BOLD)),
            SlotState::Retired(_) => (RETIRED, Style::new().add_modifier(Modifier::BOLD)),
        }
    }
}

impl Widget for HeatMap<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (levels, each) = (Levels::of(self.states), self.slots_per_cell(area));
        let marked = self.marked.map(|slot| slot / each);
        for (place, (nth, state)) in area.positions().zip(gather(self.states, each).into_iter().enumerate()) {
            let (sign, style) = match marked {
                Some(marked) if marked == nth => {
                    (MARKED, Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED))
                }
                _ => self.cell(state, levels),
            };
            buffer[place].set_char(sign).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Retired, Vacant};
    use super::*;

    fn rows(map: HeatMap<'_>, width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        map.render(area, &mut buffer);
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    const STATES: [SlotState; 6] = [Live(1), Vacant(1), Pending(1), Retired(9), Live(2), Live(1)];

    #[test]
    fn each_kind_of_slot_has_a_sign() {
        let map = HeatMap { states: &STATES, marked: Some(5), colours: true };
        assert_eq!(rows(map, 4, 2), ["■·?×", "■◆  "]);
    }

    #[test]
    fn without_colours_digits_say_how_hot() {
        let map = HeatMap { states: &STATES, marked: None, colours: false };
        assert_eq!(rows(map, 4, 2), ["1·?×", "71  "]);
    }

    #[test]
    fn cells_stand_for_several_slots_where_room_is_short() {
        let map = HeatMap { states: &STATES, marked: None, colours: true };
        assert_eq!(rows(map, 2, 1), ["?×"]);
        assert_eq!(map.slots_per_cell(Rect::new(0, 0, 2, 1)), 3);
        assert!(map.legend(Rect::new(0, 0, 2, 1), 30).to_string() == "3 slots: v1 ■■ v2  · vacant");
        assert_eq!(rows(map, 0, 0), Vec::<String>::new());
    }
}
