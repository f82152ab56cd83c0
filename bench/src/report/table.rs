//! The report as text tables, for the terminal and for Markdown.

use comfy_table::{CellAlignment, Table, TableStyle, presets};

use super::{CellReport, OperationReport, Report, figure_or_dash, interval, times};
use crate::cells::count_label;
use crate::operation::Unit;
use crate::stats::Ratio;

pub const TERMINAL: TableStyle = presets::NOTHING;
pub const MARKDOWN: TableStyle = presets::ASCII_MARKDOWN;

/// Returns the whole report as text for the terminal.
pub fn text(report: &Report) -> String {
    format!(
        "{}\n{}\n\n{}\n\n{}\n\n{}\n",
        report.machine.line(),
        reading(report),
        cells(report, TERMINAL).trim_fmt(),
        operations(report, TERMINAL).trim_fmt(),
        totals(report, TERMINAL).trim_fmt()
    )
}

/// Returns the explanation of the tables.
pub fn reading(report: &Report) -> String {
    format!(
        "Medians of {} rounds: nanoseconds per operation, or bytes per value. Ratio: the best peer over {subject} in the \
         same round, as the median of all rounds (not the ratio of the medians), with its 90 % interval; above 1, \
         {subject} is faster or smaller.",
        report.rounds,
        subject = report.subject()
    )
}

/// Returns the table of cells, one per row.
pub fn cells(report: &Report, style: TableStyle) -> Table {
    let names = report.contenders.iter().map(|column| column.name);
    let header = ["operation", "size", "count"].into_iter().chain(names).chain(["ratio", "90 %", "best peer", ""]);
    let mut table = bare(style, header.map(str::to_owned).collect());
    table.add_rows(report.cells.iter().map(|cell| cell_row(report, cell)));
    align(&mut table, 1..report.contenders.len() + 5);
    table
}

fn cell_row(report: &Report, row: &CellReport) -> Vec<String> {
    let cell = row.cell;
    let mut columns = vec![cell.operation.name().to_owned(), cell.size.label(), count_label(cell.count)];
    columns.extend((0..report.contenders.len()).map(|contender| figure_or_dash(row.median(contender))));
    columns.extend([times(row.ratio.middle), interval(row.ratio), report.best_name(row).to_owned(), mark(row.ratio)]);
    columns
}

/// Returns the table of operations, one per row.
pub fn operations(report: &Report, style: TableStyle) -> Table {
    let header = ["operation", "ratio", "90 %", "cells", "cells behind", "", "what"];
    let mut table = bare(style, header.map(str::to_owned).to_vec());
    table.add_rows(report.operations.iter().map(operation_row));
    align(&mut table, 1..5);
    table
}

fn operation_row(row: &OperationReport) -> Vec<String> {
    let unit = if row.operation.unit() == Unit::Bytes { "bytes: " } else { "" };
    vec![
        row.operation.name().to_owned(),
        times(row.ratio.middle),
        interval(row.ratio),
        row.cells.to_string(),
        row.cells_behind.to_string(),
        mark(row.ratio),
        format!("{unit}{}", row.operation.about()),
    ]
}

/// Returns the summary of the run.
pub fn totals(report: &Report, style: TableStyle) -> Table {
    let totals = &report.totals;
    let behind: Vec<_> = report.operations_behind().map(|row| row.operation.name()).collect();
    let behind = if behind.is_empty() { "none".to_owned() } else { behind.join(", ") };
    let slotmap = totals.sparse_iteration_against_slotmap.map_or("not measured".to_owned(), times);
    let mut table = bare(style, vec!["summary".into(), "ratio".into()]);
    table.add_row(["geometric mean, cells without holes", &mean(totals.without_holes)]);
    table.add_row(["geometric mean, all timed cells", &mean(totals.all_timed)]);
    table.add_row(["lowest against SlotMap, iterate 1% live of 1M", &slotmap]);
    table.add_row(["operations behind", &behind]);
    table
}

fn mean(ratio: Option<Ratio>) -> String {
    ratio.map_or("not measured".into(), |ratio| format!("{} ({})", times(ratio.middle), interval(ratio)))
}

fn mark(ratio: Ratio) -> String {
    if ratio.behind() { "BEHIND".into() } else { String::new() }
}

/// Returns a table that has only a header.
pub fn bare(style: TableStyle, header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(style).set_header(header);
    table
}

pub fn align(table: &mut Table, right: std::ops::Range<usize>) {
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
