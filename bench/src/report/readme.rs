//! The short table in the README of the project.

use anyhow::{Context, Result, bail, ensure};
use comfy_table::Table;

use super::table::{MARKDOWN, bare};
use super::{CellReport, Report, SHOWN, figure, figure_or_dash, times};
use crate::cells::{Cell, MILLION};
use crate::contender::Role;
use crate::operation::Operation;

const BEGIN: &str = "<!-- versus:begin -->";
const END: &str = "<!-- versus:end -->";
/// The contenders that the README shows, in its order.
const COLUMNS: [&str; 7] = ["Pool", "SlotMap", "HopSlotMap", "thunderdome", "generational-arena", "slab", "Vec"];

/// The operations that the README shows, and their names there. The other reports have all of them.
const ROWS: [(Operation, &str); 10] = [
    (Operation::InsertGrowing, "insert, growing"),
    (Operation::GetAtRandom, "get, random order"),
    (Operation::IterateFor, "iterate, all live"),
    (Operation::IterateHalf, "iterate, 50 % live"),
    (Operation::IterateHundredth, "iterate, 1 % live"),
    (Operation::IterateTenThousandth, "iterate, 0.01 % live"),
    (Operation::ReuseOneByOne, "remove one, insert one"),
    (Operation::ReuseByQuarters, "remove ¼, insert ¼"),
    (Operation::Refill, "refill after removing all"),
    (Operation::BytesReserved, "bytes per value"),
];

/// Returns `page` with the summary between its two markers.
pub fn with_summary(page: &str, report: &Report) -> Result<String> {
    let rows = shown(report);
    ensure!(!rows.is_empty(), "the README shows cells of 1M × {} bytes, and none of them was run", SHOWN.bytes());
    between_markers(page, &summary(report, &rows))
}

/// Replaces the text between the markers.
fn between_markers(page: &str, text: &str) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).with_context(|| format!("the file has no {BEGIN}"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("the file has no {END} after {BEGIN}"))?;
    if after.contains(BEGIN) {
        bail!("the file has more than one {BEGIN}");
    }
    Ok(format!("{before}{BEGIN}\n{text}\n{END}{after}"))
}

fn summary(report: &Report, rows: &[(&str, &CellReport)]) -> String {
    format!(
        "1,000,000 values of {} bytes. Nanoseconds per operation (iteration: per live value); the last row is\n\
         bytes per value. Medians of {} rounds, with the same work for every container. Ratio: the best of\n\
         {} (they have generations), divided by Pool.\n\
         Above 1, Pool is better. {}.\n\n{}",
        SHOWN.bytes(),
        report.rounds,
        rivals(report),
        report.machine.line(),
        table(report, rows)
    )
}

/// Returns the names of the rivals.
fn rivals(report: &Report) -> String {
    let names = report.contenders.iter().filter(|column| column.role == Role::Rival).map(|column| column.name);
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.join(""),
    }
}

fn shown(report: &Report) -> Vec<(&'static str, &CellReport)> {
    let cell = |operation| report.cell(Cell { operation, size: SHOWN, count: MILLION });
    ROWS.iter().filter_map(|&(operation, name)| Some((name, cell(operation)?))).collect()
}

fn table(report: &Report, rows: &[(&str, &CellReport)]) -> Table {
    let columns = columns(report);
    let names = columns.iter().map(|&contender| report.contenders[contender].name);
    let header = ["operation"].into_iter().chain(names).chain(["ratio"]);
    let mut table = bare(MARKDOWN, header.map(str::to_owned).collect());
    table.add_rows(rows.iter().map(|(name, row)| table_row(report, &columns, name, row)));
    table
}

fn columns(report: &Report) -> Vec<usize> {
    let find = |name| report.contenders.iter().position(|column| column.name == name);
    COLUMNS.into_iter().filter_map(find).collect()
}

fn table_row(report: &Report, columns: &[usize], name: &str, row: &CellReport) -> Vec<String> {
    let figures = columns.iter().map(|&contender| figure_or_dash(row.median(contender)));
    [name.to_owned()].into_iter().chain(figures).chain([ratio(report, row)]).collect()
}

/// Returns the ratio of two figures of the row, as they are printed, so that a reader can compute
/// it. The other reports give the median of the ratios of all rounds, with its interval; that
/// median may contradict the medians of the columns.
fn ratio(report: &Report, row: &CellReport) -> String {
    let of = |role| {
        let columns = report.contenders.iter().enumerate().filter(move |(_, column)| column.role == role);
        columns.filter_map(|(contender, _)| printed(row.median(contender)?)).min_by(f64::total_cmp)
    };
    match (of(Role::Rival), of(Role::Subject)) {
        (Some(best), Some(ours)) if ours > 0.0 => times(best / ours),
        _ => figure_or_dash(None),
    }
}

