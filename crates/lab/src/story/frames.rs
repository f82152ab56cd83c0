//! The battle, a line for some of its frames.

use std::io::{self, Write};

use crate::battle::{Battle, Counts, Scale};
use crate::paint::{Painted, bad, bar, dim, good, grouped, mistakes};

/// The width of the bars.
const BAR: usize = 10;

/// Fights, and prints a line for some frames.
pub(super) fn fight(battle: &mut Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    print_head(out)?;
    for frame in 1..=scale.frames {
        battle.frame();
        if is_printed(frame, scale.frames) {
            print_frame(frame, battle, out)?;
            out.flush()?;
        }
    }
    writeln!(out)
}

/// Most changes happen early: later lines are rarer.
fn is_printed(frame: u32, last: u32) -> bool {
    frame == last || frame.is_power_of_two()
}

fn print_head(out: &mut impl Write) -> io::Result<()> {
    let groups = format!(
        "  {:<30}{:<40}{}",
        "the field (by handle)", "missiles that hit the wrong creature", "jars on chickens"
    );
    let [frame, spawned, removed, flying] = ["frame", "new", "dead", "flying"];
    let [index, handle] = ["by index", "by handle"];
    let counters = format!("  {frame:>5}{spawned:>7}{removed:>7}{flying:>9}");
    let sides = format!("  {index:<18}  {handle:<18}  {index:>8}  {handle:>9}");
    writeln!(out, "{}\n{}{}", dim(groups), dim(counters), dim(sides))
}

fn print_frame(frame: u32, battle: &Battle, out: &mut impl Write) -> io::Result<()> {
    let (index, handle) = (&battle.by_index, &battle.by_handle);
    let now = handle.referee().now();
    let [spawned, removed, flying] = [now.spawned, now.fell, handle.in_flight()].map(grouped);
    write!(out, "  {frame:>5}{spawned:>7}{removed:>7}{flying:>9}")?;
    write!(out, "  {}  {}", share_of_wrong(index.referee().now()), share_of_wrong(now))?;
    let [index, handle] = [index.inspect_jars(), handle.inspect_jars()].map(|jars| jars.on_chickens);
    writeln!(out, "  {}  {}", mistakes(index, 8), mistakes(handle, 9))
}

/// `██████····  1,234`
fn share_of_wrong(counts: Counts) -> Painted<String> {
    let text = format!("{} {:>7}", bar(counts.wrong_hits, counts.hits, BAR), grouped(counts.wrong_hits));
    if counts.wrong_hits == 0 { good(text) } else { bad(text) }
}
