//! Tenure against its peers: `cargo versus`.
//!
//! Cells are operation × size × count ([`cells`], [`operation`]). Their bodies are written once ([`work`]), against one trait
//! ([`contender`]), for all containers ([`contenders`]). [`run`] interleaves them, [`stats`] compares them, [`report`] writes
//! it down.

mod cells;
mod cli;
mod clock;
mod contender;
mod contenders;
mod machine;
mod memory;
mod operation;
mod plan;
mod report;
mod run;
mod stats;
mod value;
mod work;

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;

use cells::Cell;
use cli::Cli;
use report::{Report, json, markdown, plot, readme, table};

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    let cells = cells::choose(cli.quick, &cli.only)
        .map_err(|word| anyhow!("no cell answers to {word:?}; --list shows all"))?;
    ensure!(!cells.is_empty(), "no cell answers to every --only; --list shows all");
    if cli.list {
        list(&cells);
        return Ok(ExitCode::SUCCESS);
    }
    let report = measure(&cli, &cells);
    print!("{}", table::text(&report));
    write(&cli, &report)?;
    Ok(verdict(&cli, &report))
}

fn list(cells: &[Cell]) {
    for operation in operation::ALL {
        let of_it: Vec<_> = cells.iter().filter(|cell| cell.operation == operation).collect();
        if !of_it.is_empty() {
            println!("{:<22} {:>2} cells  {}", operation.name(), of_it.len(), operation.about());
        }
    }
    println!("{:<22} {:>2} cells", "in all", cells.len());
}

fn measure(cli: &Cli, cells: &[Cell]) -> Report {
    memory::settle();
    let contenders = contenders::all();
    let measured = run::run(cells, &contenders, cli.rounds());
    Report::new(&contenders, measured, cli.rounds())
}

fn write(cli: &Cli, report: &Report) -> Result<()> {
    let out = cli.out();
    fs::create_dir_all(out).with_context(|| cli.out_name())?;
    fs::write(out.join("versus.md"), markdown::page(report))?;
    fs::write(out.join("versus.json"), json::document(report)?)?;
    plot::all(report, out)?;
    eprintln!("versus.md, versus.json and plots are in {}", cli.out_name());
    let Some(path) = &cli.readme else {
        return Ok(());
    };
    let named = || path.display().to_string();
    let page = fs::read_to_string(path).with_context(named)?;
    fs::write(path, readme::with_summary(&page, report).with_context(named)?).with_context(named)
}

fn verdict(cli: &Cli, report: &Report) -> ExitCode {
    let behind = report.operations_behind().count();
    if cli.check && behind > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
