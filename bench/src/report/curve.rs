//! Plots of figures over the number of values, as SVG. Both axes are logarithmic.

use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;
use serde::Serialize;

use super::plot::{Canvas, FONT, LEGEND, SIZE, TITLE, around, colour, draw, legend};
use crate::cells::count_label;

#[derive(Serialize)]
pub struct Curve {
    /// The name of the file, without extension.
    pub name: String,
    pub title: String,
    /// The unit of the vertical axis.
    pub unit: &'static str,
    pub lines: Vec<Line>,
}

#[derive(Serialize)]
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

pub fn save(curve: &Curve, out: &Path) -> Result<()> {
    draw(&out.join(format!("{}.svg", curve.name)), SIZE, |canvas| paint(curve, canvas))
}

fn paint(curve: &Curve, canvas: &Canvas) -> Result<()> {
    let (left, right) = canvas.split_horizontally(SIZE.0 - LEGEND);
    let points = || curve.lines.iter().flat_map(|line| &line.points);
    let (first, last) = around(points().map(|point| point.0));
    let (low, high) = around(points().map(|point| point.1));
    let mut chart = ChartBuilder::on(&left)
        .caption(&curve.title, TITLE)
        .margin(10)
        .set_label_area_size(LabelAreaPosition::Left, 70)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d((first..last).log_scale(), (low..high).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|count| count_label(*count as usize))
        .y_label_formatter(&|figure| figure.to_string())
        .y_desc(curve.unit)
        .label_style(FONT)
        .draw()?;
    for (nth, line) in curve.lines.iter().enumerate() {
        chart.draw_series(LineSeries::new(line.points.iter().copied(), colour(nth).stroke_width(2)).point_size(3))?;
    }
    legend(curve.lines.iter().map(|line| line.name.as_str()), &right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_drawn() {
        let line = Line { name: "StablePool".into(), points: vec![(1.0, 0.5), (1_000.0, 20.0)] };
        let curve = Curve { name: "sample".into(), title: "t".into(), unit: "µs", lines: vec![line] };
        let mut svg = String::new();
        let canvas = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(&curve, &canvas).unwrap();
        drop(canvas);
        assert!(svg.contains("StablePool") && svg.contains("polyline"), "{svg}");
    }
}
