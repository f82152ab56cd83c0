//! `DensePool` on the whole grid, against other containers that keep their values contiguous.

use tenure::{Compact, DensePool, Handle, Layout, Wide};

use crate::cells::{self, MILLION, count_label};
use crate::contender::Role;
use crate::contenders::dense;
use crate::memory::watch;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::report::{CellReport, OperationReport, Report};
use crate::run::run;
use crate::stats::TIE;

pub fn sheet(quick: bool, rounds: usize) -> Sheet {
    let entries = dense();
    let cells = cells::choose(quick, &[]).unwrap_or_default();
    let report = Report::new(&entries, run(&cells, &entries, rounds), rounds);
    Sheet {
        title: "DensePool against its peers",
        about: format!(
            "The grid of `cargo versus`, for containers that keep their values contiguous. Medians of {rounds} \
             interleaved rounds: nanoseconds per operation, or bytes per value. Ratio: the best peer over DensePool in \
             the same round, as the median of all rounds (not the ratio of the medians). The second table is over all \
             sizes and counts."
        ),
        grids: vec![table(&report)],
        findings: findings(&report).into_iter().chain(memory(quick)).collect(),
        report: Some(report),
        ..Sheet::default()
    }
}

/// An operation is behind if its whole interval is below [`TIE`], as on the grid of `Pool`.
fn findings(report: &Report) -> Vec<Finding> {
    let operation = |row: &OperationReport| Finding::new(row.operation.name(), row.ratio, Bound::AtLeast(TIE));
    let mean = report
        .totals
        .all_timed
        .map(|ratio| Finding::new("geometric mean, all timed cells", ratio, Bound::AtLeast(1.3)));
    let rivals = (0..report.contenders.len()).filter(|&contender| report.contenders[contender].role == Role::Rival);
    let means = rivals.filter_map(|rival| {
        let what = format!("geometric mean against {}", report.contenders[rival].name);
        Some(Finding::for_information(what, report.mean_against(rival)?))
    });
    report.operations.iter().map(operation).chain(mean).chain(means).collect()
}

fn memory(quick: bool) -> [Finding; 2] {
    // The indices must fit into a compact handle.
    let count = if quick { 10_000 } else { MILLION };
    let what = |layout: &str| format!("memory per u64, {} of them, {layout} handles", count_label(count));
    [
        Finding::of_bytes(what("wide"), bytes::<Wide>(count), Bound::AtMost(24.2)),
        Finding::of_bytes(what("compact"), bytes::<Compact>(count), Bound::AtMost(20.2)),
    ]
}

fn bytes<L: Layout>(count: usize) -> f64 {
    let full = || {
        let mut pool: DensePool<u64, Handle<u64, L>> = DensePool::EMPTY;
        pool.reserve_exact(count);
        pool.extend(0..count as u64);
        pool
    };
    watch(full).live as f64 / count as f64
}

fn table(report: &Report) -> Grid {
    let header: Vec<&str> = ["ns or bytes"]
        .into_iter()
        .chain(report.contenders.iter().map(|column| column.name))
        .chain(["best peer over DensePool"])
        .collect();
    let row = |cell: &CellReport| {
        let medians = (0..report.contenders.len()).map(|contender| cell.median(contender));
        Row::new(cell.cell.label(), medians.chain([Some(cell.ratio.middle)]).collect())
    };
    Grid::new(&header, report.cells.iter().map(row).collect())
}
