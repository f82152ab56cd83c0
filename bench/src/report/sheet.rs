//! A sheet, the report of one subject of `--memory`, `--tables`, `--worlds` or `--saves`: tables of
//! figures, findings with their targets, and plots.

use comfy_table::TableStyle;
use serde::Serialize;

use super::curve::Curve;
use super::table::{MARKDOWN, TERMINAL, align, bare};
use super::{Report, figure_or_dash, interval, json};
use crate::machine::Machine;
use crate::stats::Ratio;

#[derive(Default, Serialize)]
pub struct Sheet {
    pub title: &'static str,
    /// What is measured, and how to read the tables.
    pub about: String,
    pub grids: Vec<Grid>,
    pub findings: Vec<Finding>,
    pub curves: Vec<Curve>,
    /// The report of the grid, if the subject runs it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "json::optional")]
    pub report: Option<Report>,
}

#[derive(Serialize)]
pub struct Grid {
    /// The first one is the header of the names of the rows.
    pub header: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Serialize)]
pub struct Row {
    pub name: String,
    pub figures: Vec<Option<f64>>,
}

/// A figure and its target, if it has one.
#[derive(Serialize)]
pub struct Finding {
    pub what: String,
    pub measured: Ratio,
    pub bound: Option<Bound>,
    unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Times,
    Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Met,
    /// The median misses the bound, but a part of the interval meets it.
    Close,
    /// The whole interval misses the bound.
    Missed,
}

impl Bound {
    fn holds(self, figure: f64) -> bool {
        match self {
            Bound::AtMost(most) => figure <= most,
            Bound::AtLeast(least) => figure >= least,
        }
    }

    fn text(self, unit: Unit) -> String {
        match self {
            Bound::AtMost(most) => format!("≤ {most}{}", unit.sign()),
            Bound::AtLeast(least) => format!("≥ {least}{}", unit.sign()),
        }
    }
}

impl Unit {
    fn sign(self) -> &'static str {
        match self {
            Unit::Times => "×",
            Unit::Bytes => " B",
        }
    }
}

impl Finding {
    pub fn new(what: impl Into<String>, measured: Ratio, bound: Bound) -> Self {
        Finding { what: what.into(), measured, bound: Some(bound), unit: Unit::Times }
    }

    /// Creates a finding without a target.
    pub fn for_information(what: impl Into<String>, measured: Ratio) -> Self {
        Finding { what: what.into(), measured, bound: None, unit: Unit::Times }
    }

    /// Creates a finding of a number of bytes.
    pub fn of_bytes(what: impl Into<String>, bytes: f64, bound: Bound) -> Self {
        Finding { unit: Unit::Bytes, ..Finding::exact(what, bytes, bound) }
    }

    /// Creates a finding of a figure that is the same in every round.
    pub fn exact(what: impl Into<String>, figure: f64, bound: Bound) -> Self {
        Finding::new(what, Ratio { middle: figure, low: figure, high: figure }, bound)
    }

    fn verdict(&self) -> Verdict {
        let Ratio { middle, low, high } = self.measured;
        match [middle, low, high].map(|figure| self.bound.is_none_or(|bound| bound.holds(figure))) {
            [true, ..] => Verdict::Met,
            [false, false, false] => Verdict::Missed,
            _ => Verdict::Close,
        }
    }

    pub fn missed(&self) -> bool {
        self.verdict() == Verdict::Missed
    }

    fn row(&self) -> Vec<String> {
        let verdict = match self.verdict() {
            _ if self.bound.is_none() => "",
            Verdict::Met => "met",
            Verdict::Close => "close",
            Verdict::Missed => "MISSED",
        };
        vec![
            self.what.clone(),
            format!("{:.2}{}", self.measured.middle, self.unit.sign()),
            interval(self.measured),
            self.bound.map_or(String::new(), |bound| bound.text(self.unit)),
            verdict.into(),
        ]
    }
}

impl Grid {
    pub fn new(header: &[&str], rows: Vec<Row>) -> Self {
        Grid { header: header.iter().map(|&name| name.to_owned()).collect(), rows }
    }

    fn text(&self, style: TableStyle) -> String {
        let mut table = bare(style, self.header.clone());
        table.add_rows(self.rows.iter().map(Row::cells));
        align(&mut table, 1..self.header.len());
        table.trim_fmt()
    }
}

