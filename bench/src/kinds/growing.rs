//! Growing one by one with several allocators: every container in a process of its own, so that all
//! start with the same heap.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::blocks::Blocks;
use super::growth::Growth;
use crate::cells::count_label;
use crate::contenders::with_stable_pool;
use crate::memory::MIMALLOC;
use crate::report::curve::{Curve, Line};
use crate::report::sheet::{Bound, Finding, Grid, Row, Sheet};
use crate::run::order;
use crate::stats::{Ratio, median};

const COUNT: usize = 10_000_000;
const QUICK_COUNT: usize = 100_000;
const ROUNDS: usize = 5;
const QUICK_ROUNDS: usize = 2;
/// The containers that are measured. The subject is the first one.
const NAMES: [&str; 5] = ["StablePool", "Pool", "SlotMap", "thunderdome", "Vec"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Situation {
    System,
    Aligned,
    Mimalloc,
}

use Situation::*;

const SITUATIONS: [Situation; 3] = [System, Aligned, Mimalloc];

impl Situation {
    fn name(self) -> &'static str {
        match self {
            System => "system",
            Aligned => "aligned",
            Mimalloc => "mimalloc",
        }
    }

    fn about(self) -> &'static str {
        match self {
            System => "system allocator, alignment 4",
            Aligned => "system allocator, alignment 64",
            Mimalloc => "mimalloc, alignment 4",
        }
    }
}

fn count(quick: bool) -> usize {
    if quick { QUICK_COUNT } else { COUNT }
}

/// Grows one container, in the process that was started for it, and returns the figures as JSON.
pub fn child(task: &str, quick: bool) -> Result<String> {
    let (situation, name) = task.split_once('/').context("--grow needs SITUATION/CONTENDER")?;
    let entry = with_stable_pool().into_iter().find(|entry| entry.name == name).context("unknown contender")?;
    Ok(serde_json::to_string(&entry.grow(situation == Aligned.name(), count(quick)))?)
}

