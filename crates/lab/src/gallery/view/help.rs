//! The page of help.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::{Paint, dim, panel};

/// What is to be seen, and what can be done.
const HELP: [(&str, &str); 8] = [
    (
        "The battle",
        "Missiles home on goblins by name. The slots of the dead go to the newborn: goblins, and chickens that nobody aims at.",
    ),
    (
        "The map",
        "A cell for every slot of the pool. Its colour is the generation: how many tenants the slot has had. A dot is vacant.",
    ),
    (
        "Stale handle caught",
        "A missile or a jar looked up the name of one who is dead. The pool said so, and did not hand out whoever lives in that slot now.",
    ),
    (
        "By index",
        "The same battle with slot numbers for names. An old number leads to the newcomer, and nothing says so.",
    ),
    ("space, s", "Pause or go on; one frame at a time."),
    ("+, −", "More or fewer missiles and foxes: how fast slots change hands."),
    ("c", "Put a handle with something wrong with it on the table, each time something else. ◆ marks its slot."),
    ("r, q", "Begin again; leave."),
];

/// Draws it instead of everything else.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, paint: Paint) {
    let lines: Vec<Line<'_>> = HELP.into_iter().map(|(what, words)| entry(what, words, paint.good())).collect();
    let page = Paragraph::new(Text::from(lines)).wrap(Wrap { trim: true });
    frame.render_widget(page.block(panel(" help: ? goes back ").title_style(dim())), area);
}

fn entry(what: &'static str, words: &'static str, style: Style) -> Line<'static> {
    Line::from(vec![Span::styled(what, style).bold(), Span::raw(": "), Span::raw(words)])
}
