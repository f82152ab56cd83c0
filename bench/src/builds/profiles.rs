//! The same figures in two builds, side by side.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{HERE, cargo};
use crate::cells::count_label;
use crate::cli::Cli;
use crate::report::table::{MARKDOWN, TERMINAL, align, bare};

/// Runs this program again in another build, with the same arguments, and returns a table of both.
/// Also writes it to profiles.md.
pub fn side_by_side(cli: &Cli, profile: &str) -> Result<String> {
    let out = cli.out().join(profile);
    let manifest = Path::new(HERE).join("Cargo.toml");
    let status = cargo("run", &manifest, "")
        .args(["--profile", profile, "--"])
        .args(arguments())
        .arg("--out")
        .arg(&out)
        .status()?;
    // Figures that are behind are no failure here: they are in the table.
    ensure!(matches!(status.code(), Some(0 | 1)), "the run with --profile {profile} failed");
    let name = file(cli);
    let [here, there] = [cli.out(), out.as_path()].map(|folder| read(&folder.join(format!("{name}.json"))));
    let rows = rows(&here?, &there?);
    fs::write(
        cli.out().join("profiles.md"),
        format!("# Two builds\n\n{ABOUT}\n\n{}\n", table(&rows, profile, MARKDOWN)),
    )?;
    Ok(format!("\n{ABOUT}\n\n{}\n", table(&rows, profile, TERMINAL)))
}

const ABOUT: &str = "Ratios to the best peer, with 90 % intervals, in two builds: above 1, Tenure is faster.";

/// Those of this program, without those that are passed again.
fn arguments() -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--profile" | "--out" | "--readme" => drop(words.next()),
            _ if ["--profile=", "--out=", "--readme="].iter().any(|name| word.starts_with(name)) => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// What the names of the files begin with.
fn file(cli: &Cli) -> &'static str {
    match () {
        () if cli.memory => "memory",
        () if cli.tables => "tables",
        () if cli.worlds => "worlds",
        () if cli.saves => "saves",
        () => "versus",
    }
}

fn read(path: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(ratios(&serde_json::from_str(&text)?))
}

/// All ratios of a report, by name and in its order: the cells of a grid, the findings of sheets,
/// and the means.
fn ratios(report: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for cell in list(&report["cells"]) {
        let count = count_label(cell["count"].as_u64().unwrap_or(0) as usize);
        let name = format!("{} · {}B · {count}", cell["operation"].as_str().unwrap_or("?"), cell["bytes"]);
        found.push((name, interval(&cell["ratio"])));
    }
    for sheet in list(&report["sheets"]) {
        found.extend(ratios(&sheet["report"]));
        for finding in list(&sheet["findings"]) {
            found.push((finding["what"].as_str().unwrap_or("?").to_owned(), interval(&finding["measured"])));
        }
    }
    if report["totals"]["all_timed"].is_object() {
        found.push(("geometric mean, all timed cells".into(), interval(&report["totals"]["all_timed"])));
    }
    found
}

fn interval(ratio: &Value) -> String {
    let figure = |name: &str| ratio[name].as_f64().unwrap_or(f64::NAN);
    format!("{:.2} ({:.2}–{:.2})", figure("middle"), figure("low"), figure("high"))
}

/// Name, here, there.
fn rows(here: &[(String, String)], there: &[(String, String)]) -> Vec<[String; 3]> {
    let there: BTreeMap<&str, &str> = there.iter().map(|(name, ratio)| (name.as_str(), ratio.as_str())).collect();
    let row = |(name, ratio): &(String, String)| {
        [name.clone(), ratio.clone(), there.get(name.as_str()).copied().unwrap_or("–").to_owned()]
    };
    here.iter().map(row).collect()
}

fn table(rows: &[[String; 3]], profile: &str, dress: comfy_table::TableStyle) -> String {
    let mut table = bare(dress, vec!["what".into(), "release".into(), profile.into()]);
    table.add_rows(rows.iter().cloned());
    align(&mut table, 1..3);
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_reports_become_one_table() {
        let report = |middle: f64| {
            let ratio = serde_json::json!({ "middle": middle, "low": 0.5, "high": 2.0 });
            let cell = serde_json::json!({ "operation": "get", "bytes": 8, "count": 10_000, "ratio": ratio });
            let sheet = serde_json::json!({ "findings": [{ "what": "frame", "measured": ratio }] });
            ratios(&serde_json::json!({ "cells": [cell], "sheets": [sheet], "totals": { "all_timed": ratio } }))
        };
        let rows = rows(&report(1.0), &report(1.25));
        assert_eq!(rows[0], ["get · 8B · 10k", "1.00 (0.50–2.00)", "1.25 (0.50–2.00)"]);
        assert_eq!([rows.len(), table(&rows, "lto", MARKDOWN).lines().count()], [3, 5]);
    }
}