/// Grows one container in a new process.
fn grow_in_child(situation: Situation, name: &str, quick: bool) -> Result<Growth> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--grow", &format!("{}/{name}", situation.name())]);
    if quick {
        command.arg("--quick");
    }
    if situation == Mimalloc {
        command.env(MIMALLOC.to_str()?, "1");
    }
    let output = command.output()?;
    if !output.status.success() {
        bail!("the process that grows {name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The runs of one container.
struct Runs {
    name: &'static str,
    growths: Vec<Growth>,
}

/// The worst step of several runs, in microseconds.
struct Worst {
    /// The minimum, over all runs, of the worst step of a run.
    least: f64,
    /// The worst step among those that are slow in every run.
    always: f64,
}

impl Runs {
    fn of(&self, figure: impl Fn(&Growth) -> f64) -> f64 {
        median(&self.growths.iter().map(figure).collect::<Vec<_>>())
    }

    fn always(&self, blocks: impl Fn(&Growth) -> &Blocks) -> Blocks {
        Blocks::least(&self.growths.iter().map(blocks).collect::<Vec<_>>())
    }

    fn worst(&self, blocks: impl Fn(&Growth) -> &Blocks) -> Option<Worst> {
        let worst = self.growths.iter().filter_map(|growth| blocks(growth).worst());
        Some(Worst { least: worst.min_by(f64::total_cmp)?, always: self.always(blocks).worst()? })
    }

    fn row(&self) -> Row {
        let (insert, remove) = (self.worst(|growth| &growth.inserts), self.worst(|growth| &growth.removes));
        let figures = vec![
            insert.as_ref().map(|worst| worst.least),
            insert.map(|worst| worst.always),
            remove.as_ref().map(|worst| worst.least),
            remove.map(|worst| worst.always),
            Some(self.of(|growth| growth.total)),
            Some(self.of(|growth| growth.moved) / 1e6),
            Some(self.of(|growth| growth.values_moved) / 1e6),
            Some(self.of(|growth| growth.peak)),
            Some(self.of(|growth| growth.worst_peak)),
        ];
        Row::new(self.name, figures)
    }
}

const HEADER: [&str; 10] = [
    "",
    "worst insert, µs",
    "in every run",
    "worst remove, µs",
    "in every run",
    "all inserts, ms",
    "moved, MB",
    "values moved, MB",
    "peak at the end",
    "worst peak",
];

pub fn sheet(quick: bool) -> Result<Sheet> {
    let mut sheet = Sheet { title: "Growing one by one", about: about(quick), ..Sheet::default() };
    let all = measure(quick)?;
    for (situation, runs) in SITUATIONS.into_iter().zip(&all) {
        let header: Vec<&str> = [situation.about()].into_iter().chain(HEADER[1..].iter().copied()).collect();
        sheet.grids.push(Grid::new(&header, runs.iter().map(Runs::row).collect()));
        sheet.findings.extend(findings(situation, runs));
        sheet.curves.push(curve(situation, "insert", runs, |growth| &growth.inserts));
        sheet.curves.push(curve(situation, "remove", runs, |growth| &growth.removes));
    }
    Ok(sheet)
}

fn about(quick: bool) -> String {
    format!(
        "Inserts {} values of 64 bytes into a new container, and then removes all in random order; {} runs, each in a \
         process of its own. Worst insert or remove: the minimum, over all runs, of the worst step of a run, without the \
         time in which other programs had the processor. In every run: the worst among the steps that are slow in all \
         runs (the minimum of each block of steps). Moved: bytes of blocks that `realloc` moved (the system allocator \
         remaps the pages of large blocks, all others are copied). Values moved: bytes of values whose address changed. \
         Peak: the highest heap divided by the bytes of the slots in use, counting a block twice while it is resized; \
         the worst peak is that from 1 % of the values on.",
        count_label(count(quick)),
        rounds(quick),
    )
}

fn rounds(quick: bool) -> usize {
    if quick { QUICK_ROUNDS } else { ROUNDS }
}

/// Runs all situations and all containers in every round.
fn measure(quick: bool) -> Result<Vec<Vec<Runs>>> {
    let fresh = || NAMES.map(|name| Runs { name, growths: Vec::new() }).into_iter().collect();
    let mut all: Vec<Vec<Runs>> = SITUATIONS.iter().map(|_| fresh()).collect();
    for round in 0..rounds(quick) {
        for (situation, runs) in SITUATIONS.into_iter().zip(&mut all) {
            for contender in order(NAMES.len(), round) {
                eprint!("\r\x1b[Kgrowing: round {} with {}, {}", round + 1, situation.about(), NAMES[contender]);
                runs[contender].growths.push(grow_in_child(situation, NAMES[contender], quick)?);
            }
        }
    }
    eprint!("\r\x1b[K");
    let moved =
        all.iter().flatten().filter(|runs| runs.name == NAMES[0]).any(|runs| runs.of(|g| g.values_moved) > 0.0);
    ensure!(!moved, "values of a StablePool have moved");
    Ok(all)
}

/// Returns the findings of `StablePool`. Its peak has a target in all situations; its worst insert
/// has one where `realloc` copies.
fn findings(situation: Situation, runs: &[Runs]) -> Vec<Finding> {
    let stable = &runs[0];
    let peak = Finding::exact(
        format!("peak of the heap over slots in use, {}", situation.about()),
        stable.of(|growth| growth.peak),
        Bound::AtMost(1.3),
    );
    let slotmap = runs.iter().find(|runs| runs.name == "SlotMap").filter(|_| situation != System);
    slotmap
        .and_then(|slotmap| worst_inserts(situation, slotmap, stable))
        .into_iter()
        .flatten()
        .chain([peak])
        .collect()
}

fn worst_inserts(situation: Situation, slotmap: &Runs, stable: &Runs) -> Option<[Finding; 2]> {
    let what = format!("SlotMap's worst insert over StablePool's, {}", situation.about());
    let always = |runs: &Runs| Some(runs.worst(|growth| &growth.inserts)?.always);
    let in_every_run = always(slotmap)? / always(stable)?;
    let bound = Bound::AtLeast(100.0);
    let least = worst_over(slotmap, stable)?;
    Some([Finding::exact(format!("{what}, in every run"), in_every_run, bound), Finding::new(what, least, bound)])
}

/// Returns the least worst insert of `theirs` divided by that of `ours`, with the interval of the
/// rounds.
fn worst_over(theirs: &Runs, ours: &Runs) -> Option<Ratio> {
    let worst = |runs: &Runs| Some(runs.worst(|growth| &growth.inserts)?.least);
    let of_round = |(theirs, ours): (&Growth, &Growth)| Some(theirs.inserts.worst()? / ours.inserts.worst()?);
    let rounds: Vec<f64> = theirs.growths.iter().zip(&ours.growths).filter_map(of_round).collect();
    let bounds = Ratio::of_rounds(&rounds);
    Some(Ratio { middle: worst(theirs)? / worst(ours)?, ..bounds })
}

fn curve(situation: Situation, step: &str, runs: &[Runs], blocks: impl Fn(&Growth) -> &Blocks) -> Curve {
    let line = |runs: &Runs| Line { name: runs.name.into(), points: runs.always(&blocks).curve() };
    Curve {
        name: format!("memory-worst-{step}-{}", situation.name()),
        title: format!("worst {step} within each power of two: {}", situation.about()),
        unit: "microseconds",
        lines: runs.iter().map(line).filter(|line| !line.points.is_empty()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_those_of_contenders() {
        let entries = with_stable_pool();
        assert!(NAMES.iter().all(|name| entries.iter().any(|entry| entry.name == *name)));
    }

    #[test]
    fn a_child_returns_its_figures() {
        let figures = child("aligned/SlotMap", true).unwrap();
        let growth: Growth = serde_json::from_str(&figures).unwrap();
        assert!(growth.inserts.worst() > Some(0.0) && growth.removes.worst() > Some(0.0));
        assert!(growth.values_moved > 0.0 && growth.total > 0.0);
        assert!(child("system", true).is_err() && child("system/unknown", true).is_err());
    }
}
