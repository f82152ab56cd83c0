//! The report as JSON, with every round of every contender, for other programs.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{CellReport, Column, OperationReport, Report, Totals};
use crate::machine::Machine;
use crate::operation::Unit;
use crate::stats::Ratio;

#[derive(Serialize)]
struct Document<'a> {
    machine: &'a Machine,
    rounds: usize,
    contenders: &'a [Column],
    totals: &'a Totals,
    operations: Vec<OperationEntry>,
    cells: Vec<CellEntry<'a>>,
}

#[derive(Serialize)]
struct OperationEntry {
    operation: &'static str,
    about: &'static str,
    ratio: Ratio,
    behind: bool,
    cells: usize,
    cells_behind: usize,
}

#[derive(Serialize)]
struct CellEntry<'a> {
    operation: &'static str,
    unit: Unit,
    bytes: usize,
    count: usize,
    best_peer: &'static str,
    ratio: Ratio,
    behind: bool,
    figures: BTreeMap<&'static str, Figures<'a>>,
}

#[derive(Serialize)]
struct Figures<'a> {
    median: f64,
    rounds: &'a [f64],
}

pub fn document(report: &Report) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&contents(report))
}

/// Serializes a report that is a part of another document.
pub fn optional<S: Serializer>(report: &Option<Report>, serializer: S) -> Result<S::Ok, S::Error> {
    report.as_ref().map(contents).serialize(serializer)
}

fn contents(report: &Report) -> Document<'_> {
    Document {
        machine: &report.machine,
        rounds: report.rounds,
        contenders: &report.contenders,
        totals: &report.totals,
        operations: report.operations.iter().map(operation).collect(),
        cells: report.cells.iter().map(|row| cell(report, row)).collect(),
    }
}

fn operation(row: &OperationReport) -> OperationEntry {
    OperationEntry {
        operation: row.operation.name(),
        about: row.operation.about(),
        ratio: row.ratio,
        behind: row.ratio.behind(),
        cells: row.cells,
        cells_behind: row.cells_behind,
    }
}

fn cell<'a>(report: &'a Report, row: &'a CellReport) -> CellEntry<'a> {
    CellEntry {
        operation: row.cell.operation.name(),
        unit: row.cell.operation.unit(),
        bytes: row.cell.size.bytes(),
        count: row.cell.count,
        best_peer: report.best_name(row),
        ratio: row.ratio,
        behind: row.ratio.behind(),
        figures: figures(report, row),
    }
}

fn figures<'a>(report: &'a Report, row: &'a CellReport) -> BTreeMap<&'static str, Figures<'a>> {
    let named = report.contenders.iter().zip(&row.figures).enumerate();
    named
        .filter_map(|(index, (column, rounds))| Some((column.name, Figures { median: row.median(index)?, rounds })))
        .collect()
}
