//! Curves over a growing number, on logarithmic axes, as SVG inside the page.
//!
//! `plotters` has no style sheets: lines are drawn in colours that `page.css` maps to those of the
//! reader's theme.

use maud::{Markup, PreEscaped, html};
use plotters::prelude::*;

use super::figures;

/// Small enough for readable labels on a phone.
const SIZE: (u32, u32) = (460, 300);
const FONT: (&str, i32) = ("sans-serif", 17);
/// The first is Tenure's.
const COLOURS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// One line.
pub(super) struct Line<'a> {
    /// For the legend.
    pub(super) name: &'a str,
    /// Both coordinates are above zero.
    pub(super) points: &'a [(f64, f64)],
}

/// A plot with its title and its legend. `label` formats the figures of the vertical axis, and
/// `unit` is above it.
pub(super) fn plot(title: &str, unit: &str, lines: &[Line<'_>], label: fn(f64) -> String) -> Markup {
    html! {
        figure {
            figcaption { strong { (title) } " " span.unit { (unit) } }
            (PreEscaped(drawn(lines, label).unwrap_or_default()))
            ul.legend {
                @for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
                    li { span.swatch style={ "--of:" (name_of(*colour)) } {} (line.name) }
                }
            }
        }
    }
}

/// The variable of the style sheet for a colour.
fn name_of(colour: RGBColor) -> String {
    let place = COLOURS.iter().position(|other| *other == colour).unwrap_or(0);
    format!("var(--line-{place})")
}

/// `None` if there is nothing to draw.
fn drawn(lines: &[Line<'_>], label: fn(f64) -> String) -> Option<String> {
    let points = || lines.iter().flat_map(|line| line.points).filter(|point| point.0 > 0.0 && point.1 > 0.0);
    let (left, right) = around(points().map(|point| point.0), 1.05)?;
    let (low, high) = around(points().map(|point| point.1), 1.0).map(decades)?;
    let mut svg = String::new();
    draw(lines, (left..right, low..high), label, &mut svg).ok()?;
    Some(inline(&svg))
}

fn draw(
    lines: &[Line<'_>],
    (width, height): (std::ops::Range<f64>, std::ops::Range<f64>),
    label: fn(f64) -> String,
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let canvas = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&canvas)
        .margin(8)
        .margin_right(18)
        .set_label_area_size(LabelAreaPosition::Left, 68)
        .set_label_area_size(LabelAreaPosition::Bottom, 30)
        .build_cartesian_2d(width.log_scale(), height.log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_labels(6)
        .y_labels(7)
        .x_label_formatter(&|count| figures::count(*count))
        .y_label_formatter(&|figure| label(*figure))
        .label_style(FONT)
        .draw()?;
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let points = line.points.iter().copied().filter(|point| point.0 > 0.0 && point.1 > 0.0);
        chart.draw_series(LineSeries::new(points, colour.stroke_width(3)))?;
    }
    canvas.present()?;
    Ok(())
}

/// The range of these figures with a margin; `None` if there are none.
fn around(figures: impl Iterator<Item = f64>, room: f64) -> Option<(f64, f64)> {
    let (low, high) = figures.fold((f64::MAX, f64::MIN), |(low, high), figure| (low.min(figure), high.max(figure)));
    (low <= high).then(|| (low / room, high * room))
}

/// The powers of ten around a range: the axis has a label at either end.
fn decades((low, high): (f64, f64)) -> (f64, f64) {
    let (first, last) = (low.log10().floor(), high.log10().ceil());
    (10_f64.powf(first), 10_f64.powf(last.max(first + 1.0)))
}

/// A standalone drawing has a size and a namespace; one inside a page needs neither.
fn inline(svg: &str) -> String {
    let (head, rest) = svg.split_once('>').unwrap_or(("", svg));
    debug_assert!(head.starts_with("<svg"), "{head}");
    let (width, height) = SIZE;
    format!(r#"<svg class="plot" role="img" viewBox="0 0 {width} {height}">{rest}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_lines_and_names() {
        let lines = [
            Line { name: "StablePool", points: &[(64.0, 100.0), (1e6, 2e5)] },
            Line { name: "Vec", points: &[(64.0, 0.0), (128.0, 7.0), (1e6, 9e6)] },
        ];
        let page = plot("growing", "slowest", &lines, figures::nanoseconds).into_string();
        assert!(page.contains("StablePool") && page.contains("#D55E00") && page.contains("#0072B2"), "{page}");
        assert!(page.contains("µs") && !page.contains("http"), "{page}");
    }

    #[test]
    fn axes_end_at_powers_of_ten() {
        assert_eq!(decades((3.0, 40.0)), (1.0, 100.0));
        assert_eq!(decades((10.0, 10.0)), (10.0, 100.0));
    }

    #[test]
    fn nothing_makes_no_plot() {
        assert!(!plot("t", "u", &[], figures::nanoseconds).into_string().contains("<svg"));
        assert!(
            !plot("t", "u", &[Line { name: "x", points: &[(1.0, 0.0)] }], figures::nanoseconds)
                .into_string()
                .contains("<svg")
        );
    }

    #[test]
    fn the_style_sheet_knows_every_colour() {
        let style = include_str!("page.css");
        for (nth, RGBColor(red, green, blue)) in COLOURS.into_iter().enumerate() {
            let rule = format!("[stroke=\"#{red:02X}{green:02X}{blue:02X}\"] {{ stroke: var(--line-{nth})");
            assert!(style.contains(&rule), "{rule}");
        }
    }
}
