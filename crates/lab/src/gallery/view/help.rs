//! The page of help.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::{Paint, dim, panel};

/// The panels and the keys.
const HELP: [(&str, &str); 8] = [
    (
        "The battle",
        "Missiles home on goblins. New creatures reuse the slots of dead ones: goblins, and chickens, which are never targets.",
    ),
    (
        "The map",
        "A cell for every slot of the pool. Its colour is the generation: the number of tenants so far. A dot is vacant.",
    ),
    (
        "Stale handle caught",
        "A missile or a jar looked up the handle of a dead creature. The pool returned None, and not the creature that has the slot now.",
    ),
    (
        "By index",
        "The same battle with slot numbers. An old number resolves to the slot's new creature, without any error.",
    ),
    ("space, s", "Pause or resume; one frame at a time."),
    ("+, −", "More or fewer missiles and foxes: how fast slots are reused."),
    ("c", "Show an invalid handle, each time of another kind. ◆ marks its slot."),
    ("r, q", "Restart; quit."),
];

/// Draws the page instead of everything else.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, paint: Paint) {
    let lines: Vec<Line<'_>> = HELP.into_iter().map(|(what, words)| entry(what, words, paint.good())).collect();
    let page = Paragraph::new(Text::from(lines)).wrap(Wrap { trim: true });
    frame.render_widget(page.block(panel(" help: ? goes back ").title_style(dim())), area);
}

fn entry(what: &'static str, words: &'static str, style: Style) -> Line<'static> {
    Line::from(vec![Span::styled(what, style).bold(), Span::raw(": "), Span::raw(words)])
}
