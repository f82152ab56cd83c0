//! A few cases in full.

use std::io::{self, Write};

use crate::battle::{Battle, Catch, Holder, Mishap};
use crate::paint::{bad, good, title};

/// Shows which creatures missiles hit by index, and what the pool reports about stale handles.
pub(super) fn print(battle: &Battle, out: &mut impl Write) -> io::Result<()> {
    let (index, handle) = (battle.by_index.referee(), battle.by_handle.referee());
    if !index.mishaps().is_empty() {
        writeln!(out, "{}", title("By index, mistakes are not noticed"))?;
        index.mishaps().iter().try_for_each(|mishap| print_mishap(mishap, out))?;
        writeln!(out)?;
    }
    if !handle.catches().is_empty() {
        writeln!(out, "{}", title("By handle, the pool reports what happened"))?;
        handle.catches().iter().try_for_each(|catch| print_catch(catch, out))?;
        writeln!(out)?;
    }
    Ok(())
}

fn print_mishap(mishap: &Mishap, out: &mut impl Write) -> io::Result<()> {
    let Mishap { frame, aimed, found, kind } = mishap;
    let label = format!("missile for goblin {aimed}");
    writeln!(out, "  frame {frame:>3}  {label:<27}  {}", bad(format!("hit {} {found}", kind.word())))
}

fn print_catch(catch: &Catch, out: &mut impl Write) -> io::Result<()> {
    let Catch { frame, holder, aimed, why } = catch;
    let label = match holder {
        Holder::Missile => format!("missile for goblin {aimed}"),
        Holder::Jar => format!("jar of goblin {aimed}"),
    };
    writeln!(out, "  frame {frame:>3}  {label:<27}  {}", good(why))
}
