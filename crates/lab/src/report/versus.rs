//! The results of `cargo versus`: figures of Tenure and its peers.
//!
//! Only fields that the page shows are read. A figure that is not a number is `null` in the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::ReportError;

/// The default directory of `cargo versus`.
const USUAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/out");
/// The file of the grid.
const GRID: &str = "versus.json";
/// The files of the other parts.
const PARTS: [&str; 3] = ["memory.json", "tables.json", "worlds.json"];

/// All results.
#[derive(Debug, Default)]
pub(super) struct Versus {
    /// Every operation, every size, every contender.
    pub(super) grid: Option<Grid>,
    /// Kinds of memory, tables, worlds: those that were measured.
    pub(super) parts: Vec<Part>,
}

/// The grid of operations.
#[derive(Debug, Deserialize)]
pub(super) struct Grid {
    pub(super) machine: Option<Machine>,
    pub(super) rounds: usize,
    pub(super) contenders: Vec<Contender>,
    pub(super) operations: Vec<Operation>,
    pub(super) cells: Vec<Cell>,
}

/// The machine of the measurements.
#[derive(Debug, Deserialize)]
pub(super) struct Machine {
    cpu: String,
    os: String,
    rustc: String,
}

impl Machine {
    /// `Some CPU, linux x86_64, rustc 1.95.0`
    pub(super) fn line(&self) -> String {
        format!("{}, {}, {}", self.cpu, self.os, self.rustc)
    }
}

/// A container in the comparison.
#[derive(Debug, Deserialize)]
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) role: String,
}

/// A ratio with its interval: above 1, Tenure is ahead.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Ratio {
    #[serde(deserialize_with = "number")]
    pub(super) middle: f64,
    #[serde(deserialize_with = "number")]
    pub(super) low: f64,
    #[serde(deserialize_with = "number")]
    pub(super) high: f64,
}

/// An operation over all sizes and counts.
#[derive(Debug, Deserialize)]
pub(super) struct Operation {
    #[serde(rename = "operation")]
    pub(super) name: String,
    #[serde(default)]
    pub(super) about: String,
    pub(super) ratio: Ratio,
    pub(super) behind: bool,
}

/// An operation at one size and count.
#[derive(Debug, Deserialize)]
pub(super) struct Cell {
    pub(super) operation: String,
    pub(super) bytes: usize,
    pub(super) count: usize,
    pub(super) best_peer: String,
    pub(super) ratio: Ratio,
    pub(super) behind: bool,
    figures: BTreeMap<String, Figure>,
}

impl Cell {
    /// The figure of a contender, if it has the operation.
    pub(super) fn median(&self, contender: &str) -> Option<f64> {
        self.figures.get(contender).map(|figure| figure.median)
    }
}

#[derive(Debug, Deserialize)]
struct Figure {
    #[serde(deserialize_with = "number")]
    median: f64,
}

/// A part other than the grid.
#[derive(Debug, Deserialize)]
pub(super) struct Part {
    /// `memory`, `tables` or `worlds`.
    #[serde(skip)]
    pub(super) name: String,
    pub(super) machine: Option<Machine>,
    pub(super) sheets: Vec<Sheet>,
}

/// One subject of a part.
#[derive(Debug, Deserialize)]
pub(super) struct Sheet {
    pub(super) title: String,
    pub(super) about: String,
    pub(super) grids: Vec<Table>,
    pub(super) findings: Vec<Finding>,
    pub(super) curves: Vec<Curve>,
    pub(super) report: Option<Grid>,
}

/// A table of figures.
#[derive(Debug, Deserialize)]
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row of one.
#[derive(Debug, Deserialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) figures: Vec<Option<f64>>,
}

/// A figure, and its target.
#[derive(Debug, Deserialize)]
pub(super) struct Finding {
    pub(super) what: String,
    pub(super) measured: Ratio,
    pub(super) bound: Option<Bound>,
    #[serde(default)]
    pub(super) unit: Unit,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    #[default]
    Times,
    Bytes,
}

/// The target of a figure.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Bound {
    /// Returns `true` if a figure meets the target.
    pub(super) fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtMost(most) => figure <= most,
            Self::AtLeast(least) => figure >= least,
        }
    }
}

