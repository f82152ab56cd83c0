//! The field: the positions of creatures and missiles.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::canvas::{Canvas, Points};

use super::{Paint, dim, panel};
use crate::battle::{FIELD, Kind};
use crate::gallery::state::Gallery;

const GOBLINS: Color = Color::Green;
const CHICKENS: Color = Color::Yellow;
const MISSILES: Color = Color::Red;

/// A dot for every creature and missile.
pub(super) fn draw(gallery: &Gallery, paint: Paint, frame: &mut Frame<'_>, area: Rect) {
    let end = f64::from(FIELD);
    let [goblins, chickens] = [Kind::Goblin, Kind::Chicken].map(|kind| places(gallery, kind));
    let missiles: Vec<_> = gallery.battle().by_handle.missiles().map(|at| (at.x.into(), at.y.into())).collect();
    let colour = |colour| if paint.colours { colour } else { Color::Reset };
    let canvas = Canvas::default()
        .block(panel(title(paint)))
        .marker(Marker::Braille)
        .x_bounds([0.0, end])
        .y_bounds([0.0, end]);
    frame.render_widget(
        canvas.paint(|field| {
            for (coords, shade) in [(&missiles, MISSILES), (&goblins, GOBLINS), (&chickens, CHICKENS)] {
                field.draw(&Points { coords, color: colour(shade) });
                field.layer();
            }
        }),
        area,
    );
}

fn places(gallery: &Gallery, kind: Kind) -> Vec<(f64, f64)> {
    let of_kind = gallery.creatures().filter(|creature| creature.kind == kind);
    of_kind.map(|creature| (creature.at.x.into(), creature.at.y.into())).collect()
}

fn title(paint: Paint) -> Line<'static> {
    let word = |colour, word| [Span::styled("●", paint.of(colour)), Span::styled(word, dim())];
    let words = [word(GOBLINS, "goblins "), word(CHICKENS, "chickens "), word(MISSILES, "missiles ")];
    Line::from([Span::raw(" ")].into_iter().chain(words.into_iter().flatten()).collect::<Vec<_>>())
}
