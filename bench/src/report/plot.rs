//! The report as SVG plots: one with the ratios of all operations, and one per operation with the
//! figures of all contenders.

use std::path::Path;

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::{CellReport, OperationReport, Report, figure};
use crate::cells::count_label;
use crate::operation::{Operation, Unit};

pub(super) type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Colours that the colour-blind can tell apart (Okabe and Ito). The first is that of the subject.
const COLOURS: [RGBColor; 8] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(140, 140, 140),
];
pub(super) const FONT: (&str, i32) = ("sans-serif", 14);
pub(super) const TITLE: (&str, i32) = ("sans-serif", 18);
pub(super) const SIZE: (u32, u32) = (960, 480);
/// The width of the legend, which is right of the plot.
pub(super) const LEGEND: u32 = 160;

/// Writes all plots. The names of their files begin with `prefix`.
pub fn all(report: &Report, prefix: &str, out: &Path) -> Result<()> {
    draw(&out.join(format!("{prefix}ratios.svg")), (900, 60 + 30 * report.operations.len() as u32), |canvas| {
        ratios(report, canvas)
    })?;
    for row in &report.operations {
        let cells: Vec<_> = report.cells.iter().filter(|cell| cell.cell.operation == row.operation).collect();
        let path = out.join(format!("{prefix}{}.svg", slug(row.operation)));
        draw(&path, SIZE, |canvas| figures(report, row.operation, &cells, canvas))?;
    }
    Ok(())
}

fn slug(operation: Operation) -> String {
    operation.name().replace(' ', "-").replace('%', "pc")
}

pub(super) fn draw(path: &Path, size: (u32, u32), paint: impl FnOnce(&Canvas) -> Result<()>) -> Result<()> {
    let canvas = SVGBackend::new(path, size).into_drawing_area();
    canvas.fill(&WHITE)?;
    paint(&canvas)?;
    Ok(canvas.present()?)
}

/// Draws the ratio of every operation with its interval, on a base-2 logarithmic axis. Right of 1×,
/// the subject is faster or smaller.
fn ratios(report: &Report, canvas: &Canvas) -> Result<()> {
    let rows = &report.operations;
    let bounds = rows.iter().flat_map(|row| [row.ratio.low, row.ratio.high]);
    let (low, high) = around(bounds.chain([0.5, 2.0]));
    let doublings = low.log2().floor()..high.log2().ceil();
    let mut chart = ChartBuilder::on(canvas)
        .caption(format!("The best peer over {}, by operation (90 % intervals)", report.subject()), TITLE)
        .margin(20)
        .set_label_area_size(LabelAreaPosition::Left, 170)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d(doublings, (0..rows.len().saturating_sub(1)).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .y_labels(rows.len())
        .y_label_formatter(&|row| operation_name(rows, row))
        .x_label_formatter(&|doublings| format!("{}×", doublings.exp2()))
        .label_style(FONT)
        .draw()?;
    let whole = [SegmentValue::Exact(0), SegmentValue::Last];
    chart.draw_series([PathElement::new(whole.map(|end| (0.0, end)).to_vec(), BLACK)])?;
    for (y, row) in rows.iter().rev().enumerate() {
        let colour = if row.ratio.behind() { COLOURS[0] } else { COLOURS[2] };
        let at = |ratio: f64| (ratio.log2(), SegmentValue::CenterOf(y));
        chart.draw_series([PathElement::new(vec![at(row.ratio.low), at(row.ratio.high)], colour.stroke_width(3))])?;
        chart.draw_series([Circle::new(at(row.ratio.middle), 5, colour.filled())])?;
    }
    Ok(())
}

/// Returns the label of a row. Rows are counted from the bottom, and the first operation is at the
/// top.
fn operation_name(rows: &[OperationReport], y: &SegmentValue<usize>) -> String {
    let (SegmentValue::Exact(y) | SegmentValue::CenterOf(y)) = y else {
        return String::new();
    };
    rows.iter().rev().nth(*y).map_or(String::new(), |row| row.operation.name().into())
}

/// Draws the medians of all contenders in every cell of one operation, on a logarithmic axis.
fn figures(report: &Report, operation: Operation, cells: &[&CellReport], canvas: &Canvas) -> Result<()> {
    let (left, right) = canvas.split_horizontally(SIZE.0 - LEGEND);
    let contenders = 0..report.contenders.len();
    let medians = cells.iter().flat_map(|cell| contenders.clone().filter_map(|contender| cell.median(contender)));
    let (low, high) = around(medians);
    let mut chart = ChartBuilder::on(&left)
        .caption(format!("{}: {}", operation.name(), operation.about()), TITLE)
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 70)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d((0..cells.len().saturating_sub(1)).into_segmented(), (low..high).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(cells.len())
        .x_label_formatter(&|column| cell_name(cells, column))
        .y_label_formatter(&|median| figure(*median))
        .y_desc(axis(operation.unit()))
        .label_style(FONT)
        .draw()?;
    for contender in contenders {
        let point = |(x, cell): (usize, &&CellReport)| Some((SegmentValue::CenterOf(x), cell.median(contender)?));
        let points: Vec<_> = cells.iter().enumerate().filter_map(point).collect();
        chart.draw_series(points.iter().map(|point| Circle::new(point.clone(), 4, colour(contender).filled())))?;
        chart.draw_series(LineSeries::new(points, colour(contender).stroke_width(1)))?;
    }
    legend(report.contenders.iter().map(|column| column.name), &right)
}

/// Draws the legend on a canvas of its own.
pub(super) fn legend<'a>(names: impl Iterator<Item = &'a str>, canvas: &Canvas) -> Result<()> {
    for (nth, name) in names.enumerate() {
        let y = 50 + 22 * nth as i32;
        canvas.draw(&Circle::new((10, y), 4, colour(nth).filled()))?;
        canvas.draw(&Text::new(name, (22, y - 7), FONT))?;
    }
    Ok(())
}

pub(super) fn colour(nth: usize) -> RGBColor {
    COLOURS[nth % COLOURS.len()]
}

fn cell_name(cells: &[&CellReport], x: &SegmentValue<usize>) -> String {
    let (SegmentValue::Exact(x) | SegmentValue::CenterOf(x)) = x else {
        return String::new();
    };
    let name = |report: &&CellReport| format!("{} {}", report.cell.size.label(), count_label(report.cell.count));
    cells.get(*x).map_or(String::new(), name)
}

fn axis(unit: Unit) -> &'static str {
    match unit {
        Unit::Nanoseconds => "nanoseconds",
        Unit::Bytes => "bytes",
    }
}

/// Returns the range of an axis that shows all figures, with a margin.
pub(super) fn around(figures: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = figures.fold((f64::MAX, f64::MIN), |(low, high), figure| (low.min(figure), high.max(figure)));
    (low / 1.2, high * 1.2)
}
