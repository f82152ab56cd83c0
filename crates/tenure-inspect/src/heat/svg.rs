//! A heat map as SVG, and its legend as HTML.
//!
//! Neighbours of one kind are one dashed line, with a dash for each: a map of 16,000 slots takes a
//! few kilobytes.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, html};

use super::{Levels, SlotState};

/// The colours. A page with heat maps includes this in its style sheet.
pub const STYLE: &str = include_str!("heat.css");

/// The slots in rows of `columns` cells. `title` is the alternative text. Several maps may share
/// levels and legend.
#[must_use]
pub fn map(states: &[SlotState], levels: Levels, columns: usize, title: &str) -> Markup {
    let columns = columns.max(1);
    let rows = states.len().div_ceil(columns);
    html! {
        svg.heat viewBox={ "0 0 " (columns) " " (rows) } role="img" aria-label=(title) {
            @for (class, path) in paths(states, levels, columns) { path class=(class) d=(path) {} }
        }
    }
}

/// The meanings of the colours of [`map`].
#[must_use]
pub fn legend(states: &[SlotState], levels: Levels) -> Markup {
    html! {
        ul.legend {
            @for (class, name) in meanings(states, levels) { li { (sample(&class)) (name) } }
        }
    }
}

/// The classes of slots like these, and their meanings.
pub(super) fn meanings(states: &[SlotState], levels: Levels) -> Vec<(String, String)> {
    let present = |kind: fn(&SlotState) -> bool| states.iter().any(kind);
    let others = [
        ("free", "vacant", present(|state| matches!(state, SlotState::Vacant(_)))),
        ("pending", "pending", present(|state| matches!(state, SlotState::Pending(_)))),
        ("retired", "retired", present(|state| matches!(state, SlotState::Retired(_)))),
    ];
    let others = others.into_iter().filter(|other| other.2).map(|(class, name, _)| (class.into(), name.into()));
    levels.names().map(|(level, name)| (format!("heat-{level}"), name)).chain(others).collect()
}

fn sample(class: &str) -> Markup {
    html! { svg.heat.sample viewBox="0 0 1 1" aria-hidden="true" { path class=(class) d=(line(class, 0, 0, 1)) {} } }
}

/// One path for each class.
pub(super) fn paths(states: &[SlotState], levels: Levels, columns: usize) -> BTreeMap<String, String> {
    let mut paths = BTreeMap::<String, String>::new();
    for (y, row) in states.chunks(columns).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| class(*a, levels) == class(*b, levels)) {
            let class = class(run[0], levels);
            let line = line(&class, x, y, run.len());
            paths.entry(class).or_default().push_str(&line);
            x += run.len();
        }
    }
    paths
}

fn class(state: SlotState, levels: Levels) -> String {
    match state {
        SlotState::Live(generation) => format!("heat-{}", levels.level(generation)),
        SlotState::Vacant(_) => "free".into(),
        SlotState::Pending(_) => "pending".into(),
        SlotState::Retired(_) => "retired".into(),
    }
}

/// A line whose dashes, as defined by the style sheet, are centred in their cells.
pub(super) fn line(class: &str, x: usize, y: usize, cells: usize) -> String {
    let inset = if class == "free" { "35" } else { "07" };
    let mut line = String::new();
    // Writing into a string cannot fail.
    let _ = write!(line, "M{x}.{inset} {y}.5h{cells}");
    line
}

#[cfg(test)]
mod tests {
    use super::SlotState::{Live, Pending, Vacant};
    use super::*;

    #[test]
    fn neighbours_of_one_kind_are_one_line() {
        let states = [Live(1), Live(1), Live(1), Live(2), Vacant(1), Vacant(2)];
        let paths = paths(&states, Levels::of(&states), 4);
        assert_eq!(paths["heat-0"], "M0.07 0.5h3");
        assert_eq!(paths["heat-6"], "M3.07 0.5h1");
        assert_eq!(paths["free"], "M0.35 1.5h2");
    }

    #[test]
    fn the_map_has_a_view_box_and_a_title() {
        let states = [Live(1), Pending(1), Live(1)];
        let svg = map(&states, Levels::of(&states), 2, "three slots").into_string();
        assert!(svg.contains(r#"viewBox="0 0 2 2""#) && svg.contains(r#"aria-label="three slots""#), "{svg}");
        let legend = legend(&states, Levels::of(&states)).into_string();
        assert!(legend.contains("v1") && legend.contains("pending") && !legend.contains("retired"), "{legend}");
    }
}
