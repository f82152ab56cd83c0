//! An unoptimised build: `bench/probe`, as `cargo run` builds it.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{HERE, cargo};
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::stats::{Ratio, median};

/// Container, operation, and nanoseconds per operation in every round.
type Line = (String, String, Vec<f64>);

/// What must hold: operation, container, peer, and the least ratio.
const BOUNDS: [(&str, &str, &str, f64); 6] = [
    ("get", "Pool", "SlotMap", 0.85),
    ("index", "Pool", "SlotMap", 0.85),
    ("insert", "Pool", "SlotMap", 0.85),
    ("iterate for", "Pool", "SlotMap", 0.85),
    ("get", "DensePool", "DenseSlotMap", 0.6),
    ("get", "StablePool", "SlotMap", 0.45),
];

pub fn sheet(rounds: usize) -> Result<Sheet> {
    let lines = measure(rounds)?;
    Ok(Sheet {
        title: "An unoptimised build",
        about: format!(
            "`bench/probe` as `cargo run` builds it: 20,000 values of 32 bytes (1,000 of 640), medians of {rounds} \
             rounds in nanoseconds per operation. Ratio: the peer over Tenure in the same round."
        ),
        grids: vec![grid(&lines)],
        findings: BOUNDS.iter().filter_map(|bound| finding(&lines, bound)).collect(),
        ..Sheet::default()
    })
}

fn measure(rounds: usize) -> Result<Vec<Line>> {
    let manifest = Path::new(HERE).join("probe/Cargo.toml");
    let output = cargo("run", &manifest, "probe").args(["--", "time", &rounds.to_string()]).output()?;
    ensure!(output.status.success(), "bench/probe: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)?.lines().map(|line| parse(line).with_context(|| line.to_owned())).collect()
}

fn parse(line: &str) -> Option<Line> {
    let mut words = line.split('\t');
    let (container, operation) = (words.next()?.to_owned(), words.next()?.to_owned());
    let rounds: Vec<f64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (!rounds.is_empty()).then_some((container, operation, rounds))
}

fn grid(lines: &[Line]) -> Grid {
    let unique = |of: fn(&Line) -> &String| {
        let mut names: Vec<&str> = Vec::new();
        for line in lines {
            if !names.contains(&of(line).as_str()) {
                names.push(of(line));
            }
        }
        names
    };
    let (containers, operations) = (unique(|line| &line.0), unique(|line| &line.1));
    let row = |operation: &&str| {
        let figures = containers.iter().map(|container| Some(median(rounds(lines, container, operation)?)));
        Row::new(*operation, figures.collect())
    };
    let header: Vec<&str> = ["operation"].into_iter().chain(containers.iter().copied()).collect();
    Grid::new(&header, operations.iter().map(row).collect())
}

fn rounds<'a>(lines: &'a [Line], container: &str, operation: &str) -> Option<&'a [f64]> {
    lines.iter().find(|line| line.0 == container && line.1 == operation).map(|line| line.2.as_slice())
}

fn finding(lines: &[Line], &(operation, ours, peer, least): &(&str, &str, &str, f64)) -> Option<Finding> {
    let ratio = Ratio::of_rounds(&ratios(rounds(lines, peer, operation)?, rounds(lines, ours, operation)?));
    Some(Finding::new(format!("{operation}: {ours} against {peer}"), ratio, Bound::AtLeast(least)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_rows_and_findings() {
        let text = "Pool\tget\t10.0\t20.0\nSlotMap\tget\t9.0\t18.0\nPool\tinsert\t1.0\t1.0";
        let lines: Vec<Line> = text.lines().filter_map(parse).collect();
        let grid = grid(&lines);
        assert_eq!(grid.header, ["operation", "Pool", "SlotMap"]);
        assert_eq!(grid.rows[0].figures, [Some(15.0), Some(13.5)]);
        assert_eq!(grid.rows[1].figures, [Some(1.0), None]);
        let found = finding(&lines, &("get", "Pool", "SlotMap", 0.85)).unwrap();
        assert_eq!(found.measured.middle, 0.9);
        assert!(!found.missed() && finding(&lines, &BOUNDS[4]).is_none());
        assert!(parse("Pool\tget").is_none());
    }
}
