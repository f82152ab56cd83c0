//! taffy's layout of a tree of 20,000 leaves. A patch is global, so there are two programs, one
//! with slotmap and one with slotmap patched out, which run in turns.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::report::ratios;
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::stats::{Ratio, median};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/taffy");
/// What the programs print, in this order.
const TASKS: [&str; 3] = ["build the tree", "lay it out", "lay it out again after 1,000 changes"];

pub fn sheet(quick: bool, rounds: usize) -> Result<Sheet> {
    let programs = [build("slotmap")?, build("tenure")?];
    let leaves = if quick { "1000" } else { "20000" };
    // By task and program.
    let mut figures = vec![[Vec::new(), Vec::new()]; TASKS.len()];
    for round in 0..rounds {
        for program in [round % 2, (round + 1) % 2] {
            for (task, time) in figures.iter_mut().zip(run(&programs[program], leaves)?) {
                task[program].push(time);
            }
        }
    }
    let rows = TASKS
        .iter()
        .zip(&figures)
        .map(|(task, [slotmap, tenure])| Row::new(*task, vec![Some(median(slotmap)), Some(median(tenure))]));
    let findings = TASKS.iter().zip(&figures).map(|(task, [slotmap, tenure])| {
        Finding::new(*task, Ratio::of_rounds(&ratios(tenure, slotmap)), Bound::AtMost(1.05))
    });
    Ok(Sheet {
        title: "taffy's layout",
        about: format!(
            "A tree of {leaves} leaves in flex boxes of 10. Medians of {rounds} rounds, in which the two programs run in turns: \
             milliseconds. Ratio: Tenure's time over slotmap's, so below 1 Tenure is faster."
        ),
        grids: vec![Grid::new(&["ms", "slotmap", "Tenure"], rows.collect())],
        findings: findings.collect(),
        ..Sheet::default()
    })
}

/// Compiles a program, and returns where it is.
fn build(with: &str) -> Result<PathBuf> {
    let folder = Path::new(FOLDER).join(with);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--target-dir", "target"])
        .current_dir(&folder)
        .status()
        .context("cargo cannot be started")?;
    ensure!(built.success(), "the program with {with} does not compile");
    Ok(folder.join("target/release/layout"))
}

/// Milliseconds of each task.
fn run(program: &Path, leaves: &str) -> Result<Vec<f64>> {
    let output = Command::new(program).arg(leaves).output().context("the program cannot be started")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let figures = text.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    ensure!(figures.len() == TASKS.len(), "the program printed {text:?}");
    Ok(figures)
}