impl Row {
    pub fn new(name: impl Into<String>, figures: Vec<Option<f64>>) -> Self {
        Row { name: name.into(), figures }
    }

    fn cells(&self) -> Vec<String> {
        [self.name.clone()].into_iter().chain(self.figures.iter().copied().map(figure_or_dash)).collect()
    }
}

impl Sheet {
    fn tables(&self, style: TableStyle) -> String {
        let grids = self.grids.iter().map(|grid| grid.text(style));
        let findings = (!self.findings.is_empty()).then(|| self.findings_table(style));
        grids.chain(findings).collect::<Vec<_>>().join("\n\n")
    }

    fn findings_table(&self, style: TableStyle) -> String {
        let mut table = bare(style, ["what", "ratio", "interval", "target", ""].map(str::to_owned).to_vec());
        table.add_rows(self.findings.iter().map(Finding::row));
        align(&mut table, 1..4);
        table.trim_fmt()
    }
}

/// Returns the sheets as text for the terminal.
pub fn text(sheets: &[Sheet]) -> String {
    let page = |sheet: &Sheet| format!("{}\n{}\n\n{}\n", sheet.title, sheet.about, sheet.tables(TERMINAL));
    sheets.iter().map(page).collect::<Vec<_>>().join("\n")
}

/// Returns the sheets as a Markdown page.
pub fn markdown(title: &str, machine: &Machine, sheets: &[Sheet]) -> String {
    let section = |sheet: &Sheet| format!("## {}\n\n{}\n\n{}\n", sheet.title, sheet.about, sheet.tables(MARKDOWN));
    let sections = sheets.iter().map(section).collect::<Vec<_>>().join("\n");
    format!("# {title}\n\n{}.\n\n{sections}", machine.line())
}

/// Returns the sheets as JSON, for other programs.
pub fn json(machine: &Machine, sheets: &[Sheet]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'a> {
        machine: &'a Machine,
        sheets: &'a [Sheet],
    }
    serde_json::to_string_pretty(&Document { machine, sheets })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(middle: f64, low: f64, high: f64, bound: Bound) -> Verdict {
        Finding::new("", Ratio { middle, low, high }, bound).verdict()
    }

    #[test]
    fn a_bound_is_missed_only_by_the_whole_interval() {
        assert_eq!(verdict(1.0, 0.9, 1.5, Bound::AtMost(1.2)), Verdict::Met);
        assert_eq!(verdict(1.3, 1.1, 1.5, Bound::AtMost(1.2)), Verdict::Close);
        assert_eq!(verdict(1.4, 1.3, 1.5, Bound::AtMost(1.2)), Verdict::Missed);
        assert_eq!(verdict(90.0, 80.0, 99.0, Bound::AtLeast(100.0)), Verdict::Missed);
        assert_eq!(verdict(100.0, 80.0, 120.0, Bound::AtLeast(100.0)), Verdict::Met);
    }

    #[test]
    fn pages_show_figures_and_verdicts() {
        let grid = Grid::new(
            &["container", "ns"],
            vec![Row::new("StablePool", vec![Some(1.5)]), Row::new("Vec", vec![None])],
        );
        let findings = vec![
            Finding::exact("peak", 1.25, Bound::AtMost(1.3)),
            Finding::of_bytes("memory", 24.1, Bound::AtMost(24.2)),
            Finding::for_information("iterate", Ratio { middle: 2.0, low: 1.5, high: 2.5 }),
        ];
        let sheet = Sheet { title: "Growing", grids: vec![grid], findings, ..Sheet::default() };
        let machine = Machine { cpu: "CPU".into(), os: "os".into(), rustc: "rustc".into() };
        let page = markdown("Kinds", &machine, std::slice::from_ref(&sheet));
        assert!(page.contains("## Growing") && page.contains("CPU, os, rustc."), "{page}");
        assert!(page.contains("| StablePool | 1.50 |") && page.contains("–"), "{page}");
        assert!(page.contains("≤ 1.3×") && page.contains("met"), "{page}");
        assert!(page.contains("24.10 B") && page.contains("2.00×"), "{page}");
        assert!(json(&machine, &[sheet]).unwrap().contains("\"at_most\": 1.3"));
    }
}
