//! The pool after the battle, and where to go next.

use std::io::{self, Write};

use crate::battle::Battle;
use crate::paint::{dim, grouped, title};

/// Commands and files to continue with.
const NEXT: [(&str, &str); 5] = [
    ("README.md", "what it is, and which container when"),
    ("cargo doc --open -p tenure", "every call, with an example that runs"),
    ("cargo versus", "Tenure against its peers, measured on your machine"),
    ("cargo run --release -- report", "this machine on one page: figures, plots, memory maps"),
    ("cargo run --release -- --help", "a larger battle, another seed"),
];

/// Prints the last section.
pub(super) fn print(battle: &Battle, out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    print_stats(battle, out)?;
    writeln!(out, "{}", title("Where to go next"))?;
    for (what, why) in NEXT {
        writeln!(out, "  {what:<30}  {}", dim(why))?;
    }
    Ok(())
}

fn print_stats(battle: &Battle, out: &mut impl Write) -> io::Result<()> {
    let stats = battle.by_handle.roster().stats();
    let [live, vacant, retired, kib] =
        [stats.live, stats.free, stats.retired, stats.bytes.div_ceil(1024)].map(|number| grouped(number as u64));
    let spawned = grouped(battle.by_handle.referee().serials());
    let tenants = grouped(u64::from(stats.highest_generation));
    writeln!(out, "{}", title("The pool after all this (pool.stats())"))?;
    writeln!(out, "  {live} live, {vacant} vacant, {retired} retired; {kib} KiB for {spawned} creatures in total")?;
    writeln!(out, "  the most used slot has had {tenants} tenants, of at most 2,147,483,648")?;
    writeln!(out)
}
