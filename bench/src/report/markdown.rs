//! The report as a Markdown page.

use super::Report;
use super::table::{MARKDOWN, cells, operations, reading, totals};

pub fn page(report: &Report) -> String {
    format!(
        "# Tenure and its peers\n\n{}.\n\n{}\n\n## Summary\n\n{}\n\n## By operation\n\n{}\n\n## By cell\n\n{}\n",
        report.machine.line(),
        reading(report),
        totals(report, MARKDOWN),
        operations(report, MARKDOWN),
        cells(report, MARKDOWN)
    )
}
