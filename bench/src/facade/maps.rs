//! The grid of `cargo versus`, at two sizes, for a map of slotmap and the same map on Tenure, and
//! other methods of the map.

use super::methods;
use crate::cells;
use crate::contenders::Entry;
use crate::operation::{Operation, Unit};
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::report::{CellReport, OperationReport, Report};
use crate::run::run;

pub fn sheet(title: &'static str, entries: &[Entry], quick: bool, rounds: usize) -> Sheet {
    let cells = cells::choose(quick, &["8B,64B".into()]).unwrap_or_default();
    let report = Report::new(entries, run(&cells, entries, rounds), rounds);
    let mut sheet = Sheet {
        title,
        about: format!(
            "The grid of `cargo versus` at two sizes. Medians of {rounds} interleaved rounds: nanoseconds per operation, or \
             bytes per value. Ratio: slotmap over Tenure in the same round, so above 1 Tenure is faster, or smaller."
        ),
        grids: vec![table(&report)],
        findings: report.operations.iter().map(|row| finding(title, row)).collect(),
        report: Some(report),
        ..Sheet::default()
    };
    methods::add(&mut sheet, quick, rounds);
    sheet
}

/// Memory is shown, and not bounded.
fn finding(title: &str, row: &OperationReport) -> Finding {
    let name = row.operation.name();
    match row.operation {
        _ if row.operation.unit() == Unit::Bytes => Finding::for_information(name, row.ratio),
        Operation::IterateHalf if title == "SlotMap" => Finding::new(name, row.ratio, Bound::AtLeast(1.5)),
        _ => Finding::new(name, row.ratio, Bound::AtLeast(0.9)),
    }
}

fn table(report: &Report) -> Grid {
    let names = report.contenders.iter().map(|column| column.name);
    let header: Vec<&str> = ["ns or bytes"].into_iter().chain(names).chain(["slotmap over Tenure"]).collect();
    let row = |cell: &CellReport| {
        let medians = (0..report.contenders.len()).map(|contender| cell.median(contender));
        Row::new(cell.cell.label(), medians.chain([Some(cell.ratio.middle)]).collect())
    };
    Grid::new(&header, report.cells.iter().map(row).collect())
}
