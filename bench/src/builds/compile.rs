//! What a container costs to compile: seconds and bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::program::{LIBRARIES, Library, TYPES, manifest, source};
use super::{HERE, cargo};
use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::stats::{Ratio, median};

/// Compiling takes seconds: fewer rounds than elsewhere.
const MOST_ROUNDS: usize = 5;

/// What must hold against slotmap.
const MOST: f64 = 1.4;

struct Built {
    name: &'static str,
    /// Seconds in every round.
    release: Vec<f64>,
    debug: Vec<f64>,
    /// Bytes of the stripped program.
    size: f64,
}

pub fn sheet(rounds: usize, quick: bool) -> Result<Sheet> {
    let rounds = if quick { 1 } else { rounds.min(MOST_ROUNDS) };
    let mut built = LIBRARIES.iter().map(prepare).collect::<Result<Vec<_>>>()?;
    for _ in 0..rounds {
        for (library, built) in LIBRARIES.iter().zip(&mut built) {
            built.release.push(rebuild(library, true)?);
            built.debug.push(rebuild(library, false)?);
        }
    }
    Ok(Sheet {
        title: "What a container costs to compile",
        about: format!(
            "A program with {TYPES} types of values and six operations on each (insert, get, get_mut, remove, a loop, \
             retain): the processor's seconds to compile it again after a change, medians of {rounds} rounds, and \
             the bytes of its own code (stripped, without those of the same program without a container)."
        ),
        grids: vec![grid(&built)],
        findings: findings(&built),
        ..Sheet::default()
    })
}

/// Writes the program and compiles it with its dependencies.
fn prepare(library: &Library) -> Result<Built> {
    let folder = folder(library);
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest(library))?;
    fs::write(folder.join("src/main.rs"), source(library))?;
    rebuild(library, true)?;
    rebuild(library, false)?;
    let program = target(library).join("release/forty");
    let stripped = folder.join("stripped");
    let status = Command::new("strip").arg("-o").arg(&stripped).arg(&program).status().context("strip")?;
    ensure!(status.success(), "strip failed");
    let size = fs::metadata(&stripped)?.len() as f64;
    Ok(Built { name: library.name, release: Vec::new(), debug: Vec::new(), size })
}

fn folder(library: &Library) -> PathBuf {
    Path::new(HERE).join("target/forty").join(library.name.replace(' ', "-"))
}

fn target(library: &Library) -> PathBuf {
    folder(library).join("target")
}

/// Compiles the program again, as after a change, without what earlier compilations left. Returns
/// seconds.
fn rebuild(library: &Library, release: bool) -> Result<f64> {
    let folder = folder(library);
    fs::write(folder.join("src/main.rs"), source(library))?;
    let name = Path::new("forty").join(library.name.replace(' ', "-")).join("target");
    let mut build = cargo("build", &folder.join("Cargo.toml"), &name.to_string_lossy());
    build.env("CARGO_INCREMENTAL", "0").env("CARGO_BUILD_JOBS", "1");
    if release {
        build.arg("--release");
    }
    let (start, before) = (Instant::now(), children_seconds());
    let status = build.status()?;
    ensure!(status.success(), "the program with {} does not compile", library.name);
    let processor = children_seconds().zip(before).map(|(after, before)| after - before);
    Ok(processor.unwrap_or_else(|| start.elapsed().as_secs_f64()))
}

/// The processor's seconds, in user mode, of all processes that this one has waited for. `None`
/// where the system does not say: then the clock must do.
fn children_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which stands in parentheses, `cutime` is the 14th word, in hundredths.
    let ticks: f64 = stat.rsplit_once(')')?.1.split_whitespace().nth(13)?.parse().ok()?;
    Some(ticks / 100.0)
}

fn grid(built: &[Built]) -> Grid {
    let base = built[0].size;
    let row = |built: &Built| {
        let figures = [median(&built.release), median(&built.debug), (built.size - base) / 1_000.0];
        Row::new(built.name, figures.map(Some).to_vec())
    };
    Grid::new(&["library", "release, s", "debug, s", "own code, kB"], built.iter().map(row).collect())
}

fn findings(built: &[Built]) -> Vec<Finding> {
    let [base, tenure, slotmap, ..] = built else { return Vec::new() };
    let seconds = |what: &str, of: fn(&Built) -> &Vec<f64>| {
        Finding::new(what, Ratio::of_rounds(&ratios(of(tenure), of(slotmap))), Bound::AtMost(MOST))
    };
    let size = (tenure.size - base.size) / (slotmap.size - base.size);
    vec![
        seconds("release, Tenure's time over slotmap's", |built| &built.release),
        seconds("debug, Tenure's time over slotmap's", |built| &built.debug),
        Finding::exact("own code, Tenure's bytes over slotmap's", size, Bound::AtMost(MOST)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_timed() {
        if let Some(seconds) = children_seconds() {
            assert!(seconds >= 0.0);
        }
    }

    #[test]
    fn findings_compare_with_slotmap() {
        let built = |name, seconds, size| Built { name, release: vec![seconds], debug: vec![seconds], size };
        let all = [built("none", 1.0, 100.0), built("tenure", 3.0, 130.0), built("slotmap", 2.0, 120.0)];
        let findings = findings(&all);
        assert_eq!(findings[0].measured.middle, 1.5);
        assert!(findings[0].missed() && findings[2].missed());
        assert_eq!(grid(&all).rows[1].figures[2], Some(0.03));
    }
}
