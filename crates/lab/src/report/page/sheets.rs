//! The other parts of `cargo versus`: kinds of memory, tables, worlds.

use maud::{Markup, html};

use super::{peers, table};
use crate::report::figures::{figure, plain, times};
use crate::report::plot::{self, plot};
use crate::report::versus::{Bound, Curve, Finding, Part, Sheet, Table, Unit};

/// The anchor of a part.
pub(super) fn id(part: &Part) -> String {
    format!("versus-{}", part.name)
}

/// The title of a part.
pub(super) fn title(part: &Part) -> &str {
    match part.name.as_str() {
        "memory" => "Kinds of memory",
        "tables" => "Tables",
        "worlds" => "Worlds",
        other => other,
    }
}

pub(super) fn section(part: &Part) -> Markup {
    html! {
        @if let Some(machine) = &part.machine { p { (machine.line()) "." } }
        @for sheet in &part.sheets {
            details.sheet { summary { strong { (sheet.title) } (tally(&sheet.findings)) } (subject(sheet)) }
        }
    }
}

/// The number of targets that are met.
fn tally(findings: &[Finding]) -> Markup {
    let count = |wanted: Verdict| findings.iter().filter(|finding| Verdict::of(finding) == wanted).count();
    html! {
        @for verdict in [Verdict::Met, Verdict::Close, Verdict::Missed] {
            @let number = count(verdict);
            @if number > 0 { " " span class=(verdict.class()) { (number) " " (verdict.word()) } }
        }
    }
}

fn subject(sheet: &Sheet) -> Markup {
    html! {
        p { (with_code(&sheet.about)) }
        @if !sheet.findings.is_empty() { (findings(&sheet.findings)) }
        @if !sheet.curves.is_empty() { div.pair { @for curve in &sheet.curves { (drawn(curve)) } } }
        // A report has the figures of the tables, and more.
        @match &sheet.report {
            Some(report) => (peers::compared(report)),
            None => @for grid in &sheet.grids { (figures(grid)) },
        }
    }
}

/// Text between backticks is code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (nth, piece) in text.split('`').enumerate() {
            @if nth % 2 == 1 { code { (piece) } } @else { (piece) }
        }
    }
}

fn drawn(curve: &Curve) -> Markup {
    let lines: Vec<_> =
        curve.lines.iter().map(|line| plot::Line { name: &line.name, points: &line.points }).collect();
    plot(&curve.title, &curve.unit, &lines, plain)
}

fn figures(grid: &Table) -> Markup {
    let header: Vec<&str> = grid.header.iter().map(String::as_str).collect();
    table(
        &header,
        &html! {
            @for row in &grid.rows {
                tr { th { (row.name) } @for &value in &row.figures { td { (value.map_or("–".into(), figure)) } } }
            }
        },
    )
}

fn findings(findings: &[Finding]) -> Markup {
    table(
        &["", "measured", "90 %", "target", ""],
        &html! {
            @for finding in findings {
                @let verdict = Verdict::of(finding);
                tr {
                    th { (finding.what) }
                    td { (with_unit(finding.measured.middle, finding.unit)) }
                    td.unit { (figure(finding.measured.low)) "–" (figure(finding.measured.high)) }
                    td { (finding.bound.map_or(String::new(), |bound| target(bound, finding.unit))) }
                    td class=(verdict.class()) { (verdict.word()) }
                }
            }
        },
    )
}

fn with_unit(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Times => times(number),
        Unit::Bytes => format!("{} B", figure(number)),
    }
}

fn target(bound: Bound, unit: Unit) -> String {
    match bound {
        Bound::AtMost(most) => format!("≤ {}", with_unit(most, unit)),
        Bound::AtLeast(least) => format!("≥ {}", with_unit(least, unit)),
    }
}

/// Whether a finding meets its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is no target.
    None,
    Met,
    /// The middle is beyond the bound, and the interval is not.
    Close,
    Missed,
}

impl Verdict {
    fn of(finding: &Finding) -> Self {
        let Some(bound) = finding.bound else { return Self::None };
        let measured = finding.measured;
        match [measured.middle, measured.low, measured.high].map(|figure| bound.holds(figure)) {
            [true, ..] => Self::Met,
            [false, false, false] => Self::Missed,
            _ => Self::Close,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Met => "met",
            Self::Close => "close",
            Self::Missed => "missed",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::None | Self::Close => "unit",
            Self::Met => "good",
            Self::Missed => "bad",
        }
    }
}
