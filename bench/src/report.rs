//! The report: computed from the figures here, and formatted by the files in `report/`.

pub mod curve;
pub mod json;
pub mod markdown;
pub mod plot;
pub mod readme;
pub mod sheet;
pub mod table;

use crate::cells::{Cell, MILLION, Size};
use crate::contender::Role;
use crate::contenders::Entry;
use crate::machine::Machine;
use crate::operation::{self, Operation, Unit};
use crate::run::Measured;
use crate::stats::{Ratio, median};

pub struct Report {
    pub machine: Machine,
    pub rounds: usize,
    pub contenders: Vec<Column>,
    pub cells: Vec<CellReport>,
    pub operations: Vec<OperationReport>,
    pub totals: Totals,
}

/// A contender, as a column of the report.
#[derive(Clone, serde::Serialize)]
pub struct Column {
    pub name: &'static str,
    pub role: Role,
}

pub struct CellReport {
    pub cell: Cell,
    /// The figures of all rounds, per contender. Empty if it does not support the operation.
    pub figures: Vec<Vec<f64>>,
    /// The rival with the lowest median.
    pub best: usize,
    /// The figure of that rival divided by the figure of the subject, per round.
    pub rounds: Vec<f64>,
    pub ratio: Ratio,
}

/// The ratio of an operation over all its cells.
pub struct OperationReport {
    pub operation: Operation,
    pub ratio: Ratio,
    pub cells: usize,
    pub cells_behind: usize,
}

/// The summary of a run. `None` where no such cell was run.
#[derive(serde::Serialize)]
pub struct Totals {
    /// Geometric mean of the timed cells that remove nothing.
    pub without_holes: Option<Ratio>,
    /// Geometric mean of all timed cells.
    pub all_timed: Option<Ratio>,
    /// The lowest ratio to `SlotMap`, over all sizes, of iterating with 1 % live of a million.
    pub sparse_iteration_against_slotmap: Option<f64>,
}

impl Report {
    pub fn new(entries: &[Entry], measured: Vec<Measured>, rounds: usize) -> Self {
        let contenders: Vec<Column> = entries.iter().map(|e| Column { name: e.name, role: e.role }).collect();
        let cells: Vec<CellReport> = measured.into_iter().map(|m| CellReport::new(&contenders, m)).collect();
        let operations = operation::ALL.into_iter().filter_map(|op| OperationReport::new(op, &cells)).collect();
        let totals = Totals::new(&contenders, &cells);
        Report { machine: Machine::this(), rounds, contenders, cells, operations, totals }
    }

    pub fn cell(&self, cell: Cell) -> Option<&CellReport> {
        self.cells.iter().find(|report| report.cell == cell)
    }

    pub fn operations_behind(&self) -> impl Iterator<Item = &OperationReport> {
        self.operations.iter().filter(|operation| operation.ratio.behind())
    }

    /// Returns the geometric mean of all timed cells against one contender.
    pub fn mean_against(&self, contender: usize) -> Option<Ratio> {
        let ours = subject(&self.contenders);
        let timed = self.cells.iter().filter(|report| report.cell.operation.unit() == Unit::Nanoseconds);
        let rounds: Vec<Vec<f64>> = timed.map(|cell| ratios(&cell.figures[contender], &cell.figures[ours])).collect();
        Ratio::of_cells(&rounds.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Returns the name of the contender that the ratios compare with the others.
    pub fn subject(&self) -> &'static str {
        self.contenders[subject(&self.contenders)].name
    }

    pub fn best_name(&self, cell: &CellReport) -> &'static str {
        self.contenders[cell.best].name
    }
}

impl CellReport {
    fn new(contenders: &[Column], measured: Measured) -> Self {
        let Measured { cell, figures } = measured;
        let best = best_rival(contenders, cell.operation, &figures);
        let rounds = ratios(&figures[best], &figures[subject(contenders)]);
        let ratio = Ratio::of_rounds(&rounds);
        CellReport { cell, figures, best, rounds, ratio }
    }

    /// Returns the median of a contender. `None` if it does not support the operation.
    pub fn median(&self, contender: usize) -> Option<f64> {
        let figures = &self.figures[contender];
        (!figures.is_empty()).then(|| median(figures))
    }
}

impl OperationReport {
    fn new(operation: Operation, all: &[CellReport]) -> Option<Self> {
        let cells: Vec<&CellReport> = all.iter().filter(|report| report.cell.operation == operation).collect();
        let ratio = over(cells.iter().copied())?;
        let cells_behind = cells.iter().filter(|report| report.ratio.behind()).count();
        Some(OperationReport { operation, ratio, cells: cells.len(), cells_behind })
    }
}

impl Totals {
    fn new(contenders: &[Column], cells: &[CellReport]) -> Self {
        let timed = cells.iter().filter(|report| report.cell.operation.unit() == Unit::Nanoseconds);
        Totals {
            without_holes: over(timed.clone().filter(|report| report.cell.operation.without_holes())),
            all_timed: over(timed),
            sparse_iteration_against_slotmap: sparse_iteration_against_slotmap(contenders, cells),
        }
    }
}

