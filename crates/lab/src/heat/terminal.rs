//! A heat map in the terminal.

use anstyle::{Color as AnsiColor, Effects};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::look::{self, Look};
use super::{Levels, SlotState, gather};

/// The marked slot.
const MARKED: char = '◆';

/// Slots, row by row. If there are more slots than cells, a cell stands for several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeatMap<'a> {
    /// The slots.
    pub(crate) states: &'a [SlotState],
    /// A slot to mark.
    pub(crate) marked: Option<usize>,
    /// Without colours, live slots are digits.
    pub(crate) colours: bool,
}

impl HeatMap<'_> {
    /// The number of slots per cell in this area.
    pub(crate) fn slots_per_cell(&self, area: Rect) -> usize {
        self.states.len().div_ceil(area.area().max(1) as usize).max(1)
    }

    /// The meanings of the characters and colours when the map has this area. As many as fit into
    /// `width`.
    pub(crate) fn legend(&self, area: Rect, width: u16) -> Line<'static> {
        let levels = Levels::of(self.states);
        let each = self.slots_per_cell(area);
        let cell = if each == 1 { "a slot: ".into() } else { format!("{each} slots: ") };
        let mut line = Line::from(cell);
        line.extend(self.ramp(levels));
        let marked = self.marked.map(|_| (MARKED, "your handle"));
        for (sign, word) in look::MEANINGS.into_iter().chain(marked) {
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
        let looks = levels.names().map(|(level, _)| look::live(level, self.colours));
        let signs = looks.map(|look| Span::styled(look.sign.to_string(), style_of(look)));
        let first = Span::raw(format!("v{lowest} "));
        let last = (highest > lowest).then(|| Span::raw(format!(" v{highest}")));
        [first].into_iter().chain(signs).chain(last).collect()
    }
}

fn style_of(look: Look) -> Style {
    let (effects, mut style) = (look.style.get_effects(), Style::new());
    if let Some(AnsiColor::Ansi256(colour)) = look.style.get_fg_color() {
        style = style.fg(Color::Indexed(colour.0));
    }
    if effects.contains(Effects::DIMMED) {
        style = style.add_modifier(Modifier::DIM);
    }
    if effects.contains(Effects::BOLD) {
        style = style.add_modifier(Modifier::BOLD);
    }
    style
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
                _ => {
                    let look = look::cell(state, levels, self.colours);
                    (look.sign, style_of(look))
                }
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
    fn without_colours_digits_show_the_level() {
        let map = HeatMap { states: &STATES, marked: None, colours: false };
        assert_eq!(rows(map, 4, 2), ["1·?×", "71  "]);
    }

    #[test]
    fn cells_stand_for_several_slots_in_a_small_area() {
        let map = HeatMap { states: &STATES, marked: None, colours: true };
        assert_eq!(rows(map, 2, 1), ["?×"]);
        assert_eq!(map.slots_per_cell(Rect::new(0, 0, 2, 1)), 3);
        assert!(map.legend(Rect::new(0, 0, 2, 1), 30).to_string() == "3 slots: v1 ■■ v2  · vacant");
        assert_eq!(rows(map, 0, 0), Vec::<String>::new());
    }
}
