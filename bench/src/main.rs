//! Tenure against its peers: `cargo versus`.
//!
//! Cells are operation × size × count ([`cells`], [`operation`]). The work of an operation is
//! written once ([`work`]), against one trait ([`contender`]), for all containers ([`contenders`]).
//! [`run`] measures them in interleaved rounds, [`stats`] compares the figures, and [`report`]
//! formats the result.

mod builds;
mod cells;
mod cli;
mod clock;
mod contender;
mod contenders;
mod facade;
mod kinds;
mod lap;
mod machine;
mod memory;
mod names;
mod operation;
mod part;
mod plan;
mod race;
mod report;
mod run;
mod saves;
mod stats;
mod tables;
mod value;
mod work;
mod worlds;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;

use cells::Cell;
use cli::Cli;
use machine::Machine;
use part::Part;
use report::sheet::{self, Sheet};
use report::{Report, curve, json, markdown, plot, readme, table};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match versus(&cli) {
        Ok(behind) if cli.check && behind > 0 => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs what the command line asks for. Returns the number of operations that are behind.
fn versus(cli: &Cli) -> Result<usize> {
    let behind = measure_here(cli)?;
    if let Some(profile) = &cli.profile {
        print!("{}", builds::side_by_side(cli, profile)?);
    }
    Ok(behind)
}

/// In the build that this program is.
fn measure_here(cli: &Cli) -> Result<usize> {
    if let Some(task) = &cli.grow {
        print!("{}", kinds::child(task, cli.quick)?);
        return Ok(0);
    }
    if cli.memory {
        return measure_part(cli, &kinds::PART);
    }
    if cli.tables {
        return measure_part(cli, &tables::PART);
    }
    if cli.worlds {
        return measure_part(cli, &worlds::PART);
    }
    if cli.saves {
        return measure_part(cli, &saves::PART);
    }
    if cli.slotmap {
        return measure_part(cli, &facade::PART);
    }
    if cli.debug {
        return measure_part(cli, &builds::DEBUG);
    }
    if cli.build {
        return measure_part(cli, &builds::COMPILE);
    }
    let cells = cells::choose(cli.quick, &cli.only)
        .map_err(|word| anyhow!("no cell matches {word:?}; --list shows all operations"))?;
    ensure!(!cells.is_empty(), "no cell matches every --only; --list shows all operations");
    if cli.list {
        list(&cells);
        return Ok(0);
    }
    if cli.names {
        memory::warm_up();
        print!("{}", names::report(cli.rounds()));
        return Ok(0);
    }
    let report = measure(cli, &cells);
    print!("{}", table::text(&report));
    write(cli, &report)?;
    Ok(report.operations_behind().count())
}

/// Like [`versus`], for a part. Returns the number of findings that miss their targets.
fn measure_part(cli: &Cli, part: &Part) -> Result<usize> {
    memory::warm_up();
    let sheets = part.measure(cli)?;
    print!("{}", sheet::text(&sheets));
    write_sheets(cli.out(), part, &sheets).with_context(|| cli.out_name())?;
    eprintln!("{0}.md, {0}.json and plots are in {1}", part.file, cli.out_name());
    Ok(sheets.iter().flat_map(|sheet| &sheet.findings).filter(|finding| finding.missed()).count())
}

fn list(cells: &[Cell]) {
    for operation in operation::ALL {
        let of_it: Vec<_> = cells.iter().filter(|cell| cell.operation == operation).collect();
        if !of_it.is_empty() {
            println!("{:<22} {:>2} cells  {}", operation.name(), of_it.len(), operation.about());
        }
    }
    println!("{:<22} {:>2} cells", "total", cells.len());
}

fn measure(cli: &Cli, cells: &[Cell]) -> Report {
    memory::warm_up();
    let contenders = contenders::all();
    let measured = run::run(cells, &contenders, cli.rounds());
    Report::new(&contenders, measured, cli.rounds())
}

fn write(cli: &Cli, report: &Report) -> Result<()> {
    write_files(cli.out(), report).with_context(|| cli.out_name())?;
    eprintln!("versus.md, versus.json and plots are in {}", cli.out_name());
    match &cli.readme {
        Some(path) => write_readme(path, report).with_context(|| path.display().to_string()),
        None => Ok(()),
    }
}

fn write_files(out: &Path, report: &Report) -> Result<()> {
    fs::create_dir_all(out)?;
    fs::write(out.join("versus.md"), markdown::page(report))?;
    fs::write(out.join("versus.json"), json::document(report)?)?;
    plot::all(report, "", out)
}

fn write_sheets(out: &Path, part: &Part, sheets: &[Sheet]) -> Result<()> {
    let machine = Machine::this();
    fs::create_dir_all(out)?;
    fs::write(out.join(format!("{}.md", part.file)), sheet::markdown(part.title, &machine, sheets))?;
    fs::write(out.join(format!("{}.json", part.file)), sheet::json(&machine, sheets)?)?;
    let mut reports = sheets.iter().filter_map(|sheet| sheet.report.as_ref());
    reports.try_for_each(|report| plot::all(report, &format!("{}-", part.file), out))?;
    sheets.iter().flat_map(|sheet| &sheet.curves).try_for_each(|line| curve::save(line, out))
}

fn write_readme(path: &Path, report: &Report) -> Result<()> {
    let page = fs::read_to_string(path)?;
    Ok(fs::write(path, readme::with_summary(&page, report)?)?)
}
