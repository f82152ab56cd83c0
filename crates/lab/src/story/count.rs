//! The final table.

use std::io::{self, Write};

use super::Verdict;
use crate::battle::{Battle, Scale};
use crate::paint::{bad, dim, good, grouped, mistakes, title};

/// The width of a column of figures.
const COLUMN: usize = 14;
/// The width of the labels.
const WORDS: usize = 48;

/// Prints the counts of both fields.
pub(super) fn print(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    print_head(scale, out)?;
    let (index, handle) = (battle.by_index.referee().total(), battle.by_handle.referee().total());
    plain("references looked up by missiles and jars", index.look_ups, handle.look_ups, out)?;
    plain("  stale, and caught", index.caught, handle.caught, out)?;
    wrong("  stale, and resolved to another creature", index.misled, handle.misled, out)?;
    plain("missiles that hit", index.hits, handle.hits, out)?;
    wrong("  the wrong creature", index.wrong_hits, handle.wrong_hits, out)?;
    wrong("  a chicken", index.chickens_hit, handle.chickens_hit, out)?;
    let (index, handle) = (battle.by_index.inspect_jars(), battle.by_handle.inspect_jars());
    wrong("jars carried by another creature", index.with_another, handle.with_another, out)?;
    wrong("  a chicken", index.on_chickens, handle.on_chickens, out)?;
    print_steps(battle, scale, out)?;
    print_verdict(battle, scale, out)
}

fn print_head(scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    let head = format!("The count at frame {}", grouped(u64::from(scale.frames)));
    write!(out, "{}", title(format!("{head:<WORDS$}  ")))?;
    writeln!(out, "{}", title(format!("{:>COLUMN$}{:>COLUMN$}", "by index", "by handle")))
}

fn plain(words: &str, index: u64, handle: u64, out: &mut impl Write) -> io::Result<()> {
    let [index, handle] = [index, handle].map(grouped);
    writeln!(out, "  {words:<WORDS$}{index:>COLUMN$}{handle:>COLUMN$}")
}

fn wrong(words: &str, index: u64, handle: u64, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  {words:<WORDS$}{}{}", mistakes(index, COLUMN), mistakes(handle, COLUMN))
}

/// Compares with the third battle, in which no name is ever reused.
fn print_steps(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    let cell = |frames: u32| {
        let text = format!("{:>COLUMN$}", grouped(u64::from(frames)));
        if frames == scale.frames { good(text) } else { bad(text) }
    };
    let words = "frames equal to the reference battle *";
    writeln!(out, "  {words:<WORDS$}{}{}", cell(battle.index_in_step), cell(battle.handle_in_step))?;
    let events = grouped(battle.by_handle.referee().events());
    let note = format!("* a third battle, with a map and numbers that are never reused; {events} events compared");
    writeln!(out, "  {}\n", dim(note))
}

fn print_verdict(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    if super::verdict(battle, scale) == Verdict::PromiseBroken {
        return writeln!(
            out,
            "  {}",
            bad("A HANDLE RESOLVED TO ANOTHER CREATURE. This is a bug in Tenure: please report it.")
        );
    }
    let index = battle.by_index.referee().total();
    if index.wrong_hits > 0 {
        let [wrong, hits] = [index.wrong_hits, index.hits].map(grouped);
        writeln!(out, "  {}", bad(format!("By index, {wrong} of {hits} hits were wrong, without any error.")))?;
    }
    writeln!(out, "  {}", good("By handle, none: every handle resolved to its own creature, or to none."))
}