/// Lines over a growing number.
#[derive(Debug, Deserialize)]
pub(super) struct Curve {
    pub(super) title: String,
    pub(super) unit: String,
    pub(super) lines: Vec<Line>,
}

/// One of them.
#[derive(Debug, Deserialize)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

impl Versus {
    /// The results in this file, or in this directory. Without either: those in the default
    /// directory, if any.
    pub(super) fn find(place: Option<&Path>) -> Result<Self, ReportError> {
        let Some(place) = place else { return Self::of_directory(Path::new(USUAL)) };
        let found = if place.is_dir() { Self::of_directory(place)? } else { Self::of_file(place)? };
        if found.is_empty() { Err(ReportError::NoFigures(place.into())) } else { Ok(found) }
    }

    fn is_empty(&self) -> bool {
        self.grid.is_none() && self.parts.is_empty()
    }

    /// The files that [`find`](Self::find) reads.
    pub(super) fn files(place: Option<&Path>) -> Vec<PathBuf> {
        let place = place.unwrap_or(Path::new(USUAL));
        let in_directory = || [GRID].iter().chain(&PARTS).filter_map(|name| file_in(place, name)).collect();
        if place.is_dir() { in_directory() } else { Vec::from_iter(place.is_file().then(|| place.into())) }
    }

    fn of_directory(directory: &Path) -> Result<Self, ReportError> {
        let there = |name: &str| file_in(directory, name);
        let grid = there(GRID).map(|path| read(&path)).transpose()?;
        let parts = PARTS.iter().filter_map(|name| there(name)).map(|path| part(&path)).collect::<Result<_, _>>()?;
        Ok(Self { grid, parts })
    }

    /// A file that has sheets is a part; any other must be a grid.
    fn of_file(path: &Path) -> Result<Self, ReportError> {
        #[derive(Deserialize)]
        struct Peek {
            sheets: Option<IgnoredAny>,
        }
        Ok(match read::<Peek>(path)?.sheets {
            Some(_) => Self { grid: None, parts: vec![part(path)?] },
            None => Self { grid: Some(read(path)?), parts: Vec::new() },
        })
    }
}

fn file_in(directory: &Path, name: &str) -> Option<PathBuf> {
    Some(directory.join(name)).filter(|path| path.is_file())
}

fn part(path: &Path) -> Result<Part, ReportError> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Part { name, ..read(path)? })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    let text = fs::read_to_string(path).map_err(|why| ReportError::Unreadable(PathBuf::from(path), why))?;
    serde_json::from_str(&text).map_err(|why| ReportError::Malformed(PathBuf::from(path), why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_read() {
        let text = r#"{"rounds": 5, "contenders": [{"name": "Pool", "role": "subject"}], "totals": {}, "operations": [
            {"operation": "clear", "ratio": {"middle": 1.5, "low": 1.4, "high": null}, "behind": false, "cells": 1, "cells_behind": 0}],
            "cells": [{"operation": "clear", "unit": "ns", "bytes": 8, "count": 1000, "best_peer": "SlotMap", "behind": false,
            "ratio": {"middle": 1.5, "low": 1.4, "high": 1.6}, "figures": {"Pool": {"median": 2.0, "rounds": [2.0]}}}]}"#;
        let grid: Grid = serde_json::from_str(text).unwrap();
        assert!(grid.operations[0].ratio.high.is_nan());
        assert_eq!((grid.cells[0].median("Pool"), grid.cells[0].median("slab")), (Some(2.0), None));
    }

    #[test]
    fn a_finding_is_judged() {
        let text = r#"{"what": "x", "measured": {"middle": 1.0, "low": 1.0, "high": 1.0}, "bound": {"at_most": 0.9}, "unit": "bytes"}"#;
        let finding: Finding = serde_json::from_str(text).unwrap();
        assert_eq!(finding.unit, Unit::Bytes);
        assert!(!finding.bound.unwrap().holds(finding.measured.middle));
    }

    #[test]
    fn a_missing_default_directory_is_not_an_error() {
        assert!(Versus::of_directory(Path::new("/no such place")).unwrap().is_empty());
        assert!(matches!(Versus::find(Some(Path::new("/no such place"))), Err(ReportError::Unreadable(..))));
    }
}
