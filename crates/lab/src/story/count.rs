//! The final table.

use std::io::{self, Write};

use super::Verdict;
use crate::battle::{Battle, Scale};
use crate::paint::{bad, dim, good, grouped, mistakes, title};

/// How wide a column of figures is.
const COLUMN: usize = 14;
/// How wide the words before them are.
const WORDS: usize = 48;

/// Prints what was counted on both fields.
pub(super) fn print(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    print_head(scale, out)?;
    let (index, handle) = (battle.by_index.referee().total(), battle.by_handle.referee().total());
    plain("names looked up by missiles and jars", index.look_ups, handle.look_ups, out)?;
    plain("  stale, and caught", index.caught, handle.caught, out)?;
    wrong("  stale, and led to somebody else", index.misled, handle.misled, out)?;
    plain("missiles that hit", index.hits, handle.hits, out)?;
    wrong("  the wrong one", index.wrong_hits, handle.wrong_hits, out)?;
    wrong("  a chicken", index.chickens_hit, handle.chickens_hit, out)?;
    let (index, handle) = (battle.by_index.inspect_jars(), battle.by_handle.inspect_jars());
    wrong("jars with one who never picked them up", index.with_another, handle.with_another, out)?;
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

/// Compares with the third battle, in which no name is ever used again.
fn print_steps(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    let cell = |frames: u32| {
        let text = format!("{:>COLUMN$}", grouped(u64::from(frames)));
        if frames == scale.frames { good(text) } else { bad(text) }
    };
    let words = "frames that went as with names never reused *";
    writeln!(out, "  {words:<WORDS$}{}{}", cell(battle.index_in_step), cell(battle.handle_in_step))?;
    let events = grouped(battle.by_handle.referee().events());
    let note = format!("* a third battle names creatures in a map by numbers; {events} events compared");
    writeln!(out, "  {}\n", dim(note))
}

fn print_verdict(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    if super::verdict(battle, scale) == Verdict::PromiseBroken {
        return writeln!(out, "  {}", bad("A HANDLE LED ASTRAY. This is a fault in Tenure: please report it."));
    }
    let index = battle.by_index.referee().total();
    if index.wrong_hits > 0 {
        let [wrong, hits] = [index.wrong_hits, index.hits].map(grouped);
        writeln!(out, "  {}", bad(format!("By index, {wrong} of {hits} hits were wrong, and nothing said so.")))?;
    }
    writeln!(out, "  {}", good("By handle, none: every handle led to its own creature, or to nobody."))
}