/// Rounds a figure to the digits that are printed.
fn printed(median: f64) -> Option<f64> {
    figure(median).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;
    use crate::report::tests::{cell, sample};

    #[test]
    fn only_the_text_between_the_markers_changes() {
        let page = format!("# A\n{BEGIN}\nold\n{END}\nrest\n");
        let once = between_markers(&page, "new").unwrap();
        assert_eq!(once, format!("# A\n{BEGIN}\nnew\n{END}\nrest\n"));
        assert_eq!(between_markers(&once, "new").unwrap(), once);
    }

    #[test]
    fn each_marker_must_occur_once_and_in_order() {
        for page in ["", BEGIN, END, &format!("{END}{BEGIN}"), &format!("{BEGIN}{END}{BEGIN}{END}")] {
            assert!(between_markers(page, "new").is_err(), "{page}");
        }
    }

    #[test]
    fn the_summary_shows_the_operations_that_were_run() {
        let report = sample(&[(cell(Operation::GetAtRandom), [&[2.0; 5], &[1.0; 5], &[3.0; 5], &[4.0; 5]])]);
        let page = with_summary(&format!("{BEGIN}{END}"), &report).unwrap();
        assert!(page.contains("| get, random order | 2.00 | 3.00"), "{page}");
        assert!(page.contains("1.50×") && page.contains("CPU, os, rustc"), "{page}");
    }

    /// Also if the median of the ratios of the rounds is not the ratio of the medians, and if
    /// figures are rounded.
    #[test]
    fn the_ratio_follows_from_the_printed_columns() {
        let iterate = (cell(Operation::IterateHalf), [&[12.7, 10.0, 13.0][..], &[], &[12.4, 12.3, 14.0], &[50.3; 3]]);
        let refill = (cell(Operation::Refill), [&[1.0049; 3][..], &[], &[1.2951; 3], &[9.0; 3]]);
        let bytes = (cell(Operation::BytesReserved), [&[0.00001; 3][..], &[], &[1.0; 3], &[2.0; 3]]);
        let report = sample(&[iterate, refill, bytes]);
        assert_eq!(times(report.cells[0].ratio.middle), "1.08×");
        let page = with_summary(&format!("{BEGIN}{END}"), &report).unwrap();
        let rows = page.lines().filter_map(|line| line.strip_prefix('|')).skip(2);
        let ends = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let ends: Vec<_> =
            ends.map(|row| format!("{}: {} {} {}", row[0], row[1], row[2], row[row.len() - 2])).collect();
        assert_eq!(
            ends,
            [
                "iterate, 50 % live: 12.7 12.4 0.98×",
                "refill after removing all: 1.00 1.30 1.30×",
                "bytes per value: 0.0000 1.00 –"
            ],
            "{page}"
        );
    }

    /// Also for the figures that the README has now.
    #[test]
    fn the_ratios_of_the_readme_follow_from_its_columns() {
        let page = include_str!("../../../README.md");
        let rows = page.lines().filter(|line| line.ends_with("× |"));
        let mut seen = 0;
        for row in rows {
            let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
            let figure = |column: usize| cells[column].parse::<f64>().unwrap();
            let rivals = (0..COLUMNS.len()).filter(|&column| RIVALS.contains(&COLUMNS[column]));
            let best = rivals.map(|column| figure(column + 1)).min_by(f64::total_cmp).unwrap();
            assert_eq!(times(best / figure(1)), cells[COLUMNS.len() + 1], "{row}");
            seen += 1;
        }
        assert_eq!(seen, ROWS.len());
    }

    #[test]
    fn the_text_of_the_summary_is_at_most_100_columns_wide() {
        let report = sample(&[(cell(Operation::GetAtRandom), [&[2.0; 5], &[1.0; 5], &[3.0; 5], &[4.0; 5]])]);
        let page = with_summary(&format!("{BEGIN}{END}"), &report).unwrap();
        let wide: Vec<_> = page.lines().filter(|line| !line.starts_with('|') && line.chars().count() > 100).collect();
        assert_eq!(wide, [""; 0]);
    }

    const RIVALS: [&str; 4] = ["SlotMap", "HopSlotMap", "thunderdome", "generational-arena"];

    #[test]
    fn every_rival_has_a_column() {
        let rivals = crate::contenders::all().into_iter().filter(|entry| entry.role == Role::Rival);
        assert_eq!(rivals.map(|entry| entry.name).collect::<Vec<_>>(), RIVALS);
        assert!(RIVALS.iter().all(|name| COLUMNS.contains(name)));
    }

    #[test]
    fn a_run_without_the_cells_of_the_readme_is_an_error() {
        assert!(with_summary(&format!("{BEGIN}{END}"), &sample(&[])).is_err());
    }
}
