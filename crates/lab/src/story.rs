//! The plain-text output: one jar, a battle, the evidence, the counts, and where to go next.

mod count;
mod evidence;
mod frames;
mod jar;
mod tail;

use std::io::{self, Write};

use crate::battle::{Battle, Scale};
use crate::cli::BattleArgs;
use crate::paint::{dim, grouped, title};

/// The default number of goblins.
const CROWD: u32 = 20_000;

/// The result of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No handle resolved to another creature.
    AsPromised,
    /// A handle resolved to another creature. That would be a serious bug of the library.
    PromiseBroken,
}

/// Fights the battle and prints it.
pub(crate) fn run(args: &BattleArgs, out: &mut impl Write) -> io::Result<Verdict> {
    let scale = Scale::new(args.frames, args.enemies.unwrap_or(CROWD) as usize, args.seed);
    let mut battle = Battle::new(scale);
    if args.quiet {
        fight_in_silence(&mut battle, scale.frames);
        return sum_up(&battle, &scale, out);
    }
    print_all(&mut battle, &scale, out)?;
    out.flush()?;
    Ok(verdict(&battle, &scale))
}

/// Prints the final table of a battle that was shown live.
pub(crate) fn sum_up(battle: &Battle, scale: &Scale, out: &mut impl Write) -> io::Result<Verdict> {
    count::print(battle, scale, out)?;
    out.flush()?;
    Ok(verdict(battle, scale))
}

fn fight_in_silence(battle: &mut Battle, frames: u32) {
    (0..frames).for_each(|_| battle.frame());
}

fn print_all(battle: &mut Battle, scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", title("TENURE: the same battle twice, with raw indices and with handles"))?;
    writeln!(out)?;
    jar::print(out)?;
    introduce(scale, out)?;
    // The battle takes a moment: show what is printed so far.
    out.flush()?;
    frames::fight(battle, scale, out)?;
    evidence::print(battle, out)?;
    count::print(battle, scale, out)?;
    tail::print(battle, out)
}

fn introduce(scale: &Scale, out: &mut impl Write) -> io::Result<()> {
    let [goblins, chickens, jars, missiles] = [
        many(scale.goblins, "goblin"),
        many(scale.chickens, "chicken"),
        many(scale.jars, "jar"),
        many(scale.volley, "missile"),
    ];
    writeln!(out, "{}", title("Now with a crowd"))?;
    writeln!(out, "  On the field: {goblins} with {jars} to carry, and {chickens} among them.")?;
    writeln!(out, "  Each frame adds {missiles}, which home on goblins. No missile is aimed at a chicken.")?;
    writeln!(out, "  New creatures reuse the slots of dead ones; missiles and jars keep old references.")?;
    writeln!(out, "  {}", dim(format!("Same rules, same seed ({}): only the references differ.", scale.seed)))?;
    writeln!(out)
}

/// `1 jar`, `200 jars`.
fn many(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", grouped(number as u64))
}

/// Judges by the counts.
fn verdict(battle: &Battle, scale: &Scale) -> Verdict {
    let counts = battle.by_handle.referee().total();
    let jars = battle.by_handle.inspect_jars();
    let mistakes = counts.misled + counts.wrong_hits + counts.chickens_hit + jars.with_another;
    if mistakes == 0 && battle.handle_in_step == scale.frames { Verdict::AsPromised } else { Verdict::PromiseBroken }
}
