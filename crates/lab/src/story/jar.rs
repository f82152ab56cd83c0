//! The problem in ten seconds.

use std::io::{self, Write};

use crate::battle::{ByHandle, ByIndex, OneJar};
use crate::paint::{bad, good, title};

/// Prints the story of one jar, in index order and by handle.
pub(super) fn print(out: &mut impl Write) -> io::Result<()> {
    let (index, handle) = (OneJar::play::<ByIndex>(), OneJar::play::<ByHandle>());
    writeln!(out, "{}", title("Which creature carries the jar?"))?;
    writeln!(out, "  1  A goblin picks up a jar. The jar stores a reference to the goblin.")?;
    names(&index.noted, &handle.noted, out)?;
    writeln!(out, "  2  The goblin dies. A chicken hatches and gets its slot.")?;
    names(&index.chicken, &handle.chicken, out)?;
    writeln!(out, "  3  Which creature carries the jar?")?;
    answer("by index ", &index, out)?;
    answer("by handle", &handle, out)?;
    writeln!(out)
}

fn names(index: &str, handle: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "       by index   {index:<15} by handle   {handle}")
}

fn answer(way: &str, jar: &OneJar, out: &mut impl Write) -> io::Result<()> {
    match (jar.carrier, jar.why) {
        (Some(kind), _) => writeln!(out, "       {way}  {}", bad(format!("✗ the {}", kind.word()))),
        (None, Some(why)) => writeln!(out, "       {way}  {}: {why}", good("✓ none")),
        (None, None) => writeln!(out, "       {way}  {}", good("✓ none")),
    }
}
