//! The display of the gallery. Draws, and changes nothing.
//!
//! Made for 80 × 24. With less room, the field is omitted first, then the table below the map
//! shares its place with the specimen, then it is omitted, too.

mod field;
mod help;
mod lower;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType};

use super::keys::KEYS;
use super::state::Gallery;
use crate::heat::terminal::HeatMap;
use crate::paint::grouped;

/// From this width on there are two panels next to each other.
const WIDE: u16 = 72;
/// From this height on there is a lower row of panels.
const HIGH: u16 = 18;
/// From this height on there is a line that explains "caught".
const TALKATIVE: u16 = 22;
/// From this height on the lower row has a curve.
const SPACIOUS: u16 = 34;
/// The height of the lower row, without and with a curve.
const LOWER: u16 = 8;
const LOWER_WITH_CURVE: u16 = 13;
/// The line of explanation.
const CAUGHT: &str = "caught: a lookup of a dead creature returned None, not the slot's new tenant";

/// Draws everything.
pub(crate) fn draw(gallery: &Gallery, colours: bool, frame: &mut Frame<'_>) {
    let paint = Paint { colours };
    let area = frame.area();
    let [head, body, keys] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(area);
    frame.render_widget(headline(gallery, head.width), head);
    frame.render_widget(keys_line(keys.width), keys);
    if gallery.shows_help() {
        help::draw(frame, body, paint);
    } else {
        draw_body(gallery, paint, frame, body, area.height);
    }
}

/// Colours, where they are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    colours: bool,
}

impl Paint {
    fn good(self) -> Style {
        self.of(Color::Green).bold()
    }

    fn bad(self) -> Style {
        self.of(Color::Red).bold()
    }

    fn of(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }
}

fn draw_body(gallery: &Gallery, paint: Paint, frame: &mut Frame<'_>, area: Rect, height: u16) {
    let lower = match height {
        SPACIOUS.. => LOWER_WITH_CURVE,
        HIGH.. => LOWER,
        _ => 0,
    };
    let talk = u16::from(height >= TALKATIVE);
    let [maps, legend, words, panels] = Layout::vertical([
        Constraint::Min(0),
        Constraint::Length(1),
        Constraint::Length(talk),
        Constraint::Length(lower),
    ])
    .areas(area);
    draw_maps(gallery, paint, frame, maps, legend);
    frame.render_widget(Line::styled(format!(" {CAUGHT}"), dim()), words);
    if lower > 0 {
        lower::draw(gallery, paint, frame, panels);
    }
}

fn draw_maps(gallery: &Gallery, paint: Paint, frame: &mut Frame<'_>, area: Rect, legend: Rect) {
    let field_width = if area.width >= WIDE { area.width * 2 / 5 } else { 0 };
    let [map, field] = Layout::horizontal([Constraint::Min(0), Constraint::Length(field_width)]).areas(area);
    if field_width > 0 {
        field::draw(gallery, paint, frame, field);
    }
    let states = gallery.slots();
    let marked = gallery.specimen().map(|(specimen, _)| specimen.handle()).filter(|handle| !handle.is_nil());
    let heat =
        HeatMap { states: &states, marked: marked.map(|handle| handle.index() as usize), colours: paint.colours };
    let panel = panel(format!(" the {} slots of the pool ", grouped(states.len() as u64)));
    let inner = panel.inner(map);
    frame.render_widget(panel, map);
    frame.render_widget(heat, inner);
    let [_, legend] = Layout::horizontal([Constraint::Length(1), Constraint::Min(0)]).areas(legend);
    frame.render_widget(heat.legend(inner, legend.width), legend);
}

/// The number of cells of the map on a screen of this size.
pub(crate) fn map_cells(width: u16, height: u16) -> usize {
    let columns = if width >= WIDE { width - width * 2 / 5 } else { width };
    let others = match height {
        SPACIOUS.. => LOWER_WITH_CURVE + 4,
        TALKATIVE.. => LOWER + 4,
        HIGH.. => LOWER + 3,
        _ => 3,
    };
    let inside = |outside: u16| usize::from(outside.saturating_sub(2));
    inside(columns) * inside(height.saturating_sub(others))
}

fn headline(gallery: &Gallery, width: u16) -> Line<'static> {
    let (step, steps) = gallery.churn_step();
    let churn = format!("churn {}{} {} %", "▰".repeat(step), "▱".repeat(steps - step), gallery.churn());
    let state = if gallery.is_running() { "▶ running" } else { "⏸ paused" };
    let right = format!("{churn}   frame {}   {state} ", grouped(u64::from(gallery.frame())));
    let titles = [" TENURE: a battle by handle and by index", " TENURE: a battle live", " TENURE", ""];
    let fits = |title: &&&str| title.chars().count() + right.chars().count() < usize::from(width);
    let title = titles.iter().find(fits).copied().unwrap_or_default();
    let gap = usize::from(width).saturating_sub(title.chars().count() + right.chars().count());
    Line::from(vec![Span::raw(title).bold(), Span::raw(" ".repeat(gap)), Span::raw(right)])
}

fn keys_line(width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    let mut room = usize::from(width);
    for (key, word) in KEYS {
        let needed = key.chars().count() + word.len() + 3;
        if needed > room {
            break;
        }
        room -= needed;
        spans.extend([Span::raw(" "), Span::raw(key).bold(), Span::styled(format!(" {word} "), dim())]);
    }
    Line::from(spans)
}

fn panel(title: impl Into<Line<'static>>) -> Block<'static> {
    Block::bordered().border_type(BorderType::Rounded).border_style(dim()).title(title)
}

fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}
