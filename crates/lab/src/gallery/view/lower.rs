//! Below the map: the counts, and the specimen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Sparkline, Wrap};
use tenure::Status;

use super::{LOWER, Paint, WIDE, dim, panel};
use crate::gallery::specimen::{Diagnosis, Specimen};
use crate::gallery::state::Gallery;
use crate::paint::grouped;

/// Both next to each other, or the more important one.
pub(super) fn draw(gallery: &Gallery, paint: Paint, frame: &mut Frame<'_>, area: Rect) {
    let specimen = gallery.specimen();
    if area.width >= WIDE {
        let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(area);
        draw_counters(gallery, paint, frame, left);
        draw_specimen(specimen, paint, frame, right);
    } else if specimen.is_some() {
        draw_specimen(specimen, paint, frame, area);
    } else {
        draw_counters(gallery, paint, frame, area);
    }
}

fn draw_counters(gallery: &Gallery, paint: Paint, frame: &mut Frame<'_>, area: Rect) {
    let panel = panel(" counted so far ");
    let inner = panel.inner(area);
    frame.render_widget(panel, area);
    let [table, words, curve] =
        Layout::vertical([Constraint::Length(LOWER - 2), Constraint::Max(1), Constraint::Fill(1)]).areas(inner);
    frame.render_widget(Paragraph::new(counters(gallery, paint)), table);
    if curve.height > 0 {
        let recent = gallery.caught();
        let shown = &recent[recent.len().saturating_sub(curve.width.into())..];
        frame.render_widget(Line::styled("caught by handle, frame by frame", dim()), words);
        frame.render_widget(Sparkline::default().data(shown).style(paint.good()), curve);
    }
}

fn counters(gallery: &Gallery, paint: Paint) -> Vec<Line<'static>> {
    let (index, handle) = (gallery.battle().by_index.referee().total(), gallery.battle().by_handle.referee().total());
    let plain = |_| Style::new();
    let wrong = |count| if count == 0 { paint.good() } else { paint.bad() };
    let head = format!("{:20}{:>8}{:>10}", "", "by index", "by handle");
    vec![
        Line::from(head).style(dim()),
        row("spawned", [index.spawned, handle.spawned], plain),
        row("died", [index.fell, handle.fell], plain),
        row("stale handles caught", [index.caught, handle.caught], plain),
        row("wrong creature found", [index.misled, handle.misled], wrong),
        row("missiles hit wrongly", [index.wrong_hits, handle.wrong_hits], wrong),
    ]
}

fn row(words: &'static str, [index, handle]: [u64; 2], style: impl Fn(u64) -> Style) -> Line<'static> {
    Line::from(vec![
        Span::raw(format!("{words:20}")),
        Span::styled(format!("{:>8}", short(index)), style(index)),
        Span::styled(format!("{:>10}", short(handle)), style(handle)),
    ])
}

/// At most seven characters, for a year or so.
fn short(count: u64) -> String {
    if count < 1_000_000 { grouped(count) } else { format!("{:.2}M", count as f64 / 1e6) }
}

fn draw_specimen(specimen: Option<(Specimen, Diagnosis)>, paint: Paint, frame: &mut Frame<'_>, area: Rect) {
    let lines = match specimen {
        Some((specimen, diagnosis)) => described(&specimen, diagnosis, paint),
        None => vec![
            Line::from(vec![Span::raw("Press "), Span::raw("c").bold(), Span::raw(" to corrupt a handle, and")]),
            Line::raw("show what the pool reports."),
            Line::raw(""),
            Line::styled("A handle is an index and a generation:", dim()),
            Line::styled("17v3 is the third tenant of slot 17.", dim()),
        ],
    };
    let title = if specimen.is_some() { " a handle, and the pool's diagnosis " } else { " a handle on the table " };
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }).block(panel(title)), area);
}

fn described(specimen: &Specimen, diagnosis: Diagnosis, paint: Paint) -> Vec<Line<'static>> {
    let style = if diagnosis.status == Status::Live { Style::new() } else { paint.good() };
    let error = diagnosis.error.map_or("resolves to its own creature".into(), |error| error.to_string());
    vec![
        Line::from(specimen.trick.words()).bold(),
        pair("bits", format!("{:#018x}", specimen.bits), Style::new()),
        pair("status", format!("{:?}", diagnosis.status), style),
        pair("error", error, style),
        pair("by index", diagnosis.by_index.words(), Style::new()),
    ]
}

fn pair(name: &'static str, text: String, style: Style) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name} "), dim()), Span::styled(text, style)])
}