fn sparse_iteration_against_slotmap(contenders: &[Column], cells: &[CellReport]) -> Option<f64> {
    let slotmap = contenders.iter().position(|column| column.name == "SlotMap")?;
    let cells = cells
        .iter()
        .filter(|report| report.cell.operation == Operation::IterateHundredth && report.cell.count == MILLION);
    cells
        .map(|report| median(&ratios(&report.figures[slotmap], &report.figures[subject(contenders)])))
        .min_by(f64::total_cmp)
}

fn over<'a>(cells: impl Iterator<Item = &'a CellReport>) -> Option<Ratio> {
    let rounds: Vec<&[f64]> = cells.map(|report| report.rounds.as_slice()).collect();
    Ratio::of_cells(&rounds)
}

/// Returns the ratio of each round: above 1 where `ours` is smaller.
pub fn ratios(theirs: &[f64], ours: &[f64]) -> Vec<f64> {
    theirs.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect()
}

fn subject(contenders: &[Column]) -> usize {
    contenders.iter().position(|column| column.role == Role::Subject).expect("one contender is the subject")
}

/// Of those that do the same work: `generational-arena` writes all of its memory when it is made,
/// so filling it afterwards is another operation.
fn best_rival(contenders: &[Column], operation: Operation, figures: &[Vec<f64>]) -> usize {
    let is_other =
        |index: usize| operation == Operation::InsertReserved && contenders[index].name == "generational-arena";
    let rivals = (0..contenders.len())
        .filter(|&index| contenders[index].role == Role::Rival && !figures[index].is_empty() && !is_other(index));
    rivals
        .min_by(|&a, &b| median(&figures[a]).total_cmp(&median(&figures[b])))
        .expect("at least one rival supports the operation")
}

/// The size of the values in the table of the README.
pub const SHOWN: Size = Size::B8;

/// Formats a figure with three significant digits.
pub fn figure(figure: f64) -> String {
    match figure {
        ..0.1 => format!("{figure:.4}"),
        ..1.0 => format!("{figure:.3}"),
        ..10.0 => format!("{figure:.2}"),
        ..100.0 => format!("{figure:.1}"),
        _ => format!("{figure:.0}"),
    }
}

pub fn figure_or_dash(median: Option<f64>) -> String {
    median.map_or("–".into(), figure)
}

pub fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

pub fn interval(ratio: Ratio) -> String {
    format!("{:.2}–{:.2}", ratio.low, ratio.high)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a report of these figures: one list of rounds for the subject, the limit and two
    /// rivals.
    pub fn sample(cells: &[(Cell, [&[f64]; 4])]) -> Report {
        let entries = crate::contenders::all();
        let pick = |role| entries.iter().filter(move |entry| entry.role == role);
        let contenders: Vec<Column> = [Role::Subject, Role::Limit, Role::Rival]
            .into_iter()
            .flat_map(pick)
            .take(4)
            .map(|entry| Column { name: entry.name, role: entry.role })
            .collect();
        let measured = |(cell, figures): &(Cell, [&[f64]; 4])| Measured {
            cell: *cell,
            figures: figures.iter().map(|rounds| rounds.to_vec()).collect(),
        };
        let cells: Vec<CellReport> = cells.iter().map(|cell| CellReport::new(&contenders, measured(cell))).collect();
        let operations = operation::ALL.into_iter().filter_map(|op| OperationReport::new(op, &cells)).collect();
        let totals = Totals::new(&contenders, &cells);
        let machine = Machine { cpu: "CPU".into(), os: "os".into(), rustc: "rustc".into() };
        Report { machine, rounds: 5, contenders, cells, operations, totals }
    }

    pub fn cell(operation: Operation) -> Cell {
        Cell { operation, size: SHOWN, count: MILLION }
    }

    #[test]
    fn the_best_rival_is_chosen_and_compared_round_by_round() {
        let report = sample(&[(
            cell(Operation::IterateHundredth),
            [&[1.0, 2.0, 3.0], &[], &[4.0, 8.0, 12.0], &[2.0, 4.0, 9.0]],
        )]);
        assert_eq!(report.best_name(&report.cells[0]), "HopSlotMap");
        assert_eq!(report.cells[0].rounds, [2.0, 2.0, 3.0]);
        assert_eq!(report.totals.sparse_iteration_against_slotmap, Some(4.0));
        assert_eq!(report.totals.without_holes, None);
        assert_eq!(report.operations_behind().count(), 0);
    }

    #[test]
    fn the_limit_is_not_compared() {
        let report = sample(&[(cell(Operation::Clone), [&[2.0; 5], &[0.1; 5], &[1.0; 5], &[3.0; 5]])]);
        assert_eq!(report.best_name(&report.cells[0]), "SlotMap");
        assert_eq!(report.operations_behind().count(), 1);
        assert_eq!(report.operations[0].cells_behind, 1);
    }

    #[test]
    fn figures_keep_three_digits() {
        assert_eq!([0.0123, 0.25, 3.1234, 42.123, 274.4].map(figure), ["0.0123", "0.250", "3.12", "42.1", "274"]);
    }
}
