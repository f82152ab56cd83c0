//! Figures that are easy to read.

/// Three significant digits.
pub(super) fn figure(figure: f64) -> String {
    let size = figure.abs();
    match size {
        _ if !figure.is_finite() => "–".into(),
        0.0 => "0".into(),
        ..0.1 => format!("{figure:.4}"),
        ..1.0 => format!("{figure:.3}"),
        ..10.0 => format!("{figure:.2}"),
        ..100.0 => format!("{figure:.1}"),
        _ => crate::paint::grouped(figure.round() as u64),
    }
}

/// `0.1`, `1`, `1,000`: for the labels of an axis.
pub(super) fn plain(figure: f64) -> String {
    if figure < 1.0 { figure.to_string() } else { crate::paint::grouped(figure.round() as u64) }
}

/// `1.25×`
pub(super) fn times(ratio: f64) -> String {
    format!("{}×", if ratio >= 10.0 { figure(ratio) } else { format!("{ratio:.2}") })
}

/// `850 ns`, `12 µs`, `3.4 ms`
pub(super) fn nanoseconds(time: f64) -> String {
    with_unit(time, &[("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)])
}

/// `850 B`, `12.5 KB`, `3.4 MB`
pub(super) fn bytes(count: f64) -> String {
    with_unit(count, &[("B", 1.0), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)])
}

/// `1k`, `10k`, `1M`
pub(super) fn count(count: f64) -> String {
    let (number, letter) = match count {
        ..1e3 => (count, ""),
        ..1e6 => (count / 1e3, "k"),
        _ => (count / 1e6, "M"),
    };
    format!("{}{letter}", short(number))
}

fn with_unit(figure: f64, units: &[(&str, f64)]) -> String {
    let fits = |unit: &&(&str, f64)| figure >= unit.1;
    let (name, size) = units.iter().rev().find(fits).or(units.first()).copied().unwrap_or(("", 1.0));
    format!("{} {name}", short(figure / size))
}

/// Integers from ten on; below, one decimal unless it is zero.
fn short(number: f64) -> String {
    let text = if number >= 10.0 { format!("{number:.0}") } else { format!("{number:.1}") };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The median, or 0.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_matter() {
        assert_eq!(
            [0.0, 0.0123, 0.25, 3.1234, 42.123, 10_948.4].map(figure),
            ["0", "0.0123", "0.250", "3.12", "42.1", "10,948"]
        );
        assert_eq!(figure(f64::NAN), "–");
    }

    #[test]
    fn units_follow_the_size() {
        assert_eq!(
            [0.5, 850.0, 1_200.0, 3.4e6, 4.2e7].map(nanoseconds),
            ["0.5 ns", "850 ns", "1.2 µs", "3.4 ms", "42 ms"]
        );
        assert_eq!([10.0, 1_500.0].map(bytes), ["10 B", "1.5 KB"]);
        assert_eq!([64.0, 1_000.0, 1e6].map(count), ["64", "1k", "1M"]);
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(vec![]).is_nan());
    }
}
